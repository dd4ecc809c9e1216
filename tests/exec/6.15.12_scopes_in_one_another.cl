// SPDX-License-Identifier: Apache-2.0
// A release in one scope synchronizes with an acquire in a wider or narrower one, if both scopes include both work-items
// (OpenCL 3.1): a work-item that sees the complete count of writers sees what they wrote.
// options: -cl-std=CL3.0
// needs: __opencl_c_atomic_order_acq_rel
// needs: __opencl_c_atomic_scope_device
// run: k global 64 local 64
// arg: buffer int 0*256
// arg: buffer int 0 0 0 0
// arg: out int 4
// expect: arg2 int 2016 2080 2144 2208
#define SUM(seen, row) \
    if (seen == 64) { \
        int sum = 0; \
        for (int i = 0; i < 64; i++) \
            sum += data[row * 64 + i]; \
        atomic_store_explicit(out + row, sum, memory_order_relaxed, memory_scope_device); \
    }
#define OPERATIONS(row, ours, theirs) \
    data[row * 64 + id] = id + row; \
    atomic_fetch_add_explicit(count + row, 1, memory_order_release, ours); \
    SUM(atomic_load_explicit(count + row, memory_order_acquire, theirs), row)
#define FENCES(row, ours, theirs) \
    data[row * 64 + id] = id + row; \
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_release, ours); \
    atomic_fetch_add_explicit(count + row, 1, memory_order_relaxed, ours); \
    int seen##row = atomic_load_explicit(count + row, memory_order_relaxed, theirs); \
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acquire, theirs); \
    SUM(seen##row, row)

kernel void k(global int *data, global atomic_int *count, global atomic_int *out)
{
    int id = get_local_id(0);
    OPERATIONS(0, memory_scope_device, memory_scope_work_group)
    OPERATIONS(1, memory_scope_work_group, memory_scope_device)
    FENCES(2, memory_scope_device, memory_scope_work_group)
    FENCES(3, memory_scope_work_group, memory_scope_device)
}
