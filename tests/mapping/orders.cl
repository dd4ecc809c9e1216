// SPDX-License-Identifier: Apache-2.0
// target: vulkan
// env: vulkan1.0
// options: -cl-std=CL3.0
// expect: OpAtomicLoad %uint %
// expect: OpMemoryBarrier %uint_1 %uint_72
// never: VulkanMemoryModel
// Vulkan 1.0 orders the accesses around an atomic operation with barriers.
kernel void k(global atomic_int *a, global int *b)
{
    b[0] = atomic_load_explicit(a, memory_order_acquire, memory_scope_device);
    atomic_store_explicit(a + 1, 5, memory_order_release, memory_scope_device);
}
