// SPDX-License-Identifier: Apache-2.0
// Calls of built-in functions by code without source (the SPIR-V reader): each value becomes an EXPR_GIVEN, then sema
// and gen process the call as usual.
#include "gen/given.h"
#include "gen/gen_internal.h"

struct gen *gen_given_begin(struct arena *arena, struct arena *work, struct intern *intern, struct diag *diag, const struct kc_target *target,
                            const struct gen_options *options, struct ir_module *module)
{
    struct ast_options language = {.version = 300, .all_orders = true, .unsafe_math = options->unsafe_math};
    struct gen *gen = ARENA_NEW(work, struct gen);
    struct gen_options *own = arena_copy(work, options, sizeof *options);
    *gen = (struct gen){.arena = arena, .diag = diag, .target = target, .options = own, .module = module};
    gen->ast = ast_create(work, intern, diag, target, &language);
    return gen;
}

struct ast *gen_given_ast(struct gen *gen)
{
    return gen->ast;
}

struct types *gen_given_types(struct gen *gen)
{
    return gen->ast->types;
}

static enum type_kind kind_of(struct ir_type type, bool is_signed)
{
    unsigned step = type.bits == 8 ? 0 : type.bits == 16 ? 1 : type.bits == 32 ? 2 : 3;
    switch (type.base) {
    case IR_BOOL:
        return TYPE_BOOL;
    case IR_INT:
        return TYPE_CHAR + 2 * step + !is_signed;
    case IR_FLOAT:
        return TYPE_HALF + step - 1;
    default:
        return TYPE_VOID;
    }
}

struct type *gen_given_type(struct gen *gen, struct ir_type type, bool is_signed)
{
    struct type *scalar = type_basic(gen->ast->types, kind_of(type, is_signed));
    return type.lanes > 1 ? type_vector(gen->ast->types, scalar, type.lanes) : scalar;
}

struct ir_type gen_given_ir_type(const struct type *type)
{
    return gen_type(type);
}

static struct expr *expression(struct gen *gen, const struct gen_given *arg, struct loc loc)
{
    if (arg->string)
        return sema_text(gen->ast, arg->string, loc);
    if (arg->constant)
        return sema_const_int(gen->ast, arg->type.type->kind, arg->bits, loc);
    struct expr *expr = sema_new(gen->ast, EXPR_GIVEN, arg->type, loc);
    expr->given = arg->value;
    return expr;
}

static struct expr **expressions(struct gen *gen, const struct gen_given *args, uint32_t count, struct loc loc)
{
    struct expr **list = ARENA_ARRAY(gen->ast->arena, struct expr *, count + 1);
    for (uint32_t i = 0; i < count; i++)
        list[i] = expression(gen, &args[i], loc);
    return list;
}

// Generates a call that sema has made. `errors`: the number of errors before it.
static struct ir_instr *finish(struct gen *gen, struct ir_builder *b, const struct expr *expr, uint32_t errors,
                               struct qtype *result)
{
    if (gen->diag->errors != errors)
        return NULL;
    if (result)
        *result = expr->type;
    struct ir_builder at = *b; // `b` may be gen's own builder
    gen->b = at;
    gen->function = at.function;
    struct ir_instr *value = gen_value(gen, expr);
    *b = gen->b;
    return gen->diag->errors == errors ? value : NULL;
}

struct ir_instr *gen_given_call(struct gen *gen, struct ir_builder *b, const char *name, const struct gen_given *args,
                                uint32_t count, struct loc loc, struct qtype *result)
{
    uint32_t errors = gen->diag->errors;
    struct expr *callee = sema_new(gen->ast, EXPR_BUILTIN_NAME, qtype_of(type_basic(gen->ast->types, TYPE_VOID)), loc);
    callee->builtin_name = name;
    struct expr *expr = sema_call(gen->ast, callee, expressions(gen, args, count, loc), count, loc, loc);
    return finish(gen, b, expr, errors, result);
}

struct ir_instr *gen_given_spirv(struct gen *gen, struct ir_builder *b, struct spirv_call call, const struct gen_given *args,
                                 uint32_t count, struct qtype *result)
{
    uint32_t errors = gen->diag->errors;
    call.ast = gen->ast;
    call.args = expressions(gen, args, count, call.loc);
    call.count = count;
    return finish(gen, b, sema_spirv(&call), errors, result);
}

struct ir_instr *gen_given_convert(struct gen *gen, struct ir_builder *b, struct ir_instr *value, struct qtype from,
                                   struct type *to)
{
    gen->b = *b;
    gen->function = b->function;
    value = gen_convert(gen, value, from.type, to);
    *b = gen->b;
    return value;
}
