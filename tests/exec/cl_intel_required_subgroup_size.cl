// SPDX-License-Identifier: Apache-2.0
// A kernel that requires an unsupported sub-group size cannot be launched.
// needs: cl_intel_required_subgroup_size
// build: error
__attribute__((intel_reqd_sub_group_size(3))) kernel void k(void) {}
