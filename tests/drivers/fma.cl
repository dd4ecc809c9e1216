// If the hardware has a fused multiply-add, fma() is that instruction.
// instructions: fused 1.1 quick
// instructions: fused_double 1.1 quick_double
kernel void fused(global float *a) { size_t i = get_global_id(0); a[i] = fma(a[i], a[i + 64], a[i + 128]); }
kernel void quick(global float *a) { size_t i = get_global_id(0); a[i] = mad(a[i], a[i + 64], a[i + 128]); }
#ifdef cl_khr_fp64
kernel void fused_double(global double *a) { size_t i = get_global_id(0); a[i] = fma(a[i], a[i + 64], a[i + 128]); }
kernel void quick_double(global double *a) { size_t i = get_global_id(0); a[i] = mad(a[i], a[i + 64], a[i + 128]); }
#endif
// SPDX-License-Identifier: Apache-2.0
