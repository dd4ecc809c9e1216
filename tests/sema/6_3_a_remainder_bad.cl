kernel void k()
{
    float4 f = 1;
    int n = 1;
    float x = 1;
    x = x % 2;
    f = f % f;
    n %= x;
}
// SPDX-License-Identifier: Apache-2.0
