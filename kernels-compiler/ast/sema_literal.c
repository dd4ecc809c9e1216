// SPDX-License-Identifier: Apache-2.0
// Literals: spelling -> constant with a type (C99 6.4.4, OpenCL C 6.1.4, 6.2.2).
#include "ast/sema_impl.h"
#include "text/universal.h"
#include "util/number.h"
#include "util/utf8.h"
#include <stdlib.h>
#include <string.h>

// ---- numbers ------------------------------------------------------------------------------------

static int digit_of(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : 99;
}

static struct loc after(struct loc loc, size_t columns)
{
    loc.column += (uint32_t)columns;
    return loc;
}

struct int_suffix {
    bool is_unsigned, is_long;
};

static bool parse_int_suffix(const char *p, struct int_suffix *suffix)
{
    *suffix = (struct int_suffix){0};
    while (*p) {
        if ((*p == 'u' || *p == 'U') && !suffix->is_unsigned) {
            suffix->is_unsigned = true;
            p++;
        } else if ((*p == 'l' || *p == 'L') && !suffix->is_long) {
            suffix->is_long = true;
            p += p[1] == p[0] ? 2 : 1;
        } else
            return false;
    }
    return true;
}

static enum type_kind int_kind(uint64_t value, bool decimal, struct int_suffix suffix, bool *forced)
{
    *forced = false;
    if (!suffix.is_long) {
        if (!suffix.is_unsigned && value <= INT32_MAX)
            return TYPE_INT;
        if ((suffix.is_unsigned || !decimal) && value <= UINT32_MAX)
            return TYPE_UINT;
    }
    if (!suffix.is_unsigned && value <= INT64_MAX)
        return TYPE_LONG;
    *forced = !suffix.is_unsigned && decimal;
    return TYPE_ULONG;
}

static struct expr *integer(struct ast *ast, const struct token *token)
{
    const char *p = token->text;
    unsigned base = 10;
    if (p[0] == '0' && (p[1] == 'x' || p[1] == 'X') && digit_of(p[2]) < 16) {
        base = 16;
        p += 2;
    } else if (p[0] == '0' && (p[1] == 'b' || p[1] == 'B') && digit_of(p[2]) < 2) {
        base = 2;
        p += 2;
    } else if (p[0] == '0') {
        base = 8;
    }
    uint64_t value = 0;
    bool overflow = false;
    while (digit_of(*p) < (int)base) {
        overflow |= __builtin_mul_overflow(value, base, &value);
        overflow |= __builtin_add_overflow(value, (uint64_t)digit_of(*p), &value);
        p++;
    }
    struct loc at = after(token->loc, (size_t)(p - token->text));
    struct int_suffix suffix;
    if (digit_of(*p) < 16 && base < 16) {
        diag_error(ast->diag, at, "invalid digit '%c' in %s constant", *p,
                   base == 8   ? "octal"
                   : base == 2 ? "binary"
                               : "decimal");
        return sema_error(ast, token->loc);
    }
    if (!parse_int_suffix(p, &suffix)) {
        diag_error(ast->diag, at, "invalid suffix '%s' on integer constant", p);
        return sema_error(ast, token->loc);
    }
    if (overflow) {
        diag_error(ast->diag, token->loc,
                   "integer literal is too large to be represented in any integer type");
        return sema_error(ast, token->loc);
    }
    bool forced;
    enum type_kind kind = int_kind(value, base == 10, suffix, &forced);
    if (forced)
        diag_warning(ast->diag, token->loc,
                     "integer literal is too large to be represented in a signed integer type, "
                     "interpreting as unsigned");
    return sema_const_int(ast, kind, value, token->loc);
}

static uint64_t float_bits(const char *text, const char **end, enum type_kind kind)
{
    return number_read(text, end, kind == TYPE_HALF ? NUMBER_HALF : kind == TYPE_FLOAT ? NUMBER_FLOAT : NUMBER_DOUBLE);
}

// Warns about a number that overflows to infinity or underflows to zero.
static void warn_magnitude(struct ast *ast, const struct token *token, enum type_kind kind, uint64_t bits)
{
    static const struct {
        uint64_t infinity;
        const char *name, *largest, *smallest;
    } kinds[TYPE_KIND_COUNT] = {
        [TYPE_HALF] = {0x7c00, "half", "65504", "5.96046448E-8"},
        [TYPE_FLOAT] = {0x7f800000, "float", "3.40282347E+38", "1.40129846E-45"},
        [TYPE_DOUBLE] = {0x7ff0000000000000, "double", "1.7976931348623157E+308", "4.9406564584124654E-324"},
    };
    bool hex = token->text[0] == '0' && (token->text[1] == 'x' || token->text[1] == 'X');
    size_t mantissa = strcspn(token->text, hex ? "pP" : "eE"), zeros = strspn(token->text, hex ? "0xX." : "0.");
    if (bits == kinds[kind].infinity)
        diag_warning(ast->diag, token->loc, "magnitude of floating-point constant too large for type '%s'; maximum is %s",
                     kinds[kind].name, kinds[kind].largest);
    else if (!bits && zeros < mantissa && digit_of(token->text[zeros]) < (hex ? 16 : 10))
        diag_warning(ast->diag, token->loc, "magnitude of floating-point constant too small for type '%s'; minimum is %s",
                     kinds[kind].name, kinds[kind].smallest);
}

static struct expr *floating(struct ast *ast, const struct token *token)
{
    const char *end;
    float_bits(token->text, &end, TYPE_DOUBLE); // only to find the suffix
    char last = end[0];
    enum type_kind kind = TYPE_DOUBLE;
    bool known = !last || !end[1];
    if (last == 'f' || last == 'F')
        kind = TYPE_FLOAT;
    else if (last == 'h' || last == 'H')
        kind = TYPE_HALF;
    else if (last && last != 'l' && last != 'L')
        known = false;
    bool hex = token->text[0] == '0' && (token->text[1] == 'x' || token->text[1] == 'X');
    if (hex && !strpbrk(token->text, "pP")) {
        diag_error(ast->diag, after(token->loc, (size_t)(end - token->text)),
                   "hexadecimal floating constant requires an exponent");
        return sema_error(ast, token->loc);
    }
    if (!known || end == token->text) {
        diag_error(ast->diag, after(token->loc, (size_t)(end - token->text)),
                   "invalid suffix '%s' on floating constant", end);
        return sema_error(ast, token->loc);
    }
    if (kind == TYPE_HALF && !ast_has(ast, KC_EXT_FP16)) {
        diag_error(ast->diag, token->loc, "half precision constant requires cl_khr_fp16");
        return sema_error(ast, token->loc);
    }
    if (kind == TYPE_DOUBLE && ast->single_precision_constant)
        kind = TYPE_FLOAT;
    if (kind == TYPE_DOUBLE && !ast_has(ast, KC_EXT_FP64)) {
        diag_warning(ast->diag, token->loc,
                     "double precision constant requires %s, casting to single precision",
                     ast->version >= 300 ? "cl_khr_fp64 and __opencl_c_fp64" : "cl_khr_fp64");
        kind = TYPE_FLOAT;
    }
    uint64_t bits = float_bits(token->text, &end, kind);
    warn_magnitude(ast, token, kind, bits);
    return sema_lanes(ast, type_basic(ast->types, kind), &bits, token->loc);
}

static bool is_floating(const char *text)
{
    const bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    const char *after = text;
    for (const char *p = text; *p; p++)
        if (*p == '.' || (hex ? *p == 'p' || *p == 'P' : *p == 'e' || *p == 'E'))
            return true;
    while (*after >= '0' && *after <= '9')
        after++;
    return after > text && (*after == 'h' || *after == 'H') && !strpbrk(text, "xXbB");
}

struct expr *sema_number(struct ast *ast, const struct token *token)
{
    struct expr *number = is_floating(token->text) ? floating(ast, token) : integer(ast, token);
    bool decimal = token->text[0] != '0' || !token->text[1] || type_is_float(number->type.type);
    number->literal = decimal ? LITERAL_DECIMAL : LITERAL_BITS;
    return number;
}

// ---- characters ---------------------------------------------------------------------------------

static uint32_t read_universal(struct ast *ast, const char **p, const struct token *token)
{
    uint32_t character;
    const char *error;
    size_t before = (size_t)(*p - token->text);
    *p += universal_read(*p, &character, &error);
    if (error)
        diag_error(ast->diag, after(token->loc, before), "%s", error);
    return error ? ' ' : character;
}

static bool is_universal(const char *p) { return p[0] == '\\' && (p[1] == 'u' || p[1] == 'U'); }

// One byte of a literal at *p, with escapes decoded; advances *p.
static unsigned unescape(struct ast *ast, const char **p, const struct token *token)
{
    static const char names[] = "abfnrtve\\'\"?", values[] = "\a\b\f\n\r\t\v\033\\'\"?";
    const char *s = *p;
    if (*s != '\\') {
        *p = s + 1;
        return (unsigned char)*s;
    }
    const char *begin = s++;
    unsigned value = 0;
    bool too_large = false;
    if (*s >= '0' && *s <= '7') {
        for (int i = 0; i < 3 && *s >= '0' && *s <= '7'; i++)
            value = value * 8 + (unsigned)(*s++ - '0');
        too_large = value > 255;
    } else if (*s == 'x') {
        const char *digits = ++s;
        for (; digit_of(*s) < 16; s++) {
            too_large |= value > 15;
            value = (value * 16 + (unsigned)digit_of(*s)) & 255;
        }
        if (s == digits)
            diag_error(ast->diag, after(token->loc, (size_t)(begin - token->text)),
                       "\\x used with no following hex digits");
    } else {
        const char *at = *s ? strchr(names, *s) : NULL;
        if (!at)
            diag_warning(ast->diag, after(token->loc, (size_t)(begin - token->text)),
                         "unknown escape sequence '\\%c'", *s ? *s : ' ');
        value = at ? (unsigned char)values[at - names] : (unsigned char)*s;
        s += *s != 0;
    }
    if (too_large)
        diag_error(ast->diag, after(token->loc, (size_t)(begin - token->text)),
                   "%s escape sequence out of range", begin[1] == 'x' ? "hex" : "octal");
    *p = s;
    return value & 255;
}

// One character of a constant at *p; advances *p. A character beyond ASCII does not fit a char.
static unsigned read_character(struct ast *ast, const char **p, const char *end, const struct token *token)
{
    size_t before = (size_t)(*p - token->text), length = utf8_length(*p, (size_t)(end - *p));
    uint32_t character = 0;
    if (is_universal(*p))
        character = read_universal(ast, p, token);
    else if (length < 2)
        return unescape(ast, p, token);
    else
        character = utf8_decode(*p, length);
    if (!is_universal(token->text + before))
        *p += length;
    if (character > 0x7f)
        diag_error(ast->diag, after(token->loc, before), "character U+%04X is too large for a char", (unsigned)character);
    return character & 0x7f;
}

struct expr *sema_character(struct ast *ast, const struct token *token)
{
    const char *p = token->text, *end = token->text + token->length;
    while (p < end && *p != '\'')
        p++;
    p++;
    uint32_t value = 0;
    unsigned count = 0;
    while (p < end && *p != '\'') {
        value = value << 8 | read_character(ast, &p, end, token);
        count++;
    }
    if (count == 0) {
        diag_error(ast->diag, token->loc, "empty character constant");
        return sema_error(ast, token->loc);
    }
    if (count > 1)
        diag_warning(ast->diag, token->loc, "multi-character character constant");
    else
        value = (uint32_t)(int32_t)(int8_t)value; // char is signed
    return sema_const_int(ast, TYPE_INT, value, token->loc);
}

// `length` includes the NUL.
static struct expr *string_of(struct ast *ast, const char *text, size_t length, struct loc loc)
{
    struct qtype type = qtype_of(type_array(ast->types, sema_basic(ast, TYPE_CHAR), length, false));
    type.space = SPACE_CONSTANT;
    struct expr *expr = sema_new(ast, EXPR_STRING, type, loc);
    expr->string = text;
    expr->string_length = length;
    expr->lvalue = true;
    return expr;
}

static void add_character(struct ast *ast, struct str *text, const char **p, const struct token *token)
{
    char bytes[UTF8_MAX];
    if (is_universal(*p))
        str_addn(text, bytes, utf8_encode(read_universal(ast, p, token), bytes));
    else
        str_addc(text, (char)unescape(ast, p, token));
}

struct expr *sema_string(struct ast *ast, const struct token *const *tokens, uint32_t count)
{
    struct str text;
    str_init(&text, ast->arena);
    for (uint32_t i = 0; i < count; i++) {
        const char *p = tokens[i]->text, *end = p + tokens[i]->length;
        while (p < end && *p != '"')
            p++;
        p++;
        while (p < end && *p != '"')
            add_character(ast, &text, &p, tokens[i]);
    }
    str_addc(&text, '\0');
    return string_of(ast, text.text, text.length, tokens[0]->loc);
}

struct expr *sema_text(struct ast *ast, const char *text, struct loc loc)
{
    return string_of(ast, text, strlen(text) + 1, loc);
}
