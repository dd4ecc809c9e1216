// SPDX-License-Identifier: Apache-2.0
// Combines sums of products of four bytes into dot products, if the device has such an instruction.
//
//   %4 = extract i8 %1 lane 0 ; %5 = sext i32 %4 ; ... ; %9 = imul %5, %8 ; ... ; %20 = iadd %19, %9
//     ->     %21 = bitcast i32 %1 ; %22 = bitcast i32 %2 ; %23 = sdot4 %21, %22
//
// Nested sums in one block without other uses are flattened to one list of terms. Four terms with lanes 0 to 3 of the
// same two vectors (or of the same quarters of wider ones) are a dot product. Sums wrap, so the order of terms does
// not matter.
#include "passes/opt.h"
#include "util/stack.h"

enum { MAX_TERMS = 64 };

struct factor { // an extended byte: a lane of a vector
    struct ir_instr *bytes;
    unsigned lane;
    bool is_signed;
};

struct term {
    struct ir_instr *value;
    struct factor a, b; // bytes NULL: not a product of bytes
    bool used;
};

struct dots {
    struct pass_context *context;
    struct ir_function *f;
    uint32_t *uses; // by instr->id
    bool *inner;    // a sum whose only use is as a term of another sum
    struct term terms[MAX_TERMS];
    unsigned count;
};

static bool is_sum(const struct ir_instr *x) { return x->op == IR_OP_iadd && x->type.lanes == 1 && x->type.bits == 32; }

static bool extends_bytes(const struct ir_instr *x)
{
    return (x->op == IR_OP_sext || x->op == IR_OP_zext) && x->src[0]->type.bits == 8 && x->type.bits == 32;
}

// Lane `lane` of x, which is an extended vector of bytes.
static struct factor factor_of_lane(const struct ir_instr *x, unsigned lane)
{
    struct factor f = {.lane = lane};
    if (extends_bytes(x) && x->src[0]->type.lanes >= 4) {
        f.bytes = x->src[0];
        f.is_signed = x->op == IR_OP_sext;
    }
    return f;
}

static struct factor factor_of(const struct ir_instr *x)
{
    if (x->op == IR_OP_extract)
        return factor_of_lane(x->src[0], x->index);
    const struct ir_instr *lane = extends_bytes(x) ? x->src[0] : NULL;
    if (!lane || lane->op != IR_OP_extract || lane->src[0]->type.lanes < 4)
        return (struct factor){0};
    return (struct factor){lane->src[0], lane->index, x->op == IR_OP_sext};
}

// The canonical order of a product's factors.
static bool comes_after(const struct factor *a, const struct factor *b)
{
    if (a->bytes != b->bytes)
        return a->bytes->id > b->bytes->id;
    return a->lane != b->lane ? a->lane > b->lane : a->is_signed < b->is_signed;
}

static struct term term_of(const struct dots *d, struct ir_instr *x)
{
    struct term t = {.value = opt_resolved(x)};
    const struct ir_instr *product = x->op == IR_OP_extract ? x->src[0] : x;
    if (!x->block || product->op != IR_OP_imul || d->uses[x->id] != 1)
        return t;
    bool lanes = product != x;
    struct factor a = lanes ? factor_of_lane(product->src[0], x->index) : factor_of(product->src[0]);
    struct factor b = lanes ? factor_of_lane(product->src[1], x->index) : factor_of(product->src[1]);
    if (!a.bytes || !b.bytes || a.lane % 4 != b.lane % 4)
        return t;
    bool swap = comes_after(&a, &b);
    t.a = swap ? b : a;
    t.b = swap ? a : b;
    return t;
}

static void collect(struct dots *d, struct ir_instr *sum)
{
    stack_check();
    for (uint32_t i = 0; i < 2 && d->count < MAX_TERMS; i++) {
        struct ir_instr *x = sum->src[i];
        if (x->block == sum->block && d->inner[x->id])
            collect(d, x);
        else
            d->terms[d->count++] = term_of(d, x);
    }
}

static bool is_lane_of_dot(const struct term *t, const struct term *first, unsigned lane)
{
    return !t->used && t->a.bytes && t->a.bytes == first->a.bytes && t->b.bytes == first->b.bytes &&
           t->a.lane == first->a.lane + lane && t->b.lane == first->b.lane + lane && t->a.is_signed == first->a.is_signed &&
           t->b.is_signed == first->b.is_signed;
}

// Finds the terms of lanes 1 to 3 that go with `first`, which is lane 0 of its quarter.
static bool find_others(struct dots *d, const struct term *first, struct term *found[3])
{
    unsigned count = 0;
    for (unsigned lane = 1; lane < 4; lane++)
        for (unsigned i = 0; i < d->count; i++)
            if (is_lane_of_dot(&d->terms[i], first, lane)) {
                found[count++] = &d->terms[i];
                break;
            }
    return count == 3;
}

static struct ir_instr *word_of(struct ir_builder *b, const struct factor *f)
{
    uint8_t lanes[4] = {(uint8_t)f->lane, (uint8_t)(f->lane + 1), (uint8_t)(f->lane + 2), (uint8_t)(f->lane + 3)};
    struct ir_instr *four = f->bytes->type.lanes == 4 ? f->bytes : ir_shuffle(b, f->bytes, f->bytes, lanes, 4);
    return ir_convert(b, IR_OP_bitcast, ir_int(32), four);
}

static struct ir_instr *dot_of(struct ir_builder *b, const struct term *t)
{
    struct ir_instr *x = word_of(b, &t->a), *y = word_of(b, &t->b);
    if (t->a.is_signed != t->b.is_signed)
        return ir_op2(b, IR_OP_sudot4, t->a.is_signed ? x : y, t->a.is_signed ? y : x);
    return ir_op2(b, t->a.is_signed ? IR_OP_sdot4 : IR_OP_udot4, x, y);
}

static bool rewrite(struct dots *d, struct ir_instr *root)
{
    struct ir_builder b = {.module = d->context->module, .function = d->f};
    struct ir_instr *sum = NULL;
    struct term *others[3];
    ir_place_before(&b, root);
    for (unsigned i = 0; i < d->count; i++) {
        struct term *t = &d->terms[i];
        if (t->used || !t->a.bytes || t->a.lane % 4 || !find_others(d, t, others))
            continue;
        t->used = others[0]->used = others[1]->used = others[2]->used = true;
        struct ir_instr *dot = dot_of(&b, t);
        sum = sum ? ir_op2(&b, IR_OP_iadd, sum, dot) : dot;
    }
    for (unsigned i = 0; sum && i < d->count; i++)
        if (!d->terms[i].used)
            sum = ir_op2(&b, IR_OP_iadd, sum, d->terms[i].value);
    if (sum)
        ir_replace(root, sum);
    return sum != NULL;
}

static void find_inner(struct dots *d)
{
    d->inner = ARENA_ARRAY(d->context->scratch, bool, d->f->instr_count + 1);
    for (struct ir_block *b = ir_first_block(d->f); b; b = ir_next_block(b))
        for (struct ir_instr *x = b->first; x; x = x->next)
            for (uint32_t i = 0; is_sum(x) && i < 2; i++) {
                const struct ir_instr *s = x->src[i];
                if (s->block == b)
                    d->inner[s->id] = is_sum(s) && d->uses[s->id] == 1;
            }
}

// Requires: lane reads are extracts (opt_mem2reg). Keeps: values. Removes: products and sums.
bool opt_dots(struct pass_context *context, struct ir_function *f)
{
    struct dots d = {.context = context, .f = f};
    bool changed = false;
    if (!context->target->quick_dot4)
        return false;
    ir_number(f);
    d.uses = opt_use_counts(f, context->scratch);
    find_inner(&d);
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b))
        for (struct ir_instr *x = b->first, *next; x; x = next) {
            next = x->next;
            if (!is_sum(x) || d.inner[x->id])
                continue;
            d.count = 0;
            collect(&d, x);
            changed |= d.count >= 4 && d.count < MAX_TERMS && rewrite(&d, x);
        }
    if (changed)
        ir_resolve(f);
    return changed;
}
