constant float c = 1;
kernel void k(global float *p)
{
    extern constant float c;
    extern global float g;
    extern float h;
    p[0] = c;
}
// SPDX-License-Identifier: Apache-2.0
