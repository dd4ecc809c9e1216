struct T { int x; };
int x(int x) { { struct T { char c; }; int x = sizeof(struct T); return x; } }
int f(void) { for (int i = 0; i < 1; i++) { int i = 2; } int i = sizeof(struct T); return i; }
int g(int T) { struct T t; return T + t.x; }
// SPDX-License-Identifier: Apache-2.0
