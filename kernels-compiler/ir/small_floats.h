// SPDX-License-Identifier: Apache-2.0
// Numbers of the formats that only matrices know (IR_BF16, IR_E4M3, IR_E5M2), as integers that hold their bits, to and from f32.
#ifndef KC_IR_SMALL_FLOATS_H
#define KC_IR_SMALL_FLOATS_H

#include "ir/ir.h"

// Of scalars. Exact.
struct ir_instr *ir_widen_small(struct ir_builder *b, enum ir_base format, struct ir_instr *bits);
// To nearest, ties to even; what is too large becomes an infinity, where there is none (E4M3) NaN.
struct ir_instr *ir_narrow_small(struct ir_builder *b, enum ir_base format, struct ir_instr *x);

#endif
