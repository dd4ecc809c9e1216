int f();
int g(void);
int f(void) { return g(); }
int g() { return 0; }
// SPDX-License-Identifier: Apache-2.0
