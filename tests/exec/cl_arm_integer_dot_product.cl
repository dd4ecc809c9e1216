// SPDX-License-Identifier: Apache-2.0
// needs: cl_arm_integer_dot_product_accumulate_int16
// run: dots global 1
// arg: buffer uchar 255 255 255 255 1 2 3 4
// arg: buffer char -128 -128 -128 -128 -1 2 -3 4
// arg: buffer short -32768 -32768 -1 3
// arg: out int 9
// expect: arg3 int 260100 65536 260084 -2147418113 -2147483648 -2147483647 -3 -1 2147483647
// Sums out of range wrap, saturating ones do not; shorts in pairs.
kernel void dots(global uchar4 *u, global char4 *s, global short2 *h, global int *out)
{
    out[0] = (int)arm_dot(u[0], u[0]);
    out[1] = arm_dot(s[0], s[0]);
    out[2] = (int)arm_dot_acc(u[0], u[0], 0xfffffff0u);
    out[3] = arm_dot_acc(s[0], s[0], 0x7fffffff);
    out[4] = arm_dot_acc(h[0], h[0], 0);
    out[5] = (int)arm_dot_acc(as_ushort2(h[0]), as_ushort2(h[0]), 1u);
    out[6] = arm_dot_acc(s[1], (char4)(1, 1, 1, -1), 3);
    out[7] = (int)arm_dot_acc_sat(u[0], u[0], 0xfffffff0u);
    out[8] = arm_dot_acc_sat(s[0], s[0], 0x7fffffff);
}
