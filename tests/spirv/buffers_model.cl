// SPDX-License-Identifier: Apache-2.0
// target: logical
// options: -cl-std=CL3.0
// expect: OpMemoryModel Logical Vulkan
// expect: NonPrivatePointer
// never: Coherent
// Orders stronger than relaxed: the accesses themselves are marked as shared.
kernel void k(global int *a, volatile global atomic_int *b)
{
    size_t i = get_global_id(0);
    a[i] = 1;
    atomic_store_explicit(b, 1, memory_order_release, memory_scope_work_group);
}
