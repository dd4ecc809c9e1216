// SPDX-License-Identifier: Apache-2.0
// target: vulkan
// options: -pod-pushconstant
// env: vulkan1.0
// expect: ImageArgumentInfoChannelOrderPushConstant
// expect: %uint_1 %uint_4 %uint_4
// expect: ImageArgumentInfoChannelDataTypePushConstant
// expect: %uint_2 %uint_8 %uint_4
// never: OpTypeImage
// Image properties that the launch specifies follow plain data, 4 bytes each.
kernel void foo(global int *out, read_only image2d_t a, write_only image2d_t b, int n)
{
    out[n] = get_image_channel_order(a) + get_image_channel_data_type(b);
}
