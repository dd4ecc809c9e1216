// a fused multiply-add of doubles without a device instruction: with a factor 1 it is a sum, with an addend 0 almost a product
// target: lavapipe
// never: OpFunctionCall
// never: OpShiftRightLogical
// never: OpPhi
kernel void k(global double *x)
{
    x[0] = fma(x[1], 1.0, x[2]) + fma(-1.0, x[3], x[4]);
    x[5] = fma(x[6], x[7], 0.0) + fma(x[8], x[9], -0.0) + fma(3.0, 7.0, 0.1);
}
// SPDX-License-Identifier: Apache-2.0
