// options: -cl-std=CL2.0
// With the Vulkan memory model, accesses to shared texels are marked NonPrivateTexel, and nothing is Coherent.
// expect: OpMemoryModel PhysicalStorageBuffer64 Vulkan
// expect: NonPrivateTexel
// never: Coherent
kernel void k(read_write image2d_t image, global atomic_int *flag, global float4 *o)
{
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    write_imagef(image, at, read_imagef(image, at) * 2);
    atomic_work_item_fence(CLK_IMAGE_MEM_FENCE | CLK_GLOBAL_MEM_FENCE, memory_order_release, memory_scope_device);
    if (atomic_fetch_add_explicit(flag, 1, memory_order_acq_rel, memory_scope_device) == 7)
        o[0] = read_imagef(image, (int2)(0));
    work_group_barrier(CLK_IMAGE_MEM_FENCE);
}
// SPDX-License-Identifier: Apache-2.0
