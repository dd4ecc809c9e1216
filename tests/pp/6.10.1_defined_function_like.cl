#define F(x) x
#if defined F && F(1) && defined(F)
yes
#endif
#if F
no
#else
yes
#endif
// SPDX-License-Identifier: Apache-2.0
