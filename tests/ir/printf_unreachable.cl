// Unreachable calls of printf give a kernel no printf buffer.
#define DEBUG 0
kernel void k(global int *a)
{
    if (DEBUG)
        printf("%d\n", a[0]);
    a[0] = 1;
}
// SPDX-License-Identifier: Apache-2.0
