// SPDX-License-Identifier: Apache-2.0
// target: bindings
// expect: OpMemoryModel Logical GLSL450
// expect: Binding 1
// expect: NonWritable
// never: PhysicalStorageBuffer
// Arguments that are only used for accesses become bindings.
kernel void k(global const float4 *restrict a, global float *b, int n)
{
    int i = get_global_id(0);
    if (i < n)
        b[i] = a[i].x + a[i + 1].y;
}
