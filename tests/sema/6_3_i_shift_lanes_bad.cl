kernel void k()
{
    int4 i = 1;
    int2 i2 = 1;
    int n = 1;
    n = n << i;
    i = i << i2;
}
// SPDX-License-Identifier: Apache-2.0
