// SPDX-License-Identifier: Apache-2.0
// Statements: declarations, assignments, control flow, and communication between work-items.
#include "generate.h"

#include <assert.h>

void push(struct gen *g, struct stmts *list, struct stmt *s)
{
    vec_push(g->p->arena, list, s);
}

struct expr *number(struct gen *g, int n)
{
    return expr_literal(g->p, INT, n);
}

void show(struct gen *g, struct var *v)
{
    v->top = g->level == 0;
    vec_push(g->p->arena, &g->visible, v);
}

// ---- declarations -------------------------------------------------------------------------------

const struct type *element_type(struct gen *g) // for memory that is indexed often
{
    const struct type *t;
    do
        t = random_value_type(g);
    while (t->lanes > 4 || t->base == BOOL);
    return t;
}

static void add_field(struct gen *g, struct type *record, const struct type *type)
{
    struct field *f = &record->fields[record->field_count];
    f->name[0] = (char)('a' + record->field_count++);
    f->type = type;
    (void)g;
}

// A union of 4 or 8 bytes with fields of different types.
static void fill_union(struct gen *g, struct type *record)
{
    unsigned size = chance(g, 50) ? 4 : 8;
    record->is_union = true;
    while (record->field_count < 3) {
        enum base base = (enum base)rnd(g, 8);
        unsigned lanes = size / (base_bits[base] / 8);
        if (lanes == 1)
            add_field(g, record, type_value(base, 1));
        else if (lanes)
            add_field(g, record,
                      chance(g, 50) ? type_value(base, lanes)
                                    : type_array(g->p->arena, type_value(base, 1), lanes));
    }
}

void gen_record_type(struct gen *g)
{
    struct type *record = ARENA_NEW(g->p->arena, struct type);
    unsigned fields = 1 + rnd(g, MAX_FIELDS), earlier = (unsigned)g->p->records.count;
    record->kind = TYPE_RECORD;
    record->id = earlier;
    if (chance(g, 30)) {
        fill_union(g, record);
        fields = 0;
    }
    while (record->field_count < fields) {
        unsigned kind = rnd(g, 10);
        if (kind == 0 && earlier)
            add_field(g, record, g->p->records.items[rnd(g, earlier)]);
        else if (kind == 1)
            add_field(g, record, type_array(g->p->arena, element_type(g), 2u << rnd(g, 2)));
        else if (kind == 2)
            add_field(g, record,
                      type_pointer(g->p->arena, type_value(random_base(g), 1), PRIVATE,
                                   1u << 2 * rnd(g, 2), false));
        else
            add_field(g, record, random_value_type(g));
    }
    record->packed = !record->is_union && chance(g, 15);
    type_lay_out(record);
    if (record->size <= 128)
        vec_push(g->p->arena, &g->p->records, record);
}

struct type *some_record(struct gen *g, bool pointers)
{
    for (unsigned tries = 0; g->p->records.count && tries < 4; tries++) {
        struct type *t = g->p->records.items[rnd(g, (unsigned)g->p->records.count)];
        if (pointers || !type_has_pointers(t))
            return t;
    }
    return NULL;
}

// Adds initializers for the leaves of a declaration; false: there is nothing for a pointer to point to.
bool gen_inits(struct gen *g, struct stmt *decl, bool constant)
{
    struct leaf leaves[MAX_LEAVES];
    unsigned n = type_leaves(decl->var->type, leaves);
    if (n > 1 && !type_has_pointers(decl->var->type) && chance(g, 25))
        n = 1 + rnd(g, n);
    for (unsigned i = 0; i < n; i++) {
        const struct type *t = leaves[i].type;
        struct expr *e = t->kind == TYPE_POINTER ? gen_pointer(g, t, LIVES_IN_FUNCTION)
                         : constant              ? gen_literal(g, t)
                         : n > 4                 ? gen_value(g, t, rnd(g, 2))
                                                 : gen_value(g, t, 2);
        if (!e)
            return false;
        vec_push(g->p->arena, &decl->inits, e);
    }
    return true;
}

bool gen_declare(struct gen *g, struct stmts *list, const char *stem, const struct type *type)
{
    struct stmt *s = stmt_decl(g->p, var_new(g->p, stem, type, PLACE_FRAME), NULL);
    if (!gen_inits(g, s, false))
        return false;
    push(g, list, s);
    show(g, s->var);
    return true;
}

static bool declare_array(struct gen *g, struct stmts *list)
{
    unsigned count = 2u << rnd(g, 3);
    const struct type *of = element_type(g);
    struct type *record = some_record(g, false);
    if (chance(g, 15))
        of = type_array(g->p->arena, of, 2);
    else if (chance(g, 20) && record && record->size <= 32)
        of = record;
    if (of->kind != TYPE_VALUE && count > 4)
        count = 4;
    if (of->kind == TYPE_VALUE && of->lanes == 1 && chance(g, 4))
        count = 32u << rnd(g, 4);
    return gen_declare(g, list, "a", type_array(g->p->arena, of, count));
}

// Declares a pointer to something visible.
static bool declare_pointer(struct gen *g, struct stmts *list)
{
    static const enum space spaces[] = {PRIVATE, PRIVATE,  PRIVATE, GLOBAL,
                                        LOCAL,   CONSTANT, GENERIC, GENERIC};
    enum space space = spaces[rnd(g, g->p->generic ? 8 : 6)];
    struct var *v = g->visible.count ? g->visible.items[rnd(g, (unsigned)g->visible.count)] : NULL;
    if (!v)
        return false;
    const struct type *of = v->type;
    unsigned count = 1;
    if (of->kind == TYPE_ARRAY || (of->kind == TYPE_POINTER && chance(g, 75))) {
        count = chance(g, 50) ? of->count : 1u << rnd(g, 2);
        count = count > of->count ? of->count : count;
        of = of->of;
    } else if (of->kind == TYPE_RECORD && chance(g, 50)) {
        of = of->fields[rnd(g, of->field_count)].type;
    } else if (of->kind == TYPE_VALUE && chance(g, 15) && of->lanes != 3 && of->base < FLOAT) {
        count = of->size > 16 ? 16 : of->size;
        of = type_value(chance(g, 50) ? CHAR : UCHAR, 1);
    }
    if (of->kind == TYPE_ARRAY || (of->kind == TYPE_POINTER && of->of->kind == TYPE_POINTER))
        return false;
    struct type *t =
        type_pointer(g->p->arena, of, space, count, space == CONSTANT || chance(g, 25));
    if (count == 1 && chance(g, 25)) // a table of pointers
        return gen_declare(g, list, "t", type_array(g->p->arena, t, 2u << rnd(g, 2)));
    return gen_declare(g, list, "p", t);
}

// Records that point to each other: struct r { V a; struct r *b; } w[4] = {{x, &w[2]}, ...}.
static bool declare_ring(struct gen *g, struct stmts *list)
{
    static const enum space spaces[] = {PRIVATE, PRIVATE, GENERIC};
    struct type *record = ARENA_NEW(g->p->arena, struct type);
    const struct type *next =
        type_pointer(g->p->arena, record, spaces[rnd(g, g->p->generic ? 3 : 2)], 1, false);
    unsigned count = 2u << rnd(g, 2);
    if (g->level)
        return false;
    record->kind = TYPE_RECORD;
    record->id = (unsigned)g->p->records.count;
    add_field(g, record, type_value(random_base(g), 1));
    add_field(g, record, next);
    type_lay_out(record);
    vec_push(g->p->arena, &g->p->records, record);
    struct stmt *s = stmt_decl(
        g->p, var_new(g->p, "w", type_array(g->p->arena, record, count), PLACE_FRAME), NULL);
    struct expr *ring = expr_var(g->p, s->var);
    for (unsigned i = 0; i < count; i++) {
        struct expr *to = expr_new(g->p, E_INDEX, record, ring, number(g, (int)rnd(g, count)));
        vec_push(g->p->arena, &s->inits, gen_scalar(g, 1));
        vec_push(g->p->arena, &s->inits, expr_new(g->p, E_ADDRESS, next, to, NULL));
    }
    push(g, list, s);
    show(g, s->var);
    return true;
}

static bool declare_something(struct gen *g, struct stmts *list)
{
    if (chance(g, 4))
        return declare_ring(g, list);
    unsigned kind = rnd(g, 10);
    struct type *record = some_record(g, true);
    if (kind < 2)
        return declare_array(g, list);
    if (kind < 5)
        return declare_pointer(g, list);
    if (kind < 7 && record) {
        struct expr *e = chance(g, 40) ? gen_record(g, record, false) : NULL;
        if (!e || type_has_pointers(record))
            return gen_declare(g, list, "s", record);
        struct stmt *s = stmt_decl(g->p, var_new(g->p, "s", record, PLACE_FRAME), e);
        push(g, list, s);
        show(g, s->var);
        return true;
    }
    return gen_declare(g, list, "v", random_value_type(g));
}

// ---- assignments --------------------------------------------------------------------------------

static struct var *plain_variable(struct gen *g)
{
    for (unsigned tries = 0; g->visible.count && tries < 8; tries++) {
        struct var *v = g->visible.items[rnd(g, (unsigned)g->visible.count)];
        if (v->type->kind == TYPE_VALUE && !v->read_only)
            return v;
    }
    return NULL;
}

static struct expr *compound(struct gen *g, struct expr *to)
{
    static const enum op ops[] = {ADD, SUB, MUL, AND, OR, XOR, SHL, SHR, DIV, REM};
    const struct type *t = to->type;
    bool is_float = t->base == FLOAT;
    struct expr *value = t->lanes > 1 || is_float ? gen_value(g, t, 2) : gen_scalar(g, 2);
    struct expr *e =
        expr_assign(g->p, to, expr_binary(g->p, ops[rnd(g, is_float ? 3 : 10)], to, value));
    e->compound = true;
    return e;
}

static struct expr *step(struct gen *g, struct expr *to)
{
    struct expr *e = expr_new(g->p, E_STEP, to->type, to, NULL);
    e->op = chance(g, 50) ? ADD : SUB;
    e->before = chance(g, 50);
    return e;
}

static bool steps_wrap(const struct type *t) // ++ is defined for every value
{
    return t->base < INT || t->base == UINT || t->base == ULONG;
}

struct expr *value_for(struct gen *g, const struct type *t, unsigned depth)
{
    return t->lanes == 1 && t->base != FLOAT ? gen_scalar(g, depth) : gen_value(g, t, depth);
}

// A side effect inside an expression, where it is sequenced.
static struct expr *nested_assignment(struct gen *g, struct var *to)
{
    struct var *inner = plain_variable(g);
    if (!inner || inner == to || inner->type->lanes != 1 || inner->type->base == FLOAT)
        return NULL;
    struct expr *set = expr_assign(g->p, expr_var(g->p, inner), gen_scalar(g, 2));
    bool fits = to->type->lanes == 1 && to->type->base != FLOAT;
    if (fits && chance(g, 30))
        return set;
    if (fits && chance(g, 40)) {
        struct expr *e = expr_new(g->p, E_CHOICE, NULL, gen_scalar(g, 1), set);
        e->args[e->count++] = gen_scalar(g, 1);
        e->type = type_value(base_usual(set->type->base, e->args[2]->type->base), 1);
        return e;
    }
    struct expr *after = value_for(g, to->type, 1);
    return expr_new(g->p, E_COMMA, after->type, set, after);
}

static bool assign(struct gen *g, struct stmts *list)
{
    struct expr *to = gen_place(g, true), *e;
    if (!to)
        return gen_declare(g, list, "v", random_value_type(g));
    const struct type *t = to->type;
    if (to->kind == E_VAR && chance(g, 15)) {
        struct expr *value = nested_assignment(g, to->var);
        e = value ? expr_assign(g->p, to, value) : step(g, to);
        if (!value && !steps_wrap(t))
            e = compound(g, to);
    } else if (t->lanes > 1 && chance(g, 35)) {
        static const unsigned sizes[] = {1, 1, 2, 3, 4, 8};
        unsigned lanes = sizes[rnd(g, 6)];
        to = gen_lanes(g, to, lanes > t->lanes ? t->lanes : lanes, true);
        e = expr_assign(g->p, to, value_for(g, to->type, 2));
    } else if (steps_wrap(t) && chance(g, 8)) {
        e = step(g, to);
    } else if (t->base != BOOL && chance(g, 30)) {
        e = compound(g, to);
    } else {
        e = expr_assign(g->p, to, value_for(g, t, 2 + rnd(g, 2)));
    }
    push(g, list, stmt_new(g->p, S_EXPR, e));
    return true;
}

static bool assign_pointer(struct gen *g, struct stmts *list)
{
    for (unsigned tries = 0; g->visible.count && tries < 8; tries++) {
        struct var *v = g->visible.items[rnd(g, (unsigned)g->visible.count)];
        struct expr *to = expr_var(g->p, v);
        if (v->read_only)
            continue;
        if (v->type->kind == TYPE_ARRAY && v->type->of->kind == TYPE_POINTER)
            to = expr_new(g->p, E_INDEX, v->type->of, to, gen_index(g, v->type->count));
        if (v->type->kind == TYPE_RECORD) {
            to = expr_new(g->p, E_FIELD, NULL, to, NULL);
            to->number = rnd(g, v->type->field_count);
            to->type = v->type->fields[to->number].type;
        }
        struct expr *value =
            to->type->kind == TYPE_POINTER ? gen_pointer(g, to->type, LIVES_IN_FUNCTION) : NULL;
        if (!value)
            continue;
        push(g, list, stmt_new(g->p, S_EXPR, expr_assign(g->p, to, value)));
        return true;
    }
    return false;
}

static bool assign_record(struct gen *g, struct stmts *list)
{
    struct type *t = some_record(g, false);
    struct expr *to = t ? gen_record(g, t, true) : NULL,
                *value = t ? gen_record(g, t, false) : NULL;
    if (!to || !value)
        return false;
    push(g, list, stmt_new(g->p, S_EXPR, expr_assign(g->p, to, value)));
    return true;
}

static bool store_vector(struct gen *g, struct stmts *list)
{
    static const unsigned sizes[] = {2, 3, 4, 8};
    static const enum space spaces[] = {PRIVATE, GLOBAL, LOCAL};
    const struct type *t = type_value(random_base(g), sizes[rnd(g, 4)]);
    unsigned count = t->lanes == 8 ? 8 : 4u << rnd(g, 2);
    struct type *want =
        type_pointer(g->p->arena, type_value(t->base, 1), spaces[rnd(g, 3)], count, false);
    struct expr *p = gen_pointer(g, want, LIVES_HERE);
    if (!p)
        return false;
    struct expr *e = expr_new(g->p, E_VSTORE, type_value(INT, 1), gen_value(g, t, 2),
                              gen_index(g, count / t->lanes));
    e->args[e->count++] = p;
    push(g, list, stmt_new(g->p, S_EXPR, e));
    return true;
}

// Functions with pointer parameters are called in statements of their own: they may write what other operands read.
static bool call_function(struct gen *g, struct stmts *list)
{
    unsigned n = (unsigned)g->p->functions.count;
    struct function *f = n ? g->p->functions.items[rnd(g, n)] : NULL;
    if (!f || f->has_barriers || f->same || g->same || f == g->calls.worker)
        return false;
    struct expr *e = gen_call(g, f);
    if (!e)
        return false;
    if (f->result && f->result->kind == TYPE_VALUE && chance(g, 80)) {
        struct stmt *s = stmt_decl(g->p, var_new(g->p, "v", f->result, PLACE_FRAME), e);
        push(g, list, s);
        show(g, s->var);
    } else {
        push(g, list, stmt_new(g->p, S_EXPR, e));
    }
    return true;
}

// ---- control flow -------------------------------------------------------------------------------

static void gen_body(struct gen *g, struct stmts *list, unsigned most)
{
    size_t seen = g->visible.count, held = g->held.count;
    g->level++;
    gen_stmts(g, list, 1 + rnd(g, most));
    g->level--;
    g->visible.count = seen;
    g->held.count = held;
}

// State saved around a construct in which work-items may diverge.
struct inside {
    bool uniform, may_break, may_continue;
};

static struct inside diverge(struct gen *g, bool loop, bool breaks)
{
    struct inside outer = {g->uniform, g->may_break, g->may_continue};
    g->uniform = false;
    g->may_break |= breaks;
    g->may_continue |= loop;
    return outer;
}

static void rejoin(struct gen *g, struct inside outer)
{
    g->uniform = outer.uniform;
    g->may_break = outer.may_break;
    g->may_continue = outer.may_continue;
}

static bool gen_if(struct gen *g, struct stmts *list)
{
    struct stmt *s = stmt_new(g->p, S_IF, gen_scalar(g, 2));
    struct inside outer = diverge(g, false, false);
    gen_body(g, &s->body, 3);
    if (chance(g, 50))
        gen_body(g, &s->other, 3);
    rejoin(g, outer);
    push(g, list, s);
    return true;
}

static struct var *counter(struct gen *g, struct stmts *list, const char *stem, unsigned from)
{
    struct var *v = var_new(g->p, stem, type_value(INT, 1), PLACE_FRAME);
    struct stmt *s = stmt_decl(g->p, v, number(g, (int)from));
    s->keep = true;
    v->read_only = true;
    push(g, list, s);
    return v;
}

struct expr *one_more(struct gen *g, struct var *v, enum op op)
{
    struct expr *e = expr_new(g->p, E_STEP, v->type, expr_var(g->p, v), NULL);
    e->op = op;
    e->before = chance(g, 50);
    return e;
}

// fuel-- > 0 && condition
static struct expr *fuelled(struct gen *g, struct var *fuel, struct expr *condition)
{
    struct expr *left = one_more(g, fuel, SUB);
    left->before = false;
    struct expr *e = expr_new(g->p, E_LOGIC, type_value(INT, 1),
                              expr_binary(g->p, GT, left, number(g, 0)), condition);
    e->op = AND;
    return e;
}

static bool gen_while(struct gen *g, struct stmts *list)
{
    struct var *fuel = counter(g, list, "f", 1 + rnd(g, 5));
    struct stmt *s = stmt_new(g->p, chance(g, 60) ? S_WHILE : S_DO, NULL);
    s->e = fuelled(g, fuel, chance(g, 30) ? number(g, 1) : gen_scalar(g, 2));
    struct inside outer = diverge(g, true, true);
    gen_body(g, &s->body, 3);
    rejoin(g, outer);
    push(g, list, s);
    return true;
}

// for (int i = 0; i < n; i++), also downwards and with other steps, with constant or variable bounds.
static struct stmt *for_head(struct gen *g, unsigned trips, bool known)
{
    struct var *i = var_new(g->p, "i", type_value(chance(g, 70) ? INT : UINT, 1), PLACE_FRAME);
    struct stmt *s = stmt_new(g->p, S_FOR, NULL);
    enum base base = i->type->base;
    struct expr *bound = expr_literal(g->p, base, trips);
    i->read_only = true;
    if (!known)
        bound = expr_cast(g->p, base, expr_binary(g->p, AND, gen_scalar(g, 1), number(g, chance(g, 25) ? 31 : 7)));
    if (chance(g, 20)) { // downwards
        s->first = stmt_decl(g->p, i, bound);
        s->e = expr_binary(g->p, GT, expr_var(g->p, i), expr_literal(g->p, base, 0));
        s->step = one_more(g, i, SUB);
    } else if (chance(g, 20)) {
        unsigned by = 2 + rnd(g, 3);
        s->first = stmt_decl(g->p, i, expr_literal(g->p, base, rnd(g, 3)));
        s->e = expr_binary(g->p, LT, expr_var(g->p, i),
                           known ? expr_literal(g->p, base, trips * by) : bound);
        s->step =
            expr_assign(g->p, expr_var(g->p, i),
                        expr_binary(g->p, ADD, expr_var(g->p, i), expr_literal(g->p, base, by)));
        s->step->compound = true;
    } else {
        s->first = stmt_decl(g->p, i, expr_literal(g->p, base, 0));
        s->e = expr_binary(g->p, known && chance(g, 20) ? NE : LT, expr_var(g->p, i), bound);
        s->step = one_more(g, i, ADD);
    }
    s->first->keep = true;
    return s;
}

static bool gen_for(struct gen *g, struct stmts *list)
{
    struct stmt *s = for_head(g, 1 + rnd(g, 6), chance(g, 65));
    size_t seen = g->visible.count, held = g->held.count;
    struct inside outer = diverge(g, true, true);
    g->level++;
    show(g, s->first->var);
    gen_stmts(g, &s->body, 1 + rnd(g, 3));
    g->level--;
    rejoin(g, outer);
    g->visible.count = seen;
    g->held.count = held;
    push(g, list, s);
    return true;
}

static bool gen_switch(struct gen *g, struct stmts *list)
{
    struct stmt *s = stmt_new(g->p, S_SWITCH, gen_scalar(g, 1));
    struct inside outer = diverge(g, false, true);
    int n = 2 + (int)rnd(g, 5), label = (int)rnd(g, 3) - 1;
    int default_target = chance(g, 70) ? (int)rnd(g, (unsigned)n) : -1;
    if (chance(g, 70))
        s->e = expr_cast(g->p, INT, expr_binary(g->p, AND, s->e, number(g, 7)));
    else
        s->e = expr_cast(g->p, INT, s->e);
    for (int i = 0; i < n; i++) {
        struct stmt *at = stmt_new(g->p, i == default_target ? S_DEFAULT : S_CASE, NULL);
        at->number = label;
        label += 1 + (int)rnd(g, 2) + (chance(g, 5) ? 100000 : 0);
        at->keep = true;
        push(g, &s->body, at);
        if (chance(g, 15))
            continue; // case 1: case 2:
        struct stmt *block = stmt_new(g->p, S_BLOCK, NULL);
        gen_body(g, &block->body, 2);
        push(g, &s->body, block);
        if (chance(g, 60))
            push(g, &s->body, stmt_new(g->p, S_BREAK, NULL));
    }
    rejoin(g, outer);
    push(g, list, s);
    return true;
}

// Blocks with labels between them and inside loops and branches; each may jump to any other: irreducible control
// flow.
static bool gen_gotos(struct gen *g, struct stmts *list)
{
    struct var *fuel = counter(g, list, "f", 4 + rnd(g, 10));
    struct stmt *region = stmt_new(g->p, S_BLOCK, NULL);
    struct inside outer = diverge(g, false, false);
    unsigned n = 2 + rnd(g, 3), first = g->p->labels;
    g->p->labels += n;
    for (unsigned i = 0; i < n; i++) {
        struct stmt *label = stmt_new(g->p, S_LABEL, NULL), *block = stmt_new(g->p, S_BLOCK, NULL);
        struct stmt *jump = stmt_new(g->p, S_IF, fuelled(g, fuel, gen_scalar(g, 2)));
        struct stmt *target = stmt_new(g->p, S_GOTO, NULL);
        struct stmts *into = &region->body;
        label->number = (int)(first + i);
        label->keep = true;
        target->number = (int)(first + rnd(g, n));
        if (chance(g, 30)) { // the label is in a loop or a branch
            struct stmt *around =
                stmt_new(g->p, chance(g, 60) ? S_WHILE : S_IF, fuelled(g, fuel, gen_scalar(g, 1)));
            push(g, into, around);
            into = &around->body;
        }
        gen_body(g, &block->body, 2);
        push(g, into, label);
        push(g, into, block);
        push(g, &jump->body, target);
        push(g, chance(g, 70) ? into : &block->body, jump);
    }
    rejoin(g, outer);
    push(g, list, region);
    return true;
}

// switch (n) { case 0: do { A; case 2: B; case 1: C; } while (rounds-- > 0 ...); }
static bool gen_duff(struct gen *g, struct stmts *list)
{
    struct var *fuel = counter(g, list, "f", 1 + rnd(g, 3));
    struct stmt *s = stmt_new(g->p, S_SWITCH, NULL);
    struct stmt *loop = stmt_new(g->p, chance(g, 50) ? S_DO : S_WHILE, NULL);
    struct inside outer = diverge(g, true, true);
    unsigned n = 2 + rnd(g, 3);
    s->e = expr_cast(g->p, INT, expr_binary(g->p, AND, gen_scalar(g, 1), number(g, 3)));
    loop->e = fuelled(g, fuel, gen_scalar(g, 1));
    for (unsigned i = 0; i < n; i++) {
        struct stmt *label = stmt_new(g->p, S_CASE, NULL), *block = stmt_new(g->p, S_BLOCK, NULL);
        label->number = (int)i;
        label->keep = true;
        gen_body(g, &block->body, 1);
        push(g, i ? &loop->body : &s->body, label);
        push(g, &loop->body, block);
    }
    push(g, &s->body, loop);
    rejoin(g, outer);
    push(g, list, s);
    return true;
}

static struct stmt *some_leave(struct gen *g)
{
    struct stmt *leave = NULL;
    if (!g->uniform && g->may_continue && chance(g, 40))
        leave = stmt_new(g->p, S_CONTINUE, NULL);
    else if (!g->uniform && g->may_break && chance(g, 70))
        leave = stmt_new(g->p, S_BREAK, NULL);
    else if (!g->no_return && g->function->result && g->function->result->kind == TYPE_MATRIX)
        leave = stmt_new(g->p, S_RETURN, gen_matrix(g, g->function->result, 1));
    else if (!g->no_return && (!g->function->result || g->function->result->kind == TYPE_VALUE))
        leave = stmt_new(g->p, S_RETURN,
                         g->function->result ? value_for(g, g->function->result, 1) : NULL);
    return leave;
}

static bool gen_leave(struct gen *g, struct stmts *list)
{
    struct stmt *s = stmt_new(g->p, S_IF, gen_scalar(g, 2)), *leave = some_leave(g);
    if (!leave)
        return false;
    push(g, &s->body, leave);
    push(g, list, s);
    return true;
}

// Ends a list so that all its paths leave.
static bool leave_always(struct gen *g, struct stmts *list, unsigned depth)
{
    gen_body(g, list, 1);
    bool parts = depth && chance(g, 50);
    struct stmt *end = parts ? stmt_new(g->p, S_IF, gen_scalar(g, 1)) : some_leave(g);
    if (!end || (parts && !(leave_always(g, &end->body, depth - 1) && leave_always(g, &end->other, depth - 1))))
        return false;
    end->keep = true;
    push(g, list, end);
    return true;
}

// T v; if (c) { ... v = x; } else { ... leave }
static bool gen_arm(struct gen *g, struct stmts *list)
{
    struct var *v = var_new(g->p, "v", random_value_type(g), PLACE_FRAME);
    struct stmt *s = stmt_new(g->p, S_IF, gen_scalar(g, 2)), *set;
    struct inside outer = diverge(g, false, false);
    bool first = chance(g, 50);
    gen_body(g, first ? &s->body : &s->other, 2);
    set = stmt_new(g->p, S_EXPR, expr_assign(g->p, expr_var(g->p, v), value_for(g, v->type, 2)));
    set->keep = s->keep = true;
    push(g, first ? &s->body : &s->other, set);
    bool leaves = leave_always(g, first ? &s->other : &s->body, 2);
    rejoin(g, outer);
    if (!leaves)
        return false;
    push(g, list, stmt_decl(g->p, v, NULL));
    push(g, list, s);
    show(g, v);
    return true;
}

// ---- work-groups --------------------------------------------------------------------------------

struct stmt *barrier_stmt(struct gen *g)
{
    struct stmt *s = stmt_new(g->p, S_BARRIER, NULL);
    s->keep = true;
    return s;
}

unsigned group_items(const struct gen *g)
{
    return g->p->local[0] * g->p->local[1] * g->p->local[2];
}

// tile[((lid + d) % size) * slice + index]
static struct expr *tile_element(struct gen *g, unsigned neighbour)
{
    unsigned items = group_items(g);
    struct expr *who = expr_var(g->p, g->lid), *at = gen_index(g, g->slice);
    if (neighbour)
        who = expr_binary(g->p, REM, expr_binary(g->p, ADD, who, number(g, (int)neighbour)),
                          number(g, (int)items));
    if (at->kind != E_LITERAL || at->literal >= g->slice)
        at = expr_binary(g->p, AND, expr_cast(g->p, INT, at), number(g, (int)g->slice - 1));
    at = expr_binary(g->p, ADD, expr_binary(g->p, MUL, who, number(g, (int)g->slice)), at);
    struct expr *e = expr_new(g->p, E_INDEX, g->tile->type->of, expr_var(g->p, g->tile), at);
    e->fixed = true;
    return e;
}

// Each work-item writes its own element; barrier; each reads another's; barrier.
bool gen_exchange(struct gen *g, struct stmts *list)
{
    if (!g->tile)
        return false;
    struct expr *own = tile_element(g, 0);
    push(g, list, stmt_new(g->p, S_EXPR, expr_assign(g->p, own, value_for(g, own->type, 2))));
    push(g, list, barrier_stmt(g));
    struct var *v = var_new(g->p, "v", own->type, PLACE_FRAME);
    struct stmt *read = stmt_decl(g->p, v, tile_element(g, 1 + rnd(g, group_items(g))));
    push(g, list, read);
    show(g, v);
    push(g, list, barrier_stmt(g));
    return true;
}

// Calls a function with barriers.
static bool call_barrier_function(struct gen *g, struct stmts *list)
{
    for (size_t i = g->p->functions.count; g->tile && i-- > 0;) {
        struct function *f = g->p->functions.items[i];
        if (!f->has_barriers || !type_same(f->params.items[0]->type->of, g->tile->type->of))
            continue;
        struct expr *e = expr_new(g->p, E_CALL, type_value(INT, 1), expr_var(g->p, g->tile),
                                  expr_var(g->p, g->lid));
        e->callee = f;
        for (size_t k = 2; k < f->params.count; k++) {
            struct expr *arg = gen_pointer(g, f->params.items[k]->type, LIVES_HERE);
            if (!arg)
                return false;
            e->args[e->count++] = arg;
        }
        push(g, list, stmt_new(g->p, S_EXPR, e));
        return true;
    }
    return false;
}

// All work-items update shared elements atomically; they are read only after the next barrier (in a group) or at the
// end.
static bool gen_atomic(struct gen *g, struct stmts *list)
{
    if (!g->sums)
        return false;
    unsigned slot = rnd(g, SUMS);
    struct expr *at = expr_new(
        g->p, E_ADDRESS, type_pointer(g->p->arena, g->sums->type->of, GLOBAL, 1, false),
        expr_new(g->p, E_INDEX, g->sums->type->of, expr_var(g->p, g->sums), number(g, (int)slot)),
        NULL);
    struct expr *e =
        expr_new(g->p, E_ATOMIC, g->sums->type->of, at, gen_value(g, g->sums->type->of, 2));
    e->builtin = g->sum_ops[slot];
    struct stmt *s = stmt_new(g->p, S_EXPR, e);
    if (chance(g, 40)) {
        struct stmt *some = stmt_new(g->p, S_IF, gen_scalar(g, 1));
        push(g, &some->body, s);
        s = some;
    }
    push(g, list, s);
    return true;
}

static struct stmt *uniform_if(struct gen *g, struct expr *condition)
{
    struct stmt *s = stmt_new(g->p, S_IF, condition);
    gen_body(g, &s->body, 3);
    if (chance(g, 40))
        gen_body(g, &s->other, 2);
    return s;
}

static struct expr *uniform_condition(struct gen *g)
{
    struct expr *group = expr_new(g->p, E_ITEM, type_value(base_of_sizes(), 1), NULL, NULL);
    group->builtin = 2;
    struct expr *x = group;
    for (size_t i = 0; i < g->p->args.count;
         i++) // a kernel argument, if this is the kernel
        if (g->function->params.count && g->p->args.items[i].kind == ARG_VALUE &&
            g->p->args.items[i].param->read_only && chance(g, 50))
            x = expr_var(g->p, g->p->args.items[i].param);
    return expr_binary(g->p, AND, x, number(g, 1 + (int)rnd(g, 3)));
}

static bool gen_uniform(struct gen *g, struct stmts *list)
{
    if (g->family_count && chance(g, 65))
        return gen_matrix_stmt(g, list);
    unsigned kind = rnd(g, 5);
    if (kind == 4)
        return call_barrier_function(g, list);
    if (kind < 2)
        return gen_exchange(g, list);
    if (kind == 2) {
        push(g, list, uniform_if(g, uniform_condition(g)));
        return true;
    }
    struct stmt *s = for_head(g, 1 + rnd(g, 4), true);
    size_t seen = g->visible.count;
    s->first->var->same = true;
    show(g, s->first->var);
    gen_body(g, &s->body, 3);
    g->visible.count = seen;
    push(g, list, s);
    return true;
}

// ---- statements ---------------------------------------------------------------------------------

static bool gen_stmt(struct gen *g, struct stmts *list)
{
    bool deep = g->level >= 3 || g->budget < 3;
    unsigned kind = rnd(g, deep ? 60 : 100);
    if (g->uniform && g->level < 3 && chance(g, g->family_count ? 50 : 25))
        return gen_uniform(g, list);
    if (g->same && chance(g, 40))
        return gen_matrix_stmt(g, list);
    if (g->arms && g->level < 4 && g->budget > 2 && chance(g, 20) && (g->may_continue ? gen_arm(g, list) : gen_for(g, list)))
        return true;
    if (chance(g, 6))
        return gen_atomic(g, list);
    if (kind < 22)
        return declare_something(g, list);
    if (kind < 44)
        return assign(g, list);
    if (kind < 48)
        return assign_pointer(g, list);
    if (kind < 51)
        return assign_record(g, list);
    if (kind < 54)
        return store_vector(g, list);
    if (kind < 60)
        return call_function(g, list);
    if (kind < 71)
        return gen_if(g, list);
    if (kind < 78)
        return gen_for(g, list);
    if (kind < 83)
        return gen_while(g, list);
    if (kind < 88)
        return gen_switch(g, list);
    if (kind < 92)
        return gen_gotos(g, list);
    if (kind < 94)
        return gen_duff(g, list);
    return gen_leave(g, list);
}

void gen_one_stmt(struct gen *g, struct stmts *list)
{
    g->budget++;
    gen_stmts(g, list, 1);
}

void gen_stmts(struct gen *g, struct stmts *list, unsigned count)
{
    for (unsigned made = 0, tries = 0; made < count && tries < count * 3 && g->budget; tries++)
        if (gen_stmt(g, list)) {
            made++;
            g->budget--;
        }
}
