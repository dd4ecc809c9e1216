#define A(x) x + 1
#define A(x) x  +  1
#define B
#define B
#undef B
#define B 2
A(B)
// SPDX-License-Identifier: Apache-2.0
