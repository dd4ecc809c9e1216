#define MAX(a, b) ({ typeof(a) a_ = (a); __typeof__(b) b_ = (b); a_ > b_ ? a_ : b_; })
int f(int x, int y) { return MAX(x, y); }
// SPDX-License-Identifier: Apache-2.0
