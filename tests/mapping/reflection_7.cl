// SPDX-License-Identifier: Apache-2.0
// target: vulkan
// options: -reflection=7
// env: vulkan1.0
// expect: "NonSemantic.ClspvReflection.7"
// expect: "reqd_work_group_size(8,1,1)"
// expect: ArgumentWorkgroup
// expect: %uint_160
kernel __attribute__((reqd_work_group_size(8, 1, 1))) void foo(global int *out, local int *l)
{
    local int own[40];
    l[get_local_id(0)] = own[get_local_id(0)] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = l[0] + own[get_local_id(0) ^ 1];
}
