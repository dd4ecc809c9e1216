// SPDX-License-Identifier: Apache-2.0
// An array whose size is invalid has no bounds to warn about.
kernel void f(global int *p)
{
    int a[UNKNOWN];
    a[3] = 1;
    p[0] = a[2] + 1 / 0;
}
