// SPDX-License-Identifier: Apache-2.0
// run: k global 4
// arg: buffer int 5 -5 0 7
// arg: out int 4
// arg: out float 4
// expect: arg1 int 5 5 0 7
// expect: arg2 float 1 -1 0 1
kernel void k(global int *a, global int *b, global float *s)
{
    int i = get_global_id(0);
    b[i] = a[i] < 0 ? -a[i] : a[i];
    s[i] = a[i] > 0 ? 1.0f : a[i] < 0 ? -1.0f : 0.0f;
}
