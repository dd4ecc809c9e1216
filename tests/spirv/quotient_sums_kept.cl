// SPDX-License-Identifier: Apache-2.0
// target: hasvk_bdw
// options: -cl-fp32-correctly-rounded-divide-sqrt
// expect: OpFAdd
// Sums of quotients are not contracted if these must be correctly rounded.
kernel void k(global const float *a, global float *o) { o[0] = a[0] + a[1] / a[2]; }
