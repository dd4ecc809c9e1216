// SPDX-License-Identifier: Apache-2.0
// run: k global 4
// arg: buffer int 0 0 0 0
// expect: arg0 int 0 0 5 5
kernel void k(global int *a)
{
    int i = get_global_id(0);
    if (i < 2)
        return;
    a[i] = 5;
}
