// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL3.0
// needs: __opencl_c_atomic_scope_device
// needs: __opencl_c_atomic_order_acq_rel
// run: fetch global 64 local 16
// arg: buffer int 0 100 -1 0 0 1000 -1000 0
// arg: out int 64
// expect: arg0 int 2016 -1916 0 63 0 0 63 63
kernel void fetch(global atomic_int *a, global int *out)
{
    int i = (int)get_global_id(0);
    atomic_fetch_add_explicit(&a[0], i, memory_order_relaxed);
    atomic_fetch_sub_explicit(&a[1], i, memory_order_relaxed, memory_scope_device);
    atomic_fetch_and_explicit(&a[2], i, memory_order_acq_rel);
    atomic_fetch_or_explicit(&a[3], i, memory_order_release, memory_scope_device);
    atomic_fetch_xor_explicit(&a[4], i, memory_order_acquire, memory_scope_device);
    atomic_fetch_min_explicit(&a[5], i, memory_order_relaxed);
    atomic_fetch_max_explicit(&a[6], i, memory_order_relaxed, memory_scope_device);
    atomic_fetch_max_explicit((volatile global atomic_uint *)&a[7], (uint)i, memory_order_relaxed);
}
// run: values global 1
// arg: buffer int 5 6 7 8
// arg: out int 12
// expect: arg0 int 9 9 10 1
// expect: arg1 int 5 9 6 1 7 0 7 10 1 0 0 1
kernel void values(global atomic_int *a, global int *out)
{
    int expected = 7;
    out[0] = atomic_load_explicit(a, memory_order_acquire, memory_scope_device);
    atomic_store_explicit(a, 9, memory_order_release);
    out[1] = atomic_load_explicit(a, memory_order_relaxed);
    out[2] = atomic_exchange_explicit(a + 1, 9, memory_order_acq_rel, memory_scope_work_group);
    out[3] = atomic_compare_exchange_strong_explicit(a + 2, &expected, 10, memory_order_acq_rel, memory_order_relaxed);
    out[4] = expected;
    out[5] = atomic_compare_exchange_weak_explicit(a + 2, &expected, 11, memory_order_release, memory_order_acquire,
                                                   memory_scope_device);
    out[6] = 7;
    out[7] = expected;
    global atomic_flag *flag = (global atomic_flag *)(a + 3);
    atomic_flag_clear_explicit(flag, memory_order_release);
    out[9] = atomic_flag_test_and_set_explicit(flag, memory_order_acquire);
    out[8] = atomic_flag_test_and_set_explicit(flag, memory_order_acq_rel, memory_scope_device);
    local atomic_uint u;
    atomic_init(&u, 0xffffffffu);
    out[10] = (int)atomic_fetch_add_explicit(&u, 1u, memory_order_relaxed, memory_scope_work_group) + 1;
    out[11] = atomic_fetch_sub_explicit(&u, 1u, memory_order_relaxed, memory_scope_work_group) == 0;
}
// run: floats global 32 local 8
// arg: buffer float 0 100 50 -3
// arg: out float 4
// expect: arg0 float 496 -396 0 31
// expect: arg1 float 28 92 156 220
kernel void floats(global atomic_float *a, global float *out)
{
    local atomic_float sum;
    float i = get_global_id(0);
    if (get_local_id(0) == 0) atomic_init(&sum, 0.0f);
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    atomic_fetch_add_explicit(&a[0], i, memory_order_relaxed);
    atomic_fetch_sub_explicit(&a[1], i, memory_order_relaxed);
    atomic_fetch_min_explicit(&a[2], i, memory_order_relaxed);
    atomic_fetch_max_explicit(&a[3], i, memory_order_relaxed);
    atomic_fetch_add_explicit(&sum, i, memory_order_relaxed, memory_scope_work_group);
    work_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_work_group);
    out[get_group_id(0)] = atomic_load_explicit(&sum, memory_order_relaxed, memory_scope_work_group);
}
// run: message global 64 local 32
// arg: buffer int 0 0 0 0
// arg: out int 2
// expect: arg1 int 528 1552
// The last work-item of each group sees the stores of the whole group.
kernel void message(global int *count, global int *out)
{
    local int slots[32];
    global atomic_int *done = (global atomic_int *)count + get_group_id(0);
    uint l = get_local_id(0);
    slots[l] = (int)get_global_id(0) + 1;
    atomic_work_item_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE, memory_order_release, memory_scope_work_group);
    if (atomic_fetch_add_explicit(done, 1, memory_order_acq_rel, memory_scope_work_group) != 31)
        return;
    atomic_work_item_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE, memory_order_acquire, memory_scope_work_group);
    int sum = 0;
    for (int k = 0; k < 32; k++) sum += slots[k];
    out[get_group_id(0)] = sum;
}
// run: lock global 32 local 1
// arg: buffer int 0 0
// expect: arg0 int 0 32
kernel void lock(global int *a)
{
    global atomic_flag *flag = (global atomic_flag *)a;
    while (atomic_flag_test_and_set_explicit(flag, memory_order_acquire))
        ;
    a[1] += 1;
    atomic_flag_clear_explicit(flag, memory_order_release);
}
