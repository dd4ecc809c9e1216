#pragma OPENCL EXTENSION cl_khr_fp16 : disable
half
#pragma OPENCL EXTENSION cl_clang_storage_class_specifiers : enable
_Pragma("OPENCL EXTENSION cl_khr_fp16 : enable")
// SPDX-License-Identifier: Apache-2.0
