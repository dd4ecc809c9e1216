// SPDX-License-Identifier: Apache-2.0
// Float built-ins that are exact or take a few operations: bit manipulation, the device's native functions, common
// (6.15.4), geometric (6.15.5) and relational (6.15.6) functions.
#include "gen/gen_internal.h"

#define OP1(op, x) ir_op1(&gen->b, IR_OP_##op, (x))
#define OP2(op, x, y) ir_op2(&gen->b, IR_OP_##op, (x), (y))

static struct ir_instr *splat_to(struct gen *gen, struct ir_instr *x, unsigned lanes)
{
    return x->type.lanes < lanes ? ir_splat(&gen->b, x, lanes) : x;
}

static struct ir_instr *real(struct gen *gen, struct ir_type type, double value)
{
    return ir_const_float(gen->module, type, value);
}

static struct ir_type int_like(struct ir_type type)
{
    return ir_with_lanes(ir_int(type.bits), type.lanes);
}

static struct ir_instr *bits_of(struct gen *gen, struct ir_instr *x)
{
    return gen_as(gen, x, int_like(x->type));
}

static struct ir_instr *mask(struct gen *gen, struct ir_type type, uint64_t value)
{
    return ir_const_int(gen->module, int_like(type), value);
}

static uint64_t sign_mask(struct ir_type type)
{
    return UINT64_C(1) << (type.bits - 1);
}

static uint64_t infinity_bits(struct ir_type type)
{
    return type.bits == 16 ? 0x7c00 : type.bits == 32 ? 0x7f800000 : UINT64_C(0x7ff0000000000000);
}

static uint64_t least_normal_bits(struct ir_type type)
{
    return type.bits == 16 ? 0x0400 : type.bits == 32 ? 0x00800000 : UINT64_C(0x0010000000000000);
}

static void splat_all(struct gen *gen, struct gen_args *args)
{
    for (uint32_t i = 0; i < args->count; i++)
        args->x[i] = splat_to(gen, args->x[i], type_lanes(args->type));
}

// ---- math ----------------------------------------------------------------------------------------

static struct ir_instr *copy_sign(struct gen *gen, struct ir_instr *x, struct ir_instr *sign_of)
{
    struct ir_type type = x->type;
    struct ir_instr *magnitude = OP2(and, bits_of(gen, x), mask(gen, type, sign_mask(type) - 1));
    struct ir_instr *sign = OP2(and, bits_of(gen, sign_of), mask(gen, type, sign_mask(type)));
    return gen_as(gen, OP2(or, magnitude, sign), type);
}

static struct ir_instr *copysign_of(struct gen *gen, struct gen_args *args)
{
    return copy_sign(gen, args->x[0], args->x[1]);
}

static struct ir_instr *nan_of(struct gen *gen, struct gen_args *args)
{
    struct ir_type type = gen_type(args->type);
    uint64_t quiet = infinity_bits(type) | infinity_bits(type) >> 1;
    struct ir_instr *payload = OP2(and, args->x[0], mask(gen, type, least_normal_bits(type) - 1));
    return gen_as(gen, OP2(or, payload, mask(gen, type, quiet & ~sign_mask(type))), type);
}

static struct ir_instr *fmax_of(struct gen *gen, struct gen_args *args)
{
    splat_all(gen, args);
    return OP2(fmax, args->x[0], args->x[1]);
}

static struct ir_instr *fmin_of(struct gen *gen, struct gen_args *args)
{
    splat_all(gen, args);
    return OP2(fmin, args->x[0], args->x[1]);
}

// Rounds halfway cases away from zero. x - trunc(x) is exact.
static struct ir_instr *round_of(struct gen *gen, struct gen_args *args)
{
    struct ir_instr *x = args->x[0], *integral = OP1(ftrunc, x);
    struct ir_instr *fraction = OP1(fabs, OP2(fsub, x, integral));
    struct ir_instr *step = copy_sign(gen, real(gen, x->type, 1), x);
    struct ir_instr *up = OP2(fle, real(gen, x->type, 0.5), fraction);
    return copy_sign(gen, ir_select(&gen->b, up, OP2(fadd, integral, step), integral), x);
}

bool gen_rounds_once(const struct gen *gen, unsigned bits)
{
    return gen->target->fused_fma[bits == 16 ? 0 : bits == 32 ? 1 : 2];
}

bool gen_has_quick_fma(const struct gen *gen, unsigned bits)
{
    return gen_rounds_once(gen, bits) || (gen->target->quick_fma && (bits >= 32 || gen->target->float16));
}

// Marks products and sums, or mad(), that a program wrote and that may be rounded twice. The library's mad() is not
// marked, because it relies on a single rounding if the device has it: the library is compiled for a target without
// fused_differences.
struct ir_instr *gen_loose(struct gen *gen, struct ir_instr *x)
{
    x->flags |= x->op == IR_OP_fma && gen->target->fused_differences ? IR_LOOSE : 0;
    return x;
}

// An fma that may be rounded twice.
struct ir_instr *gen_quick_fma(struct gen *gen, struct ir_instr *a, struct ir_instr *b, struct ir_instr *c)
{
    struct ir_instr *x = ir_op3(&gen->b, IR_OP_fma, a, b, c);
    if (x->op == IR_OP_fma)
        x->flags |= gen_rounds_once(gen, a->type.bits) ? IR_FAST : IR_LOOSE;
    return x;
}

static struct ir_instr *mad_of(struct gen *gen, struct gen_args *args)
{
    if (gen_has_quick_fma(gen, args->x[0]->type.bits))
        return gen_loose(gen, gen_quick_fma(gen, args->x[0], args->x[1], args->x[2]));
    return OP2(fadd, OP2(fmul, args->x[0], args->x[1]), args->x[2]);
}

static struct ir_instr *fma_of(struct gen *gen, struct gen_args *args)
{
    static const char *const names[] = {"fma.D.D.D", "fma.f.f.f", "fma.d.d.d"};
    unsigned bits = args->x[0]->type.bits;
    if (gen_rounds_once(gen, bits))
        return ir_op3(&gen->b, IR_OP_fma, args->x[0], args->x[1], args->x[2]);
    if (builtin_is_native(gen->target, "fma"))
        return mad_of(gen, args);
    return ir_call_by_lanes(&gen->b, names[bits == 16 ? 0 : bits == 32 ? 1 : 2], args->x, args->count);
}

static struct ir_instr *by_device(struct gen *gen, enum ir_op op, struct ir_instr *x)
{
    uint8_t flags = gen->b.flags;
    gen->b.flags = IR_FAST;
    struct ir_instr *value = ir_op1(&gen->b, op, x);
    gen->b.flags = flags;
    return value;
}

static struct ir_instr *quotient_by_device(struct gen *gen, struct ir_instr *x, struct ir_instr *y)
{
    uint8_t flags = gen->b.flags;
    gen->b.flags = IR_FAST;
    struct ir_instr *value = OP2(fdiv, x, y);
    gen->b.flags = flags;
    return value;
}

// Whether the device's float square root is accurate enough.
static bool has_close_roots(struct gen *gen, struct ir_type type)
{
    return gen->target->close_natives && type.bits == 32;
}

static struct ir_instr *sqrt_of(struct gen *gen, struct gen_args *args)
{
    struct ir_type type = args->x[0]->type;
    bool close = has_close_roots(gen, type) && !gen->options->correctly_rounded;
    return close ? by_device(gen, IR_OP_fsqrt, args->x[0]) : OP1(fsqrt, args->x[0]);
}

// In modules for any device, and where quotients are the device's own, Vulkan's error bound suffices: 2 ULP, as in OpenCL.
static struct ir_instr *rsqrt_of(struct gen *gen, struct gen_args *args)
{
    struct ir_type type = args->x[0]->type;
    bool close = has_close_roots(gen, type) || ((gen->target->mapping.on || gen->target->plain_quotients) && type.bits == 32);
    return close ? by_device(gen, IR_OP_frsqrt, args->x[0]) : OP1(frsqrt, args->x[0]);
}

static struct ir_instr *native_of(struct gen *gen, struct gen_args *args)
{
    static const double log2e = 1.44269504088896340736, log2_10 = 3.32192809488736234787;
    struct ir_instr *x = args->x[0], *y = args->x[1];
    struct ir_type type = x->type;
    switch (args->builtin->op) {
    case NATIVE_COS:
        return OP1(fcos_native, x);
    case NATIVE_SIN:
        return OP1(fsin_native, x);
    case NATIVE_TAN:
        return OP1(ftan_native, x);
    case NATIVE_EXP2:
        return OP1(fexp2_native, x);
    case NATIVE_EXP:
        return OP1(fexp2_native, OP2(fmul, x, real(gen, type, log2e)));
    case NATIVE_EXP10:
        return OP1(fexp2_native, OP2(fmul, x, real(gen, type, log2_10)));
    case NATIVE_LOG2:
        return OP1(flog2_native, x);
    case NATIVE_LOG:
        return OP2(fmul, OP1(flog2_native, x), real(gen, type, 1 / log2e));
    case NATIVE_LOG10:
        return OP2(fmul, OP1(flog2_native, x), real(gen, type, 1 / log2_10));
    case NATIVE_POWR:
        return OP2(fpow_native, x, y);
    case NATIVE_RSQRT:
        return by_device(gen, IR_OP_frsqrt, x);
    case NATIVE_SQRT:
        return by_device(gen, IR_OP_fsqrt, x);
    case NATIVE_RECIP:
        return quotient_by_device(gen, real(gen, type, 1), x);
    default:
        return quotient_by_device(gen, x, y);
    }
}

// ---- common --------------------------------------------------------------------------------------

static struct ir_instr *mix(struct gen *gen, struct gen_args *args)
{
    splat_all(gen, args);
    struct ir_instr *range = OP2(fsub, args->x[1], args->x[0]);
    if (gen_has_quick_fma(gen, range->type.bits))
        return gen_quick_fma(gen, range, args->x[2], args->x[0]);
    return OP2(fadd, args->x[0], OP2(fmul, range, args->x[2]));
}

static struct ir_instr *step(struct gen *gen, struct gen_args *args)
{
    splat_all(gen, args);
    struct ir_type type = args->x[1]->type;
    return ir_select(&gen->b, OP2(flt, args->x[1], args->x[0]), real(gen, type, 0), real(gen, type, 1));
}

static struct ir_instr *sign(struct gen *gen, struct gen_args *args)
{
    struct ir_instr *x = args->x[0], *zero = real(gen, x->type, 0);
    struct ir_instr *one = copy_sign(gen, real(gen, x->type, 1), x);
    struct ir_instr *value = ir_select(&gen->b, OP2(feq, x, zero), x, one);
    return ir_select(&gen->b, OP2(fne, x, x), zero, value);
}

static struct ir_instr *degrees(struct gen *gen, struct gen_args *args)
{
    return OP2(fmul, args->x[0], real(gen, args->x[0]->type, 57.295779513082320876798));
}

static struct ir_instr *radians(struct gen *gen, struct gen_args *args)
{
    return OP2(fmul, args->x[0], real(gen, args->x[0]->type, 0.01745329251994329576923));
}

// ---- geometric -----------------------------------------------------------------------------------

static struct ir_instr *dot(struct gen *gen, struct gen_args *args)
{
    struct ir_instr *x = args->x[0], *y = args->x[1];
    if (gen_has_quick_fma(gen, x->type.bits)) {
        struct ir_instr *sum = NULL;
        for (unsigned i = 0; i < x->type.lanes; i++) {
            struct ir_instr *second = ir_extract(&gen->b, y, i), *first = ir_extract(&gen->b, x, i);
            sum = sum ? gen_quick_fma(gen, first, second, sum) : OP2(fmul, first, second);
        }
        return sum;
    }
    struct ir_instr *products = OP2(fmul, x, y);
    struct ir_instr *sum = ir_extract(&gen->b, products, 0);
    for (unsigned i = 1; i < products->type.lanes; i++)
        sum = OP2(fadd, sum, ir_extract(&gen->b, products, i));
    return sum;
}

static struct ir_instr *cross(struct gen *gen, struct gen_args *args)
{
    static const uint8_t yzx[4] = {1, 2, 0, 255}, zxy[4] = {2, 0, 1, 255};
    struct ir_instr *x = args->x[0], *y = args->x[1];
    struct ir_builder *b = &gen->b;
    struct ir_instr *by = ir_shuffle(b, y, y, zxy, 3), *left = OP2(fmul, ir_shuffle(b, x, x, yzx, 3), by);
    by = ir_shuffle(b, y, y, yzx, 3);
    struct ir_instr *right = OP2(fmul, ir_shuffle(b, x, x, zxy, 3), by);
    struct ir_instr *three = OP2(fsub, left, right);
    if (x->type.lanes == 3)
        return three;
    struct ir_instr *lanes[4];
    for (unsigned i = 0; i < 3; i++)
        lanes[i] = ir_extract(b, three, i);
    lanes[3] = real(gen, ir_with_lanes(x->type, 1), 0);
    return ir_vec(b, lanes, 4);
}

// ---- relational ----------------------------------------------------------------------------------

static struct ir_instr *magnitude(struct gen *gen, struct ir_instr *x)
{
    return OP2(and, bits_of(gen, x), mask(gen, x->type, sign_mask(x->type) - 1));
}

static struct ir_instr *is_normal(struct gen *gen, struct ir_instr *x)
{
    struct ir_instr *bits = magnitude(gen, x);
    struct ir_instr *large = OP2(ule, mask(gen, x->type, least_normal_bits(x->type)), bits);
    return OP2(and, large, OP2(ult, bits, mask(gen, x->type, infinity_bits(x->type))));
}

static struct ir_instr *is_nan(struct gen *gen, struct ir_instr *x)
{
    return OP2(ult, mask(gen, x->type, infinity_bits(x->type)), magnitude(gen, x));
}

static struct ir_instr *half_exp_of(struct gen *gen, struct gen_args *args)
{
    struct ir_instr *x = args->x[0], *value = native_of(gen, args);
    return gen->target->numbers_of_nans ? ir_select(&gen->b, is_nan(gen, x), x, value) : value;
}

static struct ir_instr *relation(struct gen *gen, unsigned which, struct ir_instr *x, struct ir_instr *y)
{
    struct ir_instr *other;
    switch (which) {
    case RELATIONAL_EQ:
        return OP2(feq, x, y);
    case RELATIONAL_NE:
        return OP2(fne, x, y);
    case RELATIONAL_GT:
        return OP2(flt, y, x);
    case RELATIONAL_GE:
        return OP2(fle, y, x);
    case RELATIONAL_LT:
        return OP2(flt, x, y);
    case RELATIONAL_LE:
        return OP2(fle, x, y);
    case RELATIONAL_LESSGREATER:
        other = OP2(flt, y, x);
        return OP2(or, OP2(flt, x, y), other);
    case RELATIONAL_FINITE:
        return OP2(ult, magnitude(gen, x), mask(gen, x->type, infinity_bits(x->type)));
    case RELATIONAL_INF:
        return OP2(ieq, magnitude(gen, x), mask(gen, x->type, infinity_bits(x->type)));
    case RELATIONAL_NAN:
        return is_nan(gen, x);
    case RELATIONAL_NORMAL:
        return is_normal(gen, x);
    case RELATIONAL_UNORDERED:
        other = is_nan(gen, y);
        return OP2(or, is_nan(gen, x), other);
    default:
        other = is_nan(gen, y);
        return OP1(not, OP2(or, is_nan(gen, x), other));
    }
}

static struct ir_instr *relational(struct gen *gen, struct gen_args *args)
{
    return gen_from_bool(gen, relation(gen, args->builtin->op, args->x[0], args->x[1]), args->type);
}

static struct ir_instr *top_bit(struct gen *gen, struct ir_instr *x)
{
    x = bits_of(gen, x);
    return OP2(slt, x, ir_const_int(gen->module, x->type, 0));
}

static struct ir_instr *signbit_of(struct gen *gen, struct gen_args *args)
{
    return gen_from_bool(gen, top_bit(gen, args->x[0]), args->type);
}

static struct ir_instr *reduce(struct gen *gen, struct gen_args *args, enum ir_op op)
{
    struct ir_instr *tops = top_bit(gen, args->x[0]), *all = ir_extract(&gen->b, tops, 0);
    for (unsigned i = 1; i < tops->type.lanes; i++)
        all = ir_op2(&gen->b, op, all, ir_extract(&gen->b, tops, i));
    return gen_from_bool(gen, all, args->type);
}

static struct ir_instr *any(struct gen *gen, struct gen_args *args)
{
    return reduce(gen, args, IR_OP_or);
}

static struct ir_instr *all_of(struct gen *gen, struct gen_args *args)
{
    return reduce(gen, args, IR_OP_and);
}

static struct ir_instr *bitselect(struct gen *gen, struct gen_args *args)
{
    struct ir_type type = args->x[0]->type;
    struct ir_instr *a = bits_of(gen, args->x[0]), *b = bits_of(gen, args->x[1]), *c = bits_of(gen, args->x[2]);
    struct ir_instr *of_a = OP2(and, a, OP1(not, c));
    return gen_as(gen, OP2(or, OP2(and, b, c), of_a), type);
}

static struct ir_instr *select_of(struct gen *gen, struct gen_args *args)
{
    struct ir_instr *c = args->x[2];
    struct ir_instr *second =
        c->type.lanes == 1 ? OP2(ine, c, ir_const_int(gen->module, c->type, 0)) : top_bit(gen, c);
    return ir_select(&gen->b, second, args->x[1], args->x[0]);
}

static gen_special *const specials[BUILTIN_SPECIAL_COUNT] = {
    [BUILTIN_FMA] = fma_of,           [BUILTIN_MAD] = mad_of,         [BUILTIN_COPYSIGN] = copysign_of,
    [BUILTIN_NAN] = nan_of,           [BUILTIN_FMAX] = fmax_of,       [BUILTIN_FMIN] = fmin_of,
    [BUILTIN_ROUND] = round_of,       [BUILTIN_SIGNBIT] = signbit_of, [BUILTIN_SQRT] = sqrt_of,
    [BUILTIN_RSQRT] = rsqrt_of,       [BUILTIN_HALF_EXP] = half_exp_of,
    [BUILTIN_NATIVE] = native_of,     [BUILTIN_MIX] = mix,            [BUILTIN_STEP] = step,
    [BUILTIN_SIGN] = sign,            [BUILTIN_DEGREES] = degrees,    [BUILTIN_RADIANS] = radians,
    [BUILTIN_DOT] = dot,              [BUILTIN_CROSS] = cross,        [BUILTIN_RELATIONAL] = relational,
    [BUILTIN_ANY] = any,              [BUILTIN_ALL] = all_of,         [BUILTIN_BITSELECT] = bitselect,
    [BUILTIN_SELECT] = select_of,
};

gen_special *gen_float_special(unsigned special)
{
    return specials[special];
}
