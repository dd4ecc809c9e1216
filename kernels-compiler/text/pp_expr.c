// SPDX-License-Identifier: Apache-2.0
// The expression of #if and #elif (C 6.10.1) -> true or false.
//
// Operator precedence climbing, one token at a time, in 64-bit arithmetic. A value is unsigned if it does not fit the
// signed type or if an operand is unsigned. Operands that are not evaluated (after && || ?:) are parsed but may
// divide by zero.
#include "text/pp.h"
#include "text/universal.h"
#include "util/stack.h"
#include "util/utf8.h"

#include <string.h>

struct value {
    uint64_t bits;
    bool is_unsigned;
};

struct expr {
    struct pp *pp;
    struct pp_token token; // the current token
    unsigned skipping;     // > 0: parse without evaluating
    bool failed;
};

static const struct value zero = {0, false};

static const unsigned char precedence[TOK_COUNT] = {
    [TOK_STAR] = 10, [TOK_SLASH] = 10,  [TOK_PERCENT] = 10,  [TOK_PLUS] = 9, [TOK_MINUS] = 9,
    [TOK_SHL] = 8,   [TOK_SHR] = 8,     [TOK_LT] = 7,        [TOK_GT] = 7,   [TOK_LE] = 7,
    [TOK_GE] = 7,    [TOK_EQ] = 6,      [TOK_NE] = 6,        [TOK_AMP] = 5,  [TOK_CARET] = 4,
    [TOK_PIPE] = 3,  [TOK_AMP_AMP] = 2, [TOK_PIPE_PIPE] = 1,
};

static struct value parse_comma(struct expr *e);

static void next(struct expr *e)
{
    pp_next(e->pp, &e->token);
}

static struct value fail_at(struct expr *e, struct loc loc, const char *message)
{
    if (!e->failed)
        diag_error(e->pp->diag, loc, "%s", message);
    e->failed = true;
    return zero;
}

static struct value fail(struct expr *e, const char *message)
{
    return fail_at(e, e->token.loc, message);
}

static struct value truth(bool value)
{
    return (struct value){value, false};
}

// ---- operands -------------------------------------------------------------------------

static int digit_value(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 99;
}

// Accepts u, l, ll in any order and case.
static bool parse_suffix(const char *p, const char *end, bool *is_unsigned)
{
    unsigned longs = 0;
    for (; p < end; p++) {
        if ((*p | 0x20) == 'u' && !*is_unsigned)
            *is_unsigned = true;
        else if ((*p | 0x20) == 'l' && longs < 2)
            longs++;
        else
            return false;
    }
    return true;
}

static struct value parse_number(struct expr *e)
{
    const char *p = e->token.text, *end = p + e->token.length;
    unsigned base = 10;
    struct value value = {0, false};
    bool overflow = false;
    if (*p == '0' && p + 1 < end) {
        char second = (char)(p[1] | 0x20);
        base = second == 'x' ? 16 : second == 'b' ? 2 : 8;
        p += base == 8 ? 1 : 2;
    }
    for (; p < end && digit_value(*p) < (int)base; p++) {
        overflow |= value.bits > (UINT64_MAX - (uint64_t)digit_value(*p)) / base;
        value.bits = value.bits * base + (uint64_t)digit_value(*p);
    }
    if (!parse_suffix(p, end, &value.is_unsigned))
        return fail(e, memchr(e->token.text, '.', e->token.length)
                           ? "floating point literal in preprocessor expression"
                           : "invalid number in preprocessor expression");
    if (overflow)
        return fail(e, "integer literal is too large to be represented in any integer type");
    value.is_unsigned |= value.bits > INT64_MAX;
    return value;
}

static unsigned parse_escape(const char **at, const char *end)
{
    static const char names[] = "abfnrtv", values[] = "\a\b\f\n\r\t\v";
    const char *p = *at;
    unsigned value = 0;
    if (*p == 'x') {
        for (p++; p < end && digit_value(*p) < 16; p++)
            value = value * 16 + (unsigned)digit_value(*p);
    } else if (digit_value(*p) < 8) {
        for (int i = 0; i < 3 && p < end && digit_value(*p) < 8; i++)
            value = value * 8 + (unsigned)digit_value(*p++);
    } else {
        const char *name = strchr(names, *p);
        value = name && *name ? (unsigned char)values[name - names] : (unsigned char)*p;
        p++;
    }
    *at = p;
    return value;
}

// Reads a non-ASCII character or universal character name at *p, which does not fit a char.
static bool read_wide(struct expr *e, const char **p, const char *end, uint32_t *character)
{
    const char *error = NULL;
    size_t length = utf8_length(*p, (size_t)(end - *p));
    if ((*p)[0] == '\\' && ((*p)[1] == 'u' || (*p)[1] == 'U'))
        length = universal_read(*p, character, &error);
    else if (length < 2)
        return false;
    else
        *character = utf8_decode(*p, length);
    *p += length;
    if (error || *character > 0x7f)
        fail(e, error ? error : "character too large for enclosing character literal type");
    return true;
}

static struct value parse_character(struct expr *e)
{
    const char *p = e->token.text + 1, *end = e->token.text + e->token.length - 1;
    unsigned value = 0, count = 0;
    if (p == end)
        return fail(e, "empty character constant");
    for (; p < end; count++) {
        uint32_t c;
        if (!read_wide(e, &p, end, &c)) {
            c = (unsigned char)*p++;
            if (c == '\\')
                c = parse_escape(&p, end);
        }
        value = value << 8 | (c & 0xff);
    }
    if (count > 1 && !e->failed)
        diag_warning(e->pp->diag, e->token.loc, "multi-character character constant");
    int32_t result = count == 1 ? (signed char)value : (int32_t)value;
    return (struct value){(uint64_t)(int64_t)result, false};
}

// After `defined`: names are read unexpanded.
static struct value parse_defined(struct expr *e)
{
    pp_read(e->pp, &e->token);
    bool parenthesis = e->token.kind == TOK_LPAREN;
    if (parenthesis)
        pp_read(e->pp, &e->token);
    if (e->token.kind != TOK_IDENTIFIER)
        return fail(e, "macro name missing after 'defined'");
    struct value result = truth(e->token.name->macro != NULL);
    if (parenthesis) {
        pp_read(e->pp, &e->token);
        if (e->token.kind != TOK_RPAREN)
            return fail(e, "missing ')' after 'defined'");
    }
    next(e);
    return result;
}

static struct value parse_parentheses(struct expr *e)
{
    next(e);
    struct value value = parse_comma(e);
    if (e->token.kind != TOK_RPAREN)
        return fail(e, "missing ')' in preprocessor expression");
    next(e);
    return value;
}

static struct value parse_operand(struct expr *e)
{
    struct value value = zero;
    switch (e->token.kind) {
    case TOK_LPAREN:
        return parse_parentheses(e);
    case TOK_IDENTIFIER:
        if (e->token.name == e->pp->name_defined)
            return parse_defined(e);
        break;
    case TOK_NUMBER:
        value = parse_number(e);
        break;
    case TOK_CHARACTER:
        value = parse_character(e);
        break;
    default:
        return fail(e, e->token.kind == PP_END_OF_LINE
                           ? "expected value in expression"
                           : "expected value in preprocessor expression");
    }
    next(e);
    return value;
}

// ---- operators ------------------------------------------------------------------------

static void enter(struct expr *e)
{
    if (++e->pp->expression_depth > PP_MAX_EXPRESSION_DEPTH)
        diag_fatal(e->pp->diag, e->token.loc, "preprocessor expression is nested too deeply");
}

static struct value parse_unary(struct expr *e)
{
    stack_check();
    unsigned kind = e->token.kind;
    if (kind != TOK_MINUS && kind != TOK_PLUS && kind != TOK_TILDE && kind != TOK_BANG)
        return parse_operand(e);
    enter(e);
    next(e);
    struct value value = parse_unary(e);
    e->pp->expression_depth--;
    if (kind == TOK_MINUS)
        value.bits = -value.bits;
    else if (kind == TOK_TILDE)
        value.bits = ~value.bits;
    else if (kind == TOK_BANG)
        value = truth(!value.bits);
    return value;
}

static uint64_t shift(struct value left, uint64_t amount, bool right)
{
    bool negative = !left.is_unsigned && left.bits >> 63;
    if (amount > 63)
        return right && negative ? UINT64_MAX : 0;
    if (!right)
        return left.bits << amount;
    return left.bits >> amount | (negative && amount ? ~(UINT64_MAX >> amount) : 0);
}

static struct value divide(bool remainder, struct value a, struct value b)
{
    struct value result = {0, a.is_unsigned || b.is_unsigned};
    if (!b.bits) // skipped, or already rejected
        return result;
    if (result.is_unsigned)
        result.bits = remainder ? a.bits % b.bits : a.bits / b.bits;
    else if (b.bits == UINT64_MAX) // division by -1: INT64_MIN would overflow
        result.bits = remainder ? 0 : -a.bits;
    else
        result.bits = (uint64_t)(remainder ? (int64_t)a.bits % (int64_t)b.bits
                                           : (int64_t)a.bits / (int64_t)b.bits);
    return result;
}

static bool less(struct value a, struct value b)
{
    return a.is_unsigned || b.is_unsigned ? a.bits < b.bits : (int64_t)a.bits < (int64_t)b.bits;
}

static struct value apply(unsigned kind, struct value a, struct value b)
{
    struct value result = {0, a.is_unsigned || b.is_unsigned};
    switch (kind) {
    case TOK_STAR:
        result.bits = a.bits * b.bits;
        return result;
    case TOK_PLUS:
        result.bits = a.bits + b.bits;
        return result;
    case TOK_MINUS:
        result.bits = a.bits - b.bits;
        return result;
    case TOK_AMP:
        result.bits = a.bits & b.bits;
        return result;
    case TOK_CARET:
        result.bits = a.bits ^ b.bits;
        return result;
    case TOK_PIPE:
        result.bits = a.bits | b.bits;
        return result;
    case TOK_SHL:
        return (struct value){shift(a, b.bits, false), a.is_unsigned};
    case TOK_SHR:
        return (struct value){shift(a, b.bits, true), a.is_unsigned};
    case TOK_LT:
        return truth(less(a, b));
    case TOK_GT:
        return truth(less(b, a));
    case TOK_LE:
        return truth(!less(b, a));
    case TOK_GE:
        return truth(!less(a, b));
    case TOK_EQ:
        return truth(a.bits == b.bits);
    case TOK_NE:
        return truth(a.bits != b.bits);
    case TOK_AMP_AMP:
        return truth(a.bits && b.bits);
    case TOK_PIPE_PIPE:
        return truth(a.bits || b.bits);
    default:
        return divide(kind == TOK_PERCENT, a, b);
    }
}

static unsigned precedence_of(const struct expr *e)
{
    return e->token.kind < TOK_COUNT ? precedence[e->token.kind] : 0;
}

static bool has_common_type(unsigned kind)
{
    return kind != TOK_SHL && kind != TOK_SHR && kind != TOK_AMP_AMP && kind != TOK_PIPE_PIPE;
}

// A negative operand is converted to unsigned if the other operand is unsigned.
static void warn_negative(struct expr *e, struct value left, struct value right, struct loc loc)
{
    struct value converted = left.is_unsigned ? right : left;
    if (left.is_unsigned != right.is_unsigned && converted.bits >> 63)
        diag_warning(e->pp->diag, loc, "%s side of operator converted from negative value to unsigned: %lld to %llu",
                     left.is_unsigned ? "right" : "left", (long long)converted.bits,
                     (unsigned long long)converted.bits);
}

static struct value parse_binary(struct expr *e, unsigned lowest)
{
    stack_check();
    struct value left = parse_unary(e);
    while (precedence_of(e) >= lowest && !e->failed) {
        unsigned kind = e->token.kind, level = precedence_of(e);
        bool decided = (kind == TOK_AMP_AMP && !left.bits) || (kind == TOK_PIPE_PIPE && left.bits);
        struct loc loc = e->token.loc;
        next(e);
        e->skipping += decided;
        struct value right = parse_binary(e, level + 1);
        e->skipping -= decided;
        if (has_common_type(kind) && !e->skipping && !e->failed)
            warn_negative(e, left, right, loc);
        if ((kind == TOK_SLASH || kind == TOK_PERCENT) && !right.bits && !e->skipping && !e->failed)
            left = fail_at(e, loc, "division by zero in preprocessor expression");
        else
            left = apply(kind, left, right);
    }
    return left;
}

static struct value parse_ternary(struct expr *e)
{
    stack_check();
    enter(e);
    struct value value = parse_binary(e, 1);
    if (e->token.kind == TOK_QUESTION && !e->failed) {
        bool chosen = value.bits != 0;
        next(e);
        e->skipping += !chosen;
        struct value yes = parse_comma(e);
        e->skipping -= !chosen;
        if (e->token.kind != TOK_COLON)
            return fail(e, "missing ':' in preprocessor expression");
        next(e);
        e->skipping += chosen;
        struct value no = parse_ternary(e);
        e->skipping -= chosen;
        value.bits = chosen ? yes.bits : no.bits;
        value.is_unsigned = yes.is_unsigned || no.is_unsigned;
    }
    e->pp->expression_depth--;
    return value;
}

// As in clang and GCC, a comma is allowed only inside parentheses and between ? and :.
static struct value parse_comma(struct expr *e)
{
    struct value value = parse_ternary(e);
    while (e->token.kind == TOK_COMMA && !e->failed) {
        next(e);
        value = parse_ternary(e);
    }
    return value;
}

bool pp_condition(struct pp *pp)
{
    struct expr e = {.pp = pp};
    pp->expression_depth = 0;
    pp->in_condition = true;
    next(&e);
    struct value value = parse_ternary(&e);
    if (!e.failed && e.token.kind != PP_END_OF_LINE)
        fail(&e, "token is not a valid binary operator in a preprocessor expression");
    pp->in_condition = false;
    return !e.failed && value.bits;
}
