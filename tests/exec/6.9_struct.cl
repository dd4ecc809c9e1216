// SPDX-License-Identifier: Apache-2.0
// run: k global 2
// arg: buffer int 1 2 3 4
// arg: out int 4
// expect: arg1 int 2 1 4 3
struct pair {
    int a, b;
};

struct pair swap(struct pair p)
{
    struct pair q = {p.b, p.a};
    return q;
}

kernel void k(global struct pair *in, global struct pair *out)
{
    out[get_global_id(0)] = swap(in[get_global_id(0)]);
}
