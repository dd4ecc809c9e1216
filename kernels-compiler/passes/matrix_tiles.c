// SPDX-License-Identifier: Apache-2.0
// Cooperative matrices on the device's matrix units: selects shapes from the device's table and splits larger
// matrices into grids of tiles.
//
// A function is lowered this way completely or not at all: every product must have a row in the table whose shape
// divides the matrices, and matrices of one type must have the same tile size everywhere. What SPIR-V's operations
// cannot express - a matrix that is still in memory, or one that changes its use - is left to lower_matrices.c.
// Unaligned rows: matrix_rows.c; small floats that units accumulate in f32: matrix_small.c.
//
// Tiles are stored row by row in a matrix's parts.
#include "passes/matrices.h"

// ---- the plan ------------------------------------------------------------------------------------

// Accumulators of small floats for which the units have only f32.
static bool sums_as_floats(const struct matrices *s, struct ir_type type)
{
    unsigned own = KC_COMPONENT_BF16 + type.base - IR_BF16;
    if (!ir_is_small_float(type) || type.space != IR_USE_ACCUMULATOR || !matrix_rows_may_be_unaligned(s))
        return false;
    for (uint32_t i = 0; i < s->target->matrix_shape_count; i++)
        if (s->target->matrix_shapes[i].c == own || s->target->matrix_shapes[i].result == own)
            return false;
    return true;
}

static enum kc_component component_of(const struct matrices *s, struct ir_type type, bool is_signed)
{
    unsigned log2 = type.bits == 8 ? 0 : type.bits == 16 ? 1 : type.bits == 32 ? 2 : 3;
    if (sums_as_floats(s, type))
        return KC_COMPONENT_F32;
    if (ir_is_small_float(type))
        return (enum kc_component)(KC_COMPONENT_BF16 + type.base - IR_BF16);
    if (type.base == IR_FLOAT)
        return (enum kc_component)(KC_COMPONENT_F16 + log2 - 1);
    return (enum kc_component)((is_signed ? KC_COMPONENT_S8 : KC_COMPONENT_U8) + log2);
}

static bool agrees(const struct matrices *s, struct ir_type type, unsigned rows, unsigned columns)
{
    const struct matrix_tile *tile = matrix_find_tile(s, type);
    return type.rows % rows == 0 && type.columns % columns == 0 && (!tile || (tile->rows == rows && tile->columns == columns));
}

static void set_tile(struct matrices *s, struct ir_type type, unsigned rows, unsigned columns)
{
    if (!matrix_find_tile(s, type))
        vec_push(s->scratch, &s->tiles, ((struct matrix_tile){type, (uint16_t)rows, (uint16_t)columns, sums_as_floats(s, type)}));
}

// Sums that wrap are the same for signed and unsigned components.
static bool is_sum(const struct matrices *s, uint8_t component, struct ir_type type, bool is_signed, bool either)
{
    return component == component_of(s, type, is_signed) || (either && component == component_of(s, type, !is_signed));
}

static bool has_types(const struct matrices *s, const struct kc_matrix_shape *shape, const struct ir_instr *x)
{
    unsigned flags = x->matrix_flags;
    bool saturating = flags & IR_MATRIX_SATURATING;
    return shape->a == component_of(s, x->src[0]->type, flags & IR_MATRIX_A_SIGNED) &&
           shape->b == component_of(s, x->src[1]->type, flags & IR_MATRIX_B_SIGNED) &&
           is_sum(s, shape->c, x->type, flags & IR_MATRIX_C_SIGNED, !saturating) &&
           is_sum(s, shape->result, x->type, flags & IR_MATRIX_RESULT_SIGNED, !saturating) && shape->saturating == saturating;
}

// Prefers the largest tiles. Saturation is applied once, after the whole sum.
static bool plan_product(struct matrices *s, const struct ir_instr *x)
{
    struct ir_type a = x->src[0]->type, b = x->src[1]->type, c = x->type;
    const struct kc_matrix_shape *best = NULL;
    for (uint32_t i = 0; i < s->target->matrix_shape_count; i++) {
        const struct kc_matrix_shape *shape = &s->target->matrix_shapes[i];
        if (shape->rows > MATRIX_TILE_EDGE || shape->columns > MATRIX_TILE_EDGE || shape->depth > MATRIX_TILE_EDGE)
            continue;
        bool larger = !best || shape->rows * shape->columns * shape->depth > best->rows * best->columns * best->depth;
        if (larger && has_types(s, shape, x) && agrees(s, a, shape->rows, shape->depth) && agrees(s, b, shape->depth, shape->columns) &&
            agrees(s, c, shape->rows, shape->columns) && (!shape->saturating || shape->depth == a.columns))
            best = shape;
    }
    if (!best)
        return false;
    set_tile(s, a, best->rows, best->depth);
    set_tile(s, b, best->depth, best->columns);
    set_tile(s, c, best->rows, best->columns);
    return true;
}

// Whether a shape has matrices of these components, this use and a size that divides the matrix's; sets the tile's
// size.
static bool has_form(const struct matrices *s, const struct kc_matrix_shape *shape, struct ir_type type, unsigned *rows,
                     unsigned *columns)
{
    enum kc_component one = component_of(s, type, true), other = component_of(s, type, false);
    uint8_t component = type.space == IR_USE_A ? shape->a : type.space == IR_USE_B ? shape->b : shape->c;
    *rows = type.space == IR_USE_B ? shape->depth : shape->rows;
    *columns = type.space == IR_USE_A ? shape->depth : shape->columns;
    return component == one || component == other;
}

// Plans a matrix that is in no product: with the largest tile available, or with exactly this size (rows not 0).
static bool plan_other(struct matrices *s, struct ir_type type, unsigned rows, unsigned columns)
{
    unsigned best_rows = 0, best_columns = 0, r, c;
    for (uint32_t i = 0; i < s->target->matrix_shape_count; i++) {
        bool fits = has_form(s, &s->target->matrix_shapes[i], type, &r, &c) && agrees(s, type, r, c);
        if (fits && (rows ? r == rows && c == columns : r * c > best_rows * best_columns))
            best_rows = r, best_columns = c;
    }
    if (best_rows)
        set_tile(s, type, best_rows, best_columns);
    return best_rows;
}

static bool stride_fits(const struct matrices *s, const struct ir_instr *x, const struct ir_instr *stride, struct ir_type type)
{
    bool space = x->mem.space == IR_GLOBAL || x->mem.space == IR_CONSTANT || x->mem.space == IR_LOCAL;
    return space && (matrix_rows_may_be_unaligned(s) || !ir_is_const(stride) ||
                     stride->lanes[0] * (type.bits / 8u) % matrix_row_unit(x, type) == 0);
}

static bool is_native(const struct matrices *s, const struct ir_instr *x)
{
    switch (x->op) {
    case IR_OP_load: case IR_OP_store: case IR_OP_call: case IR_OP_return: case IR_OP_mat_use:
        return false;
    case IR_OP_mat_load:
        return stride_fits(s, x, x->src[1], x->type);
    case IR_OP_mat_store:
        return stride_fits(s, x, x->src[2], x->src[1]->type);
    default:
        return true;
    }
}

static bool uses_matrix(const struct ir_instr *x)
{
    bool takes = ir_is_matrix(x->type);
    for (uint32_t i = 0; i < x->src_count; i++)
        takes |= ir_is_matrix(x->src[i]->type);
    return takes;
}

static bool converts(const struct ir_instr *x)
{
    return ir_ops[x->op].rule == IR_RULE_CONVERT || x->op == IR_OP_mat_widen || x->op == IR_OP_mat_narrow;
}

// A conversion needs the same tile size on both sides.
static bool plan_conversion(struct matrices *s, const struct ir_instr *x)
{
    const struct matrix_tile *from = matrix_find_tile(s, x->src[0]->type), *to = matrix_find_tile(s, x->type);
    if (!from && !to)
        return true;
    if (from && to)
        return from->rows == to->rows && from->columns == to->columns;
    return from ? plan_other(s, x->type, from->rows, from->columns)
                : plan_other(s, x->src[0]->type, to->rows, to->columns);
}

static bool plan_instr(struct matrices *s, const struct ir_instr *x, int round)
{
    if (round == 0)
        return is_native(s, x) && (x->op != IR_OP_mat_muladd || plan_product(s, x));
    if (round < 4)
        return !converts(x) || plan_conversion(s, x);
    for (uint32_t i = 0; i < x->src_count; i++)
        if (ir_is_matrix(x->src[i]->type) && !matrix_find_tile(s, x->src[i]->type) && !plan_other(s, x->src[i]->type, 0, 0))
            return false;
    return !ir_is_matrix(x->type) || matrix_find_tile(s, x->type) || plan_other(s, x->type, 0, 0);
}

bool matrix_plan_tiles(struct matrices *s)
{
    s->tiled = true;
    for (int round = 0; round < 6; round++) // products, their conversions, the rest, then a check that conversions fit
        for (struct ir_block *b = ir_first_block(s->f); b; b = ir_next_block(b))
            for (struct ir_instr *x = b->first; x; x = x->next)
                if (uses_matrix(x) && !plan_instr(s, x, round == 5 ? 1 : round))
                    return false;
    return s->tiles.count && s->target->vulkan_memory_model;
}

static bool has_tiles(const struct matrices *s)
{
    for (size_t i = 0; i < s->tiles.count; i++) {
        const struct matrix_tile *tile = &s->tiles.items[i];
        if (tile->rows != tile->type.rows || tile->columns != tile->type.columns || tile->as_floats)
            return true;
    }
    return false;
}

// Operations that the driver's matrix instructions get wrong, which are done by components: quotients that need more
// accuracy than the device's division; integer quotients; and negation in 8 and 16 bits, about whose sign the driver
// concludes wrongly (NVIDIA 580: -(-128), extended, is 128).
bool matrix_is_done_by_components(const struct matrices *s, const struct ir_instr *x)
{
    if (!ir_is_matrix(x->type))
        return false;
    if (x->op == IR_OP_sdiv || x->op == IR_OP_udiv)
        return s->target->hidden_ranges;
    if (x->op == IR_OP_ineg)
        return s->target->hidden_ranges && x->type.bits < 32;
    return x->op == IR_OP_fdiv && !(x->flags & IR_FAST) &&
           !s->target->exact_division[x->type.bits == 16 ? 0 : x->type.bits == 32 ? 1 : 2];
}

bool matrix_needs_walk(struct matrices *s)
{
    for (struct ir_block *b = ir_first_block(s->f); b; b = ir_next_block(b))
        for (struct ir_instr *x = b->first; x; x = x->next)
            if (((x->op == IR_OP_mat_load || x->op == IR_OP_mat_store) && !matrix_rows_are_aligned(s, x)) ||
                matrix_is_done_by_components(s, x))
                return true;
    return has_tiles(s);
}

// ---- tiles ---------------------------------------------------------------------------------------

static unsigned across(const struct matrices *s, struct ir_type type) { return type.columns / matrix_find_tile(s, type)->columns; }

// The address of the tile that starts at this row and column.
static struct ir_instr *corner(struct matrices *s, const struct ir_instr *x, struct ir_instr *stride, struct ir_type type,
                               unsigned row, unsigned column)
{
    struct ir_builder *b = &s->b;
    uint64_t major = x->by_columns ? column : row, minor = x->by_columns ? row : column;
    struct ir_instr *index = ir_op2(b, IR_OP_imul, stride, matrix_number(s, 64, major));
    index = ir_op2(b, IR_OP_iadd, index, matrix_number(s, 64, minor));
    return ir_ptr_index(b, x->src[0], index, type.bits / 8, 0);
}

// The address of tile i.
static struct ir_instr *corner_of(struct matrices *s, const struct ir_instr *x, struct ir_type type, unsigned i)
{
    struct ir_type part = matrix_part_type(s, type);
    return corner(s, x, x->src[x->src_count - 1], type, i / across(s, type) * part.rows, i % across(s, type) * part.columns);
}

static struct ir_instr **corners_of(struct matrices *s, const struct ir_instr *x, struct ir_type type)
{
    struct ir_instr **corners = ARENA_ARRAY(s->scratch, struct ir_instr *, matrix_part_count(s, type));
    for (unsigned i = 0; i < matrix_part_count(s, type); i++)
        corners[i] = corner_of(s, x, type, i);
    return corners;
}

// `corners` NULL: each address is computed where it is used.
static struct parts load_at_once(struct matrices *s, const struct ir_instr *x, struct ir_instr *const *corners)
{
    struct parts to = matrix_new_parts(s, x->type);
    struct ir_type part = matrix_part_type(s, x->type);
    for (unsigned i = 0; i < matrix_part_count(s, x->type); i++) {
        struct ir_instr *at = corners ? corners[i] : corner_of(s, x, x->type, i);
        to.item[i] = ir_mat_load(&s->b, part, at, x->src[1], x->by_columns, x->mem);
    }
    return to;
}

struct parts matrix_load_tiles(struct matrices *s, struct ir_instr *x)
{
    bool as_floats = matrix_as_floats(s, x->type);
    if (!as_floats && matrix_rows_are_aligned(s, x))
        return load_at_once(s, x, NULL);
    struct ir_instr **corners = corners_of(s, x, x->type);
    struct parts to = matrix_new_parts(s, x->type);
    if (as_floats) {
        matrix_load_components(s, x, corners, &to);
        return to;
    }
    struct ir_if *fit = ir_add_if(&s->b, matrix_test_rows(s, x));
    ir_place_end(&s->b, &fit->then_list);
    struct parts at_once = load_at_once(s, x, corners);
    ir_place_end(&s->b, &fit->else_list);
    matrix_load_components(s, x, corners, &to);
    ir_place_before(&s->b, x);
    for (unsigned i = 0; i < matrix_part_count(s, x->type); i++) {
        struct ir_instr *one = ir_phi(&s->b, to.item[i]->type, 2);
        one->src[0] = at_once.item[i];
        one->src[1] = to.item[i];
        one->preds[0] = ir_list_last(&fit->then_list);
        one->preds[1] = ir_list_last(&fit->else_list);
        one->id = UINT32_MAX;
        to.item[i] = one;
    }
    return to;
}

static void store_at_once(struct matrices *s, const struct ir_instr *x, struct ir_instr *const *corners,
                          const struct parts *from)
{
    for (unsigned i = 0; i < matrix_part_count(s, x->src[1]->type); i++) {
        struct ir_instr *at = corners ? corners[i] : corner_of(s, x, x->src[1]->type, i);
        ir_mat_store(&s->b, at, from->item[i], x->src[2], x->by_columns, x->mem);
    }
}

void matrix_store_tiles(struct matrices *s, struct ir_instr *x)
{
    struct parts from = matrix_parts_of(s, x->src[1]);
    bool as_floats = matrix_as_floats(s, x->src[1]->type);
    if (!as_floats && matrix_rows_are_aligned(s, x)) {
        store_at_once(s, x, NULL, &from);
        return;
    }
    struct ir_instr **corners = corners_of(s, x, x->src[1]->type);
    if (as_floats) {
        matrix_store_components(s, x, corners, &from);
        return;
    }
    struct ir_if *fit = ir_add_if(&s->b, matrix_test_rows(s, x));
    ir_place_end(&s->b, &fit->then_list);
    store_at_once(s, x, corners, &from);
    ir_place_end(&s->b, &fit->else_list);
    matrix_store_components(s, x, corners, &from);
    ir_place_before(&s->b, x);
}

struct parts matrix_multiply_tiles(struct matrices *s, const struct ir_instr *x)
{
    struct parts a = matrix_parts_of(s, x->src[0]), b = matrix_parts_of(s, x->src[1]);
    struct parts c = matrix_parts_of(s, x->src[2]), to = matrix_new_parts(s, x->type);
    unsigned wide = across(s, x->type), deep = across(s, x->src[0]->type), count = matrix_part_count(s, x->type);
    memcpy(to.item, c.item, count * sizeof *to.item);
    for (unsigned k = 0; k < deep; k++)
        for (unsigned i = 0; i < count; i++)
            to.item[i] = ir_mat_muladd(&s->b, a.item[i / wide * deep + k], b.item[k * wide + i % wide], to.item[i],
                                       x->matrix_flags);
    return matrix_rounded(s, x->type, to);
}

struct parts matrix_compute_components(struct matrices *s, const struct ir_instr *x)
{
    struct parts a = matrix_parts_of(s, x->src[0]), b = x->src_count > 1 ? matrix_parts_of(s, x->src[1]) : a;
    struct parts to = matrix_new_parts(s, x->type);
    struct matrix_loop r = matrix_begin_loop(s);
    for (unsigned t = 0; t < matrix_part_count(s, x->type); t++) {
        struct ir_instr *phi = matrix_loop_value(s, &r, a.item[t]), *from[2] = {matrix_component(s, phi, r.number)};
        if (x->src_count > 1)
            from[1] = matrix_component(s, b.item[t], r.number);
        struct ir_instr *one = ir_build_like(&s->b, x->op, ir_component(x->type), from, x->src_count, x);
        struct ir_instr *src[3] = {phi, one, r.number};
        to.item[t] = phi->src[1] = ir_build(&s->b, IR_OP_mat_set, phi->type, src, 3);
    }
    matrix_end_loop(s, &r, matrix_tile_length(s, a.item[0]));
    return to;
}

// ---- components ----------------------------------------------------------------------------------

struct ir_instr *matrix_length_of_tiles(struct matrices *s, const struct ir_instr *x)
{
    struct ir_instr *length = matrix_tile_length(s, matrix_parts_of(s, x->src[0]).item[0]);
    return ir_op2(&s->b, IR_OP_imul, length, matrix_number(s, 32, matrix_part_count(s, x->src[0]->type)));
}

// The position of component `index`: the tile, and the component's index in it.
struct spot {
    struct ir_instr *tile, *index_in_tile;
};

static struct spot spot_of(struct matrices *s, struct ir_instr *first, struct ir_instr *index)
{
    struct ir_instr *length = matrix_tile_length(s, first), *tile = ir_op2(&s->b, IR_OP_udiv, index, length);
    return (struct spot){tile, ir_op2(&s->b, IR_OP_isub, index, ir_op2(&s->b, IR_OP_imul, tile, length))};
}

struct ir_instr *matrix_get_of_tiles(struct matrices *s, const struct ir_instr *x)
{
    struct parts from = matrix_parts_of(s, x->src[0]);
    if (matrix_part_count(s, x->src[0]->type) == 1)
        return matrix_from_part(s, x->src[0]->type, matrix_component(s, from.item[0], x->src[1]));
    struct spot at = spot_of(s, from.item[0], x->src[1]);
    struct ir_instr *value = matrix_component(s, from.item[0], at.index_in_tile);
    for (unsigned i = 1; i < matrix_part_count(s, x->src[0]->type); i++) {
        struct ir_instr *here = ir_op2(&s->b, IR_OP_ieq, at.tile, matrix_number(s, 32, i));
        value = ir_select(&s->b, here, matrix_component(s, from.item[i], at.index_in_tile), value);
    }
    return matrix_from_part(s, x->src[0]->type, value);
}

struct parts matrix_set_in_tiles(struct matrices *s, const struct ir_instr *x)
{
    struct parts from = matrix_parts_of(s, x->src[0]), to = matrix_new_parts(s, x->type);
    struct ir_instr *one = matrix_to_part(s, x->type, x->src[1]);
    if (matrix_part_count(s, x->type) == 1) {
        to.item[0] = ir_build(&s->b, IR_OP_mat_set, from.item[0]->type, (struct ir_instr *[]){from.item[0], one, x->src[2]}, 3);
        return to;
    }
    struct spot at = spot_of(s, from.item[0], x->src[2]);
    for (unsigned i = 0; i < matrix_part_count(s, x->type); i++) {
        struct ir_instr *here = ir_op2(&s->b, IR_OP_ieq, at.tile, matrix_number(s, 32, i));
        struct ir_instr *value = ir_select(&s->b, here, one, matrix_component(s, from.item[i], at.index_in_tile));
        to.item[i] = ir_build(&s->b, IR_OP_mat_set, from.item[i]->type,
                              (struct ir_instr *[]){from.item[i], value, at.index_in_tile}, 3);
    }
    return to;
}
