#define F(a, b) (a) - (b)
F(1, 2) F( 1 , 2 ) F((1,2), [3]) F (x,) F(
 y,
 z) F
// SPDX-License-Identifier: Apache-2.0
