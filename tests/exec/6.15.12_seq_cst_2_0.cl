// SPDX-License-Identifier: Apache-2.0
// OpenCL C 2.0 has every order and scope, even if the device lacks some in 3.0.
// options: -cl-std=CL2.0
// run: k global 64 local 16
// arg: buffer int 0 5 7 0
// arg: out int 5
// expect: arg0 int 2016 9 8 1
// expect: arg1 int 5 1 7 0 0
kernel void k(global atomic_int *a, global int *out)
{
    local atomic_int l;
    int expected = 5;
    if (!get_local_id(0))
        atomic_init(&l, 0);
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_fetch_add(a, (int)get_global_id(0));
    atomic_fetch_add(&l, 1);
    atomic_fetch_sub_explicit(&l, 1, memory_order_seq_cst, memory_scope_work_group);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_global_id(0))
        return;
    out[0] = atomic_load(a + 1);
    out[1] = atomic_compare_exchange_strong(a + 1, &expected, 9);
    out[2] = atomic_exchange_explicit(a + 2, 8, memory_order_acq_rel, memory_scope_all_svm_devices);
    out[3] = atomic_flag_test_and_set((global atomic_flag *)(a + 3));
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE, memory_order_seq_cst, memory_scope_all_svm_devices);
    out[4] = atomic_load(&l);
}
