#version 450
// SPDX-License-Identifier: Apache-2.0
// As programs/blur.cl.
layout(local_size_x = 32, local_size_y = 8) in;
layout(std430, binding = 0) readonly restrict buffer A { uint a[]; };
layout(std430, binding = 2) writeonly restrict buffer Out { uint result[]; };
layout(push_constant) uniform Push { int n; };
const float weights[5] = {0.0625, 0.25, 0.375, 0.25, 0.0625};
void main()
{
    int x = int(gl_GlobalInvocationID.x), y = int(gl_GlobalInvocationID.y);
    vec4 sum = vec4(0.0);
    for (int dy = -2; dy <= 2; dy++)
        for (int dx = -2; dx <= 2; dx++) {
            uint texel = a[clamp(y + dy, 0, n - 1) * n + clamp(x + dx, 0, n - 1)];
            sum += vec4(uvec4(texel, texel >> 8, texel >> 16, texel >> 24) & 255u) * (weights[dy + 2] * weights[dx + 2]);
        }
    uvec4 rounded = uvec4(clamp(roundEven(sum), 0.0, 255.0));
    result[y * n + x] = rounded.x | rounded.y << 8 | rounded.z << 16 | rounded.w << 24;
}
