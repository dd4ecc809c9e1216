// SPDX-License-Identifier: Apache-2.0
// 64-bit quotients -> calls of a generated function, if the target prefers that (kc_target.int64_division_in_32) or
// has no alternative.
//
// Operands that fit 32 bits are divided in 32 bits. Else the quotient's upper word comes from a 32-bit division (0 if
// the divisor has an upper word). The lower word takes two steps with the float reciprocal, rounded down a little, so
// that no step subtracts too much:
//
//   reciprocal = (1 - 2^-20) / float(d)            the sum of all errors is below 2^-20
//   e = uint(float(n) * reciprocal), n -= e * d    n / d: from below 2^32 to below 2^13
//   e = uint(float(n) * reciprocal), n -= e * d    to below 1.02; a comparison does the rest
#include "passes/arith.h"

struct words {
    struct ir_instr *low, *high; // i32
};

static struct ir_instr *wide(struct arith *a, struct ir_instr *x)
{
    return convert(a, IR_OP_zext, ir_int(64), x);
}

static struct words split(struct arith *a, struct ir_instr *x)
{
    return (struct words){convert(a, IR_OP_trunc, ir_int(32), x),
                          convert(a, IR_OP_trunc, ir_int(32), op2k(a, IR_OP_lshr, x, 32))};
}

static struct ir_instr *joined(struct arith *a, struct ir_instr *low, struct ir_instr *high)
{
    struct ir_instr *upper = op2k(a, IR_OP_shl, wide(a, high), 32);
    return op2(a, IR_OP_or, wide(a, low), upper);
}

static struct ir_instr *as_float(struct arith *a, struct words x)
{
    const struct ir_type type = ir_float(32);
    struct ir_instr *high = convert(a, IR_OP_u2f, type, x.high),
                    *low = convert(a, IR_OP_u2f, type, x.low);
    return op2(a, IR_OP_fadd, op2(a, IR_OP_fmul, high, k_float(a, type, 0x1p32)), low);
}

// Merges two values after an if whose lists end here.
static struct ir_instr *merged(struct arith *a, struct ir_if *branch, struct ir_instr *yes,
                               struct ir_instr *no)
{
    struct ir_instr *phi = ir_phi(&a->b, yes->type, 2);
    phi->src[0] = yes;
    phi->preds[0] = ir_list_last(&branch->then_list);
    phi->src[1] = no;
    phi->preds[1] = ir_list_last(&branch->else_list);
    return phi;
}

// One step: subtracts e * d from *n and returns e.
static struct ir_instr *step(struct arith *a, struct ir_instr **n, struct words d,
                             struct ir_instr *reciprocal)
{
    struct ir_instr *e = op2(a, IR_OP_fmul, as_float(a, split(a, *n)), reciprocal);
    e = convert(a, IR_OP_f2u, ir_int(32), e);
    struct ir_instr *low = wide(a, d.low);
    low = op2(a, IR_OP_imul, wide(a, e), low);
    struct ir_instr *high = op2k(a, IR_OP_shl, wide(a, op2(a, IR_OP_imul, e, d.high)), 32);
    *n = op2(a, IR_OP_isub, *n, op2(a, IR_OP_iadd, low, high));
    return e;
}

// The upper word of n / d; removes it from n. It is 0 if d has an upper word.
static struct ir_instr *upper_quotient(struct arith *a, struct words *n, struct words d)
{
    struct ir_instr *zero = k_int(a, ir_int(32), 0);
    struct ir_if *narrow = ir_add_if(&a->b, op2(a, IR_OP_ieq, d.high, zero));
    struct ir_builder after = a->b;
    ir_place_end(&a->b, &narrow->then_list);
    struct ir_instr *quotient = op2(a, IR_OP_udiv, n->high, d.low);
    struct ir_instr *remainder = op2(a, IR_OP_isub, n->high, op2(a, IR_OP_imul, quotient, d.low));
    a->b = after;
    quotient = merged(a, narrow, quotient, zero);
    n->high = merged(a, narrow, remainder, n->high);
    return quotient;
}

// If an operand is an extended byte, NVIDIA's driver (580) assumes the same for the remainder of the first step.
static struct words hidden(struct arith *a, struct words x)
{
    return a->target->hidden_ranges ? (struct words){arith_in_two_parts(a, x.low), x.high} : x;
}

static struct ir_instr *long_division(struct arith *a, struct words n, struct words d,
                                      struct ir_instr *divisor)
{
    n = hidden(a, n);
    d = hidden(a, d);
    struct ir_instr *upper = upper_quotient(a, &n, d), *remainder = joined(a, n.low, n.high);
    a->b.flags = IR_FAST;
    struct ir_instr *reciprocal =
        op2(a, IR_OP_fdiv, k_float(a, ir_float(32), 1 - 0x1p-20), as_float(a, d));
    struct ir_instr *first = step(a, &remainder, d, reciprocal), *second = step(a, &remainder, d, reciprocal);
    a->b.flags = 0;
    struct ir_instr *last = convert(a, IR_OP_zext, ir_int(32), op2(a, IR_OP_ule, divisor, remainder));
    return joined(a, op2(a, IR_OP_iadd, op2(a, IR_OP_iadd, first, second), last), upper);
}

static struct ir_function *quotient_function(struct ir_module *m)
{
    const struct ir_type type = ir_int(64), types[2] = {type, type};
    struct ir_function *f = ir_function_get(m, "quotient.64", type, types, 2);
    if (f->has_body)
        return f;
    ir_function_define(f);
    f->converged = true;
    struct arith a = {.b = ir_at_end(f), .target = m->target};
    struct ir_instr *n = f->params[0], *d = f->params[1];
    struct words nw = split(&a, n), dw = split(&a, d);
    struct ir_instr *either = op2(&a, IR_OP_or, nw.high, dw.high);
    struct ir_if *small = ir_add_if(&a.b, op2k(&a, IR_OP_ieq, either, 0));
    struct ir_builder after = a.b;
    ir_place_end(&a.b, &small->then_list);
    struct ir_instr *yes = wide(&a, op2(&a, IR_OP_udiv, nw.low, dw.low));
    ir_place_end(&a.b, &small->else_list);
    struct ir_instr *no = long_division(&a, nw, dw, d);
    a.b = after;
    ir_jump(&a.b, IR_OP_return, merged(&a, small, yes, no));
    return f;
}

static bool lower_function(struct ir_function *f)
{
    bool changed = false;
    for (struct ir_block *block = ir_first_block(f); block; block = ir_next_block(block)) {
        for (struct ir_instr *x = block->first, *next; x; x = next) {
            next = x->next;
            if (x->op != IR_OP_udiv || x->type.bits != 64 || ir_is_matrix(x->type))
                continue;
            struct ir_builder b = {.module = f->module, .function = f};
            ir_place_before(&b, x);
            ir_replace(x, ir_call(&b, quotient_function(f->module), x->src, 2));
            changed = true;
        }
    }
    if (changed)
        ir_resolve(f);
    return changed;
}

// Requires: lower_arith, which leaves unsigned scalar divisions. Keeps: everything. Removes: 64-bit division, if the
// target wants that.
bool lower_division(struct pass_context *c)
{
    size_t count = c->module->functions.count; // excludes the function made here
    bool changed = false;
    bool wanted = c->target->int64_division_in_32 || !c->target->int64;
    for (size_t i = 0; i < count && wanted; i++)
        if (c->module->functions.items[i]->has_body)
            changed |= lower_function(c->module->functions.items[i]);
    return changed;
}
