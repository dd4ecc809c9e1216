// SPDX-License-Identifier: Apache-2.0
// run: outer global 2
// arg: buffer int 1 2
// expect: arg0 int 12 14
// run: inner global 2
// arg: buffer int 1 2
// arg: int 5
// expect: arg0 int 6 7
kernel void inner(global int *a, int n)
{
    a[get_global_id(0)] += n;
}

kernel void outer(global int *a)
{
    a[get_global_id(0)] *= 2;
    inner(a, 10);
}
