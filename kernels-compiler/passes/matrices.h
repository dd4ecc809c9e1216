// SPDX-License-Identifier: Apache-2.0
// Shared by lower_matrices.c (matrices as components per work-item) and matrix_tiles.c (matrices as tiles of the size
// that the device's matrix units support): a matrix is an array of parts.
#ifndef KC_PASSES_MATRICES_H
#define KC_PASSES_MATRICES_H

#include "passes/opt.h"

enum { MATRIX_TILE_EDGE = 64 }; // rows and columns of a tile, at most

struct parts {
    struct ir_instr **item;
};

struct matrix_tile { // size of the tiles of all matrices of one type
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
    uint32_t size;         // sub-group size
    struct parts *parts;   // by id
    struct ir_instr *lane; // the work-item's index in the sub-group
    VEC(struct ir_instr *) phis;
    bool tiled;            // parts are tiles, else components
    VEC(struct matrix_tile) tiles;
    bool changed;
};

static inline struct ir_instr *matrix_number(struct matrices *s, unsigned bits, uint64_t value)
{
    return ir_const_int(s->m, ir_int(bits), value);
}

// Columns per work-item, if parts are components.
static inline unsigned matrix_own_columns(const struct matrices *s, struct ir_type type)
{
    return (type.columns + s->size - 1) / s->size;
}

// matrix_parts.c
struct matrix_tile *matrix_find_tile(const struct matrices *s, struct ir_type type); // NULL: not planned yet
bool matrix_as_floats(const struct matrices *s, struct ir_type type);
unsigned matrix_part_count(const struct matrices *s, struct ir_type type);
struct ir_type matrix_part_type(const struct matrices *s, struct ir_type type);
struct parts matrix_new_parts(struct matrices *s, struct ir_type type);
struct parts matrix_parts_of(struct matrices *s, struct ir_instr *x);
struct ir_instr *matrix_tile_length(struct matrices *s, struct ir_instr *tile);
struct ir_instr *matrix_component(struct matrices *s, struct ir_instr *tile, struct ir_instr *index);
// A loop: what is built between matrix_begin_loop() and matrix_end_loop() is executed `count` times, at least
// once.
struct matrix_loop {
    struct ir_loop *loop;
    struct ir_block *before;
    struct ir_instr *number; // the iteration's number: an i32 that starts at 0
};
struct matrix_loop matrix_begin_loop(struct matrices *s);
// A loop-carried value; the caller sets its src[1] to the value at the end of an iteration.
struct ir_instr *matrix_loop_value(struct matrices *s, const struct matrix_loop *r, struct ir_instr *first);
void matrix_end_loop(struct matrices *s, const struct matrix_loop *r, struct ir_instr *count);

// matrix_small.c. Conversion of a component between the matrix's format and the tiles'; f32 tiles rounded to the
// matrix's format.
struct ir_instr *matrix_to_part(struct matrices *s, struct ir_type matrix, struct ir_instr *x);
struct ir_instr *matrix_from_part(struct matrices *s, struct ir_type matrix, struct ir_instr *x);
struct parts matrix_rounded(struct matrices *s, struct ir_type matrix, struct parts from);

// matrix_rows.c. Whether rows at arbitrary addresses are supported: in the kernels of a whole program, not if
// functions are compiled separately.
bool matrix_rows_may_be_unaligned(const struct matrices *s);
// The alignment in bytes that the rows of the matrix accessed by `x` (the columns, if stored column-major) need.
uint32_t matrix_row_unit(const struct ir_instr *x, struct ir_type type);
bool matrix_rows_are_aligned(const struct matrices *s, const struct ir_instr *x);
// A bool: whether the access's address and stride are aligned as Vulkan requires.
struct ir_instr *matrix_test_rows(struct matrices *s, const struct ir_instr *x);
// The access component by component; `corners`: the tiles' addresses.
void matrix_load_components(struct matrices *s, const struct ir_instr *x, struct ir_instr *const *corners, struct parts *to);
void matrix_store_components(struct matrices *s, const struct ir_instr *x, struct ir_instr *const *corners,
                             const struct parts *from);

// matrix_tiles.c. Whether the device's units can do the whole function; afterwards the tile size of each type is
// known.
bool matrix_plan_tiles(struct matrices *s);
bool matrix_needs_walk(struct matrices *s); // something must be lowered although the units do the products
struct parts matrix_load_tiles(struct matrices *s, struct ir_instr *x);
void matrix_store_tiles(struct matrices *s, struct ir_instr *x);
struct parts matrix_multiply_tiles(struct matrices *s, const struct ir_instr *x);
bool matrix_is_done_by_components(const struct matrices *s, const struct ir_instr *x); // rather than by the units
struct parts matrix_compute_components(struct matrices *s, const struct ir_instr *x); // for these
struct ir_instr *matrix_get_of_tiles(struct matrices *s, const struct ir_instr *x);
struct parts matrix_set_in_tiles(struct matrices *s, const struct ir_instr *x);
struct ir_instr *matrix_length_of_tiles(struct matrices *s, const struct ir_instr *x);

#endif
