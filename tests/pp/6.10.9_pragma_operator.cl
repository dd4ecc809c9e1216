#define UNROLL(n) _Pragma(#n) for
UNROLL(unroll 4)(;;)
_Pragma("OPENCL FP_CONTRACT ON") x
_Pragma("other") y
#define ID(x) x
ID(_Pragma("unroll") z)
// SPDX-License-Identifier: Apache-2.0
