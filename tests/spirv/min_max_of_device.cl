// SPDX-License-Identifier: Apache-2.0
// target: hasvk_bdw
// expect: NMax
// never: OpSelect
// The device preserves denormals and ignores NaN operands: fmax is one instruction, and 1 / sqrt(x) too.
// expect: InverseSqrt
// never: OpFDiv
kernel void k(global float *a)
{
    size_t i = get_global_id(0);
    a[i] = rsqrt(fmax(a[i], a[i + 1]));
}
