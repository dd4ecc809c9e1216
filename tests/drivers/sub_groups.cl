// Each sub-group size of the device: Intel's and AMD's drivers compile kernels for each.
#ifdef cl_intel_required_subgroup_size
__attribute__((intel_reqd_sub_group_size(16))) kernel void of_16(global uint *a)
{
    a[get_global_id(0)] = sub_group_reduce_add(a[get_global_id(0)]) + get_max_sub_group_size();
}
__attribute__((intel_reqd_sub_group_size(32))) kernel void of_32(global uint *a)
{
    a[get_global_id(0)] = sub_group_reduce_add(a[get_global_id(0)]) + get_max_sub_group_size();
}
#endif
kernel void of_any(global uint *a) { a[get_global_id(0)] = sub_group_reduce_add(a[get_global_id(0)]) + get_max_sub_group_size(); }
// Any size gives the same results: the driver may choose one with which the values fit in registers.
kernel void in_rows(global float *a, uint stride)
{
    float x[40];
    const uint i = get_global_id(0);
    for (uint k = 0; k < 40; k++)
        x[k] = a[i + k * stride];
    for (uint k = 0; k < 40; k++)
        a[i + k * stride] = sub_group_shuffle_xor(x[k], 1u) * x[39 - k];
}
// SPDX-License-Identifier: Apache-2.0
