// SPDX-License-Identifier: Apache-2.0
// As SPIR-V, these need integers of odd widths: LLVM computes the final value of a loop in 33 bits, and combines four booleans
// into one integer.
// run: sums global 4
// arg: buffer int 5 0 -3 100000
// arg: out uint 4
// expect: arg1 uint 10 0 0 704982704
// run: truths global 3
// arg: buffer int 0 0 0 0  0 0 0 7  -1 -1 -1 -1
// arg: out int 3
// expect: arg1 int 0 1 3
kernel void sums(global const int *n, global uint *out)
{
    int i = get_global_id(0);
    uint sum = 0;
    for (int k = 0; k < n[i]; k++)
        sum += k;
    out[i] = sum;
}

kernel void truths(global const int4 *in, global int *out)
{
    int i = get_global_id(0);
    int4 zeros = in[i] == 0, ones = in[i] == -1;
    out[i] = (any(!zeros) ? 1 : 0) + (all(ones) ? 2 : 0);
}
