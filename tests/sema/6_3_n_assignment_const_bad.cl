kernel void k(const global int *cg, constant float *cf, constant int *ci)
{
    const int cn = 3;
    cg[0] = 1;
    cf[0] = 1;
    cn = 4;
    cn++;
    *ci += 1;
}
// SPDX-License-Identifier: Apache-2.0
