#define F(x) <x>
F F() F + F
F
(1) F;
// SPDX-License-Identifier: Apache-2.0
