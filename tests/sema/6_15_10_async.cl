kernel void k(global int *g, local int *l, global float *gf)
{
    event_t ev = 0;
    local float lf[8]; ev = async_work_group_copy(l, g, 8, 0); ev = async_work_group_copy(g, l, 8, ev); wait_group_events(1, &ev); ev = async_work_group_strided_copy(lf, gf, 8, 2, 0); ev = async_work_group_copy((local float4 *)lf, (const global float4 *)gf, 2, 0); prefetch(gf, 4);
}
// SPDX-License-Identifier: Apache-2.0
