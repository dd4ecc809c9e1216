// SPDX-License-Identifier: Apache-2.0
// __attribute__((...)): a table from names to handlers.
//
// The table includes attributes that this compiler ignores, so that only unknown ones get a warning.
#include "ast/parse.h"

enum attribute_kind {
    ATTR_REQD, ATTR_HINT, ATTR_VEC_TYPE_HINT, ATTR_SUB_GROUP, ATTR_ALIGNED, ATTR_PACKED, ATTR_OVERLOADABLE,
    ATTR_ALWAYS_INLINE, ATTR_NOINLINE, ATTR_UNROLL, ATTR_EXT_VECTOR, ATTR_VECTOR_SIZE, ATTR_SPACE, ATTR_NOSVM,
    ATTR_COOP_MAT, ATTR_REFUSED, ATTR_IGNORED, ATTR_BARE,
    ATTR_MAY_ALIAS, // one such type disables type-based alias analysis for all types
};

static const struct {
    const char *name;
    enum attribute_kind kind;
} attribute_names[] = {
    {"reqd_work_group_size", ATTR_REQD},
    {"work_group_size_hint", ATTR_HINT},
    {"vec_type_hint", ATTR_VEC_TYPE_HINT},
    {"intel_reqd_sub_group_size", ATTR_SUB_GROUP},
    {"aligned", ATTR_ALIGNED},
    {"packed", ATTR_PACKED},
    {"overloadable", ATTR_OVERLOADABLE},
    {"always_inline", ATTR_ALWAYS_INLINE},
    {"noinline", ATTR_NOINLINE},
    {"opencl_unroll_hint", ATTR_UNROLL},
    {"ext_vector_type", ATTR_EXT_VECTOR},
    {"vector_size", ATTR_VECTOR_SIZE},
    {"coop_mat", ATTR_COOP_MAT},
    {"opencl_global", ATTR_SPACE},
    {"opencl_global_device", ATTR_SPACE},
    {"opencl_global_host", ATTR_SPACE},
    {"opencl_local", ATTR_SPACE},
    {"opencl_constant", ATTR_SPACE},
    {"opencl_private", ATTR_SPACE},
    {"opencl_generic", ATTR_SPACE},
    {"address_space", ATTR_REFUSED}, // ignoring these would change the program's meaning
    {"mode", ATTR_REFUSED},
    {"cleanup", ATTR_REFUSED},
    {"alias", ATTR_REFUSED},
    {"section", ATTR_REFUSED},
    {"endian", ATTR_IGNORED},
    {"nosvm", ATTR_NOSVM},
    {"unused", ATTR_BARE},
    {"used", ATTR_BARE},
    {"const", ATTR_BARE},
    {"pure", ATTR_BARE},
    {"nothrow", ATTR_BARE},
    {"convergent", ATTR_BARE},
    {"flatten", ATTR_BARE},
    {"hot", ATTR_BARE},
    {"cold", ATTR_BARE},
    {"deprecated", ATTR_IGNORED},
    {"format", ATTR_IGNORED},
    {"fallthrough", ATTR_BARE},
    {"may_alias", ATTR_MAY_ALIAS},
    {"nonnull", ATTR_IGNORED},
    {"noreturn", ATTR_BARE},
    {"visibility", ATTR_IGNORED},
    {"weak", ATTR_BARE},
    {"warn_unused_result", ATTR_IGNORED},
    {"gnu_inline", ATTR_BARE},
    {"artificial", ATTR_IGNORED},
};

// Compares a name, ignoring the underscores of __name__.
static bool name_is(const char *spelled, const char *name)
{
    size_t length = strlen(spelled), plain = strlen(name);
    if (length == plain + 4 && !strncmp(spelled, "__", 2) && !strcmp(spelled + length - 2, "__"))
        return !memcmp(spelled + 2, name, plain);
    return !strcmp(spelled, name);
}

bool ast_knows_attribute(const char *name)
{
    for (size_t i = 0; i < sizeof attribute_names / sizeof *attribute_names; i++)
        if (!strcmp(name, attribute_names[i].name))
            return attribute_names[i].kind != ATTR_REFUSED;
    return false;
}

static void skip_arguments(struct parser *p)
{
    uint32_t depth = 0;
    if (!parse_is(p, TOK_LPAREN))
        return;
    do {
        depth += parse_is(p, TOK_LPAREN);
        depth -= parse_is(p, TOK_RPAREN);
        parse_next(p);
    } while (depth && !parse_is(p, TOK_EOF));
}

static bool positive(struct parser *p, const char *name, uint32_t *value)
{
    struct loc loc = p->at->loc;
    uint64_t wide;
    if (!parse_constant(p, &wide, "attribute argument"))
        return false;
    if (!wide || wide > UINT32_MAX) {
        diag_error(p->ast->diag, loc, "'%s' attribute must be greater than 0", name);
        return false;
    }
    *value = (uint32_t)wide;
    return true;
}

static bool takes_arguments(enum attribute_kind kind)
{
    switch (kind) {
    case ATTR_PACKED: case ATTR_OVERLOADABLE: case ATTR_ALWAYS_INLINE: case ATTR_NOINLINE: case ATTR_SPACE:
    case ATTR_BARE: case ATTR_MAY_ALIAS:
        return false;
    default:
        return true;
    }
}

// After the name of an attribute without arguments.
static void refuse_arguments(struct parser *p, const char *name)
{
    if (parse_is(p, TOK_LPAREN) && p->at[1].kind != TOK_RPAREN)
        diag_error(p->ast->diag, p->prev->loc, "'%s' attribute takes no arguments", name);
    skip_arguments(p);
}

static bool parse_sizes(struct parser *p, const char *name, uint32_t sizes[3])
{
    struct loc loc = p->prev->loc;
    bool ok = parse_expect(p, TOK_LPAREN, "after attribute name");
    for (int i = 0; i < 3 && !p->panic; i++) {
        if (i && !parse_accept(p, TOK_COMMA)) {
            parse_error(p, loc, "'%s' attribute requires exactly 3 arguments", name);
            return false;
        }
        ok &= positive(p, name, &sizes[i]);
    }
    return parse_expect(p, TOK_RPAREN, NULL) && ok;
}

static bool parse_one(struct parser *p, const char *name, uint32_t *value)
{
    bool ok = parse_expect(p, TOK_LPAREN, "after attribute name") && positive(p, name, value);
    return parse_expect(p, TOK_RPAREN, NULL) && ok;
}

// A constant's name may be quoted.
static bool parse_matrix_argument(struct parser *p, uint64_t *value)
{
    if (!parse_is(p, TOK_STRING))
        return parse_constant(p, value, "attribute argument");
    struct loc loc = p->at->loc;
    struct expr *string = parse_string(p);
    struct expr *named = sema_is_error(string) ? string : sema_matrix_constant(p->ast, string->string, loc);
    if (named && named->kind == EXPR_CONST)
        *value = named->lanes[0];
    else
        diag_error(p->ast->diag, loc, "'coop_mat' attribute requires integer constants or their names");
    return named && named->kind == EXPR_CONST;
}

static void parse_coop_mat(struct parser *p, struct attributes *attributes)
{
    struct matrix_shape *shape = ARENA_NEW(p->ast->arena, struct matrix_shape);
    shape->name = p->prev->loc;
    if (attributes->matrix)
        diag_error(p->ast->diag, shape->name, "'coop_mat' attribute is given twice");
    bool ok = parse_expect(p, TOK_LPAREN, "after attribute name");
    for (int i = 0; i < 4 && !p->panic; i++) {
        if (i && !parse_accept(p, TOK_COMMA)) {
            parse_error(p, shape->name, "'coop_mat' attribute requires exactly 4 arguments");
            return;
        }
        shape->loc[i] = p->at->loc;
        ok &= parse_matrix_argument(p, &shape->value[i]);
    }
    if (parse_expect(p, TOK_RPAREN, NULL) && ok)
        attributes->matrix = shape;
}

static void parse_aligned(struct parser *p, struct attributes *attributes)
{
    uint32_t align = 16; // the largest alignment of any type
    struct loc loc = p->prev->loc;
    if (parse_is(p, TOK_LPAREN) && !parse_one(p, "aligned", &align))
        return;
    if (align & (align - 1))
        diag_error(p->ast->diag, loc, "requested alignment is not a power of 2");
    else if (align > 1u << 28)
        diag_error(p->ast->diag, loc, "requested alignment must be 268435456 bytes or smaller");
    else if (align > attributes->aligned)
        attributes->aligned = align;
}

bool parse_alignas(struct parser *p, struct attributes *attributes)
{
    uint64_t align = 0;
    if (!parse_accept(p, TOK_ALIGNAS))
        return false;
    parse_expect(p, TOK_LPAREN, "after '_Alignas'");
    struct loc loc = p->at->loc;
    if (parse_starts_type(p, p->at))
        align = parse_type_name(p).type->align;
    else if (!p->panic)
        parse_constant(p, &align, "alignment");
    parse_expect(p, TOK_RPAREN, NULL);
    if (align & (align - 1))
        diag_error(p->ast->diag, loc, "requested alignment is not a power of 2");
    else if (align > 1u << 28)
        diag_error(p->ast->diag, loc, "requested alignment must be 268435456 bytes or smaller");
    else if (align > attributes->aligned)
        attributes->aligned = (uint32_t)align;
    return true;
}

static void parse_vec_type_hint(struct parser *p, struct attributes *attributes)
{
    if (!parse_expect(p, TOK_LPAREN, "after attribute name"))
        return;
    struct loc loc = p->at->loc;
    attributes->vec_type_hint = parse_type_name(p);
    const struct type *type = attributes->vec_type_hint.type;
    attributes->has_vec_type_hint = true;
    bool fits = type->kind == TYPE_VECTOR || (type_is_arithmetic(type) && type->kind != TYPE_BOOL);
    if (type->kind != TYPE_ERROR && !fits)
        diag_error(p->ast->diag, loc, "invalid attribute argument '%s' - expecting a vector or vectorizable scalar type",
                   type_name(p->ast->arena, attributes->vec_type_hint));
    parse_expect(p, TOK_RPAREN, NULL);
}

// 1 + the enum type_space of an attribute with clang's spelling; 0: none.
static uint8_t space_named(const char *name)
{
    static const char *const names[] = {"opencl_private", "opencl_local", "opencl_global", "opencl_constant",
                                        "opencl_generic"};
    for (uint8_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strncmp(name, names[i], strlen(names[i])))
            return i + 1;
    return 0;
}

static void parse_unroll(struct parser *p, struct attributes *attributes)
{
    attributes->unroll = -1;
    if (!parse_accept(p, TOK_LPAREN))
        return;
    uint64_t count = 0;
    struct loc loc = p->at->loc;
    if (!parse_is(p, TOK_RPAREN) && parse_constant(p, &count, "attribute argument")) {
        if (!count || count > INT32_MAX)
            diag_error(p->ast->diag, loc, "'opencl_unroll_hint' attribute requires a positive integral compile time "
                       "constant expression");
        else
            attributes->unroll = (int32_t)count;
    }
    parse_expect(p, TOK_RPAREN, NULL);
}

static void note_place(struct attributes *attributes, enum attribute_kind kind, const char *name, struct loc loc)
{
    if (kind == ATTR_REQD || kind == ATTR_HINT || kind == ATTR_VEC_TYPE_HINT || kind == ATTR_SUB_GROUP) {
        attributes->of_kernel = name;
        attributes->of_kernel_loc = loc;
    } else if (kind == ATTR_UNROLL) {
        attributes->of_loop = name;
        attributes->of_loop_loc = loc;
    }
}

void parse_check_place(struct parser *p, const struct attributes *attributes, enum parse_place place)
{
    static const char *const of_kernel[] = {
        [ON_FUNCTION] = "attribute '%s' can only be applied to an OpenCL kernel function",
        [ON_DECLARATION] = "'%s' attribute only applies to functions",
        [ON_TYPE] = "'%s' attribute only applies to functions",
        [ON_LABEL] = "'%s' attribute only applies to functions",
        [ON_LOOP] = "'%s' attribute cannot be applied to a statement",
        [ON_STATEMENT] = "'%s' attribute cannot be applied to a statement",
    };
    const char *of_loop = place == ON_STATEMENT ? "'%s' attribute only applies to 'for', 'while', and 'do' statements"
                                                : "'%s' attribute cannot be applied to a declaration";
    if (attributes->of_kernel && place != ON_KERNEL && !p->panic)
        diag_error(p->ast->diag, attributes->of_kernel_loc, of_kernel[place], attributes->of_kernel); // NOLINT
    if (attributes->of_loop && place != ON_LOOP && !p->panic)
        diag_error(p->ast->diag, attributes->of_loop_loc, of_loop, attributes->of_loop); // NOLINT
    if (attributes->matrix && place >= ON_TYPE && !p->panic)
        diag_error(p->ast->diag, attributes->matrix->name, "'coop_mat' attribute only applies to variables, members, "
                   "parameters, functions and typedefs of numbers");
}

static void parse_known(struct parser *p, enum attribute_kind kind, const char *name, struct attributes *attributes)
{
    struct loc loc = p->prev->loc;
    note_place(attributes, kind, name, loc);
    if (!takes_arguments(kind))
        refuse_arguments(p, name);
    switch (kind) {
    case ATTR_REQD:
        attributes->has_reqd = parse_sizes(p, name, attributes->reqd_work_group_size);
        break;
    case ATTR_HINT:
        attributes->has_hint = parse_sizes(p, name, attributes->work_group_size_hint);
        break;
    case ATTR_VEC_TYPE_HINT:
        parse_vec_type_hint(p, attributes);
        break;
    case ATTR_SUB_GROUP:
        parse_one(p, name, &attributes->sub_group_size);
        break;
    case ATTR_ALIGNED:
        parse_aligned(p, attributes);
        break;
    case ATTR_UNROLL:
        parse_unroll(p, attributes);
        break;
    case ATTR_EXT_VECTOR:
        parse_one(p, name, &attributes->ext_vector);
        break;
    case ATTR_VECTOR_SIZE:
        parse_one(p, name, &attributes->vector_size);
        break;
    case ATTR_COOP_MAT:
        parse_coop_mat(p, attributes);
        break;
    case ATTR_NOSVM:
        attributes->nosvm = true;
        skip_arguments(p);
        break;
    case ATTR_SPACE: attributes->space = space_named(name); break;
    case ATTR_MAY_ALIAS: p->ast->may_alias = true; break;
    case ATTR_BARE: break;
    case ATTR_PACKED: attributes->packed = true; break;
    case ATTR_OVERLOADABLE: attributes->overloadable = true; break;
    case ATTR_ALWAYS_INLINE: attributes->always_inline = true; break;
    case ATTR_NOINLINE: attributes->noinline = true; break;
    case ATTR_REFUSED:
        diag_error(p->ast->diag, loc, "attribute '%s' is not supported", name);
        skip_arguments(p);
        break;
    case ATTR_IGNORED: skip_arguments(p); break;
    }
}

static void parse_attribute(struct parser *p, struct attributes *attributes)
{
    const struct token *token = p->at;
    bool word = token->kind == TOK_IDENTIFIER || token->kind >= TOK_AUTO;
    if (!word) {
        parse_error(p, token->loc, "expected attribute name");
        return;
    }
    parse_next(p);
    for (size_t i = 0; i < sizeof attribute_names / sizeof *attribute_names; i++)
        if (name_is(token->text, attribute_names[i].name)) {
            parse_known(p, attribute_names[i].kind, attribute_names[i].name, attributes);
            return;
        }
    diag_warning(p->ast->diag, token->loc, "unknown attribute '%s' ignored", token->text);
    skip_arguments(p);
}

bool parse_attributes(struct parser *p, struct attributes *attributes)
{
    bool any = false;
    while (parse_is(p, TOK_ATTRIBUTE) || parse_is(p, TOK_ATTRIBUTE2)) {
        any = true;
        parse_next(p);
        parse_expect(p, TOK_LPAREN, "after 'attribute'");
        parse_expect(p, TOK_LPAREN, "after '('");
        while (!p->panic && !parse_is(p, TOK_RPAREN)) {
            if (!parse_is(p, TOK_COMMA))
                parse_attribute(p, attributes);
            if (!parse_is(p, TOK_RPAREN))
                parse_expect(p, TOK_COMMA, "between attributes");
        }
        if (!parse_accept(p, TOK_RPAREN) || !parse_accept(p, TOK_RPAREN)) {
            parse_error(p, parse_end_of_prev(p), "expected ')'");
            break;
        }
    }
    return any;
}

void parse_attributes_merge(struct attributes *into, const struct attributes *from)
{
    if (from->has_reqd)
        memcpy(into->reqd_work_group_size, from->reqd_work_group_size, sizeof into->reqd_work_group_size);
    if (from->has_hint)
        memcpy(into->work_group_size_hint, from->work_group_size_hint, sizeof into->work_group_size_hint);
    if (from->has_vec_type_hint)
        into->vec_type_hint = from->vec_type_hint;
    into->has_reqd |= from->has_reqd;
    into->has_hint |= from->has_hint;
    into->has_vec_type_hint |= from->has_vec_type_hint;
    into->sub_group_size = from->sub_group_size ? from->sub_group_size : into->sub_group_size;
    into->aligned = from->aligned > into->aligned ? from->aligned : into->aligned;
    into->ext_vector = from->ext_vector ? from->ext_vector : into->ext_vector;
    into->vector_size = from->vector_size ? from->vector_size : into->vector_size;
    into->unroll = from->unroll ? from->unroll : into->unroll;
    if (from->of_kernel)
        into->of_kernel = from->of_kernel, into->of_kernel_loc = from->of_kernel_loc;
    if (from->of_loop)
        into->of_loop = from->of_loop, into->of_loop_loc = from->of_loop_loc;
    into->nosvm |= from->nosvm;
    into->packed |= from->packed;
    into->overloadable |= from->overloadable;
    into->always_inline |= from->always_inline;
    into->noinline |= from->noinline;
}
