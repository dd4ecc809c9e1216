// SPDX-License-Identifier: Apache-2.0
// target: lavapipe32
// expect: OpMemoryModel PhysicalStorageBuffer64 Vulkan
// expect: NonPrivatePointer
// never: Coherent
// An atomic operation whose result is not used tells no other work-item anything: the scope is the work-group.
kernel void k(global int *a, global int *b)
{
    size_t i = get_global_id(0);
    a[i] = 1;
    barrier(CLK_GLOBAL_MEM_FENCE);
    atomic_inc(b + a[i ^ 1]);
}
