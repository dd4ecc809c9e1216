// SPDX-License-Identifier: Apache-2.0
// Inlining decisions (inline.c; lower_returns prepares functions, inline_calls copies them), and helpers for copying
// bodies.
#ifndef KC_PASSES_INLINE_H
#define KC_PASSES_INLINE_H

#include "passes/passes.h"

enum {
    INLINE_SIZE_CAP = 300,     // instructions; calls of larger functions without pointers remain
    INLINE_BUDGET = 1 << 14,   // a function that would grow beyond keeps calls of large functions, even with pointers
    INLINE_TOTAL_CAP = 1 << 18, // growing beyond is an error
};

// Whether the function should or must be inlined: it has pointer parameters or results, uses local memory, has large
// private arrays, takes images or matrices, or is a kernel.
bool inline_is_needed(const struct ir_function *function);

// Whether the SPIR-V writer supports calls of it.
bool inline_can_remain(const struct ir_function *function);

// Adds a variable to `into` that is like `var` of another function.
struct ir_var *inline_copy_var(struct ir_function *into, const struct ir_var *var);

// Copies the variables of `from` into `into`; `map` gets the mapping of variables and their addresses.
void inline_map_vars(struct ir_function *into, const struct ir_function *from, struct map *map);

// For a whole program, before kernels are extracted: inlines calls in the functions and their callees.
void inline_early(struct pass_context *context, struct ir_function *const *functions, size_t count);

// Whether calls of the function remain; valid after inline_early().
bool inline_remains(const struct ir_function *function);

// Whether it will be inlined: it must be, is declared inline, or is small. Numbers the function.
bool inline_is_wanted(struct ir_function *function);

#endif
