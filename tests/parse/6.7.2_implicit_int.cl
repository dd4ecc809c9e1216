twice(float x) { return x * 2; }
int f(const *p) { return twice(*p); }
// SPDX-License-Identifier: Apache-2.0
