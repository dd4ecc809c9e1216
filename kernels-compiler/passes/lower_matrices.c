// SPDX-License-Identifier: Apache-2.0
// Cooperative matrices -> matrices of shapes that the device supports (matrix_tiles.c), if it supports them; else the
// components that each work-item of a sub-group holds:
//
// Column c of a matrix is held by work-item c % S of a sub-group of size S, for all matrix uses. Its component of row
// r is component (c / S) * rows + r of that work-item. So a product only needs components of one matrix from other
// work-items:
//
//   %3 = mat_muladd %0, %1, %2     ->     for each k, row i, own column j:  c[i][j] += broadcast(a[i][k]) * b[k][j]
//
// If S does not divide the number of columns, the last column of some work-items does not exist: it holds any value,
// loads read the last column again, stores skip it. Sub-groups must be full (kc_kernel.whole_sub_groups).
//
// Integers: products and sums wrap in the result's width, which is exact unless the result overflows. Floats: halfs
// and smaller types are summed as floats and rounded once, with k in order and without contraction.
#include "ir/small_floats.h"
#include "passes/matrices.h"
#include "passes/push.h"
#include "util/stack.h"

enum {
    MAX_PRODUCTS = 128,   // per work-item and mat_muladd, for unrolling
    MAX_ROWS = 4,         // per matrix, for unrolled loads and stores; on GPUs
    MAX_COMPONENTS = 128, // per work-item
};

// ---- dynamically indexed components --------------------------------------------------------------

static struct ir_var *share_var(struct matrices *s, struct ir_type one, unsigned count)
{
    uint32_t bytes = ir_type_bytes(one);
    return ir_var_add(s->m, s->f, "share", IR_PRIVATE, (uint64_t)count * bytes, bytes);
}

// Address of element `index` (i32; NULL: 0) + `more` in such a variable.
static struct ir_instr *place_in(struct matrices *s, struct ir_var *var, struct ir_instr *index, unsigned more)
{
    uint32_t bytes = var->align;
    struct ir_instr *wide = index ? ir_convert(&s->b, IR_OP_zext, ir_int(64), index) : NULL;
    return ir_ptr_index(&s->b, ir_addr(s->m, var), wide, index ? bytes : 0, (int64_t)more * bytes);
}

static struct ir_instr *load_from(struct matrices *s, struct ir_var *var, struct ir_type type, struct ir_instr *index,
                                  unsigned more)
{
    struct ir_mem mem = {.space = IR_PRIVATE, .align = var->align};
    return ir_load(&s->b, type, place_in(s, var, index, more), mem);
}

static void store_in(struct matrices *s, struct ir_var *var, struct ir_instr *index, unsigned more, struct ir_instr *value)
{
    struct ir_mem mem = {.space = IR_PRIVATE, .align = var->align};
    ir_store(&s->b, place_in(s, var, index, more), value, mem);
}

// Stores components, which have one type, in a variable.
static struct ir_var *spilled(struct matrices *s, const struct parts *from, unsigned count)
{
    struct ir_var *var = share_var(s, from->item[0]->type, count);
    for (unsigned i = 0; i < count; i++)
        store_in(s, var, NULL, i, from->item[i]);
    return var;
}

static void end_rounds(struct matrices *s, const struct matrix_loop *r, unsigned count)
{
    matrix_end_loop(s, r, matrix_number(s, 32, count));
}

// Whether to load or store components in a loop. On GPUs only if there are many: with such loops the code of Mesa's
// drivers takes up to a third more cycles, and NVIDIA's compiler (580) crashes on some loops that fill arrays whose
// values are shuffled.
static bool in_rounds(const struct matrices *s, unsigned columns, unsigned rows)
{
    return rows > MAX_ROWS && ((!s->target->unroll_room && !s->target->unrolls_loops) || columns * rows > MAX_COMPONENTS);
}

// ---- memory --------------------------------------------------------------------------------------

static struct ir_instr *lane_number(struct matrices *s)
{
    if (s->lane)
        return s->lane;
    struct ir_builder head = {.module = s->m, .function = s->f};
    ir_place_after_phis(&head, ir_first_block(s->f));
    return s->lane = ir_sys(&head, IR_SYS_VK_SUBGROUP_INVOCATION, 0);
}

// The number of this work-item's column `j`, an i32.
static struct ir_instr *column(struct matrices *s, unsigned j)
{
    return ir_op2(&s->b, IR_OP_iadd, lane_number(s), matrix_number(s, 32, j * s->size));
}

static bool may_be_none(const struct matrices *s, struct ir_type type, unsigned j)
{
    return (j + 1) * s->size > type.columns;
}

// Places of a column's components: base + row * step, in components.
struct line {
    struct ir_instr *base, *step;
};

static struct line line_of(struct matrices *s, const struct ir_instr *x, struct ir_instr *column, struct ir_instr *stride)
{
    struct ir_instr *wide = ir_convert(&s->b, IR_OP_zext, ir_int(64), column), *one = matrix_number(s, 64, 1);
    if (x->by_columns)
        return (struct line){ir_op2(&s->b, IR_OP_imul, wide, stride), one};
    return (struct line){wide, stride};
}

static struct ir_instr *place_at(struct matrices *s, const struct line *line, struct ir_instr *address,
                                 struct ir_instr *row, uint32_t bytes)
{
    struct ir_instr *index = ir_op2(&s->b, IR_OP_imul, line->step, row);
    index = ir_op2(&s->b, IR_OP_iadd, line->base, index);
    return ir_ptr_index(&s->b, address, index, bytes, 0);
}

static struct ir_mem component_mem(const struct ir_instr *x, uint32_t bytes)
{
    struct ir_mem mem = x->mem;
    mem.align = mem.align < bytes ? mem.align : bytes;
    return mem;
}

static struct parts load(struct matrices *s, const struct ir_instr *x)
{
    struct ir_type type = x->type, one = ir_component(type);
    struct parts to = matrix_new_parts(s, type);
    uint32_t bytes = ir_type_bytes(one);
    struct ir_mem mem = component_mem(x, bytes);
    unsigned columns = matrix_own_columns(s, type), rows = type.rows;
    struct ir_var *var = in_rounds(s, columns, rows) ? share_var(s, one, columns * rows) : NULL;
    for (unsigned j = 0; j < columns; j++) {
        struct ir_instr *at = column(s, j);
        if (may_be_none(s, type, j))
            at = ir_op2(&s->b, IR_OP_umin, at, matrix_number(s, 32, type.columns - 1u));
        struct line line = line_of(s, x, at, x->src[1]);
        if (var) {
            struct matrix_loop r = matrix_begin_loop(s);
            struct ir_instr *row = ir_convert(&s->b, IR_OP_zext, ir_int(64), r.number);
            store_in(s, var, r.number, j * rows, ir_load(&s->b, one, place_at(s, &line, x->src[0], row, bytes), mem));
            end_rounds(s, &r, rows);
        }
        for (unsigned row = 0; row < rows; row++)
            to.item[j * rows + row] =
                var ? load_from(s, var, one, NULL, j * rows + row)
                    : ir_load(&s->b, one, place_at(s, &line, x->src[0], matrix_number(s, 64, row), bytes), mem);
    }
    return to;
}

static void store(struct matrices *s, struct ir_instr *x)
{
    struct ir_type type = x->src[1]->type, one = ir_component(type);
    struct parts from = matrix_parts_of(s, x->src[1]);
    uint32_t bytes = ir_type_bytes(one);
    struct ir_mem mem = component_mem(x, bytes);
    unsigned columns = matrix_own_columns(s, type), rows = type.rows;
    struct ir_var *var = in_rounds(s, columns, rows) ? spilled(s, &from, columns * rows) : NULL;
    for (unsigned j = 0; j < columns; j++) {
        struct ir_instr *at = column(s, j);
        struct ir_if *inside = NULL;
        if (may_be_none(s, type, j)) {
            inside = ir_add_if(&s->b, ir_op2(&s->b, IR_OP_ult, at, matrix_number(s, 32, type.columns)));
            ir_place_end(&s->b, &inside->then_list);
        }
        struct line line = line_of(s, x, at, x->src[2]);
        if (var) {
            struct matrix_loop r = matrix_begin_loop(s);
            struct ir_instr *row = ir_convert(&s->b, IR_OP_zext, ir_int(64), r.number);
            struct ir_instr *value = load_from(s, var, one, r.number, j * rows);
            ir_store(&s->b, place_at(s, &line, x->src[0], row, bytes), value, mem);
            end_rounds(s, &r, rows);
        }
        for (unsigned row = 0; row < rows && !var; row++)
            ir_store(&s->b, place_at(s, &line, x->src[0], matrix_number(s, 64, row), bytes), from.item[j * rows + row], mem);
        if (inside)
            ir_place_before(&s->b, x);
    }
}

// A matrix in a private variable: this work-item's components, consecutively.
static struct parts load_own(struct matrices *s, const struct ir_instr *x)
{
    struct ir_type one = ir_component(x->type);
    struct parts to = matrix_new_parts(s, x->type);
    uint32_t bytes = ir_type_bytes(one);
    for (unsigned i = 0; i < matrix_part_count(s, x->type); i++)
        to.item[i] = ir_load(&s->b, one, ir_ptr_index(&s->b, x->src[0], NULL, 0, (int64_t)i * bytes), component_mem(x, bytes));
    return to;
}

static void store_own(struct matrices *s, const struct ir_instr *x)
{
    struct ir_type type = x->src[1]->type;
    struct parts from = matrix_parts_of(s, x->src[1]);
    uint32_t bytes = ir_type_bytes(ir_component(type));
    for (unsigned i = 0; i < matrix_part_count(s, type); i++)
        ir_store(&s->b, ir_ptr_index(&s->b, x->src[0], NULL, 0, (int64_t)i * bytes), from.item[i], component_mem(x, bytes));
}

// ---- products ------------------------------------------------------------------------------------

// Type of products and sums: at least as wide as the result, and as the types that sub-groups exchange.
static struct ir_type computed(struct ir_type result)
{
    struct ir_type one = ir_is_small_float(result) ? ir_float(32) : ir_component(result);
    one.bits = one.bits < 32 ? 32 : one.bits;
    return one;
}

// Widens a component of a matrix of type `from`.
static struct ir_instr *widened(struct matrices *s, struct ir_instr *x, struct ir_type from, struct ir_type to, bool is_signed)
{
    if (ir_is_small_float(from))
        x = ir_widen_small(&s->b, from.base, x);
    if (x->type.bits == to.bits)
        return x;
    if (to.base == IR_FLOAT)
        return ir_convert(&s->b, IR_OP_f2f, to, x);
    return ir_convert(&s->b, to.bits < x->type.bits ? IR_OP_trunc : is_signed ? IR_OP_sext : IR_OP_zext, to, x);
}

static struct parts all_widened(struct matrices *s, struct ir_instr *x, struct ir_type to, bool is_signed)
{
    struct parts from = matrix_parts_of(s, x), wide = matrix_new_parts(s, x->type);
    for (unsigned i = 0; i < matrix_part_count(s, x->type); i++)
        wide.item[i] = widened(s, from.item[i], x->type, to, is_signed);
    return wide;
}

// x + y, saturated.
static struct ir_instr *saturated_sum(struct matrices *s, struct ir_instr *x, struct ir_instr *y, bool is_signed)
{
    struct ir_builder *b = &s->b;
    struct ir_instr *sum = ir_op2(b, IR_OP_iadd, x, y);
    unsigned bits = x->type.bits;
    uint64_t most = UINT64_MAX >> (64 - bits) >> is_signed;
    if (!is_signed)
        return ir_select(b, ir_op2(b, IR_OP_ult, sum, x), matrix_number(s, bits, most), sum);
    struct ir_instr *both = ir_op2(b, IR_OP_xor, sum, y);
    both = ir_op2(b, IR_OP_and, ir_op2(b, IR_OP_xor, sum, x), both);
    struct ir_instr *left = ir_op2(b, IR_OP_slt, both, matrix_number(s, bits, 0));
    struct ir_instr *end = ir_op2(b, IR_OP_ashr, x, matrix_number(s, bits, bits - 1));
    return ir_select(b, left, ir_op2(b, IR_OP_xor, end, matrix_number(s, bits, most)), sum);
}

static struct ir_instr *with_c(struct matrices *s, const struct ir_instr *x, struct ir_instr *product, struct ir_instr *c)
{
    if (ir_is_small_float(x->type))
        return ir_narrow_small(&s->b, x->type.base, product);
    if (product->type.base == IR_FLOAT)
        return product->type.bits == c->type.bits ? product : ir_convert(&s->b, IR_OP_f2f, c->type, product);
    product = widened(s, product, product->type, c->type, false);
    if (x->matrix_flags & IR_MATRIX_SATURATING)
        return saturated_sum(s, product, c, x->matrix_flags & IR_MATRIX_RESULT_SIGNED);
    return ir_op2(&s->b, IR_OP_iadd, product, c);
}

static struct ir_instr *broadcast(struct matrices *s, struct ir_instr *x, struct ir_instr *lane)
{
    stack_check();
    struct ir_builder *b = &s->b;
    if (s->size == 1)
        return x;
    if (x->type.base == IR_INT && x->type.bits == 64 && !s->target->subgroup_extended_types) { // in two words
        struct ir_instr *up = ir_const_int(s->m, x->type, 32);
        struct ir_instr *low = broadcast(s, ir_convert(b, IR_OP_trunc, ir_int(32), x), lane);
        struct ir_instr *high = broadcast(s, ir_convert(b, IR_OP_trunc, ir_int(32), ir_op2(b, IR_OP_lshr, x, up)), lane);
        high = ir_op2(b, IR_OP_shl, ir_convert(b, IR_OP_zext, x->type, high), up);
        return ir_op2(b, IR_OP_or, high, ir_convert(b, IR_OP_zext, x->type, low));
    }
    struct ir_instr *src[2] = {x, lane};
    return ir_subgroup(b, IR_SUBGROUP_SHUFFLE, IR_GROUP_REDUCE, x->type, src, 2);
}

static struct ir_instr *plus_product(struct matrices *s, struct ir_instr *sum, struct ir_instr *x, struct ir_instr *y)
{
    bool floats = x->type.base == IR_FLOAT;
    struct ir_instr *product = ir_op2(&s->b, floats ? IR_OP_fmul : IR_OP_imul, x, y);
    return sum ? ir_op2(&s->b, floats ? IR_OP_fadd : IR_OP_iadd, sum, product) : product;
}

// An unrolled product: sums[] of components, which contain the initial sums (NULL: none).
static void multiply_at_once(struct matrices *s, const struct ir_instr *x, const struct parts *a, const struct parts *b,
                             struct ir_instr **sums)
{
    unsigned rows = x->type.rows, depth = x->src[0]->type.columns;
    struct ir_instr **row_of_a = ARENA_ARRAY(s->scratch, struct ir_instr *, depth);
    for (unsigned i = 0; i < rows; i++) {
        for (unsigned k = 0; k < depth; k++)
            row_of_a[k] = broadcast(s, a->item[k / s->size * rows + i], matrix_number(s, 32, k % s->size));
        for (unsigned j = 0; j < matrix_own_columns(s, x->type); j++)
            for (unsigned k = 0; k < depth; k++)
                sums[j * rows + i] = plus_product(s, sums[j * rows + i], row_of_a[k], b->item[j * depth + k]);
    }
}

// A product as a loop over k.
static void multiply_in_loop(struct matrices *s, const struct ir_instr *x, const struct parts *a, const struct parts *b,
                             struct ir_instr **sums)
{
    unsigned rows = x->type.rows, depth = x->src[0]->type.columns, count = matrix_part_count(s, x->type);
    struct ir_type wide = a->item[0]->type;
    struct ir_var *in_a = spilled(s, a, matrix_part_count(s, x->src[0]->type));
    struct ir_var *in_b = spilled(s, b, matrix_part_count(s, x->src[1]->type));
    struct ir_instr **phis = ARENA_ARRAY(s->scratch, struct ir_instr *, count);
    struct matrix_loop r = matrix_begin_loop(s);
    for (unsigned i = 0; i < count; i++)
        sums[i] = phis[i] = matrix_loop_value(s, &r, sums[i] ? sums[i] : matrix_number(s, wide.bits, 0));
    struct ir_instr *k = r.number, *size = matrix_number(s, 32, s->size);
    struct ir_instr *first = ir_op2(&s->b, IR_OP_imul, ir_op2(&s->b, IR_OP_udiv, k, size), matrix_number(s, 32, rows));
    struct ir_instr *lane = ir_op2(&s->b, IR_OP_urem, k, size);
    for (unsigned i = 0; i < rows; i++) {
        struct ir_instr *of_a = broadcast(s, load_from(s, in_a, wide, first, i), lane);
        for (unsigned j = 0; j < matrix_own_columns(s, x->type); j++) {
            struct ir_instr *of_b = load_from(s, in_b, wide, k, j * depth);
            sums[j * rows + i] = plus_product(s, sums[j * rows + i], of_a, of_b);
        }
    }
    for (unsigned i = 0; i < count; i++)
        phis[i]->src[1] = sums[i];
    end_rounds(s, &r, depth);
}

static struct parts multiply(struct matrices *s, struct ir_instr *x)
{
    struct ir_type wide = computed(x->type);
    struct parts a = all_widened(s, x->src[0], wide, x->matrix_flags & IR_MATRIX_A_SIGNED);
    struct parts b = all_widened(s, x->src[1], wide, x->matrix_flags & IR_MATRIX_B_SIGNED);
    struct parts c = matrix_parts_of(s, x->src[2]), to = matrix_new_parts(s, x->type);
    unsigned count = matrix_part_count(s, x->type);
    for (unsigned i = 0; i < count && wide.base == IR_FLOAT; i++)
        to.item[i] = widened(s, c.item[i], x->type, wide, true);
    if (count * x->src[0]->type.columns <= MAX_PRODUCTS)
        multiply_at_once(s, x, &a, &b, to.item);
    else
        multiply_in_loop(s, x, &a, &b, to.item);
    for (unsigned i = 0; i < count; i++)
        to.item[i] = with_c(s, x, to.item[i], c.item[i]);
    return to;
}

// ---- components ----------------------------------------------------------------------------------

static struct ir_instr *get(struct matrices *s, const struct ir_instr *x)
{
    unsigned count = matrix_part_count(s, x->src[0]->type);
    struct parts from = matrix_parts_of(s, x->src[0]);
    const struct ir_instr *index = x->src[1];
    if (ir_is_const(index))
        return index->lanes[0] < count ? from.item[index->lanes[0]] : ir_undef(s->m, x->type);
    return load_from(s, spilled(s, &from, count), x->type, x->src[1], 0);
}

static struct parts set(struct matrices *s, const struct ir_instr *x)
{
    struct parts from = matrix_parts_of(s, x->src[0]), to = matrix_new_parts(s, x->type);
    unsigned count = matrix_part_count(s, x->type);
    if (ir_is_const(x->src[2])) {
        memcpy(to.item, from.item, count * sizeof *to.item);
        if (x->src[2]->lanes[0] < count)
            to.item[x->src[2]->lanes[0]] = x->src[1];
        return to;
    }
    struct ir_var *var = spilled(s, &from, count);
    store_in(s, var, x->src[2], 0, x->src[1]);
    for (unsigned i = 0; i < count; i++)
        to.item[i] = load_from(s, var, ir_component(x->type), NULL, i);
    return to;
}

static struct parts splat(struct matrices *s, const struct ir_instr *x)
{
    struct parts to = matrix_new_parts(s, x->type);
    struct ir_instr *one = x->src[0];
    if (s->tiled) {
        one = matrix_to_part(s, x->type, one);
        one = ir_build(&s->b, IR_OP_mat_splat, matrix_part_type(s, x->type), &one, 1);
    }
    for (unsigned i = 0; i < matrix_part_count(s, x->type); i++)
        to.item[i] = one;
    return to;
}

// Conversions between small floats and f32.
static struct parts resized(struct matrices *s, const struct ir_instr *x)
{
    struct parts to = matrix_new_parts(s, x->type), from = matrix_parts_of(s, x->src[0]);
    for (unsigned i = 0; i < matrix_part_count(s, x->type); i++)
        to.item[i] = x->op == IR_OP_mat_widen ? ir_widen_small(&s->b, x->src[0]->type.base, from.item[i])
                                              : ir_narrow_small(&s->b, x->type.base, from.item[i]);
    return to;
}

// Component-wise arithmetic and conversions.
static struct parts by_part(struct matrices *s, const struct ir_instr *x)
{
    struct parts to = matrix_new_parts(s, x->type), from[2];
    for (uint32_t k = 0; k < x->src_count; k++)
        from[k] = matrix_parts_of(s, x->src[k]);
    for (unsigned i = 0; i < matrix_part_count(s, x->type); i++) {
        struct ir_instr *src[2];
        for (uint32_t k = 0; k < x->src_count; k++)
            src[k] = from[k].item[i];
        to.item[i] = ir_build_like(&s->b, (enum ir_op)x->op, matrix_part_type(s, x->type), src, x->src_count, x);
    }
    return to;
}

static struct parts resized_tiles(struct matrices *s, const struct ir_instr *x)
{
    if (matrix_as_floats(s, x->src[0]->type))
        return matrix_parts_of(s, x->src[0]);
    return matrix_as_floats(s, x->type) ? matrix_rounded(s, x->type, matrix_parts_of(s, x->src[0])) : by_part(s, x);
}

static struct parts merged(struct matrices *s, struct ir_instr *x)
{
    struct parts to = matrix_new_parts(s, x->type);
    struct ir_builder b = {.module = s->m, .function = s->f, .block = x->block};
    for (unsigned i = 0; i < matrix_part_count(s, x->type); i++) {
        to.item[i] = ir_phi(&b, matrix_part_type(s, x->type), x->src_count);
        to.item[i]->id = UINT32_MAX; // must not be visited
        memcpy(to.item[i]->preds, x->preds, x->src_count * sizeof *x->preds);
    }
    vec_push(s->scratch, &s->phis, x);
    return to;
}

// ---- walking -------------------------------------------------------------------------------------

static struct parts made(struct matrices *s, struct ir_instr *x)
{
    switch (x->op) {
    case IR_OP_mat_load:
        return s->tiled ? matrix_load_tiles(s, x) : load(s, x);
    case IR_OP_load:
        return load_own(s, x);
    case IR_OP_mat_muladd:
        return s->tiled ? matrix_multiply_tiles(s, x) : multiply(s, x);
    case IR_OP_mat_splat:
        return splat(s, x);
    case IR_OP_mat_set:
        return s->tiled ? matrix_set_in_tiles(s, x) : set(s, x);
    case IR_OP_mat_use:
        return matrix_parts_of(s, x->src[0]);
    case IR_OP_mat_widen:
    case IR_OP_mat_narrow:
        return s->tiled ? resized_tiles(s, x) : resized(s, x);
    case IR_OP_fdiv:
    case IR_OP_sdiv:
    case IR_OP_udiv:
    case IR_OP_ineg:
        return s->tiled && matrix_is_done_by_components(s, x) ? matrix_compute_components(s, x) : by_part(s, x);
    case IR_OP_phi:
        return merged(s, x);
    case IR_OP_call:
        return (struct parts){0};
    default:
        return by_part(s, x);
    }
}

static struct ir_instr *number_of(struct matrices *s, struct ir_instr *x)
{
    if (x->op == IR_OP_mat_get)
        return s->tiled ? matrix_get_of_tiles(s, x) : get(s, x);
    return s->tiled ? matrix_length_of_tiles(s, x) : matrix_number(s, 32, matrix_part_count(s, x->src[0]->type));
}

static void visit(struct matrices *s, struct ir_instr *x)
{
    for (uint32_t i = 0; i < x->src_count && x->op != IR_OP_phi; i++)
        x->src[i] = opt_resolved(x->src[i]);
    bool uses_matrix = false;
    for (uint32_t i = 0; i < x->src_count && x->op != IR_OP_phi; i++) // new phis have no sources yet
        uses_matrix |= ir_is_matrix(x->src[i]->type);
    if (!uses_matrix && !ir_is_matrix(x->type))
        return;
    ir_place_before(&s->b, x);
    s->b.flags = x->flags & (x->op == IR_OP_fdiv ? IR_FAST | IR_LOOSE : IR_FAST);
    x->mark = 1;
    s->changed = true;
    if (ir_is_matrix(x->type))
        s->parts[x->id] = made(s, x);
    else if (x->op == IR_OP_mat_get || x->op == IR_OP_mat_length)
        ir_replace(x, number_of(s, x));
    else if (x->op == IR_OP_mat_store && s->tiled)
        matrix_store_tiles(s, x);
    else if (x->op == IR_OP_mat_store)
        store(s, x);
    else if (x->op == IR_OP_store)
        store_own(s, x);
}

static void finish_phis(struct matrices *s)
{
    for (size_t p = 0; p < s->phis.count; p++) {
        struct ir_instr *x = s->phis.items[p];
        struct parts to = s->parts[x->id];
        for (uint32_t k = 0; k < x->src_count; k++) {
            struct parts from = matrix_parts_of(s, x->src[k]);
            for (unsigned i = 0; i < matrix_part_count(s, x->type); i++)
                to.item[i]->src[k] = from.item[i];
        }
    }
}

// Removes the original instructions, in the blocks that contain them now.
static void sweep(struct matrices *s)
{
    for (struct ir_block *b = ir_first_block(s->f); b; b = ir_next_block(b))
        for (struct ir_instr *x = b->first, *next; x; x = next) {
            next = x->next;
            if (x->mark)
                ir_remove(x);
            x->mark = 0;
        }
}

static bool has_matrices(struct ir_function *f)
{
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b))
        for (const struct ir_instr *x = b->first; x; x = x->next) {
            if (ir_is_matrix(x->type))
                return true;
            for (uint32_t i = 0; i < x->src_count; i++)
                if (ir_is_matrix(x->src[i]->type))
                    return true;
        }
    return false;
}

static void walk(struct matrices *s)
{
    ir_number(s->f);
    s->parts = ARENA_ARRAY(s->scratch, struct parts, s->f->instr_count + 1);
    uint32_t last = s->f->instr_count;
    for (struct ir_block *b = ir_first_block(s->f); b; b = ir_next_block(b))
        for (struct ir_instr *x = b->first, *next; x; x = next) {
            next = x->next;
            if (x->id < last)
                visit(s, x);
        }
    finish_phis(s);
    sweep(s);
    ir_resolve(s->f);
}

static struct matrices begin(const struct pass_context *c, struct ir_function *f)
{
    struct matrices s = {.m = c->module, .f = f, .target = c->target, .scratch = c->scratch, .size = c->target->subgroup_size};
    s.b = (struct ir_builder){.module = s.m, .function = f};
    return s;
}

// Uses tiles of the shapes in the target's table. Returns false if it has none for some matrix.
static bool by_units(struct pass_context *c, struct ir_function *f, bool *changed)
{
    struct matrices s = begin(c, f);
    if (!c->target->matrix_shape_count || !matrix_plan_tiles(&s))
        return false;
    if (matrix_needs_walk(&s))
        walk(&s);
    *changed = s.changed;
    return true;
}

// Requires: functions with matrix parameters or results are inlined. Keeps: everything else. Removes: matrices,
// except those that the device supports.
bool lower_matrices(struct pass_context *c, struct ir_function *f)
{
    if (!has_matrices(f))
        return false;
    if (!c->target->subgroup_size) {
        c->module->error = "cooperative matrices require sub-groups, which the device lacks";
        return false;
    }
    bool changed = false, tiled = by_units(c, f, &changed);
    struct ir_kernel *kernel = push_kernel(c->module);
    if (tiled && kernel)
        kernel->info.matrix_units = true;
    if (tiled && !c->target->matrix_tiles_by_items)
        return changed;
    struct matrices s = begin(c, f);
    walk(&s);
    return changed || s.changed;
}
