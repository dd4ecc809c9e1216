#version 450
// SPDX-License-Identifier: Apache-2.0
// As programs/reduce.cl.
layout(local_size_x = 256) in;
layout(std430, binding = 0) readonly restrict buffer A { float a[]; };
layout(std430, binding = 2) writeonly restrict buffer Out { float result[]; };
layout(push_constant) uniform Push { int n; };
shared float part[256];
void main()
{
    int item = int(gl_LocalInvocationID.x);
    float sum = 0.0;
    for (int i = int(gl_GlobalInvocationID.x); i < n; i += int(gl_NumWorkGroups.x * gl_WorkGroupSize.x))
        sum += a[i];
    part[item] = sum;
    for (int half_way = 128; half_way != 0; half_way /= 2) {
        barrier();
        if (item < half_way)
            part[item] += part[item + half_way];
    }
    if (item == 0)
        result[gl_WorkGroupID.x] = part[0];
}
