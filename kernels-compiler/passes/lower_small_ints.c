// SPDX-License-Identifier: Apache-2.0
// Arithmetic on 8- and 16-bit integers -> 32 bits, for devices without it or with a driver that does not clear the
// upper bits (kc_target.small_ints_in_32).
//
// A small value is held zero-extended in 32 bits; operations that need the sign extend it first. Only loads, stores,
// calls and bitcasts use the small type; if the device lacks the type, only loads, stores and conversions next to
// them.
#include "passes/arith.h"

struct small {
    struct arith a;
    struct ir_function *function;
    struct ir_instr **wide; // by instr->id
    VEC(struct ir_instr *) phis;
    bool changed;
};

static bool is_small(struct ir_type type) { return type.base == IR_INT && type.bits < 32 && !ir_is_matrix(type); }

static struct ir_type wide_type(struct ir_type type) { return is_small(type) ? with_bits(type, 32) : type; }

static bool is_absent(const struct kc_target *target) { return !target->int8 || !target->int16; }

static uint64_t mask_of(unsigned bits) { return (UINT64_C(1) << bits) - 1; }

// The 32-bit value for `x`; anything but a small integer is returned unchanged.
static struct ir_instr *widen(struct small *s, struct ir_instr *x)
{
    if (!is_small(x->type))
        return x;
    if (x->op == IR_OP_const)
        return ir_const(s->a.b.module, wide_type(x->type), x->lanes);
    if (x->op == IR_OP_undef)
        return k_int(&s->a, wide_type(x->type), 0);
    if (x->op == IR_OP_param && is_absent(s->a.target))
        return s->function->params[x->index];
    if (!s->wide[x->id]) // a parameter: extended at its uses
        return convert(&s->a, IR_OP_zext, wide_type(x->type), x);
    return s->wide[x->id];
}

static struct ir_instr *clear(struct small *s, struct ir_instr *x, unsigned bits)
{
    return op2k(&s->a, s->a.target->hidden_ranges ? IR_OP_low_bits : IR_OP_and, x, mask_of(bits));
}

// The value before clear(), for uses that shift out or mask the upper bits anyway.
static struct ir_instr *uncleared(struct small *s, struct ir_instr *wide, unsigned bits)
{
    bool lane = wide->op == IR_OP_extract;
    struct ir_instr *x = lane ? wide->src[0] : wide;
    if ((x->op != IR_OP_and && x->op != IR_OP_low_bits) || !ir_is_const(x->src[1]))
        return wide;
    for (unsigned i = 0; i < x->type.lanes; i++)
        if ((x->src[1]->lanes[i] & mask_of(bits)) != mask_of(bits))
            return wide;
    return lane ? ir_extract(&s->a.b, x->src[0], wide->index) : x->src[0];
}

static struct ir_instr *narrow(struct small *s, struct ir_instr *x)
{
    if (!is_small(x->type))
        return x;
    struct ir_instr *wide = uncleared(s, widen(s, x), x->type.bits);
    return wide->op == IR_OP_zext && wide->src[0] == x ? x : convert(&s->a, IR_OP_trunc, x->type, wide);
}

// Whether x is a negation, or has the same low bits as one: k - x where those bits of k are 0.
static bool is_opposite(const struct ir_instr *x, unsigned bits)
{
    x = x->op == IR_OP_extract ? x->src[0] : x;
    if (x->op != IR_OP_isub || !ir_is_const(x->src[0]))
        return x->op == IR_OP_ineg;
    for (unsigned i = 0; i < x->type.lanes; i++)
        if ((x->src[0]->lanes[i] & mask_of(bits)) == 0)
            return true;
    return false;
}

static struct ir_instr *sign_extended(struct small *s, struct ir_instr *x)
{
    if (!is_small(x->type))
        return x;
    unsigned unused = 32u - x->type.bits;
    struct ir_instr *wide = widen(s, x);
    if (wide->op == IR_OP_zext && wide->src[0] == x) // a loaded value
        return convert(&s->a, IR_OP_sext, wide->type, x);
    wide = uncleared(s, wide, x->type.bits);
    // Through the small type, which NVIDIA's driver (580) does not see through: otherwise it simplifies the extension
    // of k - extended(x) to -extended(x), which is wrong for the smallest x.
    if (s->a.target->hidden_ranges && is_opposite(wide, x->type.bits))
        return convert(&s->a, IR_OP_sext, wide->type, convert(&s->a, IR_OP_trunc, x->type, wide));
    return op2k(&s->a, IR_OP_ashr, op2k(&s->a, IR_OP_shl, wide, unused), unused);
}

// ---- operations ----------------------------------------------------------------------------------

enum how { AS_IS, CLEARED, SIGNED, SHIFT, SIGNED_SHIFT };

static enum how how_of(enum ir_op op)
{
    switch (op) {
    case IR_OP_iadd:
    case IR_OP_isub:
    case IR_OP_imul:
    case IR_OP_ineg:
    case IR_OP_not: return CLEARED;
    case IR_OP_sdiv:
    case IR_OP_srem:
    case IR_OP_smin:
    case IR_OP_smax:
    case IR_OP_slt:
    case IR_OP_sle: return SIGNED;
    case IR_OP_shl:
    case IR_OP_lshr: return SHIFT;
    case IR_OP_ashr: return SIGNED_SHIFT;
    default: return AS_IS;
    }
}

// A quotient by zero may have any bits, which would corrupt other lanes of a word: the driver assumes the range of a
// byte quotient and does not mask it.
static struct ir_instr *divisor(struct small *s, const struct ir_instr *x)
{
    struct ir_instr *by = widen(s, x->src[1]);
    bool known = ir_is_const(by);
    for (unsigned i = 0; known && i < by->type.lanes; i++)
        known = by->lanes[i] != 0;
    return known ? by : op2k(&s->a, IR_OP_umax, by, 1);
}

static struct ir_instr *same_operation(struct small *s, struct ir_instr *x)
{
    enum how how = how_of((enum ir_op)x->op);
    struct ir_instr *src[16];
    unsigned bits = x->src[x->src_count - 1]->type.bits;
    for (uint32_t i = 0; i < x->src_count; i++)
        src[i] = how == SIGNED || (how == SIGNED_SHIFT && i == 0) ? sign_extended(s, x->src[i]) : widen(s, x->src[i]);
    if (how == SHIFT || how == SIGNED_SHIFT)
        src[1] = op2k(&s->a, IR_OP_and, src[1], bits - 1u);
    if (x->op == IR_OP_udiv || x->op == IR_OP_urem)
        src[1] = divisor(s, x);
    struct ir_instr *value = ir_build(&s->a.b, (enum ir_op)x->op, wide_type(x->type), src, x->src_count);
    return how != AS_IS && is_small(x->type) ? clear(s, value, x->type.bits) : value;
}

static struct ir_instr *high_product(struct small *s, struct ir_instr *x)
{
    bool is_signed = x->op == IR_OP_smulhi;
    struct ir_instr *left = is_signed ? sign_extended(s, x->src[0]) : widen(s, x->src[0]);
    struct ir_instr *right = is_signed ? sign_extended(s, x->src[1]) : widen(s, x->src[1]);
    return clear(s, op2k(&s->a, IR_OP_lshr, op2(&s->a, IR_OP_imul, left, right), x->type.bits), x->type.bits);
}

static struct ir_instr *counted(struct small *s, struct ir_instr *x)
{
    unsigned bits = x->type.bits;
    struct ir_instr *wide = widen(s, x->src[0]);
    if (x->op == IR_OP_ctz)
        wide = op2k(&s->a, IR_OP_or, wide, UINT64_C(1) << bits);
    wide = op1(&s->a, (enum ir_op)x->op, wide);
    if (x->op == IR_OP_clz)
        return op2k(&s->a, IR_OP_isub, wide, 32 - bits);
    return x->op == IR_OP_bitreverse ? op2k(&s->a, IR_OP_lshr, wide, 32 - bits) : wide;
}

// c ? k : l as l ^ (c & (k ^ l)), for drivers that miscompile divisions by one of two small constants.
static struct ir_instr *choice(struct small *s, struct ir_instr *x)
{
    struct ir_type type = wide_type(x->type);
    uint64_t difference[16];
    for (unsigned i = 0; i < type.lanes; i++)
        difference[i] = x->src[1]->lanes[i] ^ x->src[2]->lanes[i];
    struct ir_instr *masked = convert(&s->a, IR_OP_sext, ir_with_lanes(type, x->src[0]->type.lanes), x->src[0]);
    masked = clear(s, masked, x->type.bits);
    if (masked->type.lanes != type.lanes)
        masked = ir_splat(&s->a.b, masked, type.lanes);
    masked = op2(&s->a, IR_OP_and, masked, ir_const(s->a.b.module, type, difference));
    return op2(&s->a, IR_OP_xor, masked, widen(s, x->src[2]));
}

static bool is_choice(const struct small *s, const struct ir_instr *x)
{
    return s->a.target->hidden_ranges && x->op == IR_OP_select && ir_is_const(x->src[1]) && ir_is_const(x->src[2]);
}

// Conversions between integers; bools are unchanged.
static struct ir_instr *extended(struct small *s, struct ir_instr *x)
{
    struct ir_instr *from = x->src[0];
    struct ir_type to = wide_type(x->type);
    struct ir_instr *value = x->op == IR_OP_sext && from->type.base != IR_BOOL ? sign_extended(s, from) : widen(s, from);
    if (x->op == IR_OP_trunc)
        value = convert(&s->a, IR_OP_trunc, to, value);
    else
        value = convert(&s->a, (enum ir_op)x->op, to, value);
    bool cut = x->op != IR_OP_zext || (from->type.base == IR_BOOL && s->a.target->hidden_ranges);
    return is_small(x->type) && cut ? clear(s, value, x->type.bits) : value;
}

static struct ir_instr *float_conversion(struct small *s, struct ir_instr *x)
{
    if (!is_small(x->type)) {
        struct ir_instr *from = x->op == IR_OP_s2f ? sign_extended(s, x->src[0]) : widen(s, x->src[0]);
        return convert(&s->a, (enum ir_op)x->op, x->type, from);
    }
    return clear(s, convert(&s->a, (enum ir_op)x->op, wide_type(x->type), x->src[0]), x->type.bits);
}

static struct ir_instr *vector_operation(struct small *s, struct ir_instr *x)
{
    struct ir_instr *from = widen(s, x->src[0]);
    switch (x->op) {
    case IR_OP_extract: return ir_extract(&s->a.b, from, x->index);
    case IR_OP_insert: return ir_insert(&s->a.b, from, widen(s, x->src[1]), x->index);
    default: return ir_shuffle(&s->a.b, from, widen(s, x->src[1]), x->shuffle, x->type.lanes);
    }
}

// ---- instructions with small types ---------------------------------------------------------------

// Keeps the instruction: narrows its small sources and widens its small result.
static void keep_small(struct small *s, struct ir_instr *x)
{
    for (uint32_t i = 0; i < x->src_count; i++)
        x->src[i] = narrow(s, x->src[i]);
    if (!is_small(x->type))
        return;
    struct ir_builder after = s->a.b;
    after.before = x->next;
    struct ir_builder here = s->a.b;
    s->a.b = after;
    s->wide[x->id] = convert(&s->a, IR_OP_zext, wide_type(x->type), x);
    s->a.b = here;
}

// ---- vectors in memory ---------------------------------------------------------------------------
//
// Vectors are packed to and unpacked from words here: drivers that use 32 bits for small integers do it slowly.

static unsigned words_of(struct ir_type type)
{
    uint32_t bytes = ir_type_bytes(type);
    return is_small(type) && type.lanes > 1 && type.lanes != 3 && bytes % 4 == 0 ? bytes / 4 : 0;
}

static bool is_by_words(const struct ir_instr *x, struct ir_type type) { return words_of(type) && x->mem.align >= 4; }

static struct ir_instr *unpacked(struct small *s, struct ir_instr *words, struct ir_type type)
{
    struct ir_instr *lanes[4];
    for (unsigned i = 0; i < type.lanes; i++) {
        struct ir_instr *word = ir_extract(&s->a.b, words, i * type.bits / 32);
        unsigned shift = i * type.bits % 32;
        word = shift ? op2k(&s->a, IR_OP_lshr, word, shift) : word;
        lanes[i] = shift + type.bits < 32 ? op2k(&s->a, IR_OP_and, word, mask_of(type.bits)) : word;
    }
    return ir_vec(&s->a.b, lanes, type.lanes);
}

static struct ir_instr *packed(struct small *s, struct ir_instr *wide, struct ir_type type)
{
    struct ir_instr *words[2] = {NULL};
    for (unsigned i = 0; i < type.lanes; i++) {
        unsigned shift = i * type.bits % 32;
        struct ir_instr *lane = ir_extract(&s->a.b, wide, i), **word = &words[i * type.bits / 32];
        *word = shift ? op2(&s->a, IR_OP_or, *word, op2k(&s->a, IR_OP_shl, lane, shift)) : lane;
    }
    return words[1] ? ir_vec(&s->a.b, words, 2) : words[0];
}

static struct ir_instr *load(struct small *s, struct ir_instr *x)
{
    if (!is_by_words(x, x->type)) {
        keep_small(s, x);
        return NULL;
    }
    struct ir_type words = {IR_INT, 32, (uint8_t)words_of(x->type), 0, 0, 0};
    return unpacked(s, ir_load(&s->a.b, words, x->src[0], x->mem), x->type);
}

static void store(struct small *s, struct ir_instr *x)
{
    struct ir_type type = x->src[1]->type;
    if (is_by_words(x, type))
        x->src[1] = packed(s, widen(s, x->src[1]), type);
    else
        keep_small(s, x);
}

// Casts between 16 bits and two bytes.
static struct ir_instr *cast_half_word(struct small *s, struct ir_instr *from, struct ir_type to)
{
    struct ir_instr *word = widen(s, from), *lanes[2];
    if (from->type.lanes == 2)
        return packed(s, word, from->type);
    for (unsigned i = 0; i < 2; i++)
        lanes[i] = op2k(&s->a, IR_OP_and, op2k(&s->a, IR_OP_lshr, word, 8 * i), 0xff);
    return to.lanes == 2 ? ir_vec(&s->a.b, lanes, 2) : word;
}

static struct ir_instr *bitcast(struct small *s, struct ir_instr *x)
{
    struct ir_instr *from = x->src[0];
    if (is_absent(s->a.target) && is_small(from->type) && is_small(x->type) && ir_type_bytes(x->type) == 2)
        return cast_half_word(s, from, x->type);
    if (is_absent(s->a.target) && words_of(from->type) && is_small(x->type))
        return unpacked(s, packed(s, widen(s, from), from->type), x->type);
    if (words_of(from->type) && !is_small(x->type))
        return convert(&s->a, IR_OP_bitcast, x->type, packed(s, widen(s, from), from->type));
    if (words_of(x->type) && from->type.base == IR_INT && from->type.bits == 32)
        return unpacked(s, from, x->type);
    keep_small(s, x);
    return NULL;
}

// Calls pass types that the device lacks as 32 bits.
static void lower_call(struct small *s, struct ir_instr *x)
{
    if (!is_absent(s->a.target)) {
        keep_small(s, x);
        return;
    }
    for (uint32_t i = 0; i < x->src_count; i++)
        x->src[i] = widen(s, x->src[i]);
    if (!is_small(x->type))
        return;
    s->wide[x->id] = ir_build_like(&s->a.b, (enum ir_op)x->op, wide_type(x->type), x->src, x->src_count, x);
    ir_remove(x);
}

// Done for all functions first, because they call each other.
static void lower_signature(struct ir_function *f)
{
    for (uint32_t i = 0; i < f->param_count; i++) {
        if (!is_small(f->params[i]->type))
            continue;
        f->params[i] = arena_copy(f->module->arena, f->params[i], sizeof *f->params[i]);
        f->params[i]->type = wide_type(f->params[i]->type);
    }
    f->result = wide_type(f->result);
}

static void lower_phi(struct small *s, struct ir_instr *x)
{
    struct ir_instr *made = ir_phi(&s->a.b, wide_type(x->type), x->src_count);
    memcpy(made->preds, x->preds, x->src_count * sizeof *x->preds);
    s->wide[x->id] = made;
    vec_push(s->function->module->arena, &s->phis, x);
    ir_remove(x);
}

static void place_at_end(struct small *s, struct ir_block *block)
{
    s->a.b.block = block;
    s->a.b.before = ir_ends_in_jump(block) ? block->last : NULL;
}

static void fill_phis(struct small *s)
{
    for (size_t i = 0; i < s->phis.count; i++) {
        struct ir_instr *x = s->phis.items[i];
        for (uint32_t k = 0; k < x->src_count; k++) {
            place_at_end(s, x->preds[k]);
            s->wide[x->id]->src[k] = widen(s, x->src[k]);
        }
    }
}

static struct ir_instr *lowered(struct small *s, struct ir_instr *x)
{
    switch (x->op) {
    case IR_OP_umulhi:
    case IR_OP_smulhi: return high_product(s, x);
    case IR_OP_clz:
    case IR_OP_ctz:
    case IR_OP_popcount:
    case IR_OP_bitreverse: return counted(s, x);
    case IR_OP_trunc:
    case IR_OP_zext:
    case IR_OP_sext: return extended(s, x);
    case IR_OP_s2f:
    case IR_OP_u2f:
    case IR_OP_f2s:
    case IR_OP_f2u: return float_conversion(s, x);
    case IR_OP_extract:
    case IR_OP_insert:
    case IR_OP_shuffle: return vector_operation(s, x);
    case IR_OP_bitcast: return bitcast(s, x);
    case IR_OP_load: return load(s, x);
    case IR_OP_store: store(s, x); return NULL;
    case IR_OP_atomic:
    case IR_OP_elem_load:
    case IR_OP_elem_store:
    case IR_OP_elem_atomic:
    case IR_OP_mat_splat:
    case IR_OP_mat_get:
    case IR_OP_mat_set: keep_small(s, x); return NULL;
    case IR_OP_call:
    case IR_OP_return: lower_call(s, x); return NULL;
    default: return is_choice(s, x) ? choice(s, x) : same_operation(s, x);
    }
}

static bool concerns(const struct ir_instr *x)
{
    for (uint32_t i = 0; x->op != IR_OP_phi && i < x->src_count; i++)
        if (is_small(x->src[i]->type))
            return true;
    return is_small(x->type);
}

static void lower_instr(struct small *s, struct ir_instr *x)
{
    ir_place_before(&s->a.b, x);
    if (x->op == IR_OP_phi) {
        lower_phi(s, x);
        return;
    }
    struct ir_instr *value = lowered(s, x);
    if (!value)
        return;
    if (is_small(x->type)) {
        s->wide[x->id] = value;
        ir_remove(x);
    } else {
        ir_replace(x, value);
    }
}

static void lower_switch(struct small *s, struct ir_block *block)
{
    struct ir_node *next = block->node.next;
    if (!next || next->kind != IR_SWITCH || !is_small(((struct ir_switch *)next)->value->type))
        return;
    place_at_end(s, block);
    ((struct ir_switch *)next)->value = widen(s, ((struct ir_switch *)next)->value);
}

static bool lower_function(struct pass_context *c, struct ir_function *f)
{
    struct small s = {.function = f};
    s.a = (struct arith){.b = {.module = c->module, .function = f}, .target = c->target};
    ir_number(f);
    uint32_t count = f->instr_count;
    s.wide = ARENA_ARRAY(c->module->arena, struct ir_instr *, count + 1);
    for (struct ir_block *block = ir_first_block(f); block; block = ir_next_block(block)) {
        for (struct ir_instr *x = block->first, *next; x; x = next) {
            next = x->next;
            ir_resolve_sources(x); // for all instructions, because folding may look through sources
            if (!concerns(x))
                continue;
            s.changed = true;
            lower_instr(&s, x);
        }
        lower_switch(&s, block);
    }
    fill_phis(&s);
    ir_resolve(f);
    f->converged &= !s.changed;
    return s.changed;
}

// Requires: lower_vectors. Keeps: everything. Removes: arithmetic on 8- and 16-bit integers, if the target lacks it
// or prefers 32 bits.
bool lower_small_ints(struct pass_context *c)
{
    struct ir_module *m = c->module;
    bool changed = false;
    if (!c->target->small_ints_in_32 && !is_absent(c->target))
        return false;
    for (size_t i = 0; i < m->functions.count && is_absent(c->target); i++)
        lower_signature(m->functions.items[i]);
    for (size_t i = 0; i < m->functions.count; i++)
        changed |= m->functions.items[i]->has_body && lower_function(c, m->functions.items[i]);
    return changed;
}
