// SPDX-License-Identifier: Apache-2.0
// Declarators: pointers, arrays and functions around a name, and parameter lists.
//
// Everything around the name is collected as a flat list of parts, nearest to the name first. The type is then built
// from the specifiers' type outwards, last part first. Only parentheses recurse.
#include "ast/parse.h"

enum part_kind { PART_POINTER, PART_BLOCK, PART_ARRAY, PART_FUNCTION };

struct part {
    enum part_kind kind;
    struct loc loc;
    uint8_t quals, space; // of the pointer itself
    bool has_space, incomplete;
    uint64_t count;
    struct parse_function *function;
};

struct parts {
    struct part *items;
    size_t count, capacity;
};

// ---- parameters ------------------------------------------------------------------------------------

// Adjusts array parameters to pointers into the array's address space.
static struct qtype adjusted(struct parser *p, struct qtype type)
{
    if (type.type->kind != TYPE_ARRAY)
        return type;
    struct qtype elem = type.type->elem;
    elem.space = type.space;
    return qtype_of(type_pointer(p->ast->types, elem));
}

static void check_parameter(struct parser *p, struct decl *decl, bool has_space)
{
    struct ast *ast = p->ast;
    const struct type *type = decl->type.type;
    if (type->kind == TYPE_VOID)
        diag_error(ast->diag, decl->loc, "argument may not have 'void' type");
    else if (type->kind == TYPE_FUNCTION)
        diag_error(ast->diag, decl->loc, "pointers to functions are not allowed");
    else if (type->kind == TYPE_BLOCK)
        diag_error(ast->diag, decl->loc, "declaring function parameter of type '%s' is not allowed",
                   type_name(ast->arena, decl->type));
    else if (type->kind == TYPE_HALF && !ast_has_half(ast))
        diag_error(ast->diag, decl->loc,
                   "declaring function parameter of type 'half' is not allowed; did you forget * ?");
    else if (has_space && decl->type.space != SPACE_PRIVATE)
        diag_error(ast->diag, decl->loc, "parameter may not be qualified with an address space");
    else
        return;
    decl->type = qtype_of(type_basic(ast->types, TYPE_ERROR));
}

static void set_parameter(struct parser *p, struct decl *decl, const struct parse_specs *specs,
                          const struct declarator *declarator)
{
    decl->type = adjusted(p, declarator->type);
    decl->was_array = declarator->type.type->kind == TYPE_ARRAY;
    decl->attributes = declarator->attributes;
    decl->attributes.nosvm |= specs->attributes.nosvm;
    parse_check_nosvm(p, decl);
    parse_check_place(p, &specs->attributes, ON_DECLARATION);
    parse_check_place(p, &decl->attributes, ON_DECLARATION);
    check_parameter(p, decl, declarator->has_space && declarator->type.type->kind != TYPE_ARRAY);
    decl->type.space = SPACE_PRIVATE;
    decl->typedef_name = specs->typedef_name;
    if (specs->size_name && declarator->direct)
        map_set(p->ast->arena, &p->size_names, decl, (void *)(uintptr_t)specs->size_name);
}

static bool parse_parameter_specifiers(struct parser *p, struct parse_specs *specs)
{
    bool ok = parse_specifiers(p, specs);
    if (specs->storage || specs->is_kernel)
        diag_error(p->ast->diag, specs->loc, "invalid storage class specifier in function declarator");
    return ok;
}

static struct decl *parse_parameter(struct parser *p)
{
    struct parse_specs specs = {0};
    struct declarator declarator;
    bool ok = parse_parameter_specifiers(p, &specs);
    parse_declarator(p, &specs, DECLARATOR_EITHER, &declarator);
    if (!ok)
        declarator.type = qtype_of(type_basic(p->ast->types, TYPE_ERROR));

    struct decl *decl = ARENA_NEW(p->ast->arena, struct decl);
    decl->kind = DECL_PARAMETER;
    decl->name = declarator.name;
    decl->loc = declarator.name ? declarator.loc : specs.loc;
    set_parameter(p, decl, &specs, &declarator);
    return decl;
}

static void add_parameter(struct parser *p, struct decl *decl)
{
    if (!decl->name)
        return;
    struct decl *old = scope_find_here(p->ast, decl->name);
    if (old) {
        diag_error(p->ast->diag, decl->loc, "redefinition of parameter '%s'", decl->name);
        diag_note(p->ast->diag, old->loc, "previous declaration is here");
        return;
    }
    scope_add(p->ast, decl);
}

static bool only_void(const struct parser *p)
{
    return parse_is(p, TOK_VOID) && p->at[1].kind == TOK_RPAREN;
}

// An old-style parameter list: names only.
static bool at_names(const struct parser *p)
{
    enum token_kind next = p->at[1].kind;
    return parse_is(p, TOK_IDENTIFIER) && (next == TOK_COMMA || next == TOK_RPAREN) && !parse_starts_type(p, p->at);
}

static struct decl *parse_parameter_name(struct parser *p)
{
    struct decl *decl = ARENA_NEW(p->ast->arena, struct decl);
    decl->kind = DECL_PARAMETER;
    decl->loc = p->at->loc;
    decl->type = qtype_of(type_basic(p->ast->types, TYPE_ERROR));
    if (parse_is(p, TOK_IDENTIFIER)) {
        decl->name = p->at->text;
        parse_next(p);
    } else {
        parse_error(p, p->at->loc, "expected identifier");
    }
    return decl;
}

struct parse_function *parse_parameters(struct parser *p)
{
    struct parse_function *function = ARENA_NEW(p->ast->arena, struct parse_function);
    VEC(struct decl *) params = {0};
    ast_enter(p->ast, p->at->loc);
    scope_push(p->ast);
    struct scope *outer = p->prototype;
    p->prototype = function->scope = p->ast->scope;
    function->names_only = at_names(p);
    if (only_void(p))
        parse_next(p);
    while (!p->panic && !parse_is(p, TOK_RPAREN)) {
        if (parse_is(p, TOK_ELLIPSIS)) {
            function->variadic = true;
            parse_next(p);
            break;
        }
        struct decl *decl = function->names_only ? parse_parameter_name(p) : parse_parameter(p);
        add_parameter(p, decl);
        vec_push(p->ast->arena, &params, decl);
        if (!parse_accept(p, TOK_COMMA))
            break;
        if (parse_is(p, TOK_RPAREN))
            parse_error(p, p->at->loc, "expected parameter declarator");
    }
    parse_expect(p, TOK_RPAREN, NULL);
    scope_pop(p->ast);
    p->prototype = outer;
    ast_leave(p->ast);
    function->params = params.items;
    function->count = (uint32_t)params.count;
    return function;
}

// ---- old style -------------------------------------------------------------------------------------

static struct decl *find_parameter(struct parser *p, const struct parse_function *function, const char *name)
{
    struct scope *scope = p->ast->scope;
    p->ast->scope = function->scope;
    struct decl *decl = scope_find_here(p->ast, name);
    p->ast->scope = scope;
    return decl;
}

// Parses one of the declarations between ')' and '{'.
static void parse_parameter_types(struct parser *p, struct parse_function *function)
{
    struct ast *ast = p->ast;
    struct parse_specs specs = {0};
    if (!parse_parameter_specifiers(p, &specs))
        return;
    do {
        struct declarator declarator;
        parse_declarator(p, &specs, DECLARATOR_NAMED, &declarator);
        if (p->panic)
            return;
        struct decl *decl = find_parameter(p, function, declarator.name);
        if (!decl) {
            diag_error(ast->diag, declarator.loc, "parameter named '%s' is missing", declarator.name);
        } else if (decl->file_scope) {
            diag_error(ast->diag, declarator.loc, "redefinition of parameter '%s'", declarator.name);
        } else {
            decl->loc = declarator.loc;
            decl->file_scope = true; // marks it as typed until all parameters are known
            set_parameter(p, decl, &specs, &declarator);
        }
    } while (parse_accept(p, TOK_COMMA));
    parse_expect(p, TOK_SEMICOLON, "at end of declaration");
}

void parse_old_style(struct parser *p, struct declarator *out)
{
    struct ast *ast = p->ast;
    struct parse_function *function = out->function;
    while (!p->panic && !parse_is(p, TOK_LBRACE) && !parse_is(p, TOK_EOF))
        parse_parameter_types(p, function);
    diag_warning(ast->diag, out->loc, "a function definition without a prototype is deprecated in all versions of C "
                                      "and is not supported in C23");
    struct qtype *types = ARENA_ARRAY(ast->arena, struct qtype, function->count);
    for (uint32_t i = 0; i < function->count; i++) {
        struct decl *decl = function->params[i];
        if (!decl->file_scope) {
            decl->type = qtype_of(type_basic(ast->types, TYPE_INT));
            diag_warning(ast->diag, decl->loc, "parameter '%s' was not declared, defaults to 'int'", decl->name);
        }
        decl->file_scope = false;
        types[i] = decl->type;
    }
    out->type.type = type_function(ast->types, out->type.type->elem, types, function->count, false);
}

// ---- parts -----------------------------------------------------------------------------------------

// For errors: the leftmost variable of an array size that is not constant.
static struct loc unknown_part(const struct expr *a, struct loc start)
{
    while (a->a && !a->parenthesized)
        a = a->a->kind == EXPR_CONST && a->b ? a->b : a->a;
    return a->parenthesized ? start : a->loc;
}

static void parse_array_size(struct parser *p, struct part *part)
{
    struct ast *ast = p->ast;
    uint8_t quals = 0, space = 0;
    bool has_space = false;
    while (parse_qualifier(p, &quals, &space, &has_space) || parse_accept(p, TOK_STATIC))
        ;
    if (parse_is(p, TOK_RBRACKET)) {
        part->incomplete = true;
        return;
    }
    struct loc loc = p->at->loc;
    struct expr *size = sema_value(ast, parse_assignment(p));
    part->count = 1;
    if (sema_is_error(size))
        return;
    struct type *type = size->type.type;
    if (!type_is_integer(type))
        diag_error(ast->diag, loc, "size of array has non-integer type '%s'", type_name(ast->arena, size->type));
    else if (size->kind == EXPR_PTR_DIFF || !const_eval_int(ast, size, &part->count, NULL))
        diag_error(ast->diag, unknown_part(size, loc), "variable length arrays are not supported in OpenCL");
    else if (type_is_signed(type) && (int64_t)(part->count << (64 - type_bits(type))) < 0)
        diag_error(ast->diag, loc, "array declared with a negative size");
    else
        return;
    part->count = 1;
}

static void parse_suffixes(struct parser *p, struct parts *parts)
{
    while (!p->panic && (parse_is(p, TOK_LBRACKET) || parse_is(p, TOK_LPAREN))) {
        struct part part = {.loc = p->at->loc};
        if (parse_accept(p, TOK_LBRACKET)) {
            part.kind = PART_ARRAY;
            parse_array_size(p, &part);
            parse_expect(p, TOK_RBRACKET, NULL);
        } else {
            parse_next(p);
            part.kind = PART_FUNCTION;
            part.function = parse_parameters(p);
        }
        vec_push(p->ast->arena, parts, part);
    }
}

static bool nested_declarator(const struct parser *p, enum parse_declarator_mode mode)
{
    if (!parse_is(p, TOK_LPAREN))
        return false;
    const struct token *next = p->at + 1;
    if (mode == DECLARATOR_NAMED)
        return true;
    if (next->kind == TOK_RPAREN || next->kind == TOK_ELLIPSIS || parse_starts_type(p, next))
        return false;
    return mode == DECLARATOR_EITHER || next->kind == TOK_STAR || next->kind == TOK_LPAREN ||
           next->kind == TOK_LBRACKET || next->kind == TOK_ATTRIBUTE || next->kind == TOK_CARET;
}

static void parse_parts(struct parser *p, enum parse_declarator_mode mode, struct declarator *out, struct parts *parts)
{
    struct parts pointers = {0};
    struct ast *ast = p->ast;
    parse_attributes(p, &out->attributes);
    bool blocks = ast_has_blocks(ast);
    while (parse_is(p, TOK_STAR) || (blocks && parse_is(p, TOK_CARET))) {
        struct part part = {.kind = parse_is(p, TOK_STAR) ? PART_POINTER : PART_BLOCK, .loc = p->at->loc};
        parse_next(p);
        while (parse_qualifier(p, &part.quals, &part.space, &part.has_space) ||
               parse_attributes(p, &out->attributes))
            parse_apply_space(p, &out->attributes, &part.space, &part.has_space);
        vec_push(ast->arena, &pointers, part);
    }
    if (nested_declarator(p, mode)) {
        ast_enter(ast, p->at->loc);
        parse_next(p);
        parse_parts(p, mode, out, parts);
        parse_expect(p, TOK_RPAREN, NULL);
        ast_leave(ast);
    } else {
        out->loc = p->at->loc;
        if (parse_is(p, TOK_IDENTIFIER) && mode != DECLARATOR_ABSTRACT) {
            out->name = p->at->text;
            parse_next(p);
        } else if (mode == DECLARATOR_NAMED) {
            if (parse_is(p, TOK_CARET))
                parse_error(p, p->at->loc, "blocks require __opencl_c_device_enqueue, which the device does not support");
            parse_error(p, p->at->loc, "expected identifier or '('");
        }
    }
    parse_suffixes(p, parts);
    for (size_t i = pointers.count; i-- > 0;)
        vec_push(ast->arena, parts, pointers.items[i]);
}

// ---- the type --------------------------------------------------------------------------------------

static bool is_opaque_object(const struct type *type)
{
    return type->kind == TYPE_BLOCK || type_is_resource(type);
}

static struct qtype apply_block(struct parser *p, const struct part *part, struct qtype result)
{
    struct ast *ast = p->ast;
    const char *wrong = result.type->kind != TYPE_FUNCTION ? "block pointer to non-function type is invalid"
                        : result.type->variadic
                            ? "invalid block prototype, variadic arguments are not allowed in OpenCL"
                            : NULL;
    if (wrong) {
        diag_error(ast->diag, part->loc, "%s", wrong);
        return qtype_of(type_basic(ast->types, TYPE_ERROR));
    }
    struct qtype type = qtype_of(type_block(ast->types, result.type));
    type.quals = part->quals;
    type.space = part->space;
    return type;
}

static struct qtype apply_pointer(struct parser *p, const struct part *part, struct qtype pointee, bool has_space)
{
    struct ast *ast = p->ast;
    struct qtype error = qtype_of(type_basic(ast->types, TYPE_ERROR));
    if (pointee.type->kind == TYPE_FUNCTION) {
        diag_error(ast->diag, part->loc, "pointers to functions are not allowed");
        return error;
    }
    if (is_opaque_object(pointee.type)) {
        bool pipe = type_is_opaque(pointee.type, OPAQUE_PIPE); // the star may belong to the packet type
        diag_error(ast->diag, part->loc, pipe ? "the packet type of '%s' must not be a pointer" : "pointer to type '%s' is invalid in OpenCL",
                   type_name(ast->arena, pointee));
        return error;
    }
    if (pointee.type->matrices && pointee.space != SPACE_PRIVATE && pointee.space != SPACE_GENERIC) {
        diag_error(ast->diag, part->loc, "pointer to '%s' is invalid: cooperative matrices must be in private memory",
                   type_name(ast->arena, pointee));
        return error;
    }
    if (!has_space && ast_has_generic(ast))
        pointee.space = SPACE_GENERIC;
    struct qtype type = qtype_of(type_pointer(ast->types, pointee));
    type.quals = part->quals;
    type.space = part->space;
    return type;
}

static struct qtype apply_array(struct parser *p, const struct part *part, struct qtype elem)
{
    struct ast *ast = p->ast;
    struct qtype error = qtype_of(type_basic(ast->types, TYPE_ERROR));
    const char *name = type_name(ast->arena, elem);
    if (elem.type->kind == TYPE_FUNCTION)
        diag_error(ast->diag, part->loc, "array of functions is not allowed");
    else if (is_opaque_object(elem.type))
        diag_error(ast->diag, part->loc, "array of '%s' type is invalid in OpenCL", name);
    else if (!type_complete(elem.type))
        diag_error(ast->diag, part->loc, "array has incomplete element type '%s'", name);
    else {
        struct type *type = type_array(ast->types, elem, part->count, part->incomplete);
        if (type->size <= INT64_MAX)
            return (struct qtype){.type = type, .space = elem.space};
        diag_error(ast->diag, part->loc, "array is too large (%llu elements)", (unsigned long long)part->count);
    }
    return error;
}

static struct qtype apply_function(struct parser *p, const struct part *part, struct qtype result, bool has_space)
{
    struct ast *ast = p->ast;
    struct parse_function *function = part->function;
    const char *name = type_name(ast->arena, result);
    if (result.type->kind == TYPE_FUNCTION || result.type->kind == TYPE_ARRAY) {
        diag_error(ast->diag, part->loc, "function cannot return %s type '%s'",
                   result.type->kind == TYPE_ARRAY ? "array" : "function", name);
        result.type = type_basic(ast->types, TYPE_ERROR);
    } else if (result.space != SPACE_PRIVATE || has_space) {
        diag_error(ast->diag, part->loc, "return type cannot be qualified with address space");
    } else if (result.type->kind == TYPE_HALF && !ast_has_half(ast)) {
        diag_error(ast->diag, part->loc,
                   "declaring function return value of type 'half' is not allowed ; did you forget * ?");
    } else if (is_opaque_object(result.type)) {
        diag_error(ast->diag, part->loc, "declaring function return value of type '%s' is not allowed", name);
    }
    struct qtype *types = ARENA_ARRAY(ast->arena, struct qtype, function->count ? function->count : 1);
    for (uint32_t i = 0; i < function->count; i++)
        types[i] = function->params[i]->type;
    return qtype_of(type_function(ast->types, result, types, function->count, function->variadic));
}

static void apply_parts(struct parser *p, const struct parts *parts, struct declarator *out)
{
    struct ast *ast = p->ast;
    out->direct = true;
    // An address space before a block's result type applies to the block.
    bool of_block = parts->count >= 2 && parts->items[parts->count - 1].kind == PART_FUNCTION &&
                    parts->items[parts->count - 2].kind == PART_BLOCK && out->has_space;
    uint8_t space = out->type.space;
    if (of_block)
        out->type.space = SPACE_PRIVATE, out->has_space = false;
    for (size_t i = parts->count; i-- > 0;) {
        const struct part *part = &parts->items[i];
        out->direct &= part->kind == PART_ARRAY;
        if (out->type.type->kind == TYPE_ERROR)
            continue;
        if (part->kind == PART_POINTER) {
            out->type = apply_pointer(p, part, out->type, out->has_space);
            out->has_space = part->has_space;
        } else if (part->kind == PART_BLOCK) {
            out->type = apply_block(p, part, out->type);
            out->has_space = part->has_space;
        } else if (part->kind == PART_ARRAY) {
            out->type = apply_array(p, part, out->type);
        } else {
            out->type = apply_function(p, part, out->type, out->has_space);
            out->has_space = false;
        }
        if (out->type.type->depth > TYPE_MAX_DEPTH)
            diag_fatal(ast->diag, part->loc, "type nested too deeply: more than %d levels", TYPE_MAX_DEPTH);
    }
    if (of_block && parts->count == 2)
        out->type.space = space, out->has_space = true;
    if (parts->count && parts->items[0].kind == PART_FUNCTION && out->type.type->kind == TYPE_FUNCTION)
        out->function = parts->items[0].function;
}

// coop_mat applies to the innermost type of the declarator's arrays, pointers and functions, wherever it is written.
static void apply_matrix(struct parser *p, const struct matrix_shape *shape, struct declarator *out)
{
    struct type *type = out->type.type;
    if (shape && type->kind != TYPE_ERROR)
        out->type.type = sema_matrix_type(p->ast, type, shape);
    if (type->kind == TYPE_VOID) // an error was reported; the rest of a function type is valid
        out->type.type = type;
}

void parse_declarator(struct parser *p, const struct parse_specs *specs, enum parse_declarator_mode mode,
                      struct declarator *out)
{
    struct parts parts = {0};
    *out = (struct declarator){.type = specs->type, .has_space = specs->has_space};
    parse_parts(p, mode, out, &parts);
    parse_attributes(p, &out->attributes);
    if (parse_is(p, TOK_ASM) || parse_is(p, TOK_ASM_GNU))
        parse_error(p, p->at->loc, "inline assembly is not supported");
    apply_matrix(p, specs->attributes.matrix, out);
    apply_matrix(p, out->attributes.matrix, out);
    apply_parts(p, &parts, out);
}
