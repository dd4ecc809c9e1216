// SPDX-License-Identifier: Apache-2.0
// target: lavapipe32
// expect: OpMemoryModel PhysicalStorageBuffer64 Vulkan
// expect: NonPrivatePointer
// expect: %uint_2 %uint_2 %uint_24648
// never: Coherent
// never: VulkanMemoryModelDeviceScope
// Work-items exchange values in global memory only at barriers: the scope is the work-group.
kernel void k(global int *a, global int *b)
{
    size_t i = get_global_id(0);
    a[i] = 1;
    barrier(CLK_GLOBAL_MEM_FENCE);
    b[i] = a[i ^ 1];
}
