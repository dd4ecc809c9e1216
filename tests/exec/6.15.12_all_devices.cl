// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL3.0
// needs: __opencl_c_atomic_scope_all_devices
// run: k global 64 local 16
// arg: buffer int 5 0
// expect: arg0 int 7 2016
kernel void k(global atomic_int *a)
{
    atomic_store_explicit(a, 7, memory_order_relaxed, memory_scope_all_devices);
    atomic_fetch_add_explicit(a + 1, (int)get_global_id(0), memory_order_relaxed, memory_scope_all_svm_devices);
}
