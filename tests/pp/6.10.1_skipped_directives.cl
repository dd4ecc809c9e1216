#if 0
#foo
#define X 1
#include "nothing"
# 12 zz
#else
X
#endif
// SPDX-License-Identifier: Apache-2.0
