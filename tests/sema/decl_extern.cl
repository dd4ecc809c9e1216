extern constant int a; extern constant int a; constant int a = 1; extern constant int a;
constant int b = 1; extern constant int b; constant int b = 2;
extern constant int c = 3; constant int c = 4;
extern constant int unused;
void f(int *p) { extern constant int a; extern constant int nowhere; *p = a + nowhere; { extern constant int d; *p = d; } }
constant int d = 3;
// SPDX-License-Identifier: Apache-2.0
