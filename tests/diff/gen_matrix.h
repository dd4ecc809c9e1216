// SPDX-License-Identifier: Apache-2.0
// Shared by the generators of matrices: expressions and memory (gen_matrix.c), statements, functions and the kernel
// (gen_matrix_stmt.c).
//
// The work-items of a block (BLOCK of them, a multiple of the sub-group size on every device) execute all matrix code
// together with the same values, so that results do not depend on the sub-group size and the distribution of
// components. Rooms are memory of a block: written only between two barriers, by a matrix or in parts by each
// work-item, and read by any work-item. Functions with matrices see uniform values only (function.same), so that they
// may have any control flow.
#ifndef DIFF_GEN_MATRIX_H
#define DIFF_GEN_MATRIX_H

#include "generate.h"

// The position of a matrix in a room: `count` of the pointer's elements.
struct position {
    struct expr *pointer, *stride;
    unsigned by_columns;
};

// The set of visible variables.
struct sight {
    struct var **items;
    size_t count, capacity;
    bool same;
};

unsigned matrix_size(const struct type *t); // components
const struct type *family_matrix(struct gen *g, enum use use);
const struct type *some_matrix(struct gen *g);
bool matrix_spend(struct gen *g, const struct type *t); // within the budget for compile time; false: too expensive
struct sight restrict_sight(struct gen *g, bool (*which)(const struct var *v)); // restricts the visible variables
void restore_sight(struct gen *g, struct sight old);

// Uniform numbers.
struct expr *same_value(struct gen *g, const struct type *type, unsigned depth);
struct expr *gen_small(struct gen *g, struct expr *x); // -3 ... 4
struct expr *as_component(struct gen *g, enum base base, struct expr *x);
struct expr *component_value(struct gen *g, enum base base);

// Memory.
bool gen_position(struct gen *g, struct var *room, const struct type *t, bool writes, struct position *position);
struct var *random_room(struct gen *g, enum base base, bool writes);
struct expr *store_of(struct gen *g, struct expr *matrix, const struct position *position);

// Matrices. NULL: not possible.
struct expr *gen_held(struct gen *g, const struct type *want);
const struct type *held_type(struct gen *g);
struct expr *gen_leaf(struct gen *g, const struct type *t);
struct expr *gen_divisor(struct gen *g, const struct type *t, unsigned depth);
struct expr *gen_product(struct gen *g, const struct type *t, struct expr *sum, unsigned depth);
struct expr *matrix_call(struct gen *g, struct function *f);
struct function *some_same_function(struct gen *g, const struct type *result);

#endif
