// SPDX-License-Identifier: Apache-2.0
// Cooperative matrices as values: variables, arrays, members, arguments, results, operators, conversions, components.
// needs: __opencl_c_subgroups
// options: -cl-std=CL3.0
// source: other compilers lack these matrices
// run: k global 32 local 32
// arg: buffer float 1..16
// arg: out float 16
// arg: uint 1
// expect: arg1 float 1..16
#define MATRIX(use) __attribute__((coop_mat(CLK_COOPERATIVE_MATRIX_SCOPE_SUBGROUP, 4, 4, CLK_COOPERATIVE_MATRIX_##use)))
#define ROWS CLK_COOPERATIVE_MATRIX_LAYOUT_ROW_MAJOR
typedef float acc MATRIX(ACCUMULATOR);
typedef int iacc MATRIX(ACCUMULATOR);
typedef float MATRIX(A) left;

struct pair {
    int before;
    acc both[2];
    char after;
};

acc twice(acc m) { return m * 2.0f; }

struct pair swapped(struct pair p)
{
    acc m = p.both[0];
    p.both[0] = p.both[1];
    p.both[1] = m;
    p.before++;
    return p;
}

acc add_all(acc m[3])
{
    acc sum = coop_mat_init(0.0f);
    for (int i = 0; i < 3; i++)
        sum += m[i];
    return sum;
}

kernel void k(global float *in, global float *out, uint which)
{
    acc m = coop_mat_load(in, ROWS, 4), list[3];
    for (int i = 0; i < 3; i++)
        list[i] = m * (float)(i + 1);
    list[which] = -list[which] + list[0]; // -2m + m = -m
    acc sum = add_all(list);             // m - m + 3m
    struct pair p = {5, {sum, twice(m)}, 7};
    p = swapped(p);
    acc chosen = p.before == 6 && p.after == 7 ? p.both[0] : sum; // 2m
    chosen = which ? chosen / (acc)2.0f : m;                      // m
    iacc whole = (iacc)(chosen * 1.5f);                           // truncated
    left other = (left)whole;
    acc back = (acc)other; // as another component type and another use
    for (uint i = 0; i < coop_mat_length(back); i++) {
        float x = back[i];
        back[i] += x * 0.0f;
        back[i] -= floor(chosen[i] * 1.5f); // 0
    }
    acc result = back + p.both[1] - chosen - (2.0f * m) + chosen; // 3m - 2m
    coop_mat_store(out, result, ROWS, 4); // all sub-groups store the same values
}
