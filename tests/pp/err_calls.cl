#define F(a, b) a b
#define G() g
#define V(a, b, ...) a
F(1) F(1, 2, 3) G(1) V(1)
F(1,
// SPDX-License-Identifier: Apache-2.0
