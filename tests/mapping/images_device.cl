// SPDX-License-Identifier: Apache-2.0
// target: powervr_img
// options: --vulkan
// expect: OpCapability StorageImageWriteWithoutFormat
// expect: ArgumentStorageImage
// never: ImageArgumentInfo
// never: PushConstant
// never: Rgba
// Formats that our runtime would have to specify are not needed from other programs.
kernel void foo(read_only image1d_buffer_t in, write_only image2d_t out)
{
    int x = get_global_id(0);
    write_imagef(out, (int2)(x, 0), read_imagef(in, x));
}
