// SPDX-License-Identifier: Apache-2.0
// run: k global 64 local 16
// arg: buffer int 0 1000 0 0 0 -1 0
// arg: out int 1
// expect: arg0 int 64 -1016 63 0 63 -64 2080
kernel void k(global int *a, global int *out)
{
    int i = get_global_id(0);
    atomic_inc(&a[0]);
    atomic_sub(&a[1], i);
    atomic_max(&a[2], i);
    atomic_min(&a[3], i);
    atomic_or(&a[4], i);
    atomic_and(&a[5], ~i);
    atomic_add(&a[6], i + 1);
}
