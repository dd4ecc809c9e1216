#version 450
// SPDX-License-Identifier: Apache-2.0
// As programs/matvec_half.cl.
layout(local_size_x = 128) in;
layout(std430, binding = 0) readonly restrict buffer A { uvec4 a[]; };
layout(std430, binding = 1) readonly restrict buffer B { vec4 b[]; };
layout(std430, binding = 2) writeonly restrict buffer Out { float result[]; };
layout(push_constant) uniform Push { int n; };
shared float part[128];
void main()
{
    int item = int(gl_LocalInvocationID.x), row = int(gl_WorkGroupID.x);
    vec4 low = vec4(0.0), high = vec4(0.0);
    for (int i = item; i < n / 8; i += 128) {
        uvec4 halves = a[i + row * (n / 8)];
        low += vec4(unpackHalf2x16(halves.x), unpackHalf2x16(halves.y)) * b[2 * i];
        high += vec4(unpackHalf2x16(halves.z), unpackHalf2x16(halves.w)) * b[2 * i + 1];
    }
    vec4 four = low + high;
    part[item] = four.x + four.y + four.z + four.w;
    for (int half_way = 64; half_way != 0; half_way /= 2) {
        barrier();
        if (item < half_way)
            part[item] += part[item + half_way];
    }
    if (item == 0)
        result[row] = part[0];
}
