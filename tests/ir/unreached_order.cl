// options: -cl-std=CL2.0
// An invalid memory order is an error even in a function that no kernel calls.
int load(volatile global atomic_int *at) { return atomic_load_explicit(at, 9); }
int inside(int x) { return ({ here: x++; x; }); }

kernel void k(global int *out) { out[0] = 1; }
// SPDX-License-Identifier: Apache-2.0
