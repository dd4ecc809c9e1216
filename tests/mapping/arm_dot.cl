// SPDX-License-Identifier: Apache-2.0
// target: vulkan
// options: -cl-arm-integer-dot-product -spv-version=1.6
// expect: OpFunction
#if !defined(cl_arm_integer_dot_product_int8) || !defined(cl_arm_integer_dot_product_accumulate_saturate_int8)
#error
#endif
kernel void k(global int *p, char4 a, uchar4 b)
{
    p[0] = arm_dot(a, a);
    p[1] = arm_dot_acc(a, a, p[1]);
    p[2] = arm_dot_acc_sat(a, a, p[2]);
    p[3] = (int)arm_dot(b, b);
}
