#include "once.h"
#include "once.h"
#include "level.h"
#define NAME "level.h"
#include NAME
__FILE__ __LINE__
// SPDX-License-Identifier: Apache-2.0
