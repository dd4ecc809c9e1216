// SPDX-License-Identifier: Apache-2.0
// Dead code elimination: removes values that reach no side effect, including cycles of phis, stores to private
// variables that are never read, and ifs, loops and switches without contents.
//
// Marks from the roots (side effects, jumps, conditions) and removes the rest. A store to a private variable becomes
// a root when a live instruction reads the variable. Empty control flow is removed first, from the inside out, so
// that its conditions become dead too. A loop is removed only if it is known to terminate: C would allow more, but an
// endless loop may be used to wait.
#include "passes/opt.h"

enum { REFERENCED = UINT32_MAX }; // as a variable's number: a live instruction references it
enum { NEEDED = 1, READ }; // marks; READ: an address used to read, and the addresses it is computed from

struct writer { // of a private variable
    struct ir_instr *instr;
    struct writer *next;
};

struct dce {
    struct ir_module *m;
    struct arena *scratch;
    struct ir_function *f;
    struct writer **writers; // by the variable's number - 1, until a read is found (number 0)
    VEC(struct ir_instr *) work;
    bool changed;
};

// ---- empty control flow -------------------------------------------------------------------------

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
    if (node->kind == IR_LOOP) // it leaves at once
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

// ---- variables that are never read --------------------------------------------------------------

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

// The variable is read: stores to it are live.
static void mark_var(struct dce *d, struct ir_var *var)
{
    if (!var->id)
        return;
    for (struct writer *w = d->writers[var->id - 1]; w; w = w->next)
        mark(d, w->instr);
    var->id = 0;
}

// Each address of a chain is visited once, however many reads use it.
static void mark_base(struct dce *d, struct ir_instr *x)
{
    for (; x->op == IR_OP_ptr_index && x->type.space == IR_PRIVATE && x->mark != READ; x = x->src[0]) {
        mark(d, x);
        x->mark = READ;
    }
    if (x->op == IR_OP_addr && is_own(x->var))
        mark_var(d, x->var);
}

// The variables that `x`, which is live, reads.
static void mark_read_vars(struct dce *d, const struct ir_instr *x)
{
    bool writes_first = x->op == IR_OP_store || x->op == IR_OP_copy || x->op == IR_OP_zero;
    if (x->op == IR_OP_ptr_index)
        return; // depends on its users
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

// Marks instructions with side effects; a store to a private variable is marked once the variable is known to be
// read.
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
            x->src[i]->var->id = REFERENCED;
    if (x->op >= IR_OP_elem_load && x->op <= IR_OP_elem_atomic)
        x->var->id = REFERENCED;
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
    size_t count = 0;
    for (size_t i = 0; i < d->f->vars.count; i++)
        if (d->f->vars.items[i]->id == REFERENCED)
            d->f->vars.items[count++] = d->f->vars.items[i];
    d->f->vars.count = count;
}

// Requires: nothing. Keeps: all observable effects. Removes: also unused private variables.
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
