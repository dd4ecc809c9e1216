// SPDX-License-Identifier: Apache-2.0
// target: vulkan
// options: -hack-image1d-buffer-bgra
// env: vulkan1.0
// expect: 2 1 0 3
// expect: %uint_4278
// expect: ImageArgumentInfoChannelOrderPushConstant
kernel void foo(global float4 *out, read_only image1d_buffer_t in)
{
    int x = get_global_id(0);
    out[x] = read_imagef(in, x);
}
