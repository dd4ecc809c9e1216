// SPDX-License-Identifier: Apache-2.0
// Where an invocation is, as Vulkan counts (lower_sys.c).
#ifndef KC_PASSES_PLACES_H
#define KC_PASSES_PLACES_H

#include "ir/ir.h"

// Its place in the dispatch, i32.
struct ir_instr *place_in_dispatch(struct ir_builder *b, unsigned dim);

#endif
