// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL3.0
// needs: cl_ext_float_atomics
// needs: __opencl_c_ext_fp64_local_atomic_min_max
// run: singles global 64 local 16
// arg: buffer float 0.5 1000 1000 -1000 7
// arg: out float 16
// expect: arg0 float 2016.5 -1016 0 63 -2
// expect: arg1 float 120 0 15 -104 376 16 31 -360 632 32 47 -616 888 48 63 -872
kernel void singles(global atomic_float *a, global float *out)
{
    local atomic_float sum, least, most, difference;
    float i = get_global_id(0);
    uint group = get_group_id(0);
    if (get_local_id(0) == 0) {
        atomic_init(&sum, 0.0f);
        atomic_init(&least, 1e30f);
        atomic_init(&most, -INFINITY);
        atomic_init(&difference, 16.0f);
    }
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    atomic_fetch_add_explicit(&a[0], i, memory_order_relaxed);
    atomic_fetch_sub_explicit(&a[1], i, memory_order_relaxed);
    atomic_fetch_min_explicit(&a[2], i, memory_order_relaxed);
    atomic_fetch_max_explicit(&a[3], i, memory_order_relaxed);
    atomic_fetch_add_explicit(&sum, i, memory_order_relaxed, memory_scope_work_group);
    atomic_fetch_min_explicit(&least, i, memory_order_relaxed, memory_scope_work_group);
    atomic_fetch_max_explicit(&most, i, memory_order_relaxed, memory_scope_work_group);
    atomic_fetch_sub_explicit(&difference, i, memory_order_relaxed, memory_scope_work_group);
    if (i == 3)
        atomic_init(&a[4], atomic_exchange_explicit(&a[4], -2.0f, memory_order_relaxed) == 7.0f ? -2.0f : 0.0f);
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    out[4 * group] = atomic_load_explicit(&sum, memory_order_relaxed, memory_scope_work_group);
    out[4 * group + 1] = atomic_load_explicit(&least, memory_order_relaxed, memory_scope_work_group);
    out[4 * group + 2] = atomic_load_explicit(&most, memory_order_relaxed, memory_scope_work_group);
    out[4 * group + 3] = atomic_load_explicit(&difference, memory_order_relaxed, memory_scope_work_group);
}
// run: doubles global 32 local 32
// arg: buffer double 0.25 100 1e300 -1e300
// arg: out double 3
// expect: arg0 double 496.25 -396 -15 16
// expect: arg1 double 496.5 -15 16
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
kernel void doubles(global atomic_double *a, global double *out)
{
    local atomic_double sum, least, most;
    double i = get_global_id(0);
    if (get_local_id(0) == 0) {
        atomic_init(&sum, 0.5);
        atomic_init(&least, 1e30);
        atomic_init(&most, -1e30);
    }
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    atomic_fetch_add_explicit(&a[0], i, memory_order_relaxed);
    atomic_fetch_sub_explicit(&a[1], i, memory_order_relaxed);
    atomic_fetch_min_explicit(&a[2], i - 15, memory_order_relaxed);
    atomic_fetch_max_explicit(&a[3], i - 15, memory_order_relaxed);
    atomic_fetch_add_explicit(&sum, i, memory_order_relaxed, memory_scope_work_group);
    atomic_fetch_min_explicit(&least, i - 15, memory_order_relaxed, memory_scope_work_group);
    atomic_fetch_max_explicit(&most, i - 15, memory_order_relaxed, memory_scope_work_group);
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    out[0] = atomic_load_explicit(&sum, memory_order_relaxed, memory_scope_work_group);
    out[1] = atomic_load_explicit(&least, memory_order_relaxed, memory_scope_work_group);
    out[2] = atomic_load_explicit(&most, memory_order_relaxed, memory_scope_work_group);
}
