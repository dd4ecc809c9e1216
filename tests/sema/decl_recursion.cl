int even(int n);
int odd(int n) { return n ? even(n - 1) : 0; }
int even(int n) { return n ? odd(n - 1) : 1; }
int self(int n) { return self(n); }
void fine(void) { odd(1); }
// SPDX-License-Identifier: Apache-2.0
