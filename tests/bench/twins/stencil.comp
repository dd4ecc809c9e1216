#version 450
// SPDX-License-Identifier: Apache-2.0
// As programs/stencil.cl.
layout(local_size_x = 40, local_size_y = 5) in;
layout(std430, binding = 0) readonly restrict buffer A { float a[]; };
layout(std430, binding = 2) writeonly restrict buffer Out { float result[]; };
layout(push_constant) uniform Push { int n; };
void main()
{
    int x = int(gl_GlobalInvocationID.x), y = int(gl_GlobalInvocationID.y), z = int(gl_GlobalInvocationID.z);
    int at = (z * n + y) * n + x;
    if (x == 0 || y == 0 || z == 0 || x == n - 1 || y == n - 1 || z == n - 1) {
        result[at] = a[at];
        return;
    }
    result[at] = 0.4 * a[at] + 0.1 * (a[at - 1] + a[at + 1] + a[at - n] + a[at + n] + a[at - n * n] + a[at + n * n]);
}
