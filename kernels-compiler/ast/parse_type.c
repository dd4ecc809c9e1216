// SPDX-License-Identifier: Apache-2.0
// Declaration specifiers: storage classes, qualifiers, address spaces and one type, in any order.
//
// Keywords of the basic types are collected as bits; the set must be a row of a table. An identifier is parsed as a
// type only if there is no type yet: in "uint uint;" the second one is the declared name.
#include "ast/parse.h"

enum {
    WORD_VOID = 1, WORD_BOOL = 2, WORD_CHAR = 4, WORD_SHORT = 8, WORD_INT = 16, WORD_LONG = 32,
    WORD_HALF = 64, WORD_FLOAT = 128, WORD_DOUBLE = 256, WORD_SIGNED = 512, WORD_UNSIGNED = 1024,
};

static const struct {
    uint16_t words;
    uint8_t kind;
} basic_types[] = {
    {WORD_VOID, TYPE_VOID},
    {WORD_BOOL, TYPE_BOOL},
    {WORD_CHAR, TYPE_CHAR},
    {WORD_CHAR | WORD_UNSIGNED, TYPE_UCHAR},
    {WORD_SHORT, TYPE_SHORT},
    {WORD_SHORT | WORD_UNSIGNED, TYPE_USHORT},
    {WORD_INT, TYPE_INT},
    {WORD_INT | WORD_UNSIGNED, TYPE_UINT},
    {WORD_LONG, TYPE_LONG},
    {WORD_LONG | WORD_UNSIGNED, TYPE_ULONG},
    {WORD_HALF, TYPE_HALF},
    {WORD_FLOAT, TYPE_FLOAT},
    {WORD_DOUBLE, TYPE_DOUBLE},
};

// Whether some type's name contains all these words. Signedness is checked when all words are known.
static bool words_agree(unsigned words)
{
    static const uint16_t names[] = {WORD_VOID,  WORD_BOOL,   WORD_HALF,
                                     WORD_FLOAT, WORD_DOUBLE, WORD_CHAR,
                                     WORD_SHORT | WORD_INT,   WORD_LONG | WORD_INT};
    unsigned both = WORD_SIGNED | WORD_UNSIGNED;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!(words & ~(names[i] | both)))
            return (words & both) != both;
    return false;
}

static unsigned basic_word(enum token_kind kind)
{
    switch (kind) {
    case TOK_VOID: return WORD_VOID;
    case TOK_BOOL: case TOK_BOOL_CL: return WORD_BOOL;
    case TOK_CHAR: return WORD_CHAR;
    case TOK_SHORT: return WORD_SHORT;
    case TOK_INT: return WORD_INT;
    case TOK_LONG: return WORD_LONG;
    case TOK_HALF: return WORD_HALF;
    case TOK_FLOAT: return WORD_FLOAT;
    case TOK_DOUBLE: return WORD_DOUBLE;
    case TOK_SIGNED: case TOK_SIGNED_GNU: return WORD_SIGNED;
    case TOK_UNSIGNED: return WORD_UNSIGNED;
    default: return 0;
    }
}

static unsigned qualifier_bit(enum token_kind kind)
{
    switch (kind) {
    case TOK_CONST: case TOK_CONST_GNU: return QUAL_CONST;
    case TOK_VOLATILE: case TOK_VOLATILE_GNU: return QUAL_VOLATILE;
    case TOK_RESTRICT: case TOK_RESTRICT_GNU: case TOK_RESTRICT_GNU2: return QUAL_RESTRICT;
    default: return 0;
    }
}

static int space_of(enum token_kind kind)
{
    switch (kind) {
    case TOK_GLOBAL: case TOK_GLOBAL2: return SPACE_GLOBAL;
    case TOK_LOCAL: case TOK_LOCAL2: return SPACE_LOCAL;
    case TOK_CONSTANT: case TOK_CONSTANT2: return SPACE_CONSTANT;
    case TOK_PRIVATE: case TOK_PRIVATE2: return SPACE_PRIVATE;
    case TOK_GENERIC: case TOK_GENERIC2: return SPACE_GENERIC;
    default: return -1;
    }
}

static unsigned access_of(enum token_kind kind)
{
    switch (kind) {
    case TOK_READ_ONLY: case TOK_READ_ONLY2: return KC_ACCESS_READ_ONLY;
    case TOK_WRITE_ONLY: case TOK_WRITE_ONLY2: return KC_ACCESS_WRITE_ONLY;
    case TOK_READ_WRITE: case TOK_READ_WRITE2: return KC_ACCESS_READ_WRITE;
    default: return KC_ACCESS_NONE;
    }
}

static int storage_of(enum token_kind kind)
{
    switch (kind) {
    case TOK_TYPEDEF: return STORAGE_TYPEDEF;
    case TOK_STATIC: return STORAGE_STATIC;
    case TOK_EXTERN: return STORAGE_EXTERN;
    case TOK_AUTO: return STORAGE_AUTO;
    case TOK_REGISTER: return STORAGE_REGISTER;
    default: return -1;
    }
}

bool parse_starts_type(const struct parser *p, const struct token *token)
{
    enum token_kind kind = token->kind;
    if (kind == TOK_IDENTIFIER) {
        const struct decl *decl = scope_find(p->ast, token->text);
        const char *why;
        return decl ? decl->kind == DECL_TYPEDEF : scope_predefined_type(p->ast, token->text, &why) != NULL;
    }
    switch (kind) {
    case TOK_STRUCT: case TOK_UNION: case TOK_ENUM: case TOK_INLINE: case TOK_INLINE_GNU: case TOK_INLINE_GNU2:
    case TOK_KERNEL: case TOK_KERNEL2: case TOK_TYPEOF: case TOK_TYPEOF_GNU: case TOK_TYPEOF_GNU2:
    case TOK_ALIGNAS: case TOK_NORETURN:
        return true;
    default:
        return basic_word(kind) || qualifier_bit(kind) || space_of(kind) >= 0 || access_of(kind) ||
               storage_of(kind) >= 0;
    }
}

// ---- qualifiers ------------------------------------------------------------------------------------

static void set_space(struct parser *p, int space, uint8_t *to, bool *has_space)
{
    struct ast *ast = p->ast;
    if (space == SPACE_GENERIC && !ast_has_generic(ast) && !ast->library)
        diag_error(ast->diag, p->at->loc, "OpenCL C version %u.%u does not support the 'generic' type qualifier",
                   ast->version / 100, ast->version / 10 % 10);
    else if (*has_space && *to != space)
        diag_error(ast->diag, p->at->loc, "multiple address spaces specified for type");
    *to = (uint8_t)space;
    *has_space = true;
}

bool parse_qualifier(struct parser *p, uint8_t *quals, uint8_t *space, bool *has_space)
{
    unsigned bit = qualifier_bit(p->at->kind);
    int spelled = space_of(p->at->kind);
    if (bit & *quals)
        diag_warning(p->ast->diag, p->at->loc, "duplicate '%s' declaration specifier", p->at->text);
    if (bit)
        *quals |= (uint8_t)bit;
    else if (spelled >= 0)
        set_space(p, spelled, space, has_space);
    else
        return false;
    parse_next(p);
    return true;
}

void parse_apply_space(struct parser *p, struct attributes *attributes, uint8_t *space, bool *has_space)
{
    if (attributes->space)
        set_space(p, attributes->space - 1, space, has_space);
    attributes->space = 0;
}

static bool parse_storage(struct parser *p, struct parse_specs *specs)
{
    static const char *const storage_names[] = {
        [STORAGE_TYPEDEF] = "typedef", [STORAGE_STATIC] = "static", [STORAGE_EXTERN] = "extern",
        [STORAGE_AUTO] = "auto",       [STORAGE_REGISTER] = "register"};
    struct ast *ast = p->ast;
    enum token_kind kind = p->at->kind;
    int storage = storage_of(kind);
    if (storage < 0) {
        if (kind == TOK_INLINE || kind == TOK_INLINE_GNU || kind == TOK_INLINE_GNU2)
            specs->is_inline = true;
        else if (kind == TOK_KERNEL || kind == TOK_KERNEL2)
            specs->is_kernel = true, specs->kernel_loc = p->at->loc;
        else
            return false;
        parse_next(p);
        return true;
    }
    bool old = ast->version < 120;
    bool missing = storage == STORAGE_AUTO || storage == STORAGE_REGISTER ||
                   (old && (storage == STORAGE_STATIC || storage == STORAGE_EXTERN));
    if (missing && !ast->storage_classes)
        diag_error(ast->diag, p->at->loc,
                   "OpenCL C version %u.%u does not support the '%s' storage class specifier",
                   ast->version / 100, ast->version / 10 % 10, p->at->text);
    else if (specs->storage != STORAGE_NONE && specs->storage != (enum decl_storage)storage)
        diag_error(ast->diag, p->at->loc, "cannot combine with previous '%s' declaration specifier",
                   storage_names[specs->storage]);
    else
        specs->storage = (enum decl_storage)storage;
    specs->storage_loc = p->at->loc;
    parse_next(p);
    return true;
}

// ---- types -----------------------------------------------------------------------------------------

static void report_unavailable(struct parser *p, const char *name, const char *why, struct loc loc)
{
    if (why)
        diag_error(p->ast->diag, loc, "use of type '%s' %s", name, why);
}

static struct type *basic_type(struct parser *p, unsigned words, struct loc loc)
{
    struct ast *ast = p->ast;
    if (words & (WORD_SHORT | WORD_LONG))
        words &= ~(unsigned)WORD_INT;
    if (words == WORD_SIGNED || words == WORD_UNSIGNED)
        words |= WORD_INT;
    if ((words & WORD_SIGNED) && (words & (WORD_CHAR | WORD_SHORT | WORD_INT | WORD_LONG)))
        words &= ~(unsigned)WORD_SIGNED;
    for (size_t i = 0; i < sizeof basic_types / sizeof *basic_types; i++) {
        if (basic_types[i].words != words)
            continue;
        enum type_kind kind = (enum type_kind)basic_types[i].kind;
        struct type *type = type_basic(ast->types, kind);
        const char *why;
        if (kind != TYPE_HALF && !scope_type_available(ast, kind, &why))
            report_unavailable(p, type_name(ast->arena, qtype_of(type)), why, loc);
        return type;
    }
    diag_error(ast->diag, loc, "invalid combination of type specifiers");
    return type_basic(ast->types, TYPE_ERROR);
}

bool parse_is_size_type(const char *name)
{
    return !strcmp(name, "size_t") || !strcmp(name, "ptrdiff_t") || !strcmp(name, "intptr_t") ||
           !strcmp(name, "uintptr_t");
}

// Parses an identifier that names a type. Returns false if it does not.
static bool named_type(struct parser *p, struct parse_specs *specs)
{
    const char *name = p->at->text, *why;
    struct decl *decl = scope_find(p->ast, name);
    if (decl) {
        if (decl->kind != DECL_TYPEDEF)
            return false;
        if (decl->has_space && specs->has_space && specs->type.space != decl->type.space)
            diag_error(p->ast->diag, p->at->loc, "multiple address spaces specified for type");
        uint8_t quals = specs->type.quals, space = specs->type.space;
        specs->type = type_qualify(p->ast->types, decl->type, quals);
        specs->type.space = specs->has_space ? space : decl->type.space;
        specs->has_space |= decl->has_space;
        specs->type_align = decl->attributes.aligned;
        specs->type = type_underaligned(specs->type, specs->type_align);
        specs->size_name = map_get(&p->size_names, decl);
        if (decl->type.type->kind != TYPE_POINTER && decl->type.type->kind != TYPE_ARRAY)
            specs->typedef_name = name;
        return true;
    }
    struct type *type = scope_predefined_type(p->ast, name, &why);
    if (!type)
        return false;
    if (why && !strcmp(name, "pipe")) // the packet type after it would cause further errors
        parse_error(p, p->at->loc, "use of type '%s' %s", name, why);
    else
        report_unavailable(p, name, why, p->at->loc);
    specs->type.type = type;
    if (!strncmp(name, "atomic_", 7)) {
        specs->type.quals |= QUAL_ATOMIC;
        specs->typedef_name = name;
    }
    if (parse_is_size_type(name))
        specs->size_name = name;
    return true;
}

static struct qtype parse_typeof(struct parser *p)
{
    struct qtype type = qtype_of(type_basic(p->ast->types, TYPE_ERROR));
    if (!parse_expect(p, TOK_LPAREN, "after 'typeof'"))
        return type;
    if (parse_starts_type(p, p->at))
        type = parse_type_name(p);
    else
        type = sema_unevaluated(p->ast, parse_expression(p))->type;
    type.space = SPACE_PRIVATE;
    parse_expect(p, TOK_RPAREN, NULL);
    return type;
}

// Parses a type specifier that is not a keyword of a basic type. Returns false if there is none.
static bool parse_other_type(struct parser *p, struct parse_specs *specs)
{
    uint8_t quals = specs->type.quals;
    switch (p->at->kind) {
    case TOK_STRUCT: case TOK_UNION:
        specs->type.type = parse_record(p);
        specs->declares_tag = true;
        return true;
    case TOK_ENUM:
        specs->type.type = parse_enum(p);
        specs->declares_tag = true;
        return true;
    case TOK_TYPEOF: case TOK_TYPEOF_GNU: case TOK_TYPEOF_GNU2: {
        uint8_t space = specs->type.space;
        parse_next(p);
        specs->type = type_qualify(p->ast->types, parse_typeof(p), quals);
        specs->type.space = space;
        return true;
    }
    case TOK_IDENTIFIER:
        if (!named_type(p, specs))
            return false;
        specs->is_typedef_name = true;
        parse_next(p);
        return true;
    default:
        return false;
    }
}

// Parses `pipe`, which may be before, after or between the other specifiers.
static bool parse_pipe(struct parser *p, struct parse_specs *specs)
{
    if (!parse_is(p, TOK_IDENTIFIER) || strcmp(p->at->text, "pipe") || !ast_has_pipes(p->ast) || scope_find(p->ast, "pipe"))
        return false;
    specs->is_pipe = true;
    parse_next(p);
    return true;
}

// Qualifiers of the packet type do not apply to the pipe.
static void finish_pipe(struct parser *p, struct parse_specs *specs)
{
    struct type *packet = specs->type.type;
    if (packet->matrices)
        diag_error(p->ast->diag, specs->loc, "cooperative matrices cannot be packets of a pipe");
    if (packet->kind == TYPE_ERROR)
        return;
    specs->type.type = type_pipe(p->ast->types, packet);
    specs->type.quals = 0;
    specs->type.low_align = 0;
    specs->size_name = NULL;
}

static bool parse_access(struct parser *p, struct parse_specs *specs)
{
    unsigned access = access_of(p->at->kind);
    if (!access)
        return false;
    if (specs->type.access && specs->type.access != access)
        diag_error(p->ast->diag, p->at->loc, "multiple access qualifiers");
    specs->type.access = (uint8_t)access;
    parse_next(p);
    return true;
}

// Only images and pipes have access qualifiers. The default is read_only.
static void finish_access(struct parser *p, struct parse_specs *specs, unsigned access)
{
    const struct type *type = specs->type.type;
    bool pipe = type_is_opaque(type, OPAQUE_PIPE);
    bool image = pipe || (type->kind == TYPE_OPAQUE && type->opaque >= OPAQUE_IMAGE1D);
    if (access && !image && type->kind != TYPE_ERROR)
        diag_error(p->ast->diag, specs->loc, "access qualifier can only be used for pipe and image type");
    if (image && access && specs->type.access && specs->type.access != access)
        diag_error(p->ast->diag, specs->loc, "multiple access qualifiers");
    if (pipe && access == KC_ACCESS_READ_WRITE)
        diag_error(p->ast->diag, specs->loc, "access qualifier 'read_write' can not be used for '%s'",
                   type_name(p->ast->arena, qtype_of(specs->type.type)));
    else if (image && access == KC_ACCESS_READ_WRITE && !ast_has_read_write_images(p->ast))
        diag_error(p->ast->diag, specs->loc,
                   "access qualifier 'read_write' can not be used for '%s' prior to OpenCL C version 2.0 or without "
                   "__opencl_c_read_write_images feature", type_opaque_name(type->opaque));
    if (image)
        specs->type.access = (uint8_t)(access ? access : specs->type.access ? specs->type.access
                                                                             : KC_ACCESS_READ_ONLY);
    else
        specs->type.access = KC_ACCESS_NONE;
}

// As in C90, a declaration without a type declares an int, unless its name looks like an unknown type.
static bool defaults_to_int(const struct parser *p, const struct parse_specs *specs)
{
    bool any = specs->storage || specs->is_inline || specs->type.quals || specs->has_space || specs->is_kernel;
    if (!parse_is(p, TOK_IDENTIFIER))
        return any && (parse_is(p, TOK_STAR) || parse_is(p, TOK_RPAREN));
    const struct token *next = p->at + 1;
    if (next->kind == TOK_LPAREN && !p->ast->scope->outer)
        return true;
    return any && next->kind != TOK_IDENTIFIER && next->kind != TOK_STAR && !parse_starts_type(p, next);
}

static bool missing_type(struct parser *p, struct parse_specs *specs)
{
    specs->type.type = type_basic(p->ast->types, TYPE_ERROR);
    if (specs->is_pipe) {
        diag_error(p->ast->diag, p->at->loc, "missing actual type specifier for pipe");
        return true;
    }
    if (defaults_to_int(p, specs)) {
        diag_warning(p->ast->diag, p->at->loc, "type specifier missing, defaults to 'int'");
        specs->type.type = type_basic(p->ast->types, TYPE_INT);
        return true;
    }
    if (parse_is(p, TOK_IDENTIFIER))
        parse_error(p, p->at->loc, "unknown type name '%s'", p->at->text);
    else
        parse_error(p, p->at->loc, "expected a type");
    return false;
}

// C99 6.7.3: only pointers can be restrict-qualified.
static void check_restricted(struct parser *p, struct parse_specs *specs, struct loc loc)
{
    enum type_kind kind = specs->type.type->kind;
    if (kind == TYPE_POINTER || kind == TYPE_ERROR)
        return;
    specs->type.quals &= (uint8_t)~QUAL_RESTRICT;
    diag_error(p->ast->diag, loc, "restrict requires a pointer or reference ('%s' is invalid)",
               type_name(p->ast->arena, specs->type));
}

bool parse_specifiers(struct parser *p, struct parse_specs *specs)
{
    unsigned words = 0, longs = 0;
    bool other = false;
    struct loc restricted = {0};
    specs->loc = p->at->loc;
    unsigned access = specs->type.access;
    while (!p->panic) {
        unsigned word = basic_word(p->at->kind);
        uint8_t known = specs->type.quals, quals = known;
        if (word && !other) {
            bool again = word == WORD_LONG ? ++longs > 2 : (words & word) != 0;
            if (again || !words_agree(words | word))
                diag_error(p->ast->diag, p->at->loc, "cannot combine with previous '%s' declaration specifier",
                           again ? p->at->text : p->prev->text);
            else
                words |= word;
            parse_next(p);
        } else if (word) {
            parse_error(p, p->at->loc, "cannot combine with previous '%s' declaration specifier",
                        type_name(p->ast->arena, specs->type));
        } else if (parse_qualifier(p, &quals, &specs->type.space, &specs->has_space)) {
            quals &= (uint8_t)~known;
            if (quals & QUAL_RESTRICT)
                restricted = p->prev->loc;
            specs->type = other ? type_qualify(p->ast->types, specs->type, quals) : specs->type;
            specs->type.quals |= other ? 0 : quals;
        } else if (parse_access(p, specs)) {
            access = specs->type.access;
        } else if (parse_attributes(p, &specs->attributes)) {
            parse_apply_space(p, &specs->attributes, &specs->type.space, &specs->has_space);
        } else if (parse_storage(p, specs) || parse_alignas(p, &specs->attributes) ||
                   parse_accept(p, TOK_NORETURN) || parse_accept(p, TOK_EXTENSION_GNU)) {
            continue;
        } else if (!words && !other && parse_pipe(p, specs)) {
            continue;
        } else if (!words && !other && parse_other_type(p, specs)) {
            other = true;
        } else if (parse_is(p, TOK_IDENTIFIER) && scope_is_type_keyword(p->ast, p->at->text)) {
            diag_error(p->ast->diag, p->at->loc, "cannot combine with previous '%s' declaration specifier",
                       p->prev->text);
            parse_next(p);
        } else {
            break;
        }
    }
    if (words)
        specs->type.type = basic_type(p, words, specs->loc);
    else if (!other && !missing_type(p, specs))
        return false;
    if (restricted.line)
        check_restricted(p, specs, restricted);
    if (specs->is_pipe)
        finish_pipe(p, specs);
    finish_access(p, specs, access);
    return true;
}

struct qtype parse_type_name(struct parser *p)
{
    struct parse_specs specs = {0};
    struct declarator declarator;
    ast_enter(p->ast, p->at->loc);
    bool ok = parse_specifiers(p, &specs);
    if (specs.storage)
        diag_error(p->ast->diag, specs.storage_loc, "type name does not allow storage class to be specified");
    if (ok)
        parse_declarator(p, &specs, DECLARATOR_ABSTRACT, &declarator);
    ast_leave(p->ast);
    return ok ? declarator.type : specs.type;
}
