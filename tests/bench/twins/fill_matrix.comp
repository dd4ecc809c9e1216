#version 450
// SPDX-License-Identifier: Apache-2.0
// As programs/fill_matrix.cl.
layout(local_size_x = 8, local_size_y = 8) in;
layout(std430, binding = 2) writeonly restrict buffer Out { float result[]; };
layout(push_constant) uniform Push { int n; };
void main()
{
    int x = int(gl_GlobalInvocationID.x), y = int(gl_GlobalInvocationID.y);
    if (x < n && y < n)
        result[y * n + x] = float(y);
}
