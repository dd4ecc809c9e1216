#define S(x) #x
#define T(x) S(x)
#define U(x) T(S(x))
U(U(U(U(U("\"")))))
// SPDX-License-Identifier: Apache-2.0
