int missing(int);
int unused(int);
int f(int x) { return missing(x) + missing(2); }
int later(int x);
int g(int x) { return later(x); }
int later(int x) { return x; }
// SPDX-License-Identifier: Apache-2.0
