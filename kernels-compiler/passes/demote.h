// SPDX-License-Identifier: Apache-2.0
#ifndef KC_PASSES_DEMOTE_H
#define KC_PASSES_DEMOTE_H

#include "passes/passes.h"

// A variable of `type` in private memory, as lowered code has them: elem_load and elem_store with index 0. Bools are kept
// as integers of 32 bits.
struct ir_var *demote_var(struct ir_function *f, const char *name, struct ir_type type);
void demote_store(struct ir_builder *b, struct ir_var *var, struct ir_instr *value);
struct ir_instr *demote_load(struct ir_builder *b, struct ir_var *var, struct ir_type type);

// How blocks stay together.
struct demote_pieces {
    struct ir_block **first; // by a block's number: the first block of its piece, from which all others of it are reached
    struct ir_var **params;  // where the function's parameters arrive; NULL, also of one of them: as a value
};

// Values that are used in another piece than their own, and phis of values from several, go through variables. `pieces`
// NULL: each block is one. False: some value has no type that a variable can have, and nothing has changed.
bool demote_values(struct ir_function *f, const struct demote_pieces *pieces, struct arena *scratch);

// The value costs little and depends on nothing but the launch: it is computed again rather than kept.
bool demote_computes_again(const struct ir_instr *x);

#endif
