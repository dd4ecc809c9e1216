#define A 1
#define AB 2
#define P(a, b) a ## b
#define X(a, b) P(a, b)
P(A, B) X(A, B) P(A, A) P(P, A)(1, 2)
// SPDX-License-Identifier: Apache-2.0
