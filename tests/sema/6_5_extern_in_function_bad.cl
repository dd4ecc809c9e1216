// options: -cl-std=CL3.0
global int g = 1;
kernel void k(global float *p)
{
    extern global float g;
    extern global int g;
    extern local float l;
    extern private int q;
    extern global float missing;
    extern constant float c = 1;
    int h = 1;
    extern global int h;
    p[0] = missing;
}
constant int c = 1;
global float missing_too = 1;
// SPDX-License-Identifier: Apache-2.0
