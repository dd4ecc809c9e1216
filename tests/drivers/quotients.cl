// Quotients of 64 bits are made of operations of 32 bits. (What Mesa's compilers make of them takes 500 instructions or more.)
// instructions: of_longs 7 of_ints
kernel void of_longs(global long *a) { size_t i = get_global_id(0); a[i] = a[i] / a[i + 64]; }
kernel void of_ints(global int *a) { size_t i = get_global_id(0); a[i] = a[i] / a[i + 64]; }
// SPDX-License-Identifier: Apache-2.0
