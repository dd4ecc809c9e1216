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
// SPDX-License-Identifier: Apache-2.0
