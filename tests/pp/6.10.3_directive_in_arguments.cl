#define F(a, b) a + b
F(1,
#ifdef F
2
#else
3
#endif
)
// SPDX-License-Identifier: Apache-2.0
