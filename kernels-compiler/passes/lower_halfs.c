// SPDX-License-Identifier: Apache-2.0
// Halfs -> 16-bit integers with their bits, for devices without half (kc_target.float16).
//
// Without cl_khr_fp16, programs only load, store and convert halfs. Conversions work on bits, round to nearest even
// and preserve NaN, independent of the device's treatment of denormals.
#include "passes/arith.h"

struct halfs {
    struct arith a;
    bool changed;
};

static bool is_half(struct ir_type type) { return type.base == IR_FLOAT && type.bits == 16 && !ir_is_matrix(type); }

static struct ir_type bits_type(struct ir_type type)
{
    return is_half(type) ? int_like(type) : type;
}

static struct ir_instr *as_float32(struct arith *a, struct ir_instr *bits)
{
    return convert(a, IR_OP_bitcast, ir_with_lanes(ir_float(32), bits->type.lanes), bits);
}

static struct ir_instr *not_below(struct arith *a, struct ir_instr *x, uint32_t least)
{
    return op2(a, IR_OP_ule, k_int(a, x->type, least), x);
}

// ---- to float ------------------------------------------------------------------------------------

static struct ir_instr *to_float(struct halfs *h, struct ir_instr *half)
{
    struct arith *a = &h->a;
    struct ir_type type = with_bits(half->type, 32), as = ir_with_lanes(ir_float(32), type.lanes);
    struct ir_instr *bits = convert(a, IR_OP_zext, type, half);
    struct ir_instr *size = op2k(a, IR_OP_and, bits, 0x7fff), *sign = op2k(a, IR_OP_shl, op2k(a, IR_OP_and, bits, 0x8000), 16);
    struct ir_instr *normal = op2k(a, IR_OP_iadd, op2k(a, IR_OP_shl, size, 13), 112 << 23);
    struct ir_instr *small = op2(a, IR_OP_fmul, convert(a, IR_OP_u2f, as, size), k_float(a, as, 0x1p-24)); // exact
    struct ir_instr *special = op2k(a, IR_OP_or, op2k(a, IR_OP_shl, size, 13), 0x7f800000);
    struct ir_instr *value = as_int(a, small);
    value = pick(a, op2k(a, IR_OP_ult, size, 0x400), value, normal);
    value = pick(a, not_below(a, size, 0x7c00), special, value); // infinity, NaN
    return as_float32(a, op2(a, IR_OP_or, value, sign));
}

// ---- from floats ---------------------------------------------------------------------------------

// Halfs below 2^-14 are multiples of 2^-24: shifts the mantissa so that its unit is 2^-24, rounding to nearest even.
static struct ir_instr *small_half(struct arith *a, struct ir_instr *size)
{
    struct ir_instr *mantissa = op2k(a, IR_OP_or, op2k(a, IR_OP_and, size, 0x7fffff), 0x800000);
    struct ir_instr *spare = op2(a, IR_OP_isub, k_int(a, size->type, 126), op2k(a, IR_OP_lshr, size, 23));
    spare = op2k(a, IR_OP_and, op2k(a, IR_OP_umin, spare, 30), 31); // with larger shifts the result is 0 too
    struct ir_instr *below_half = op2(a, IR_OP_shl, k_int(a, size->type, 1), op2k(a, IR_OP_and, op2k(a, IR_OP_iadd, spare, 31), 31));
    below_half = op2k(a, IR_OP_isub, below_half, 1);
    struct ir_instr *odd = op2k(a, IR_OP_and, op2(a, IR_OP_lshr, mantissa, spare), 1);
    return op2(a, IR_OP_lshr, op2(a, IR_OP_iadd, op2(a, IR_OP_iadd, mantissa, below_half), odd), spare);
}

// From a float's magnitude bits and a half's sign bit.
static struct ir_instr *half_of(struct arith *a, struct ir_instr *size, struct ir_instr *sign, struct ir_type to)
{
    struct ir_instr *odd = op2k(a, IR_OP_and, op2k(a, IR_OP_lshr, size, 13), 1);
    struct ir_instr *normal = op2(a, IR_OP_iadd, op2k(a, IR_OP_isub, size, (112 << 23) - 0xfff), odd);
    normal = op2k(a, IR_OP_lshr, normal, 13);
    struct ir_instr *nan = op2k(a, IR_OP_or, op2k(a, IR_OP_and, op2k(a, IR_OP_lshr, size, 13), 0x3ff), 0x7e00);
    struct ir_instr *value = small_half(a, size);
    value = pick(a, not_below(a, size, 0x38800000), normal, value);
    value = pick(a, not_below(a, size, 0x477ff000), k_int(a, size->type, 0x7c00), value); // rounds to infinity
    value = pick(a, not_below(a, size, 0x7f800001), nan, value);
    return convert(a, IR_OP_trunc, to, op2(a, IR_OP_or, value, sign));
}

static struct ir_instr *from_float(struct halfs *h, struct ir_instr *x, struct ir_type to)
{
    struct arith *a = &h->a;
    struct ir_instr *bits = as_int(a, x);
    struct ir_instr *sign = op2k(a, IR_OP_and, op2k(a, IR_OP_lshr, bits, 16), 0x8000);
    return half_of(a, op2k(a, IR_OP_and, bits, 0x7fffffff), sign, to);
}

// Converts to a float that rounds to the same half: discarded bits set the last bit (round to odd).
static struct ir_instr *from_double(struct halfs *h, struct ir_instr *x, struct ir_type to)
{
    struct arith *a = &h->a;
    struct ir_type type = ir_with_lanes(ir_int(32), x->type.lanes);
    struct ir_instr *bits = as_int(a, x), *low = convert(a, IR_OP_trunc, type, bits);
    struct ir_instr *high = convert(a, IR_OP_trunc, type, op2k(a, IR_OP_lshr, bits, 32));
    struct ir_instr *exponent = op2k(a, IR_OP_and, op2k(a, IR_OP_lshr, high, 20), 0x7ff);
    struct ir_instr *lost = op2k(a, IR_OP_ine, op2k(a, IR_OP_and, low, 0x1fffffff), 0);
    struct ir_instr *mantissa = op2k(a, IR_OP_lshr, low, 29);
    mantissa = op2(a, IR_OP_or, op2k(a, IR_OP_shl, op2k(a, IR_OP_and, high, 0xfffff), 3), mantissa);
    mantissa = op2(a, IR_OP_or, mantissa, convert(a, IR_OP_zext, type, lost));
    struct ir_instr *size = op2(a, IR_OP_or, op2k(a, IR_OP_shl, op2k(a, IR_OP_isub, exponent, 896), 23), mantissa);
    size = pick(a, not_below(a, exponent, 897), size, k_int(a, type, 0));
    size = pick(a, not_below(a, exponent, 1151), k_int(a, type, 0x47800000), size);
    struct ir_instr *special = op2k(a, IR_OP_or, mantissa, 0x7f800000);
    size = pick(a, op2k(a, IR_OP_ieq, exponent, 0x7ff), special, size);
    return half_of(a, size, op2k(a, IR_OP_and, op2k(a, IR_OP_lshr, high, 16), 0x8000), to);
}

// ---- the pass ------------------------------------------------------------------------------------

static struct ir_instr *bits_of(struct ir_module *m, struct ir_instr *x)
{
    bool floats = is_half(x->type) && !x->block;
    if (floats && ir_is_const(x))
        return ir_const(m, int_like(x->type), x->lanes);
    return floats && x->op == IR_OP_undef ? ir_undef(m, int_like(x->type)) : x;
}

static bool computes(const struct ir_instr *x)
{
    bool floats = ir_ops[x->op].rule == IR_RULE_FLOAT && is_half(x->type);
    return floats || (ir_ops[x->op].rule == IR_RULE_COMPARE && is_half(x->src[0]->type));
}

// Gives everything the type of its bits. From here on, a conversion between floats and 16-bit integers is one of
// halfs.
static void retype(struct halfs *h, struct ir_instr *x)
{
    struct ir_module *m = h->a.b.module;
    if (computes(x))
        ir_fail(m, x->origin, "the device does not support half arithmetic");
    for (uint32_t i = 0; i < x->src_count; i++)
        x->src[i] = bits_of(m, x->src[i]);
    h->changed |= is_half(x->type);
    x->type = bits_type(x->type);
}

static struct ir_instr *widened(struct halfs *h, struct ir_instr *x, struct ir_type to)
{
    return convert(&h->a, IR_OP_f2f, to, to_float(h, x));
}

// The replacement of a conversion; NULL if it remains.
static struct ir_instr *converted(struct halfs *h, struct ir_instr *x)
{
    struct ir_instr *from = x->src[0];
    struct ir_type single = ir_with_lanes(ir_float(32), x->type.lanes);
    bool to_half = x->type.base == IR_INT, from_half = from->type.base == IR_INT;
    switch (x->op) {
    case IR_OP_f2f:
        if (from_half)
            return to_half ? from : widened(h, from, x->type);
        if (!to_half)
            return NULL;
        return from->type.bits == 64 ? from_double(h, from, x->type) : from_float(h, from, x->type);
    case IR_OP_s2f:
    case IR_OP_u2f: // integers in a half's range are exact in float
        return to_half ? from_float(h, convert(&h->a, (enum ir_op)x->op, single, from), x->type) : NULL;
    case IR_OP_f2s:
    case IR_OP_f2u: return from_half ? convert(&h->a, (enum ir_op)x->op, x->type, to_float(h, from)) : NULL;
    case IR_OP_bitcast: return ir_type_eq(from->type, x->type) ? from : NULL;
    default: return NULL;
    }
}

// Done for all functions first, because they call each other.
static void retype_signature(struct ir_function *f)
{
    for (uint32_t i = 0; i < f->param_count; i++)
        f->params[i]->type = bits_type(f->params[i]->type);
    f->result = bits_type(f->result);
}

static void retype_vars(struct ir_var *const *vars, size_t count)
{
    for (size_t i = 0; i < count; i++)
        vars[i]->elem = bits_type(vars[i]->elem);
}

static bool lower_function(struct pass_context *c, struct ir_function *f)
{
    struct halfs h = {.a = {.b = {.module = c->module, .function = f}, .target = c->target}};
    retype_vars(f->vars.items, f->vars.count);
    for (struct ir_block *block = ir_first_block(f); block; block = ir_next_block(block))
        for (struct ir_instr *x = block->first; x; x = x->next)
            retype(&h, x);
    for (struct ir_block *block = ir_first_block(f); block && !c->module->error; block = ir_next_block(block)) {
        for (struct ir_instr *x = block->first, *next; x; x = next) {
            next = x->next;
            ir_resolve_sources(x);
            ir_place_before(&h.a.b, x);
            struct ir_instr *value = x->src_count == 1 ? converted(&h, x) : NULL;
            if (!value)
                continue;
            ir_replace(x, value);
            h.changed = true;
        }
    }
    if (h.changed)
        ir_resolve(f);
    f->converged &= !h.changed;
    return h.changed;
}

// Requires: lower_vectors. Keeps: everything. Removes: halfs, where the device has none.
bool lower_halfs(struct pass_context *c)
{
    struct ir_module *m = c->module;
    bool changed = false;
    if (c->target->float16)
        return false;
    for (size_t i = 0; i < m->functions.count; i++)
        retype_signature(m->functions.items[i]);
    retype_vars(m->vars.items, m->vars.count);
    for (size_t i = 0; i < m->functions.count; i++)
        changed |= m->functions.items[i]->has_body && lower_function(c, m->functions.items[i]);
    return changed;
}
