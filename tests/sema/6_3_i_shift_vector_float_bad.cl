kernel void k()
{
    int4 i = 1;
    float x = 1;
    i = i << x;
}
// SPDX-License-Identifier: Apache-2.0
