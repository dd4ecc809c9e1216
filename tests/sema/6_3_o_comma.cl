kernel void k()
{
    int n = 1;
    int m = 1;
    n = (n, m); n++, m++; for (n = 0, m = 1; n < 3; n++, m--) ;
}
// SPDX-License-Identifier: Apache-2.0
