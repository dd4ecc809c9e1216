// options: -Werror
#define A 1
#define A 2
#define F(x) x
#define F(y) y
// SPDX-License-Identifier: Apache-2.0
