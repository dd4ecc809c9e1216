#version 450
// SPDX-License-Identifier: Apache-2.0
layout(local_size_x = 1) in;
layout(std430, binding = 0) readonly buffer In { uint x[]; };
layout(std430, binding = 1) writeonly buffer Out { uint y[]; };
void main()
{
    if (x[0] == 12345u)
        y[0] = 1u;
}
