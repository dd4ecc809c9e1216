// options: -cl-std=CL2.0
kernel void f(__attribute__((nosvm)) global int *p) { *p = 1; }
__attribute__((nosvm)) void g(void) {}
// SPDX-License-Identifier: Apache-2.0
