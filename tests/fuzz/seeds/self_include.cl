#ifndef N
#define N 0
#elif N < 3
#undef N
#define N 4
#endif
#if N < 4
#include "self.h"
#endif
#include "self.h"
// SPDX-License-Identifier: Apache-2.0
