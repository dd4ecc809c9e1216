// Only a warning, as in gcc and clang.
#define A,b
#define B-1
#define C"x"
#define D/**/d
#define E()e
#define F
A B C D E() F .
// SPDX-License-Identifier: Apache-2.0
