// options: -cl-std=CL2.0
kernel void k(global int *g)
{
    int *any = g;
    g = any;
}
// SPDX-License-Identifier: Apache-2.0
