kernel void k(global int *g, local int *l)
{
    int n = 1;
    g = n ? g : l;
}
// SPDX-License-Identifier: Apache-2.0
