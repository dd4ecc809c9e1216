struct S { int a; union { int b; struct { short c, d; }; }; };
int f(struct S *s) { return s->d + s->b; }
// SPDX-License-Identifier: Apache-2.0
