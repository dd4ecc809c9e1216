/* a */ #define A 1
A /* x
*/ # define B 2
A B
/* x
*/ #define C 3
C
// SPDX-License-Identifier: Apache-2.0
