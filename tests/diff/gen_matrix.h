// SPDX-License-Identifier: Apache-2.0
// What the makers of matrices share: expressions and memory (gen_matrix.c), statements, functions and the kernel
// (gen_matrix_stmt.c).
//
// The work-items of a block (BLOCK of them, some whole sub-groups on every device) do all of it together with the same
// values, so that it does not matter how large a sub-group is and who holds which component. Rooms are memory of a
// block's own: written between two barriers only, by a matrix or by each work-item some of it, and read by anyone else.
// Functions with matrices see only what is the same for all (function.same), so that any control flow may be in them.
#ifndef DIFF_GEN_MATRIX_H
#define DIFF_GEN_MATRIX_H

#include "generate.h"

// Where a matrix lies in a room: `count` of the pointer's elements.
struct lie {
    struct expr *pointer, *stride;
    unsigned by_columns;
};

// The variables that were in sight.
struct sight {
    struct var **items;
    size_t count, capacity;
    bool same;
};

unsigned matrix_size(const struct type *t); // components
const struct type *family_matrix(struct gen *g, enum use use);
const struct type *some_matrix(struct gen *g);
bool matrix_pay(struct gen *g, const struct type *t); // for what a device compiles for it; false: too much
struct sight look_at_some(struct gen *g, bool (*which)(const struct var *v)); // only those are in sight
void look_at_all(struct gen *g, struct sight old);

// Numbers that are the same for all.
struct expr *same_value(struct gen *g, const struct type *type, unsigned depth);
struct expr *gen_small(struct gen *g, struct expr *x); // -3 ... 4
struct expr *as_component(struct gen *g, enum base base, struct expr *x);
struct expr *component_value(struct gen *g, enum base base);

// Memory.
bool gen_lie(struct gen *g, struct var *room, const struct type *t, bool writes, struct lie *lie);
struct var *some_room(struct gen *g, enum base base, bool writes);
struct expr *store_of(struct gen *g, struct expr *matrix, const struct lie *lie);

// Matrices. NULL: there is none.
struct expr *gen_held(struct gen *g, const struct type *want);
const struct type *held_type(struct gen *g);
struct expr *gen_leaf(struct gen *g, const struct type *t);
struct expr *gen_divisor(struct gen *g, const struct type *t, unsigned depth);
struct expr *gen_product(struct gen *g, const struct type *t, struct expr *sum, unsigned depth);
struct expr *matrix_call(struct gen *g, struct function *f);
struct function *some_same_function(struct gen *g, const struct type *result);

#endif
