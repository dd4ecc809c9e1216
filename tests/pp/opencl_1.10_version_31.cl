// options: -cl-std=CL3.1
__OPENCL_C_VERSION__ CL_VERSION_3_0 CL_VERSION_3_1 __opencl_c_subgroups cl_khr_subgroup_rotate
// SPDX-License-Identifier: Apache-2.0
