// SPDX-License-Identifier: Apache-2.0
// Replaces 64-bit integer arithmetic by 32-bit arithmetic if the result is the same: on a GPU, 64-bit operations are
// two to thirty times as expensive.
//
//   trunc(iadd64(zext %i, %n))   ->  iadd32(%i, trunc %n)      the low half of a sum depends only on low halves
//   udiv64(zext %i, 10)          ->  zext(udiv32(%i, 10))      both operands are known to fit
//
// Upper bounds come from opt_range.c.
#include "passes/opt.h"
#include "util/stack.h"

enum { MAX_DEPTH = 6, MAX_TRUNCATIONS = 4 }; // truncations are cheap, but not free

struct narrow {
    struct ir_module *m;
    const struct kc_target *target;
    struct ir_builder b;
    uint32_t *uses, use_count;
    bool changed;
};

// ---- low halves ---------------------------------------------------------------------------------

static bool free_leaf(const struct ir_instr *x)
{
    return ir_is_const(x) || x->op == IR_OP_zext || x->op == IR_OP_sext || x->op == IR_OP_undef;
}

static bool low_part_op(const struct ir_instr *x)
{
    switch (x->op) {
    case IR_OP_iadd:
    case IR_OP_isub:
    case IR_OP_imul:
    case IR_OP_ineg:
    case IR_OP_and:
    case IR_OP_or:
    case IR_OP_xor:
    case IR_OP_not:
        return true;
    case IR_OP_shl:
        return ir_is_const(x->src[1]) && x->type.lanes == 1;
    default:
        return false;
    }
}

// Whether the low part of `x` can be computed at no extra cost; `truncations` counts leaves that need a truncation.
static bool can_shrink(const struct narrow *n, const struct ir_instr *x, unsigned bits,
                       unsigned depth, unsigned *truncations)
{
    stack_check();
    if (free_leaf(x))
        return true;
    if (!low_part_op(x) || depth > MAX_DEPTH || x->id >= n->use_count || n->uses[x->id] > 1)
        return ++*truncations <= MAX_TRUNCATIONS && depth > 0;
    if (x->op == IR_OP_shl && (x->src[1]->lanes[0] & 63) >= bits)
        return false;
    uint32_t count = x->op == IR_OP_shl ? 1 : x->src_count;
    for (uint32_t i = 0; i < count; i++)
        if (!can_shrink(n, x->src[i], bits, depth + 1, truncations))
            return false;
    return true;
}

static struct ir_instr *shrink(struct narrow *n, struct ir_instr *x, struct ir_type type,
                               unsigned depth)
{
    stack_check();
    struct ir_instr *src[2];
    if (free_leaf(x) || !low_part_op(x) || depth > MAX_DEPTH || x->id >= n->use_count ||
        n->uses[x->id] > 1)
        return ir_convert(&n->b, IR_OP_trunc, type, x);
    for (uint32_t i = 0; i < x->src_count; i++)
        src[i] = x->op == IR_OP_shl && i ? ir_const_int(n->m, type, x->src[1]->lanes[0] & 63)
                                         : shrink(n, x->src[i], type, depth + 1);
    return ir_build(&n->b, x->op, type, src, x->src_count);
}

static struct ir_instr *low_half(struct narrow *n, struct ir_instr *x)
{
    unsigned truncations = 0;
    struct ir_instr *wide = x->src[0];
    if (wide->type.bits != 64 || x->type.bits != 32 || !low_part_op(wide))
        return NULL;
    return can_shrink(n, wide, 32, 0, &truncations) ? shrink(n, wide, x->type, 0) : NULL;
}

// ---- values that fit in 32 bits -----------------------------------------------------------------

static struct ir_instr *fitting(struct narrow *n, struct ir_instr *x)
{
    struct ir_type half = x->type;
    half.bits = 32;
    if (x->type.base != IR_INT || x->type.bits != 64 ||
        opt_max(n->target, x->src[0]) > UINT32_MAX || opt_max(n->target, x->src[1]) > UINT32_MAX)
        return NULL;
    bool division = x->op == IR_OP_udiv || x->op == IR_OP_urem;
    bool bits = x->op == IR_OP_and || x->op == IR_OP_or || x->op == IR_OP_xor;
    if (bits && (!free_leaf(x->src[0]) || !free_leaf(x->src[1])))
        return NULL;
    if (!division && !bits &&
        (opt_max(n->target, x) > UINT32_MAX || !free_leaf(x->src[0]) || !free_leaf(x->src[1])))
        return NULL;
    struct ir_instr *l = ir_convert(&n->b, IR_OP_trunc, half, x->src[0]);
    struct ir_instr *r = ir_convert(&n->b, IR_OP_trunc, half, x->src[1]);
    return ir_convert(&n->b, IR_OP_zext, x->type, ir_op2(&n->b, x->op, l, r));
}

// A shift of a zero-extended value is done before the extension.
static struct ir_instr *shift_before(struct narrow *n, struct ir_instr *x)
{
    struct ir_instr *from = x->src[0];
    if (from->op != IR_OP_zext || from->src[0]->type.base != IR_INT || !ir_is_const(x->src[1]) ||
        x->type.lanes != 1)
        return NULL;
    uint64_t amount = x->src[1]->lanes[0] & (x->type.bits - 1);
    struct ir_type type = from->src[0]->type;
    if (amount >= type.bits)
        return ir_const_int(n->m, x->type, 0);
    struct ir_instr *low =
        ir_op2(&n->b, IR_OP_lshr, from->src[0], ir_const_int(n->m, type, amount));
    return ir_convert(&n->b, IR_OP_zext, x->type, low);
}

// A mask of low bits that clears nothing, because the operand is known to be at most the mask.
static struct ir_instr *idle_mask(const struct narrow *n, const struct ir_instr *x)
{
    uint64_t mask = ir_is_const(x->src[1]) && x->type.base == IR_INT ? x->src[1]->lanes[0] : 0;
    for (unsigned i = 1; mask && i < x->type.lanes; i++)
        mask = x->src[1]->lanes[i] == mask ? mask : 0;
    bool low = mask && !(mask & (mask + 1));
    return low && opt_max(n->target, x->src[0]) <= mask ? x->src[0] : NULL;
}

static struct ir_instr *better(struct narrow *n, struct ir_instr *x)
{
    switch (x->op) {
    case IR_OP_trunc:
        return low_half(n, x);
    case IR_OP_sext:
        return x->src[0]->type.base == IR_INT && opt_never_negative(n->target, x->src[0])
                   ? ir_convert(&n->b, IR_OP_zext, x->type, x->src[0])
                   : NULL;
    case IR_OP_sdiv:
    case IR_OP_srem:
        if (!opt_never_negative(n->target, x->src[0]) || !opt_never_negative(n->target, x->src[1]))
            return NULL;
        return ir_op2(&n->b, x->op == IR_OP_sdiv ? IR_OP_udiv : IR_OP_urem, x->src[0], x->src[1]);
    case IR_OP_udiv:
    case IR_OP_urem:
    case IR_OP_imul:
    case IR_OP_or:
    case IR_OP_xor:
    case IR_OP_iadd:
        return fitting(n, x);
    case IR_OP_and: {
        struct ir_instr *all = idle_mask(n, x);
        return all ? all : fitting(n, x);
    }
    case IR_OP_lshr:
        return shift_before(n, x);
    default:
        return NULL;
    }
}

// Requires: nothing. Keeps: values. Removes: nothing permanently.
bool opt_narrow(struct pass_context *context, struct ir_function *f)
{
    struct narrow n = {.m = context->module, .target = context->target};
    n.b = (struct ir_builder){.module = n.m, .function = f};
    n.uses = opt_use_counts(f, context->scratch);
    n.use_count = f->instr_count;
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b))
        for (struct ir_instr *x = b->first, *next; x; x = next) {
            next = x->next;
            for (uint32_t i = 0; i < x->src_count; i++)
                x->src[i] = opt_resolved(x->src[i]);
            if (!ir_has_flag(x, IR_FLAG_P) || x->op == IR_OP_phi || !x->src_count)
                continue;
            ir_place_before(&n.b, x);
            struct ir_instr *with = better(&n, x);
            if (with && opt_resolved(with) != x) {
                ir_replace(x, with);
                n.changed = true;
            }
        }
    ir_resolve_phis(f);
    return n.changed;
}
