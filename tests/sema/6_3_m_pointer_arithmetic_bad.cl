kernel void k(global int *g)
{
    float x = 1;
    g = g + x;
    g = 1 - g;
    g *= 2;
    g += g;
    g = g + g;
}
// SPDX-License-Identifier: Apache-2.0
