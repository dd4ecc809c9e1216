// SPDX-License-Identifier: Apache-2.0
// Converts integers with the bits of matrix-only formats (IR_BF16, IR_E4M3, IR_E5M2) to and from f32.
#ifndef KC_IR_SMALL_FLOATS_H
#define KC_IR_SMALL_FLOATS_H

#include "ir/ir.h"

// Converts scalars exactly.
struct ir_instr *ir_widen_small(struct ir_builder *b, enum ir_base format, struct ir_instr *bits);
// Rounds to nearest even. Overflow becomes infinity, or NaN in the format without infinity (E4M3).
struct ir_instr *ir_narrow_small(struct ir_builder *b, enum ir_base format, struct ir_instr *x);

#endif
