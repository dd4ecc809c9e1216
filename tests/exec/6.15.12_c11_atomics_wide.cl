// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL3.0
// needs: __opencl_c_atomic_scope_device
// needs: cl_khr_int64_base_atomics
// run: wide global 64 local 16
// arg: buffer long 0 0x100000000 -1
// arg: buffer ulong 1 0
// arg: out int 1
// expect: arg0 long 2016 0x100000000 63
// expect: arg1 ulong 64 0x200000000
kernel void wide(global atomic_long *a, global ulong *b, global int *out)
{
    local atomic_ulong most;
    long i = (long)get_global_id(0), expected = 0;
    if (get_local_id(0) == 0) atomic_init(&most, 0ul);
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_fetch_add_explicit(&a[0], i, memory_order_relaxed);
    atomic_compare_exchange_strong_explicit(&a[1], &expected, 5l, memory_order_relaxed, memory_order_relaxed);
    atomic_fetch_max_explicit(&a[2], i, memory_order_relaxed);
    atomic_fetch_max_explicit(&most, (ulong)expected + 1, memory_order_relaxed, memory_scope_work_group);
    barrier(CLK_LOCAL_MEM_FENCE);
    global atomic_uintptr_t *p = (global atomic_uintptr_t *)b;
    if (i > 0) atomic_fetch_add_explicit(p, (ptrdiff_t)1, memory_order_relaxed);
    if (i == 0) b[1] = 2 * (atomic_load_explicit(&most, memory_order_relaxed, memory_scope_work_group) - 1);
}
