// SPDX-License-Identifier: Apache-2.0
// The call graph in order, and arguments that are equal in all calls.
#ifndef KC_PASSES_CALL_ORDER_H
#define KC_PASSES_CALL_ORDER_H

#include "passes/passes.h"

struct call_order {
    VEC(struct ir_function *) functions; // with bodies, callers before callees
    uint32_t *sites;                     // by ir_function.id: number of calls
};

// Numbers the functions in the order of the module. Recursive functions are omitted.
struct call_order call_order_find(struct pass_context *context);

static inline bool is_known_call(const struct ir_instr *x) { return x->op == IR_OP_call && x->callee->has_body; }

// Arguments that are equal in all calls of a function are computed in the function: constants, and cheap values that
// only depend on the launch.
bool same_args(struct pass_context *context, const struct call_order *order);

#endif
