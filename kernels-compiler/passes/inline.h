// SPDX-License-Identifier: Apache-2.0
// Which functions are inlined (inline.c: lower_returns prepares those, inline_calls does it), and what else copies bodies.
#ifndef KC_PASSES_INLINE_H
#define KC_PASSES_INLINE_H

#include "passes/passes.h"

enum {
    INLINE_SIZE_CAP = 300,     // instructions; larger functions without pointers stay calls
    INLINE_BUDGET = 1 << 14,   // a function that would grow beyond keeps the calls of large ones, with pointers too
    INLINE_TOTAL_CAP = 1 << 18, // a function that grows beyond is an error
};

// The function is better inlined, or must be: it takes or gives pointers, uses local memory or has large private arrays,
// takes images or matrices or is a kernel.
bool inline_is_needed(const struct ir_function *function);

// The writer can do without inlining it.
bool inline_can_stay(const struct ir_function *function);

// A variable of `into` like `var` of another function.
struct ir_var *inline_copy_var(struct ir_function *into, const struct ir_var *var);

// Copies the variables of `from` for a copy of its body in `into`; `map` takes them and their addresses to the copies.
void inline_map_vars(struct ir_function *into, const struct ir_function *from, struct map *map);

// Of a whole program, before kernels are extracted: inlines into functions and all that they call.
void inline_early(struct pass_context *context, struct ir_function *const *functions, size_t count);

// Calls of the function stay; after inline_early().
bool inline_is_kept(const struct ir_function *function);

// It will be inlined: needed, asked for, or small. Numbers the function.
bool inline_is_wanted(struct ir_function *function);

#endif
