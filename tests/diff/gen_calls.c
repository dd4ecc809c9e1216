// SPDX-License-Identifier: Apache-2.0
// Generates many functions that call each other, level by level. Each function calls some of the levels below it: in
// plain statements, conditions, loops, branches and cases; by value and by pointer. Functions with barriers are
// called only in uniform control flow.
//
// A compiler that inlines every call makes as many copies of a function as there are paths to it. `weight` counts
// these for each function; functions above the limit are dropped.
#include "generate.h"

enum { LEVELS = 20, RUNS = 200, TRIES = 4, BARRIER_FUNCTIONS = 4, WORKED_ON = 4 };

// ---- weights ------------------------------------------------------------------------------------

static unsigned weigh_list(const struct stmts *list);

static unsigned weigh_expr(const struct expr *e)
{
    unsigned weight = e->kind == E_CALL ? e->callee->weight : 0;
    for (unsigned i = 0; i < e->count; i++)
        weight += weigh_expr(e->args[i]);
    return weight;
}

static unsigned weigh_stmt(const struct stmt *s)
{
    unsigned weight = weigh_list(&s->body) + weigh_list(&s->other);
    weight += s->e ? weigh_expr(s->e) : 0;
    weight += s->step ? weigh_expr(s->step) : 0;
    weight += s->first ? weigh_stmt(s->first) : 0;
    for (size_t i = 0; i < s->inits.count; i++)
        weight += weigh_expr(s->inits.items[i]);
    return weight;
}

static unsigned weigh_list(const struct stmts *list)
{
    unsigned weight = 0;
    for (size_t i = 0; i < list->count; i++)
        weight += weigh_stmt(list->items[i]);
    return weight;
}

// ---- what calls need ----------------------------------------------------------------------------

// Whether a value can come only from a parameter: a pointer to memory that functions cannot declare.
static bool needs_param(const struct type *t)
{
    return t->kind == TYPE_POINTER && (t->space == GLOBAL || t->space == LOCAL || t->space == CONSTANT);
}

static bool has_param(const struct function *f, const struct type *want)
{
    for (size_t i = 0; i < f->params.count; i++) {
        const struct type *t = f->params.items[i]->type;
        if (t->kind == TYPE_POINTER && t->space == want->space && type_same(t->of, want->of) && t->count >= want->count &&
            (want->read_only || !t->read_only))
            return true;
    }
    return false;
}

// Declares what the arguments of a call of `callee` need.
static void prepare(struct gen *g, struct stmts *list, const struct function *callee)
{
    for (size_t i = 0; i < callee->params.count; i++) {
        const struct type *t = callee->params.items[i]->type;
        if (t->kind == TYPE_POINTER && !needs_param(t) && (chance(g, 30) || !gen_pointer(g, t, LIVES_HERE)))
            gen_declare(g, list, "a", type_array(g->p->arena, t->of, t->count < 2 ? 2 : t->count));
        else if (t->kind == TYPE_RECORD && !gen_record(g, t, false))
            gen_declare(g, list, "s", t);
    }
}

static struct expr *call(struct gen *g, struct stmts *list, struct function *callee)
{
    struct expr *e = NULL;
    prepare(g, list, callee);
    for (unsigned tries = 0; !e && tries < TRIES; tries++)
        e = gen_call(g, callee);
    return e;
}

static bool gives_number(const struct function *f)
{
    return f->result && f->result->kind == TYPE_VALUE && f->result->lanes == 1 && f->result->base != FLOAT;
}

// ---- calls in all kinds of statements -----------------------------------------------------------

// A plain call, whose result is added to the variable `sum`.
static bool plain(struct gen *g, struct stmts *list, struct function *callee, struct var *sum)
{
    struct expr *e = call(g, list, callee);
    if (!e)
        return false;
    if (!callee->result) {
        push(g, list, stmt_new(g->p, S_EXPR, e));
    } else if (gives_number(callee) && chance(g, 60)) {
        struct expr *add = expr_binary(g->p, chance(g, 50) ? ADD : XOR, expr_var(g->p, sum), expr_cast(g->p, UINT, e));
        push(g, list, stmt_new(g->p, S_EXPR, expr_assign(g->p, expr_var(g->p, sum), add)));
    } else {
        struct stmt *s = stmt_decl(g->p, var_new(g->p, "v", callee->result, PLACE_FRAME), e);
        push(g, list, s);
        show(g, s->var);
    }
    return true;
}

static struct expr *question(struct gen *g, struct expr *e)
{
    static const enum op ops[] = {LT, GT, NE, LE};
    return expr_binary(g->p, ops[rnd(g, 4)], e, chance(g, 50) ? gen_literal(g, e->type) : gen_scalar(g, 0));
}

static void plain_inside(struct gen *g, struct stmts *list, struct function *callee, struct var *sum)
{
    size_t seen = g->visible.count;
    g->level++;
    plain(g, list, callee, sum);
    if (chance(g, 40))
        gen_stmts(g, list, 1);
    g->level--;
    g->visible.count = seen;
}

static void add_statement(struct gen *g, struct stmts *list)
{
    size_t seen = g->visible.count;
    g->level++;
    gen_one_stmt(g, list);
    g->level--;
    g->visible.count = seen;
}

// if (f(...) < x && g(...)) { ... } else { ... }
static bool in_condition(struct gen *g, struct stmts *list, struct function *callee, struct function *other, struct var *sum)
{
    struct expr *e = gives_number(callee) ? call(g, list, callee) : NULL, *second = NULL;
    if (!e)
        return false;
    e = question(g, e);
    if (gives_number(other) && chance(g, 40))
        second = call(g, list, other);
    if (second) {
        e = expr_new(g->p, E_LOGIC, type_value(INT, 1), e, question(g, second));
        e->op = chance(g, 50) ? AND : OR;
    }
    struct stmt *s = stmt_new(g->p, S_IF, e);
    bool uniform = g->uniform;
    g->uniform = false;
    plain_inside(g, &s->body, other, sum);
    if (chance(g, 40))
        add_statement(g, &s->other);
    g->uniform = uniform;
    push(g, list, s);
    return true;
}

static bool in_branch(struct gen *g, struct stmts *list, struct function *callee, struct function *other, struct var *sum)
{
    struct stmt *s = stmt_new(g->p, S_IF, gen_scalar(g, 1));
    bool uniform = g->uniform;
    g->uniform = false;
    plain_inside(g, &s->body, callee, sum);
    if (chance(g, 60))
        plain_inside(g, &s->other, other, sum);
    g->uniform = uniform;
    push(g, list, s);
    return true;
}

// A few iterations; the same number for all work-items, or not.
static bool in_loop(struct gen *g, struct stmts *list, struct function *callee, struct function *other, struct var *sum)
{
    struct var *i = var_new(g->p, "i", type_value(INT, 1), PLACE_FRAME);
    struct expr *bound = chance(g, 50) ? number(g, 2 + (int)rnd(g, 2)) : expr_cast(g->p, INT, expr_binary(g->p, AND, gen_scalar(g, 0), number(g, 3)));
    struct stmt *s = stmt_new(g->p, S_FOR, expr_binary(g->p, LT, expr_var(g->p, i), bound));
    bool uniform = g->uniform;
    size_t seen = g->visible.count;
    (void)other;
    i->read_only = true;
    s->first = stmt_decl(g->p, i, number(g, 0));
    s->first->keep = true;
    s->step = one_more(g, i, ADD);
    g->uniform = false;
    show(g, i);
    plain_inside(g, &s->body, callee, sum);
    g->uniform = uniform;
    g->visible.count = seen;
    push(g, list, s);
    return true;
}

static bool in_case(struct gen *g, struct stmts *list, struct function *callee, struct function *other, struct var *sum)
{
    struct stmt *s = stmt_new(g->p, S_SWITCH, expr_cast(g->p, INT, expr_binary(g->p, AND, gen_scalar(g, 1), number(g, 3))));
    struct function *called[] = {callee, other, chance(g, 50) ? callee : other};
    bool uniform = g->uniform;
    g->uniform = false;
    for (int i = 0; i < 3; i++) {
        struct stmt *at = stmt_new(g->p, i == 2 ? S_DEFAULT : S_CASE, NULL), *block = stmt_new(g->p, S_BLOCK, NULL);
        at->number = i;
        at->keep = true;
        push(g, &s->body, at);
        plain_inside(g, &block->body, called[i], sum);
        push(g, &s->body, block);
        if (chance(g, 70))
            push(g, &s->body, stmt_new(g->p, S_BREAK, NULL));
    }
    g->uniform = uniform;
    push(g, list, s);
    return true;
}

// sum = question ? f(...) : g(...)
static bool in_choice(struct gen *g, struct stmts *list, struct function *callee, struct function *other, struct var *sum)
{
    struct expr *a = gives_number(callee) ? call(g, list, callee) : NULL, *b = gives_number(other) ? call(g, list, other) : NULL;
    if (!a || !b)
        return false;
    struct expr *e = expr_new(g->p, E_CHOICE, type_value(UINT, 1), gen_scalar(g, 1), expr_cast(g->p, UINT, a));
    e->args[e->count++] = expr_cast(g->p, UINT, b);
    push(g, list, stmt_new(g->p, S_EXPR, expr_assign(g->p, expr_var(g->p, sum), e)));
    return true;
}

static bool (*const places[])(struct gen *g, struct stmts *list, struct function *callee, struct function *other, struct var *sum) = {
    in_condition, in_branch, in_loop, in_case, in_choice,
};

static void call_somewhere(struct gen *g, struct stmts *list, struct function *callee, struct function *other, struct var *sum)
{
    bool done = chance(g, 60) && callee->runs < RUNS / 4 &&
                places[rnd(g, sizeof places / sizeof *places)](g, list, callee, other, sum);
    if (!done)
        plain(g, list, callee, sum);
}

// ---- functions ----------------------------------------------------------------------------------

static const struct type *param_type(struct gen *g)
{
    static const enum space spaces[] = {PRIVATE, PRIVATE, PRIVATE, GENERIC, GLOBAL, GLOBAL, LOCAL};
    enum space space = spaces[rnd(g, 7)];
    struct type *record = some_record(g, false);
    if (chance(g, 35))
        return random_value_type(g);
    if (record && chance(g, 25))
        return record;
    if (space == GLOBAL)
        return type_pointer(g->p->arena, g->calls.global_of, GLOBAL, 4, chance(g, 25));
    if (space == LOCAL && g->calls.local)
        return type_pointer(g->p->arena, g->tile_type, LOCAL, g->slice, chance(g, 25));
    if (space == GENERIC && !g->p->generic)
        space = PRIVATE;
    if (space == LOCAL)
        space = PRIVATE;
    return type_pointer(g->p->arena, record && chance(g, 30) ? record : element_type(g), space, 1u << 2 * rnd(g, 2), chance(g, 25));
}

// Chooses callees for a function of the next level, mostly from the level below; all of them if there are fewer.
static unsigned choose(struct gen *g, struct function *callees[], unsigned most)
{
    unsigned count = 0, all = (unsigned)g->calls.all.count, from = g->calls.level_start;
    for (unsigned i = 0; i < most && all; i++) // mostly of the level just below
        callees[count++] = g->calls.all.items[from < all && chance(g, 70) ? from + rnd(g, all - from) : rnd(g, all)];
    return count;
}

static void add_params(struct gen *g, struct function *f, struct function *const callees[], unsigned count)
{
    for (unsigned n = 1 + rnd(g, 3); n; n--) {
        const struct type *t = param_type(g);
        while (f->pure && t->kind == TYPE_POINTER)
            t = param_type(g);
        gen_param(g, f, t);
    }
    for (unsigned i = 0; i < count; i++)
        for (size_t k = 0; k < callees[i]->params.count; k++) {
            const struct type *t = callees[i]->params.items[k]->type;
            if (needs_param(t) && !has_param(f, t))
                gen_param(g, f, t);
        }
}

static bool must_take(struct function *const callees[], unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        for (size_t k = 0; k < callees[i]->params.count; k++)
            if (needs_param(callees[i]->params.items[k]->type))
                return true;
    return false;
}

static struct var *declare_sum(struct gen *g, struct stmts *list)
{
    struct var *sum = var_new(g->p, "v", type_value(UINT, 1), PLACE_FRAME);
    struct stmt *s = stmt_decl(g->p, sum, expr_cast(g->p, UINT, gen_scalar(g, 1)));
    s->keep = true;
    push(g, list, s);
    show(g, sum);
    return sum;
}

// Returns the sum of the results of its calls, converted to the function's type.
static void add_return(struct gen *g, struct function *f, struct var *sum)
{
    const struct type *t = f->result;
    struct expr *e;
    if (!t)
        return;
    if (t->kind == TYPE_RECORD) {
        struct stmt *s = stmt_decl(g->p, var_new(g->p, "s", t, PLACE_FRAME), NULL);
        gen_inits(g, s, false);
        push(g, &f->body, s);
        e = expr_var(g->p, s->var);
    } else {
        struct expr *part = expr_binary(g->p, AND, expr_var(g->p, sum), number(g, t->base == FLOAT ? 63 : -1));
        e = value_for(g, t, 1);
        if (t->base != BOOL)
            e = expr_binary(g->p, t->base == FLOAT ? ADD : XOR, e, expr_cast(g->p, t->base, part));
    }
    struct stmt *s = stmt_new(g->p, S_RETURN, e);
    s->keep = true;
    push(g, &f->body, s);
}

static unsigned runs_of(struct function *const callees[], unsigned count)
{
    unsigned runs = 1;
    for (unsigned i = 0; i < count; i++)
        runs += callees[i]->runs * 2;
    return runs;
}

static bool is_within_limit(struct gen *g, struct function *f)
{
    f->weight = 1 + weigh_list(&f->body);
    return f->weight <= g->features->weight && f->runs <= RUNS;
}

static void remember(struct gen *g, struct function *f)
{
    vec_push(g->p->arena, &g->p->functions, f);
    vec_push(g->p->arena, &g->calls.all, f);
}

static void gen_caller(struct gen *g, unsigned most)
{
    struct function *f = gen_new_function(g), *callees[4];
    struct type *record = some_record(g, false);
    unsigned count = choose(g, callees, most);
    f->runs = runs_of(callees, count);
    while (count && f->runs > RUNS)
        f->runs = runs_of(callees, --count);
    f->pure = chance(g, 40) && !must_take(callees, count);
    f->no_inline = chance(g, 20);
    f->result = record && chance(g, 15) ? record : chance(g, 40) ? type_value(random_base(g), 1) : random_value_type(g);
    if (!f->pure && chance(g, 15))
        f->result = NULL;
    add_params(g, f, callees, count);
    struct var *sum = declare_sum(g, &f->body);
    for (unsigned i = 0; i < count; i++) {
        if (chance(g, 50))
            gen_one_stmt(g, &f->body);
        call_somewhere(g, &f->body, callees[i], callees[rnd(g, count)], sum);
    }
    gen_stmts(g, &f->body, count ? rnd(g, 2) : 1 + rnd(g, 3));
    add_return(g, f, sum);
    if (is_within_limit(g, f))
        remember(g, f);
}

// A function that works on four elements of a caller's array again and again, as hash functions do. The kernel calls it
// with elements at known positions; no other function does.
static void gen_worker(struct gen *g)
{
    static const enum op ops[] = {ADD, SUB, MUL, AND, OR, XOR};
    const struct type *uint = type_value(UINT, 1);
    struct function *f = gen_new_function(g);
    f->no_inline = true;
    gen_param(g, f, type_pointer(g->p->arena, uint, PRIVATE, WORKED_ON, false));
    struct var *array = f->params.items[0];
    g->visible.count--; // other accesses to the array would have unknown positions
    for (unsigned n = 16 + rnd(g, 24); n; n--) {
        struct expr *at[3];
        for (int i = 0; i < 3; i++)
            at[i] = expr_new(g->p, E_INDEX, uint, expr_var(g->p, array), number(g, (int)rnd(g, WORKED_ON)));
        struct expr *value = expr_binary(g->p, ops[rnd(g, 6)], at[1], value_for(g, uint, 0));
        struct stmt *s = stmt_new(g->p, S_EXPR, expr_assign(g->p, at[0], value));
        if (chance(g, 60)) { // else the compiler keeps the values between accesses
            struct stmt *branch = stmt_new(g->p, S_IF, expr_binary(g->p, LT, at[2], value_for(g, uint, 0)));
            push(g, &branch->body, s);
            s = branch;
        }
        push(g, &f->body, s);
    }
    vec_push(g->p->arena, &g->p->functions, f);
    g->calls.worker = f;
}

static void call_worker(struct gen *g, struct stmts *list)
{
    const struct type *uint = type_value(UINT, 1);
    struct function *f = g->calls.worker;
    gen_declare(g, list, "a", type_array(g->p->arena, uint, 3 * WORKED_ON));
    struct var *array = g->visible.items[g->visible.count - 1];
    for (unsigned n = 2 + rnd(g, 3); n; n--) {
        struct expr *e = expr_new(g->p, E_CALL, type_value(INT, 1), NULL, NULL);
        const struct type *pointer = f->params.items[0]->type;
        e->callee = f;
        add_call_arg(e, expr_new(g->p, E_OFFSET, pointer, expr_var(g->p, array), number(g, (int)rnd(g, 2 * WORKED_ON + 1))));
        push(g, list, stmt_new(g->p, S_EXPR, e));
    }
}

static void gen_barrier_functions(struct gen *g)
{
    for (unsigned n = 2 + rnd(g, BARRIER_FUNCTIONS - 1); n; n--)
        gen_barrier_function(g);
}

void gen_calls(struct gen *g)
{
    unsigned levels = 3 + rnd(g, LEVELS - 2), width = levels < 8 ? 4 : 3;
    g->calls.global_of = element_type(g);
    g->calls.local = chance(g, 30);
    for (unsigned level = 0; level < levels; level++) {
        unsigned end = (unsigned)g->calls.all.count;
        for (unsigned n = 1 + rnd(g, width); n; n--)
            gen_caller(g, level ? 1 + rnd(g, 4) : 0);
        g->calls.level_start = end;
    }
    if (g->calls.local && chance(g, 70))
        gen_barrier_functions(g);
    g->calls.worker = NULL;
    if (chance(g, 40))
        gen_worker(g);
}

// In the kernel: calls the last functions, which no other calls, and some more.
void gen_call_them(struct gen *g, struct stmts *list)
{
    struct var *sum = declare_sum(g, list);
    unsigned count = (unsigned)g->calls.all.count, weight = 0;
    for (unsigned i = 0, n = 1 + rnd(g, 3); i < n && i < count; i++) {
        struct function *f = g->calls.all.items[count - 1 - i];
        weight += f->weight;
        if (i && weight > g->features->weight)
            break;
        call_somewhere(g, list, f, f, sum);
    }
    if (g->calls.worker)
        call_worker(g, list);
}
