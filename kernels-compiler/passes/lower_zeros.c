// SPDX-License-Identifier: Apache-2.0
// Hides constant zeros from drivers that fold them wrongly: the zero is computed from a value unknown to the driver.
//
// Mesa's CPU driver (25) simplifies x + 0 to x, which makes -0 of -0 + 0; 0 / x to 0; and x / 0 to an arbitrary
// value. It does so for constants only, and -0 is not affected. A bitwise or with a zero that the driver cannot know
// hides a constant. What may become a constant once the driver has unrolled loops and inlined calls is hidden too,
// and so is what is a constant for some local sizes. Sums that start with 0 are hidden at the start, which costs
// nothing inside the loop.
#include "passes/opt.h"

// instr.mark: whether a driver may find the instruction to be a constant.
enum {
    FOLDS = 1,
    FOLDS_IN_MEMORY = 2, // also counts values tracked through private arrays
    CHOOSES_ZERO = 4,    // a constant zero, if it is chosen: the driver divides before it chooses
    ASKED = 8,           // the condition of an if, the value of a switch
    ASKED_AGAIN = 16     // and of another one
};

struct zeros {
    struct ir_builder b;
    struct ir_instr *unknown; // i32, 0; built at the start of the function
};

// ---- what may become a constant -----------------------------------------------------------------

static bool has_lane(const struct ir_instr *k, uint64_t bits)
{
    for (unsigned i = 0; i < k->type.lanes; i++)
        if (k->lanes[i] == bits)
            return true;
    return false;
}

// Specialization constants are constants to the driver; in a dimension of size 1, local ids are 0.
static bool follows_constants(const struct ir_instr *x)
{
    return x->op == IR_OP_sys &&
           (x->sys == IR_SYS_VK_SPEC || x->sys == IR_SYS_VK_LOCAL_SIZE || x->sys == IR_SYS_VK_LOCAL_INVOCATION ||
            x->sys == IR_SYS_VK_LOCAL_INDEX || x->sys == IR_SYS_VK_SUBGROUP_ID || x->sys == IR_SYS_VK_SUBGROUP_INVOCATION ||
            x->sys == IR_SYS_VK_NUM_SUBGROUPS);
}

static uint8_t may_be_constant(const struct ir_instr *x)
{
    bool is_known = ir_is_const(x) || x->op == IR_OP_param || x->op == IR_OP_call || follows_constants(x);
    return is_known ? FOLDS | FOLDS_IN_MEMORY : x->mark & ~(ASKED | ASKED_AGAIN);
}

static uint8_t all_may_be_constant(const struct ir_instr *x)
{
    uint8_t all = x->src_count ? FOLDS | FOLDS_IN_MEMORY | CHOOSES_ZERO : 0;
    for (uint32_t i = 0; i < x->src_count; i++)
        all &= may_be_constant(x->src[i]);
    return all;
}

static uint8_t any_may_be_constant(const struct ir_instr *x, uint32_t first)
{
    uint8_t any = 0;
    for (uint32_t i = first; i < x->src_count; i++)
        any |= may_be_constant(x->src[i]);
    return any;
}

// A work-group size is never zero.
static uint8_t may_be_zero(const struct ir_instr *x)
{
    bool is_size = x->op == IR_OP_sys && x->sys == IR_SYS_VK_LOCAL_SIZE;
    return is_size || (ir_is_const(x) && !has_lane(x, 0)) ? 0 : may_be_constant(x);
}

static uint8_t any_may_be_zero(const struct ir_instr *x)
{
    uint8_t any = 0;
    for (uint32_t i = 0; i < x->src_count; i++)
        any |= may_be_zero(x->src[i]);
    return any;
}

// Whether the driver may choose between sources, from `first` on, that are the same constant in a lane: it folds lanes.
static uint8_t same_in_a_lane(const struct ir_instr *x, uint32_t first)
{
    uint8_t all = FOLDS | FOLDS_IN_MEMORY;
    unsigned same = (1u << x->type.lanes) - 1;
    for (uint32_t i = first; i < x->src_count; i++) {
        const struct ir_instr *a = x->src[first], *b = x->src[i];
        for (unsigned k = 0; k < x->type.lanes && ir_is_const(a) && ir_is_const(b); k++)
            same &= a->lanes[k] == b->lanes[k] ? ~0u : ~(1u << k);
        all &= may_be_constant(b);
    }
    return same ? all : 0;
}

static const struct ir_instr *condition_before(const struct ir_block *block)
{
    const struct ir_node *before = block->node.prev;
    if (before && before->kind == IR_SWITCH)
        return ((const struct ir_switch *)before)->value;
    return before && before->kind == IR_IF ? ((const struct ir_if *)before)->cond : NULL;
}

// A phi becomes a constant where the driver knows which source it has: after a branch with a constant condition, in
// another one with the same condition, or in one iteration of an unrolled loop.
static uint8_t phi_may_be_constant(const struct ir_instr *x)
{
    const struct ir_instr *cond = condition_before(x->block);
    uint8_t any = any_may_be_constant(x, 0);
    if (cond && x->src_count > 1)
        return cond->mark & ASKED_AGAIN ? any : (any & may_be_constant(cond)) | same_in_a_lane(x, 0);
    return any;
}

static uint8_t may_choose_zero(const struct ir_instr *x, uint32_t first)
{
    uint8_t any = 0;
    for (uint32_t i = first; i < x->src_count; i++)
        any |= ir_is_const(x->src[i]) ? (has_lane(x->src[i], 0) ? CHOOSES_ZERO : 0) : x->src[i]->mark & CHOOSES_ZERO;
    return any;
}

static uint8_t may_become_constant(const struct ir_instr *x)
{
    switch (x->op) {
    case IR_OP_phi:
        return phi_may_be_constant(x) | may_choose_zero(x, 0);
    case IR_OP_select:
        return (may_be_constant(x->src[0]) & any_may_be_constant(x, 1)) | same_in_a_lane(x, 1) | may_choose_zero(x, 1);
    case IR_OP_vec:
    case IR_OP_insert:
    case IR_OP_shuffle: // lane by lane
        return any_may_be_constant(x, 0);
    case IR_OP_imul:
    case IR_OP_and: // 0 & 0
        return any_may_be_zero(x) | all_may_be_constant(x);
    case IR_OP_shl:
    case IR_OP_lshr:
    case IR_OP_ashr: // 0 shifted by any amount
        return may_be_zero(x->src[0]) | all_may_be_constant(x);
    case IR_OP_elem_load:
        // Floats are hidden when they are stored: for sums in arrays, that costs no more.
        return x->var->space != IR_PRIVATE     ? 0
               : x->type.base == IR_FLOAT ? FOLDS_IN_MEMORY
                                          : FOLDS | FOLDS_IN_MEMORY;
    default:
        return ir_has_flag(x, IR_FLAG_P) ? all_may_be_constant(x) : 0;
    }
}

static void mark_conditions(struct ir_function *f)
{
    for (struct ir_block *block = ir_first_block(f); block; block = ir_next_block(block)) {
        struct ir_instr *cond = (struct ir_instr *)condition_before(block);
        if (cond && !ir_is_const(cond))
            cond->mark |= cond->mark & ASKED ? ASKED_AGAIN : ASKED;
    }
}

static void mark_all(struct ir_function *f)
{
    bool changed = true;
    mark_conditions(f);
    while (changed) {
        changed = false;
        for (struct ir_block *block = ir_first_block(f); block; block = ir_next_block(block))
            for (struct ir_instr *x = block->first; x; x = x->next) {
                uint8_t mark = may_become_constant(x) | (x->mark & (ASKED | ASKED_AGAIN));
                changed |= mark != x->mark;
                x->mark = mark;
            }
    }
}

// ---- hiding -------------------------------------------------------------------------------------

static struct ir_instr *unknown(struct zeros *z)
{
    struct ir_builder b = z->b;
    if (z->unknown)
        return z->unknown;
    ir_place_after_phis(&b, ir_first_block(b.function));
    return z->unknown = opt_hidden_zero(&b);
}

// Placed right after `unknown` if x is a constant, else at the builder's position.
static struct ir_instr *hidden(struct zeros *z, struct ir_instr *x)
{
    struct ir_instr *zero = unknown(z);
    struct ir_builder b = z->b;
    if (ir_is_const(x)) {
        b.block = zero->block;
        b.before = zero->next;
    }
    struct ir_type type = {IR_INT, x->type.bits, x->type.lanes, 0, 0, 0};
    if (type.bits != 32)
        zero = ir_convert(&b, type.bits > 32 ? IR_OP_zext : IR_OP_trunc, ir_int(type.bits), zero);
    zero = ir_splat(&b, zero, type.lanes);
    struct ir_instr *bits = ir_convert(&b, IR_OP_bitcast, type, x);
    return ir_convert(&b, IR_OP_bitcast, x->type, ir_op2(&b, IR_OP_or, bits, zero));
}

static bool hide_source(struct zeros *z, struct ir_instr *x, uint32_t i, uint64_t zero, uint8_t how)
{
    const struct ir_instr *source = x->src[i];
    if (ir_is_const(source) ? !has_lane(source, zero) : !(may_be_constant(source) & how))
        return false;
    x->src[i] = hidden(z, x->src[i]);
    return true;
}

static bool hide_constants(struct zeros *z, struct ir_instr *x)
{
    bool changed = false;
    for (uint32_t i = 0; i < x->src_count; i++)
        if (ir_is_const(x->src[i]) && x->src[i]->type.base == IR_FLOAT)
            changed |= hide_source(z, x, i, 0, FOLDS);
    return changed;
}

static bool hide_both(struct zeros *z, struct ir_instr *x, uint64_t first, uint64_t second,
                      uint8_t how)
{
    bool changed = hide_source(z, x, 0, first, how);
    return hide_source(z, x, 1, second, how) || changed;
}

static bool hide(struct zeros *z, struct ir_instr *x)
{
    if (ir_is_matrix(x->type))
        return false;
    switch (x->op) {
    case IR_OP_fdiv:
        return hide_both(z, x, 0, 0, FOLDS_IN_MEMORY | CHOOSES_ZERO);
    case IR_OP_fadd:
        return !(x->flags & IR_FAST) && hide_both(z, x, 0, 0, FOLDS);
    case IR_OP_fsub: // the driver negates the second operand and adds
        return !(x->flags & IR_FAST) &&
               hide_both(z, x, 0, UINT64_C(1) << (x->type.bits - 1), FOLDS);
    case IR_OP_elem_store:
        return x->var->space != IR_BUFFER && hide_constants(z, x);
    default:
        return false;
    }
}

static bool begins_loop(const struct ir_block *block)
{
    const struct ir_node *owner = block->node.list->owner;
    return owner && owner->kind == IR_LOOP &&
           ir_list_first(&((const struct ir_loop *)owner)->body) == block;
}

static bool hide_loop_starts(struct zeros *z, struct ir_function *f)
{
    bool changed = false;
    for (struct ir_block *block = ir_first_block(f); block; block = ir_next_block(block))
        for (struct ir_instr *x = block->first; x && x->op == IR_OP_phi; x = x->next)
            if (begins_loop(block))
                changed |= hide_constants(z, x);
    return changed;
}

// Requires: lower_arith. Keeps: everything. Removes: constant zeros in sums and quotients, if the target asks for it.
bool lower_zeros(struct pass_context *c, struct ir_function *f)
{
    struct zeros z = {.b = {.module = c->module, .function = f}};
    if (!c->target->hidden_zeros)
        return false;
    bool changed = hide_loop_starts(&z, f);
    mark_all(f);
    for (struct ir_block *block = ir_first_block(f); block; block = ir_next_block(block))
        for (struct ir_instr *x = block->first; x; x = x->next) {
            ir_place_before(&z.b, x);
            changed |= hide(&z, x);
        }
    for (struct ir_block *block = ir_first_block(f); block; block = ir_next_block(block))
        for (struct ir_instr *x = block->first; x; x = x->next)
            x->mark = 0;
    return changed;
}
