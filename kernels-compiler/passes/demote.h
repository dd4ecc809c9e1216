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

// Arrays of such variables, in the module (`f` NULL) or a function.
struct ir_type demote_type(struct ir_type type); // type of an element that stores values of `type`
bool demote_can_store(struct ir_type type);
struct ir_var *demote_array(struct ir_module *m, struct ir_function *f, const char *name, struct ir_type type, uint32_t count);
void demote_store_at(struct ir_builder *b, struct ir_var *var, struct ir_instr *index, struct ir_instr *value);
struct ir_instr *demote_load_at(struct ir_builder *b, struct ir_var *var, struct ir_instr *index, struct ir_type type);
// Forces an array into memory: drivers split arrays with constant indexes into values, so one index must be unknown
// to them. The dummy store must precede all others. A single value becomes an array.
void demote_force_memory(struct ir_builder *b, struct ir_var *array);

// Demotes the phis of the block after an if or switch. Returns whether there are any; ir_resolve() must follow.
bool demote_phis(struct ir_function *f, struct ir_block *block);

// Partition of the blocks into pieces.
struct demote_pieces {
    struct ir_block **first; // by block index: first block of its piece, through which all its blocks are entered
    struct ir_var **params;  // variables that receive the function's parameters; NULL (also for one of them): a value
    bool derives;     // integers a few operations away from values in variables are recomputed
    uint32_t derived; // number of them
};

// Demotes values that are used in another piece than their own, and phis with sources in several pieces. `pieces`
// NULL: each block is a piece. Returns false and changes nothing if some value has a type that variables do not
// support.
bool demote_values(struct ir_function *f, struct demote_pieces *pieces, struct arena *scratch);

// The value that determines the successor of the block; NULL: there is only one.
struct ir_instr **demote_decider(struct ir_block *block);

// Whether the value is cheap and only depends on the launch, so that it is recomputed.
bool demote_recomputes(const struct ir_instr *x);

#endif
