a_h
#include "b.h"
// SPDX-License-Identifier: Apache-2.0
