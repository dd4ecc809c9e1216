// SPDX-License-Identifier: Apache-2.0
// Quotients and remainders of 32 bits by one divisor are products with its reciprocal:
//
//   loop { %3 = urem %1, %0 }   ->   %2 = reciprocal of %0
//                                    loop { %4 = umulhi %1, %2 ; %5 = isub %1, %4 * %0 ; %3 = umin %5, %5 - %0 }
//
// The reciprocal takes as long as a quotient, so that it must be shared: the divisor is the same in all iterations of a
// loop (opt_hoist moves the reciprocal out of it), or a block divides several numbers by it. A uniform number by a uniform
// divisor is left to the driver: its quotient is computed once for a sub-group, and so is an address made from it.
#include "passes/arith.h"
#include "passes/opt.h"

struct seen { // by the divisor's id: what a block divides by it
    const struct ir_block *block;
    const struct ir_instr *number;
    bool several;
};

static bool is_division(const struct ir_instr *x)
{
    const bool divides = x->op == IR_OP_udiv || x->op == IR_OP_urem || x->op == IR_OP_sdiv || x->op == IR_OP_srem;
    return divides && x->type.bits == 32 && x->type.lanes == 1 && !ir_is_const(x->src[1]) && x->src[1]->op != IR_OP_undef &&
           !(opt_is_uniform(opt_resolved(x->src[0]), true) && opt_is_uniform(opt_resolved(x->src[1]), true));
}

static bool has_division(const struct ir_block *b)
{
    const struct ir_instr *x = b->first;
    while (x && !is_division(x))
        x = x->next;
    return x != NULL;
}

static bool is_invariant(const struct ir_instr *x)
{
    const struct ir_node *loop = opt_iterating_loop(x->block);
    return loop && !opt_is_inside(loop, opt_resolved(x->src[1]));
}

static void count(struct seen *seen, const struct ir_instr *x)
{
    struct seen *s = &seen[x->src[1]->id];
    if (s->block != x->block)
        *s = (struct seen){x->block, x->src[0], false};
    s->several |= s->number != x->src[0];
}

// floor((2^32 - 1) / d), so that the product's upper half is a quotient or one less. A step of Newton's method leaves an
// error of 1 if it starts from below (tried for all d and reciprocals of floats with errors of up to 2 ULP).
static struct ir_instr *reciprocal(struct arith *a, struct ir_instr *d)
{
    const double almost_2_32 = 0x1.fffff6p31;
    struct ir_instr *number = ir_convert(&a->b, IR_OP_u2f, ir_float(32), d);
    a->b.flags = IR_FAST;
    struct ir_instr *inverse = op2(a, IR_OP_fdiv, k_float(a, number->type, 1), number);
    a->b.flags = 0;
    struct ir_instr *scaled = op2(a, IR_OP_fmul, inverse, k_float(a, number->type, almost_2_32));
    struct ir_instr *r = ir_convert(&a->b, IR_OP_f2u, d->type, scaled);
    r = op2(a, IR_OP_iadd, r, op2(a, IR_OP_umulhi, r, op2(a, IR_OP_imul, r, op1(a, IR_OP_ineg, d))));
    struct ir_instr *left = op1(a, IR_OP_not, op2(a, IR_OP_imul, r, d));
    return op2(a, IR_OP_iadd, r, convert(a, IR_OP_zext, d->type, op2(a, IR_OP_ule, d, left)));
}

static struct ir_instr *unsigned_result(struct arith *a, struct ir_instr *n, struct ir_instr *d, bool divides)
{
    struct ir_instr *q = op2(a, IR_OP_umulhi, n, reciprocal(a, d)), *left = op2(a, IR_OP_isub, n, op2(a, IR_OP_imul, q, d));
    if (divides)
        return op2(a, IR_OP_iadd, q, convert(a, IR_OP_zext, d->type, op2(a, IR_OP_ule, d, left)));
    return op2(a, IR_OP_umin, left, op2(a, IR_OP_isub, left, d));
}

static void replace(struct arith *a, struct ir_instr *x)
{
    struct ir_instr *n = x->src[0], *d = x->src[1];
    ir_place_before(&a->b, x);
    if (x->op == IR_OP_udiv || x->op == IR_OP_urem) {
        ir_replace(x, unsigned_result(a, n, d, x->op == IR_OP_udiv));
        return;
    }
    n = arith_magnitude(a, n), d = arith_magnitude(a, d);
    ir_replace(x, arith_with_sign(a, x, unsigned_result(a, n, d, x->op == IR_OP_sdiv)));
}

// Requires: resolved values. Keeps: values. Removes: nothing.
bool opt_reciprocals(struct pass_context *c, struct ir_function *f)
{
    struct arith a = {.b = {.module = c->module, .function = f}, .target = c->target};
    bool changed = false;
    if (!c->target || !c->target->products_for_quotients)
        return false;
    struct ir_block *b = ir_first_block(f);
    while (b && !has_division(b))
        b = ir_next_block(b);
    if (!b)
        return false;
    ir_number(f);
    struct seen *seen = ARENA_ARRAY(c->scratch, struct seen, f->instr_count + 1);
    for (; b; b = ir_next_block(b)) {
        for (struct ir_instr *x = b->first; x; x = x->next)
            if (is_division(x))
                count(seen, x);
        for (struct ir_instr *x = b->first, *next; x; x = next) {
            next = x->next;
            if (!is_division(x) || (!seen[x->src[1]->id].several && !is_invariant(x)))
                continue;
            replace(&a, x);
            changed = true;
        }
    }
    if (changed)
        ir_resolve(f);
    return changed;
}
