// SPDX-License-Identifier: Apache-2.0
// Replaces arithmetic in double by arithmetic in float if the result is the same. Programs write constants without an f:
//
//   f2f f32 (fmul f64 (f2f f64 %x), 0.5)     ->   fmul f32 %x, 0.5
//   flt (f2f f64 %x), 0.1                    ->   flt %x, 0.1 rounded up
//   f2s i32 (f2f f64 %x)                     ->   f2s i32 %x
//
// A product of two floats is exact in double, and a double has more than twice the bits of a float, so that a sum, too,
// is rounded to the same float whether or not it has been rounded to a double before (Figueroa 1995). This holds for one
// operation whose operands are floats or constants that a float can represent. Only on devices that preserve the denormals
// of floats. Comparisons with a constant that is larger than denormals do not depend on that.
#include <math.h>

#include "passes/opt.h"
#include "util/stack.h"

enum { MAX_DEPTH = 4 };

// A lane of a constant as a float; false if it is none.
static bool float_of(uint64_t lane, uint64_t *bits)
{
    *bits = ir_float_bits(32, ir_float_value(64, lane));
    return ir_float_bits(64, ir_float_value(32, *bits)) == lane;
}

static bool is_float_constant(const struct ir_instr *x)
{
    uint64_t bits;
    for (unsigned i = 0; ir_is_const(x) && i < x->type.lanes; i++)
        if (!float_of(x->lanes[i], &bits))
            return false;
    return ir_is_const(x);
}

static bool is_double(struct ir_type t) { return t.base == IR_FLOAT && t.bits == 64 && !ir_is_matrix(t); }

static bool is_extended(const struct ir_instr *x) { return x->op == IR_OP_f2f && opt_resolved(x->src[0])->type.bits == 32; }

// Whether the double is a float's value, which is known without arithmetic
static bool is_float(const struct ir_instr *x, unsigned depth)
{
    stack_check();
    x = opt_resolved((struct ir_instr *)x);
    if (x->op == IR_OP_select && depth < MAX_DEPTH)
        return is_float(x->src[1], depth + 1) && is_float(x->src[2], depth + 1);
    if ((x->op == IR_OP_fneg || x->op == IR_OP_fabs) && depth < MAX_DEPTH)
        return is_float(x->src[0], depth + 1);
    return is_extended(x) || is_float_constant(x);
}

static struct ir_type as_float(struct ir_type t) { return (struct ir_type){IR_FLOAT, 32, t.lanes, 0, 0, 0}; }

static struct ir_instr *float_value(struct ir_builder *b, struct ir_instr *x)
{
    stack_check();
    x = opt_resolved(x);
    uint64_t lanes[16];
    struct ir_type type = as_float(x->type);
    if (x->op == IR_OP_select)
        return ir_op3(b, IR_OP_select, x->src[0], float_value(b, x->src[1]), float_value(b, x->src[2]));
    if (x->op == IR_OP_fneg || x->op == IR_OP_fabs)
        return ir_op1(b, (enum ir_op)x->op, float_value(b, x->src[0]));
    if (!ir_is_const(x))
        return opt_resolved(x->src[0]);
    for (unsigned i = 0; i < type.lanes; i++)
        float_of(x->lanes[i], &lanes[i]);
    return ir_const(b->module, type, lanes);
}

static bool is_comparison(const struct ir_instr *x)
{
    return x->op == IR_OP_feq || x->op == IR_OP_flt || x->op == IR_OP_fle || x->op == IR_OP_fne;
}

// Operations on floats may treat denormals as zero where the device does not preserve them.
static bool keeps_denormals(const struct ir_builder *b) { return b->module->target->denorm_preserve[1]; }

// A float which floats compare with as they do with the lane; `up`: the smallest one above a lane that is no float, else
// the largest one below it.
static bool round_lane(const struct ir_builder *b, uint64_t lane, bool exactly, bool up, uint64_t *bits)
{
    const double value = ir_float_value(64, lane);
    float near = (float)ir_float_value(32, ir_float_bits(32, value));
    if (isnan(value) || (exactly && near != value))
        return false;
    if (up ? near < value : near > value)
        near = nextafterf(near, up ? INFINITY : -INFINITY);
    *bits = ir_float_bits(32, near);
    return keeps_denormals(b) || fabsf(near) >= 0x1p-126f;
}

static struct ir_instr *narrow_comparison_with(struct ir_builder *b, const struct ir_instr *x, unsigned place)
{
    const struct ir_instr *constant = opt_resolved(x->src[place]);
    const bool exactly = x->op == IR_OP_feq || x->op == IR_OP_fne, up = (x->op == IR_OP_flt) == (place == 1);
    uint64_t lanes[16];
    if (!ir_is_const(constant) || ir_is_const(opt_resolved(x->src[!place])) || !is_float(x->src[!place], 0))
        return NULL;
    for (unsigned i = 0; i < constant->type.lanes; i++)
        if (!round_lane(b, constant->lanes[i], exactly, up, &lanes[i]))
            return NULL;
    struct ir_instr *rounded = ir_const(b->module, as_float(constant->type), lanes), *other = float_value(b, x->src[!place]);
    return ir_op2(b, (enum ir_op)x->op, place ? other : rounded, place ? rounded : other);
}

static struct ir_instr *narrow_comparison(struct ir_builder *b, const struct ir_instr *x)
{
    if (!is_double(x->src[0]->type))
        return NULL;
    for (unsigned place = 0; place < 2; place++) {
        struct ir_instr *made = narrow_comparison_with(b, x, place);
        if (made)
            return made;
    }
    if (!keeps_denormals(b) || !is_float(x->src[0], 0) || !is_float(x->src[1], 0))
        return NULL;
    return ir_op2(b, (enum ir_op)x->op, float_value(b, x->src[0]), float_value(b, x->src[1]));
}

static struct ir_instr *narrow_result(struct ir_builder *b, const struct ir_instr *x)
{
    const struct ir_instr *y = opt_resolved(x->src[0]);
    if (is_float(y, 0))
        return float_value(b, x->src[0]);
    if (!keeps_denormals(b) && !(y->flags & IR_FAST))
        return NULL;
    if ((y->op != IR_OP_fadd && y->op != IR_OP_fsub && y->op != IR_OP_fmul) || !is_float(y->src[0], 0) || !is_float(y->src[1], 0))
        return NULL;
    b->flags = y->flags & IR_FAST;
    return ir_op2(b, (enum ir_op)y->op, float_value(b, y->src[0]), float_value(b, y->src[1]));
}

static struct ir_instr *narrowed(struct ir_builder *b, const struct ir_instr *x)
{
    if (is_comparison(x))
        return narrow_comparison(b, x);
    if (x->src_count != 1 || !is_double(opt_resolved(x->src[0])->type))
        return NULL;
    if (x->op == IR_OP_f2f && x->type.bits == 32)
        return narrow_result(b, x);
    bool integer = x->op == IR_OP_f2s || x->op == IR_OP_f2u;
    return integer && is_extended(opt_resolved(x->src[0])) ? ir_convert(b, (enum ir_op)x->op, x->type, float_value(b, x->src[0])) : NULL;
}

// Requires: nothing. Keeps: values bit for bit. Removes: arithmetic in double.
bool opt_narrow_floats(struct pass_context *c, struct ir_function *f)
{
    bool changed = false;
    if (!c->target || !c->target->float64)
        return false;
    for (struct ir_block *block = ir_first_block(f); block; block = ir_next_block(block))
        for (struct ir_instr *x = block->first, *next; x; x = next) {
            struct ir_builder b = ir_before(f, x);
            next = x->next;
            struct ir_instr *better = narrowed(&b, x);
            if (!better)
                continue;
            ir_replace(x, better);
            changed = true;
        }
    if (changed)
        ir_resolve(f);
    return changed;
}
