int g(int n) { do { n = n > 3 ? n - 1 : n + 1; if (n == 2) continue; } while (n); return n; }
kernel void f(global int *p) { while (*p) { switch (*p) { case 0: case 1: (*p)++; default: *p = g(*p); break; } } printf("%d\n", *p); }
// SPDX-License-Identifier: Apache-2.0
