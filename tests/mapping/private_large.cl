// SPDX-License-Identifier: Apache-2.0
// target: android_2022
// options: --vulkan
// env: vulkan1.1
// expect: OpTypeArray %uint %uint_25000
// Private arrays of any size remain private variables: the scratch buffer of our runtime does not exist.
kernel void k(global int *out, int n)
{
    char bytes[100000];
    for (int i = 0; i < n; i++)
        bytes[i * 7] = out[i];
    out[0] = bytes[n * 3];
}
