// SPDX-License-Identifier: Apache-2.0
// Random expressions: values of a wanted type, places in memory, pointers.
#include "generate.h"

#include <assert.h>

unsigned rnd(struct gen *g, unsigned n)
{
    uint64_t z = g->state += 0x9e3779b97f4a7c15u; // splitmix64
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (unsigned)((z ^ z >> 31) >> 16) % n;
}

bool chance(struct gen *g, unsigned percent)
{
    return rnd(g, 100) < percent;
}

enum base random_base(struct gen *g)
{
    static const enum base bases[] = {CHAR, UCHAR, SHORT, USHORT, INT,  INT,
                                      INT,  UINT,  UINT,  LONG,   ULONG};
    return bases[rnd(g, sizeof bases / sizeof *bases)];
}

const struct type *random_value_type(struct gen *g)
{
    static const unsigned lanes[] = {1, 1, 1, 1, 1, 1, 1, 2, 2, 3, 4, 4, 8, 16};
    unsigned n = lanes[rnd(g, sizeof lanes / sizeof *lanes)];
    if (chance(g, 8))
        return type_value(FLOAT, n > 4 ? 4 : n);
    if (n == 1 && chance(g, 4))
        return type_value(BOOL, 1);
    return type_value(random_base(g), n);
}

static const struct type *with_base(const struct type *t, enum base base)
{
    return type_value(base, t->lanes);
}

static struct expr *node(struct gen *g, enum expr_kind kind, const struct type *type,
                         struct expr *a, struct expr *b)
{
    return expr_new(g->p, kind, type, a, b);
}

void add_call_arg(struct expr *e, struct expr *arg)
{
    e->args[e->count++] = arg;
}

// ---- leaves -------------------------------------------------------------------------------------

static int64_t random_number(struct gen *g, enum base base)
{
    unsigned bits = base_bits[base];
    uint64_t any = (uint64_t)rnd(g, ~0u) << 32 | rnd(g, ~0u);
    switch (rnd(g, 6)) {
    case 0:
    case 1:
        return (int64_t)lane_normal(base, rnd(g, 10));
    case 2:
        return (int64_t)lane_normal(base, ((uint64_t)1 << (bits - 1)) - rnd(g, 3));
    case 3:
        return (int64_t)lane_normal(base, (uint64_t) - (int64_t)rnd(g, 40));
    case 4:
        return (int64_t)lane_normal(base, (uint64_t)1 << rnd(g, bits));
    default:
        return (int64_t)lane_normal(base, any);
    }
}

static struct expr *scalar_literal(struct gen *g, enum base base)
{
    if (base == BOOL)
        return expr_literal(g->p, BOOL, rnd(g, 2));
    if (base == FLOAT) {
        float x = chance(g, 20) ? 0 : (float)rnd(g, 2000) - 1000;
        return expr_literal(g->p, FLOAT, (int64_t)lane_from_float(x));
    }
    return expr_literal(g->p, base, random_number(g, base));
}

struct expr *gen_literal(struct gen *g, const struct type *type)
{
    if (type->lanes == 1)
        return scalar_literal(g, type->base);
    struct expr *e = node(g, E_VECTOR, type, NULL, NULL);
    unsigned parts = chance(g, 20) ? 1 : type->lanes;
    for (unsigned i = 0; i < parts; i++)
        add_call_arg(e, scalar_literal(g, type->base));
    return e;
}

static struct expr *gen_item_function(struct gen *g)
{
    struct expr *e = node(g, E_ITEM, type_value(base_of_sizes(), 1), NULL, NULL);
    e->builtin = g->same ? 2 + rnd(g, 4) : rnd(g, 6);
    e->number = rnd(g, g->p->dims);
    return e;
}

struct expr *gen_index(struct gen *g, unsigned count)
{
    if (count == 1)
        return expr_literal(g->p, INT, 0);
    if (chance(g, 40) || g->indices > 1)
        return expr_literal(g->p, INT, rnd(g, count));
    g->indices++;
    struct expr *e = gen_scalar(g, chance(g, 50));
    g->indices--;
    return chance(g, 50)
               ? e
               : expr_binary(g->p, AND, e, expr_literal(g->p, INT, count - 1)); // the mask keeps it in bounds
}

// ---- places -------------------------------------------------------------------------------------

static struct expr *one_step_down(struct gen *g, struct expr *e)
{
    const struct type *t = e->type;
    if (t->kind == TYPE_RECORD) {
        struct expr *field = node(g, E_FIELD, NULL, e, NULL);
        field->number = rnd(g, t->field_count);
        field->type = t->fields[field->number].type;
        return field;
    }
    if (t->kind == TYPE_ARRAY || t->count > 1 || chance(g, 10))
        return node(g, E_INDEX, t->of, e, gen_index(g, t->count));
    if (t->of->kind != TYPE_RECORD || chance(g, 20))
        return node(g, E_DEREF, t->of, e, NULL);
    struct expr *arrow = node(g, E_ARROW, NULL, e, NULL);
    arrow->number = rnd(g, t->of->field_count);
    arrow->type = t->of->fields[arrow->number].type;
    return arrow;
}

// Descends from a variable to a value, or to a record of the given type.
static struct expr *walk(struct gen *g, bool write, const struct type *record)
{
    if (!g->visible.count)
        return NULL;
    struct var *v = g->visible.items[rnd(g, (unsigned)g->visible.count)];
    struct expr *e = expr_var(g->p, v);
    bool read_only = v->read_only;
    while (e->type->kind != TYPE_VALUE && e->type != record) {
        if (e->type->kind == TYPE_POINTER)
            read_only = e->type->read_only;
        e = one_step_down(g, e);
    }
    return (write && read_only) || (record && e->type != record) ? NULL : e;
}

static struct expr *walk_repeatedly(struct gen *g, bool write, const struct type *record)
{
    struct expr *e = NULL;
    for (unsigned i = 0; !e && i < 8; i++)
        e = walk(g, write, record);
    return e;
}

struct expr *gen_place(struct gen *g, bool write)
{
    struct expr *e = walk_repeatedly(g, write, NULL);
    bool mask = e && (e->type->lanes & (e->type->lanes - 1)) == 0;
    if (mask && e->type->lanes > 1 && chance(g, 8))
        return node(g, E_LANE_AT, type_value(e->type->base, 1), e, gen_index(g, e->type->lanes));
    return e;
}

struct expr *gen_record(struct gen *g, const struct type *type, bool write)
{
    if (!write && !g->same && chance(g, 30))
        for (size_t i = 0; i < g->p->functions.count; i++)
            if (g->p->functions.items[i]->pure && g->p->functions.items[i]->result == type)
                return gen_call(g, g->p->functions.items[i]);
    return walk_repeatedly(g, write, type);
}

struct expr *gen_lanes(struct gen *g, struct expr *vector, unsigned lanes, bool distinct)
{
    struct expr *e = node(g, E_LANES, type_value(vector->type->base, lanes), vector, NULL);
    unsigned n = vector->type->lanes, used = 0;
    for (unsigned i = 0; i < lanes; i++) {
        unsigned lane = rnd(g, n);
        while (distinct && used >> lane & 1)
            lane = (lane + 1) % n;
        used |= 1u << lane;
        e->lanes[i] = (unsigned char)lane;
    }
    return e;
}

// ---- pointers -----------------------------------------------------------------------------------

struct candidates {
    struct expr *items[24];
    unsigned count;
};

static void add_candidate(struct candidates *c, struct expr *e)
{
    if (c->count < 24)
        c->items[c->count++] = e;
}

static bool space_fits(enum space have, enum space want)
{
    return have == want || (want == GENERIC && have != CONSTANT);
}

static bool pointer_fits(const struct type *have, const struct type *want)
{
    return type_same(have->of, want->of) && space_fits(have->space, want->space) &&
           have->count >= want->count && (!have->read_only || want->read_only);
}

// Converts a pointer to more memory than wanted to the wanted type.
static struct expr *converted_pointer(struct gen *g, struct expr *e, const struct type *have,
                                      const struct type *want)
{
    bool decays = e->type->kind == TYPE_ARRAY;
    if (have->count > want->count && chance(g, 60)) {
        struct expr *at = gen_index(g, 2);
        if (have->count - want->count > 1 && chance(g, 60))
            at = gen_scalar(g, 0);
        return node(g, E_OFFSET, want, e, at);
    }
    if (decays && chance(g, 50)) // &a[0]
        return node(g, E_ADDRESS, want,
                    node(g, E_INDEX, e->type->of, e, expr_literal(g->p, INT, 0)), NULL);
    return e;
}

static enum space space_of(const struct var *v)
{
    return v->place == PLACE_FRAME ? PRIVATE : v->place == PLACE_GROUP ? LOCAL : CONSTANT;
}

// Whether memory may be accessed as another type: as characters, as scalars instead of vectors, with the other
// signedness.
static bool may_alias(const struct type *have, const struct type *want)
{
    if (have->kind != TYPE_VALUE || want->kind != TYPE_VALUE || have->lanes == 3 ||
        have->base >= FLOAT)
        return false;
    if (want->base <= UCHAR && want->lanes == 1)
        return true;
    return want->base < FLOAT && want->base / 2 == have->base / 2 &&
           (want->lanes == have->lanes || want->lanes == 1);
}

static void offer_view(struct gen *g, struct candidates *c, struct var *v, const struct type *want)
{
    const struct type *t = v->type,
                      *of = t->kind == TYPE_VALUE || t->kind == TYPE_RECORD ? t : t->of;
    enum space space = t->kind == TYPE_POINTER ? t->space : space_of(v);
    struct expr *e = expr_var(g->p, v);
    unsigned count = of == t ? 1 : t->count;
    bool read_only = t->kind == TYPE_POINTER ? t->read_only : v->read_only;
    if (!may_alias(of, want->of) || type_same(of, want->of) || !space_fits(space, want->space))
        return;
    count *= of->size / want->of->size;
    if (count < want->count || (read_only && !want->read_only))
        return;
    if (of == t)
        e = node(g, E_ADDRESS, type_pointer(g->p->arena, t, space, 1, read_only), e, NULL);
    struct type *exact = type_pointer(g->p->arena, want->of, space, count, want->read_only);
    add_candidate(c, converted_pointer(g, node(g, E_CAST, exact, e, NULL), exact, want));
}

static void offer_fields(struct gen *g, struct candidates *c, struct expr *record, bool read_only,
                         enum space space, const struct type *want)
{
    if (record->type->packed)
        return; // fields may be misaligned
    if (!space_fits(space, want->space) || (read_only && !want->read_only))
        return;
    for (unsigned i = 0; i < record->type->field_count; i++) {
        struct expr *field = node(g, E_FIELD, record->type->fields[i].type, record, NULL);
        field->number = i;
        if (type_same(field->type, want->of) && want->count == 1)
            add_candidate(c, node(g, E_ADDRESS, want, field, NULL));
        else if (field->type->kind == TYPE_ARRAY && type_same(field->type->of, want->of) &&
                 field->type->count >= want->count)
            add_candidate(c, converted_pointer(g, field, field->type, want));
    }
}

static void offer_object(struct gen *g, struct candidates *c, struct var *v,
                         const struct type *want)
{
    struct expr *e = expr_var(g->p, v);
    const struct type *t = v->type;
    if (!space_fits(space_of(v), want->space) || (v->read_only && !want->read_only))
        return;
    if (type_same(t, want->of) && want->count == 1)
        add_candidate(c, node(g, E_ADDRESS, want, e, NULL));
    if (t->kind == TYPE_ARRAY && type_same(t->of, want->of)) {
        if (t->count >= want->count)
            add_candidate(c, converted_pointer(g, e, t, want));
        if (want->count == 1)
            add_candidate(c, node(g, E_ADDRESS, want,
                                  node(g, E_INDEX, t->of, e, gen_index(g, t->count)), NULL));
    }
    if (t->kind == TYPE_RECORD)
        offer_fields(g, c, e, v->read_only, space_of(v), want);
    offer_view(g, c, v, want);
}

// Offers pointers stored in a variable: itself, elements of arrays, fields.
static void offer_content(struct gen *g, struct candidates *c, struct var *v,
                          const struct type *want)
{
    struct expr *e = expr_var(g->p, v);
    if (v->type->kind == TYPE_ARRAY && v->type->of->kind == TYPE_POINTER)
        e = node(g, E_INDEX, v->type->of, e, gen_index(g, v->type->count));
    else if (v->type->kind == TYPE_POINTER && v->type->of->kind == TYPE_POINTER &&
             !type_same(v->type->of, want->of))
        e = node(g, E_DEREF, v->type->of, e, NULL);
    if (e->type->kind == TYPE_RECORD) {
        for (unsigned i = 0; i < v->type->field_count; i++)
            if (v->type->fields[i].type->kind == TYPE_POINTER &&
                pointer_fits(v->type->fields[i].type, want)) {
                struct expr *field = node(g, E_FIELD, v->type->fields[i].type, e, NULL);
                field->number = i;
                add_candidate(c, converted_pointer(g, field, field->type, want));
            }
    } else if (e->type->kind == TYPE_POINTER && pointer_fits(e->type, want)) {
        add_candidate(c, converted_pointer(g, e, e->type, want));
    } else if (v->type->kind == TYPE_POINTER) {
        offer_view(g, c, v, want);
    }
}

struct expr *gen_pointer(struct gen *g, const struct type *want, enum lifetime lifetime)
{
    struct candidates c = {.count = 0};
    size_t start = g->visible.count ? rnd(g, (unsigned)g->visible.count) : 0;
    for (size_t i = 0; i < g->visible.count; i++) {
        struct var *v = g->visible.items[(start + i) % g->visible.count];
        bool lives = v->place != PLACE_FRAME || (lifetime == LIVES_IN_FUNCTION && v->top) ||
                     lifetime == LIVES_HERE;
        if (lives)
            offer_object(g, &c, v, want);
        if (lifetime != LIVES_IN_CALLER || v->type->kind == TYPE_POINTER)
            if (lifetime != LIVES_IN_CALLER || v->read_only)
                offer_content(g, &c, v, want);
    }
    if (!c.count)
        return NULL;
    struct expr *a = c.items[rnd(g, c.count)];
    if (c.count > 1 && chance(g, 25)) {
        struct expr *b = c.items[rnd(g, c.count)];
        if (want->space == GENERIC) // pointers to different address spaces need a cast
            a = node(g, E_CAST, want, a, NULL), b = node(g, E_CAST, want, b, NULL);
        struct expr *e = node(g, E_CHOICE, want, gen_scalar(g, 1), a);
        add_call_arg(e, b);
        return e;
    }
    if (chance(g, 5) && a->type->kind == TYPE_POINTER) {
        a = node(g, E_CAST, a->type, a, NULL);
        a->by_number = true;
    }
    return a;
}

// ---- calls --------------------------------------------------------------------------------------

struct expr *gen_call(struct gen *g, struct function *callee)
{
    struct expr *e =
        node(g, E_CALL, callee->result ? callee->result : type_value(INT, 1), NULL, NULL);
    e->callee = callee;
    for (size_t i = 0; i < callee->params.count; i++) {
        const struct type *t = callee->params.items[i]->type;
        struct expr *arg = t->kind == TYPE_VALUE    ? gen_value(g, t, 1)
                           : t->kind == TYPE_RECORD ? walk_repeatedly(g, false, t)
                                                    : gen_pointer(g, t, LIVES_HERE);
        if (!arg)
            return NULL;
        add_call_arg(e, arg);
    }
    return e;
}

static struct expr *pure_call(struct gen *g, unsigned lanes)
{
    unsigned n = g->same ? 0 : (unsigned)g->p->functions.count;
    for (unsigned tries = 0; n && tries < 4; tries++) {
        struct function *f = g->p->functions.items[rnd(g, n)];
        if (!f->pure || f->result->kind != TYPE_VALUE || f->result->lanes != lanes ||
            f->result->base == FLOAT)
            continue;
        struct expr *e = gen_call(g, f);
        if (e)
            return e;
    }
    return NULL;
}

// ---- operators ----------------------------------------------------------------------------------

static struct expr *unary(struct gen *g, enum op op, struct expr *a)
{
    struct expr *e = node(g, E_UNARY, NULL, a, NULL);
    const struct type *t = a->type;
    e->op = op;
    e->operand =
        t->lanes > 1
            ? t
            : type_value(op == LNOT || t->base == FLOAT ? t->base : base_promoted(t->base), 1);
    e->type = e->operand;
    if (op == LNOT)
        e->type = t->lanes > 1
                      ? with_base(t, t->base == FLOAT ? INT : base_with_sign(t->base, true))
                      : type_value(INT, 1);
    return e;
}

// Whether a builtin may return a `t`, and if so the type of its arguments.
static const struct type *builtin_argument_type(struct gen *g, const struct builtin *b,
                                                const struct type *t)
{
    unsigned kind = t->base == FLOAT ? FLOATS : INTEGERS | WORDS;
    if (!(b->types & kind) || (b->types & NEWER && !g->p->generic))
        return NULL;
    if (b->types & (t->lanes == 1 ? NO_SCALARS : NO_VECTORS))
        return NULL;
    if (b->types == WORDS && t->base != INT && t->base != UINT)
        return NULL;
    if (b->result == RESULT_SAME)
        return t;
    return base_signed(t->base) ? NULL : with_base(t, base_with_sign(t->base, chance(g, 70)));
}

struct expr *gen_builtin(struct gen *g, unsigned builtin, const struct type *type,
                         struct expr *const *args)
{
    const struct type *argument_type = builtin_argument_type(g, &builtins[builtin], type);
    if (!argument_type)
        return NULL;
    struct expr *e = node(g, E_BUILTIN, type, NULL, NULL);
    e->builtin = builtin;
    for (unsigned i = 0; i < builtins[builtin].arity; i++)
        add_call_arg(e, args[i]->type == argument_type ? args[i] : node(g, E_AS, argument_type, args[i], NULL));
    return e;
}

static struct expr *builtin_call(struct gen *g, const struct type *t, unsigned depth)
{
    for (unsigned tries = 0; tries < 10; tries++) {
        unsigned n = rnd(g, builtin_count);
        const struct type *argument_type = builtin_argument_type(g, &builtins[n], t);
        if (!argument_type)
            continue;
        struct expr *e = node(g, E_BUILTIN, t, NULL, NULL);
        e->builtin = n;
        for (unsigned i = 0; i < builtins[n].arity; i++)
            add_call_arg(e, gen_value(g, argument_type, depth));
        return e;
    }
    return gen_literal(g, t);
}

static struct expr *gen_vload(struct gen *g, const struct type *t)
{
    static const unsigned counts[] = {16, 8, 4, 2};
    static const enum space spaces[] = {PRIVATE, GLOBAL, LOCAL, CONSTANT};
    for (unsigned s = 0; s < 4; s++)
        for (unsigned i = 0; i < 4; i++) {
            struct type *want = type_pointer(g->p->arena, type_value(t->base, 1),
                                             spaces[(s + g->state) % 4], counts[i], true);
            struct expr *p = counts[i] >= t->lanes ? gen_pointer(g, want, LIVES_HERE) : NULL;
            if (!p)
                continue;
            return node(g, E_VLOAD, t, gen_index(g, counts[i] / t->lanes), p);
        }
    return NULL;
}

static enum op random_op(struct gen *g)
{
    static const enum op ops[] = {ADD, ADD, ADD, SUB, SUB, MUL, MUL,
                                  DIV, REM, AND, OR,  XOR, SHL, SHR};
    return ops[rnd(g, sizeof ops / sizeof *ops)];
}

static enum op random_comparison(struct gen *g)
{
    return (enum op)(LT + rnd(g, 6));
}

static struct expr *gen_choice(struct gen *g, struct expr *c, struct expr *a, struct expr *b,
                               const struct type *type)
{
    struct expr *e = node(g, E_CHOICE, type, c, a);
    add_call_arg(e, b);
    return e;
}

static struct expr *pointer_question(struct gen *g)
{
    for (unsigned tries = 0; tries < 4; tries++) {
        struct var *v =
            g->visible.count ? g->visible.items[rnd(g, (unsigned)g->visible.count)] : NULL;
        if (!v || v->type->kind != TYPE_POINTER)
            continue;
        struct expr *other = gen_pointer(g, v->type, LIVES_HERE);
        if (!other)
            continue;
        struct expr *e = node(g, E_SAME, type_value(INT, 1), expr_var(g->p, v), other);
        e->op = chance(g, 50) ? EQ : NE;
        return e;
    }
    return gen_literal(g, type_value(INT, 1));
}

// &p[i] - &p[j]
static struct expr *pointer_distance(struct gen *g)
{
    for (unsigned tries = 0; tries < 4; tries++) {
        struct var *v =
            g->visible.count ? g->visible.items[rnd(g, (unsigned)g->visible.count)] : NULL;
        if (!v || (v->type->kind != TYPE_POINTER && v->type->kind != TYPE_ARRAY) ||
            v->type->of->kind == TYPE_ARRAY)
            continue;
        enum space space = v->type->kind == TYPE_POINTER ? v->type->space : space_of(v);
        const struct type *one = type_pointer(g->p->arena, v->type->of, space, 1, true);
        struct expr *at[2];
        for (unsigned i = 0; i < 2; i++)
            at[i] =
                node(g, E_ADDRESS, one,
                     node(g, E_INDEX, v->type->of, expr_var(g->p, v), gen_index(g, v->type->count)),
                     NULL);
        return node(g, E_DISTANCE, type_value(base_of_distances(), 1), at[0], at[1]);
    }
    return gen_literal(g, type_value(base_of_distances(), 1));
}

// ---- values -------------------------------------------------------------------------------------

// Of a record or a pointer. (Not generated for 64-bit devices, so that the programs of existing seeds do not change.)
static struct expr *size_of_something(struct gen *g)
{
    struct expr *e = node(g, E_SIZEOF, type_value(base_of_sizes(), 1), NULL, NULL);
    size_t count = g->p->records.count;
    e->operand = count && chance(g, 70)
                     ? g->p->records.items[rnd(g, (unsigned)count)]
                     : type_pointer(g->p->arena, random_value_type(g), GLOBAL, 1, false);
    return e;
}

static struct expr *scalar_leaf(struct gen *g)
{
    if (address_bits == 32 && chance(g, 3))
        return size_of_something(g);
    struct expr *e = chance(g, 70) ? gen_place(g, false) : NULL;
    if (!e && chance(g, 20))
        return gen_item_function(g);
    if (!e)
        return scalar_literal(g, random_base(g));
    if (e->type->lanes > 1)
        e = gen_lanes(g, e, 1, false);
    return e->type->base == FLOAT ? expr_cast(g->p, INT, e) : e;
}

static struct expr *compare(struct gen *g, unsigned depth)
{
    if (chance(g, 8))
        return pointer_question(g);
    if (chance(g, 8))
        return expr_binary(g->p, random_comparison(g), gen_value(g, type_value(FLOAT, 1), depth),
                           gen_value(g, type_value(FLOAT, 1), depth));
    return expr_binary(g->p, random_comparison(g), gen_scalar(g, depth), gen_scalar(g, depth));
}

static struct expr *whole_vector_question(struct gen *g, unsigned depth) // any, all: they test signs
{
    static const unsigned lanes[] = {2, 3, 4, 8};
    const struct type *t = type_value(base_with_sign(random_base(g), true), lanes[rnd(g, 4)]);
    struct expr *least = NULL, *v = gen_value(g, t, depth);
    // Built from operators: the signs of the lanes, combined.
    for (unsigned i = 0; i < t->lanes; i++) {
        struct expr *lane = node(g, E_LANES, type_value(t->base, 1), v, NULL);
        lane->lanes[0] = (unsigned char)i;
        lane = expr_binary(g->p, LT, lane, expr_literal(g->p, INT, 0));
        least = least ? expr_binary(g->p, i % 2 ? OR : AND, least, lane) : lane;
    }
    return least;
}

// The sign of a sum that is often 0. Signs of zeros are tested only here, where they are known.
static struct expr *sign_question(struct gen *g, unsigned depth)
{
    static const char *const names[] = {"fabs", "signbit"};
    struct expr *calls[2];
    for (unsigned i = 0; i < 2; i++) {
        calls[i] = node(g, E_BUILTIN, type_value(i ? INT : FLOAT, 1), NULL, NULL);
        while (strcmp(builtins[calls[i]->builtin].name, names[i]) != 0)
            calls[i]->builtin++;
    }
    calls[0]->fixed = true;
    add_call_arg(calls[0], gen_value(g, type_value(FLOAT, 1), depth));
    struct expr *zero = expr_literal(g->p, FLOAT, 0), *magnitude = calls[0];
    struct expr *number = chance(g, 30) ? scalar_leaf(g) : NULL; // an induction variable, for example
    if (number && number->type->base != BOOL)
        zero = expr_cast(g->p, FLOAT, number);
    zero->fixed = true;
    bool negated = chance(g, 30);
    if (negated) {
        magnitude = unary(g, NEG, magnitude);
        magnitude->fixed = true;
    }
    struct expr *sum = negated && chance(g, 50) ? expr_binary(g->p, ADD, magnitude, zero)
                                                : expr_binary(g->p, negated ? ADD : SUB, zero, magnitude);
    sum->fixed = true;
    add_call_arg(calls[1], sum);
    return calls[1];
}

static struct expr *same_size_scalar(struct gen *g, unsigned depth) // as_T of something
{
    const struct type *t = type_value(random_base(g), 1);
    static const unsigned sizes[] = {1, 2, 4, 8};
    for (unsigned i = 0; i < 4; i++) {
        enum base base = (enum base)(rnd(g, 8));
        unsigned lanes = t->size / (base_bits[base] / 8);
        if (sizes[i] == t->size && lanes >= 1)
            return node(g, E_AS, t, gen_value(g, type_value(base, lanes), depth), NULL);
    }
    return gen_scalar(g, depth);
}

struct expr *gen_scalar(struct gen *g, unsigned depth)
{
    if (!depth)
        return scalar_leaf(g);
    depth--;
    switch (rnd(g, 24)) {
    default:
        return expr_binary(g->p, random_op(g), gen_scalar(g, depth), gen_scalar(g, depth));
    case 9:
    case 10:
        return compare(g, depth);
    case 11: {
        struct expr *e =
            node(g, E_LOGIC, type_value(INT, 1), gen_scalar(g, depth), compare(g, depth));
        e->op = chance(g, 50) ? AND : OR;
        return e;
    }
    case 12:
    case 13: {
        struct expr *a = gen_scalar(g, depth), *b = gen_scalar(g, depth);
        return gen_choice(g, compare(g, depth), a, b,
                          type_value(base_usual(a->type->base, b->type->base), 1));
    }
    case 14:
        return unary(g, (enum op)(NEG + rnd(g, 3)), gen_scalar(g, depth));
    case 15:
    case 16:
        return builtin_call(g, type_value(random_base(g), 1), depth);
    case 17:
        return expr_cast(g->p, random_base(g), gen_scalar(g, depth));
    case 18: {
        struct expr *e = pure_call(g, 1);
        return e ? e : scalar_leaf(g);
    }
    case 19: {
        struct expr *from = gen_scalar(g, depth);
        struct expr *e = node(g, E_CONVERT, type_value(random_base(g), 1), from, NULL);
        e->saturate = from->type->base != BOOL && chance(g, 50);
        return from->type->base == BOOL ? from : e;
    }
    case 20:
        return same_size_scalar(g, depth);
    case 21:
        return chance(g, 50) ? pointer_distance(g) : whole_vector_question(g, 0);
    case 22:
        return chance(g, 50) ? scalar_leaf(g) : sign_question(g, depth);
    case 23:
        return expr_cast(g->p, random_base(g), gen_value(g, type_value(FLOAT, 1), depth));
    }
}

static struct expr *float_leaf(struct gen *g, const struct type *t)
{
    struct expr *e = chance(g, 50) ? gen_place(g, false) : NULL;
    if (e && e->type->base == FLOAT && e->type->lanes >= t->lanes)
        return e->type->lanes == t->lanes ? e : gen_lanes(g, e, t->lanes, false);
    if (t->lanes == 1 && chance(g, 60)) {
        struct expr *from = scalar_leaf(g);
        if (from->type->base != BOOL)
            return expr_cast(g->p, FLOAT, from);
    }
    if (t->lanes > 1 && chance(g, 40)) { // from integers of 32 bits
        const struct type *ints = with_base(t, chance(g, 50) ? INT : SHORT);
        return node(g, E_CONVERT, t, gen_value(g, ints, 0), NULL);
    }
    return gen_literal(g, t);
}

static struct expr *gen_float(struct gen *g, const struct type *t, unsigned depth)
{
    static const enum op ops[] = {ADD, ADD, SUB, SUB, MUL, MUL, DIV};
    if (!depth)
        return float_leaf(g, t);
    depth--;
    switch (rnd(g, 6)) {
    case 0:
    case 1:
        return expr_binary(g->p, ops[rnd(g, 7)], gen_float(g, t, depth), gen_float(g, t, depth));
    case 2:
        return builtin_call(g, t, depth);
    case 3: {
        struct expr *a = gen_float(g, t, depth), *b = gen_float(g, t, depth);
        const struct type *c = t->lanes == 1 ? type_value(INT, 1) : with_base(t, INT);
        return gen_choice(g, t->lanes == 1 ? compare(g, depth) : gen_value(g, c, depth), a, b, t);
    }
    case 4:
        return unary(g, NEG, gen_float(g, t, depth));
    default:
        return float_leaf(g, t);
    }
}

static struct expr *vector_leaf(struct gen *g, const struct type *t)
{
    struct expr *e = chance(g, 75) ? gen_place(g, false) : NULL;
    if (e && e->type->lanes > 1 && e->type->base != FLOAT) {
        if (e->type->lanes != t->lanes)
            e = gen_lanes(g, e, t->lanes, false);
        if (e->type->base != t->base) {
            e = node(g, E_CONVERT, t, e, NULL);
            e->saturate = chance(g, 30);
        }
        return e;
    }
    if (e && e->type->base == t->base)
        return node(g, E_VECTOR, t, e, NULL);
    e = chance(g, 20) ? gen_vload(g, t) : NULL;
    return e ? e : gen_literal(g, t);
}

// (int4)(scalar, vector of 2, scalar): parts that add up.
static struct expr *vector_of_parts(struct gen *g, const struct type *t, unsigned depth)
{
    static const unsigned sizes[] = {1, 1, 2, 3, 4, 8};
    struct expr *e = node(g, E_VECTOR, t, NULL, NULL);
    for (unsigned left = t->lanes; left;) {
        unsigned n = sizes[rnd(g, 6)];
        if (n > left || n == t->lanes)
            continue;
        struct expr *part = gen_value(g, type_value(t->base, n), t->lanes > 4 ? 0 : depth);
        add_call_arg(e, part);
        left -= n;
    }
    return e;
}

static struct expr *gen_shuffle(struct gen *g, const struct type *t, unsigned depth)
{
    static const unsigned sizes[] = {2, 4, 8, 16};
    const struct type *from = type_value(t->base, sizes[rnd(g, 4)]);
    struct expr *e = node(g, E_SHUFFLE, t, gen_value(g, from, depth), NULL);
    if (t->lanes == 3)
        return gen_value(g, t, 0);
    if (chance(g, 40))
        add_call_arg(e, gen_value(g, from, depth));
    add_call_arg(e, gen_value(g, with_base(t, base_with_sign(t->base, false)), depth));
    return e;
}

static struct expr *vector_binary(struct gen *g, const struct type *t, enum op op, unsigned depth)
{
    struct expr *a = gen_value(g, t, depth);
    bool scalar = chance(g, 15);
    return expr_binary(g->p, op, a, gen_value(g, scalar ? type_value(t->base, 1) : t, depth));
}

static struct expr *gen_vector(struct gen *g, const struct type *t, unsigned depth)
{
    const struct type *mask = with_base(t, base_with_sign(t->base, true));
    if (!depth)
        return vector_leaf(g, t);
    depth--;
    switch (rnd(g, 20)) {
    default:
        return vector_binary(g, t, random_op(g), depth);
    case 8: {
        struct expr *e = vector_binary(g, chance(g, 50) ? t : mask, random_comparison(g), depth);
        return t == mask ? e : node(g, E_AS, t, e, NULL);
    }
    case 9:
        return gen_choice(g, gen_value(g, mask, depth), gen_value(g, t, depth),
                          gen_value(g, t, depth), t);
    case 10:
        return unary(g, chance(g, 50) ? NEG : NOT, gen_value(g, t, depth));
    case 11:
    case 12:
        return builtin_call(g, t, depth);
    case 13: {
        const struct type *from = with_base(t, random_base(g));
        struct expr *e = node(g, E_CONVERT, t, gen_value(g, from, depth), NULL);
        e->saturate = chance(g, 40);
        return e;
    }
    case 14:
        return vector_of_parts(g, t, depth);
    case 15: {
        const struct type *from = type_value(t->base, 1u << (1 + rnd(g, 4)));
        return gen_lanes(g, gen_value(g, from, depth), t->lanes, false);
    }
    case 16:
        return gen_shuffle(g, t, depth);
    case 17: {
        struct expr *e = gen_vload(g, t);
        return e ? e : vector_leaf(g, t);
    }
    case 18: {
        struct expr *e = pure_call(g, t->lanes);
        return e && e->type == t ? e : vector_leaf(g, t);
    }
    case 19: {
        unsigned bits = t->lanes == 3 ? 0 : rnd(g, 4) * 2; // CHAR, SHORT, INT or LONG
        unsigned lanes = t->size / (base_bits[bits] / 8);
        if (t->lanes == 3 || lanes > 16 || lanes < 1)
            return vector_leaf(g, t);
        return node(g, E_AS, t, gen_value(g, type_value((enum base)bits, lanes), depth), NULL);
    }
    }
}

struct expr *gen_value(struct gen *g, const struct type *type, unsigned depth)
{
    if (type->base == FLOAT)
        return gen_float(g, type, depth);
    if (type->lanes > 1)
        return gen_vector(g, type, depth);
    struct expr *e = gen_scalar(g, depth);
    return e->type->base == type->base ? e : expr_cast(g->p, type->base, e);
}
