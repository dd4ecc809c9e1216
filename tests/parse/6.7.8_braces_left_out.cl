struct P { int x, y; };
struct S { struct P p[2]; short t[2]; int n; };
constant struct S all = {1, 2, 3, 4, 5, 6, 7};
constant struct S braced = {{{1, 2}, {3}}, {5}, 7};
constant struct S partly = {{1, 2, 3}, 5};
// SPDX-License-Identifier: Apache-2.0
