kernel void k(global int *g)
{
    float x = 1;
    x = (float)g;
    g = (global int *)x;
}
// SPDX-License-Identifier: Apache-2.0
