// SPDX-License-Identifier: Apache-2.0
// Built-in functions -> IR: single operations, library calls, work-item functions.
//
// Specials are in tables by number: integers in gen_builtin_integer.c, floats in gen_builtin_float.c, memory in
// gen_builtin_memory.c, images in gen_builtin_image.c, atomics and barriers in gen_builtin_atomic.c. Arguments arrive
// as values; a scalar argument of a vector function is splatted.
#include "gen/gen_internal.h"
#include "util/stack.h"

static enum ir_op op_by_name(const char *name)
{
    for (unsigned op = 0; op < IR_OP_COUNT; op++)
        if (!strcmp(ir_ops[op].name, name))
            return (enum ir_op)op;
    assert(!"builtins.def names no operation");
    return IR_OP_undef;
}

// ---- work-item functions -------------------------------------------------------------------------

_Static_assert((int)WORK_ITEM_GLOBAL_ID == (int)IR_SYS_GLOBAL_ID && (int)WORK_ITEM_WORK_DIM == (int)IR_SYS_WORK_DIM,
               "the two lists are in one order");

// Result for a dimension above 2: 1 for sizes, else 0.
static uint64_t beyond_dimensions(unsigned sys)
{
    return sys == IR_SYS_GLOBAL_SIZE || sys == IR_SYS_LOCAL_SIZE || sys == IR_SYS_ENQUEUED_LOCAL_SIZE ||
           sys == IR_SYS_NUM_GROUPS;
}

// Truncates to the type's width: size_t may have 32 bits.
static struct ir_instr *as_wide_as(struct gen *gen, struct ir_instr *x, const struct type *type)
{
    unsigned bits = gen_type(type).bits;
    return x->type.bits > bits ? ir_convert(&gen->b, IR_OP_trunc, ir_int(bits), x) : x;
}

static struct ir_instr *work_item(struct gen *gen, struct gen_args *args)
{
    struct ir_builder *b = &gen->b;
    enum ir_sys sys = (enum ir_sys)args->builtin->op;
    if (!args->count)
        return as_wide_as(gen, ir_sys(b, sys, 0), args->type);
    struct ir_instr *dim = args->x[0];
    struct ir_instr *other = ir_const_int(gen->module, ir_int(64), beyond_dimensions(sys));
    if (ir_is_const(dim))
        return as_wide_as(gen, dim->lanes[0] < 3 ? ir_sys(b, sys, (unsigned)dim->lanes[0]) : other, args->type);
    struct ir_instr *value = other;
    for (unsigned i = 3; i-- > 0;) {
        struct ir_instr *is_this = ir_op2(b, IR_OP_ieq, dim, ir_const_int(gen->module, dim->type, i));
        value = ir_select(b, is_this, ir_sys(b, sys, i), value);
    }
    return as_wide_as(gen, value, args->type);
}

// A work-group reads the device clock, which is common to all its work-items.
static struct ir_instr *clock_read(struct gen *gen, struct gen_args *args)
{
    enum ir_scope whose = args->builtin->op == CLOCK_SUB_GROUP ? IR_SCOPE_SUB_GROUP : IR_SCOPE_DEVICE;
    struct ir_instr *scope = ir_const_int(gen->module, ir_int(32), whose);
    struct ir_instr *words = ir_build(&gen->b, IR_OP_clock, ir_with_lanes(ir_int(32), 2), &scope, 1);
    return ir_convert(&gen->b, IR_OP_bitcast, gen_type(args->type), words);
}

// ---- conversions ---------------------------------------------------------------------------------

static struct ir_instr *convert(struct gen *gen, struct gen_args *args)
{
    return gen_convert_builtin(gen, args->expr, args->x[0]);
}

static struct ir_instr *as(struct gen *gen, struct gen_args *args)
{
    return gen_as(gen, args->x[0], gen_type(args->type));
}

// __op_NAME: an IR operation that the library names directly.
static struct ir_instr *plain_op(struct gen *gen, struct gen_args *args)
{
    enum ir_op op = op_by_name(args->builtin->op_name);
    struct ir_type type = gen_type(args->type);
    if (ir_ops[op].rule == IR_RULE_COMPARE)
        type.base = IR_BOOL, type.bits = 1;
    struct ir_instr *value = ir_build(&gen->b, op, type, args->x, args->count);
    return value->type.base == IR_BOOL ? gen_from_bool(gen, value, args->type) : value;
}

// Parameters of the launch for kernels that enqueue others.
static struct ir_instr *enqueued(struct gen *gen, struct gen_args *args)
{
    return ir_sys(&gen->b, args->builtin->op ? IR_SYS_LAUNCH : IR_SYS_ENQUEUED, 0);
}

static gen_special *const own_specials[BUILTIN_SPECIAL_COUNT] = {
    [BUILTIN_CLOCK] = clock_read,       [BUILTIN_ENQUEUED] = enqueued,
    [BUILTIN_WORK_ITEM] = work_item, [BUILTIN_CONVERT] = convert,     [BUILTIN_AS] = as,
    [BUILTIN_IR_OP] = plain_op,
};

static gen_special *special_for(unsigned special)
{
    if (own_specials[special])
        return own_specials[special];
    gen_special *found = gen_integer_special(special);
    if (!found)
        found = gen_atomic_special(special);
    if (!found)
        found = gen_float_special(special);
    if (!found)
        found = gen_group_special(special);
    if (!found)
        found = gen_image_special(special);
    return found ? found : gen_memory_special(special);
}

// ---- library -------------------------------------------------------------------------------------

static struct ir_function *library_function(struct gen *gen, const struct builtin *builtin, bool exact)
{
    struct ir_type *types = ARENA_ARRAY(gen->arena, struct ir_type, builtin->param_count + 1);
    for (uint32_t i = 0; i < builtin->param_count; i++) {
        types[i] = gen_type(builtin->params[i].type);
        if (!exact)
            types[i].lanes = 1;
    }
    struct ir_type result = gen_type(builtin->result.type);
    if (!exact && result.lanes)
        result.lanes = 1;
    return ir_function_get(gen->module, builtin->lib_name, result, types, builtin->param_count);
}

static struct ir_instr *library_call(struct gen *gen, struct gen_args *args)
{
    bool exact = args->builtin->impl == BUILTIN_LIB_EXACT;
    struct ir_function *callee = library_function(gen, args->builtin, exact);
    unsigned lanes = exact ? 1 : type_lanes(args->type);
    if (lanes == 1) {
        struct ir_instr *value = ir_call(&gen->b, callee, args->x, args->count);
        return value->type.base == IR_VOID ? NULL : value;
    }
    struct ir_instr *result[16], *x[GEN_ARGS_MAX];
    for (unsigned lane = 0; lane < lanes; lane++) {
        for (uint32_t i = 0; i < args->count; i++)
            x[i] = ir_extract(&gen->b, args->x[i], args->x[i]->type.lanes > 1 ? lane : 0);
        result[lane] = ir_call(&gen->b, callee, x, args->count);
    }
    return ir_vec(&gen->b, result, lanes);
}

// ---- entry ---------------------------------------------------------------------------------------

static struct ir_instr *operation(struct gen *gen, struct gen_args *args)
{
    for (uint32_t i = 0; i < args->count; i++)
        if (args->x[i]->type.lanes < type_lanes(args->type))
            args->x[i] = ir_splat(&gen->b, args->x[i], type_lanes(args->type));
    return plain_op(gen, args);
}

struct ir_instr *gen_builtin(struct gen *gen, const struct expr *expr)
{
    stack_check();
    const struct builtin *builtin = expr->builtin;
    if (builtin->impl == BUILTIN_GEN && builtin->special == BUILTIN_PRINTF)
        return gen->target->mapping.on ? gen_printed(gen, expr) : gen_printf(gen, expr);
    struct gen_args args = {
        .expr = expr, .builtin = builtin, .type = expr->type.type, .count = expr->arg_count};
    assert(expr->arg_count <= GEN_ARGS_MAX);
    for (uint32_t i = 0; i < expr->arg_count; i++)
        args.x[i] = gen_value(gen, expr->args[i]);
    if (expr->arg_count) {
        args.arg = expr->args[0]->type.type;
        struct type *scalar = type_scalar((struct type *)args.arg);
        args.is_signed = type_is_signed(scalar);
        args.is_float = type_is_float(scalar);
    }
    if (builtin->impl == BUILTIN_OP)
        return operation(gen, &args);
    bool from_library = builtin->impl != BUILTIN_GEN && !(builtin->special && gen->target->subgroups);
    if (from_library)
        return library_call(gen, &args);
    gen_special *special = special_for(builtin->special);
    if (special)
        return special(gen, &args);
    gen_unsupported(gen, expr->loc, arena_printf(gen->arena, "'%s'", builtin->name));
    struct ir_type type = gen_type(args.type);
    return type.base == IR_VOID ? NULL : ir_undef(gen->module, type);
}
