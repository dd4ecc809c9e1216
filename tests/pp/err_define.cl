#define
#define 1
#define defined 1
#define F(a,a) a
#define F(a
#define F(a b) a
#define F(..., a) a
#define A ## b
#define A b ##
#define F(x) #y
#define F(x) #
#undef
#undef 1
#define F(1) x
// SPDX-License-Identifier: Apache-2.0
