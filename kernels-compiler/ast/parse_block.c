// SPDX-License-Identifier: Apache-2.0
// Block literals (OpenCL C 2.0, 6.12): ^{...}, ^(args){...}, ^ret(args){...}, ^ret{...}.
//
// A literal becomes an unnamed function.
#include "ast/parse.h"

static struct parse_function *no_parameters(struct parser *p)
{
    struct parse_function *function = ARENA_NEW(p->ast->arena, struct parse_function);
    scope_push(p->ast);
    function->scope = p->ast->scope;
    scope_pop(p->ast);
    return function;
}

static struct type *function_type(struct parser *p, struct qtype result, const struct parse_function *function)
{
    struct qtype *types = ARENA_ARRAY(p->ast->arena, struct qtype, function->count + 1);
    for (uint32_t i = 0; i < function->count; i++)
        types[i] = function->params[i]->type;
    return type_function(p->ast->types, result, types, function->count, function->variadic);
}

// Parses the text between '^' and '{'. Without a result type, return statements determine it; the default is void.
static struct type *parse_signature(struct parser *p, struct decl *decl, struct parse_function **function)
{
    struct ast *ast = p->ast;
    struct parse_specs specs = {0};
    struct declarator declarator;
    decl->infers_result = parse_is(p, TOK_LPAREN) || parse_is(p, TOK_LBRACE);
    if (decl->infers_result) {
        *function = parse_accept(p, TOK_LPAREN) ? parse_parameters(p) : no_parameters(p);
        return function_type(p, qtype_of(type_basic(ast->types, TYPE_VOID)), *function);
    }
    if (!parse_specifiers(p, &specs))
        return NULL;
    parse_declarator(p, &specs, DECLARATOR_ABSTRACT, &declarator);
    *function = declarator.function ? declarator.function : no_parameters(p);
    if (declarator.function || declarator.type.type->kind == TYPE_ERROR)
        return declarator.type.type;
    return function_type(p, declarator.type, *function);
}

static bool check_literal(struct parser *p, const struct type *type, struct loc loc)
{
    struct ast *ast = p->ast;
    if (type->kind != TYPE_FUNCTION)
        return false;
    if (type->variadic)
        diag_error(ast->diag, loc, "invalid block prototype, variadic arguments are not allowed in OpenCL");
    else if (type->elem.type->kind == TYPE_BLOCK)
        diag_error(ast->diag, loc, "declaring function return value of type '%s' is not allowed",
                   type_name(ast->arena, type->elem));
    return !type->variadic;
}

static const char *literal_name(struct ast *ast)
{
    const struct decl *around = ast->function;
    while (around && around->owner)
        around = around->owner;
    return arena_printf(ast->arena, "%s.block%u", around ? around->name : "", (unsigned)++ast->block_count);
}

struct expr *parse_block(struct parser *p)
{
    struct ast *ast = p->ast;
    struct loc loc = p->at->loc;
    struct parse_function *function = NULL;
    struct decl *decl = ARENA_NEW(ast->arena, struct decl);
    parse_next(p);
    *decl = (struct decl){.kind = DECL_FUNCTION, .storage = STORAGE_STATIC, .loc = loc, .file_scope = true, .is_block = true};
    struct type *type = parse_signature(p, decl, &function);
    if (!parse_is(p, TOK_LBRACE))
        parse_error(p, p->at->loc, "expected '{' in a block literal");
    if (p->panic || !type)
        return sema_error(ast, loc);
    bool right = check_literal(p, type, loc);
    decl->name = decl->link_name = literal_name(ast);
    decl->type = qtype_of(right ? type : function_type(p, qtype_of(type_basic(ast->types, TYPE_VOID)), no_parameters(p)));
    decl->owner = ast->function;
    decl->params = function->params;
    decl->param_count = function->count;
    ast_enter(ast, loc);
    parse_function_body(p, decl, function->scope);
    ast_leave(ast);
    decl->defined = true;
    if (!right)
        return sema_error(ast, loc);
    vec_push(ast->arena, &ast->unit->functions, decl);
    return sema_block(ast, decl, loc);
}
