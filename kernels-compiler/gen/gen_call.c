// SPDX-License-Identifier: Apache-2.0
// Calls of user functions and statement expressions.
//
// A record argument is passed as the address of a copy. A record result is stored through an address that is passed
// as the first argument.
#include "gen/gen_internal.h"

static void signature_of(const struct decl *decl, struct ir_type *params, uint32_t *count, struct ir_type *result,
                         struct ir_type record)
{
    const struct type *type = decl->type.type;
    *count = 0;
    *result = gen_type(type->elem.type);
    if (type_is_record(type->elem.type)) {
        params[(*count)++] = record;
        *result = ir_void();
    }
    for (uint32_t i = 0; i < type->count; i++) {
        const struct type *param = type->params[i].type;
        params[(*count)++] = type_is_record(param) ? record : gen_type(param);
    }
    for (size_t i = 0; i < decl->captures.count; i++) {
        const struct type *param = decl->captures.items[i]->inner->type.type;
        params[(*count)++] = gen_is_in_memory(param) ? record : gen_type(param);
    }
}

static void mark_handles(struct ir_function *function, const struct decl *decl)
{
    const struct type *type = decl->type.type;
    uint32_t first = type_is_record(type->elem.type), captures = first + (uint32_t)type->count;
    for (uint32_t i = 0; i < type->count; i++)
        if (gen_is_handle(type->params[i].type))
            ir_mark_handle(function, first + i);
    for (uint32_t i = 0; i < decl->captures.count; i++)
        if (gen_is_handle(decl->captures.items[i]->inner->type.type))
            ir_mark_handle(function, captures + i);
}

struct ir_function *gen_function_for(struct gen *gen, struct decl *decl)
{
    if (decl->gen)
        return decl->gen;
    uint32_t count;
    struct ir_type result;
    struct ir_type *params = ARENA_ARRAY(gen->arena, struct ir_type, decl->type.type->count + decl->captures.count + 1);
    signature_of(decl, params, &count, &result, ir_ptr(kc_pointer_bytes(gen->target), IR_PRIVATE));
    const char *name = decl->link_name ? decl->link_name : decl->name;
    struct ir_function *function = ir_function_get(gen->module, name, result, params, count);
    function->always_inline |= decl->attributes.always_inline;
    mark_handles(function, decl);
    function->no_inline |= decl->attributes.noinline;
    gen_link_function(gen, decl, function);
    decl->gen = function;
    return function;
}

static struct ir_instr *record_argument(struct gen *gen, const struct expr *arg)
{
    struct gen_place from = gen_record(gen, arg);
    struct gen_place copy = gen_place_at(gen, gen_temporary(gen, arg->type.type, "argument"), qtype_of(arg->type.type), 0);
    gen_copy_record(gen, &copy, &from);
    return copy.address;
}

struct ir_instr *gen_call(struct gen *gen, const struct expr *expr, struct gen_place *record)
{
    struct ir_function *callee = gen_function_for(gen, expr->decl);
    struct ir_instr **args = ARENA_ARRAY(gen->arena, struct ir_instr *, expr->arg_count + expr->decl->captures.count + 1);
    uint32_t count = 0;
    if (expr->a) // a block
        gen_effect(gen, expr->a);
    if (type_is_record(expr->type.type)) {
        struct ir_instr *result = gen_temporary(gen, expr->type.type, "result");
        if (record)
            *record = gen_place_at(gen, result, expr->type, 0);
        args[count++] = result;
    }
    for (uint32_t i = 0; i < expr->arg_count; i++) {
        const struct expr *arg = expr->args[i];
        args[count++] = type_is_record(arg->type.type) ? record_argument(gen, arg) : gen_value(gen, arg);
    }
    for (size_t i = 0; i < expr->decl->captures.count; i++)
        args[count++] = gen_captured(gen, expr->decl->captures.items[i]);
    struct ir_instr *value = ir_call(&gen->b, callee, args, count);
    return callee->result.base == IR_VOID ? NULL : value;
}

static struct ir_instr *statement_expr(struct gen *gen, const struct expr *expr, struct gen_place *record)
{
    const struct stmt *last = NULL;
    for (const struct stmt *s = expr->body->first; s; s = s->next)
        last = s;
    for (const struct stmt *s = expr->body->first; s && s != last; s = s->next)
        gen_stmt(gen, s);
    if (!last)
        return NULL;
    if (last->kind != STMT_EXPR || expr->type.type->kind == TYPE_VOID) {
        gen_stmt(gen, last);
        return NULL;
    }
    if (type_is_record(expr->type.type)) {
        struct gen_place place = gen_record(gen, last->expr);
        if (record)
            *record = place;
        return NULL;
    }
    return gen_value(gen, last->expr);
}

struct ir_instr *gen_statement_expr(struct gen *gen, const struct expr *expr, struct gen_place *record)
{
    gen->in_expression++;
    struct ir_instr *value = statement_expr(gen, expr, record);
    gen->in_expression--;
    return value;
}
