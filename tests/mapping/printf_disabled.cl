// SPDX-License-Identifier: Apache-2.0
// target: vulkan
// error: printf_disabled.cl:5:31: error: 'printf' requires a buffer that the program binds; use -enable-printf
// A program that does not know the printf buffer would not bind it.
kernel void k(int n) { if (n) printf("%d\n", n); }
