#include "unbalanced.h"
#endif
// SPDX-License-Identifier: Apache-2.0
