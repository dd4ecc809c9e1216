// SPDX-License-Identifier: Apache-2.0
// run: k global 3
// arg: buffer float 2 4 8
// arg: out float 3
// expect: arg1 float 8 4 2
kernel void k(constant float *a, global float *b)
{
    b[get_global_id(0)] = a[2 - get_global_id(0)];
}
