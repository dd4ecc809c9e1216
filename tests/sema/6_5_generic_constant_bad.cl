// options: -cl-std=CL2.0
kernel void k(constant int *ci)
{
    int *p = 0;
    p = ci;
}
// SPDX-License-Identifier: Apache-2.0
