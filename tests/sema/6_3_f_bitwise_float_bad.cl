kernel void k()
{
    float4 f = 1;
    float x = 1;
    x = x & 1;
    f = f | f;
    ~x;
    ~f;
    x |= 1;
}
// SPDX-License-Identifier: Apache-2.0
