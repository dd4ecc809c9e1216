// SPDX-License-Identifier: Apache-2.0
// Cooperative matrices -> what each work-item of a sub-group holds of them, where the device has no units for them
// (native_matrices.c): they stay as they are where it does.
//
// Column c of a matrix lies with work-item c % S of the sub-group of S, whatever the matrix is used for; its component of
// row r is that work-item's component (c / S) * rows + r. So a product needs components of one matrix only from others:
//
//   %3 = mat_muladd %0, %1, %2     ->     for each row i, own column j, k:  c[i][j] += broadcast(a[i][k]) * b[k][j]
//
// Where S does not divide the columns, the last ones of some work-items are no columns: they hold anything, a load
// reads the last column again, a store skips them. Sub-groups must be whole (kc_kernel.whole_sub_groups).
//
// Integers: products and sums in the result's width wrap, which is exact but for what no result can hold. Floats: halves
// are summed as floats and rounded once, k in order, no multiply-add contracted.
#include "passes/native_matrices.h"
#include "passes/opt.h"

struct share { // components of a work-item
    struct ir_instr **item;
};

struct matrices {
    struct ir_module *m;
    struct ir_function *f;
    struct arena *scratch;
    struct ir_builder b;
    uint32_t size;         // of a sub-group
    struct share *shares;  // by id
    struct ir_instr *lane; // which work-item of the sub-group this is
    VEC(struct ir_instr *) phis;
    bool changed;
};

static unsigned columns_of(const struct matrices *s, struct ir_type type) { return (type.columns + s->size - 1) / s->size; }

static unsigned length_of(const struct matrices *s, struct ir_type type) { return columns_of(s, type) * type.rows; }

static struct ir_instr *number(struct matrices *s, unsigned bits, uint64_t value)
{
    return ir_const_int(s->m, ir_int(bits), value);
}

static struct share new_share(struct matrices *s, struct ir_type type)
{
    return (struct share){ARENA_ARRAY(s->scratch, struct ir_instr *, length_of(s, type))};
}

static struct share share_of(struct matrices *s, struct ir_instr *x)
{
    x = opt_resolved(x);
    if (x->op != IR_OP_undef && x->op != IR_OP_param && s->shares[x->id].item)
        return s->shares[x->id];
    struct share any = new_share(s, x->type);
    if (x->op != IR_OP_undef && !s->m->error)
        s->m->error = "a cooperative matrix passes a call that is not inlined";
    for (unsigned i = 0; i < length_of(s, x->type); i++)
        any.item[i] = ir_undef(s->m, ir_component(x->type));
    return any;
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
    return ir_op2(&s->b, IR_OP_iadd, lane_number(s), number(s, 32, j * s->size));
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
    struct ir_instr *wide = ir_convert(&s->b, IR_OP_zext, ir_int(64), column), *one = number(s, 64, 1);
    if (x->by_columns)
        return (struct line){ir_op2(&s->b, IR_OP_imul, wide, stride), one};
    return (struct line){wide, stride};
}

static struct ir_instr *place_at(struct matrices *s, const struct line *line, struct ir_instr *address, unsigned row,
                                 uint32_t bytes)
{
    struct ir_instr *index = ir_op2(&s->b, IR_OP_imul, line->step, number(s, 64, row));
    index = ir_op2(&s->b, IR_OP_iadd, line->base, index);
    return ir_ptr_index(&s->b, address, index, bytes, 0);
}

static struct ir_mem component_mem(const struct ir_instr *x, uint32_t bytes)
{
    struct ir_mem mem = x->mem;
    mem.align = mem.align < bytes ? mem.align : bytes;
    return mem;
}

static struct share load(struct matrices *s, const struct ir_instr *x)
{
    struct ir_type type = x->type, one = ir_component(type);
    struct share to = new_share(s, type);
    uint32_t bytes = ir_type_bytes(one);
    for (unsigned j = 0; j < columns_of(s, type); j++) {
        struct ir_instr *at = column(s, j);
        if (may_be_none(s, type, j))
            at = ir_op2(&s->b, IR_OP_umin, at, number(s, 32, type.columns - 1u));
        struct line line = line_of(s, x, at, x->src[1]);
        for (unsigned row = 0; row < type.rows; row++)
            to.item[j * type.rows + row] =
                ir_load(&s->b, one, place_at(s, &line, x->src[0], row, bytes), component_mem(x, bytes));
    }
    return to;
}

static void store(struct matrices *s, struct ir_instr *x)
{
    struct ir_type type = x->src[1]->type;
    struct share from = share_of(s, x->src[1]);
    uint32_t bytes = ir_type_bytes(ir_component(type));
    for (unsigned j = 0; j < columns_of(s, type); j++) {
        struct ir_instr *at = column(s, j);
        struct ir_if *inside = NULL;
        if (may_be_none(s, type, j)) {
            inside = ir_add_if(&s->b, ir_op2(&s->b, IR_OP_ult, at, number(s, 32, type.columns)));
            ir_place_end(&s->b, &inside->then_list);
        }
        struct line line = line_of(s, x, at, x->src[2]);
        for (unsigned row = 0; row < type.rows; row++)
            ir_store(&s->b, place_at(s, &line, x->src[0], row, bytes), from.item[j * type.rows + row],
                     component_mem(x, bytes));
        if (inside)
            ir_place_before(&s->b, x);
    }
}

// A matrix in a variable: this work-item's components in a row.
static struct share load_own(struct matrices *s, const struct ir_instr *x)
{
    struct ir_type one = ir_component(x->type);
    struct share to = new_share(s, x->type);
    uint32_t bytes = ir_type_bytes(one);
    for (unsigned i = 0; i < length_of(s, x->type); i++)
        to.item[i] = ir_load(&s->b, one, ir_ptr_index(&s->b, x->src[0], NULL, 0, (int64_t)i * bytes), component_mem(x, bytes));
    return to;
}

static void store_own(struct matrices *s, const struct ir_instr *x)
{
    struct ir_type type = x->src[1]->type;
    struct share from = share_of(s, x->src[1]);
    uint32_t bytes = ir_type_bytes(ir_component(type));
    for (unsigned i = 0; i < length_of(s, type); i++)
        ir_store(&s->b, ir_ptr_index(&s->b, x->src[0], NULL, 0, (int64_t)i * bytes), from.item[i], component_mem(x, bytes));
}

// ---- products ------------------------------------------------------------------------------------

// What components are multiplied and summed as: no narrower than the result, nor than what sub-groups exchange.
static struct ir_type computed(struct ir_type result)
{
    struct ir_type one = ir_component(result);
    one.bits = one.bits < 32 ? 32 : one.bits;
    return one;
}

static struct ir_instr *widened(struct matrices *s, struct ir_instr *x, struct ir_type to, bool is_signed)
{
    if (x->type.bits == to.bits)
        return x;
    if (to.base == IR_FLOAT)
        return ir_convert(&s->b, IR_OP_f2f, to, x);
    return ir_convert(&s->b, to.bits < x->type.bits ? IR_OP_trunc : is_signed ? IR_OP_sext : IR_OP_zext, to, x);
}

static struct share all_widened(struct matrices *s, struct ir_instr *x, struct ir_type to, bool is_signed)
{
    struct share from = share_of(s, x), wide = new_share(s, x->type);
    for (unsigned i = 0; i < length_of(s, x->type); i++)
        wide.item[i] = widened(s, from.item[i], to, is_signed);
    return wide;
}

// x + y at the ends of its range where it would leave it.
static struct ir_instr *saturated_sum(struct matrices *s, struct ir_instr *x, struct ir_instr *y, bool is_signed)
{
    struct ir_builder *b = &s->b;
    struct ir_instr *sum = ir_op2(b, IR_OP_iadd, x, y);
    unsigned bits = x->type.bits;
    uint64_t most = UINT64_MAX >> (64 - bits) >> is_signed;
    if (!is_signed)
        return ir_select(b, ir_op2(b, IR_OP_ult, sum, x), number(s, bits, most), sum);
    struct ir_instr *both = ir_op2(b, IR_OP_and, ir_op2(b, IR_OP_xor, sum, x), ir_op2(b, IR_OP_xor, sum, y));
    struct ir_instr *left = ir_op2(b, IR_OP_slt, both, number(s, bits, 0));
    struct ir_instr *end = ir_op2(b, IR_OP_ashr, x, number(s, bits, bits - 1));
    return ir_select(b, left, ir_op2(b, IR_OP_xor, end, number(s, bits, most)), sum);
}

static struct ir_instr *with_c(struct matrices *s, const struct ir_instr *x, struct ir_instr *product, struct ir_instr *c)
{
    if (product->type.base == IR_FLOAT)
        return product->type.bits == c->type.bits ? product : ir_convert(&s->b, IR_OP_f2f, c->type, product);
    product = widened(s, product, c->type, false);
    if (x->matrix_flags & IR_MATRIX_SATURATING)
        return saturated_sum(s, product, c, x->matrix_flags & IR_MATRIX_RESULT_SIGNED);
    return ir_op2(&s->b, IR_OP_iadd, product, c);
}

static struct ir_instr *broadcast(struct matrices *s, struct ir_instr *x, unsigned lane)
{
    if (s->size == 1)
        return x;
    struct ir_instr *src[2] = {x, number(s, 32, lane)};
    return ir_subgroup(&s->b, IR_SUBGROUP_SHUFFLE, IR_GROUP_REDUCE, x->type, src, 2);
}

static struct share multiply(struct matrices *s, const struct ir_instr *x)
{
    struct ir_type at = x->src[0]->type, bt = x->src[1]->type, type = x->type, wide = computed(type);
    bool floats = wide.base == IR_FLOAT;
    struct share a = all_widened(s, x->src[0], wide, x->matrix_flags & IR_MATRIX_A_SIGNED);
    struct share b = all_widened(s, x->src[1], wide, x->matrix_flags & IR_MATRIX_B_SIGNED);
    struct share c = share_of(s, x->src[2]), to = new_share(s, type);
    struct ir_instr **row_of_a = ARENA_ARRAY(s->scratch, struct ir_instr *, at.columns);
    for (unsigned i = 0; i < type.rows; i++) {
        for (unsigned k = 0; k < at.columns; k++)
            row_of_a[k] = broadcast(s, a.item[k / s->size * at.rows + i], k % s->size);
        for (unsigned j = 0; j < columns_of(s, type); j++) {
            struct ir_instr *old = c.item[j * type.rows + i];
            struct ir_instr *sum = floats ? widened(s, old, wide, true) : NULL;
            for (unsigned k = 0; k < at.columns; k++) {
                struct ir_instr *product =
                    ir_op2(&s->b, floats ? IR_OP_fmul : IR_OP_imul, row_of_a[k], b.item[j * bt.rows + k]);
                sum = sum ? ir_op2(&s->b, floats ? IR_OP_fadd : IR_OP_iadd, sum, product) : product;
            }
            to.item[j * type.rows + i] = with_c(s, x, sum, old);
        }
    }
    return to;
}

// ---- components ----------------------------------------------------------------------------------

static struct ir_instr *spilled(struct matrices *s, struct ir_type type, const struct share *from, struct ir_instr *index,
                                struct ir_mem *mem, struct ir_var **var)
{
    struct ir_type one = ir_component(type);
    uint32_t bytes = ir_type_bytes(one);
    *mem = (struct ir_mem){.space = IR_PRIVATE, .align = bytes};
    *var = ir_var_add(s->m, s->f, "share", IR_PRIVATE, (uint64_t)length_of(s, type) * bytes, bytes);
    for (unsigned i = 0; i < length_of(s, type); i++)
        ir_store(&s->b, ir_ptr_index(&s->b, ir_addr(s->m, *var), NULL, 0, (int64_t)i * bytes), from->item[i], *mem);
    return ir_ptr_index(&s->b, ir_addr(s->m, *var), ir_convert(&s->b, IR_OP_zext, ir_int(64), index), bytes, 0);
}

static struct ir_instr *get(struct matrices *s, const struct ir_instr *x)
{
    struct ir_type type = x->src[0]->type;
    struct share from = share_of(s, x->src[0]);
    const struct ir_instr *index = x->src[1];
    struct ir_mem mem;
    struct ir_var *var;
    if (ir_is_const(index))
        return index->lanes[0] < length_of(s, type) ? from.item[index->lanes[0]] : ir_undef(s->m, x->type);
    struct ir_instr *place = spilled(s, type, &from, x->src[1], &mem, &var);
    return ir_load(&s->b, x->type, place, mem);
}

static struct share set(struct matrices *s, const struct ir_instr *x)
{
    struct share from = share_of(s, x->src[0]), to = new_share(s, x->type);
    unsigned count = length_of(s, x->type);
    struct ir_mem mem;
    struct ir_var *var;
    if (ir_is_const(x->src[2])) {
        memcpy(to.item, from.item, count * sizeof *to.item);
        if (x->src[2]->lanes[0] < count)
            to.item[x->src[2]->lanes[0]] = x->src[1];
        return to;
    }
    ir_store(&s->b, spilled(s, x->type, &from, x->src[2], &mem, &var), x->src[1], mem);
    for (unsigned i = 0; i < count; i++) {
        struct ir_instr *place = ir_ptr_index(&s->b, ir_addr(s->m, var), NULL, 0, (int64_t)i * mem.align);
        to.item[i] = ir_load(&s->b, ir_component(x->type), place, mem);
    }
    return to;
}

static struct share splat(struct matrices *s, const struct ir_instr *x)
{
    struct share to = new_share(s, x->type);
    for (unsigned i = 0; i < length_of(s, x->type); i++)
        to.item[i] = x->src[0];
    return to;
}

// Arithmetic and conversions.
static struct share by_component(struct matrices *s, const struct ir_instr *x)
{
    struct share to = new_share(s, x->type), from[2];
    for (uint32_t k = 0; k < x->src_count; k++)
        from[k] = share_of(s, x->src[k]);
    for (unsigned i = 0; i < length_of(s, x->type); i++) {
        struct ir_instr *src[2];
        for (uint32_t k = 0; k < x->src_count; k++)
            src[k] = from[k].item[i];
        to.item[i] = ir_build_like(&s->b, (enum ir_op)x->op, ir_component(x->type), src, x->src_count, x);
    }
    return to;
}

static struct share merged(struct matrices *s, struct ir_instr *x)
{
    struct share to = new_share(s, x->type);
    struct ir_builder b = {.module = s->m, .function = s->f, .block = x->block};
    for (unsigned i = 0; i < length_of(s, x->type); i++) {
        to.item[i] = ir_phi(&b, ir_component(x->type), x->src_count);
        memcpy(to.item[i]->preds, x->preds, x->src_count * sizeof *x->preds);
    }
    vec_push(s->scratch, &s->phis, x);
    return to;
}

// ---- walking -------------------------------------------------------------------------------------

static struct share made(struct matrices *s, struct ir_instr *x)
{
    switch (x->op) {
    case IR_OP_mat_load:
        return load(s, x);
    case IR_OP_load:
        return load_own(s, x);
    case IR_OP_mat_muladd:
        return multiply(s, x);
    case IR_OP_mat_splat:
        return splat(s, x);
    case IR_OP_mat_set:
        return set(s, x);
    case IR_OP_mat_use:
        return share_of(s, x->src[0]);
    case IR_OP_phi:
        return merged(s, x);
    case IR_OP_call:
        return (struct share){0};
    default:
        return by_component(s, x);
    }
}

static void visit(struct matrices *s, struct ir_instr *x)
{
    for (uint32_t i = 0; i < x->src_count && x->op != IR_OP_phi; i++)
        x->src[i] = opt_resolved(x->src[i]);
    bool takes = false;
    for (uint32_t i = 0; i < x->src_count && x->op != IR_OP_phi; i++) // ours have no sources yet
        takes |= ir_is_matrix(x->src[i]->type);
    if (!takes && !ir_is_matrix(x->type))
        return;
    ir_place_before(&s->b, x);
    s->b.flags = x->flags & IR_FAST;
    s->changed = true;
    if (ir_is_matrix(x->type))
        s->shares[x->id] = made(s, x);
    else if (x->op == IR_OP_mat_get)
        ir_replace(x, get(s, x));
    else if (x->op == IR_OP_mat_length)
        ir_replace(x, number(s, 32, length_of(s, x->src[0]->type)));
    else if (x->op == IR_OP_mat_store)
        store(s, x);
    else if (x->op == IR_OP_store)
        store_own(s, x);
}

static void finish_phis(struct matrices *s)
{
    for (size_t p = 0; p < s->phis.count; p++) {
        struct ir_instr *x = s->phis.items[p];
        struct share to = s->shares[x->id];
        for (uint32_t k = 0; k < x->src_count; k++) {
            struct share from = share_of(s, x->src[k]);
            for (unsigned i = 0; i < length_of(s, x->type); i++)
                to.item[i]->src[k] = from.item[i];
        }
    }
}

static bool is_done(const struct ir_instr *x)
{
    bool matrix = ir_is_matrix(x->type);
    for (uint32_t i = 0; i < x->src_count; i++)
        matrix |= ir_is_matrix(x->src[i]->type);
    return matrix;
}

static void sweep(struct matrices *s)
{
    for (struct ir_block *b = ir_first_block(s->f); b; b = ir_next_block(b))
        for (struct ir_instr *x = b->first, *next; x; x = next) {
            next = x->next;
            if (is_done(x))
                ir_remove(x);
        }
}

static bool has_matrices(struct ir_function *f)
{
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b))
        for (const struct ir_instr *x = b->first; x; x = x->next)
            if (is_done(x))
                return true;
    return false;
}

// Requires: functions with matrices among parameters and results inlined. Keeps: everything else. Removes: matrices,
// unless the device does all of the function's.
bool lower_matrices(struct pass_context *c, struct ir_function *f)
{
    if (!has_matrices(f) || native_matrices(c->target, f))
        return false;
    struct matrices s = {.m = c->module, .f = f, .scratch = c->scratch, .size = c->target->subgroup_size};
    if (!s.size) {
        s.m->error = "the device has no sub-groups for cooperative matrices";
        return false;
    }
    s.b = (struct ir_builder){.module = s.m, .function = f};
    ir_number(f);
    s.shares = ARENA_ARRAY(s.scratch, struct share, f->instr_count + 1);
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b))
        for (struct ir_instr *x = b->first, *next; x; x = next) {
            next = x->next;
            visit(&s, x);
        }
    finish_phis(&s);
    sweep(&s);
    ir_resolve(f);
    return s.changed;
}
