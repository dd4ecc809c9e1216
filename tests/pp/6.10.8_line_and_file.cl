__LINE__
__LINE__ __FILE__
#define L __LINE__

L L
#define F(x) x __LINE__
F(
__LINE__)
// SPDX-License-Identifier: Apache-2.0
