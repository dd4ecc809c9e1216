#define A x x
#define B A A
#define C B B
#define D(x) x x
#define E(x) D(D(x))
#define F(x) E(E(x))
#define G(x) F(F(x))
G(G(C))
// SPDX-License-Identifier: Apache-2.0
