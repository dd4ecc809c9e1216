// SPDX-License-Identifier: Apache-2.0
// Simplifies control flow with constant conditions and removes unreachable code.
//
//   if true { X } else { Y }          ->  X
//   switch with a constant            ->  the case and those it runs into, when only their ends leave
//   switch with one value             ->  if
//   empty cases with the same phis    ->  one case
//   loop { X; break } continue {}     ->  X, when nothing else leaves or continues
//   loop { if c { X; continue } Y }   ->  loop { if c { X } else { Y } }
//   loop { if c { if d { X; continue } Y } Z }
//                                     ->  loop { if c { if d { X } else { Y } } if c && d {} else { Z } }
//                                         if the target lets only one path continue a loop
//   code after a jump, or after a node that control flow never leaves: removed
//
// Visits nodes from the innermost to the outermost, then removes the phi sources of removed edges.
#include "ir/internal.h"
#include "passes/opt.h"

enum { MAX_NESTED = 16 }; // ifs nested for one loop

struct branches {
    struct ir_module *m;
    struct ir_function *f;
    struct arena *scratch;
    bool one_continue; // from kc_target
    bool changed;
};

// ---- jumps to a node ----------------------------------------------------------------------------

struct jumps { // breaks and continues of a node, from anywhere in it
    uint32_t breaks, continues;
};

static void count_in_list(struct jumps *j, const struct ir_list *list, const struct ir_node *target)
{
    const struct ir_block *end = (const struct ir_block *)target->next;
    for (struct ir_block *b = ir_list_first(list); b && b != end; b = ir_next_block(b)) {
        if (ir_ends_in_jump(b)) {
            j->breaks += b->last->op == IR_OP_break && ir_jump_target(b, false) == target;
            j->continues += b->last->op == IR_OP_continue && ir_jump_target(b, true) == target;
        }
        if (!b->node.next && b->node.list == list)
            break;
    }
}

static bool ends_in_break(const struct ir_list *list)
{
    const struct ir_block *last = ir_list_last(list);
    return ir_ends_in_jump(last) && last->last->op == IR_OP_break;
}

static void drop_last_break(struct ir_list *list)
{
    struct ir_block *last = ir_list_last(list);
    if (ir_ends_in_jump(last) && last->last->op == IR_OP_break)
        ir_remove(last->last);
}

// ---- replacing a node by one of its lists -------------------------------------------------------

// The phis after `node` are replaced by their values on the edge from `pred`.
static void use_edge_values(struct branches *o, struct ir_node *node, const struct ir_block *pred)
{
    struct ir_block *after = (struct ir_block *)node->next;
    for (struct ir_instr *x = after->first, *next; x && x->op == IR_OP_phi; x = next) {
        next = x->next;
        struct ir_instr *value = opt_phi_source(x, pred);
        if (!value || opt_resolved(value) == x)
            value = ir_undef(o->m, x->type);
        ir_replace(x, value);
    }
}

static void drop_phis_of_edge(struct ir_list *list, const struct ir_block *pred)
{
    for (struct ir_instr *x = ir_list_first(list)->first, *next; x && x->op == IR_OP_phi;
         x = next) {
        next = x->next;
        struct ir_instr *value = opt_phi_source(x, pred);
        if (value)
            ir_replace(x, value);
    }
}

static void move_list(struct ir_list *to, const struct ir_list *from, struct ir_node *owner)
{
    *to = *from;
    to->owner = owner;
    for (struct ir_node *n = to->first; n; n = n->next)
        n->list = to;
}

static void replace_node(struct branches *o, struct ir_node *node, struct ir_list *list)
{
    use_edge_values(o, node, ir_list_last(list));
    ir_node_replace(node, list);
    o->changed = true;
}

// ---- kinds of nodes -----------------------------------------------------------------------------

static void visit_if(struct branches *o, struct ir_if *node)
{
    struct ir_instr *cond = opt_resolved(node->cond);
    if (ir_is_const(cond)) {
        replace_node(o, &node->node, cond->lanes[0] ? &node->then_list : &node->else_list);
        return;
    }
    if (cond->op == IR_OP_not) { // saves the negation
        struct ir_list then_list = node->then_list;
        node->cond = cond->src[0];
        move_list(&node->then_list, &node->else_list, &node->node);
        move_list(&node->else_list, &then_list, &node->node);
        o->changed = true;
    }
}

// The value that is x after `left` and y after `right`.
static struct ir_instr *meet(struct ir_builder *b, struct ir_block *left, struct ir_instr *x, struct ir_block *right, struct ir_instr *y)
{
    struct ir_instr *phi = ir_phi(b, x->type, 2);
    phi->src[0] = x, phi->preds[0] = left;
    phi->src[1] = y, phi->preds[1] = right;
    return phi;
}

// An if one of whose arms ends in continue.
struct leaving {
    struct ir_block *left, *right; // the ends of that arm and of the other
    struct ir_block *merge;        // the new block after the if
};

// The phis of two edges into the continue list are moved one block earlier, to `merge`.
static void move_merge(struct branches *o, struct ir_loop *loop, const struct leaving *l)
{
    struct ir_builder b = {.module = o->m, .function = o->f, .block = l->merge};
    for (struct ir_instr *x = ir_list_first(&loop->cont)->first; x && x->op == IR_OP_phi;
         x = x->next) {
        uint32_t source_count = 0;
        struct ir_instr *values[2] = {NULL, NULL}, *merged;
        for (uint32_t i = 0; i < x->src_count; i++) {
            if (x->preds[i] == l->left || x->preds[i] == l->right) {
                values[x->preds[i] == l->right] = opt_resolved(x->src[i]);
                continue;
            }
            x->preds[source_count] = x->preds[i];
            x->src[source_count++] = x->src[i];
        }
        merged = values[0] ? values[0] : values[1];
        if (values[0] && values[1])
            merged = meet(&b, l->left, values[0], l->right, values[1]);
        x->preds[source_count] = l->merge;
        x->src[source_count++] = merged;
        x->src_count = source_count;
    }
}

static bool ends_in_continue(const struct ir_list *list)
{
    const struct ir_block *last = ir_list_last(list);
    return ir_ends_in_jump(last) && last->last->op == IR_OP_continue;
}

// Whether one arm ends in continue and the other one in no jump.
static bool continues_by_one_arm(const struct ir_if *node)
{
    bool first = ends_in_continue(&node->then_list), second = ends_in_continue(&node->else_list);
    return first != second && !ir_ends_in_jump(ir_list_last(first ? &node->else_list : &node->then_list));
}

// If one arm of an `if` ends in continue, what follows the `if` in its list is moved into the other arm.
static struct leaving move_rest_into_arm(struct branches *o, struct ir_if *node)
{
    bool first = ends_in_continue(&node->then_list);
    struct ir_list *leaving = first ? &node->then_list : &node->else_list, *around = node->node.list;
    struct ir_list *remaining = first ? &node->else_list : &node->then_list;
    struct ir_block *left = ir_list_last(leaving), *after = (struct ir_block *)node->node.next;
    struct ir_list rest = {.first = &after->node, .last = around->last};
    struct ir_block *merge = ARENA_NEW(o->m->arena, struct ir_block);
    drop_phis_of_edge(&(struct ir_list){.first = &after->node}, ir_list_last(remaining));
    for (struct ir_node *n = rest.first; n; n = n->next)
        n->list = remaining;
    // The last block of the other arm and the block after the if are joined.
    struct ir_block *end = ir_list_last(remaining);
    ir_block_prepend(after, end);
    after->node.prev = end->node.prev;
    *(end->node.prev ? &end->node.prev->next : &remaining->first) = &after->node;
    remaining->last = rest.last;
    merge->node = (struct ir_node){.kind = IR_BLOCK, .prev = &node->node, .list = around};
    node->node.next = around->last = &merge->node;
    ir_remove(left->last);
    o->changed = true;
    return (struct leaving){left, (struct ir_block *)rest.last, merge};
}

static void nest_continues(struct branches *o, struct ir_loop *loop)
{
    unsigned count = 0;
    for (struct ir_node *n = loop->body.last; n && count < MAX_NESTED; n = n->prev) {
        if (n->kind != IR_IF || !continues_by_one_arm((struct ir_if *)n))
            continue;
        struct leaving leaving = move_rest_into_arm(o, (struct ir_if *)n);
        move_merge(o, loop, &leaving);
        count++;
    }
}

// ---- continues in nested ifs --------------------------------------------------------------------

// An if that is one level below an if and continues the loop; NULL: none.
static struct ir_if *find_nested_continue(const struct ir_loop *loop)
{
    for (struct ir_block *b = ir_list_first(&loop->body); &b->node != loop->node.next; b = ir_next_block(b)) {
        struct ir_node *inner = b->node.list->owner, *outer = inner->list->owner;
        if (!ir_ends_in_jump(b) || b->last->op != IR_OP_continue || ir_jump_target(b, true) != &loop->node || inner->kind != IR_IF ||
            outer->kind != IR_IF || !continues_by_one_arm((struct ir_if *)inner) || ir_ends_in_jump(ir_list_last(inner->list)))
            continue;
        struct ir_if *around = (struct ir_if *)outer;
        if (!ir_ends_in_jump(ir_list_last(inner->list == &around->then_list ? &around->else_list : &around->then_list)))
            return (struct ir_if *)inner;
    }
    return NULL;
}

// Adds `if cond { continue }` before `after`, which keeps its code without the phis. Returns the block of these.
static struct ir_block *add_continue(struct branches *o, struct ir_block *after, struct ir_if *leave)
{
    struct ir_block *phis = ir_block_create(o->m);
    *leave = (struct ir_if){.node.kind = IR_IF};
    ir_list_init(o->m, &leave->then_list, &leave->node);
    ir_list_init(o->m, &leave->else_list, &leave->node);
    ir_list_insert(after->node.list, &phis->node, after->node.prev);
    ir_list_insert(after->node.list, &leave->node, &phis->node);
    for (struct ir_instr *x = after->first, *next; x && x->op == IR_OP_phi; x = next) {
        next = x->next;
        opt_move_to_end(phis, x);
    }
    struct ir_builder b = {.module = o->m, .function = o->f, .block = ir_list_first(&leave->then_list)};
    ir_jump(&b, IR_OP_continue, NULL);
    return phis;
}

// Moves a continue from an if in an if to the code after the outer one, with a phi that tells whether to take it.
static void lift_continue(struct branches *o, struct ir_loop *loop, struct ir_if *inner)
{
    struct ir_if *outer = (struct ir_if *)inner->node.list->owner, *leave = ARENA_NEW(o->m->arena, struct ir_if);
    struct ir_block *other = ir_list_last(inner->node.list == &outer->then_list ? &outer->else_list : &outer->then_list);
    struct ir_block *phis = add_continue(o, (struct ir_block *)outer->node.next, leave), *from = ir_list_first(&leave->then_list);
    struct leaving l = move_rest_into_arm(o, inner);
    struct ir_builder inside = {.module = o->m, .function = o->f, .block = l.merge}, after = {.module = o->m, .function = o->f, .block = phis};
    struct ir_instr *no = ir_const_int(o->m, ir_bool(), 0), *yes = ir_const_int(o->m, ir_bool(), 1);
    for (struct ir_instr *x = phis->first; x; x = x->next)
        for (uint32_t i = 0; i < x->src_count; i++)
            if (x->preds[i] == l.right) {
                x->src[i] = meet(&inside, l.left, ir_undef(o->m, x->type), l.right, opt_resolved(x->src[i]));
                x->preds[i] = l.merge;
            }
    leave->cond = meet(&after, l.merge, meet(&inside, l.left, yes, l.right, no), other, no);
    for (struct ir_instr *x = ir_list_first(&loop->cont)->first; x && x->op == IR_OP_phi; x = x->next)
        for (uint32_t i = 0; i < x->src_count; i++)
            if (x->preds[i] == l.left) {
                struct ir_instr *value = opt_resolved(x->src[i]), *none = ir_undef(o->m, x->type);
                if (opt_is_inside(&outer->node, value))
                    value = meet(&after, l.merge, meet(&inside, l.left, value, l.right, none), other, none);
                x->src[i] = value;
                x->preds[i] = from;
            }
}

static void lift_continues(struct branches *o, struct ir_loop *loop)
{
    struct ir_if *inner;
    if (ir_ends_in_jump(ir_list_last(&loop->body)))
        return;
    for (unsigned count = 0; count < MAX_NESTED && (inner = find_nested_continue(loop)); count++)
        lift_continue(o, loop, inner);
}

static void visit_loop(struct branches *o, struct ir_loop *node)
{
    struct jumps j = {0};
    struct ir_instr *cond = node->cond ? opt_resolved(node->cond) : NULL;
    struct ir_block *last = ir_list_last(&node->body);
    if (ir_ends_in_jump(last) && last->last->op == IR_OP_continue) {
        ir_remove(last->last); // redundant: the continue list follows anyway
        o->changed = true;
    }
    if (o->one_continue)
        lift_continues(o, node);
    nest_continues(o, node);
    count_in_list(&j, &node->body, &node->node);
    if (cond && ir_is_const(cond) && cond->lanes[0]) {
        node->cond = NULL;
        o->changed = true;
        return;
    }
    if (j.continues || j.breaks != 1 || !ends_in_break(&node->body))
        return;
    struct ir_block *before = (struct ir_block *)node->node.prev;
    drop_phis_of_edge(&node->body, before);
    drop_last_break(&node->body);
    replace_node(o, &node->node, &node->body);
}

static struct ir_case *chosen_case(const struct ir_switch *node, uint64_t value)
{
    struct ir_case *fallback = NULL;
    for (uint32_t i = 0; i < node->case_count; i++) {
        struct ir_case *c = &node->cases[i];
        fallback = c->is_default ? c : fallback;
        for (uint32_t k = 0; k < c->value_count; k++)
            if (c->values[k] == value)
                return c;
    }
    return fallback;
}

static bool ends_in_jump(const struct ir_case *c) { return ir_ends_in_jump(ir_list_last(&c->list)); }

static bool breaks_only_at_end(const struct ir_switch *node, const struct ir_case *c)
{
    struct jumps j = {0};
    count_in_list(&j, &c->list, &node->node);
    return j.breaks == ends_in_break(&c->list);
}

// Whether control flow leaves this case only at its end, and does not fall through to another case.
static bool is_self_contained(const struct ir_switch *node, const struct ir_case *c)
{
    bool last = c == &node->cases[node->case_count - 1];
    return breaks_only_at_end(node, c) && (last || ends_in_jump(c));
}

// Appends the cases that the case falls through to. False: one of them breaks in another place than its end.
static bool join_following(struct ir_switch *node, struct ir_case *c)
{
    const struct ir_case *end = node->cases + node->case_count;
    for (struct ir_case *at = c; at < end; at++) {
        if (!breaks_only_at_end(node, at))
            return false;
        end = ends_in_jump(at) ? at + 1 : end;
    }
    for (struct ir_case *next = c + 1; next < end; next++) {
        drop_phis_of_edge(&next->list, ir_list_last(&c->list));
        ir_list_join(&c->list, &next->list);
    }
    return true;
}

static void replace_by_case(struct branches *o, struct ir_switch *node, struct ir_case *c)
{
    drop_phis_of_edge(&c->list, (struct ir_block *)node->node.prev);
    drop_last_break(&c->list);
    replace_node(o, &node->node, &c->list);
}

// Turns a switch with one value and a default, both self-contained, into an if.
static void switch_to_if(struct branches *o, struct ir_switch *node)
{
    uint32_t one = node->cases[0].is_default ? 1 : 0;
    struct ir_case *matched = &node->cases[one], *other = &node->cases[1 - one];
    struct ir_node *place = &node->node;
    struct ir_builder b = {
        .module = o->m, .function = o->f, .block = (struct ir_block *)place->prev};
    struct ir_instr *value = ir_const_int(o->m, node->value->type, matched->values[0]);
    struct ir_if *made = ARENA_NEW(o->m->arena, struct ir_if);
    *made = (struct ir_if){.node = *place,
                           .cond = ir_op2(&b, IR_OP_ieq, opt_resolved(node->value), value)};
    made->node.kind = IR_IF;
    drop_phis_of_edge(&matched->list, b.block);
    drop_phis_of_edge(&other->list, b.block);
    drop_last_break(&matched->list);
    drop_last_break(&other->list);
    move_list(&made->then_list, &matched->list, &made->node);
    move_list(&made->else_list, &other->list, &made->node);
    place->prev->next = place->next->prev = &made->node;
    o->changed = true;
}

// Whether the switch alone leads to this case, which does nothing and leaves.
static bool is_empty_case(const struct ir_switch *node, uint32_t i)
{
    const struct ir_list *list = &node->cases[i].list;
    const struct ir_block *block = ir_list_first(list);
    if (i > 0 && !ir_ends_in_jump(ir_list_last(&node->cases[i - 1].list)))
        return false;
    if (!block->first)
        return list->first == list->last && i + 1 == node->case_count;
    return block->first->op == IR_OP_break;
}

static bool have_same_phis(const struct ir_switch *node, const struct ir_case *x, const struct ir_case *y)
{
    const struct ir_block *after = (const struct ir_block *)node->node.next;
    const struct ir_block *from = ir_list_last(&x->list), *other = ir_list_last(&y->list);
    for (const struct ir_instr *phi = after->first; phi && phi->op == IR_OP_phi; phi = phi->next)
        if (opt_resolved(opt_phi_source(phi, from)) != opt_resolved(opt_phi_source(phi, other)))
            return false;
    return true;
}

// Adds the values of case `from` to case `to`. A default needs no values.
static void merge_case(struct branches *o, struct ir_switch *node, uint32_t to, uint32_t from)
{
    struct ir_case *all = &node->cases[to];
    const struct ir_case *one = &node->cases[from];
    uint64_t *values = ARENA_ARRAY(o->m->arena, uint64_t, all->value_count + one->value_count + 1);
    for (uint32_t i = 0; i < all->value_count; i++)
        values[i] = all->values[i];
    for (uint32_t i = 0; i < one->value_count; i++)
        values[all->value_count + i] = one->values[i];
    all->values = values;
    all->is_default |= one->is_default;
    all->value_count = all->is_default ? 0 : all->value_count + one->value_count;
    node->case_count--;
    for (; from < node->case_count; from++) {
        node->cases[from] = node->cases[from + 1];
        move_list(&node->cases[from].list, &node->cases[from + 1].list, &node->node);
    }
    o->changed = true;
}

static void merge_empty_cases(struct branches *o, struct ir_switch *node)
{
    for (uint32_t i = 0; i < node->case_count; i++)
        for (uint32_t k = i + 1; k < node->case_count && is_empty_case(node, i); k++)
            if (is_empty_case(node, k) && have_same_phis(node, &node->cases[i], &node->cases[k]))
                merge_case(o, node, i, k--);
}

static void visit_switch(struct branches *o, struct ir_switch *node)
{
    struct ir_instr *value = opt_resolved(node->value);
    merge_empty_cases(o, node);
    struct ir_case *only = node->case_count == 1 ? &node->cases[0] : NULL;
    drop_last_break(&node->cases[node->case_count - 1].list); // redundant at the end
    if (ir_is_const(value))
        only = chosen_case(node, value->lanes[0]);
    if (only) {
        if (join_following(node, only))
            replace_by_case(o, node, only);
        return;
    }
    if (node->case_count == 2 && is_self_contained(node, &node->cases[0]) &&
        is_self_contained(node, &node->cases[1])) {
        struct ir_case *c = &node->cases[node->cases[0].is_default ? 1 : 0];
        if (c->value_count == 1)
            switch_to_if(o, node);
    }
}

// ---- unreachable code ---------------------------------------------------------------------------

static bool empty_tail(const struct ir_block *b)
{
    return !b->first && !b->node.next;
}

static void drop_unreachable(struct branches *o)
{
    struct ir_block *entry = ir_first_block(o->f);
    ir_preds(o->f);
    for (struct ir_block *b = entry; b; b = ir_next_block(b)) {
        if (b == entry || b->pred_count || empty_tail(b))
            continue;
        struct ir_node *owner = b->node.list->owner;
        if (owner && owner->kind == IR_LOOP && b->node.list == &((struct ir_loop *)owner)->cont)
            ((struct ir_loop *)owner)->cond = NULL; // never evaluated
        ir_cut_after(b);
        while (b->first)
            ir_remove(b->first);
        o->changed = true;
    }
}

// Requires: nothing. Keeps: effects and values. Removes: phis with one source.
bool opt_branches(struct pass_context *context, struct ir_function *f)
{
    struct branches o = {.m = context->module, .f = f, .scratch = context->scratch,
                         .one_continue = context->target && context->target->one_continue};
    drop_unreachable(&o);
    struct opt_nodes nodes = opt_nodes(f, o.scratch);
    for (size_t i = nodes.count; i-- > 0;) {
        struct ir_node *node = nodes.items[i];
        if (!node->list || !node->next)
            continue; // removed together with its parent
        if (node->kind == IR_IF)
            visit_if(&o, (struct ir_if *)node);
        else if (node->kind == IR_LOOP)
            visit_loop(&o, (struct ir_loop *)node);
        else
            visit_switch(&o, (struct ir_switch *)node);
    }
    if (o.changed) {
        drop_unreachable(&o);
        ir_prune_phis(f);
        ir_resolve(f);
    }
    return o.changed;
}
