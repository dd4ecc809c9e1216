#define H #
H define A 1
A
#define E
E # define B 2
B
// SPDX-License-Identifier: Apache-2.0
