kernel void k()
{
    float4 f = 1;
    f = f ? f : f;
}
// SPDX-License-Identifier: Apache-2.0
