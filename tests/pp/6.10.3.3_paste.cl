#define P(a, b) a ## b
#define T(a, b, c) a ## b ## c
P(x, y) P(1, 2) P(+, +) P(-, >) P(<, <=) P(, a) P(a, ) P(,) T(1,2,3) T(,2,) P(1, e) P(.,5) P(x, 1)
// SPDX-License-Identifier: Apache-2.0
