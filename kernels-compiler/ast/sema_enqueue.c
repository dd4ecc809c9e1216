// SPDX-License-Identifier: Apache-2.0
// Device-side enqueue (OpenCL C 2.0, 6.13.17): calls that take blocks or make ranges. The others are in builtins.def.
#include "ast/sema_impl.h"
#include <string.h>

static const struct {
    const char *name;
    enum expr_enqueue kind;
} functions[] = {
    {"enqueue_kernel", ENQUEUE_KERNEL},
    {"enqueue_marker", ENQUEUE_MARKER},
    {"ndrange_1D", ENQUEUE_RANGE_1},
    {"ndrange_2D", ENQUEUE_RANGE_2},
    {"ndrange_3D", ENQUEUE_RANGE_3},
    {"get_kernel_work_group_size", ENQUEUE_GROUP_SIZE},
    {"get_kernel_preferred_work_group_size_multiple", ENQUEUE_GROUP_MULTIPLE},
    {"get_kernel_max_sub_group_size_for_ndrange", ENQUEUE_SUB_GROUP_SIZE},
    {"get_kernel_sub_group_count_for_ndrange", ENQUEUE_SUB_GROUPS},
};

struct call {
    struct ast *ast;
    const char *name;
    struct expr **args;
    uint32_t count;
    struct loc loc;
};

static struct expr *make(const struct call *call, enum expr_enqueue kind, struct type *type, struct expr **args,
                         uint32_t count)
{
    struct expr *expr = sema_new(call->ast, EXPR_ENQUEUE, qtype_of(type), call->loc);
    expr->enqueue = (uint8_t)kind;
    expr->args = args;
    expr->arg_count = count;
    return expr;
}

static bool expected(const struct call *call, uint32_t i, const char *what)
{
    diag_error(call->ast->diag, sema_start(call->args[i]), "illegal call to '%s', expected %s argument type", call->name, what);
    return false;
}

// ---- arguments -----------------------------------------------------------------------------------

static bool check_opaque(const struct call *call, uint32_t i, enum type_opaque opaque, const char *name)
{
    return call->args[i]->type.type == &call->ast->types->opaque[opaque] || expected(call, i, name);
}

static bool check_range(const struct call *call, uint32_t i)
{
    return call->args[i]->type.type == type_ndrange(call->ast->types) || expected(call, i, "'ndrange_t'");
}

static bool convert_integer(const struct call *call, uint32_t i, enum type_kind kind, const char *name)
{
    if (!type_is_integer(call->args[i]->type.type))
        return expected(call, i, name);
    call->args[i] = sema_convert_node(call->ast, type_basic(call->ast->types, kind), call->args[i]);
    return true;
}

// A pointer to events in any address space but constant, or a null pointer.
static bool convert_events(const struct call *call, uint32_t i)
{
    struct ast *ast = call->ast;
    const struct type *type = call->args[i]->type.type;
    struct qtype event = {.type = &ast->types->opaque[OPAQUE_CLK_EVENT], .space = SPACE_GENERIC};
    bool points = type->kind == TYPE_POINTER && type->elem.type == event.type && type->elem.space != SPACE_CONSTANT;
    if (!points && !sema_is_null(call->args[i]))
        return expected(call, i, "'clk_event_t *'");
    call->args[i] = sema_convert_node(ast, type_pointer(ast->types, event), call->args[i]);
    return true;
}

static bool is_local_pointer(const struct ast *ast, const struct type *type)
{
    return type->kind == TYPE_POINTER && type->elem.space == SPACE_LOCAL &&
           (type->elem.type->kind == TYPE_VOID || ast_has(ast, KC_EXT_DEVICE_ENQUEUE_LOCAL_ARG_TYPES));
}

static struct decl *check_block(const struct call *call, uint32_t i)
{
    struct ast *ast = call->ast;
    struct expr *block = call->args[i];
    struct decl *function = block->type.type->kind == TYPE_BLOCK ? sema_block_of(block) : NULL;
    if (!function) {
        expected(call, i, "block");
        return NULL;
    }
    const struct type *type = function->type.type;
    for (uint64_t k = 0; k < type->count; k++)
        if (!is_local_pointer(ast, type->params[k].type)) {
            diag_error(ast->diag, sema_start(block), "blocks used in %s call are expected to have parameters of type "
                       "'local void*'", call->name);
            return NULL;
        }
    if (ast->function)
        vec_push(ast->arena, &ast->function->blocks, function);
    return function;
}

// ---- calls ---------------------------------------------------------------------------------------

static bool convert_sizes(const struct call *call, const struct decl *function, uint32_t first)
{
    struct ast *ast = call->ast;
    if (function->type.type->count != call->count - first) {
        diag_error(ast->diag, call->loc, call->count == first
                       ? "blocks with parameters are not accepted in this prototype of enqueue_kernel call"
                       : "mismatch in number of block parameters and local size arguments passed");
        return false;
    }
    for (uint32_t i = first; i < call->count; i++) {
        if (!type_is_integer(call->args[i]->type.type)) {
            diag_error(ast->diag, sema_start(call->args[i]),
                       "illegal call to enqueue_kernel, parameter needs to be specified as integer type");
            return false;
        }
        call->args[i] = sema_convert_node(ast, type_basic(ast->types, TYPE_ULONG), call->args[i]);
    }
    return true;
}

static struct expr *enqueue_kernel(const struct call *call)
{
    struct ast *ast = call->ast;
    bool short_form = call->count >= 4 && call->args[3]->type.type->kind == TYPE_BLOCK;
    uint32_t block = short_form ? 3 : 6;
    if (call->count < 4) {
        diag_error(ast->diag, call->loc, "too few arguments to function call, expected at least 4, have %u", call->count);
        return sema_error(ast, call->loc);
    }
    if (!check_opaque(call, 0, OPAQUE_QUEUE, "'queue_t'") ||
        !convert_integer(call, 1, TYPE_UINT, "'kernel_enqueue_flags_t' (i.e. uint)") || !check_range(call, 2))
        return sema_error(ast, call->loc);
    if (call->count <= block) {
        if (call->count == 4)
            expected(call, 3, "block");
        else
            diag_error(ast->diag, call->loc, "illegal call to enqueue_kernel, incorrect argument types");
        return sema_error(ast, call->loc);
    }
    if (!short_form && (!convert_integer(call, 3, TYPE_UINT, "integer") || !convert_events(call, 4) || !convert_events(call, 5)))
        return sema_error(ast, call->loc);
    struct decl *function = check_block(call, block);
    if (!function || !convert_sizes(call, function, block + 1))
        return sema_error(ast, call->loc);
    uint32_t sizes = call->count - block - 1;
    struct expr **args = ARENA_ARRAY(ast->arena, struct expr *, 6 + sizes);
    struct expr *none = sema_const_int(ast, TYPE_UINT, 0, call->loc);
    for (uint32_t i = 0; i < 6; i++)
        args[i] = i < block ? call->args[i] : none;
    for (uint32_t i = 0; i < sizes; i++)
        args[6 + i] = call->args[block + 1 + i];
    struct expr *expr = make(call, ENQUEUE_KERNEL, type_basic(ast->types, TYPE_INT), args, 6 + sizes);
    expr->a = call->args[block];
    expr->enqueued = function;
    return expr;
}

static bool right_count(const struct call *call, uint32_t least, uint32_t most)
{
    if (call->count >= least && call->count <= most)
        return true;
    diag_error(call->ast->diag, call->loc, "too %s arguments to function call, expected %u, have %u",
               call->count < least ? "few" : "many", call->count < least ? least : most, call->count);
    return false;
}

static struct expr *enqueue_marker(const struct call *call)
{
    struct ast *ast = call->ast;
    if (!right_count(call, 4, 4) || !check_opaque(call, 0, OPAQUE_QUEUE, "'queue_t'") ||
        !convert_integer(call, 1, TYPE_UINT, "integer") || !convert_events(call, 2) || !convert_events(call, 3))
        return sema_error(ast, call->loc);
    return make(call, ENQUEUE_MARKER, type_basic(ast->types, TYPE_INT), call->args, 4);
}

// Arguments: size; size, local size; or offset, size, local size. Each is a number or an array.
static struct expr *range(const struct call *call, enum expr_enqueue kind)
{
    struct ast *ast = call->ast;
    struct expr **args = ARENA_ARRAY(ast->arena, struct expr *, 3);
    if (!right_count(call, 1, 3))
        return sema_error(ast, call->loc);
    struct type *number = type_basic(ast->types, scope_narrowed(ast, TYPE_ULONG));
    uint32_t first = call->count == 3 ? 0 : 1;
    for (uint32_t i = 0; i < 3; i++)
        args[i] = sema_const_int(ast, TYPE_ULONG, 0, call->loc);
    for (uint32_t i = 0; i < call->count; i++) {
        const struct type *type = call->args[i]->type.type;
        bool array = type->kind == TYPE_POINTER && type->elem.type == number;
        if (kind == ENQUEUE_RANGE_1 && type_is_arithmetic(type)) {
            struct expr *size = sema_convert(ast, qtype_of(number), call->args[i], SEMA_ARGUMENT);
            args[first + i] = sema_convert_node(ast, type_basic(ast->types, TYPE_ULONG), size);
        } else if (kind != ENQUEUE_RANGE_1 && array) {
            args[first + i] = call->args[i];
        } else {
            diag_error(ast->diag, sema_start(call->args[i]), "no matching function for call to '%s'", call->name);
            return sema_error(ast, call->loc);
        }
    }
    return make(call, kind, type_ndrange(ast->types), args, 3);
}

static struct expr *make_query(const struct call *call, enum expr_enqueue kind)
{
    struct ast *ast = call->ast;
    bool about_range = kind == ENQUEUE_SUB_GROUP_SIZE || kind == ENQUEUE_SUB_GROUPS;
    if (!right_count(call, 1 + about_range, 1 + about_range) || (about_range && !check_range(call, 0)))
        return sema_error(ast, call->loc);
    struct decl *function = check_block(call, about_range);
    if (!function)
        return sema_error(ast, call->loc);
    struct expr *expr = make(call, kind, type_basic(ast->types, TYPE_UINT), call->args, about_range);
    expr->enqueued = function;
    return expr;
}

struct expr *sema_enqueue(struct ast *ast, const char *name, struct expr **args, uint32_t count, struct loc loc, struct loc end)
{
    (void)end;
    struct call call = {ast, name, args, count, loc};
    size_t i = 0;
    while (i < sizeof functions / sizeof *functions && strcmp(functions[i].name, name))
        i++;
    if (i == sizeof functions / sizeof *functions)
        return NULL;
    switch (functions[i].kind) {
    case ENQUEUE_KERNEL: return enqueue_kernel(&call);
    case ENQUEUE_MARKER: return enqueue_marker(&call);
    case ENQUEUE_RANGE_1: case ENQUEUE_RANGE_2: case ENQUEUE_RANGE_3: return range(&call, functions[i].kind);
    default: return make_query(&call, functions[i].kind);
    }
}
