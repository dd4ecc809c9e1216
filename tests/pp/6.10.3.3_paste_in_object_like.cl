#define A x ## y
#define xy 5
#define V float ## 4
A V
// SPDX-License-Identifier: Apache-2.0
