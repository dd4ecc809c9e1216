// SPDX-License-Identifier: Apache-2.0
// Changing IR: replacing values, removing and splicing control flow, cloning.
//
// There are no use lists. A replaced value points to its successor (`forward`); one walk over the function,
// ir_resolve(), rewrites all users. When two blocks are joined, the lower one survives, because phis that name a
// block mean its end.
#include "ir/internal.h"
#include "util/stack.h"
#include <assert.h>

void ir_remove(struct ir_instr *x)
{
    struct ir_block *b = x->block;
    if (!b)
        return;
    *(x->prev ? &x->prev->next : &b->first) = x->next;
    *(x->next ? &x->next->prev : &b->last) = x->prev;
    x->prev = x->next = NULL;
    x->block = NULL;
}

void ir_replace(struct ir_instr *old, struct ir_instr *with)
{
    while (with->forward)
        with = with->forward;
    assert(old != with);
    ir_remove(old);
    old->forward = with;
}

// The end of a chain of replacements. Shortens the chain.
static struct ir_instr *resolve(struct ir_instr *x)
{
    struct ir_instr *end = x;
    while (end->forward)
        end = end->forward;
    while (x->forward && x->forward != end) {
        struct ir_instr *next = x->forward;
        x->forward = end;
        x = next;
    }
    return end;
}

static void resolve_slot(struct ir_instr **slot)
{
    if (*slot && (*slot)->forward)
        *slot = resolve(*slot);
}

void ir_resolve_sources(struct ir_instr *x)
{
    for (uint32_t i = 0; i < x->src_count; i++)
        resolve_slot(&x->src[i]);
}

static void resolve_block(struct ir_block *b)
{
    for (struct ir_instr *x = b->first; x; x = x->next)
        ir_resolve_sources(x);
}

static void resolve_node(struct ir_node *node)
{
    if (node->kind == IR_IF)
        resolve_slot(&((struct ir_if *)node)->cond);
    else if (node->kind == IR_LOOP)
        resolve_slot(&((struct ir_loop *)node)->cond);
    else
        resolve_slot(&((struct ir_switch *)node)->value);
}

void ir_resolve(struct ir_function *f)
{
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b)) {
        resolve_block(b);
        if (b->node.next)
            resolve_node(b->node.next);
    }
}

void ir_resolve_phis(struct ir_function *f)
{
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b)) {
        for (struct ir_instr *x = b->first; x && x->op == IR_OP_phi; x = x->next)
            for (uint32_t i = 0; i < x->src_count; i++)
                resolve_slot(&x->src[i]);
        if (b->node.next)
            resolve_node(b->node.next);
    }
}

void ir_resolve_inside(struct ir_node *node)
{
    struct ir_block *before = ir_as_block(node->prev), *after = ir_as_block(node->next);
    resolve_node(node);
    for (struct ir_block *b = ir_next_block(before); b && b != after; b = ir_next_block(b)) {
        resolve_block(b);
        if (b->node.next)
            resolve_node(b->node.next);
    }
}

// ---- nodes --------------------------------------------------------------------------------------

void ir_cut_after(struct ir_block *block)
{
    while (block->node.next)
        ir_list_unlink(block->node.list->last);
}

void ir_node_remove(struct ir_node *node)
{
    struct ir_block *before = ir_as_block(node->prev), *after = ir_as_block(node->next);
    ir_list_unlink(node);
    ir_block_prepend(after, before);
    ir_list_unlink(&before->node);
}

void ir_node_replace(struct ir_node *node, struct ir_list *with)
{
    struct ir_block *before = ir_as_block(node->prev), *after = ir_as_block(node->next);
    struct ir_block *first = ir_list_first(with), *last = ir_list_last(with);
    struct ir_list *list = node->list;
    bool jumps = ir_ends_in_jump(last);
    ir_block_prepend(first, before);
    if (jumps) { // code after it is unreachable
        ir_cut_after(before);
    } else {
        ir_block_prepend(after, last);
        ir_list_unlink(&last->node);
    }
    struct ir_node *place = jumps ? &before->node : node;
    while (with->first) {
        struct ir_node *moved = with->first;
        ir_list_unlink(moved);
        ir_list_insert(list, moved, place);
        place = moved;
    }
    if (!jumps)
        ir_list_unlink(node);
    ir_list_unlink(&before->node);
}

void ir_list_join(struct ir_list *to, struct ir_list *from)
{
    struct ir_block *tail = ir_list_last(to);
    ir_block_prepend(ir_list_first(from), tail);
    ir_list_unlink(&tail->node);
    while (from->first) {
        struct ir_node *moved = from->first;
        ir_list_unlink(moved);
        ir_list_insert(to, moved, to->last);
    }
}

// ---- phis of new edges --------------------------------------------------------------------------

void ir_phi_add(struct ir_module *m, struct ir_instr *phi, struct ir_instr *value, struct ir_block *pred)
{
    const uint32_t count = phi->src_count++;
    struct ir_instr **src = ARENA_ARRAY(m->arena, struct ir_instr *, count + 1);
    struct ir_block **preds = ARENA_ARRAY(m->arena, struct ir_block *, count + 1);
    for (uint32_t i = 0; i < count; i++) {
        src[i] = phi->src[i];
        preds[i] = phi->preds[i];
    }
    src[count] = value;
    preds[count] = pred;
    phi->src = src;
    phi->preds = preds;
}

// ---- phis after removal of edges ----------------------------------------------------------------

// Phis mostly list edges in the order of the block's predecessors, so the search continues where the last one ended.
static bool has_pred(const struct ir_block *block, const struct ir_block *pred, uint32_t *at)
{
    for (uint32_t n = 0; n < block->pred_count; n++) {
        uint32_t i = (*at + n) % block->pred_count;
        if (block->preds[i] == pred) {
            *at = i + 1;
            return true;
        }
    }
    return false;
}

static void prune_phi(struct ir_module *m, struct ir_instr *phi)
{
    uint32_t remaining = 0, at = 0;
    struct ir_instr *same = NULL;
    bool one_value = true;
    for (uint32_t i = 0; i < phi->src_count; i++) {
        if (!has_pred(phi->block, phi->preds[i], &at))
            continue;
        phi->preds[remaining] = phi->preds[i];
        struct ir_instr *value = phi->src[remaining++] = resolve(phi->src[i]);
        if (value == phi)
            continue;
        one_value &= !same || same == value;
        same = value;
    }
    phi->src_count = remaining;
    if (remaining < 2 || (one_value && same))
        ir_replace(phi, same && one_value ? same : ir_undef(m, phi->type));
}

void ir_prune_phis(struct ir_function *f)
{
    ir_preds(f);
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b))
        for (struct ir_instr *x = b->first, *next; x && x->op == IR_OP_phi; x = next) {
            next = x->next;
            prune_phi(f->module, x);
        }
}

// ---- cloning ------------------------------------------------------------------------------------
//
// While a list is copied, `forward` of its instructions and `copy` of its blocks point to the copies.

struct clone {
    struct ir_module *m;
    const struct map *known;
};

static void *from_outside(struct clone *c, void *old)
{
    void *made = map_get(c->known, old);
    return made ? made : old;
}

static struct ir_instr *mapped(struct clone *c, struct ir_instr *x)
{
    if (!x || x->op == IR_OP_undef)
        return x;
    if (x->op == IR_OP_const)
        return c->known ? from_outside(c, x) : x;
    return x->forward ? x->forward : from_outside(c, x);
}

static struct ir_block *mapped_block(struct clone *c, struct ir_block *b)
{
    return b->copy ? b->copy : from_outside(c, b);
}

static void clone_list(struct clone *c, struct ir_list *to, const struct ir_list *from);

static void clone_instrs(struct clone *c, struct ir_block *to, const struct ir_block *from)
{
    for (struct ir_instr *x = from->first; x; x = x->next) {
        struct ir_instr *copy = ir_instr_create(c->m, x->op, x->type, x->src, x->src_count);
        ir_copy_immediates(copy, x);
        copy->flags = x->flags;
        copy->origin = x->origin;
        if (x->op == IR_OP_phi)
            copy->preds = arena_copy(c->m->arena, x->preds, x->src_count * sizeof *x->preds);
        ir_block_insert(to, copy, NULL);
        x->forward = copy;
    }
}

static struct ir_node *clone_if(struct clone *c, const struct ir_if *from)
{
    struct ir_if *to = ARENA_NEW(c->m->arena, struct ir_if);
    *to = (struct ir_if){.node.kind = IR_IF, .cond = from->cond};
    to->then_list.owner = to->else_list.owner = &to->node;
    clone_list(c, &to->then_list, &from->then_list);
    clone_list(c, &to->else_list, &from->else_list);
    return &to->node;
}

static struct ir_node *clone_loop(struct clone *c, const struct ir_loop *from)
{
    struct ir_loop *to = ARENA_NEW(c->m->arena, struct ir_loop);
    *to = (struct ir_loop){.node.kind = IR_LOOP, .cond = from->cond, .unroll = from->unroll};
    to->body.owner = to->cont.owner = &to->node;
    clone_list(c, &to->body, &from->body);
    clone_list(c, &to->cont, &from->cont);
    return &to->node;
}

static struct ir_node *clone_switch(struct clone *c, const struct ir_switch *from)
{
    struct ir_switch *to = ARENA_NEW(c->m->arena, struct ir_switch);
    *to = (struct ir_switch){
        .node.kind = IR_SWITCH, .value = from->value, .case_count = from->case_count};
    to->cases = ARENA_ARRAY(c->m->arena, struct ir_case, from->case_count);
    for (uint32_t i = 0; i < from->case_count; i++) {
        to->cases[i] = from->cases[i];
        to->cases[i].list = (struct ir_list){.owner = &to->node};
        clone_list(c, &to->cases[i].list, &from->cases[i].list);
    }
    return &to->node;
}

static void clone_list(struct clone *c, struct ir_list *to, const struct ir_list *from)
{
    stack_check();
    for (struct ir_node *node = from->first; node; node = node->next) {
        struct ir_node *copy;
        switch (node->kind) {
        case IR_IF:
            copy = clone_if(c, (const struct ir_if *)node);
            break;
        case IR_LOOP:
            copy = clone_loop(c, (const struct ir_loop *)node);
            break;
        case IR_SWITCH:
            copy = clone_switch(c, (const struct ir_switch *)node);
            break;
        default:
            copy = &ir_block_create(c->m)->node;
            ((struct ir_block *)node)->copy = ir_as_block(copy);
            clone_instrs(c, ir_as_block(copy), (const struct ir_block *)node);
        }
        ir_list_insert(to, copy, to->last);
    }
}

static void rewrite_block(struct clone *c, struct ir_block *b)
{
    for (struct ir_instr *x = b->first; x; x = x->next) {
        for (uint32_t i = 0; i < x->src_count; i++)
            x->src[i] = mapped(c, x->src[i]);
        if (x->op == IR_OP_phi)
            for (uint32_t i = 0; i < x->src_count; i++)
                x->preds[i] = mapped_block(c, x->preds[i]);
        else if (x->op == IR_OP_elem_load || x->op == IR_OP_elem_store ||
                 x->op == IR_OP_elem_atomic || x->op == IR_OP_mat_elem_load ||
                 x->op == IR_OP_mat_elem_store)
            x->var = from_outside(c, x->var);
    }
}

static void rewrite_node(struct clone *c, struct ir_node *node)
{
    if (node->kind == IR_IF)
        ((struct ir_if *)node)->cond = mapped(c, ((struct ir_if *)node)->cond);
    else if (node->kind == IR_LOOP)
        ((struct ir_loop *)node)->cond = mapped(c, ((struct ir_loop *)node)->cond);
    else if (node->kind == IR_SWITCH)
        ((struct ir_switch *)node)->value = mapped(c, ((struct ir_switch *)node)->value);
}

static void release_block(struct clone *c, struct ir_block *b, struct map *made)
{
    if (made)
        map_set(c->m->arena, made, b, b->copy);
    b->copy = NULL;
    for (struct ir_instr *x = b->first; x; x = x->next) {
        if (made)
            map_set(c->m->arena, made, x, x->forward);
        x->forward = NULL;
    }
}

// Restores the originals; `made` receives the mapping to the copies.
static void release(struct clone *c, const struct ir_list *from, struct map *made)
{
    for (struct ir_block *b = ir_list_first(from), *last = ir_list_last(from);; b = ir_next_block(b)) {
        release_block(c, b, made);
        if (b == last)
            return;
    }
}

void ir_list_clone(struct ir_function *into, struct ir_list *to, const struct ir_list *from,
                   const struct map *known, struct map *made)
{
    struct clone c = {into->module, known};
    struct ir_list fresh = {.owner = to->owner};
    clone_list(&c, &fresh, from);
    // Walks the blocks in source order, each followed by its node, up to the end of the copied list.
    struct ir_list holder = fresh;
    for (struct ir_node *node = holder.first; node; node = node->next)
        node->list = &holder;
    holder.owner = NULL;
    for (struct ir_block *b = ir_list_first(&holder); b; b = ir_next_block(b)) {
        rewrite_block(&c, b);
        if (b->node.next)
            rewrite_node(&c, b->node.next);
    }
    release(&c, from, made);
    if (!to->last) {
        struct ir_node *owner = to->owner;
        *to = (struct ir_list){.first = holder.first, .last = holder.last, .owner = owner};
        for (struct ir_node *node = to->first; node; node = node->next)
            node->list = to;
        return;
    }
    ir_list_join(to, &holder);
}
