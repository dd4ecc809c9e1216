kernel void k()
{
    char c = 1;
    long L = 1;
    int n = 1;
    n = mul24(c, c);
    n = mul24(L, L);
}
// SPDX-License-Identifier: Apache-2.0
