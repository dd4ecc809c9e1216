#pragma unroll
#pragma unroll 4
#define N 8
#pragma unroll N
#pragma nounroll
#pragma GCC unroll 2
#pragma clang loop unroll_count(3)
#pragma OPENCL FP_CONTRACT OFF
#pragma STDC FP_CONTRACT ON
#pragma whatever else
#pragma
x
// SPDX-License-Identifier: Apache-2.0
