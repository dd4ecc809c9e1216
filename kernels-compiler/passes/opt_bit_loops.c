// SPDX-License-Identifier: Apache-2.0
// Loops that only count the bits of a value become one operation.
//
//   while (v) { v &= v - 1; n++; }     ->     n += popcount(v); v = 0;
//   while (v) { v >>= 1; n++; }        ->     n += width - clz(v); v = 0;
//   while (v) { v <<= 1; n++; }        ->     n += width - ctz(v); v = 0;
//
// The counters may have any constant step. Such loops have no other exit, no other values and no effects.
#include "passes/rounds.h"

struct bit_loop {
    struct loop_form form;
    struct ir_instr *bits; // the phi
    enum ir_op count;      // popcount: of its ones, clz, ctz: of the zeros that remain
};

// Whether `x` is the phi, perhaps extended: OpenCL C computes small integers as int.
static bool is_bits(const struct ir_instr *x, const struct ir_instr *bits)
{
    return x == bits || ((x->op == IR_OP_zext || x->op == IR_OP_sext) && opt_resolved(x->src[0]) == bits);
}

// Whether `next` is the value without its lowest one.
static bool drops_lowest(const struct ir_instr *next, const struct ir_instr *bits)
{
    for (unsigned i = 0; i < 2; i++) {
        const struct ir_instr *x = opt_resolved(next->src[i]), *y = opt_resolved(next->src[!i]);
        if (is_bits(x, bits) && y->op == IR_OP_iadd && opt_resolved(y->src[0]) == x && ir_is_const(y->src[1]) &&
            y->src[1]->lanes[0] == UINT64_MAX >> (64 - y->type.bits))
            return true;
    }
    return false;
}

static bool find_count(const struct kc_target *target, struct bit_loop *l)
{
    const struct ir_instr *start = opt_phi_source(l->bits, l->form.before);
    struct ir_instr *next = opt_phi_source(l->bits, l->form.cont_last);
    if (!start || !next)
        return false;
    next = opt_resolved(next);
    if (next->op == IR_OP_trunc)
        next = opt_resolved(next->src[0]);
    l->count = next->op == IR_OP_and ? IR_OP_popcount : next->op == IR_OP_shl ? IR_OP_ctz : IR_OP_clz;
    if (l->count == IR_OP_popcount)
        return drops_lowest(next, l->bits);
    if (next->op != IR_OP_shl && next->op != IR_OP_lshr && next->op != IR_OP_ashr)
        return false;
    const struct ir_instr *shifted = opt_resolved(next->src[0]);
    const bool copies_sign = shifted->op == IR_OP_sext || (shifted == l->bits && next->op == IR_OP_ashr);
    return is_bits(shifted, l->bits) && ir_is_const(next->src[1]) && next->src[1]->lanes[0] == 1 &&
           (next->op == IR_OP_shl || !copies_sign || opt_never_negative(target, start));
}

// The phi that the loop compares with zero, and leaves when it is.
static struct ir_instr *tested_bits(const struct loop_form *l)
{
    struct ir_instr *test = opt_resolved(l->test->cond);
    if (test->op != (l->leaves_if_true ? IR_OP_ieq : IR_OP_ine))
        return NULL;
    for (unsigned i = 0; i < 2; i++) {
        struct ir_instr *x = opt_resolved(test->src[i]), *zero = opt_resolved(test->src[!i]);
        if (x->op == IR_OP_phi && x->block == l->header && x->type.lanes == 1 && ir_is_const(zero) && !zero->lanes[0])
            return x;
    }
    return NULL;
}

// The step of a counter; NULL: the phi is none.
static struct ir_instr *step_of(const struct loop_form *l, const struct ir_instr *phi)
{
    struct ir_instr *next = opt_phi_source(phi, l->cont_last);
    next = next ? opt_resolved(next) : NULL;
    const bool counts = next && phi->type.base == IR_INT && phi->type.lanes == 1 && next->op == IR_OP_iadd &&
                        opt_resolved(next->src[0]) == phi && ir_is_const(next->src[1]);
    return counts ? next->src[1] : NULL;
}

static bool does_nothing_else(const struct bit_loop *l)
{
    const struct ir_block *end = (const struct ir_block *)l->form.loop->node.next;
    for (const struct ir_block *b = l->form.header; b != end; b = ir_next_block(b)) {
        if (b->node.next && b->node.next != &l->form.test->node)
            return false;
        for (const struct ir_instr *x = b->first; x; x = x->next) {
            const bool may = x->op == IR_OP_phi ? x == l->bits || step_of(&l->form, x) : x->op == IR_OP_break || ir_has_flag(x, IR_FLAG_P);
            if (!may)
                return false;
        }
    }
    return true;
}

static void write_out(struct pass_context *context, struct ir_function *f, const struct bit_loop *l)
{
    const struct loop_form *form = &l->form;
    struct ir_builder b = {.module = f->module, .function = f, .block = form->before};
    struct ir_instr *bits = opt_phi_source(l->bits, form->before), *trips = ir_op1(&b, l->count, bits);
    struct ir_instr **ends = ARENA_ARRAY(context->scratch, struct ir_instr *, loop_phi_count(form) + 1);
    if (l->count != IR_OP_popcount)
        trips = ir_op2(&b, IR_OP_isub, ir_const_int(b.module, bits->type, bits->type.bits), trips);
    uint32_t i = 0;
    for (struct ir_instr *x = form->header->first; x && x->op == IR_OP_phi; x = x->next) {
        if (x == l->bits) {
            ends[i++] = ir_const_int(b.module, x->type, 0);
            continue;
        }
        const enum ir_op convert = x->type.bits > bits->type.bits ? IR_OP_zext : IR_OP_trunc;
        struct ir_instr *count = x->type.bits == bits->type.bits ? trips : ir_convert(&b, convert, x->type, trips);
        count = ir_op2(&b, IR_OP_imul, count, step_of(form, x));
        ends[i++] = ir_op2(&b, IR_OP_iadd, opt_phi_source(x, form->before), count);
    }
    loop_write_out_end(f, form, ends, context->scratch);
}

// Requires: phis (after opt_mem2reg). Keeps: values. Removes: loops.
bool opt_bit_loops(struct pass_context *context, struct ir_function *f)
{
    struct opt_nodes nodes = opt_nodes(f, context->scratch);
    bool changed = false;
    for (size_t i = nodes.count; i-- > 0;) {
        struct bit_loop l;
        struct ir_loop *loop = (struct ir_loop *)nodes.items[i];
        if (loop->node.kind != IR_LOOP || !loop_understand(&l.form, loop) || !l.form.test || !(l.bits = tested_bits(&l.form)) ||
            !find_count(context->target, &l) || !does_nothing_else(&l))
            continue;
        write_out(context, f, &l);
        changed = true;
    }
    if (changed)
        ir_resolve(f);
    return changed;
}
