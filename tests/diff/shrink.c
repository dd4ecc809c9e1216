// SPDX-License-Identifier: Apache-2.0
// Reduces a failing program while it keeps failing.
//
// First removes statements, in halves and then one by one; then the constructs around blocks; then replaces
// expressions by one of their operands of the same type or by 0. Declarations that are no longer used are removed.
#include "tree.h"

struct shrinker {
    struct program *p;
    bool (*fails)(struct program *p, void *data);
    void *data;
    bool changed;
};

// ---- what is still used -------------------------------------------------------------------------

static void mark_expr(struct expr *e)
{
    if (e->kind == E_VAR)
        e->var->used = true;
    for (unsigned i = 0; i < e->count; i++)
        mark_expr(e->args[i]);
}

static void mark_stmts(struct stmts *list)
{
    for (size_t i = 0; i < list->count; i++) {
        struct stmt *s = list->items[i];
        if (s->removed)
            continue;
        if (s->e)
            mark_expr(s->e);
        if (s->step)
            mark_expr(s->step);
        if (s->first)
            mark_stmts(&(struct stmts){&s->first, 1, 1});
        for (size_t k = 0; k < s->inits.count; k++)
            mark_expr(s->inits.items[k]);
        mark_stmts(&s->body);
        mark_stmts(&s->other);
    }
}

static void unmark_stmts(struct stmts *list)
{
    for (size_t i = 0; i < list->count; i++) {
        struct stmt *s = list->items[i];
        if (s->var)
            s->var->used = false;
        unmark_stmts(&s->body);
        unmark_stmts(&s->other);
    }
}

static void mark_used(struct program *p)
{
    unmark_stmts((struct stmts *)&p->constant_decls);
    for (size_t i = 0; i < p->functions.count; i++)
        unmark_stmts(&p->functions.items[i]->body);
    for (size_t i = 0; i < p->functions.count; i++)
        mark_stmts(&p->functions.items[i]->body);
}

// ---- statements ---------------------------------------------------------------------------------

static bool removable(const struct stmt *s)
{
    if (s->removed)
        return false;
    return s->kind == S_DECL ? !s->var->used && s->var->place != PLACE_GROUP : !s->keep;
}

static bool try_range(struct shrinker *k, struct stmts *list, size_t from, size_t to)
{
    struct stmt *gone[256];
    size_t n = 0;
    for (size_t i = from; i < to && n < 256; i++)
        if (removable(list->items[i]))
            gone[n++] = list->items[i];
    if (!n)
        return false;
    for (size_t i = 0; i < n; i++)
        gone[i]->removed = true;
    if (k->fails(k->p, k->data)) {
        k->changed = true;
        mark_used(k->p);
        return true;
    }
    for (size_t i = 0; i < n; i++)
        gone[i]->removed = false;
    return false;
}

// From the end, so that uses are removed before declarations.
static void shrink_list(struct shrinker *k, struct stmts *list)
{
    for (size_t width = list->count; width; width /= 2)
        for (size_t to = list->count; to; to = to > width ? to - width : 0)
            try_range(k, list, to > width ? to - width : 0, to);
    for (size_t i = 0; i < list->count; i++)
        if (!list->items[i]->removed) {
            shrink_list(k, &list->items[i]->body);
            shrink_list(k, &list->items[i]->other);
        }
}

// if (c) { A } else { B }  ->  { A }
static void unwrap_list(struct shrinker *k, struct stmts *list)
{
    for (size_t i = 0; i < list->count; i++) {
        struct stmt *s = list->items[i], old = *s;
        if (s->removed)
            continue;
        if (s->kind == S_IF) {
            s->kind = S_BLOCK;
            s->other.count = 0;
            if (k->fails(k->p, k->data))
                k->changed = true;
            else
                *s = old;
        }
        unwrap_list(k, &s->body);
        unwrap_list(k, &s->other);
    }
}

// ---- expressions --------------------------------------------------------------------------------

static bool replace(struct shrinker *k, struct expr **slot, struct expr *with)
{
    struct expr *old = *slot;
    *slot = with;
    if (k->fails(k->p, k->data)) {
        k->changed = true;
        return true;
    }
    *slot = old;
    return false;
}

static struct expr *nothing(struct shrinker *k, const struct type *type)
{
    if (type->kind == TYPE_MATRIX)
        return expr_new(k->p, E_SPLAT, type, expr_literal(k->p, INT, 0), NULL);
    if (base_is_float(type->base) && type->base != FLOAT) // no literals of this type
        return expr_new(k->p, E_CAST, type, expr_literal(k->p, FLOAT, 0), NULL);
    struct expr *zero = expr_literal(k->p, type->base, 0);
    if (type->lanes == 1)
        return zero;
    return expr_new(k->p, E_VECTOR, type, zero, NULL);
}

static void shrink_expr(struct shrinker *k, struct expr **slot);

// An operand whose address or lane is taken must remain an lvalue; only its own operands are reduced.
static void shrink_operands(struct shrinker *k, struct expr *e)
{
    bool of_place = e->kind == E_ADDRESS || e->kind == E_LANE_AT || e->kind == E_COMPONENT;
    for (unsigned i = 0; i < e->count; i++)
        if (i || !of_place)
            shrink_expr(k, &e->args[i]);
        else if (!e->args[0]->fixed)
            shrink_operands(k, e->args[0]);
}

static void shrink_expr(struct shrinker *k, struct expr **slot)
{
    struct expr *e = *slot;
    if (e->fixed)
        return;
    bool plain = e->kind == E_LITERAL || e->kind == E_VAR || e->kind == E_VECTOR;
    if (e->kind == E_STORE)
        shrink_expr(k, &e->args[1]);
    if (e->kind == E_ASSIGN || e->kind == E_STEP || e->kind == E_VSTORE || e->kind == E_ATOMIC || e->kind == E_STORE) {
        if (e->kind == E_ASSIGN && !e->compound)
            shrink_expr(k, &e->args[1]);
        else if (e->kind == E_ASSIGN)
            shrink_expr(k, &e->args[1]->args[1]);
        return;
    }
    plain |= e->kind == E_SPLAT;
    if (e->type && (e->type->kind == TYPE_VALUE || e->type->kind == TYPE_MATRIX) && !plain) {
        if (replace(k, slot, nothing(k, e->type)))
            return;
        for (unsigned i = 0; i < e->count; i++)
            if (e->args[i]->type == e->type && replace(k, slot, e->args[i])) {
                shrink_expr(k, slot);
                return;
            }
    }
    shrink_operands(k, e);
}

static void shrink_exprs(struct shrinker *k, struct stmts *list)
{
    for (size_t i = 0; i < list->count; i++) {
        struct stmt *s = list->items[i];
        bool loop = s->kind == S_WHILE || s->kind == S_DO || s->kind == S_FOR;
        if (s->removed)
            continue;
        if (s->e && !loop)
            shrink_expr(k, &s->e);
        else if (s->e && s->e->kind == E_LOGIC)
            shrink_expr(k, &s->e->args[1]);
        if (!s->keep)
            for (size_t n = 0; n < s->inits.count; n++)
                shrink_expr(k, &s->inits.items[n]);
        shrink_exprs(k, &s->body);
        shrink_exprs(k, &s->other);
    }
}

void shrink(struct program *p, bool (*fails)(struct program *p, void *data), void *data)
{
    struct shrinker k = {.p = p, .fails = fails, .data = data};
    do {
        k.changed = false;
        for (size_t i = p->functions.count; i-- > 0;) {
            mark_used(p);
            shrink_list(&k, &p->functions.items[i]->body);
            unwrap_list(&k, &p->functions.items[i]->body);
        }
        for (size_t i = p->functions.count; i-- > 0;)
            shrink_exprs(&k, &p->functions.items[i]->body);
    } while (k.changed);
}
