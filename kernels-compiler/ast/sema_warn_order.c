// SPDX-License-Identifier: Apache-2.0
// Warnings about a variable that is modified twice, or modified and read, without a sequence point in between (C
// 6.5).
//
// Two walks over a full expression. The first finds the variables that it modifies; mostly there is none besides the
// one it assigns to. The second lists accesses to those variables in textual order and compares the accesses of each
// pair of unsequenced operands. Expressions with too many of them are skipped.
#include "ast/sema_impl.h"
#include "util/stack.h"

enum { MAX_VARIABLES = 8, MAX_EVENTS = 64 };

struct event {
    uint8_t variable;
    bool changes;
    bool done; // sequenced before the value of the enclosing expression, e.g. an argument of a call
    struct loc loc;
};

struct order {
    struct ast *ast;
    const struct decl *variables[MAX_VARIABLES];
    bool reported[MAX_VARIABLES];
    unsigned variable_count, event_count;
    struct event events[MAX_EVENTS];
    bool full;
};

static const struct decl *changed_variable(const struct expr *a)
{
    bool changes = a->kind == EXPR_ASSIGN || a->kind == EXPR_ASSIGN_OP || a->kind == EXPR_INCDEC;
    return changes && a->a->kind == EXPR_OBJECT ? a->a->decl : NULL;
}

static int find_variable(const struct order *order, const struct decl *decl)
{
    for (unsigned i = 0; i < order->variable_count; i++)
        if (order->variables[i] == decl)
            return (int)i;
    return -1;
}

// Nodes that are used several times are walked only where they are evaluated.
static bool is_leaf(const struct expr *a)
{
    return a->kind == EXPR_ONCE || a->kind == EXPR_STATEMENT || a->kind == EXPR_COMPOUND;
}

static void find_variables(struct order *order, const struct expr *a)
{
    stack_check();
    if (!a || is_leaf(a))
        return;
    const struct decl *decl = changed_variable(a);
    if (decl && find_variable(order, decl) < 0) {
        if (order->variable_count == MAX_VARIABLES)
            order->full = true;
        else
            order->variables[order->variable_count++] = decl;
    }
    find_variables(order, a->kind == EXPR_WITH ? a->a->a : a->a);
    find_variables(order, a->b);
    find_variables(order, a->c);
    for (uint32_t i = 0; i < a->arg_count; i++)
        find_variables(order, a->args[i]);
}

static void add_event(struct order *order, const struct decl *decl, bool changes, struct loc loc)
{
    int variable = find_variable(order, decl);
    if (variable < 0)
        return;
    if (order->event_count == MAX_EVENTS)
        order->full = true;
    else
        order->events[order->event_count++] = (struct event){(uint8_t)variable, changes, false, loc};
}

static void report(struct order *order, const struct event *a, const struct event *b)
{
    const struct event *change = a->changes ? a : b;
    if (order->reported[a->variable] || order->full)
        return;
    order->reported[a->variable] = true;
    diag_warning(order->ast->diag, change->loc,
                 a->changes && b->changes ? "multiple unsequenced modifications to '%s'"
                                          : "unsequenced modification and access to '%s'",
                 order->variables[a->variable]->name);
}

// Compares events [first, second) with [second, end).
static void compare(struct order *order, unsigned first, unsigned second)
{
    for (unsigned i = first; i < second; i++)
        for (unsigned k = second; k < order->event_count; k++) {
            const struct event *a = &order->events[i], *b = &order->events[k];
            if (a->variable == b->variable && (a->changes || b->changes))
                report(order, a, b);
        }
}

static void walk(struct order *order, const struct expr *a);

static void walk_operand(struct order *order, const struct expr *a, unsigned first)
{
    unsigned second = order->event_count;
    walk(order, a);
    compare(order, first, second);
}

static void finish(struct order *order, unsigned first)
{
    for (unsigned i = first; i < order->event_count; i++)
        order->events[i].done = true;
}

// The modification is sequenced after the values of both operands, but not after their side effects.
static void walk_change(struct order *order, const struct expr *a, unsigned first)
{
    const struct decl *decl = changed_variable(a);
    if (a->a->kind != EXPR_OBJECT)
        walk(order, a->a);
    if (a->kind != EXPR_INCDEC)
        walk_operand(order, a->b, first);
    if (!decl)
        return;
    unsigned end = order->event_count;
    add_event(order, decl, true, a->loc);
    for (unsigned i = first; i < end && order->event_count > end; i++)
        if (order->events[i].changes && !order->events[i].done &&
            order->events[i].variable == order->events[end].variable)
            report(order, &order->events[i], &order->events[end]);
}

static void walk(struct order *order, const struct expr *a)
{
    stack_check();
    unsigned first = order->event_count;
    if (!a || is_leaf(a) || order->full)
        return;
    switch (a->kind) {
    case EXPR_OBJECT:
        add_event(order, a->decl, false, a->loc);
        return;
    case EXPR_ASSIGN:
    case EXPR_ASSIGN_OP:
    case EXPR_INCDEC:
        walk_change(order, a, first);
        return;
    case EXPR_ADDRESS: // the address of a variable does not read it
        if (a->a->kind != EXPR_OBJECT)
            walk(order, a->a);
        return;
    case EXPR_COMMA:
    case EXPR_LOGICAL:
    case EXPR_COND:
    case EXPR_WITH:
        walk(order, a->kind == EXPR_WITH ? a->a->a : a->a);
        finish(order, first);
        walk(order, a->b);
        walk(order, a->c);
        return;
    default:
        walk(order, a->a);
        walk_operand(order, a->b, first);
        walk_operand(order, a->c, first);
        for (uint32_t i = 0; i < a->arg_count; i++)
            walk_operand(order, a->args[i], first);
        if (a->kind == EXPR_CALL || a->kind == EXPR_BUILTIN)
            finish(order, first);
        return;
    }
}

void sema_warn_order(struct ast *ast, const struct expr *a)
{
    struct order order = {.ast = ast};
    find_variables(&order, a);
    if (!ast->dead && order.variable_count && !order.full)
        walk(&order, a);
}
