// SPDX-License-Identifier: Apache-2.0
// A store of three elements does not change the fourth.
// run: k global 2
// arg: buffer float 1 2 3 99 5 6 7 88
// arg: buffer float 0 0 0 77 0 0 0 66
// expect: arg1 float 2 4 6 77 10 12 14 66
kernel void k(global float3 *a, global float *b)
{
    int i = get_global_id(0);
    vstore3(a[i] * 2.0f, 0, b + 4 * i);
}
