#define A 1
#define S(x) #x
#define X(x) S(x)
S(A) X(A) S(S(A)) X(S(A))
// SPDX-License-Identifier: Apache-2.0
