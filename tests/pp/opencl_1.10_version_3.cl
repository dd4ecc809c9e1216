// options: -cl-std=CL3.0
__OPENCL_C_VERSION__ __opencl_c_int64 ATOMIC_FLAG_INIT
#if __OPENCL_C_VERSION__ >= CL_VERSION_3_0 && defined(__opencl_c_int64)
yes
#endif
// SPDX-License-Identifier: Apache-2.0
