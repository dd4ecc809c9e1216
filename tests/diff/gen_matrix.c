// SPDX-License-Identifier: Apache-2.0
// Matrices: their types, expressions, and positions in memory; see gen_matrix.h.
#include "gen_matrix.h"

enum { MAX_TYPES = 200 };

static struct expr *node(struct gen *g, enum expr_kind kind, const struct type *type, struct expr *a, struct expr *b)
{
    return expr_new(g->p, kind, type, a, b);
}

unsigned matrix_size(const struct type *t)
{
    return t->rows * t->columns;
}

// ---- types --------------------------------------------------------------------------------------

// Shapes that devices have matrix units for.
static const struct family unit_families[] = {
    {16, 16, 16, HALF, HALF, FLOAT}, {16, 8, 16, HALF, HALF, FLOAT}, {16, 8, 8, HALF, HALF, FLOAT},
    {16, 16, 16, HALF, HALF, HALF},  {16, 8, 16, HALF, HALF, HALF},  {16, 8, 8, HALF, HALF, HALF},
    {16, 16, 32, CHAR, CHAR, INT},   {16, 8, 32, CHAR, CHAR, INT},   {16, 16, 32, UCHAR, UCHAR, UINT},
    {16, 8, 32, UCHAR, UCHAR, UINT}, {16, 8, 32, UCHAR, UCHAR, INT}, {16, 16, 16, BRIEF, BRIEF, FLOAT},
};

static enum base float_base(struct gen *g)
{
    static const enum base smalls[] = {BRIEF, E4M3, E5M2};
    if (g->features->smalls && chance(g, 40))
        return smalls[rnd(g, 3)];
    unsigned kind = rnd(g, 4);
    if (kind == 0 && g->features->doubles)
        return DOUBLE;
    return kind < 3 && g->features->halves ? HALF : FLOAT;
}

static enum base component_base(struct gen *g, bool floats)
{
    return floats ? float_base(g) : random_base(g);
}

static struct family unit_family(struct gen *g)
{
    struct family f;
    do
        f = unit_families[rnd(g, sizeof unit_families / sizeof *unit_families)];
    while ((f.a == HALF && !g->features->halves) || (f.a == BRIEF && !g->features->smalls));
    f.rows <<= chance(g, 30);
    f.columns <<= chance(g, 30);
    f.depth <<= chance(g, 30) && f.depth < 32;
    return f;
}

static struct family any_family(struct gen *g)
{
    static const unsigned char edges[] = {1, 2, 3, 4, 4, 4, 5, 7, 8, 8, 8, 9, 13, 16, 16, 24, 33};
    bool floats = chance(g, 40);
    struct family f = {.a = component_base(g, floats), .b = component_base(g, floats), .c = component_base(g, floats)};
    if (chance(g, 50))
        f.b = f.a;
    if (chance(g, 50))
        f.c = floats ? FLOAT : INT;
    if (f.c > BRIEF) // few sums are exact in these types
        f.c = FLOAT;
    do {
        f.rows = edges[rnd(g, sizeof edges)];
        f.columns = edges[rnd(g, sizeof edges)];
        f.depth = edges[rnd(g, sizeof edges)];
    } while (f.rows * f.columns > 144 || f.rows * f.depth > 144 || f.depth * f.columns > 144);
    return f;
}

void matrix_begin(struct gen *g)
{
    bool units = g->features->units;
    g->family_count = 1 + chance(g, 30);
    for (unsigned i = 0; i < g->family_count; i++)
        g->families[i] = chance(g, units ? 100 : 4) ? unit_family(g) : any_family(g);
    g->strict = units && chance(g, 85);
    g->parts = units ? 1500 : 250; // lavapipe compiles that many in about a second
}

const struct type *family_matrix(struct gen *g, enum use use)
{
    const struct family *f = &g->families[rnd(g, g->family_count)];
    if (use == USE_A)
        return type_matrix(g->p, f->a, f->rows, f->depth, use);
    if (use == USE_B)
        return type_matrix(g->p, f->b, f->depth, f->columns, use);
    return type_matrix(g->p, f->c, f->rows, f->columns, use);
}

const struct type *some_matrix(struct gen *g)
{
    static const enum use uses[] = {USE_A, USE_B, USE_ACCUMULATOR, USE_ACCUMULATOR, USE_ACCUMULATOR};
    return family_matrix(g, uses[rnd(g, 5)]);
}

// Subtracts the estimated amount of device code from the budget.
bool matrix_spend(struct gen *g, const struct type *t)
{
    unsigned parts = (matrix_size(t) + 7) / 8;
    if (g->parts < parts)
        return false;
    g->parts -= parts;
    return true;
}

// ---- uniform values -----------------------------------------------------------------------------

// Hides variables whose values differ between work-items.
struct sight restrict_sight(struct gen *g, bool (*which)(const struct var *v))
{
    struct sight old = {g->visible.items, g->visible.count, g->visible.capacity, g->same};
    memset(&g->visible, 0, sizeof g->visible);
    for (size_t i = 0; i < old.count; i++)
        if (which(old.items[i]))
            vec_push(g->p->arena, &g->visible, old.items[i]);
    return old;
}

static bool is_same(const struct var *v)
{
    return v->same;
}

static struct sight restrict_to_uniform(struct gen *g)
{
    struct sight old = {g->visible.items, g->visible.count, g->visible.capacity, g->same};
    if (!g->same)
        old = restrict_sight(g, is_same);
    g->same = true;
    return old;
}

void restore_sight(struct gen *g, struct sight old)
{
    g->same = old.same;
    g->visible.items = old.items;
    g->visible.count = old.count;
    g->visible.capacity = old.capacity;
}

struct expr *same_value(struct gen *g, const struct type *type, unsigned depth)
{
    struct sight old = restrict_to_uniform(g);
    struct expr *e = gen_value(g, type, depth);
    restore_sight(g, old);
    return e;
}

static struct expr *same_index(struct gen *g, unsigned count)
{
    if (g->strict)
        return number(g, (int)rnd(g, count));
    struct sight old = restrict_to_uniform(g);
    struct expr *e = gen_index(g, count);
    restore_sight(g, old);
    return e;
}

// ---- components ---------------------------------------------------------------------------------

// -3 ... 4: the range in which products of floats remain exact.
struct expr *gen_small(struct gen *g, struct expr *x)
{
    x = expr_cast(g->p, INT, expr_binary(g->p, AND, x, number(g, 7)));
    return expr_binary(g->p, SUB, x, number(g, 3));
}

struct expr *as_component(struct gen *g, enum base base, struct expr *x)
{
    if (!base_is_float(base) || base == x->type->base)
        return x->type->base == base ? x : expr_cast(g->p, base, x);
    x = x->type->base == FLOAT ? x : expr_cast(g->p, FLOAT, x);
    return base == FLOAT ? x : expr_cast(g->p, base, x);
}

// A uniform value of a component's type.
struct expr *component_value(struct gen *g, enum base base)
{
    if (!base_is_float(base))
        return same_value(g, type_value(base, 1), chance(g, 30) ? 2 : 0);
    if (chance(g, 15))
        return as_component(g, base, same_value(g, type_value(FLOAT, 1), 1));
    return as_component(g, base, gen_small(g, same_value(g, type_value(INT, 1), 0)));
}

static struct expr *small_number(struct gen *g, enum base base)
{
    return number(g, (int)rnd(g, 9) - (base_signed(base) ? 3 : 0));
}

// ---- memory -------------------------------------------------------------------------------------

static struct expr *offset_from(struct gen *g, struct expr *pointer, unsigned count, unsigned bytes)
{
    const struct type *have = pointer->type;
    struct type *want = type_pointer(g->p->arena, have->of, have->space, count, have->read_only);
    unsigned slack = have->count - count, step = chance(g, g->strict ? 100 : 40) && bytes < 16 ? 16 / bytes : 1;
    if (!slack || chance(g, 25))
        return pointer;
    struct expr *at = number(g, (int)(rnd(g, slack / step + 1) * step));
    if (chance(g, 40) && step == 1)
        at = same_index(g, slack + 1);
    else if (chance(g, 40) && slack >= step)
        at = expr_binary(g->p, MUL, expr_binary(g->p, AND, same_value(g, type_value(INT, 1), 0), number(g, 1)),
                         number(g, (int)step));
    return node(g, E_OFFSET, want, pointer, at);
}

// A stride that the compiler cannot know is generated as d + n, where d is a kernel argument.
static struct expr *gen_stride(struct gen *g, unsigned stride)
{
    static const enum base bases[] = {INT, INT, UINT, LONG, ULONG, SHORT};
    struct expr *e = expr_literal(g->p, bases[rnd(g, 6)], stride);
    if (g->unknown && !g->same && chance(g, 30))
        e = expr_binary(g->p, ADD, expr_var(g->p, g->unknown), number(g, (int)stride - UNKNOWN));
    e->fixed = true;
    return e;
}

static struct expr *seen_otherwise(struct gen *g, struct expr *pointer, unsigned lanes)
{
    const struct type *have = pointer->type;
    bool generic = g->p->generic && have->space != CONSTANT && chance(g, g->strict ? 2 : 20);
    if (lanes == 1 && !generic)
        return pointer;
    struct type *as = type_pointer(g->p->arena, type_value(have->of->base, lanes), generic ? GENERIC : have->space,
                                   have->count / lanes, have->read_only);
    return node(g, E_CAST, as, pointer, NULL);
}

bool gen_position(struct gen *g, struct var *room, const struct type *t, bool writes, struct position *position)
{
    static const unsigned all_lanes[] = {1, 1, 1, 1, 2, 4};
    unsigned lanes = base_is_small(t->base) ? 1 : all_lanes[rnd(g, 6)], bytes = base_bits[t->base] / 8;
    position->by_columns = chance(g, 40);
    unsigned lines = position->by_columns ? t->columns : t->rows, along = matrix_size(t) / lines;
    unsigned least = (along + lanes - 1) / lanes, most = room->type->count / lanes, stride = least;
    if (chance(g, 50))
        stride += rnd(g, 4);
    if (g->strict) {
        unsigned unit = 16 / bytes / lanes;
        stride = unit ? (stride + unit - 1) / unit * unit : stride;
    } else if (!writes && chance(g, 4)) {
        stride = rnd(g, stride + 1); // overlapping rows
    }
    unsigned count = (lines - 1) * stride + least;
    if (count > most)
        return false;
    position->pointer = offset_from(g, seen_otherwise(g, expr_var(g->p, room), lanes), count, bytes * lanes);
    position->stride = gen_stride(g, stride);
    return true;
}

struct var *random_room(struct gen *g, enum base base, bool writes)
{
    for (unsigned tries = 0; g->rooms.count && tries < 8; tries++) {
        struct var *room = g->rooms.items[rnd(g, (unsigned)g->rooms.count)];
        if (room->type->of->base == base && !(writes && room->type->read_only))
            return room;
    }
    return NULL;
}

static struct expr *gen_load(struct gen *g, const struct type *t)
{
    struct position position;
    struct var *room = random_room(g, t->base, false);
    if (!room || !gen_position(g, room, t, false, &position))
        return NULL;
    struct expr *e = node(g, E_LOAD, t, position.pointer, position.stride);
    e->number = position.by_columns;
    return e;
}

struct expr *store_of(struct gen *g, struct expr *matrix, const struct position *position)
{
    struct expr *e = node(g, E_STORE, type_value(INT, 1), position->pointer, matrix);
    e->args[e->count++] = position->stride;
    e->number = position->by_columns;
    return e;
}

// ---- places -------------------------------------------------------------------------------------

struct found {
    struct expr *items[24];
    unsigned count;
};

static void find_in(struct gen *g, struct found *found, struct expr *e, const struct type *want)
{
    const struct type *t = e->type;
    if (t == want && found->count < 24)
        found->items[found->count++] = e;
    if ((t->kind == TYPE_ARRAY || t->kind == TYPE_POINTER) && (t->of == want || t->of->kind == TYPE_RECORD))
        find_in(g, found, node(g, E_INDEX, t->of, e, same_index(g, t->count)), want);
    for (unsigned i = 0; t->kind == TYPE_RECORD && i < t->field_count; i++) {
        struct expr *field = node(g, E_FIELD, t->fields[i].type, e, NULL);
        field->number = i;
        find_in(g, found, field, want);
    }
}

struct expr *gen_held(struct gen *g, const struct type *want)
{
    struct found found = {.count = 0};
    for (size_t i = 0; i < g->held.count; i++)
        find_in(g, &found, expr_var(g->p, g->held.items[i]), want);
    return found.count ? found.items[rnd(g, found.count)] : NULL;
}

// The type of a matrix stored in some variable.
const struct type *held_type(struct gen *g)
{
    const struct type *t = g->held.count ? g->held.items[rnd(g, (unsigned)g->held.count)]->type : NULL;
    while (t && t->kind != TYPE_MATRIX)
        t = t->kind == TYPE_RECORD ? t->fields[rnd(g, t->field_count)].type : t->kind == TYPE_VALUE ? NULL : t->of;
    return t;
}

// ---- expressions --------------------------------------------------------------------------------

static struct expr *gen_splat(struct gen *g, const struct type *t)
{
    struct expr *e = node(g, E_SPLAT, t, chance(g, 40) ? small_number(g, t->base) : component_value(g, t->base), NULL);
    e->before = chance(g, 50);
    return e;
}

struct expr *gen_leaf(struct gen *g, const struct type *t)
{
    struct expr *e = chance(g, 65) ? gen_held(g, t) : NULL;
    if (!e && chance(g, 85))
        e = gen_load(g, t);
    if (!e && chance(g, 60))
        e = gen_held(g, t);
    return e ? e : gen_splat(g, t);
}

// Small floats are converted only from and to float; floats are converted to int or long before narrower types.
static struct expr *cast_to(struct gen *g, const struct type *t, struct expr *e)
{
    enum base from = e->type->base;
    const struct type *by = NULL;
    if ((base_is_small(from) || base_is_small(t->base)) && from != t->base && from != FLOAT && t->base != FLOAT)
        by = type_matrix(g->p, FLOAT, t->rows, t->columns, e->type->use);
    else if (base_is_float(from) && !base_is_float(t->base) && t->base != INT && t->base != LONG)
        by = type_matrix(g->p, INT, t->rows, t->columns, e->type->use);
    return by ? cast_to(g, t, node(g, E_CAST, by, e, NULL)) : node(g, E_CAST, t, e, NULL);
}

static struct expr *gen_cast(struct gen *g, const struct type *t, unsigned depth)
{
    static const enum base sums[] = {INT, UINT, FLOAT, HALF};
    enum use use = chance(g, g->strict ? 0 : 25) ? (enum use)rnd(g, 3) : t->use;
    enum base base = chance(g, 70) ? component_base(g, chance(g, 40)) : t->base;
    if (g->strict)
        base = use == USE_ACCUMULATOR ? sums[rnd(g, g->features->halves ? 4 : 3)] : t->base;
    if (g->p->matrices.count > MAX_TYPES || (use == t->use && base == t->base))
        return gen_leaf(g, t);
    return cast_to(g, t, gen_matrix(g, type_matrix(g->p, base, t->rows, t->columns, use), depth));
}

struct expr *gen_divisor(struct gen *g, const struct type *t, unsigned depth)
{
    static const int powers[] = {1, 2, 4, -2};
    if (!base_is_float(t->base) || (!g->strict && chance(g, 40)))
        return gen_matrix(g, t, depth);
    return node(g, E_SPLAT, t, number(g, powers[rnd(g, 4)]), NULL); // division by these is exact on matrix units
}


static struct expr *gen_binary(struct gen *g, const struct type *t, unsigned depth)
{
    static const enum op ops[] = {ADD, ADD, SUB, SUB, MUL, DIV};
    enum op op = ops[rnd(g, 6)];
    struct expr *a = gen_matrix(g, t, depth);
    return expr_binary(g->p, op, a, op == DIV ? gen_divisor(g, t, depth) : gen_matrix(g, t, depth));
}

static struct expr *gen_scaled(struct gen *g, const struct type *t, unsigned depth)
{
    struct expr *m = gen_matrix(g, t, depth);
    struct expr *x = chance(g, 30) ? small_number(g, t->base) : component_value(g, t->base);
    return chance(g, 60) ? expr_binary(g->p, MUL, m, x) : expr_binary(g->p, MUL, x, m);
}

static unsigned product_flags(struct gen *g, const struct type *c)
{
    unsigned flags = 0;
    if (base_is_float(c->base) || chance(g, g->strict ? 85 : 40))
        return 0;
    flags |= chance(g, 30) ? PRODUCT_A_SIGNED : 0;
    flags |= chance(g, 30) ? PRODUCT_B_SIGNED : 0;
    flags |= chance(g, 30) ? PRODUCT_C_SIGNED | PRODUCT_RESULT_SIGNED : 0;
    return flags | (chance(g, g->strict ? 0 : 35) ? PRODUCT_SATURATING : 0);
}

struct expr *gen_product(struct gen *g, const struct type *t, struct expr *sum, unsigned depth)
{
    const struct family *f = &g->families[rnd(g, g->family_count)];
    if (f->rows != t->rows || f->columns != t->columns || base_is_float(f->c) != base_is_float(t->base))
        f = NULL;
    for (unsigned i = 0; !f && i < g->family_count; i++)
        if (g->families[i].rows == t->rows && g->families[i].columns == t->columns &&
            base_is_float(g->families[i].c) == base_is_float(t->base))
            f = &g->families[i];
    if (!f || t->use != USE_ACCUMULATOR || t->base > BRIEF)
        return NULL;
    const struct type *a = type_matrix(g->p, f->a, f->rows, f->depth, USE_A);
    const struct type *b = type_matrix(g->p, f->b, f->depth, f->columns, USE_B);
    if (!matrix_spend(g, a) || !matrix_spend(g, b) || !matrix_spend(g, t) || !matrix_spend(g, t))
        return NULL;
    struct expr *e = node(g, E_PRODUCT, t, gen_matrix(g, a, depth), gen_matrix(g, b, depth));
    e->args[e->count++] = sum ? sum : gen_matrix(g, t, depth);
    e->number = product_flags(g, t);
    e->before = chance(g, 30);
    return e;
}

static struct expr *gen_which(struct gen *g, const struct type *t, unsigned depth)
{
    struct expr *a = gen_matrix(g, t, depth), *b = gen_matrix(g, t, depth);
    struct expr *e = node(g, E_CHOICE, t, same_value(g, type_value(INT, 1), 1), a);
    e->args[e->count++] = b;
    return e;
}

static struct expr *gen_argument(struct gen *g, const struct var *param)
{
    const struct type *t = param->type;
    if (t->kind == TYPE_MATRIX)
        return gen_matrix(g, t, 1);
    if (t->kind == TYPE_VALUE)
        return same_value(g, t, 1);
    if (t->kind == TYPE_RECORD || t->of->kind == TYPE_MATRIX) {
        struct found found = {.count = 0};
        for (size_t i = 0; i < g->held.count; i++) {
            struct var *v = g->held.items[i];
            bool fits = t->kind == TYPE_RECORD ? v->type == t
                                               : v->type->kind == TYPE_ARRAY && v->type->of == t->of && v->type->count >= t->count;
            if (fits && found.count < 24)
                found.items[found.count++] = expr_var(g->p, v);
        }
        return found.count ? found.items[rnd(g, found.count)] : NULL;
    }
    struct var *room = random_room(g, t->of->base, false);
    bool fits = room && room->type->count >= t->count && (t->space == GENERIC ? room->type->space != CONSTANT : t->space == room->type->space);
    return fits ? expr_var(g->p, room) : NULL;
}

struct expr *matrix_call(struct gen *g, struct function *f)
{
    struct expr *e = node(g, E_CALL, f->result ? f->result : type_value(INT, 1), NULL, NULL);
    e->callee = f;
    if (g->parts < 100)
        return NULL;
    g->parts -= 100;
    for (size_t i = 0; i < f->params.count; i++) {
        struct expr *arg = gen_argument(g, f->params.items[i]);
        if (!arg)
            return NULL;
        e->args[e->count++] = arg;
    }
    return e;
}

struct function *some_same_function(struct gen *g, const struct type *result)
{
    unsigned n = (unsigned)g->p->functions.count;
    for (unsigned tries = 0; n && tries < 6; tries++) {
        struct function *f = g->p->functions.items[rnd(g, n)];
        if (f->same && f->result == result)
            return f;
    }
    return NULL;
}

struct expr *gen_matrix(struct gen *g, const struct type *t, unsigned depth)
{
    struct expr *e = NULL;
    if (!depth || !matrix_spend(g, t))
        return gen_leaf(g, t);
    depth--;
    switch (rnd(g, 12)) {
    case 0:
    case 1:
    case 2:
        e = gen_product(g, t, NULL, depth);
        break;
    case 3:
    case 4:
        return gen_binary(g, t, depth);
    case 5:
        return gen_scaled(g, t, depth);
    case 6:
        e = node(g, E_UNARY, t, gen_matrix(g, t, depth), NULL);
        e->op = NEG;
        e->operand = t;
        return e;
    case 7:
        return gen_cast(g, t, depth);
    case 8:
        return gen_which(g, t, depth);
    case 9: {
        struct function *f = some_same_function(g, t);
        e = f ? matrix_call(g, f) : NULL;
        break;
    }
    default:
        break;
    }
    return e ? e : gen_leaf(g, t);
}
