// SPDX-License-Identifier: Apache-2.0
// Calls of functions, overloaded functions and built-ins.
#include "ast/sema_impl.h"
#include "ast/spirv.h"
#include "util/stack.h"
#include <string.h>

// ---- arguments ----------------------------------------------------------------------------------

// Default argument promotion (OpenCL C 6.15.14.3): floats become double if the device supports it.
static struct expr *promote_argument(struct ast *ast, struct expr *a)
{
    struct type *type = a->type.type;
    if (type_is_integer(type))
        return sema_integer_promote(ast, a);
    if (type->kind == TYPE_HALF || type->kind == TYPE_FLOAT)
        return sema_convert_node(
            ast, type_basic(ast->types, ast_has(ast, KC_EXT_FP64) ? TYPE_DOUBLE : TYPE_FLOAT), a);
    return a;
}

// Converts arguments in place. Returns false after an error.
static bool convert_arguments(struct ast *ast, const struct qtype *params, uint32_t param_count,
                              struct expr **args, uint32_t count)
{
    bool valid = true;
    for (uint32_t i = 0; i < count; i++) {
        args[i] = i < param_count
                      ? sema_convert_at(ast, params[i], args[i], SEMA_ARGUMENT, sema_start(args[i]))
                      : promote_argument(ast, args[i]);
        valid &= !sema_is_error(args[i]);
    }
    return valid;
}

static struct expr *make_call(struct ast *ast, enum expr_kind kind, struct qtype result,
                              struct expr **args, uint32_t count, struct loc loc)
{
    result.quals = 0;
    result.space = SPACE_PRIVATE;
    struct expr *call = sema_new(ast, kind, result, loc);
    call->args = args;
    call->arg_count = count;
    return call;
}

static void note_callee(struct ast *ast, struct decl *callee)
{
    callee->called = true;
    if (!ast->function || callee->caller == ast->function)
        return;
    callee->caller = ast->function;
    vec_push(ast->arena, &ast->function->callees, callee);
}

static struct expr *call_function(struct ast *ast, struct decl *decl, struct expr **args,
                                  uint32_t count, struct loc start, struct loc end)
{
    struct type *type = decl->type.type;
    if (type->kind != TYPE_FUNCTION)
        return sema_error(ast, start);
    uint32_t wanted = (uint32_t)type->count;
    if (count < wanted || (count > wanted && !type->variadic)) {
        bool few = count < wanted;
        diag_error(ast->diag, few ? end : sema_start(args[wanted]),
                   "too %s arguments to function call, expected %s%u, have %u",
                   few ? "few" : "many", type->variadic ? "at least " : "", wanted, count);
        diag_note(ast->diag, decl->loc, "'%s' declared here", decl->name);
        return sema_error(ast, start);
    }
    if (!convert_arguments(ast, type->params, wanted, args, count))
        return sema_error(ast, start);
    note_callee(ast, decl);
    struct expr *call = make_call(ast, EXPR_CALL, type->elem, args, count, start);
    call->decl = decl;
    return call;
}

static struct expr *call_block(struct ast *ast, struct expr *block, struct expr **args, uint32_t count, struct loc end)
{
    block = sema_value(ast, block);
    struct decl *function = sema_block_of(block);
    if (!function) {
        diag_error(ast->diag, block->loc, "the called block is not known at compile time");
        return sema_error(ast, block->loc);
    }
    struct expr *call = call_function(ast, function, args, count, block->loc, end);
    if (call->kind == EXPR_CALL)
        call->a = block;
    return call;
}

// as_T between a vector of 3 and another type goes through the vector of 4, whose last lane is undefined: later
// stages require reinterpretations to preserve the number of bits.
static struct expr *reinterpret(struct ast *ast, struct builtin *builtin, struct expr *a,
                                struct loc loc)
{
    struct type *from = a->type.type, *to = builtin->result.type, *middle = to;
    bool alike = type_lanes(from) == type_lanes(to);
    if (!alike && type_lanes(from) == 3) {
        struct expr *wide =
            sema_new(ast, EXPR_VECTOR, qtype_of(type_vector(ast->types, from->elem.type, 4)), loc);
        wide->args = ARENA_ARRAY(ast->arena, struct expr *, 2);
        wide->arg_count = 2;
        wide->args[0] = a;
        wide->args[1] = sema_lanes(ast, from->elem.type, (uint64_t[1]){0}, loc);
        a = wide;
    }
    if (!alike && type_lanes(to) == 3)
        middle = type_vector(ast->types, to->elem.type, 4);
    builtin->params[0] = a->type;
    builtin->result = qtype_of(middle);
    struct expr *call = a;
    if (a->type.type != middle) {
        struct expr **args = arena_copy(ast->arena, &a, sizeof(struct expr *));
        call = make_call(ast, EXPR_BUILTIN, builtin->result, args, 1, loc);
        call->builtin = builtin;
    }
    return middle == to ? call : sema_member(ast, call, "xyz", false, loc);
}

// Whether the built-in has arguments (memory order, scope, fences, cluster size) that must be constants in a range.
// Gen checks them.
static bool gen_reports(const struct builtin *builtin)
{
    return builtin->impl == BUILTIN_GEN &&
           ((builtin->special >= BUILTIN_BARRIER && builtin->special <= BUILTIN_ATOMIC_FENCE) ||
            (builtin->special >= BUILTIN_SUB_GROUP_ITEM && builtin->special <= BUILTIN_WORK_GROUP_BROADCAST));
}

static struct expr *call_builtin(struct ast *ast, struct builtin *builtin, struct expr **args,
                                 uint32_t count, struct loc loc)
{
    if (builtin && builtin->impl == BUILTIN_GEN && builtin->special == BUILTIN_AS)
        return reinterpret(ast, builtin, sema_convert_node(ast, builtin->params[0].type, args[0]),
                           loc);
    if (!builtin || !(builtin->impl == BUILTIN_GEN && builtin->special == BUILTIN_PRINTF
                          ? sema_printf(ast, builtin, args, count)
                          : convert_arguments(ast, builtin->params, builtin->param_count, args, count)))
        return sema_error(ast, loc);
    struct expr *call = make_call(ast, EXPR_BUILTIN, builtin->result, args, count, loc);
    call->builtin = builtin;
    if (ast->function && gen_reports(builtin))
        ast->function->gen_reports = true;
    return call;
}

// ---- overloads ----------------------------------------------------------------------------------

static struct candidate *user_candidates(struct ast *ast, struct decl *first)
{
    struct candidate *list = NULL;
    for (struct decl *d = first; d; d = d->next_overload) {
        if (d->type.type->kind != TYPE_FUNCTION)
            continue;
        struct candidate *c = ARENA_NEW(ast->arena, struct candidate);
        *c = (struct candidate){.decl = d,
                                .result = d->type.type->elem,
                                .params = d->type.type->params,
                                .param_count = (uint32_t)d->type.type->count,
                                .variadic = d->type.type->variadic,
                                .next = list};
        list = c;
    }
    return list;
}

static struct expr *call_overloaded(struct ast *ast, struct decl *first, struct expr **args,
                                    uint32_t count, struct loc loc, struct loc end)
{
    struct candidate *list = user_candidates(ast, first);
    if (builtin_exists(ast, first->name))
        list = builtin_candidates(ast, first->name, args, count, list);
    bool ambiguous;
    struct candidate *best = overload_best(ast, list, args, count, &ambiguous);
    if (best && best->row)
        return call_builtin(ast, builtin_from_candidate(ast, best, loc), args, count, loc);
    if (best)
        return call_function(ast, best->decl, args, count, loc, end);
    if (ambiguous)
        diag_error(ast->diag, loc, "call to '%s' is ambiguous", first->name);
    else
        diag_error(ast->diag, loc, "no matching function for call to '%s'", first->name);
    for (struct decl *d = first; d; d = d->next_overload)
        diag_note(ast->diag, d->loc, "candidate function");
    return sema_error(ast, loc);
}

struct expr *sema_call_builtin(struct ast *ast, const char *name, struct expr **args, uint32_t count, struct loc loc)
{
    struct builtin *builtin = builtin_resolve(ast, name, args, count, loc);
    return call_builtin(ast, builtin, arena_copy(ast->arena, args, count * sizeof *args), count, loc);
}

// Checks the number of arguments of a built-in with one list of parameters.
static bool right_count(struct ast *ast, const char *name, struct expr **args, uint32_t count, struct loc end)
{
    uint32_t wanted;
    if (!builtin_has_one_form(name, &wanted) || count == wanted)
        return true;
    diag_error(ast->diag, count < wanted ? end : sema_start(args[wanted]),
               "too %s arguments to function call, expected %u, have %u", count < wanted ? "few" : "many", wanted,
               count);
    return false;
}

// Clang's __opencl_atomic_NAME is equivalent to atomic_NAME_explicit.
static const char *opencl_name(struct ast *ast, const char *name)
{
    static const char prefix[] = "__opencl_atomic_";
    if (strncmp(name, prefix, sizeof prefix - 1) != 0)
        return name;
    const char *suffix = name + sizeof prefix - 1;
    const char *plain = arena_printf(ast->arena, strcmp(suffix, "init") ? "atomic_%s_explicit" : "atomic_%s", suffix);
    return builtin_exists(ast, plain) ? plain : name;
}

// A declaration of __spirv_NAME by the program, in clang's form, without a definition.
static struct decl *declared_instruction(struct decl *first, uint32_t count)
{
    struct decl *fits = NULL;
    if (!spirv_has_name(first->name))
        return NULL;
    for (struct decl *d = first; d; d = d->next_overload) {
        if (d->defined || d->type.type->kind != TYPE_FUNCTION)
            return NULL;
        if (d->type.type->count == count)
            fits = d;
    }
    return fits;
}

struct expr *sema_call(struct ast *ast, struct expr *callee, struct expr **args, uint32_t count,
                       struct loc open, struct loc end)
{
    stack_check();
    if (callee->kind == EXPR_BUILTIN_NAME)
        callee->builtin_name = opencl_name(ast, callee->builtin_name);
    if (callee->kind == EXPR_BUILTIN_NAME && !strncmp(callee->builtin_name, "__builtin_", 10)) {
        struct expr *made = sema_gnu_call(ast, callee->builtin_name, args, count, callee->loc);
        if (made)
            return made;
    }
    struct expr **values = ARENA_ARRAY(ast->arena, struct expr *, count ? count : 1);
    bool failed = sema_is_error(callee);
    bool unknown = callee->kind == EXPR_BUILTIN_NAME && !builtin_exists(ast, callee->builtin_name) &&
                   !spirv_has_name(callee->builtin_name) && !sema_is_matrix_function(ast, callee->builtin_name) &&
                   !sema_is_pipe_function(ast, callee->builtin_name);
    if (unknown) {
        diag_error(ast->diag, callee->loc,
                   "implicit declaration of function '%s' is invalid in OpenCL",
                   callee->builtin_name);
        failed = true;
    }
    for (uint32_t i = 0; i < count; i++) {
        values[i] = sema_value(ast, args[i]);
        failed |= sema_is_error(values[i]);
    }
    if (failed)
        return sema_error(ast, callee->loc);
    for (uint32_t i = 0; i < count; i++) {
        if (values[i]->type.type->kind != TYPE_VOID)
            continue;
        diag_error(ast->diag, sema_start(values[i]), "argument type 'void' is incomplete");
        return sema_error(ast, callee->loc);
    }
    if (callee->kind == EXPR_BUILTIN_NAME && sema_is_matrix_function(ast, callee->builtin_name))
        return sema_matrix_call(ast, callee->builtin_name, values, count, callee->loc, end);
    if (callee->kind == EXPR_BUILTIN_NAME && sema_is_pipe_function(ast, callee->builtin_name))
        return sema_pipe_call(ast, callee->builtin_name, values, count, callee->loc, end);
    if (callee->kind == EXPR_BUILTIN_NAME) {
        struct expr *made = sema_spirv_source(ast, callee->builtin_name, values, count, NULL, callee->loc);
        if (made)
            return made;
    }
    if (callee->kind == EXPR_BUILTIN_NAME && ast_has_blocks(ast)) {
        struct expr *made = sema_enqueue(ast, callee->builtin_name, values, count, callee->loc, end);
        if (made)
            return made;
    }
    if (callee->kind == EXPR_BUILTIN_NAME && !right_count(ast, callee->builtin_name, values, count, end))
        return sema_error(ast, callee->loc);
    if (callee->kind == EXPR_BUILTIN_NAME)
        return sema_call_builtin(ast, callee->builtin_name, values, count, callee->loc);
    if (callee->type.type->kind == TYPE_BLOCK)
        return call_block(ast, callee, values, count, end);
    if (callee->kind != EXPR_FUNCTION) {
        diag_error(ast->diag, open,
                   "called object type %s is not a function or function pointer",
                   sema_value_text(ast, callee));
        return sema_error(ast, callee->loc);
    }
    struct decl *instruction = declared_instruction(callee->decl, count);
    if (instruction && !instruction->next_overload && instruction == callee->decl &&
        !convert_arguments(ast, instruction->type.type->params, count, values, count))
        return sema_error(ast, callee->loc);
    if (instruction)
        return sema_spirv_source(ast, instruction->name, values, count, instruction->type.type->elem.type, callee->loc);
    if (callee->decl->attributes.overloadable || callee->decl->next_overload)
        return call_overloaded(ast, callee->decl, values, count, callee->loc, end);
    return call_function(ast, callee->decl, values, count, callee->loc, end);
}
