// options: -I .
#include <inc/a.h>
#define L <inc/a.h>
#include L
// SPDX-License-Identifier: Apache-2.0
