#define A 1
#define F(x) x x
#define G(x) F(x) A
F(A) G(A) F(F(A)) F(G(A))
// SPDX-License-Identifier: Apache-2.0
