kernel void k()
{
    int n = 1;
    int m = 1;
    1 = n;
    n++ = 1;
    (n, m) = 2;
    n + 1 = 2;
}
// SPDX-License-Identifier: Apache-2.0
