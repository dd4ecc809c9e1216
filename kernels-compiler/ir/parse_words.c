// SPDX-License-Identifier: Apache-2.0
// Characters -> words, types, constants, values and variables.
#include "ir/parse.h"
#include "util/number.h"
#include <stdio.h>
#include <stdlib.h>

void irp_fail(struct parse *p, const char *message, const char *what, size_t length)
{
    if (p->error)
        return;
    unsigned line = 1;
    for (const char *c = p->start; c < p->at; c++)
        line += *c == '\n';
    p->error = arena_printf(p->arena, "line %u: %s%s%.*s%s", line, message, length ? " '" : "",
                            (int)length, what, length ? "'" : "");
    p->at = p->end;
}

// ---- words --------------------------------------------------------------------------------------

void irp_skip_space(struct parse *p)
{
    while (p->at < p->end) {
        char c = *p->at;
        if (c == ';') // a comment
            while (p->at < p->end && *p->at != '\n')
                p->at++;
        else if (c == ' ' || c == '\n' || c == '\t' || c == '\r')
            p->at++;
        else
            break;
    }
}

static bool word_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || (c & 0x80) ||
           c == '.' || c == '$';
}

struct irp_word irp_peek(struct parse *p)
{
    irp_skip_space(p);
    const char *c = p->at;
    while (c < p->end && word_char(*c))
        c++;
    return (struct irp_word){p->at, (size_t)(c - p->at)};
}

struct irp_word irp_next(struct parse *p)
{
    struct irp_word w = irp_peek(p);
    if (!w.length)
        irp_fail(p, "a word is missing", p->at, p->at < p->end);
    p->at = p->error ? p->end : w.text + w.length;
    return w;
}

bool irp_same(struct irp_word w, const char *text)
{
    return strlen(text) == w.length && !memcmp(w.text, text, w.length);
}

bool irp_accept(struct parse *p, const char *text)
{
    struct irp_word w = irp_peek(p);
    if (!irp_same(w, text))
        return false;
    p->at += w.length;
    return true;
}

bool irp_accept_char(struct parse *p, char c)
{
    irp_skip_space(p);
    if (p->at >= p->end || *p->at != c)
        return false;
    p->at++;
    return true;
}

void irp_expect_char(struct parse *p, char c)
{
    if (!irp_accept_char(p, c))
        irp_fail(p, "expected", &c, 1);
}

void irp_expect(struct parse *p, const char *text)
{
    if (!irp_accept(p, text))
        irp_fail(p, "expected", text, strlen(text));
}

unsigned irp_one_of(struct parse *p, const char *const *names)
{
    struct irp_word w = irp_next(p);
    for (unsigned i = 0; names[i]; i++)
        if (irp_same(w, names[i]))
            return i;
    irp_fail(p, "unknown word", w.text, w.length);
    return 0;
}

uint64_t irp_integer(struct parse *p)
{
    irp_skip_space(p);
    bool negative = irp_accept_char(p, '-');
    struct irp_word w = irp_peek(p);
    uint64_t value = 0, base = w.length > 2 && w.text[0] == '0' && w.text[1] == 'x' ? 16 : 10;
    if (!w.length)
        irp_fail(p, "a number is missing", "", 0);
    for (size_t i = base == 16 ? 2 : 0; i < w.length; i++) {
        char c = w.text[i];
        unsigned digit = c >= '0' && c <= '9'   ? (unsigned)(c - '0')
                         : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a' + 10)
                                                : 99;
        if (digit >= base) {
            irp_fail(p, "not a number", w.text, w.length);
            return 0;
        }
        value = value * base + digit;
    }
    p->at = p->error ? p->end : w.text + w.length;
    return negative ? 0 - value : value;
}

uint32_t irp_number(struct parse *p)
{
    return (uint32_t)irp_integer(p);
}

uint32_t irp_table_number(struct parse *p) // an index into values or blocks
{
    uint64_t n = irp_integer(p);
    if (n >= IRP_MAX_NUMBER)
        irp_fail(p, "the number is too large", "", 0);
    return p->error ? 0 : (uint32_t)n;
}

const char *irp_name(struct parse *p)
{
    struct irp_word w = irp_next(p);
    return intern_string(p->m->intern, w.text, w.length);
}

int irp_hex_digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

const char *irp_quoted(struct parse *p)
{
    struct str out;
    str_init(&out, p->arena);
    str_add(&out, "");
    irp_expect_char(p, '"');
    while (p->at < p->end && *p->at != '"') {
        if (*p->at == '\\' && p->end - p->at > 2 && irp_hex_digit(p->at[1]) >= 0 &&
            irp_hex_digit(p->at[2]) >= 0) {
            str_addc(&out, (char)(irp_hex_digit(p->at[1]) << 4 | irp_hex_digit(p->at[2])));
            p->at += 3;
        } else {
            str_addc(&out, *p->at++);
        }
    }
    irp_expect_char(p, '"');
    return out.text;
}

// ---- types and values ---------------------------------------------------------------------------

// mat.f16.8x32.a
static struct ir_type matrix_type(struct parse *p, struct irp_word w)
{
    static const struct {
        const char *name;
        struct ir_type type;
    } components[] = {
        {"i8", {IR_INT, 8, 1, 0, 0, 0}},      {"i16", {IR_INT, 16, 1, 0, 0, 0}},   {"i32", {IR_INT, 32, 1, 0, 0, 0}},
        {"i64", {IR_INT, 64, 1, 0, 0, 0}},    {"f16", {IR_FLOAT, 16, 1, 0, 0, 0}}, {"f32", {IR_FLOAT, 32, 1, 0, 0, 0}},
        {"f64", {IR_FLOAT, 64, 1, 0, 0, 0}},  {"bf16", {IR_BF16, 16, 1, 0, 0, 0}}, {"e4m3", {IR_E4M3, 8, 1, 0, 0, 0}},
        {"e5m2", {IR_E5M2, 8, 1, 0, 0, 0}},
    };
    char text[40] = "", name[8] = "", use[4] = "", more = 0;
    unsigned rows = 0, columns = 0;
    memcpy(text, w.text, w.length < sizeof text ? w.length : 0);
    bool read = sscanf(text, "mat.%7[a-z0-9].%ux%u.%1s%c", name, &rows, &columns, use, &more) == 4;
    bool fits = read && rows && columns && rows <= UINT16_MAX && columns <= UINT16_MAX && use[0] >= 'a' && use[0] <= 'c';
    for (size_t i = 0; fits && i < sizeof components / sizeof *components; i++)
        if (!strcmp(name, components[i].name))
            return ir_matrix(components[i].type, rows, columns, (enum ir_use)(use[0] - 'a'));
    irp_fail(p, "unknown type", w.text, w.length);
    return ir_int(32);
}

static struct ir_type scalar_type(struct parse *p)
{
    static const struct {
        const char *name;
        struct ir_type type;
    } types[] = {
        {"i32", {IR_INT, 32, 1, 0, 0, 0}},  {"f32", {IR_FLOAT, 32, 1, 0, 0, 0}}, {"i64", {IR_INT, 64, 1, 0, 0, 0}},
        {"bool", {IR_BOOL, 1, 1, 0, 0, 0}}, {"f64", {IR_FLOAT, 64, 1, 0, 0, 0}}, {"i8", {IR_INT, 8, 1, 0, 0, 0}},
        {"i16", {IR_INT, 16, 1, 0, 0, 0}},  {"f16", {IR_FLOAT, 16, 1, 0, 0, 0}}, {"void", {IR_VOID, 0, 0, 0, 0, 0}},
    };
    struct irp_word w = irp_next(p);
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (irp_same(w, types[i].name))
            return types[i].type;
    if (w.length > 4 && !memcmp(w.text, "ptr.", 4))
        for (unsigned i = 0; ir_space_names[i]; i++)
            if (irp_same((struct irp_word){w.text + 4, w.length - 4}, ir_space_names[i]))
                return ir_ptr(kc_pointer_bytes(p->m->target), i);
    if (w.length > 4 && !memcmp(w.text, "mat.", 4))
        return matrix_type(p, w);
    irp_fail(p, "unknown type", w.text, w.length);
    return ir_int(32);
}

struct ir_type irp_type(struct parse *p)
{
    if (!irp_accept_char(p, '<'))
        return scalar_type(p);
    uint32_t lanes = irp_number(p);
    irp_expect(p, "x");
    struct ir_type t = scalar_type(p);
    irp_expect_char(p, '>');
    if (lanes != 2 && lanes != 3 && lanes != 4 && lanes != 8 && lanes != 16)
        irp_fail(p, "no vector has that many lanes", "", 0);
    return ir_with_lanes(t, p->error ? 1 : lanes);
}

static uint64_t lane_value(struct parse *p, struct ir_type t)
{
    char text[64];
    irp_skip_space(p);
    if (t.base == IR_BOOL)
        return irp_accept(p, "true") ? 1 : irp_accept(p, "false") ? 0 : irp_integer(p);
    if (t.base != IR_FLOAT)
        return irp_integer(p);
    if (irp_accept_char(p, '#')) {
        uint64_t bits = 0;
        while (p->at < p->end && irp_hex_digit(*p->at) >= 0)
            bits = bits << 4 | (uint64_t)irp_hex_digit(*p->at++);
        return bits;
    }
    size_t length = 0;
    while (p->at + length < p->end && length + 1 < sizeof text &&
           (word_char(p->at[length]) || p->at[length] == '-' || p->at[length] == '+'))
        length++;
    memcpy(text, p->at, length);
    text[length] = 0;
    const char *number = text + (*text == '-'), *stop;
    uint64_t bits = number_read(number, &stop, NUMBER_DOUBLE) | (uint64_t)(*text == '-') << 63;
    double value;
    if (stop == number || *stop)
        irp_fail(p, "not a number", text, length);
    p->at = p->error ? p->end : p->at + length;
    memcpy(&value, &bits, sizeof value);
    return ir_float_bits(t.bits, value);
}

static struct ir_instr *constant(struct parse *p)
{
    uint64_t lanes[16] = {0};
    struct ir_type t = irp_type(p);
    if (!t.lanes)
        irp_fail(p, "no value is of type 'void'", "", 0);
    if (ir_is_matrix(t))
        irp_fail(p, "there are no constant matrices", "", 0);
    if (t.lanes <= 1) {
        lanes[0] = lane_value(p, t);
    } else {
        irp_expect_char(p, '(');
        for (unsigned i = 0; i < t.lanes; i++) {
            if (i)
                irp_expect_char(p, ',');
            lanes[i] = lane_value(p, t);
        }
        irp_expect_char(p, ')');
    }
    return p->error || !t.lanes ? NULL : ir_const(p->m, t, lanes);
}

static struct ir_instr *undefined(struct parse *p)
{
    struct ir_type t = irp_type(p);
    if (!t.lanes)
        irp_fail(p, "no value is of type 'void'", "", 0);
    return ir_undef(p->m, t);
}

struct ir_var *irp_variable(struct parse *p)
{
    struct map *map = irp_accept_char(p, '@') ? &p->m->vars_by_name : &p->private_vars;
    if (map == &p->private_vars)
        irp_expect_char(p, '$');
    const char *n = irp_name(p);
    struct ir_var *var = map_get(map, n);
    if (!var)
        irp_fail(p, "unknown variable", n, strlen(n));
    return var;
}

struct ir_instr *irp_value(struct parse *p)
{
    irp_skip_space(p);
    char c = p->at < p->end ? *p->at : 0;
    if (c == '%') {
        p->at++;
        uint32_t n = irp_table_number(p);
        if (n < p->values.count && p->values.items[n])
            return p->values.items[n];
        char text[16];
        irp_fail(p, "used before it is made: value", text,
                 (size_t)snprintf(text, sizeof text, "%u", n));
        return NULL;
    }
    if (c == '@' || c == '$') {
        struct ir_var *var = irp_variable(p);
        return var ? ir_addr(p->m, var) : NULL;
    }
    if (irp_accept(p, "undef"))
        return undefined(p);
    return constant(p);
}

void irp_set_value(struct parse *p, uint32_t n, struct ir_instr *x)
{
    while (p->values.count <= n)
        vec_push(p->arena, &p->values, NULL);
    if (p->values.items[n])
        irp_fail(p, "a value of that number exists already", "", 0);
    else
        p->values.items[n] = x;
    x->id = n;
}
