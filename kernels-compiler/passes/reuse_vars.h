// SPDX-License-Identifier: Apache-2.0
// Variables of a function that are not needed at the same time become one variable.
#ifndef KC_PASSES_REUSE_VARS_H
#define KC_PASSES_REUSE_VARS_H

#include "passes/passes.h"

// The variables from index `first` on are those of demote_values(), each of one element; every load follows a store on
// all paths, or its value does not matter.
void reuse_vars(struct ir_function *f, size_t first, struct arena *scratch);

#endif
