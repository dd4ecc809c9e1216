kernel void k(global int *p, global ulong *q)
{
    q[0] = as_size_t(1);
    q[1] = as_intptr_t(1.0f);
    q[2] = convert_size_t(1UL);
    q[3] = as_int(p);
    q[4] = as_size_t2((ulong2)(1));
    q[5] = as_size_t(1UL, 2UL);
    float3 v = vload3(0, (global float *)p);
    v.hi.xx = (float2)(1, 2);
    v.oddd = v.hi;
    const float3 w = v;
    w.hi = v.odd;
}
// SPDX-License-Identifier: Apache-2.0
