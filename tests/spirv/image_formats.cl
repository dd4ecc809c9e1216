// If the launch specifies image formats, the module has none until then; texels of CL_BGRA are in the order of
// CL_RGBA, which the launch specifies.
// target: formats
// expect: OpTypeImage %float 2D 0 0 0 2 Unknown
// expect: OpCapability StorageImageWriteWithoutFormat
// expect: %uint_4278 = OpConstant
// expect: OpSelect %v4float
// expect: OpImageWrite
kernel void one(write_only image2d_t to, float4 color)
{
    write_imagef(to, (int2)(get_global_id(0), 1), color);
}
// SPDX-License-Identifier: Apache-2.0
