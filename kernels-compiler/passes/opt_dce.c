// SPDX-License-Identifier: Apache-2.0
// Drops what nobody needs: values without an effect that reaches the outside, cycles of phis
// included, stores to private variables that are never read, and ifs, loops and switches with
// nothing in them.
//
// Marks from the roots (effects, jumps, conditions) and sweeps the rest. Structures go first, from
// the inside out, so that their conditions fall too. A loop goes only when it is seen to end: C
// lets us assume more, but an endless loop may be somebody's way to wait.
#include "passes/opt.h"

struct dce {
    struct ir_module *m;
    struct arena *scratch;
    struct ir_function *f;
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

static struct ir_var *base_var(const struct ir_instr *x)
{
    while (x->op == IR_OP_ptr_index)
        x = x->src[0];
    return x->op == IR_OP_addr && x->var->space == IR_PRIVATE && !x->var->in_module ? x->var : NULL;
}

static void note_reads(struct ir_instr *x)
{
    bool writes_first = x->op == IR_OP_store || x->op == IR_OP_copy || x->op == IR_OP_zero;
    if (x->op == IR_OP_ptr_index || (writes_first && x->mem.is_volatile))
        writes_first = x->op == IR_OP_ptr_index;
    for (uint32_t i = writes_first; i < x->src_count; i++) {
        struct ir_var *var = x->src[i]->type.base == IR_PTR ? base_var(x->src[i]) : NULL;
        if (var)
            var->id = 1;
    }
    if ((x->op == IR_OP_elem_load || x->op == IR_OP_elem_atomic) && x->var)
        x->var->id = 1;
}

static struct ir_var *written_var(const struct ir_instr *x)
{
    if (x->op == IR_OP_elem_store)
        return x->var->space == IR_PRIVATE && !x->var->in_module ? x->var : NULL;
    if (x->op != IR_OP_store && x->op != IR_OP_copy && x->op != IR_OP_zero)
        return NULL;
    return base_var(x->src[0]);
}

static void find_read_vars(struct dce *d)
{
    for (size_t i = 0; i < d->f->vars.count; i++)
        d->f->vars.items[i]->id = 0;
    for (struct ir_block *b = ir_first_block(d->f); b; b = ir_next_block(b))
        for (struct ir_instr *x = b->first; x; x = x->next)
            note_reads(x);
}

// ---- marking and sweeping -----------------------------------------------------------------------

static void mark(struct dce *d, struct ir_instr *x)
{
    if (!x || x->mark || opt_is_floating(x))
        return;
    x->mark = 1;
    vec_push(d->scratch, &d->work, x);
}

static bool is_root(const struct ir_instr *x)
{
    if (x->op == IR_OP_load && x->mem.is_volatile)
        return true;
    if (!ir_has_flag(x, IR_FLAG_W))
        return false;
    const struct ir_var *var = written_var(x);
    if (var && !var->id)
        return false; // nobody reads it
    bool nothing = (x->op == IR_OP_store && x->src[1]->op == IR_OP_undef && !x->mem.is_volatile) ||
                   ((x->op == IR_OP_copy || x->op == IR_OP_zero) && !x->size) ||
                   (x->op == IR_OP_copy && x->src[0] == x->src[1] && !x->mem.is_volatile);
    return !nothing;
}

static void mark_all(struct dce *d)
{
    for (struct ir_block *b = ir_first_block(d->f); b; b = ir_next_block(b)) {
        struct ir_node *next = b->node.next;
        for (struct ir_instr *x = b->first; x; x = x->next)
            if (is_root(x))
                mark(d, x);
        if (next)
            mark(d, next->kind == IR_IF     ? ((struct ir_if *)next)->cond
                    : next->kind == IR_LOOP ? ((struct ir_loop *)next)->cond
                                            : ((struct ir_switch *)next)->value);
    }
    while (d->work.count) {
        struct ir_instr *x = d->work.items[--d->work.count];
        for (uint32_t i = 0; i < x->src_count; i++)
            mark(d, x->src[i]);
    }
}

static void sweep(struct dce *d)
{
    for (struct ir_block *b = ir_first_block(d->f); b; b = ir_next_block(b))
        for (struct ir_instr *x = b->first, *next; x; x = next) {
            next = x->next;
            if (!x->mark) {
                ir_remove(x);
                d->changed = true;
            }
            x->mark = 0;
        }
}

static void drop_vars(struct dce *d)
{
    size_t kept = 0;
    for (size_t i = 0; i < d->f->vars.count; i++)
        d->f->vars.items[i]->id = 0;
    for (struct ir_block *b = ir_first_block(d->f); b; b = ir_next_block(b))
        for (struct ir_instr *x = b->first; x; x = x->next) {
            for (uint32_t i = 0; i < x->src_count; i++)
                if (x->src[i]->op == IR_OP_addr)
                    x->src[i]->var->id = 1;
            if (x->op >= IR_OP_elem_load && x->op <= IR_OP_elem_atomic)
                x->var->id = 1;
        }
    for (size_t i = 0; i < d->f->vars.count; i++)
        if (d->f->vars.items[i]->id)
            d->f->vars.items[kept++] = d->f->vars.items[i];
    d->f->vars.count = kept;
}

// Requires: nothing. Keeps: everything that can be seen. Removes: unused private variables too.
bool opt_dce(struct pass_context *context, struct ir_function *f)
{
    struct dce d = {.m = context->module, .scratch = context->scratch, .f = f};
    find_read_vars(&d);
    mark_all(&d);
    sweep(&d);
    remove_structures(&d);
    drop_vars(&d);
    return d.changed;
}
