// SPDX-License-Identifier: Apache-2.0
// target: lavapipe32
// expect: OpMemoryModel PhysicalStorageBuffer64 GLSL450
// expect: Coherent
// An atomic operation whose result is used makes the scope the device, whatever its purpose.
kernel void k(global int *a, global int *b)
{
    size_t i = get_global_id(0);
    a[i] = 1;
    barrier(CLK_GLOBAL_MEM_FENCE);
    b[i] = a[i ^ 1] + atomic_inc(a);
}
