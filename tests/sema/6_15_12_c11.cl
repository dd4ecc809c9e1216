// options: -cl-std=CL3.0
#if !defined(__opencl_c_atomic_order_acq_rel) || !defined(__opencl_c_atomic_scope_device) || defined(__opencl_c_atomic_order_seq_cst)
#error features
#endif
void f(volatile global atomic_int *i, local atomic_uint *u, global atomic_float *x, global atomic_size_t *z)
{
    memory_order order = memory_order_relaxed;
    memory_scope scope = memory_scope_work_group;
    atomic_int own;
    int expected = 0; bool b; float y;
    atomic_init(&own, 1);
    expected = atomic_fetch_add_explicit(i, 1, order, scope);
    atomic_store_explicit(u, 1, memory_order_release);
    y = atomic_exchange_explicit(x, 1.0f, memory_order_relaxed);
    b = atomic_compare_exchange_weak_explicit(i, &expected, 1, memory_order_acq_rel, memory_order_acquire, memory_scope_device);
    size_t n = atomic_fetch_sub_explicit(z, 1ul, memory_order_relaxed);
    atomic_work_item_fence(CLK_LOCAL_MEM_FENCE, memory_order_acq_rel, memory_scope_device);
}
// SPDX-License-Identifier: Apache-2.0
