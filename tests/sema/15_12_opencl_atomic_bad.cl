// options: -cl-std=CL2.0
kernel void k(global atomic_int *a, constant atomic_int *c, global atomic_float *f)
{
    __opencl_atomic_load(a);
    __opencl_atomic_load(a, memory_order_relaxed, memory_scope_device, 0);
    __opencl_atomic_store(c, 1, memory_order_relaxed, memory_scope_device);
    __opencl_atomic_fetch_and(f, 1, memory_order_relaxed, memory_scope_device);
    __opencl_atomic_fetch_nand(a, 1, memory_order_relaxed, memory_scope_device);
}
// SPDX-License-Identifier: Apache-2.0
