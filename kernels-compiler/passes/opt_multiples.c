// SPDX-License-Identifier: Apache-2.0
// Neighbouring multiples of a value are computed from each other by additions.
//
//   %3 = shl %1, 1 ; %4 = iadd %0, %3 ; %5 = imul %1, 3 ; %6 = iadd %0, %5     ->     ... %6 = iadd %4, %1
//   %3 = imul %0, %1 ; %4 = iadd %0, 1 ; %5 = imul %4, %1                      ->     ... %5 = iadd %3, %1
//
// Unrolled loops index rows of memory like this: `a[i + k * stride]`, `a[(row + k) * width + i]`. A product takes a GPU several
// instructions, and Mesa's compilers compute each product separately. Only within a block, and only among the last few sums.
// Multiples of a value that is uniform in the work-group are left alone: a GPU computes those once.
#include "passes/opt.h"

enum { MEMORY = 64, MAX_SHIFT = 16 };

enum kind { MULTIPLE, SUM, PRODUCT };

struct sum { // MULTIPLE: count * unit, SUM: base + count * unit, PRODUCT: (base + count) * unit
    enum kind kind;
    struct ir_instr *value, *base, *unit;
    int64_t count;
};

struct multiples {
    struct ir_function *f;
    const uint32_t *uses;
    struct sum sums[MEMORY]; // the last of the block: a ring
    size_t count;
    bool changed;
};

static bool constant(const struct ir_instr *x, int64_t *value)
{
    if (!ir_is_const(x))
        return false;
    *value = x->type.bits == 32 ? (int32_t)x->lanes[0] : (int64_t)x->lanes[0];
    return true;
}

// Splits x into a value and a constant operand of that operation.
static bool with_constant(const struct ir_instr *x, enum ir_op op, struct ir_instr **value, int64_t *k)
{
    if (opt_is_floating(x) || x->op != op)
        return false;
    unsigned i = constant(x->src[0], k) && op != IR_OP_shl;
    *value = x->src[i];
    return i || constant(x->src[1], k);
}

static bool is_multiple(const struct ir_instr *x, struct sum *s)
{
    if (with_constant(x, IR_OP_imul, &s->unit, &s->count))
        return true;
    if (!with_constant(x, IR_OP_shl, &s->unit, &s->count) || s->count < 0 || s->count > MAX_SHIFT)
        return false;
    s->count = INT64_C(1) << s->count;
    return true;
}

// ---- known sums ----------------------------------------------------------------------

static void remember(struct multiples *m, const struct sum *s, struct ir_instr *value)
{
    struct sum *place = &m->sums[m->count++ % MEMORY];
    *place = *s;
    place->value = value;
}

static const struct sum *recent(const struct multiples *m, size_t i)
{
    return i < MEMORY && i < m->count ? &m->sums[(m->count - 1 - i) % MEMORY] : NULL;
}

// An existing value that is `count` times the unit; NULL: none.
static struct ir_instr *known(const struct multiples *m, struct ir_instr *unit, int64_t count)
{
    const struct sum *s;
    for (size_t i = 0; count != 1 && (s = recent(m, i)); i++)
        if (s->kind == MULTIPLE && s->unit == unit && s->count == count)
            return s->value;
    return count == 1 ? unit : NULL;
}

// Computes the sum from another one and a known multiple; NULL: there are none.
static struct ir_instr *from_neighbour(struct multiples *m, const struct sum *wanted, struct ir_instr *x)
{
    const struct sum *s;
    for (size_t i = 0; (s = recent(m, i)); i++) {
        if (s->kind != wanted->kind || s->base != wanted->base || s->unit != wanted->unit || s->count == wanted->count)
            continue;
        int64_t distance = (int64_t)((uint64_t)wanted->count - (uint64_t)s->count);
        struct ir_instr *step = known(m, s->unit, distance < 0 ? -distance : distance);
        struct ir_builder b = ir_before(m->f, x);
        if (step)
            return ir_op2(&b, distance < 0 ? IR_OP_isub : IR_OP_iadd, s->value, step);
    }
    return NULL;
}

// ---- the pass -----------------------------------------------------------------------------------

// Computes x from a neighbour, if that saves an operation, and remembers it. True: it was replaced.
static bool visit_sum(struct multiples *m, struct ir_instr *x, const struct sum *s, bool saves)
{
    struct ir_instr *made = saves ? from_neighbour(m, s, x) : NULL;
    remember(m, s, made ? made : x);
    if (!made)
        return false;
    ir_replace(x, made);
    return m->changed = true;
}

// Each source can be the base.
static void visit(struct multiples *m, struct ir_instr *x)
{
    struct sum s = {.kind = MULTIPLE};
    if (x->type.base != IR_INT || x->type.lanes > 1 || x->type.bits < 32 || ir_is_matrix(x->type))
        return;
    if (is_multiple(x, &s)) {
        remember(m, &s, x);
        return;
    }
    bool replaced = false;
    for (unsigned i = 0; i < 2 && !replaced && (x->op == IR_OP_iadd || x->op == IR_OP_imul); i++) {
        struct ir_instr *base = x->src[i], *other = x->src[!i];
        if (x->op == IR_OP_imul) {
            s = (struct sum){PRODUCT, NULL, base, other, 0};
            if (!with_constant(base, IR_OP_iadd, &s.base, &s.count))
                s.base = base, s.count = 0;
            replaced = visit_sum(m, x, &s, true);
        } else if (!ir_is_const(other)) {
            s = (struct sum){SUM, NULL, base, other, 1};
            bool saves = is_multiple(other, &s) && m->uses[other->id] == 1 && !opt_is_uniform(s.unit, false);
            s.kind = SUM;
            replaced = visit_sum(m, x, &s, saves);
        }
    }
}

// Requires: lower_memory. Keeps: values. Removes: products.
bool opt_multiples(struct pass_context *c, struct ir_function *f)
{
    if (!c->target->multiples_by_sums)
        return false;
    struct multiples m = {.f = f, .uses = opt_use_counts(f, c->scratch)};
    for (struct ir_block *block = ir_first_block(f); block; block = ir_next_block(block)) {
        m.count = 0;
        for (struct ir_instr *x = block->first, *next; x; x = next) {
            next = x->next;
            ir_resolve_sources(x);
            visit(&m, x);
        }
    }
    if (m.changed)
        ir_resolve(f);
    return m.changed;
}
