// SPDX-License-Identifier: Apache-2.0
// Computes the addresses of an unrolled loop's rows from each other by additions.
//
//   %3 = iadd.nowrap %i, 1 ; %4 = imul.nowrap %3, %width ; %5 = sext i64 %4 ; %6 = shl %5, 2 ; %7 = iadd %base, %6
//   ->   %7 = iadd %1, %step        where %1 = the same of %i instead of %3, and before the loop: %step = shl (sext %width), 2
//
// Also with products of 64 bits, whose factors are often extended: sext(%i + 1) * %width. A 32-bit product and a 64-bit one
// with a sum take NVIDIA's GPUs three times as long as a 64-bit sum. Sums and products that do not wrap can be taken apart.
// `%width` must be computed before the loop. (opt_multiples does this with products that work-items compute for themselves.)
#include "passes/opt.h"

enum { MEMORY = 16, MAX_ROWS = 16 };

struct row { // base + product << shift, where the product is (first + count) * width
    struct ir_instr *base, *first, *width, *value;
    uint64_t shift;
    int64_t count;
    bool narrow;           // it is of 32 bits, and extended then
    enum ir_op extension;  // of `first + count` in others; IR_OP_COUNT: it has 64 bits
};

struct strides {
    const struct kc_target *target;
    struct ir_function *f;
    const struct ir_node *loop; // around the block
    struct row rows[MEMORY];    // the last of the block: a ring
    size_t count;
};

// `first + count`, or x itself
static void split_sum(struct ir_instr *x, bool wraps, struct row *row)
{
    const bool sum = x->op == IR_OP_iadd && (wraps || x->flags & IR_NO_WRAP) && ir_is_const(x->src[1]);
    row->first = sum ? x->src[0] : x;
    row->count = !sum ? 0 : x->type.bits == 32 ? (int32_t)x->src[1]->lanes[0] : (int64_t)x->src[1]->lanes[0];
}

// The row's number in a product of 64 bits, where sums may wrap
static void split_wide(const struct strides *s, struct ir_instr *x, struct row *row)
{
    const bool extended = (x->op == IR_OP_sext || x->op == IR_OP_zext) && x->src[0]->type.bits == 32;
    row->extension = extended ? (enum ir_op)x->op : IR_OP_COUNT;
    split_sum(extended ? x->src[0] : x, !extended, row);
    if (x->op == IR_OP_zext && row->count && (row->count < 0 || !opt_never_negative(s->target, row->first))) {
        row->first = x->src[0];
        row->count = 0;
    }
}

static bool is_before(const struct strides *s, const struct ir_instr *x)
{
    return !ir_is_const(x) && !opt_is_inside(s->loop, x) && (opt_is_floating(x) || x->op != IR_OP_phi);
}

static bool match_product(const struct strides *s, const struct ir_instr *x, struct row *row)
{
    row->narrow = x->op == IR_OP_sext && x->src[0]->type.bits == 32;
    x = row->narrow ? x->src[0] : x;
    if (x->op != IR_OP_imul || (row->narrow && !(x->flags & IR_NO_WRAP)))
        return false;
    for (unsigned i = 0; i < 2; i++) {
        struct ir_instr *number = x->src[!i];
        if (!is_before(s, x->src[i]) || is_before(s, number))
            continue;
        row->width = x->src[i];
        row->extension = IR_OP_COUNT;
        if (row->narrow)
            split_sum(number, false, row);
        else
            split_wide(s, number, row);
        return true;
    }
    return false;
}

static bool match(const struct strides *s, struct ir_instr *x, struct row *row)
{
    if (x->op != IR_OP_iadd || x->type.bits != 64 || x->type.lanes != 1)
        return false;
    for (unsigned i = 0; i < 2; i++) {
        const struct ir_instr *offset = x->src[i];
        row->shift = 0;
        if (offset->op == IR_OP_shl && ir_is_const(offset->src[1])) {
            row->shift = offset->src[1]->lanes[0];
            offset = offset->src[0];
        }
        if (match_product(s, offset, row)) {
            row->base = x->src[!i];
            row->value = x;
            return true;
        }
    }
    return false;
}

static bool are_parallel(const struct row *r, const struct row *q)
{
    return r->base == q->base && r->first == q->first && r->width == q->width && r->shift == q->shift && r->narrow == q->narrow &&
           r->extension == q->extension;
}

// The known row that is nearest before this one; NULL: none
static const struct row *nearest(const struct strides *s, const struct row *row)
{
    const struct row *best = NULL;
    for (size_t i = s->count < MEMORY ? 0 : s->count - MEMORY; i < s->count; i++) {
        const struct row *r = &s->rows[i % MEMORY];
        if (are_parallel(r, row) && r->count < row->count && row->count - r->count <= MAX_ROWS && (!best || r->count > best->count))
            best = r;
    }
    return best;
}

// Bytes of `rows` rows, computed where the width is.
static struct ir_instr *step_of(const struct strides *s, const struct row *row, int64_t rows)
{
    struct ir_instr *width = row->width;
    struct ir_builder b = {.module = s->f->module, .function = s->f};
    if (opt_is_floating(width)) {
        b.block = ir_first_block(s->f);
        b.before = b.block->first;
    } else {
        b.block = width->block;
        b.before = width->next;
    }
    const struct ir_type wide = row->base->type;
    struct ir_instr *step = row->narrow ? ir_convert(&b, IR_OP_sext, wide, width) : width;
    step = ir_op2(&b, IR_OP_shl, step, ir_const_int(b.module, wide, row->shift));
    return ir_op2(&b, IR_OP_imul, step, ir_const_int(b.module, wide, (uint64_t)rows));
}

static bool visit(struct strides *s, struct ir_instr *x)
{
    struct row row;
    if (!match(s, x, &row))
        return false;
    const struct row *before = nearest(s, &row);
    if (before) {
        struct ir_builder b = ir_before(s->f, x);
        row.value = ir_op2(&b, IR_OP_iadd, before->value, step_of(s, &row, row.count - before->count));
        ir_replace(x, row.value);
    }
    s->rows[s->count++ % MEMORY] = row;
    return before;
}

// Requires: resolved values, lower_memory. Keeps: values. Removes: nothing.
bool opt_strides(struct pass_context *context, struct ir_function *f)
{
    const struct kc_target *target = context->target;
    bool changed = false;
    if (!target || !target->unroll_room || target->register_bytes)
        return false;
    for (struct ir_block *block = ir_first_block(f); block; block = ir_next_block(block)) {
        struct strides s = {.target = target, .f = f, .loop = opt_iterating_loop(block)};
        if (!s.loop)
            continue;
        for (struct ir_instr *x = block->first, *next; x; x = next) {
            next = x->next;
            changed |= visit(&s, x);
        }
    }
    if (changed)
        ir_resolve(f);
    return changed;
}
