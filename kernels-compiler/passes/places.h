// SPDX-License-Identifier: Apache-2.0
// The position of an invocation in the dispatch, as Vulkan counts (lower_sys.c).
#ifndef KC_PASSES_PLACES_H
#define KC_PASSES_PLACES_H

#include "ir/ir.h"

// As an i32.
struct ir_instr *place_in_dispatch(struct ir_builder *b, unsigned dim);

#endif
