// SPDX-License-Identifier: Apache-2.0
// A type that may access any memory.
typedef int __attribute__((may_alias)) any_int;

// run: k global 1
// arg: buffer float 1 0
// arg: int 0
// arg: int 3
// arg: out int 3
// expect: arg0 float 4 0
// expect: arg3 int 0x3f800000 0x40000000 0x40400000
kernel void k(global float *x, int at, int n, global int *out)
{
    global any_int *bits = (global any_int *)x;
    for (int i = 0; i < n; i++) {
        out[i] = bits[0];
        x[at] += 1;
    }
}
