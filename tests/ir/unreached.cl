// Functions that no kernel calls, directly or indirectly, are left out.
int leaf(int x) { return x + 1; }
int unused_leaf(int x) { return x + 2; }
int middle(int x) { return leaf(x) * 3; }
int unused(int x) { return unused_leaf(x) + leaf(x); }

kernel void k(global int *out) { out[0] = middle(out[1]); }
// SPDX-License-Identifier: Apache-2.0
