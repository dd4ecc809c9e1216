// SPDX-License-Identifier: Apache-2.0
// The table of operations.
#include "ir/ir.h"

enum { P = IR_FLAG_P, C = IR_FLAG_C, W = IR_FLAG_W, R = IR_FLAG_R, J = IR_FLAG_J };

const struct ir_op_info ir_ops[IR_OP_COUNT] = {
#define OP(name, sources, rule, flags) {#name, sources, IR_RULE_##rule, flags},
#include "ir/ops.def"
};
