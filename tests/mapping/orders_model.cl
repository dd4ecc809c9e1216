// SPDX-License-Identifier: Apache-2.0
// target: vulkan
// env: vulkan1.2
// options: -cl-std=CL3.0 -spv-version=1.5
// expect: OpCapability VulkanMemoryModel
// never: DeviceScope
// never: OpMemoryBarrier
// From Vulkan 1.2 on, the operation itself orders them, with queue family scope: no further feature is needed.
kernel void k(global atomic_int *a, global int *b)
{
    b[0] = atomic_load_explicit(a, memory_order_acquire, memory_scope_device);
    atomic_store_explicit(a + 1, 5, memory_order_release, memory_scope_device);
}
