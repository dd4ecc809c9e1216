kernel void k(global int *g, global float *gf)
{
    long L = 1;
    L = g - gf;
}
// SPDX-License-Identifier: Apache-2.0
