// SPDX-License-Identifier: Apache-2.0
// A work-item sees its own writes after a fence, its work-group sees them after a barrier.
// needs: __opencl_c_read_write_images
// options: -cl-std=CL2.0
// run: twice global 4 2
// arg: image 2d rgba float 4 2 = 1..32
// expect: arg0 float 4 6 8 10 12 14 16 18 20 22 24 26 28 30 32 34 36 38 40 42 44 46 48 50 52 54 56 58 60 62 64 66
// run: neighbours global 4 local 4
// arg: image 2d r uint32 4 1 = 5 6 7 8
// arg: out uint 4
// expect: arg1 uint 12 14 16 10
kernel void twice(read_write image2d_t image)
{
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    write_imagef(image, at, read_imagef(image, at) + 1);
    atomic_work_item_fence(CLK_IMAGE_MEM_FENCE, memory_order_acq_rel, memory_scope_work_item);
    write_imagef(image, at, read_imagef(image, at) * 2);
}

kernel void neighbours(read_write image2d_t image, global uint *out)
{
    int x = get_local_id(0);
    write_imageui(image, (int2)(x, 0), read_imageui(image, (int2)(x, 0)) * 2);
    work_group_barrier(CLK_IMAGE_MEM_FENCE);
    out[x] = read_imageui(image, (int2)((x + 1) % 4, 0)).x;
}
