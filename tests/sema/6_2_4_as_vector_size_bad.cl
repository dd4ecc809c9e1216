kernel void k()
{
    float4 f = 1;
    int n = 1;
    n = as_int(f);
}
// SPDX-License-Identifier: Apache-2.0
