// 64-bit divisions are lowered to 32-bit operations. (Mesa's compilers need 500 instructions or more.)
// instructions: of_longs 7 of_ints
kernel void of_longs(global long *a) { size_t i = get_global_id(0); a[i] = a[i] / a[i + 64]; }
kernel void of_ints(global int *a) { size_t i = get_global_id(0); a[i] = a[i] / a[i + 64]; }
// SPDX-License-Identifier: Apache-2.0
