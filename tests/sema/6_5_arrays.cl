kernel void k()
{
    long L = 1;
    float x = 1;
    float m2[3][4]; m2[1][2] = 3; float (*row)[4] = m2; x = row[1][2]; x = *m2[1]; float *r = m2[0]; L = &m2[1] - &m2[0];
}
// SPDX-License-Identifier: Apache-2.0
