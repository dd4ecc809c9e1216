// SPDX-License-Identifier: Apache-2.0
// Value range analysis: bounds, signs and known zero bits of integers.
//
// Upper bounds follow from types, masks, constants and the limits of work-item ids; signs also from sums and products
// that do not overflow, and from counters that start at zero and increase. Low zero bits follow from shifts, masks
// and factors. The recursion depth is limited to keep queries cheap.
#include "passes/opt.h"
#include "util/stack.h"

enum { MAX_DEPTH = 6 };

static uint64_t type_max(struct ir_type t)
{
    return t.bits >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << t.bits) - 1;
}

static uint64_t const_max(const struct ir_instr *x)
{
    uint64_t max = 0;
    for (unsigned i = 0; i < x->type.lanes; i++)
        max = x->lanes[i] > max ? x->lanes[i] : max;
    return max;
}

static uint64_t sys_max(const struct kc_target *target, const struct ir_instr *x)
{
    uint32_t size = target && x->dim < 3 ? target->max_local_size[x->dim] : 0; // other values have other dimensions
    uint32_t all = target ? target->max_local_invocations : 0;
    uint32_t lanes = target && target->ids_by_lanes ? target->subgroup_size : 0;
    switch (x->sys) {
    case IR_SYS_LOCAL_ID:
    case IR_SYS_VK_LOCAL_INVOCATION:
        return size ? size - 1 : UINT32_MAX;
    case IR_SYS_LOCAL_SIZE:
    case IR_SYS_ENQUEUED_LOCAL_SIZE:
    case IR_SYS_VK_LOCAL_SIZE:
        return size ? size : UINT32_MAX;
    case IR_SYS_LOCAL_LINEAR_ID:
    case IR_SYS_VK_LOCAL_INDEX:
        return all ? all - 1 : UINT32_MAX;
    case IR_SYS_VK_SUBGROUP_INVOCATION:
        return lanes ? lanes - 1 : UINT32_MAX;
    case IR_SYS_VK_SUBGROUP_ID:
        return all && lanes ? (all - 1) / lanes : UINT32_MAX;
    case IR_SYS_WORK_DIM:
        return 3;
    default:
        return type_max(x->type);
    }
}

static uint64_t max_of(const struct kc_target *target, const struct ir_instr *x, unsigned depth)
{
    stack_check();
    uint64_t full = type_max(x->type), l, r;
    if (ir_is_const(x))
        return const_max(x);
    if (depth > MAX_DEPTH || x->type.base != IR_INT)
        return full;
    switch (x->op) {
    case IR_OP_zext:
        return x->src[0]->type.base == IR_BOOL ? 1 : max_of(target, x->src[0], depth + 1);
    case IR_OP_trunc:
        l = max_of(target, x->src[0], depth + 1);
        return l < full ? l : full;
    case IR_OP_sys:
        return sys_max(target, x);
    case IR_OP_clz:
    case IR_OP_ctz:
    case IR_OP_popcount:
        return x->type.bits;
    case IR_OP_and:
    case IR_OP_low_bits:
    case IR_OP_umin:
        l = max_of(target, x->src[0], depth + 1);
        r = max_of(target, x->src[1], depth + 1);
        return l < r ? l : r;
    case IR_OP_or:
    case IR_OP_xor:
        l = max_of(target, x->src[0], depth + 1) | max_of(target, x->src[1], depth + 1);
        return l ? ~UINT64_C(0) >> __builtin_clzll(l) : 0;
    case IR_OP_shl:
        l = max_of(target, x->src[0], depth + 1);
        r = ir_is_const(x->src[1]) && x->type.lanes == 1 ? x->src[1]->lanes[0] & (x->type.bits - 1)
                                                         : 64;
        return r < 64 && l <= full >> r ? l << r : full;
    case IR_OP_umax:
        l = max_of(target, x->src[0], depth + 1);
        r = max_of(target, x->src[1], depth + 1);
        return l > r ? l : r;
    case IR_OP_select:
        l = max_of(target, x->src[1], depth + 1);
        r = max_of(target, x->src[2], depth + 1);
        return l > r ? l : r;
    case IR_OP_lshr:
        return ir_is_const(x->src[1]) && x->type.lanes == 1
                   ? max_of(target, x->src[0], depth + 1) >>
                         (x->src[1]->lanes[0] & (x->type.bits - 1))
                   : full;
    case IR_OP_udiv:
        return max_of(target, x->src[0], depth + 1);
    case IR_OP_urem:
        l = max_of(target, x->src[0], depth + 1);
        r = ir_is_const(x->src[1]) && const_max(x->src[1]) ? const_max(x->src[1]) - 1 : full;
        return l < r ? l : r;
    case IR_OP_iadd:
        l = max_of(target, x->src[0], depth + 1);
        r = max_of(target, x->src[1], depth + 1);
        return l <= full - r ? l + r : full;
    case IR_OP_imul:
        l = max_of(target, x->src[0], depth + 1);
        r = max_of(target, x->src[1], depth + 1);
        return !l || r <= full / l ? l * r : full;
    default:
        return full;
    }
}

uint64_t opt_max(const struct kc_target *target, const struct ir_instr *x)
{
    return max_of(target, x, 0);
}

// The smallest value, with every lane taken as unsigned.
static uint64_t min_of(const struct kc_target *target, const struct ir_instr *x, unsigned depth)
{
    stack_check();
    uint64_t l, r, least = type_max(x->type);
    for (unsigned i = 0; ir_is_const(x) && i < x->type.lanes; i++)
        least = x->lanes[i] < least ? x->lanes[i] : least;
    if (ir_is_const(x))
        return least;
    if (depth > MAX_DEPTH || x->type.base != IR_INT)
        return 0;
    switch (x->op) {
    case IR_OP_zext:
        return x->src[0]->type.base == IR_INT ? min_of(target, x->src[0], depth + 1) : 0;
    case IR_OP_iadd: // if no lane wraps
        l = max_of(target, x->src[0], depth + 1);
        r = max_of(target, x->src[1], depth + 1);
        return l <= least - r ? min_of(target, x->src[0], depth + 1) + min_of(target, x->src[1], depth + 1) : 0;
    case IR_OP_or:
    case IR_OP_umax:
        l = min_of(target, x->src[0], depth + 1);
        r = min_of(target, x->src[1], depth + 1);
        return l > r ? l : r;
    case IR_OP_umin:
        l = min_of(target, x->src[0], depth + 1);
        r = min_of(target, x->src[1], depth + 1);
        return l < r ? l : r;
    case IR_OP_select:
        l = min_of(target, x->src[1], depth + 1);
        r = min_of(target, x->src[2], depth + 1);
        return l < r ? l : r;
    default:
        return 0;
    }
}

uint64_t opt_min(const struct kc_target *target, const struct ir_instr *x)
{
    return min_of(target, x, 0);
}

static bool never_negative(const struct kc_target *target, const struct ir_instr *x,
                           unsigned depth);

// An induction variable that starts at zero or more and is incremented by a sum that does not overflow.
static bool counts_up(const struct kc_target *target, const struct ir_instr *phi, unsigned depth)
{
    bool up = false;
    for (uint32_t i = 0; i < phi->src_count && phi->src_count == 2; i++) {
        const struct ir_instr *x = phi->src[i];
        bool next = x->op == IR_OP_iadd && x->flags & IR_NO_WRAP && x->src[0] == phi;
        up |= next;
        if (!never_negative(target, next ? x->src[1] : x, depth + 1))
            return false;
    }
    return up;
}

static bool never_negative(const struct kc_target *target, const struct ir_instr *x, unsigned depth)
{
    stack_check();
    if (depth > MAX_DEPTH || x->type.base != IR_INT)
        return false;
    if (x->op == IR_OP_phi)
        return counts_up(target, x, depth);
    if (x->flags & IR_NO_WRAP && x->op != IR_OP_isub)
        return never_negative(target, x->src[0], depth + 1) &&
               (x->op == IR_OP_shl || never_negative(target, x->src[1], depth + 1));
    if ((x->op == IR_OP_sext || x->op == IR_OP_ashr) && x->src[0]->type.base == IR_INT)
        return never_negative(target, x->src[0], depth + 1);
    return max_of(target, x, depth) <= type_max(x->type) / 2;
}

// ---- low bits ------------------------------------------------------------------------------------

enum { ALL_ZERO = 64, MAX_PHIS = 4 };

struct guesses { // assumptions about phis whose sources are being examined
    const struct ir_instr *phi[MAX_PHIS];
    unsigned bits[MAX_PHIS], count;
};

static unsigned zero_bits(const struct ir_instr *x, struct guesses *g, unsigned depth);

static unsigned const_zero_bits(const struct ir_instr *x)
{
    uint64_t any = 0;
    for (unsigned i = 0; i < x->type.lanes; i++)
        any |= x->lanes[i];
    return any ? (unsigned)__builtin_ctzll(any) : ALL_ZERO;
}

static unsigned smaller(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

// The bits that all sources have in common, assuming the phi itself has them.
static unsigned phi_zero_bits(const struct ir_instr *phi, struct guesses *g, unsigned depth)
{
    enum { ROUNDS = 4 };
    for (unsigned i = 0; i < g->count; i++)
        if (g->phi[i] == phi)
            return g->bits[i];
    unsigned guess = ALL_ZERO, at = g->count;
    for (unsigned round = 0; round < ROUNDS && at < MAX_PHIS && guess; round++) {
        unsigned bits = guess;
        g->phi[at] = phi;
        g->bits[at] = guess;
        g->count = at + 1;
        for (uint32_t i = 0; i < phi->src_count; i++)
            bits = smaller(bits, zero_bits(phi->src[i], g, depth + 1));
        g->count = at;
        if (bits == guess)
            return guess;
        guess = bits;
    }
    return 0;
}

static unsigned shift_of(const struct ir_instr *x)
{
    return (unsigned)(x->src[1]->lanes[0] & (x->type.bits - 1));
}

static unsigned zero_bits(const struct ir_instr *x, struct guesses *g, unsigned depth)
{
    stack_check();
    unsigned l, r;
    if (ir_is_const(x))
        return const_zero_bits(x);
    if (depth > MAX_DEPTH || x->type.base != IR_INT || x->type.lanes != 1)
        return 0;
    switch (x->op) {
    case IR_OP_zext:
    case IR_OP_sext:
    case IR_OP_trunc:
        return zero_bits(x->src[0], g, depth + 1);
    case IR_OP_iadd:
    case IR_OP_isub:
    case IR_OP_or:
    case IR_OP_xor:
        l = zero_bits(x->src[0], g, depth + 1);
        return smaller(l, zero_bits(x->src[1], g, depth + 1));
    case IR_OP_select:
        l = zero_bits(x->src[1], g, depth + 1);
        return smaller(l, zero_bits(x->src[2], g, depth + 1));
    case IR_OP_and:
        l = zero_bits(x->src[0], g, depth + 1);
        r = zero_bits(x->src[1], g, depth + 1);
        return l > r ? l : r;
    case IR_OP_imul:
        l = zero_bits(x->src[0], g, depth + 1);
        return smaller(l + zero_bits(x->src[1], g, depth + 1), ALL_ZERO);
    case IR_OP_shl:
        if (!ir_is_const(x->src[1]))
            return zero_bits(x->src[0], g, depth + 1);
        return smaller(zero_bits(x->src[0], g, depth + 1) + shift_of(x), ALL_ZERO);
    case IR_OP_lshr:
    case IR_OP_ashr:
        l = zero_bits(x->src[0], g, depth + 1);
        return ir_is_const(x->src[1]) && l > shift_of(x) ? l - shift_of(x) : 0;
    case IR_OP_phi:
        return phi_zero_bits(x, g, depth);
    default:
        return 0;
    }
}

unsigned opt_zero_bits(const struct ir_instr *x)
{
    struct guesses none = {.count = 0};
    return smaller(zero_bits(x, &none, 0), x->type.bits);
}

bool opt_never_negative(const struct kc_target *target, const struct ir_instr *x)
{
    return never_negative(target, x, 0);
}

// ---- dominating conditions -----------------------------------------------------------------------

enum { MAX_TESTS = 16 };

static bool is_at_least(const struct ir_instr *x, int64_t least)
{
    int64_t value = ir_is_const(x) ? (int64_t)(x->lanes[0] << (64 - x->type.bits)) >> (64 - x->type.bits) : INT64_MIN;
    return value >= least && x->type.lanes == 1;
}

// Whether `test` being `holds` implies that x is not negative.
static bool implies_sign(const struct ir_instr *test, bool holds, const struct ir_instr *x)
{
    stack_check();
    test = opt_resolved((struct ir_instr *)test);
    if (test->op == IR_OP_and && holds)
        return implies_sign(test->src[0], true, x) || implies_sign(test->src[1], true, x);
    if (test->op != IR_OP_slt && test->op != IR_OP_sle)
        return false;
    const struct ir_instr *low = opt_resolved(test->src[!holds]), *high = opt_resolved(test->src[holds]);
    bool strict = (test->op == IR_OP_slt) == holds; // low < high, else low <= high
    return high == x && is_at_least(low, strict ? -1 : 0);
}

// For an if before the block: its condition is known if only one of its arms continues.
static bool implies_sign_after(const struct ir_node *node, const struct ir_instr *x)
{
    const struct ir_if *test = (const struct ir_if *)node;
    if (node->kind != IR_IF)
        return false;
    bool then_leaves = ir_ends_in_jump(ir_list_last(&test->then_list));
    bool else_leaves = ir_ends_in_jump(ir_list_last(&test->else_list));
    return then_leaves != else_leaves && implies_sign(test->cond, else_leaves, x);
}

bool opt_tested_not_negative(const struct ir_instr *x, const struct ir_block *at)
{
    const struct ir_node *node = &at->node;
    for (unsigned tests = 0; tests < MAX_TESTS; tests++) {
        if (node->prev) {
            node = node->prev;
            if (implies_sign_after(node, x))
                return true;
            continue;
        }
        const struct ir_list *list = node->list;
        if (!(node = list->owner))
            return false;
        const struct ir_if *around = (const struct ir_if *)node;
        if (node->kind == IR_IF && implies_sign(around->cond, list == &around->then_list, x))
            return true;
    }
    return false;
}
