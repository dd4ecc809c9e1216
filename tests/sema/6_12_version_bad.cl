// options: -cl-std=CL1.1
kernel void k()
{
    int n = 1;
    n = popcount(n);
}
// SPDX-License-Identifier: Apache-2.0
