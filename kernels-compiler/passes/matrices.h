// SPDX-License-Identifier: Apache-2.0
// What lower_matrices.c (each work-item's share of a matrix) and matrix_tiles.c (tiles that the device has units for)
// have in common: a matrix is a row of parts.
#ifndef KC_PASSES_MATRICES_H
#define KC_PASSES_MATRICES_H

#include "passes/opt.h"

enum { MATRIX_TILE_EDGE = 64 }; // rows and columns of a tile, at most

struct parts {
    struct ir_instr **item;
};

struct matrix_tile { // of matrices of a type
    struct ir_type type;
    uint16_t rows, columns;
    bool as_floats; // tiles hold f32 (matrix_small.c)
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
bool matrix_as_floats(const struct matrices *s, struct ir_type type);
unsigned matrix_part_count(const struct matrices *s, struct ir_type type);
struct ir_type matrix_part_type(const struct matrices *s, struct ir_type type);
struct parts matrix_new_parts(struct matrices *s, struct ir_type type);
struct parts matrix_parts_of(struct matrices *s, struct ir_instr *x);
struct ir_instr *matrix_tile_length(struct matrices *s, struct ir_instr *tile);
struct ir_instr *matrix_component(struct matrices *s, struct ir_instr *tile, struct ir_instr *index);
// A loop: what is built from here to matrix_end_rounds() is done in each of `count` rounds, at least one.
struct matrix_rounds {
    struct ir_loop *loop;
    struct ir_block *before;
    struct ir_instr *number; // of the round: an i32 from 0
};
struct matrix_rounds matrix_begin_rounds(struct matrices *s);
// A value that the rounds change; its src[1] is to be set to what a round leaves.
struct ir_instr *matrix_round_value(struct matrices *s, const struct matrix_rounds *r, struct ir_instr *first);
void matrix_end_rounds(struct matrices *s, const struct matrix_rounds *r, struct ir_instr *count);

// matrix_small.c. A component as tiles have it, as the matrix has it; tiles of floats as numbers of the matrix.
struct ir_instr *matrix_to_part(struct matrices *s, struct ir_type matrix, struct ir_instr *x);
struct ir_instr *matrix_from_part(struct matrices *s, struct ir_type matrix, struct ir_instr *x);
struct parts matrix_rounded(struct matrices *s, struct ir_type matrix, struct parts from);

// matrix_rows.c. Whether there is a way for rows that are not where Vulkan wants them: in a kernel of a program, not in one
// function alone.
bool matrix_rows_may_be_anywhere(const struct matrices *s);
// Bytes that the rows of what `x` accesses (columns, where these lie side by side) must begin at multiples of.
uint32_t matrix_row_unit(const struct ir_instr *x, struct ir_type type);
bool matrix_rows_always_fit(const struct matrices *s, const struct ir_instr *x);
// A bool: whether the access's address and stride are what Vulkan wants of them.
struct ir_instr *matrix_rows_fit(struct matrices *s, const struct ir_instr *x);
// The access component by component; the corners are the tiles' addresses.
void matrix_load_one_by_one(struct matrices *s, const struct ir_instr *x, struct ir_instr *const *corners, struct parts *to);
void matrix_store_one_by_one(struct matrices *s, const struct ir_instr *x, struct ir_instr *const *corners,
                             const struct parts *from);

// matrix_tiles.c. Whether the device's units can do all of the function; then the tiles of each type are known.
bool matrix_plan_tiles(struct matrices *s);
bool matrix_needs_walk(struct matrices *s); // there is more to do than the units do as it stands
struct parts matrix_load_tiles(struct matrices *s, struct ir_instr *x);
void matrix_store_tiles(struct matrices *s, struct ir_instr *x);
struct parts matrix_multiply_tiles(struct matrices *s, const struct ir_instr *x);
bool matrix_goes_by_components(const struct matrices *s, const struct ir_instr *x); // not by the units
struct parts matrix_compute_components(struct matrices *s, const struct ir_instr *x); // such a one
struct ir_instr *matrix_get_of_tiles(struct matrices *s, const struct ir_instr *x);
struct parts matrix_set_in_tiles(struct matrices *s, const struct ir_instr *x);
struct ir_instr *matrix_length_of_tiles(struct matrices *s, const struct ir_instr *x);

#endif
