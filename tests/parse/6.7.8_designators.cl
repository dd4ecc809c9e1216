struct P { int x, y; };
struct S { struct P p[2]; union { int i; float f; }; };
constant struct S s = {.p[1].y = 4, .f = 1, .p = {{1}}, .p[1].x = 3};
constant int a[] = {[3] = 1, 2, [0] = 5, 6};
constant int twice[3] = {[1] = 1, [1] = 2};
// SPDX-License-Identifier: Apache-2.0
