#define F (x)
#define G(x) x
F G(1) F(2)
// SPDX-License-Identifier: Apache-2.0
