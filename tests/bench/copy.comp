#version 450
// SPDX-License-Identifier: Apache-2.0
layout(local_size_x = 256) in;
layout(std430, binding = 0) readonly buffer In { vec4 x[]; };
layout(std430, binding = 1) writeonly buffer Out { vec4 y[]; };
void main()
{
    y[gl_GlobalInvocationID.x] = x[gl_GlobalInvocationID.x];
}
