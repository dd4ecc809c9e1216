void __given(int a, ...);
int __known(constant char *format, ...) __attribute__((format(printf, 1, 2)));
kernel void k(global int *p) { *p = 1; }
// SPDX-License-Identifier: Apache-2.0
