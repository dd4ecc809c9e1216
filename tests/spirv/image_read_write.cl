// options: -cl-std=CL2.0
// expect: OpCapability StorageImageReadWithoutFormat
// expect: OpDecorate
// expect: Coherent
// expect: OpImageRead %v4float
// expect: OpImageWrite
// never: NonReadable
kernel void k(read_write image2d_t image)
{
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    float4 texel = read_imagef(image, at);
    write_imagef(image, at, texel + 1);
    atomic_work_item_fence(CLK_IMAGE_MEM_FENCE, memory_order_acq_rel, memory_scope_work_item);
    write_imagef(image, at, read_imagef(image, at) * 2);
}
// SPDX-License-Identifier: Apache-2.0
