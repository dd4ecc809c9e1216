// options: -cl-std=CL2.0
// A memory order that is none is an error in a function that nothing reaches too.
int load(volatile global atomic_int *at) { return atomic_load_explicit(at, 9); }
int inside(int x) { return ({ here: x++; x; }); }

kernel void k(global int *out) { out[0] = 1; }
// SPDX-License-Identifier: Apache-2.0
