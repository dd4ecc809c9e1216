kernel void k()
{
    int n = 1;
    float x = 1;
    x = x << 1;
    n = n << x;
    x <<= 1;
}
// SPDX-License-Identifier: Apache-2.0
