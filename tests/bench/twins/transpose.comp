#version 450
// SPDX-License-Identifier: Apache-2.0
// As programs/transpose.cl.
layout(local_size_x = 32, local_size_y = 8) in;
layout(std430, binding = 0) readonly restrict buffer A { float a[]; };
layout(std430, binding = 2) writeonly restrict buffer Out { float result[]; };
layout(push_constant) uniform Push { int n; };
shared float tile[32][33];
void main()
{
    int x = int(gl_LocalInvocationID.x), y = int(gl_LocalInvocationID.y);
    int column = int(gl_WorkGroupID.x) * 32, row = int(gl_WorkGroupID.y) * 32;
    for (int i = y; i < 32; i += 8)
        tile[i][x] = a[(row + i) * n + column + x];
    barrier();
    for (int i = y; i < 32; i += 8)
        result[(column + i) * n + row + x] = tile[x][i];
}
