// SPDX-License-Identifier: Apache-2.0
// All-pairs gravity over n bodies, tiles of bodies in local memory.
kernel void nbody(global const float4 *restrict a, global const float4 *restrict b, global float4 *restrict out, int n)
{
    local float4 tile[256];
    int item = get_local_id(0);
    float4 me = a[get_global_id(0)];
    float3 pull = 0.0f;
    for (int start = 0; start < n; start += 256) {
        tile[item] = a[start + item];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int i = 0; i < 256; i++) {
            float3 way = tile[i].xyz - me.xyz;
            float inverse = rsqrt(dot(way, way) + 1e-4f);
            pull += way * (tile[i].w * inverse * inverse * inverse);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = (float4)(pull, b[get_global_id(0)].w);
}
