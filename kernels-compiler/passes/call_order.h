// SPDX-License-Identifier: Apache-2.0
#ifndef KC_PASSES_CALL_ORDER_H
#define KC_PASSES_CALL_ORDER_H

#include "passes/passes.h"

struct call_order {
    VEC(struct ir_function *) functions; // with bodies, callers before what they call
    uint32_t *sites;                     // by ir_function.id: calls of it
};

// Numbers the functions as they stand in the module. Those that call themselves, by others too, are left out.
struct call_order call_order_find(struct pass_context *context);

static inline bool is_known_call(const struct ir_instr *x) { return x->op == IR_OP_call && x->callee->has_body; }

// Arguments that are the same in all calls of a function are computed in it: constants and what costs little and depends on
// nothing but the launch.
void same_args(struct pass_context *context, const struct call_order *order);

#endif
