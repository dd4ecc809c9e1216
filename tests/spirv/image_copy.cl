// A nearest read with a constant sampler is a clamped fetch, without branches; signed texels are bitcast.
// expect: OpTypeImage %float 2D 0 0 0 1 Unknown
// expect: OpTypeImage %int 2D 0 0 0 2 Unknown
// expect: DescriptorSet 0
// expect: Binding 1
// expect: NonReadable
// expect: OpCapability StorageImageWriteWithoutFormat
// expect: OpImageFetch %v4float
// expect: OpImageWrite
// never: StorageImageReadWithoutFormat
// never: OpBranchConditional
// never: OpTypeSampler
// never: ImageQuery
constant sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

kernel void copy(read_only image2d_t from, write_only image2d_t to)
{
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    write_imagei(to, at, convert_int4(read_imagef(from, edge, at)));
}
// SPDX-License-Identifier: Apache-2.0
