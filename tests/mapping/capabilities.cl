// SPDX-License-Identifier: Apache-2.0
// target: vulkan
// env: vulkan1.0
// expect: OpCapability Shader
// expect: OpCapability Int8
// expect: OpCapability Int16
// expect: OpCapability Int64
// expect: OpCapability Float16
// expect: OpCapability Float64
// expect: OpCapability ImageQuery
// expect: OpCapability Image1D
// expect: OpCapability StorageImageWriteWithoutFormat
// expect: OpCapability Sampled1D
// never: OpCapability VariablePointers
// never: OpCapability StorageImageReadWithoutFormat
// never: OpCapability GroupNonUniform
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void k(global char *c, global short *s, global long *l, global half *h, global double *d, read_only image1d_t in,
              write_only image1d_t out)
{
    int i = get_global_id(0);
    c[i] *= c[i + 1];
    s[i] *= s[i + 1];
    l[i] *= l[i + 1];
    h[i] *= h[i + 1];
    d[i] *= d[i + 1];
    write_imagef(out, i, read_imagef(in, i) + get_image_width(in));
}
