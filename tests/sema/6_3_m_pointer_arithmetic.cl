kernel void k(global int *g, const global int *cg)
{
    long L = 1;
    size_t sz = 1;
    int n = 1;
    int arr[4];
    g = g + L; g = 1 + g; g = g - 1; g += 1; g -= 1L; g += sz; L = g - cg; L = &n - &n; L = &arr[3] - arr;
}
// SPDX-License-Identifier: Apache-2.0
