kernel void k()
{
    float m2[3][4];
    m2[1] = 3;
}
// SPDX-License-Identifier: Apache-2.0
