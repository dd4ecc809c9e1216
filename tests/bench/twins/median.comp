#version 450
// SPDX-License-Identifier: Apache-2.0
// As programs/median.cl.
layout(local_size_x = 32, local_size_y = 8) in;
layout(std430, binding = 0) readonly restrict buffer A { float a[]; };
layout(std430, binding = 2) writeonly restrict buffer Out { float result[]; };
layout(push_constant) uniform Push { int n; };
void main()
{
    int x = int(gl_GlobalInvocationID.x), y = int(gl_GlobalInvocationID.y);
    float near[25];
    for (int i = 0; i < 25; i++) {
        float value = a[clamp(y + i / 5 - 2, 0, n - 1) * n + clamp(x + i % 5 - 2, 0, n - 1)];
        int at = i;
        for (; at > 0 && near[at - 1] > value; at--)
            near[at] = near[at - 1];
        near[at] = value;
    }
    result[y * n + x] = near[12];
}
