int a;
#include "no/such/file.h"
int b;
// SPDX-License-Identifier: Apache-2.0
