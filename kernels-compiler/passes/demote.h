// SPDX-License-Identifier: Apache-2.0
// Helpers that demote values to variables.
#ifndef KC_PASSES_DEMOTE_H
#define KC_PASSES_DEMOTE_H

#include "passes/passes.h"

// A private variable of `type` in lowered form: elem_load and elem_store with index 0. Bools are stored as 32-bit
// integers.
struct ir_var *demote_var(struct ir_function *f, const char *name, struct ir_type type);
void demote_store(struct ir_builder *b, struct ir_var *var, struct ir_instr *value);
struct ir_instr *demote_load(struct ir_builder *b, struct ir_var *var, struct ir_type type);

// Partition of the blocks into pieces.
struct demote_pieces {
    struct ir_block **first; // by block index: first block of its piece, through which all its blocks are entered
    struct ir_var **params;  // variables that receive the function's parameters; NULL (also for one of them): a value
};

// Demotes values that are used in another piece than their own, and phis with sources in several pieces. `pieces`
// NULL: each block is a piece. Returns false and changes nothing if some value has a type that variables do not
// support.
bool demote_values(struct ir_function *f, const struct demote_pieces *pieces, struct arena *scratch);

// Whether the value is cheap and only depends on the launch, so that it is recomputed.
bool demote_recomputes(const struct ir_instr *x);

#endif
