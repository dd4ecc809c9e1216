// options: -cl-std=CL2.0
__OPENCL_C_VERSION__ __opencl_c_int64 ATOMIC_VAR_INIT(1) cl_khr_fp64
// SPDX-License-Identifier: Apache-2.0
