#define A B
#define B C
#define C A x
A
B
C
// SPDX-License-Identifier: Apache-2.0
