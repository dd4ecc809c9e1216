// SPDX-License-Identifier: Apache-2.0
// Calls of printf (OpenCL C 6.15.14): the format must be constant; arguments that do not match it get a warning.
//
// The format argument becomes the EXPR_STRING itself. Integers are promoted. Floats are not: the host converts them
// to double.
#include "ast/sema_impl.h"
#include "util/format.h"
#include <string.h>

// ---- the format ---------------------------------------------------------------------------------

// The text of a constant array with an initialiser; NULL if there is none.
static struct expr *array_text(struct ast *ast, struct expr *object)
{
    struct decl *decl = object->decl;
    struct type *type = decl->type.type;
    if (decl->kind != DECL_VARIABLE || decl->type.space != SPACE_CONSTANT || !decl->init ||
        type->kind != TYPE_ARRAY || type->elem.type->size != 1 || !type->size)
        return NULL;
    struct const_relocs relocs = {0};
    uint8_t *bytes = arena_zalloc(ast->arena, type->size + 1);
    if (!const_eval_init(ast, decl, bytes, &relocs))
        return NULL;
    struct expr *text = sema_new(ast, EXPR_STRING, decl->type, object->loc);
    text->string = (const char *)bytes;
    text->string_length = type->size;
    text->lvalue = true;
    return text;
}

struct expr *sema_printed_text(struct ast *ast, struct expr *a)
{
    while (a->kind == EXPR_CAST && sema_is_pointer(a) && sema_is_pointer(a->a))
        a = a->a;
    if (a->kind != EXPR_DECAY)
        return NULL;
    if (a->a->kind == EXPR_STRING)
        return a->a;
    return a->a->kind == EXPR_OBJECT ? array_text(ast, a->a) : NULL;
}

// ---- arguments ----------------------------------------------------------------------------------

static bool convert_argument(struct ast *ast, struct expr **arg)
{
    struct type *type = (*arg)->type.type;
    if (type_is_integer(type))
        *arg = sema_integer_promote(ast, *arg);
    else if (!type_is_arithmetic(type) && !type_is_vector(type) && type->kind != TYPE_POINTER) {
        diag_error(ast->diag, sema_start(*arg), "cannot pass %s to 'printf'",
                   sema_value_text(ast, *arg));
        return false;
    }
    return !sema_is_error(*arg);
}

// Size in bytes of a lane with a length modifier.
static uint64_t length_size(const struct ast *ast, const struct format_conversion *c)
{
    static const uint8_t sizes[] = {[FORMAT_DEFAULT] = 4, [FORMAT_HH] = 1, [FORMAT_H] = 2,
                                    [FORMAT_HL] = 4,      [FORMAT_L] = 8,  [FORMAT_WIDE] = 8};
    return c->length == FORMAT_SIZE ? kc_pointer_bytes(ast->target) : sizes[c->length];
}

static bool fits_number(const struct ast *ast, const struct format_conversion *c, struct type *type)
{
    struct type *scalar = type_scalar(type);
    bool is_float = c->kind == FORMAT_FLOAT;
    if (type_lanes(type) != c->lanes || type->kind == TYPE_POINTER)
        return false;
    if (is_float != type_is_float(scalar))
        return false;
    if (c->lanes == 1 && (is_float || c->length == FORMAT_HH || c->length == FORMAT_H))
        return is_float || scalar->size == 4; // promoted
    if (c->lanes > 1 && is_float && c->length == FORMAT_DEFAULT)
        return scalar->size == 8;
    return scalar->size == length_size(ast, c);
}

static bool fits(const struct ast *ast, const struct format_conversion *c, struct type *type)
{
    switch (c->kind) {
    case FORMAT_CHAR:
        return type_is_integer(type) && type->size == 4;
    case FORMAT_POINTER:
        return type->kind == TYPE_POINTER;
    case FORMAT_STRING:
        return type->kind == TYPE_POINTER && type->elem.space == SPACE_CONSTANT &&
               type->elem.type->size == 1;
    default:
        return fits_number(ast, c, type);
    }
}

// The source place of a byte of the format, if the text before it has no escapes.
static struct loc place_in(struct loc loc, const char *text, const char *at)
{
    for (const char *p = text; p < at; p++)
        if ((unsigned char)*p < ' ' || *p == '"' || *p == '\\')
            return loc;
    if (!loc.in_macro)
        loc.column += (uint32_t)(at - text) + 1;
    return loc;
}

// Warns about length modifiers that a conversion does not allow, or lacks.
static void check_length(struct ast *ast, const struct format_conversion *c, const char *text,
                         const struct expr *format)
{
    const char *at = c->end - 1;
    if (c->kind != FORMAT_FLOAT || c->lanes > 1 || c->length == FORMAT_DEFAULT)
        return;
    while (strchr("hlLjzt", at[-1]))
        at--;
    diag_warning(ast->diag, place_in(format->loc, text, at),
                 "the length modifier of '%.*s' in the format has no effect",
                 (int)(c->end - c->begin), c->begin);
}

static void check_format(struct ast *ast, const char *text, struct expr **args, uint32_t count)
{
    uint32_t used = 1;
    struct format_conversion c;
    for (const char *at = text; format_next(at, &c); at = c.end) {
        int length = (int)(c.end - c.begin);
        if (c.error)
            diag_warning(ast->diag, place_in(args[0]->loc, text, c.end - 1), "invalid conversion '%.*s' in the format: %s", length, c.begin,
                         c.error);
        used += c.error && used < count;
        if (c.error || c.kind == FORMAT_PERCENT)
            continue;
        check_length(ast, &c, text, args[0]);
        if (used == count) {
            diag_warning(ast->diag, place_in(args[0]->loc, text, c.end - 1),
                         "more conversions in the format than data arguments");
            return;
        }
        struct expr *arg = args[used++];
        if (!fits(ast, &c, arg->type.type))
            diag_warning(ast->diag, sema_start(arg),
                         "format specifies '%.*s' but the argument has type %s", length,
                         c.begin, sema_value_text(ast, arg));
    }
    if (used < count)
        diag_warning(ast->diag, sema_start(args[used]), "data argument not used by format string");
}

static uint64_t record_size(struct expr **args, uint32_t count)
{
    uint64_t size = 4;
    for (uint32_t i = 1; i < count; i++) {
        struct type *type = args[i]->type.type;
        size += type_lanes(type) * (type_scalar(type)->size > 4 ? 8u : 4u);
    }
    return size;
}

bool sema_printf(struct ast *ast, const struct builtin *builtin, struct expr **args, uint32_t count)
{
    bool fine = true;
    struct loc loc = sema_start(args[0]);
    struct expr *text = sema_printed_text(ast, args[0]);
    if (!text) {
        diag_error(ast->diag, loc, "format argument of '%s' must be a string literal", builtin->name);
        return false;
    }
    args[0] = text;
    for (uint32_t i = 1; i < count; i++)
        fine &= convert_argument(ast, &args[i]);
    if (!fine)
        return false;
    if (count - 1 > KC_PRINTF_ARGS_MAX || record_size(args, count) > KC_PRINTF_RECORD_MAX) {
        diag_error(ast->diag, loc, "too many arguments to '%s'", builtin->name);
        return false;
    }
    check_format(ast, text->string, args, count);
    return true;
}
