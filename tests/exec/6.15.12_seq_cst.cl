// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL3.0
// needs: __opencl_c_atomic_order_seq_cst
// needs: __opencl_c_atomic_scope_device
// run: k global 64 local 16
// arg: buffer int 0 0 5 7 0
// arg: out int 6
// expect: arg0 int 2016 64 8 9 1
// expect: arg1 int 5 7 1 7 0 8
kernel void k(global atomic_int *a, global int *out)
{
    int expected = 7;
    atomic_fetch_add(a, (int)get_global_id(0));
    atomic_fetch_add_explicit(a + 1, 1, memory_order_seq_cst, memory_scope_device);
    if (get_global_id(0))
        return;
    out[0] = atomic_load(a + 2);
    atomic_store(a + 2, 8);
    out[1] = atomic_load_explicit(a + 3, memory_order_seq_cst, memory_scope_device);
    out[2] = atomic_compare_exchange_strong(a + 3, &expected, 9);
    out[3] = expected;
    out[4] = atomic_flag_test_and_set((global atomic_flag *)(a + 4));
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_seq_cst, memory_scope_device);
    out[5] = atomic_exchange(a + 2, 8);
}
