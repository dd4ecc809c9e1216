typedef kernel void fn(void);
void f(void) { kernel void inner(void); }
int g(int x,) { return x; }
_Alignas(3) constant int a = 1;
_Alignas(int4) constant int b = 2;
_Alignas(b) constant int c = 3;
// SPDX-License-Identifier: Apache-2.0
