// options: -cl-std=CL3.0
void f(global atomic_int *i, global atomic_float *x, constant atomic_int *c)
{
    atomic_store(i, 1);
    atomic_fetch_add(i, 1);
    atomic_flag_clear(i);
    atomic_fetch_and_explicit(x, 1, memory_order_relaxed);
    atomic_load_explicit(c, memory_order_relaxed);
    atomic_load_explicit(i);
}
// SPDX-License-Identifier: Apache-2.0
