// options: -cl-std=CL2.0
half f(global atomic_half *p) { return atomic_load_explicit(p, memory_order_relaxed, memory_scope_device); }
// SPDX-License-Identifier: Apache-2.0
