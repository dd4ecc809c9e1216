// SPDX-License-Identifier: Apache-2.0
// An array whose size is wrong has none that an index could be beyond.
kernel void f(global int *p)
{
    int a[UNKNOWN];
    a[3] = 1;
    p[0] = a[2] + 1 / 0;
}
