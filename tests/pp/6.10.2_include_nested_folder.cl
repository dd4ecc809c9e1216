#include "inc/b.h"
// SPDX-License-Identifier: Apache-2.0
