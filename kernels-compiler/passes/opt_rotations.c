// SPDX-License-Identifier: Apache-2.0
// Rotations by a constant compute one shift amount as the difference of the other one.
//
//   %2 = shl %1, 7 ; %3 = lshr %1, 25 ; %4 = or %2, %3
//   ->   %5 = isub 32, 7 ; %2 = shl %1, 7 ; %3 = lshr %1, %5 ; %4 = or %2, %3
//
// Intel's compiler in Mesa combines two shifts into a rotation only if one amount is an explicit difference. The pattern is
// matched before constants are folded. Each difference is computed once, at the start of the function.
#include "passes/opt.h"

enum { MAX_BITS = 32, LANES = 4 };

struct rotations {
    struct ir_function *f;
    struct ir_builder b; // at the start of the function
    struct ir_instr *differences[2][LANES + 1][MAX_BITS]; // by width, lanes, count
    bool changed;
};

// The constant amount of a shift, the same in all lanes; 0: none.
static unsigned amount(const struct ir_instr *shift)
{
    const struct ir_instr *by = shift->src[1];
    for (unsigned i = 0; i < by->type.lanes; i++)
        if (!ir_is_const(by) || by->lanes[i] != by->lanes[0] || by->lanes[i] >= shift->type.bits)
            return 0;
    return (unsigned)by->lanes[0];
}

static struct ir_instr *difference(struct rotations *r, struct ir_type type, unsigned count)
{
    struct ir_instr **made = &r->differences[type.bits == MAX_BITS][type.lanes][count];
    if (!*made) {
        struct ir_module *m = r->b.module;
        struct ir_instr *of[2] = {ir_const_int(m, type, type.bits), ir_const_int(m, type, count)};
        *made = ir_build_unfolded(&r->b, IR_OP_isub, type, of, 2);
    }
    return *made;
}

static void visit(struct rotations *r, struct ir_instr *x)
{
    if ((x->op != IR_OP_or && x->op != IR_OP_xor && x->op != IR_OP_iadd) || x->type.base != IR_INT || x->type.lanes > LANES ||
        (x->type.bits != 16 && x->type.bits != MAX_BITS))
        return;
    unsigned i = x->src[0]->op == IR_OP_lshr;
    struct ir_instr *left = x->src[i], *right = x->src[!i];
    if (left->op != IR_OP_shl || right->op != IR_OP_lshr || left->src[0] != right->src[0])
        return;
    unsigned count = amount(left);
    if (!count || amount(right) != x->type.bits - count)
        return;
    right->src[1] = difference(r, x->type, count);
    x->op = IR_OP_or; // no bit is in both
    x->flags = 0;
    r->changed = true;
}

// Requires: no later pass folds constants. Keeps: values. Removes: nothing.
bool opt_rotations(struct pass_context *c, struct ir_function *f)
{
    if (!c->target || !c->target->rotations_by_difference)
        return false;
    struct rotations r = {.f = f, .b = {.module = c->module, .function = f}};
    ir_place_after_phis(&r.b, ir_first_block(f));
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b))
        for (struct ir_instr *x = b->first; x; x = x->next)
            visit(&r, x);
    return r.changed;
}
