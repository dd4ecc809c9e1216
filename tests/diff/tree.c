// SPDX-License-Identifier: Apache-2.0
// Types, their layout by the rules of C and OpenCL, and constructors for the tree's nodes.
#include "tree.h"

#include <assert.h>
#include <stdio.h>

const char *const base_names[BASE_COUNT] = {"char", "uchar", "short", "ushort", "int",
                                            "uint", "long",  "ulong", "float",  "bool",
                                            "half", "double", "__bf16", "__fp8_e4m3", "__fp8_e5m2"};
const unsigned base_bits[BASE_COUNT] = {8, 8, 16, 16, 32, 32, 64, 64, 32, 8, 16, 64, 16, 8, 8};

unsigned address_bits = 64;

enum base base_of_sizes(void)
{
    return address_bits == 64 ? ULONG : UINT;
}

enum base base_of_distances(void)
{
    return address_bits == 64 ? LONG : INT;
}

bool base_signed(enum base base)
{
    return base_is_float(base) || (base < FLOAT && base % 2 == 0);
}

bool base_is_float(enum base base)
{
    return base == FLOAT || base >= HALF;
}

bool base_is_small(enum base base)
{
    return base >= BRIEF;
}

enum base base_with_sign(enum base base, bool is_signed)
{
    assert(base < FLOAT);
    return (enum base)((base & ~1u) | !is_signed);
}

enum base base_promoted(enum base base)
{
    return base < INT || base == BOOL ? INT : base;
}

enum base base_usual(enum base a, enum base b)
{
    a = base_promoted(a), b = base_promoted(b);
    return a > b ? a : b; // the enumeration is in order of conversion rank
}

const struct type *type_value(enum base base, unsigned lanes)
{
    static struct type types[BASE_COUNT][17];
    struct type *t = &types[base][lanes];
    t->kind = TYPE_VALUE;
    t->base = base;
    t->lanes = lanes;
    t->size = t->align = base_bits[base] / 8 * (lanes == 3 ? 4 : lanes);
    return t;
}

struct type *type_pointer(struct arena *arena, const struct type *of, enum space space,
                          unsigned count, bool read_only)
{
    struct type *t = ARENA_NEW(arena, struct type);
    *t = (struct type){
        .kind = TYPE_POINTER, .of = of, .space = space, .count = count, .read_only = read_only};
    t->size = t->align = address_bits / 8;
    return t;
}

struct type *type_array(struct arena *arena, const struct type *of, unsigned count)
{
    struct type *t = ARENA_NEW(arena, struct type);
    *t = (struct type){
        .kind = TYPE_ARRAY, .of = of, .count = count, .size = of->size * count, .align = of->align};
    return t;
}

const struct type *type_matrix(struct program *p, enum base base, unsigned rows, unsigned columns, enum use use)
{
    for (size_t i = 0; i < p->matrices.count; i++) {
        const struct type *t = p->matrices.items[i];
        if (t->base == base && t->rows == rows && t->columns == columns && t->use == use)
            return t;
    }
    struct type *t = ARENA_NEW(p->arena, struct type);
    *t = (struct type){.kind = TYPE_MATRIX, .base = base, .rows = rows, .columns = columns, .use = use,
                       .id = (unsigned)p->matrices.count, .size = 8, .align = 8};
    vec_push(p->arena, &p->matrices, t);
    return t;
}

void type_lay_out(struct type *record)
{
    unsigned at = 0;
    record->size = 0, record->align = 1;
    for (unsigned i = 0; i < record->field_count; i++) {
        struct field *f = &record->fields[i];
        unsigned align = record->packed ? 1 : f->type->align;
        f->offset = record->is_union ? 0 : (at + align - 1) / align * align;
        at = f->offset + f->type->size;
        if (record->size < at)
            record->size = at;
        if (record->align < align)
            record->align = align;
    }
    record->size = (record->size + record->align - 1) / record->align * record->align;
}

bool type_same(const struct type *a, const struct type *b)
{
    if (a == b)
        return true;
    if (a->kind != b->kind)
        return false;
    switch (a->kind) {
    case TYPE_POINTER:
        return a->space == b->space && a->count == b->count && a->read_only == b->read_only &&
               type_same(a->of, b->of);
    case TYPE_ARRAY:
        return a->count == b->count && type_same(a->of, b->of);
    default:
        return false;
    }
}

bool type_has_pointers(const struct type *type)
{
    if (type->kind == TYPE_ARRAY)
        return type_has_pointers(type->of);
    for (unsigned i = 0; type->kind == TYPE_RECORD && i < type->field_count; i++)
        if (type_has_pointers(type->fields[i].type))
            return true;
    return type->kind == TYPE_POINTER;
}

static unsigned add_leaves(const struct type *type, unsigned offset, struct leaf leaves[MAX_LEAVES],
                           unsigned n)
{
    if (type->kind == TYPE_ARRAY) {
        for (unsigned i = 0; i < type->count; i++)
            n = add_leaves(type->of, offset + i * type->of->size, leaves, n);
    } else if (type->kind == TYPE_RECORD) {
        for (unsigned i = 0; i < (type->is_union ? 1 : type->field_count); i++)
            n = add_leaves(type->fields[i].type, offset + type->fields[i].offset, leaves, n);
    } else if (n < MAX_LEAVES) {
        leaves[n++] = (struct leaf){type, offset};
    }
    return n;
}

unsigned type_leaves(const struct type *type, struct leaf leaves[MAX_LEAVES])
{
    return add_leaves(type, 0, leaves, 0);
}

// ---- nodes --------------------------------------------------------------------------------------

static unsigned place_bytes(unsigned *at, const struct type *type)
{
    unsigned offset = (*at + 15) / 16 * 16;
    *at = offset + type->size;
    return offset;
}

struct var *var_new(struct program *p, const char *stem, const struct type *type, enum place place)
{
    struct var *v = ARENA_NEW(p->arena, struct var);
    snprintf(v->name, sizeof v->name, "%s%u", stem, p->vars++ % 100000);
    v->type = type;
    v->place = place;
    unsigned *blocks[] = {&p->frame_size, &p->group_size, &p->program_size};
    v->offset = place_bytes(blocks[place], type);
    return v;
}

struct expr *expr_new(struct program *p, enum expr_kind kind, const struct type *type,
                      struct expr *a, struct expr *b)
{
    struct expr *e = ARENA_NEW(p->arena, struct expr);
    e->kind = kind;
    e->type = type;
    if (a)
        e->args[e->count++] = a;
    if (b)
        e->args[e->count++] = b;
    return e;
}

struct expr *expr_literal(struct program *p, enum base base, int64_t value)
{
    struct expr *e = expr_new(p, E_LITERAL, type_value(base, 1), NULL, NULL);
    e->literal = (uint64_t)value;
    return e;
}

struct expr *expr_var(struct program *p, struct var *var)
{
    struct expr *e = expr_new(p, E_VAR, var->type, NULL, NULL);
    e->var = var;
    return e;
}

struct expr *expr_binary(struct program *p, enum op op, struct expr *a, struct expr *b)
{
    const struct type *x = a->type, *y = b->type;
    struct expr *e = expr_new(p, E_BINARY, NULL, a, b);
    unsigned lanes = x->lanes > y->lanes ? x->lanes : y->lanes;
    if (x->kind == TYPE_MATRIX || y->kind == TYPE_MATRIX) {
        e->op = op;
        e->type = e->operand = x->kind == TYPE_MATRIX ? x : y;
        return e;
    }
    enum base base = lanes > 1                ? (x->lanes > 1 ? x : y)->base
                     : op == SHL || op == SHR ? base_promoted(x->base)
                                              : base_usual(x->base, y->base);
    e->op = op;
    e->operand = type_value(base, lanes);
    e->type = e->operand;
    if (op >= LT && op <= NE)
        e->type = lanes == 1 ? type_value(INT, 1)
                             : type_value(base == FLOAT ? INT : base_with_sign(base, true), lanes);
    return e;
}

struct expr *expr_cast(struct program *p, enum base base, struct expr *a)
{
    if (a->type->base == FLOAT && !base_is_float(base) && base != INT && base != LONG)
        a = expr_cast(p, INT, a); // converting negative floats to unsigned is undefined
    return expr_new(p, E_CAST, type_value(base, 1), a, NULL);
}

struct expr *expr_assign(struct program *p, struct expr *to, struct expr *value)
{
    return expr_new(p, E_ASSIGN, to->type, to, value);
}

struct stmt *stmt_new(struct program *p, enum stmt_kind kind, struct expr *e)
{
    struct stmt *s = ARENA_NEW(p->arena, struct stmt);
    s->kind = kind;
    s->e = e;
    return s;
}

struct stmt *stmt_decl(struct program *p, struct var *var, struct expr *value)
{
    struct stmt *s = stmt_new(p, S_DECL, NULL);
    s->var = var;
    if (value)
        vec_push(p->arena, &s->inits, value);
    return s;
}
