// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL3.0
// run: k global 64 local 16
// arg: buffer int 0 7 0 0 3 0
// arg: buffer int 0 1
// arg: out int 5
// expect: arg0 int 2016 9 64 4 20 0
// expect: arg2 int 7 7 3 1 0
// Orders and scopes that are known at run time only.
int add(global atomic_int *a, int by, memory_order order, memory_scope scope)
{
    return atomic_fetch_add_explicit(a, by, order, scope);
}

kernel void k(global atomic_int *a, global int *model, global int *out)
{
    memory_order order = (memory_order)model[0];
    memory_scope scope = (memory_scope)model[1];
    int i = (int)get_global_id(0);
    local atomic_int shared;
    if (get_local_id(0) == 0)
        atomic_init(&shared, 0);
    barrier(CLK_LOCAL_MEM_FENCE);
    add(a, i, order, scope);
    atomic_fetch_add_explicit(&shared, 1, order, memory_scope_work_group);
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE, order, scope);
    work_group_barrier(CLK_LOCAL_MEM_FENCE, scope);
    if (get_local_id(0) == 0)
        atomic_fetch_add_explicit(a + 2, atomic_load_explicit(&shared, order, scope), order, scope);
    if (i)
        return;
    int expected = 3;
    out[0] = atomic_load_explicit(a + 1, order, scope);
    out[1] = atomic_exchange_explicit(a + 1, 8, order, memory_scope_work_group);
    atomic_store_explicit(a + 1, 9, order, scope);
    global atomic_flag *flag = (global atomic_flag *)(a + 3);
    out[4] = atomic_flag_test_and_set_explicit(flag, order, scope);
    atomic_flag_clear_explicit(flag, order, scope);
    atomic_fetch_or_explicit(a + 3, 4, memory_order_relaxed, scope);
    out[3] = atomic_compare_exchange_strong_explicit(a + 4, &expected, 20, order, order, scope);
    out[2] = expected;
}
