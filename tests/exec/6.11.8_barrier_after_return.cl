// SPDX-License-Identifier: Apache-2.0
// Some work-items return before the barriers, as in many programs: OpenCL does not define it, GPUs do not wait for them.
// run: k global 32 local 32
// arg: out int 20
// expect: arg0 int 4 1 10 7 16 13 22 19 28 25 34 31 40 37 46 43 52 49 58 55
kernel void k(global int *out)
{
    local int values[32];
    int id = get_local_id(0);
    if (id >= 20)
        return;
    values[id] = id + 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    int other = values[id ^ 1];
    barrier(CLK_LOCAL_MEM_FENCE);
    values[id] = 2 * id;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[id] = other + values[id ^ 1];
}
