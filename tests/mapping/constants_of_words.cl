// SPDX-License-Identifier: Apache-2.0
// target: v3dv
// options: --vulkan
// env: vulkan1.2
// expect: OpTypeArray %uint
// never: OpConstant %uchar
// never: OpConstant %ushort
// The device can store bytes, but has no 8-bit constants.
constant char text[] = "abcde";
constant short numbers[] = {1, -2, 3};
kernel void k(global char *out, global short *more)
{
    out[get_global_id(0)] = text[get_global_id(0)];
    more[get_global_id(0)] = numbers[get_global_id(0)];
}
