// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL3.0
// needs: __opencl_c_int64
// build: error
kernel void k(global atomic_int *a)
{
    atomic_store_explicit(a, 1, memory_order_relaxed, memory_scope_all_devices);
}
