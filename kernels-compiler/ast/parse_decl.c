// SPDX-License-Identifier: Apache-2.0
// Declarations: typedefs, variables, functions; at file scope and in blocks.
//
// A function has one decl for all its declarations; the definition supplies the parameters. Overloads of a name are
// chained through next_overload. The first declared is the one in scope.
#include "ast/parse.h"

static struct qtype error_type(struct parser *p)
{
    return qtype_of(type_basic(p->ast->types, TYPE_ERROR));
}

static const char *kind_of_type(struct parser *p, struct qtype type)
{
    return type_name(p->ast->arena, type);
}

static bool at_file_scope(const struct parser *p)
{
    return !p->ast->function;
}

// The file scope also contains the predefined type names of OpenCL C.
static bool not_predefined(struct parser *p, const struct decl *decl)
{
    struct ast *ast = p->ast;
    const char *why;
    struct type *type = ast->scope->outer || ast->library ? NULL : scope_predefined_type(ast, decl->name, &why);
    if (!type || why)
        return true;
    struct qtype known = qtype_of(type);
    known.quals = strncmp(decl->name, "atomic_", 7) ? 0 : QUAL_ATOMIC;
    if (decl->kind != DECL_TYPEDEF)
        diag_error(ast->diag, decl->loc, "redefinition of '%s' as different kind of symbol", decl->name);
    else if (decl->type.type->kind != TYPE_ERROR && !type_same(decl->type, known))
        diag_error(ast->diag, decl->loc, "typedef redefinition with different types ('%s' vs '%s')",
                   kind_of_type(p, decl->type), kind_of_type(p, known));
    else
        return true;
    return false;
}

// Checks a declaration against an earlier one in its scope. Returns whether the name is free or `old` is of the same
// kind.
static bool same_kind(struct parser *p, const struct decl *old, const struct decl *decl)
{
    if (!old)
        return not_predefined(p, decl);
    if (old->kind == decl->kind || (old->kind == DECL_PARAMETER && decl->kind == DECL_VARIABLE))
        return true;
    diag_error(p->ast->diag, decl->loc, "redefinition of '%s' as different kind of symbol", decl->name);
    diag_note(p->ast->diag, old->loc, "previous definition is here");
    return false;
}

// ---- typedefs --------------------------------------------------------------------------------------

static struct qtype with_ext_vector(struct parser *p, struct qtype type, const struct attributes *attributes,
                                    struct loc loc)
{
    uint64_t lanes = attributes->ext_vector;
    if (attributes->vector_size && type.type->size) {
        lanes = attributes->vector_size / type.type->size;
        if (attributes->vector_size % type.type->size)
            diag_error(p->ast->diag, loc, "vector size not an integral multiple of component size");
    }
    if (!lanes)
        return type;
    bool scalar = type_is_arithmetic(type.type) && type.type->kind != TYPE_BOOL && type.type->kind != TYPE_ENUM;
    if (!scalar || (lanes != 2 && lanes != 3 && lanes != 4 && lanes != 8 && lanes != 16)) {
        diag_error(p->ast->diag, loc, "vector of %u '%s' is not supported", (unsigned)lanes, kind_of_type(p, type));
        return type;
    }
    type.type = type_vector(p->ast->types, type.type, (unsigned)lanes);
    return type;
}

static void declare_typedef(struct parser *p, const struct parse_specs *specs, struct declarator *d)
{
    struct ast *ast = p->ast;
    struct decl *decl = ARENA_NEW(ast->arena, struct decl);
    decl->kind = DECL_TYPEDEF;
    if (specs->is_kernel)
        diag_error(ast->diag, specs->kernel_loc, "'kernel' attribute only applies to functions");
    decl->storage = STORAGE_TYPEDEF;
    decl->name = d->name;
    decl->loc = d->loc;
    decl->attributes = d->attributes;
    decl->has_space = d->has_space;
    parse_check_place(p, &d->attributes, ON_DECLARATION);
    decl->type = with_ext_vector(p, d->type, &d->attributes, d->loc);
    if (!decl->attributes.aligned && d->direct)
        decl->attributes.aligned = specs->type_align;
    const char *size_name = parse_is_size_type(d->name) ? d->name : specs->size_name;
    if (size_name && d->direct)
        map_set(ast->arena, &p->size_names, decl, (void *)(uintptr_t)size_name);

    struct type *type = decl->type.type;
    bool anonymous = (type_is_record(type) && !type->record->tag) || (type->kind == TYPE_ENUM && !type->tag);
    if (anonymous && !type->name)
        type->name = decl->name;

    struct decl *old = scope_find_here(ast, decl->name);
    if (!same_kind(p, old, decl))
        return;
    if (old && !type_same(old->type, decl->type) && type->kind != TYPE_ERROR) {
        diag_error(ast->diag, decl->loc, "typedef redefinition with different types ('%s' vs '%s')",
                   kind_of_type(p, decl->type), kind_of_type(p, old->type));
        diag_note(ast->diag, old->loc, "previous definition is here");
    } else if (old && type->kind != TYPE_ERROR) {
        diag_warning(ast->diag, decl->loc,
                     "redefinition of typedef '%s' is a C11 feature", decl->name);
    }
    scope_add(ast, decl);
}

// ---- variables -------------------------------------------------------------------------------------

// Whether objects may have the type; reports an error if not.
static bool object_type_ok(struct parser *p, struct qtype type, struct loc loc, const char *what)
{
    struct ast *ast = p->ast;
    const struct type *elem = type.type;
    while (elem->kind == TYPE_ARRAY)
        elem = elem->elem.type;
    if (elem->kind == TYPE_ERROR)
        return false;
    if (type.type->kind == TYPE_FUNCTION) {
        diag_error(ast->diag, loc, "%s has function type '%s'", what, kind_of_type(p, type));
    } else if (elem->kind == TYPE_HALF && !ast_has_half(ast)) {
        diag_error(ast->diag, loc, "declaring %s of type '%s' is not allowed", what, kind_of_type(p, type));
    } else if (elem->kind == TYPE_OPAQUE && elem->opaque >= OPAQUE_PIPE) {
        diag_error(ast->diag, loc, "type '%s' can only be used as a function parameter in OpenCL",
                   kind_of_type(p, type));
    } else if (!type_complete(type.type) && type.type->kind != TYPE_ARRAY) {
        diag_error(ast->diag, loc, "%s has incomplete type '%s'", what, kind_of_type(p, type));
    } else if (elem->kind == TYPE_MATRIX && !elem->rows) {
        diag_error(ast->diag, loc, "%s has an unknown cooperative matrix type", what);
    } else {
        return true;
    }
    return false;
}

// The type in `extern struct s v;` may be incomplete.
static bool is_extern_incomplete(const struct parser *p, const struct decl *decl)
{
    enum type_kind kind = decl->type.type->kind;
    return decl->storage == STORAGE_EXTERN && !parse_is(p, TOK_ASSIGN) && (kind == TYPE_STRUCT || kind == TYPE_UNION) &&
           !type_complete(decl->type.type);
}

static bool is_sampler(struct qtype type)
{
    return type.type->kind == TYPE_OPAQUE && type.type->opaque == OPAQUE_SAMPLER;
}

// Variables in program scope: constant in OpenCL C 1.x; global by default since 2.0.
static void check_file_space(struct parser *p, struct decl *decl, bool has_space)
{
    struct ast *ast = p->ast;
    bool globals = ast_has_program_variables(ast);
    if (type_is_opaque(decl->type.type, OPAQUE_RESERVE_ID) && decl->storage != STORAGE_STATIC)
        diag_error(ast->diag, decl->loc, "the '%s' type cannot be used to declare a program scope variable",
                   kind_of_type(p, decl->type));
    if (is_sampler(decl->type)) {
        if (decl->type.space == SPACE_LOCAL || decl->type.space == SPACE_GLOBAL)
            diag_error(ast->diag, decl->loc, "sampler type cannot be used with the __local and __global address space "
                       "qualifiers");
        if (!(decl->type.quals & QUAL_CONST) && decl->type.space != SPACE_CONSTANT)
            diag_error(ast->diag, decl->loc, "global sampler requires a const or constant address space qualifier");
        decl->type.space = SPACE_CONSTANT;
        return;
    }
    if (type_is_enqueue(decl->type.type))
        diag_error(ast->diag, decl->loc, "the '%s' type cannot be used to declare a program scope variable",
                   kind_of_type(p, decl->type));
    if (globals && !has_space)
        decl->type.space = SPACE_GLOBAL;
    if (decl->type.space == SPACE_CONSTANT || (globals && decl->type.space == SPACE_GLOBAL))
        return;
    diag_error(ast->diag, decl->loc, "%s variable must reside in %sconstant address space",
               decl->storage == STORAGE_EXTERN ? "extern" : "program scope", globals ? "global or " : "");
    decl->type = error_type(p);
}

static void check_block_space(struct parser *p, const struct parse_specs *specs, struct decl *decl, bool has_space)
{
    struct ast *ast = p->ast;
    uint8_t space = decl->type.space;
    const char *name = space == SPACE_LOCAL ? "local" : "constant";
    bool kernel = ast->function->is_kernel || ast->function->is_block || ast->library;
    if (is_sampler(decl->type) && (space == SPACE_LOCAL || space == SPACE_GLOBAL)) {
        diag_error(ast->diag, decl->loc, "sampler type cannot be used with the __local and __global address space "
                   "qualifiers");
    } else if (decl->storage == STORAGE_EXTERN) {
        check_file_space(p, decl, has_space);
    } else if (decl->storage == STORAGE_STATIC && ast->version < 200) {
        diag_error(ast->diag, specs->storage_loc, "variables in function scope cannot be declared static");
    } else if (decl->storage == STORAGE_STATIC) {
        bool globals = ast_has_program_variables(ast);
        if (!has_space && globals)
            decl->type.space = SPACE_GLOBAL;
        if (decl->type.space != SPACE_CONSTANT && !(globals && decl->type.space == SPACE_GLOBAL))
            diag_error(ast->diag, decl->loc, "static local variable must reside in %sconstant address space",
                       globals ? "global or " : "");
    } else if (space == SPACE_LOCAL || space == SPACE_CONSTANT) {
        if (!kernel)
            diag_error(ast->diag, decl->loc, "non-kernel function variable cannot be declared in %s address space",
                       name);
        else if (p->blocks > 1)
            diag_error(ast->diag, decl->loc, "variables in the %s address space can only be declared in the "
                       "outermost scope of a kernel function", name);
    } else if (space != SPACE_PRIVATE) {
        diag_error(ast->diag, decl->loc, "function scope variable cannot be declared in %s address space",
                   space == SPACE_GLOBAL ? "global" : "generic");
    }
}

static bool same_variable_type(struct qtype a, struct qtype b)
{
    const struct type *x = a.type, *y = b.type;
    bool open = x->kind == TYPE_ARRAY && y->kind == TYPE_ARRAY && (x->incomplete || y->incomplete);
    return a.space == b.space && (open ? type_same(x->elem, y->elem) : type_same(a, b));
}

// Whether `old` and the new declaration denote one variable because of an extern declaration.
static bool linked(struct parser *p, const struct decl *old, const struct decl *decl)
{
    bool redefines = parse_is(p, TOK_ASSIGN) && old->defined;
    return old->kind == DECL_VARIABLE && (old->storage == STORAGE_EXTERN || decl->storage == STORAGE_EXTERN) &&
           !redefines && same_variable_type(old->type, decl->type);
}

static struct decl *merge_variable(struct decl *old, const struct decl *decl)
{
    if (old->type.type->kind == TYPE_ARRAY && old->type.type->incomplete)
        old->type = decl->type;
    if (decl->storage != STORAGE_EXTERN) {
        old->storage = decl->storage;
        old->loc = decl->loc;
        old->attributes = decl->attributes;
        old->file_scope = decl->file_scope;
    }
    return old;
}

// The declaration of a name at file scope, or by extern declarations in functions.
static struct decl *find_global(struct parser *p, const char *name)
{
    const struct scope *file = p->ast->scope;
    while (file->outer)
        file = file->outer;
    struct decl *decl = map_get(&file->names, name);
    return decl ? decl : map_get(&p->extern_names, name);
}

static void report_redefinition(struct parser *p, const struct decl *old, const struct decl *decl)
{
    struct ast *ast = p->ast;
    bool global = at_file_scope(p) || (decl->storage == STORAGE_EXTERN && (old->file_scope || old->storage == STORAGE_EXTERN));
    if (old->kind == DECL_VARIABLE && !same_variable_type(old->type, decl->type) && global)
        diag_error(ast->diag, decl->loc, "redefinition of '%s' with a different type: '%s' vs '%s'", decl->name,
                   kind_of_type(p, decl->type), kind_of_type(p, old->type));
    else
        diag_error(ast->diag, decl->loc, "redefinition of '%s'", decl->name);
    diag_note(ast->diag, old->loc, "previous definition is here");
}

// Enters a variable into the scope. Returns the decl that represents it.
static struct decl *enter_variable(struct parser *p, struct decl *decl)
{
    struct ast *ast = p->ast;
    struct decl *old = scope_find_here(ast, decl->name);
    bool erroneous = decl->type.type->kind == TYPE_ERROR || (old && old->type.type->kind == TYPE_ERROR);
    bool global = at_file_scope(p) || decl->storage == STORAGE_EXTERN;
    if (!old && global && !erroneous) {
        struct decl *known = find_global(p, decl->name);
        if (!known && decl->storage == STORAGE_EXTERN) {
            vec_push(ast->arena, &p->externs, decl);
            map_set(ast->arena, &p->extern_names, decl->name, decl);
        }
        if (known && known->type.type->kind != TYPE_ERROR) {
            if (!same_kind(p, known, decl))
                return decl;
            if (linked(p, known, decl)) {
                decl = merge_variable(known, decl);
            } else {
                report_redefinition(p, known, decl);
                decl->type = error_type(p);
                erroneous = true;
            }
        }
    }
    if (!same_kind(p, old, decl))
        return decl;
    if (!old || erroneous) {
        scope_add(ast, decl);
        return decl;
    }
    if (linked(p, old, decl))
        return merge_variable(old, decl);
    report_redefinition(p, old, decl);
    return decl;
}

static void check_uninitialized(struct parser *p, struct decl *decl)
{
    struct ast *ast = p->ast;
    const struct type *type = decl->type.type;
    if (type->kind == TYPE_BLOCK && decl->kind == DECL_VARIABLE)
        diag_error(ast->diag, decl->loc, "invalid block variable declaration - must be initialized");
    if (type->kind == TYPE_ARRAY && type->incomplete && decl->storage != STORAGE_EXTERN) {
        diag_error(ast->diag, decl->loc,
                   "definition of variable with array type needs an explicit size or an initializer");
        decl->type = error_type(p);
    } else if (decl->type.space == SPACE_CONSTANT && decl->storage != STORAGE_EXTERN) {
        diag_error(ast->diag, decl->loc, "variable in constant address space must be initialized");
    }
}

static void check_constant(struct parser *p, struct decl *decl)
{
    struct ast *ast = p->ast;
    if (decl->type.type->kind == TYPE_ERROR || decl->type.space == SPACE_PRIVATE || is_sampler(decl->type))
        return;
    struct const_relocs relocs = {0};
    uint32_t known = 0;
    while (known < decl->init->count && decl->init->entries[known].value->kind == EXPR_CONST)
        known++;
    if (known == decl->init->count)
        return;
    uint8_t *bytes = arena_zalloc(ast->arena, decl->type.type->size ? (size_t)decl->type.type->size : 1);
    const_eval_init(ast, decl, bytes, &relocs);
}

static struct expr *constant_expr(struct ast *ast, struct type *type, const uint64_t *lanes, struct loc loc)
{
    struct expr *value = sema_new(ast, EXPR_CONST, qtype_of(type), loc);
    value->lanes = arena_copy(ast->arena, lanes, sizeof *lanes * type_lanes(type));
    return value;
}

// Other constant expressions use the value of a constant variable: compute it once.
static void fold_constant(struct parser *p, struct decl *decl)
{
    struct ast *ast = p->ast;
    uint64_t lanes[16];
    struct init_entry *entry = decl->init->count == 1 ? &decl->init->entries[0] : NULL;
    bool constant = (decl->type.quals & QUAL_CONST) || decl->type.space == SPACE_CONSTANT;
    if (!constant || !entry || entry->value->kind == EXPR_CONST || entry->value->type.type != decl->type.type ||
        !type_is_arithmetic(type_scalar(decl->type.type)) || !const_eval_lanes(ast, entry->value, lanes))
        return;
    entry->value = constant_expr(ast, decl->type.type, lanes, entry->value->loc);
}

// Replaces a sampler variable's initialiser by its constant value.
static void fold_sampler(struct parser *p, struct decl *decl)
{
    struct ast *ast = p->ast;
    if (!decl->init->count) // after an error
        return;
    struct expr *value = decl->init->entries[0].value, *number = value->kind == EXPR_CAST ? value->a : NULL;
    const struct decl *other = value->kind == EXPR_LOAD && value->a->kind == EXPR_OBJECT ? value->a->decl : NULL;
    uint64_t lanes[16];
    if (value->kind == EXPR_CONST || value->kind == EXPR_ERROR)
        return;
    if (other && is_sampler(other->type) && other->init && !decl->file_scope)
        decl->init->entries[0].value = other->init->entries[0].value;
    else if (number && const_eval_lanes(ast, number, lanes))
        decl->init->entries[0].value = constant_expr(ast, value->type.type, lanes, value->loc);
    else if (number || decl->file_scope)
        diag_error(ast->diag, sema_start(value), "initializer element is not a compile-time constant");
}

static void parse_variable_init(struct parser *p, struct decl *decl)
{
    struct ast *ast = p->ast;
    struct loc loc = p->at->loc;
    uint32_t before = ast->diag->errors;
    struct qtype type = decl->type;
    parse_next(p);
    struct init *init = parse_initializer(p, &type, &decl->loc);
    if (decl->type.type->kind == TYPE_ERROR)
        return;
    decl->type.type = type.type;
    if (decl->type.space == SPACE_LOCAL) {
        diag_error(ast->diag, decl->loc, "'__local' variable cannot have an initializer");
        return;
    }
    if (decl->storage == STORAGE_EXTERN && !at_file_scope(p)) {
        diag_error(ast->diag, loc, "declaration of block scope identifier with linkage cannot have an initializer");
        return;
    }
    if (decl->type.quals & QUAL_ATOMIC && decl->type.space != SPACE_GLOBAL) {
        diag_error(ast->diag, decl->loc, "an atomic variable can be initialized in the global address space only");
        return;
    }
    if (decl->storage == STORAGE_EXTERN)
        diag_warning(ast->diag, decl->loc, "'extern' variable has an initializer");
    decl->init = init;
    if (type.type->kind == TYPE_ARRAY && type.type->incomplete)
        decl->type = error_type(p);
    if (decl->type.type->kind == TYPE_BLOCK) {
        decl->block = init && init->count ? sema_block_of(init->entries[0].value) : NULL;
        if (!decl->block)
            decl->type = error_type(p);
        if (decl->block && decl->block->captures.count && decl->storage == STORAGE_STATIC)
            diag_error(ast->diag, sema_start(init->entries[0].value), "initializer element is not a compile-time constant");
        return;
    }
    if (init && ast->diag->errors == before) {
        fold_constant(p, decl);
        if (is_sampler(decl->type))
            fold_sampler(p, decl);
        check_constant(p, decl);
    }
}

static struct decl *declare_variable(struct parser *p, const struct parse_specs *specs, struct declarator *d)
{
    struct ast *ast = p->ast;
    struct decl *decl = ARENA_NEW(ast->arena, struct decl);
    decl->kind = DECL_VARIABLE;
    decl->storage = specs->storage;
    decl->name = d->name;
    decl->loc = d->loc;
    decl->type = with_ext_vector(p, d->type, &d->attributes, d->loc);
    decl->attributes = d->attributes;
    if (!decl->attributes.aligned && d->direct)
        decl->attributes.aligned = specs->type_align;
    decl->file_scope = at_file_scope(p);
    decl->owner = ast->function;
    parse_check_nosvm(p, decl);
    parse_check_place(p, &d->attributes, ON_DECLARATION);
    if (decl->file_scope && (specs->storage == STORAGE_AUTO || specs->storage == STORAGE_REGISTER))
        diag_error(ast->diag, specs->storage_loc, "illegal storage class on file-scoped variable");
    if (specs->is_inline || specs->is_kernel)
        diag_error(ast->diag, specs->loc, "'%s' can only appear on functions", specs->is_inline ? "inline" : "kernel");
    if (!is_extern_incomplete(p, decl) && !object_type_ok(p, decl->type, decl->loc, "variable"))
        decl->type = error_type(p);
    else if (decl->file_scope)
        check_file_space(p, decl, d->has_space);
    else
        check_block_space(p, specs, decl, d->has_space);

    bool outlives_call = decl->file_scope || decl->type.space != SPACE_PRIVATE || decl->storage == STORAGE_STATIC;
    if (decl->type.type->matrices && outlives_call) {
        diag_error(ast->diag, decl->loc, "a variable of type '%s' must be in private memory",
                   kind_of_type(p, decl->type));
        decl->type = error_type(p);
    }

    if (decl->type.type->kind == TYPE_BLOCK && specs->storage == STORAGE_EXTERN) {
        diag_error(ast->diag, decl->loc, "invalid block variable declaration - using 'extern' storage class is disallowed");
        decl->type = error_type(p);
    }
    if (decl->type.type->kind == TYPE_BLOCK)
        decl->type.quals |= QUAL_CONST;

    decl = enter_variable(p, decl);
    if (parse_is(p, TOK_ASSIGN))
        parse_variable_init(p, decl);
    else if (!decl->defined)
        check_uninitialized(p, decl);
    bool here = decl->storage != STORAGE_EXTERN || decl->init;
    bool lasts = decl->file_scope || decl->type.space != SPACE_PRIVATE || decl->storage == STORAGE_STATIC;
    if (here && lasts && !decl->defined && decl->type.type->kind != TYPE_BLOCK)
        vec_push(ast->arena, &ast->unit->variables, decl);
    decl->defined |= here;
    return decl;
}

// ---- functions -------------------------------------------------------------------------------------

static bool same_params(const struct type *a, const struct type *b)
{
    if (a->count != b->count || a->variadic != b->variadic)
        return false;
    for (uint64_t i = 0; i < a->count; i++)
        if (!type_same(a->params[i], b->params[i]))
            return false;
    return true;
}

static void merge_function(struct decl *into, const struct decl *decl)
{
    into->is_kernel |= decl->is_kernel;
    into->is_inline |= decl->is_inline;
    if (decl->storage == STORAGE_STATIC)
        into->storage = STORAGE_STATIC;
    parse_attributes_merge(&into->attributes, &decl->attributes);
}

static const char *mangled(struct parser *p, const struct decl *decl)
{
    return type_mangle(p->ast->arena, decl->name, decl->type.type->params, (uint32_t)decl->type.type->count);
}

// Enters a function into the file scope. Returns the decl that represents it.
static struct decl *enter_function(struct parser *p, struct decl *decl)
{
    struct ast *ast = p->ast;
    struct scope *file = ast->scope, *inner = ast->scope;
    while (file->outer)
        file = file->outer;
    ast->scope = file;
    struct decl *old = scope_find_here(ast, decl->name), *at = old;
    bool overloads = decl->attributes.overloadable || (old && old->attributes.overloadable);
    decl->link_name = overloads ? mangled(p, decl) : decl->name;
    if (!same_kind(p, old, decl)) {
        at = NULL;
    } else if (!old) {
        scope_add(ast, decl);
    } else {
        struct decl *last = old;
        for (at = old; at; last = at, at = at->next_overload)
            if (!overloads || same_params(at->type.type, decl->type.type))
                break;
        if (!at)
            last->next_overload = decl;
        else if (at->type.type != decl->type.type) {
            diag_error(ast->diag, decl->loc, overloads ? "functions that differ only in their return type cannot be "
                                                         "overloaded" : "conflicting types for '%s'", decl->name);
            diag_note(ast->diag, at->loc, "previous declaration is here");
            at = NULL;
        }
    }
    ast->scope = inner;
    if (!at)
        return decl;
    merge_function(at, decl);
    return at;
}

static struct decl *declare_function(struct parser *p, const struct parse_specs *specs, struct declarator *d)
{
    struct ast *ast = p->ast;
    struct decl *decl = ARENA_NEW(ast->arena, struct decl);
    decl->kind = DECL_FUNCTION;
    decl->storage = specs->storage;
    decl->name = d->name;
    decl->loc = d->loc;
    decl->type = qtype_of(d->type.type);
    decl->file_scope = true;
    decl->attributes = d->attributes;
    decl->is_inline = specs->is_inline;
    decl->is_kernel = specs->is_kernel;
    parse_check_place(p, &d->attributes, specs->is_kernel ? ON_KERNEL : ON_FUNCTION);
    if (!strcmp(d->name, "main"))
        diag_error(ast->diag, decl->loc, "%s cannot be called 'main'", specs->is_kernel ? "kernel" : "function");
    if (sema_is_pipe_function(ast, d->name))
        diag_error(ast->diag, decl->loc, "cannot redeclare builtin function '%s'", d->name);
    if (d->function) {
        decl->params = d->function->params;
        decl->param_count = d->function->count;
        if (d->function->variadic && strncmp(d->name, "__", 2) != 0) // reserved names are allowed
            diag_error(ast->diag, decl->loc, "invalid prototype, variadic arguments are not allowed in OpenCL");
    }
    if (specs->storage == STORAGE_STATIC && !at_file_scope(p))
        diag_error(ast->diag, specs->storage_loc, "function declared in block scope cannot have 'static' storage class");
    if (specs->is_kernel && !at_file_scope(p))
        diag_error(ast->diag, specs->kernel_loc, "kernel functions can only be declared at file scope");
    if (specs->is_kernel && d->function)
        parse_check_kernel(p, decl, specs);
    return enter_function(p, decl);
}

// int printf(constant char *restrict, ...), const or not: a redundant declaration.
static bool declares_printf(const struct declarator *d)
{
    const struct type *type = d->type.type;
    if (strcmp(d->name, "printf") || !type->variadic || type->count != 1 || type->elem.type->kind != TYPE_INT)
        return false;
    const struct type *format = type->params[0].type;
    return format->kind == TYPE_POINTER && format->elem.space == SPACE_CONSTANT && format->elem.type->kind == TYPE_CHAR;
}

static void check_definition(struct parser *p, const struct decl *decl, const struct declarator *d)
{
    struct ast *ast = p->ast;
    const struct type *result = decl->type.type->elem.type;
    if (result->kind != TYPE_VOID && result->kind != TYPE_ERROR && !type_complete(result))
        diag_error(ast->diag, decl->loc, "incomplete result type '%s' in function definition",
                   kind_of_type(p, decl->type.type->elem));
    for (uint32_t i = 0; i < d->function->count; i++) {
        struct decl *param = d->function->params[i];
        if (param->type.type->kind != TYPE_ERROR && !type_complete(param->type.type)) {
            diag_error(ast->diag, param->loc, "variable has incomplete type '%s'", kind_of_type(p, param->type));
            param->type = error_type(p);
        }
    }
}

static void define_function(struct parser *p, const struct parse_specs *specs, struct declarator *d)
{
    struct ast *ast = p->ast;
    struct loc loc = d->loc;
    struct decl *decl = declare_function(p, specs, d);
    if (decl->defined) {
        diag_error(ast->diag, loc, "redefinition of '%s'", decl->name);
        diag_note(ast->diag, decl->loc, "previous definition is here");
        struct decl *copy = arena_copy(ast->arena, decl, sizeof *decl);
        memset(&copy->callees, 0, sizeof copy->callees);
        decl = copy;
    } else {
        vec_push(ast->arena, &ast->unit->functions, decl);
    }
    decl->defined = true;
    decl->loc = loc;
    decl->params = d->function->params;
    decl->param_count = d->function->count;
    check_definition(p, decl, d);
    parse_function_body(p, decl, d->function->scope);
}

// ---- declarations ----------------------------------------------------------------------------------

void parse_static_assert(struct parser *p)
{
    uint64_t value = 1;
    struct expr *message = NULL;
    parse_next(p);
    parse_expect(p, TOK_LPAREN, "after '_Static_assert'");
    struct loc loc = p->at->loc;
    bool ok = !p->panic && parse_constant(p, &value, "static_assert expression");
    const struct token *text = NULL;
    if (parse_accept(p, TOK_COMMA)) {
        text = p->at;
        if (parse_is(p, TOK_STRING))
            message = parse_string(p);
        else
            parse_error(p, p->at->loc, "expected string literal for diagnostic message in static_assert");
    }
    parse_expect(p, TOK_RPAREN, NULL);
    if (!parse_expect(p, TOK_SEMICOLON, "after '_Static_assert'"))
        parse_synchronize(p);
    if (ok && !value)
        diag_error(p->ast->diag, loc, "static assertion failed%s%s", message ? ": " : "", message ? text->text : "");
}

// Parses one declarator with its initialiser or body. Adds variables to `decls`. Returns whether it was a function
// definition.
static bool parse_init_declarator(struct parser *p, const struct parse_specs *specs, bool first,
                                  struct stmt *statement, size_t *capacity)
{
    struct declarator d;
    parse_declarator(p, specs, DECLARATOR_NAMED, &d);
    if (p->panic)
        return false;
    parse_attributes_merge(&d.attributes, &specs->attributes);
    if (specs->storage == STORAGE_TYPEDEF) {
        declare_typedef(p, specs, &d);
        if (parse_is(p, TOK_ASSIGN))
            parse_error(p, d.loc, "illegal initializer (only variables can be initialized)");
        return false;
    }
    if (d.type.type->kind == TYPE_FUNCTION) {
        if (d.function && d.function->names_only && first && at_file_scope(p) &&
            (parse_starts_type(p, p->at) || parse_is(p, TOK_LBRACE))) {
            parse_old_style(p, &d);
            if (p->panic)
                return false;
        } else if (d.function && d.function->names_only) {
            parse_error(p, d.function->params[0]->loc,
                        "a parameter list without types is only allowed in a function definition");
            return false;
        }
        if (!parse_is(p, TOK_LBRACE)) {
            if (p->ast->version < 120 || !declares_printf(&d))
                declare_function(p, specs, &d);
            return false;
        }
        if (!first || !at_file_scope(p) || !d.function) {
            parse_error(p, p->at->loc, "function definition is not allowed here");
            return false;
        }
        define_function(p, specs, &d);
        return true;
    }
    struct decl *decl = declare_variable(p, specs, &d);
    if (statement) {
        statement->decls = vec_grow_(p->ast->arena, statement->decls, statement->decl_count, capacity,
                                     statement->decl_count + 1, sizeof *statement->decls);
        statement->decls[statement->decl_count++] = decl;
    }
    return false;
}

static void parse_declaration(struct parser *p, struct parse_specs *specs, struct stmt *statement)
{
    bool first = true;
    size_t capacity = 0;
    if (!parse_specifiers(p, specs) || p->panic) {
        parse_synchronize(p);
        return;
    }
    if (parse_is(p, TOK_SEMICOLON)) {
        if (!specs->declares_tag && !p->panic)
            diag_warning(p->ast->diag, specs->loc, "declaration does not declare anything");
        parse_next(p);
        return;
    }
    do {
        if (parse_init_declarator(p, specs, first, statement, &capacity))
            return;
        first = false;
    } while (!p->panic && parse_accept(p, TOK_COMMA));
    if (!parse_expect(p, TOK_SEMICOLON, at_file_scope(p) ? "after top level declarator" : "at end of declaration"))
        parse_synchronize(p);
}

struct stmt *parse_local_declaration(struct parser *p, const struct attributes *attributes)
{
    struct parse_specs specs = {.attributes = *attributes};
    struct stmt *statement = ARENA_NEW(p->ast->arena, struct stmt);
    statement->kind = STMT_DECL;
    statement->loc = p->at->loc;
    parse_declaration(p, &specs, statement);
    return statement;
}

void parse_external(struct parser *p)
{
    struct parse_specs specs = {0};
    int32_t unroll;
    const struct token *start = p->at;
    if (parse_accept(p, TOK_SEMICOLON))
        return;
    if (parse_is(p, TOK_PRAGMA)) {
        parse_pragma(p, &unroll);
    } else if (parse_is(p, TOK_STATIC_ASSERT)) {
        parse_static_assert(p);
    } else if (parse_is(p, TOK_RBRACE)) {
        diag_error(p->ast->diag, p->at->loc, "extraneous closing brace ('}')");
        parse_next(p);
    } else {
        parse_declaration(p, &specs, NULL);
        // Skip a token that recovery did not consume, to avoid an endless loop.
        if (p->at == start)
            parse_next(p);
    }
}
