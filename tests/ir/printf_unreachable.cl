// Calls that cannot be reached make no kernel one that prints.
#define DEBUG 0
kernel void k(global int *a)
{
    if (DEBUG)
        printf("%d\n", a[0]);
    a[0] = 1;
}
// SPDX-License-Identifier: Apache-2.0
