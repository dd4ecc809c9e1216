#version 450
// SPDX-License-Identifier: Apache-2.0
// As programs/nbody.cl.
layout(local_size_x = 256) in;
layout(std430, binding = 0) readonly restrict buffer A { vec4 a[]; };
layout(std430, binding = 1) readonly restrict buffer B { vec4 b[]; };
layout(std430, binding = 2) writeonly restrict buffer Out { vec4 result[]; };
layout(push_constant) uniform Push { int n; };
shared vec4 tile[256];
void main()
{
    int item = int(gl_LocalInvocationID.x);
    vec4 me = a[gl_GlobalInvocationID.x];
    vec3 pull = vec3(0.0);
    for (int start = 0; start < n; start += 256) {
        tile[item] = a[start + item];
        barrier();
        for (int i = 0; i < 256; i++) {
            vec3 way = tile[i].xyz - me.xyz;
            float inverse = inversesqrt(dot(way, way) + 1e-4);
            pull += way * (tile[i].w * inverse * inverse * inverse);
        }
        barrier();
    }
    result[gl_GlobalInvocationID.x] = vec4(pull, b[gl_GlobalInvocationID.x].w);
}
