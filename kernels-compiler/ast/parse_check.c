// SPDX-License-Identifier: Apache-2.0
// Checks that need more than one declaration: kernel parameters and the call graph.
#include "ast/parse.h"
#include "util/stack.h"
#include <stdio.h>

// ---- kernels ---------------------------------------------------------------------------------------

// Checks the address space at each level of a pointer to pointers.
static bool shared_spaces(const struct type *pointer)
{
    for (; pointer->kind == TYPE_POINTER; pointer = pointer->elem.type)
        if (pointer->elem.space != SPACE_GLOBAL && pointer->elem.space != SPACE_CONSTANT &&
            pointer->elem.space != SPACE_LOCAL)
            return false;
    return true;
}

static bool kernel_pointer_ok(struct parser *p, const struct decl *param)
{
    struct ast *ast = p->ast;
    struct qtype pointee = param->type.type->elem;
    if (!shared_spaces(param->type.type)) {
        diag_error(ast->diag, param->loc, "pointer arguments to kernel functions must reside in '__global', "
                   "'__constant' or '__local' address space");
        return false;
    }
    if (pointee.type->kind == TYPE_POINTER && ast->version <= 120) {
        diag_error(ast->diag, param->loc, "kernel parameter cannot be declared as a pointer to a pointer");
        return false;
    }
    return true;
}

// The first field, at any depth, whose type is not allowed in a kernel parameter. Visits each record once.
static const struct field *bad_field(struct ast *ast, const struct type *type, struct map *seen)
{
    stack_check();
    if (map_get(seen, type))
        return NULL;
    map_set(ast->arena, seen, type, seen);
    for (uint32_t i = 0; i < type->record->field_count; i++) {
        const struct field *field = &type->record->fields[i];
        const struct type *elem = field->type.type;
        while (elem->kind == TYPE_ARRAY)
            elem = elem->elem.type;
        if (elem->kind == TYPE_BOOL || elem->kind == TYPE_OPAQUE || elem->kind == TYPE_MATRIX || field->size_name ||
            (elem->kind == TYPE_HALF && !ast_has_half(ast)) ||
            (elem->kind == TYPE_POINTER && (ast->version < 200 || !shared_spaces(elem))))
            return field;
        const struct field *inner = type_is_record(elem) ? bad_field(ast, elem, seen) : NULL;
        if (inner)
            return inner;
    }
    return NULL;
}

static bool kernel_value_ok(struct parser *p, const struct decl *param)
{
    struct ast *ast = p->ast;
    const struct type *type = param->type.type;
    struct map seen = {0};
    const char *size_name = map_get(&p->size_names, param);
    bool value = type->kind == TYPE_OPAQUE && !type_is_resource(type) && type->opaque != OPAQUE_QUEUE;
    bool bad = type->kind == TYPE_BOOL || type->kind == TYPE_MATRIX || value || (type == ast->types->ndrange && type);
    if (bad || size_name) {
        diag_error(ast->diag, param->loc, "'%s' cannot be used as the type of a kernel parameter",
                   size_name ? size_name : type_name(ast->arena, param->type));
        return false;
    }
    const struct field *field = type_is_record(type) ? bad_field(ast, type, &seen) : NULL;
    if (!field)
        return true;
    if (field->type.type->kind == TYPE_POINTER)
        diag_error(ast->diag, param->loc, "struct kernel parameters may not contain pointers");
    else
        diag_error(ast->diag, param->loc, "'%s' cannot be used as the type of a kernel parameter",
                   type_name(ast->arena, param->type));
    diag_note(ast->diag, field->loc, "field of illegal type '%s' declared here",
              field->size_name ? field->size_name : type_name(ast->arena, field->type));
    return false;
}

void parse_check_kernel(struct parser *p, struct decl *decl, const struct parse_specs *specs)
{
    struct ast *ast = p->ast;
    const struct type *result = decl->type.type->elem.type;
    if (result->kind != TYPE_VOID && result->kind != TYPE_ERROR)
        diag_error(ast->diag, decl->loc, "kernel must have void return type");
    if (specs->storage == STORAGE_STATIC)
        diag_error(ast->diag, specs->storage_loc, "kernel functions cannot be declared static");
    if (decl->attributes.overloadable)
        diag_error(ast->diag, decl->loc, "kernel functions cannot be overloaded");
    for (uint32_t i = 0; i < decl->param_count; i++) {
        struct decl *param = decl->params[i];
        bool pointer = param->type.type->kind == TYPE_POINTER;
        if (param->type.type->kind == TYPE_ERROR)
            continue;
        if (!(pointer ? kernel_pointer_ok(p, param) : kernel_value_ok(p, param)))
            param->type = qtype_of(type_basic(ast->types, TYPE_ERROR));
    }
}

void parse_check_nosvm(struct parser *p, const struct decl *decl)
{
    if (decl->attributes.nosvm && p->ast->version < 200)
        diag_error(p->ast->diag, decl->loc, "attribute 'nosvm' is supported in the OpenCL version 2.0 onwards");
}

// ---- calls -----------------------------------------------------------------------------------------

enum { UNSEEN, ACTIVE, DONE };

struct visit {
    struct decl *decl;
    size_t next; // index of the next callee
};

static void report_cycle(struct parser *p, const struct visit *path, size_t count, const struct decl *again)
{
    size_t first = count;
    while (first && path[first - 1].decl != again)
        first--;
    struct str cycle;
    str_init(&cycle, p->ast->arena);
    for (size_t i = first ? first - 1 : 0; i < count && cycle.length < 300; i++)
        str_printf(&cycle, "'%s' -> ", path[i].decl->name);
    str_printf(&cycle, "'%s'", again->name);
    diag_error(p->ast->diag, again->loc, "recursion is not supported in OpenCL C: %s", cycle.text);
}

// Depth-first search over the callees with an explicit stack: recursion is an error.
static void check_recursion(struct parser *p)
{
    struct ast *ast = p->ast;
    struct map states = {0};
    static const char marks[3];
    for (size_t i = 0; i < ast->unit->functions.count; i++) {
        VEC(struct visit) path = {0};
        struct decl *root = ast->unit->functions.items[i];
        if (map_get(&states, root))
            continue;
        vec_push(ast->arena, &path, ((struct visit){root, 0}));
        map_set(ast->arena, &states, root, (void *)(uintptr_t)&marks[ACTIVE]);
        while (path.count) {
            struct visit *top = &path.items[path.count - 1];
            if (top->next == top->decl->callees.count) {
                map_set(ast->arena, &states, top->decl, (void *)(uintptr_t)&marks[DONE]);
                path.count--;
                continue;
            }
            struct decl *callee = top->decl->callees.items[top->next++];
            const void *state = map_get(&states, callee);
            if (state == &marks[ACTIVE]) {
                report_cycle(p, path.items, path.count, callee);
            } else if (!state) {
                map_set(ast->arena, &states, callee, (void *)(uintptr_t)&marks[ACTIVE]);
                vec_push(ast->arena, &path, ((struct visit){callee, 0}));
            }
        }
    }
}

static void check_undefined(struct parser *p)
{
    struct ast *ast = p->ast;
    struct map reported = {0};
    if (ast->library)
        return;
    for (size_t i = 0; i < ast->unit->functions.count; i++) {
        struct decl *decl = ast->unit->functions.items[i];
        for (size_t j = 0; j < decl->callees.count; j++) {
            struct decl *callee = decl->callees.items[j];
            bool elsewhere = ast->separate && callee->storage != STORAGE_STATIC;
            if (callee->defined || elsewhere || map_get(&reported, callee))
                continue;
            map_set(ast->arena, &reported, callee, callee);
            diag_error(ast->diag, callee->loc, "undefined reference to '%s', called from '%s'", callee->name,
                       decl->name);
        }
    }
}

static void check_externs(struct parser *p)
{
    for (size_t i = 0; i < p->externs.count; i++) {
        struct decl *decl = p->externs.items[i];
        if (decl->called && !decl->defined && !p->ast->separate)
            diag_error(p->ast->diag, decl->loc, "undefined reference to '%s'", decl->name);
    }
}

void parse_check_calls(struct parser *p)
{
    check_externs(p);
    check_recursion(p);
    check_undefined(p);
}
