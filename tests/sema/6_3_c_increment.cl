kernel void k(global int *g, const global int *cg)
{
    char c = 1;
    float4 f = 1;
    int4 i = 1;
    double d = 1;
    int n = 1;
    float x = 1;
    bool b = 1;
    int arr[4];
    n++; --n; i++; i.x++; f.y--; x++; d--; c++; b++; g++; ++cg; arr[1]++; *g++ = 1; (*g)++;
}
// SPDX-License-Identifier: Apache-2.0
