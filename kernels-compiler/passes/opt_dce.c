// SPDX-License-Identifier: Apache-2.0
// Drops what nobody needs: values without an effect that reaches the outside, cycles of phis
// included, stores to private variables that are never read, and ifs, loops and switches with
// nothing in them.
//
// Marks from the roots (effects, jumps, conditions) and sweeps the rest; a store to a private variable is a root once
// something that is needed reads the variable. Structures go first, from
// the inside out, so that their conditions fall too. A loop goes only when it is seen to end: C
// lets us assume more, but an endless loop may be somebody's way to wait.
#include "passes/opt.h"

enum { KEPT = UINT32_MAX }; // as a variable's number: something that stays names it
enum { NEEDED = 1, READ }; // marks; READ: an address by which something is read, and what it is made of

struct writer { // of a private variable
    struct ir_instr *instr;
    struct writer *next;
};

struct dce {
    struct ir_module *m;
    struct arena *scratch;
    struct ir_function *f;
    struct writer **writers; // by the variable's number - 1, until it is seen to be read (number 0)
    VEC(struct ir_instr *) work;
    bool changed;
};

// ---- empty structures ---------------------------------------------------------------------------

static bool has_phis(const struct ir_block *b)
{
    return b->first && b->first->op == IR_OP_phi;
}

static bool only_break(const struct ir_list *list)
{
    const struct ir_block *b = ir_list_first(list);
    return list->first == list->last &&
           (!b->first || (b->first == b->last && b->first->op == IR_OP_break));
}

static bool empty_structure(const struct ir_node *node)
{
    if (has_phis((const struct ir_block *)node->next))
        return false;
    if (node->kind == IR_IF) {
        const struct ir_if *n = (const struct ir_if *)node;
        return opt_list_is_empty(&n->then_list) && opt_list_is_empty(&n->else_list);
    }
    if (node->kind == IR_LOOP) // its first act is to leave
        return only_break(&((const struct ir_loop *)node)->body) &&
               ((const struct ir_loop *)node)->body.first &&
               !opt_list_is_empty(&((const struct ir_loop *)node)->body);
    const struct ir_switch *n = (const struct ir_switch *)node;
    for (uint32_t i = 0; i < n->case_count; i++)
        if (!only_break(&n->cases[i].list))
            return false;
    return true;
}

static void remove_structures(struct dce *d)
{
    struct opt_nodes nodes = opt_nodes(d->f, d->scratch);
    for (size_t i = nodes.count; i-- > 0;)
        if (empty_structure(nodes.items[i])) {
            ir_node_remove(nodes.items[i]);
            d->changed = true;
        }
}

// ---- variables that are only written ------------------------------------------------------------

static bool is_own(const struct ir_var *var)
{
    return var->space == IR_PRIVATE && !var->in_module;
}

static struct ir_var *base_var(const struct ir_instr *x)
{
    while (x->op == IR_OP_ptr_index && x->type.space == IR_PRIVATE)
        x = x->src[0];
    return x->op == IR_OP_addr && is_own(x->var) ? x->var : NULL;
}

static struct ir_var *written_var(const struct ir_instr *x)
{
    if (x->op == IR_OP_elem_store)
        return is_own(x->var) ? x->var : NULL;
    if (x->op != IR_OP_store && x->op != IR_OP_copy && x->op != IR_OP_zero)
        return NULL;
    return base_var(x->src[0]);
}

// ---- marking and sweeping -----------------------------------------------------------------------

static void mark(struct dce *d, struct ir_instr *x)
{
    if (!x || x->mark || opt_is_floating(x))
        return;
    x->mark = NEEDED;
    vec_push(d->scratch, &d->work, x);
}

// The variable is read: what is written to it counts.
static void mark_var(struct dce *d, struct ir_var *var)
{
    if (!var->id)
        return;
    for (struct writer *w = d->writers[var->id - 1]; w; w = w->next)
        mark(d, w->instr);
    var->id = 0;
}

// A chain of addresses is gone through once, whatever reads by its links.
static void mark_base(struct dce *d, struct ir_instr *x)
{
    for (; x->op == IR_OP_ptr_index && x->type.space == IR_PRIVATE && x->mark != READ; x = x->src[0]) {
        mark(d, x);
        x->mark = READ;
    }
    if (x->op == IR_OP_addr && is_own(x->var))
        mark_var(d, x->var);
}

// What `x`, which is needed, reads by an address.
static void mark_read_vars(struct dce *d, const struct ir_instr *x)
{
    bool writes_first = x->op == IR_OP_store || x->op == IR_OP_copy || x->op == IR_OP_zero;
    if (x->op == IR_OP_ptr_index)
        return; // who uses it says for what
    for (uint32_t i = writes_first && !x->mem.is_volatile; i < x->src_count; i++)
        if (x->src[i]->type.base == IR_PTR)
            mark_base(d, x->src[i]);
    if ((x->op == IR_OP_elem_load || x->op == IR_OP_elem_atomic) && is_own(x->var))
        mark_var(d, x->var);
}

static bool does_nothing(const struct ir_instr *x)
{
    bool stores = x->op == IR_OP_store, copies = x->op == IR_OP_copy, zeroes = x->op == IR_OP_zero;
    if ((copies || zeroes) && !x->size)
        return true;
    return !x->mem.is_volatile &&
           ((stores && x->src[1]->op == IR_OP_undef) || (copies && x->src[0] == x->src[1]) ||
            ((stores || copies || zeroes) && opt_is_undefined_address(x->src[0])));
}

// Has an effect; that of a write to a private variable waits until it is known to be read.
static void mark_effect(struct dce *d, struct ir_instr *x)
{
    if (x->op == IR_OP_load && x->mem.is_volatile)
        mark(d, x);
    if (!ir_has_flag(x, IR_FLAG_W) || does_nothing(x))
        return;
    const struct ir_var *var = d->f->vars.count ? written_var(x) : NULL;
    if (!var || !var->id || x->mem.is_volatile) {
        mark(d, x);
        return;
    }
    struct writer *w = arena_alloc(d->scratch, sizeof *w);
    *w = (struct writer){x, d->writers[var->id - 1]};
    d->writers[var->id - 1] = w;
}

static void mark_all(struct dce *d)
{
    for (struct ir_block *b = ir_first_block(d->f); b; b = ir_next_block(b)) {
        struct ir_node *next = b->node.next;
        for (struct ir_instr *x = b->first; x; x = x->next)
            mark_effect(d, x);
        if (next)
            mark(d, next->kind == IR_IF     ? ((struct ir_if *)next)->cond
                    : next->kind == IR_LOOP ? ((struct ir_loop *)next)->cond
                                            : ((struct ir_switch *)next)->value);
    }
    while (d->work.count) {
        struct ir_instr *x = d->work.items[--d->work.count];
        for (uint32_t i = 0; i < x->src_count; i++)
            mark(d, x->src[i]);
        if (d->f->vars.count)
            mark_read_vars(d, x);
    }
}

static void note_vars(const struct ir_instr *x)
{
    for (uint32_t i = 0; i < x->src_count; i++)
        if (x->src[i]->op == IR_OP_addr)
            x->src[i]->var->id = KEPT;
    if (x->op >= IR_OP_elem_load && x->op <= IR_OP_elem_atomic)
        x->var->id = KEPT;
}

static void sweep(struct dce *d)
{
    for (struct ir_block *b = ir_first_block(d->f); b; b = ir_next_block(b))
        for (struct ir_instr *x = b->first, *next; x; x = next) {
            next = x->next;
            if (!x->mark) {
                ir_remove(x);
                d->changed = true;
            } else if (d->f->vars.count) {
                note_vars(x);
            }
            x->mark = 0;
        }
}

static void number_vars(struct dce *d)
{
    d->writers = ARENA_ARRAY(d->scratch, struct writer *, d->f->vars.count + 1);
    for (size_t i = 0; i < d->f->vars.count; i++)
        d->f->vars.items[i]->id = (uint32_t)i + 1;
}

static void drop_vars(struct dce *d)
{
    size_t kept = 0;
    for (size_t i = 0; i < d->f->vars.count; i++)
        if (d->f->vars.items[i]->id == KEPT)
            d->f->vars.items[kept++] = d->f->vars.items[i];
    d->f->vars.count = kept;
}

// Requires: nothing. Keeps: everything that can be seen. Removes: unused private variables too.
bool opt_dce(struct pass_context *context, struct ir_function *f)
{
    struct dce d = {.m = context->module, .scratch = context->scratch, .f = f};
    number_vars(&d);
    mark_all(&d);
    sweep(&d);
    drop_vars(&d);
    remove_structures(&d);
    return d.changed;
}
