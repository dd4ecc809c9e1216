// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL3.0
// needs: __opencl_c_atomic_scope_device
// needs: __opencl_c_generic_address_space
// run: mixed global 32 local 32
// arg: buffer int 0 0
// arg: out int 2
// expect: arg0 int 16 3
// expect: arg1 int 16 1
void bump(volatile atomic_int *p, int by) { atomic_fetch_add_explicit(p, by, memory_order_relaxed); }
kernel void mixed(global atomic_int *g, global int *out)
{
    local atomic_int l;
    int i = (int)get_local_id(0);
    if (i == 0) atomic_init(&l, 0);
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    bump(i & 1 ? (volatile atomic_int *)g : (volatile atomic_int *)&l, 1);
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    if (i) return;
    int expected = 0;
    atomic_int *slot = g + 1;
    out[1] = atomic_compare_exchange_strong_explicit(slot, &expected, 3, memory_order_relaxed, memory_order_relaxed);
    out[0] = atomic_load_explicit(&l, memory_order_relaxed);
}
