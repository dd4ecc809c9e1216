// SPDX-License-Identifier: Apache-2.0
// target: android_2022
// options: --vulkan
// env: vulkan1.1
// expect: OpTypeArray %uint %uint_25000
// Private arrays stay the device's, however large: our runtime's buffer for them is not there.
kernel void k(global int *out, int n)
{
    char bytes[100000];
    for (int i = 0; i < n; i++)
        bytes[i * 7] = out[i];
    out[0] = bytes[n * 3];
}
