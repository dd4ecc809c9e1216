kernel void k()
{
    float4 f = 1;
    int4 i = 1;
    f = shuffle(f, i);
}
// SPDX-License-Identifier: Apache-2.0
