kernel void k(global int *g, constant float *cf)
{
    int *p = 0;
    char c = 1;
    long L = 1;
    size_t sz = 1;
    int n = 1;
    uint u = 1;
    float x = 1;
    int arr[4];
    x = *cf; n = *arr; n = p[2]; n = 2[arr]; n = **&p; g[L] = 1; g[u] = 1; arr[c] = 3; n = g[sz];
}
// SPDX-License-Identifier: Apache-2.0
