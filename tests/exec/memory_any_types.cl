// SPDX-License-Identifier: Apache-2.0
// Memory accessed as other types, with the build option that allows it.
// options: -fno-strict-aliasing

// run: k global 1
// arg: buffer float 1 0
// arg: int 0
// arg: int 3
// arg: out int 3
// expect: arg0 float 4 0
// expect: arg3 int 0x3f800000 0x40000000 0x40400000
kernel void k(global float *x, int at, int n, global int *out)
{
    global int *bits = (global int *)x;
    for (int i = 0; i < n; i++) {
        out[i] = bits[0];
        x[at] += 1;
    }
}
