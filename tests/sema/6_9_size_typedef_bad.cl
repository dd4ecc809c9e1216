typedef __SIZE_TYPE__ size_t;
typedef __INTPTR_TYPE__ intptr_t;
typedef intptr_t number;
kernel void a(size_t x) {}
kernel void b(global size_t *x, number y) {}
kernel void c(__SIZE_TYPE__ x) {}
// SPDX-License-Identifier: Apache-2.0
