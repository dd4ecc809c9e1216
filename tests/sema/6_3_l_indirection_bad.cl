kernel void k()
{
    int n = 1;
    float x = 1;
    *n;
    *x = 1;
}
// SPDX-License-Identifier: Apache-2.0
