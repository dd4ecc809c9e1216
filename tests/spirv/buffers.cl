// SPDX-License-Identifier: Apache-2.0
// target: logical
// expect: OpMemoryModel Logical GLSL450
// expect: Binding 0
// expect: Binding 2
// expect: NonWritable
// expect: Restrict
// expect: Aliased
// expect: Coherent
// expect: OpTypeRuntimeArray %v4uint
// expect: ArrayStride 16
// expect: OpAtomicIAdd
// never: PhysicalStorageBuffer
// never: OpConvertUToPtr
// A buffer that is only read and that no other argument overlaps is not Aliased; a written one may be.
kernel void k(global const float4 *restrict a, global int *b, global int *c)
{
    size_t i = get_global_id(0);
    float4 v = a[i];
    b[i] = (int)(v.x + v.y + v.z + v.w);
    barrier(CLK_GLOBAL_MEM_FENCE);
    atomic_add(c, b[i ^ 1]);
}
