// SPDX-License-Identifier: Apache-2.0
// A size that the device does not have is none to run with.
// needs: cl_intel_required_subgroup_size
// build: error
__attribute__((intel_reqd_sub_group_size(3))) kernel void k(void) {}
