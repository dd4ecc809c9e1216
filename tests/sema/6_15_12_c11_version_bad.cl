void f(global int *i)
{
    atomic_int x;
    atomic_fetch_add_explicit(i, 1, 0);
    int y = memory_order_relaxed;
}
// SPDX-License-Identifier: Apache-2.0
