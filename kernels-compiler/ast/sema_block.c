// SPDX-License-Identifier: Apache-2.0
// Blocks (OpenCL C 2.0, 6.12): literals, captured variables, and finding the literal that a block variable holds.
#include "ast/sema_impl.h"
#include "util/stack.h"

struct decl *sema_block_of(const struct expr *a)
{
    while (a->kind == EXPR_LOAD || a->kind == EXPR_CAST)
        a = a->a;
    return a->kind == EXPR_BLOCK ? a->decl : a->kind == EXPR_OBJECT ? a->decl->block : NULL;
}

struct expr *sema_block(struct ast *ast, struct decl *function, struct loc loc)
{
    struct expr *block = sema_new(ast, EXPR_BLOCK, qtype_of(type_block(ast->types, function->type.type)), loc);
    block->decl = function;
    if (ast->function)
        vec_push(ast->arena, &ast->function->blocks, function);
    return block;
}

struct expr *sema_block_truth(struct ast *ast, const struct expr *a) { return sema_const_int(ast, TYPE_BOOL, 1, a->loc); }

// ---- captures ------------------------------------------------------------------------------------

static bool is_automatic(const struct decl *decl)
{
    bool persistent = decl->storage == STORAGE_STATIC || decl->storage == STORAGE_EXTERN || decl->type.space == SPACE_CONSTANT ||
                 decl->type.space == SPACE_GLOBAL;
    return decl->owner && !persistent;
}

static struct expr *object(struct ast *ast, struct decl *decl, struct loc loc)
{
    struct expr *expr = sema_new(ast, EXPR_OBJECT, decl->type, loc);
    expr->decl = decl;
    expr->lvalue = true;
    return expr;
}

// The variable as seen in `function`: each block between `function` and the variable's owner captures it from the
// next outer one.
static struct decl *captured_by(struct ast *ast, struct decl *function, struct decl *decl, struct loc loc)
{
    stack_check();
    if (!function || function == decl->owner)
        return decl;
    struct decl *outer = captured_by(ast, function->owner, decl, loc);
    for (size_t i = 0; i < function->captures.count; i++)
        if (function->captures.items[i]->outer->decl == outer)
            return function->captures.items[i]->inner;
    struct decl *inner = ARENA_NEW(ast->arena, struct decl);
    *inner = (struct decl){.kind = DECL_PARAMETER, .name = decl->name, .loc = decl->loc, .attributes = decl->attributes};
    inner->type = type_qualify(ast->types, outer->type, QUAL_CONST);
    inner->type.space = SPACE_PRIVATE;
    inner->owner = function;
    inner->captured = true;
    struct capture *capture = ARENA_NEW(ast->arena, struct capture);
    *capture = (struct capture){.outer = object(ast, outer, loc), .inner = inner};
    vec_push(ast->arena, &function->captures, capture);
    return inner;
}

struct decl *sema_capture(struct ast *ast, struct decl *decl, struct loc loc)
{
    if (!is_automatic(decl) || decl->owner == ast->function || !ast->function)
        return decl;
    if (decl->type.type->kind == TYPE_BLOCK) {
        diag_error(ast->diag, loc, "cannot refer to a block inside block");
        return NULL;
    }
    return captured_by(ast, ast->function, decl, loc);
}
