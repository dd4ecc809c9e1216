// SPDX-License-Identifier: Apache-2.0
// What lower_matrices.c (each work-item's share of a matrix) and matrix_tiles.c (tiles that the device has units for)
// have in common: a matrix is a row of parts.
#ifndef KC_PASSES_MATRICES_H
#define KC_PASSES_MATRICES_H

#include "passes/opt.h"

struct parts {
    struct ir_instr **item;
};

struct matrix_tile { // of matrices of a type
    struct ir_type type;
    uint16_t rows, columns;
};

struct matrices {
    struct ir_module *m;
    struct ir_function *f;
    const struct kc_target *target;
    struct arena *scratch;
    struct ir_builder b;
    uint32_t size;         // of a sub-group
    struct parts *parts;   // by id
    struct ir_instr *lane; // which work-item of the sub-group this is
    VEC(struct ir_instr *) phis;
    bool tiled;            // parts are tiles, else components
    VEC(struct matrix_tile) tiles;
    bool changed;
};

static inline struct ir_instr *matrix_number(struct matrices *s, unsigned bits, uint64_t value)
{
    return ir_const_int(s->m, ir_int(bits), value);
}

// Of each work-item, where parts are components.
static inline unsigned matrix_own_columns(const struct matrices *s, struct ir_type type)
{
    return (type.columns + s->size - 1) / s->size;
}

// matrix_parts.c
struct matrix_tile *matrix_find_tile(const struct matrices *s, struct ir_type type); // NULL: not known yet
unsigned matrix_part_count(const struct matrices *s, struct ir_type type);
struct ir_type matrix_part_type(const struct matrices *s, struct ir_type type);
struct parts matrix_new_parts(struct matrices *s, struct ir_type type);
struct parts matrix_parts_of(struct matrices *s, struct ir_instr *x);

// matrix_tiles.c. Whether the device's units can do all of the function; then the tiles of each type are known.
bool matrix_plan_tiles(struct matrices *s);
bool matrix_has_tiles(const struct matrices *s); // some type is larger than its tile
struct parts matrix_load_tiles(struct matrices *s, const struct ir_instr *x);
void matrix_store_tiles(struct matrices *s, const struct ir_instr *x);
struct parts matrix_multiply_tiles(struct matrices *s, const struct ir_instr *x);
struct ir_instr *matrix_get_of_tiles(struct matrices *s, const struct ir_instr *x);
struct parts matrix_set_in_tiles(struct matrices *s, const struct ir_instr *x);
struct ir_instr *matrix_length_of_tiles(struct matrices *s, const struct ir_instr *x);

#endif
