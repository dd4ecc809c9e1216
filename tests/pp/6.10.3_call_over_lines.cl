#define F(a,\
 b) a:b
F(1 /* c
 */, // d
 2)
end
// SPDX-License-Identifier: Apache-2.0
