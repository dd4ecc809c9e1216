// SPDX-License-Identifier: Apache-2.0
// Generates deep and wide control flow: long lists of early exits, chains of else-ifs and of ?:, nested branches,
// loops and switches, and labels.
//
// A value that differs between work-items selects the path. One counter limits the iterations of all nested loops
// together.
#include "generate.h"

enum leave { LEAVE_RETURN, LEAVE_CONTINUE, LEAVE_BREAK, LEAVE_GOTO, LEAVE_COUNT };
enum nest { NEST_IF, NEST_ELSE, NEST_DO, NEST_WHILE, NEST_FOR, NEST_SWITCH, NEST_BLOCK, NEST_KINDS };
enum { NEST_ALL = (1 << NEST_KINDS) - 1, FOR_LOOPS = 3, NO_LABEL = -1 };

struct deep {
    struct gen *g;
    struct var *sum, *key, *fuel; // result; path selector; remaining iterations
    int mask, label;              // of the key; the label after it all, if any
    unsigned fors;                // loops with a counter of their own
    bool in_loop, in_switch;
};

// ---- building blocks ----------------------------------------------------------------------------

static struct expr *named(struct deep *d, struct var *v) { return expr_var(d->g->p, v); }

static struct var *declare_part(struct deep *d, struct stmts *list, const char *stem, enum base base, struct expr *value)
{
    struct var *v = var_new(d->g->p, stem, type_value(base, 1), PLACE_FRAME);
    struct stmt *s = stmt_decl(d->g->p, v, expr_cast(d->g->p, base, value));
    s->keep = true;
    push(d->g, list, s);
    return v;
}

// ((key + a) & mask) == b: true for few work-items; or another condition, true for about half.
static struct expr *question(struct deep *d)
{
    struct gen *g = d->g;
    if (chance(g, 10))
        return gen_scalar(g, 1);
    struct expr *key = expr_binary(g->p, ADD, named(d, d->key), expr_literal(g->p, UINT, rnd(g, 1000)));
    if (chance(g, 20))
        return expr_binary(g->p, AND, key, expr_literal(g->p, UINT, 1u << rnd(g, 4)));
    key = expr_binary(g->p, AND, key, expr_literal(g->p, UINT, d->mask));
    return expr_binary(g->p, chance(g, 85) ? EQ : chance(g, 50) ? LT : GT, key, expr_literal(g->p, UINT, (int)rnd(g, (unsigned)d->mask + 1)));
}

static void set(struct deep *d, struct stmts *list, struct var *v, enum op op, struct expr *value)
{
    struct expr *e = expr_assign(d->g->p, named(d, v), expr_binary(d->g->p, op, named(d, v), expr_cast(d->g->p, UINT, value)));
    e->compound = chance(d->g, 50);
    push(d->g, list, stmt_new(d->g->p, S_EXPR, e));
}

// In a block of its own, so that its declarations are not visible elsewhere.
static void some_statement(struct gen *g, struct stmts *list)
{
    struct stmt *block = stmt_new(g->p, S_BLOCK, NULL);
    size_t seen = g->visible.count;
    gen_one_stmt(g, &block->body);
    g->visible.count = seen;
    push(g, list, block);
}

static void fill(struct deep *d, struct stmts *list)
{
    struct gen *g = d->g;
    unsigned kind = rnd(g, 20);
    if (kind < 9)
        set(d, list, d->sum, chance(g, 50) ? ADD : XOR, expr_literal(g->p, UINT, rnd(g, 1 << 20)));
    else if (kind < 13)
        set(d, list, d->sum, MUL, expr_literal(g->p, UINT, 2 * rnd(g, 1000) + 1));
    else if (kind < 17)
        set(d, list, d->sum, XOR, gen_scalar(g, 0));
    else if (kind < 18)
        set(d, list, d->key, ADD, expr_binary(g->p, SHR, named(d, d->sum), number(g, 3)));
    else
        some_statement(g, list);
}

static bool returns(const struct gen *g) { return !g->no_return && (!g->function->result || g->function->result->kind == TYPE_VALUE); }

static bool can_leave(const struct deep *d, enum leave how)
{
    switch (how) {
    case LEAVE_RETURN: return returns(d->g);
    case LEAVE_CONTINUE: return d->in_loop;
    case LEAVE_BREAK: return d->in_loop || d->in_switch;
    default: return d->label != NO_LABEL;
    }
}

static struct stmt *new_exit(struct deep *d, enum leave how)
{
    static const enum stmt_kind kinds[] = {S_RETURN, S_CONTINUE, S_BREAK, S_GOTO};
    struct gen *g = d->g;
    struct stmt *s = stmt_new(g->p, kinds[how], NULL);
    const struct type *t = g->function->result;
    if (how == LEAVE_RETURN && t)
        s->e = t->lanes == 1 && t->base != BOOL && t->base != FLOAT ? expr_cast(g->p, t->base, named(d, d->sum)) : value_for(g, t, 0);
    if (how == LEAVE_GOTO)
        s->number = d->label;
    return s;
}

// if (question) { something; leave }
static void add_exit(struct deep *d, struct stmts *list, enum leave how)
{
    if (!can_leave(d, how))
        return;
    struct stmt *s = stmt_new(d->g->p, S_IF, question(d));
    if (chance(d->g, 50))
        fill(d, &s->body);
    push(d->g, &s->body, new_exit(d, how));
    push(d->g, list, s);
}

static struct expr *round_left(struct deep *d, struct expr *condition)
{
    struct expr *left = one_more(d->g, d->fuel, SUB);
    left->before = false;
    struct expr *e = expr_new(d->g->p, E_LOGIC, type_value(INT, 1), expr_binary(d->g->p, GT, left, number(d->g, 0)), condition);
    e->op = AND;
    return e;
}

// ---- wide ---------------------------------------------------------------------------------------

static void wide_leaves(struct deep *d, struct stmts *list, unsigned n)
{
    enum leave how = (enum leave)rnd(d->g, LEAVE_COUNT);
    struct deep outer = *d;
    bool mixed = chance(d->g, 25);
    if (how == LEAVE_CONTINUE || how == LEAVE_BREAK) {
        struct stmt *loop = stmt_new(d->g->p, chance(d->g, 50) ? S_DO : S_WHILE, round_left(d, question(d)));
        push(d->g, list, loop);
        list = &loop->body;
        d->in_loop = true;
    }
    for (unsigned i = 0; i < n; i++) {
        add_exit(d, list, mixed ? (enum leave)rnd(d->g, LEAVE_COUNT) : how);
        fill(d, list);
    }
    *d = outer;
}

static void else_ifs(struct deep *d, struct stmts *list, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        struct stmt *s = stmt_new(d->g->p, S_IF, question(d));
        fill(d, &s->body);
        push(d->g, list, s);
        list = &s->other;
    }
    fill(d, list);
}

static void choices(struct deep *d, struct stmts *list, unsigned n)
{
    struct gen *g = d->g;
    struct expr *e = gen_scalar(g, 0);
    bool second = chance(g, 70); // a ? b : (c ? d : e), else a ? (b ? c : d) : e
    e = expr_cast(g->p, UINT, e);
    for (unsigned i = 0; i < n; i++) {
        struct expr *other = chance(g, 70) ? expr_literal(g->p, UINT, rnd(g, 1 << 20)) : expr_cast(g->p, UINT, gen_scalar(g, 0));
        struct expr *choice = expr_new(g->p, E_CHOICE, type_value(UINT, 1), question(d), second ? other : e);
        choice->args[choice->count++] = second ? e : other;
        e = choice;
    }
    set(d, list, d->sum, XOR, e);
}

static void wide_switch(struct deep *d, struct stmts *list, unsigned n)
{
    struct gen *g = d->g;
    struct stmt *s = stmt_new(g->p, S_SWITCH, expr_cast(g->p, INT, expr_binary(g->p, AND, named(d, d->key), expr_literal(g->p, UINT, d->mask))));
    struct deep outer = *d;
    bool falls = chance(g, 30), sparse = chance(g, 30);
    d->in_switch = true;
    for (unsigned i = 0; i < n; i++) {
        struct stmt *at = stmt_new(g->p, i == n / 2 ? S_DEFAULT : S_CASE, NULL);
        at->number = (int)(sparse ? i * 3 : i);
        at->keep = true;
        push(g, &s->body, at);
        struct stmt *block = stmt_new(g->p, S_BLOCK, NULL);
        fill(d, &block->body);
        if (chance(g, 10))
            add_exit(d, &block->body, (enum leave)rnd(g, LEAVE_COUNT));
        push(g, &s->body, block);
        if (!falls || chance(g, 20))
            push(g, &s->body, stmt_new(g->p, S_BREAK, NULL));
    }
    *d = outer;
    push(g, list, s);
}

// n labels; from each, some work-items jump to another one, forward, or backward while iterations remain.
static void labels(struct deep *d, struct stmts *list, unsigned n)
{
    struct gen *g = d->g;
    int first = (int)g->p->labels;
    bool forward = chance(g, 60);
    g->p->labels += n;
    for (unsigned i = 0; i < n; i++) {
        struct stmt *label = stmt_new(g->p, S_LABEL, NULL), *jump = stmt_new(g->p, S_GOTO, NULL), *some = NULL;
        label->number = first + (int)i;
        label->keep = true;
        push(g, list, label);
        fill(d, list);
        unsigned to = forward ? i + 1 + rnd(g, n - i) : rnd(g, n);
        if (to >= n)
            continue;
        some = stmt_new(g->p, S_IF, to > i ? question(d) : round_left(d, question(d)));
        jump->number = first + (int)to;
        push(g, &some->body, jump);
        push(g, list, some);
    }
}

// ---- deep ---------------------------------------------------------------------------------------

static void nest(struct deep *d, struct stmts *list, unsigned depth, unsigned kinds);

static enum nest choose_kind(struct gen *g, unsigned kinds)
{
    enum nest kind;
    do
        kind = (enum nest)rnd(g, NEST_KINDS);
    while (!(kinds >> kind & 1));
    return kind;
}

// The next level, with other statements before and after it.
static void nest_inside(struct deep *d, struct stmts *list, unsigned depth, unsigned kinds)
{
    struct gen *g = d->g;
    g->level++;
    if (chance(g, 40))
        fill(d, list);
    if (chance(g, 8))
        add_exit(d, list, (enum leave)rnd(g, LEAVE_COUNT));
    nest(d, list, depth, kinds);
    if (chance(g, 60))
        fill(d, list);
    if (chance(g, 8))
        add_exit(d, list, (enum leave)rnd(g, LEAVE_COUNT));
    g->level--;
}

static void nest_if(struct deep *d, struct stmts *list, unsigned depth, unsigned kinds, bool in_else)
{
    struct stmt *s = stmt_new(d->g->p, S_IF, expr_binary(d->g->p, AND, named(d, d->key), expr_literal(d->g->p, UINT, 1 + (int)rnd(d->g, 255))));
    push(d->g, list, s);
    if (in_else) {
        fill(d, &s->body);
        nest_inside(d, &s->other, depth, kinds);
    } else {
        nest_inside(d, &s->body, depth, kinds);
        if (chance(d->g, 30))
            fill(d, &s->other);
    }
}

static void nest_loop(struct deep *d, struct stmts *list, unsigned depth, unsigned kinds, enum stmt_kind kind)
{
    struct gen *g = d->g;
    struct stmt *s = stmt_new(g->p, kind, NULL);
    if (kind == S_FOR) {
        struct var *i = var_new(g->p, "i", type_value(INT, 1), PLACE_FRAME);
        i->read_only = true;
        s->first = stmt_decl(g->p, i, number(g, 0));
        s->first->keep = true;
        s->e = expr_binary(g->p, LT, expr_var(g->p, i), number(g, 1 + (d->fors++ < FOR_LOOPS)));
        s->step = one_more(g, i, ADD);
    } else {
        s->e = round_left(d, kind == S_WHILE && chance(g, 70) ? number(g, 1) : question(d));
    }
    push(g, list, s);
    d->in_loop = true;
    nest_inside(d, &s->body, depth, kinds);
    if (kind == S_WHILE && chance(g, 70)) // mostly one iteration
        add_exit(d, &s->body, LEAVE_BREAK);
}

static void nest_switch(struct deep *d, struct stmts *list, unsigned depth, unsigned kinds)
{
    struct gen *g = d->g;
    unsigned n = 2 + rnd(g, 2), inner = rnd(g, n);
    struct stmt *s = stmt_new(g->p, S_SWITCH, expr_cast(g->p, INT, expr_binary(g->p, AND, named(d, d->key), expr_literal(g->p, UINT, 3))));
    d->in_switch = true;
    for (unsigned i = 0; i < n; i++) {
        struct stmt *at = stmt_new(g->p, i == inner ? S_DEFAULT : S_CASE, NULL), *block = stmt_new(g->p, S_BLOCK, NULL);
        at->number = (int)i;
        at->keep = true;
        push(g, &s->body, at);
        if (i == inner)
            nest_inside(d, &block->body, depth, kinds);
        else
            fill(d, &block->body);
        push(g, &s->body, block);
        if (chance(g, 70))
            push(g, &s->body, stmt_new(g->p, S_BREAK, NULL));
    }
    push(g, list, s);
}

static void nest(struct deep *d, struct stmts *list, unsigned depth, unsigned kinds)
{
    struct deep outer = *d;
    if (!depth) {
        fill(d, list);
        return;
    }
    switch (choose_kind(d->g, kinds)) {
    case NEST_IF: nest_if(d, list, depth - 1, kinds, false); break;
    case NEST_ELSE: nest_if(d, list, depth - 1, kinds, true); break;
    case NEST_DO: nest_loop(d, list, depth - 1, kinds, S_DO); break;
    case NEST_WHILE: nest_loop(d, list, depth - 1, kinds, S_WHILE); break;
    case NEST_FOR: nest_loop(d, list, depth - 1, kinds, S_FOR); break;
    case NEST_SWITCH: nest_switch(d, list, depth - 1, kinds); break;
    default: {
        struct stmt *s = stmt_new(d->g->p, S_BLOCK, NULL);
        push(d->g, list, s);
        nest_inside(d, &s->body, depth - 1, kinds);
    }
    }
    unsigned fors = d->fors;
    *d = outer;
    d->fors = fors;
}

static void nested(struct deep *d, struct stmts *list, unsigned n)
{
    static const unsigned alike[] = {1 << NEST_IF, 1 << NEST_ELSE, 1 << NEST_DO | 1 << NEST_WHILE | 1 << NEST_FOR, 1 << NEST_SWITCH};
    unsigned kinds = chance(d->g, 45) ? alike[rnd(d->g, 4)] : 0;
    while (!kinds)
        kinds = rnd(d->g, NEST_ALL + 1);
    nest(d, list, n, kinds);
}

// ---- everything ---------------------------------------------------------------------------------

static unsigned how_many(struct gen *g)
{
    unsigned kind = rnd(g, 10);
    return kind < 4 ? 5 + rnd(g, 25) : kind < 8 ? 30 + rnd(g, 60) : 90 + rnd(g, 50);
}

void gen_deep(struct gen *g, struct stmts *list)
{
    static void (*const shapes[])(struct deep *d, struct stmts *list, unsigned n) = {
        wide_leaves, wide_leaves, else_ifs, choices, wide_switch, labels, nested, nested, nested,
    };
    struct stmt *region = stmt_new(g->p, S_BLOCK, NULL), *end = stmt_new(g->p, S_LABEL, NULL);
    struct deep d = {.g = g, .label = (int)g->p->labels++};
    unsigned n = how_many(g), level = g->level;
    size_t seen = g->visible.count;
    bool uniform = g->uniform, may_break = g->may_break, may_continue = g->may_continue;
    struct expr *item = expr_new(g->p, E_ITEM, type_value(base_of_sizes(), 1), NULL, NULL);
    struct expr *own = g->lid ? expr_var(g->p, g->lid) : expr_cast(g->p, INT, item);
    for (d.mask = 7; d.mask < (int)n && d.mask < 127; d.mask = d.mask * 2 + 1)
        ;
    d.key = declare_part(&d, list, "n", UINT, expr_binary(g->p, XOR, own, gen_scalar(g, 1)));
    d.sum = declare_part(&d, list, "v", UINT, gen_scalar(g, 1));
    d.fuel = declare_part(&d, list, "f", INT, number(g, (int)(n * 2 + rnd(g, 8))));
    g->uniform = g->may_break = g->may_continue = false;
    g->level = level < 3 ? 3 : level; // statements inside are simple
    shapes[rnd(g, sizeof shapes / sizeof *shapes)](&d, &region->body, n);
    g->level = level;
    g->uniform = uniform;
    g->may_break = may_break;
    g->may_continue = may_continue;
    g->visible.count = seen;
    end->number = d.label;
    end->keep = true;
    push(g, &region->body, end);
    push(g, list, region);
    show(g, d.sum);
}
