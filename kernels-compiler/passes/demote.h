// SPDX-License-Identifier: Apache-2.0
#ifndef KC_PASSES_DEMOTE_H
#define KC_PASSES_DEMOTE_H

#include "passes/passes.h"

// A variable of `type` in private memory, as lowered code has them: elem_load and elem_store with index 0. Bools are kept
// as integers of 32 bits.
struct ir_var *demote_var(struct ir_function *f, const char *name, struct ir_type type);
void demote_store(struct ir_builder *b, struct ir_var *var, struct ir_instr *value);
struct ir_instr *demote_load(struct ir_builder *b, struct ir_var *var, struct ir_type type);

// Values that are used in another block than their own, and all phis, go through variables. False: some value has no
// type that a variable can have, and nothing has changed.
bool demote_values(struct ir_function *f, struct arena *scratch);

#endif
