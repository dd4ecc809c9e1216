// SPDX-License-Identifier: Apache-2.0
// Mangled names -> names and parameter types: scalars, vectors, pointers with address spaces, substitutions. Named
// types (images, events) are skipped: the argument values have those types. Anything else ends parsing; the types
// parsed so far are used.
#include "reader/mangled.h"
#include "util/stack.h"

#include <string.h>

enum { SUBSTITUTIONS_MAX = 32, DEPTH_MAX = 16 };

struct mangled {
    struct types *types;
    const char *at;
    struct qtype known[SUBSTITUTIONS_MAX]; // types that S_, S0_ ... refer to
    uint32_t known_count, depth;
    bool failed;
};

static void add_substitution(struct mangled *m, struct qtype type)
{
    if (m->known_count < SUBSTITUTIONS_MAX)
        m->known[m->known_count++] = type;
    else
        m->failed = true;
}

static uint32_t decimal(struct mangled *m)
{
    uint32_t value = 0;
    while (*m->at >= '0' && *m->at <= '9' && value < 100000)
        value = value * 10 + (uint32_t)(*m->at++ - '0');
    return value;
}

// A name preceded by its length; NULL if the text ends before.
static const char *source_name(struct mangled *m, uint32_t *length)
{
    *length = decimal(m);
    const char *name = m->at;
    if (!*length || strnlen(name, *length) < *length)
        return NULL;
    m->at += *length;
    return name;
}

static struct qtype nothing(struct mangled *m)
{
    m->failed = true;
    return (struct qtype){0};
}

static struct qtype parse_type(struct mangled *m);

// S_, S0_ ... SZ_, in base 36.
static struct qtype substitution(struct mangled *m)
{
    uint32_t index = 0;
    if (*m->at != '_') {
        for (; (*m->at >= '0' && *m->at <= '9') || (*m->at >= 'A' && *m->at <= 'Z'); m->at++)
            index = index < 1000 ? index * 36 + (uint32_t)(*m->at <= '9' ? *m->at - '0' : *m->at - 'A' + 10) : index;
        index++;
    }
    if (*m->at != '_' || index >= m->known_count)
        return nothing(m);
    m->at++;
    return m->known[index];
}

static struct qtype vector(struct mangled *m)
{
    uint32_t lanes = decimal(m);
    bool is_valid = *m->at == '_' && (lanes == 2 || lanes == 3 || lanes == 4 || lanes == 8 || lanes == 16);
    if (!is_valid)
        return nothing(m);
    m->at++;
    struct qtype elem = parse_type(m);
    if (!elem.type || !type_is_arithmetic(elem.type) || elem.type->kind == TYPE_BOOL)
        return nothing(m);
    struct qtype made = qtype_of(type_vector(m->types, elem.type, lanes));
    add_substitution(m, made);
    return made;
}

static struct qtype pointer(struct mangled *m)
{
    struct qtype to = parse_type(m), made = {0};
    if (m->failed)
        return made;
    if (!to.type) // a named type
        to.type = type_basic(m->types, TYPE_VOID);
    made = qtype_of(type_pointer(m->types, to));
    add_substitution(m, made);
    return made;
}

// U3AS1 and other address spaces, K, V, r: together they are one type.
static struct qtype qualified(struct mangled *m)
{
    uint8_t quals = 0, space = SPACE_PRIVATE;
    static const uint8_t spaces[] = {SPACE_PRIVATE, SPACE_GLOBAL, SPACE_CONSTANT, SPACE_LOCAL, SPACE_GENERIC};
    for (;; m->at++) {
        uint32_t length;
        if (*m->at == 'K') {
            quals |= QUAL_CONST;
        } else if (*m->at == 'V') {
            quals |= QUAL_VOLATILE;
        } else if (*m->at == 'U') {
            m->at++;
            const char *name = source_name(m, &length);
            if (!name)
                return nothing(m);
            if (length == 3 && !memcmp(name, "AS", 2) && name[2] >= '0' && name[2] <= '4')
                space = spaces[name[2] - '0'];
            m->at--;
        } else if (*m->at != 'r') {
            break;
        }
    }
    struct qtype type = parse_type(m);
    type.quals |= quals;
    type.space = space;
    add_substitution(m, type);
    return type;
}

static struct qtype named(struct mangled *m)
{
    uint32_t length;
    if (!source_name(m, &length))
        return nothing(m);
    add_substitution(m, (struct qtype){0});
    return (struct qtype){0};
}

static struct qtype scalar(struct mangled *m)
{
    static const char letters[] = "vbcahstijlmxyfd";
    static const enum type_kind kinds[] = {TYPE_VOID, TYPE_BOOL, TYPE_CHAR, TYPE_CHAR,  TYPE_UCHAR, TYPE_SHORT, TYPE_USHORT, TYPE_INT,
                                           TYPE_UINT, TYPE_LONG, TYPE_ULONG, TYPE_LONG, TYPE_ULONG, TYPE_FLOAT, TYPE_DOUBLE};
    const char *at = *m->at ? strchr(letters, *m->at) : NULL;
    if (!at)
        return nothing(m);
    m->at++;
    return qtype_of(type_basic(m->types, kinds[at - letters]));
}

static bool skip(struct mangled *m, const char *text)
{
    size_t length = strlen(text);
    bool there = !strncmp(m->at, text, length);
    m->at += there ? length : 0;
    return there;
}

static struct qtype parse_type(struct mangled *m)
{
    stack_check();
    struct qtype type = {0};
    if (m->failed || m->depth == DEPTH_MAX)
        return nothing(m);
    m->depth++;
    if (skip(m, "Dv"))
        type = vector(m);
    else if (skip(m, "Dh") || skip(m, "DF16_"))
        type = qtype_of(type_basic(m->types, TYPE_HALF));
    else if (skip(m, "P"))
        type = pointer(m);
    else if (skip(m, "S"))
        type = substitution(m);
    else if (*m->at && strchr("UKVr", *m->at))
        type = qualified(m);
    else if (*m->at >= '0' && *m->at <= '9')
        type = named(m);
    else
        type = scalar(m);
    m->depth--;
    return type;
}

const char *reader_demangle(struct ast *ast, const char *name, struct qtype *types, uint32_t room)
{
    struct mangled m = {.types = ast->types, .at = name + 2};
    uint32_t length;
    memset(types, 0, sizeof *types * room);
    if (strncmp(name, "_Z", 2))
        return intern_cstring(ast->intern, name);
    const char *plain = source_name(&m, &length);
    if (!plain)
        return NULL;
    for (uint32_t i = 0; i < room && *m.at && !m.failed; i++) {
        struct qtype type = parse_type(&m);
        if (!m.failed)
            types[i] = type;
    }
    return intern_cstring(ast->intern, arena_printf(ast->arena, "%.*s", (int)length, plain));
}
