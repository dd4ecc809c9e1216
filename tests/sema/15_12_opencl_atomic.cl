// options: -cl-std=CL2.0
kernel void k(global atomic_int *a, local atomic_uint *b, global int *out)
{
    int expected = 1;
    __opencl_atomic_init(b, 2u);
    __opencl_atomic_store(a, 1, memory_order_release, memory_scope_device);
    out[0] = __opencl_atomic_load(a, memory_order_acquire, memory_scope_work_group);
    out[1] = __opencl_atomic_fetch_add(a, 1, memory_order_relaxed, memory_scope_work_group);
    out[2] = __opencl_atomic_fetch_max(b, 1u, memory_order_relaxed, memory_scope_work_group);
    out[3] = __opencl_atomic_exchange(a, 4, memory_order_acq_rel, memory_scope_device);
    out[4] = __opencl_atomic_compare_exchange_strong(a, &expected, 5, memory_order_acq_rel,
                                                     memory_order_relaxed, memory_scope_device);
}
// SPDX-License-Identifier: Apache-2.0
