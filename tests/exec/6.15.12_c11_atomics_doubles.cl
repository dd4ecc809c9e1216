// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL3.0
// needs: __opencl_c_atomic_scope_device
// needs: cl_khr_int64_base_atomics
// needs: cl_khr_fp64
// run: doubles global 16
// arg: buffer double 0 1
// expect: arg0 double 120 16
kernel void doubles(global atomic_double *a)
{
    double i = get_global_id(0);
    atomic_fetch_add_explicit(&a[0], i, memory_order_relaxed);
    atomic_fetch_max_explicit(&a[1], i + 1, memory_order_relaxed);
}
