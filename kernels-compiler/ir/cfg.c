// SPDX-License-Identifier: Apache-2.0
// Control-flow graph -> tree.
//
// Nodes are laid out in topological order of the strongly connected components. A component with a cycle becomes one
// loop around its nodes, which are laid out in the same way after removing the edges to the cycle's head. Code runs
// straight through the layout: an edge sets the variable `next`, and a node is skipped unless `next` names it. At the
// end of a loop's body, the loop repeats if `next` is inside. This is correct for every graph, irreducible ones
// included: an edge to an earlier node of a cycle takes effect in the next iteration.
//
// Optimizations for common graphs: a node or loop with a single incoming edge is emitted at that edge, in the arm of
// the if, followed by the nodes that are reachable only from there. A node needs no test if `next` can only name it.
// An edge out of the loop breaks at once. mem2reg and the branch passes simplify the result.
#include "ir/cfg.h"
#include "ir/internal.h"
#include "util/stack.h"

enum {
    NESTING = 24, // maximum nesting of arms; deeper code is laid out flat, which is correct but slower
    LOOPS = 40,   // maximum nesting of loops; the same
    JOINS = 32,   // maximum number of pending nodes to search for a join that belongs to the arm
};

struct cfg_item {
    struct cfg_node *node;   // a node, or
    struct cfg_region *loop; // a loop
};

struct cfg_region {
    struct cfg_region *outer;
    VEC(struct cfg_item) items;
    uint32_t first, last; // numbers of the nodes inside, including nested loops
    uint32_t entries;     // number of edges from outside
    bool emitted;
};

struct structurizer {
    struct cfg *cfg;
    struct arena *arena;
    struct ir_builder b;
    struct ir_instr *next;              // address of the variable `next`
    uint32_t numbered, emitted;
    VEC(struct cfg_node *) stack;       // of Tarjan's algorithm
    VEC(struct cfg_node *) order;       // nodes by number
    VEC(struct cfg_node *) pending;     // nodes that `next` can name here: from `base` on; earlier ones: after the arm or loop
    size_t base;
    VEC(struct cfg_node *) again;       // further such nodes, which are listed before `base` too: all outside of the loop
    const struct cfg_region *loop;      // innermost loop being emitted; NULL: none
    bool in_switch;                     // a break here would leave a switch instead of the loop
    VEC(struct cfg_node *) exits;       // nodes that `next` can name after a break out of that loop
};

// ---- the graph -----------------------------------------------------------------------------------

struct cfg_node *cfg_node_add(struct cfg *cfg)
{
    struct cfg_node *node = ARENA_NEW(cfg->arena, struct cfg_node);
    ir_list_init(cfg->function->module, &node->code, NULL);
    vec_push(cfg->arena, &cfg->nodes, node);
    return node;
}

static void set_succs(struct cfg *cfg, struct cfg_node *node, enum cfg_end end, struct ir_instr *cond,
                      struct cfg_node *const *succs, uint32_t count)
{
    node->end = end;
    node->cond = cond;
    node->succs = arena_copy(cfg->arena, succs, sizeof *succs * count);
    node->succ_count = count;
}

void cfg_end_jump(struct cfg *cfg, struct cfg_node *node, struct cfg_node *to)
{
    set_succs(cfg, node, CFG_JUMP, NULL, &to, 1);
}

void cfg_end_branch(struct cfg *cfg, struct cfg_node *node, struct ir_instr *cond, struct cfg_node *yes,
                    struct cfg_node *no)
{
    struct cfg_node *succs[2] = {yes, no};
    if (ir_is_const(cond))
        cfg_end_jump(cfg, node, cond->lanes[0] ? yes : no);
    else
        set_succs(cfg, node, CFG_BRANCH, cond, succs, 2);
}

void cfg_end_switch(struct cfg *cfg, struct cfg_node *node, struct ir_instr *value, const uint64_t *values,
                    struct cfg_node *const *succs, uint32_t count)
{
    set_succs(cfg, node, CFG_SWITCH, value, succs, count + 1);
    node->values = arena_copy(cfg->arena, values, sizeof *values * count);
}

static void find_reachable(struct structurizer *s)
{
    VEC(struct cfg_node *) work = {0};
    struct cfg_node *entry = s->cfg->nodes.items[0];
    entry->reached = true;
    entry->pred_count = 1;
    vec_push(s->arena, &work, entry);
    while (work.count) {
        struct cfg_node *n = work.items[--work.count];
        for (uint32_t i = 0; i < n->succ_count; i++) {
            struct cfg_node *to = n->succs[i];
            to->pred_count++;
            if (!to->reached)
                vec_push(s->arena, &work, to);
            to->reached = true;
        }
    }
}

static void find_preds(struct structurizer *s)
{
    for (size_t i = 0; i < s->order.count; i++) {
        s->order.items[i]->preds = ARENA_ARRAY(s->arena, struct cfg_node *, s->order.items[i]->pred_count);
        s->order.items[i]->pred_count = 0;
    }
    for (size_t i = 0; i < s->order.count; i++)
        for (uint32_t k = 0; k < s->order.items[i]->succ_count; k++) {
            struct cfg_node *to = s->order.items[i]->succs[k];
            to->preds[to->pred_count++] = s->order.items[i];
        }
    s->cfg->nodes.items[0]->pred_count++; // the entry of the function
}

static bool inside(const struct cfg_node *node, uint32_t first, uint32_t last)
{
    return node->number >= first && node->number <= last;
}

static void count_entries(struct structurizer *s)
{
    for (size_t i = 0; i < s->order.count; i++) {
        struct cfg_node *to = s->order.items[i];
        for (uint32_t k = 0; k < to->pred_count; k++) {
            const struct cfg_node *from = to->preds[k]; // NULL: the entry of the function
            for (struct cfg_region *r = to->region; r->outer; r = r->outer)
                r->entries += !from || !inside(from, r->first, r->last);
        }
    }
}

// ---- layout --------------------------------------------------------------------------------------

struct visit {
    struct cfg_node *node;
    uint32_t edge;
};

struct components {
    struct cfg_region *region;      // only its nodes are considered
    const struct cfg_node *head;    // edges to it are ignored
    uint32_t counter;
    VEC(struct cfg_node *) members; // members of all components, successors first
    VEC(size_t) starts;
};

static void component_done(struct structurizer *s, struct components *c, struct cfg_node *root)
{
    struct cfg_node *member;
    vec_push(s->arena, &c->starts, c->members.count);
    do {
        member = s->stack.items[--s->stack.count];
        member->on_stack = false;
        vec_push(s->arena, &c->members, member);
    } while (member != root);
}

// Tarjan's algorithm with an explicit stack, because the depth of the graph grows with the length of the source.
static void find_components(struct structurizer *s, struct components *c, struct cfg_node *from)
{
    VEC(struct visit) visits = {0};
    struct visit first = {from, 0};
    vec_push(s->arena, &visits, first);
    while (visits.count) {
        struct visit *v = &visits.items[visits.count - 1];
        struct cfg_node *n = v->node;
        if (!v->edge && !n->index) {
            n->index = n->low = ++c->counter;
            n->on_stack = true;
            vec_push(s->arena, &s->stack, n);
        }
        if (v->edge < n->succ_count) {
            struct cfg_node *to = n->succs[v->edge++];
            if (to->region != c->region || to == c->head)
                continue;
            if (to->on_stack && to->index < n->low)
                n->low = to->index;
            struct visit deeper = {to, 0};
            if (!to->index)
                vec_push(s->arena, &visits, deeper);
            continue;
        }
        visits.count--;
        if (visits.count && n->low < visits.items[visits.count - 1].node->low)
            visits.items[visits.count - 1].node->low = n->low;
        if (n->low == n->index)
            component_done(s, c, n);
    }
}

static bool is_cycle(struct cfg_node *const *members, size_t count)
{
    if (count > 1)
        return true;
    for (uint32_t i = 0; i < members[0]->succ_count; i++)
        if (members[0]->succs[i] == members[0])
            return true;
    return false;
}

static void number_node(struct structurizer *s, struct cfg_region *region, struct cfg_node *node)
{
    node->region = region;
    node->number = s->numbered++;
    vec_push(s->arena, &s->order, node);
    struct cfg_item item = {.node = node};
    vec_push(s->arena, &region->items, item);
}

static void lay_out(struct structurizer *s, struct cfg_region *region, struct cfg_node **members, size_t count,
                    const struct cfg_node *head, unsigned depth);

static void lay_out_cycle(struct structurizer *s, struct cfg_region *outer, struct cfg_node **members, size_t count,
                          unsigned depth)
{
    struct cfg_region *loop = ARENA_NEW(s->arena, struct cfg_region);
    loop->outer = outer;
    struct cfg_item item = {.loop = loop};
    vec_push(s->arena, &outer->items, item);
    loop->first = s->numbered;
    // The component's root was visited first. It is the head if the cycle has a single entry.
    struct cfg_node *head = members[count - 1];
    if (depth < LOOPS)
        lay_out(s, loop, members, count, head, depth + 1);
    else
        for (size_t i = count; i-- > 0;)
            number_node(s, loop, members[i]);
    loop->last = s->numbered - 1;
}

static void lay_out(struct structurizer *s, struct cfg_region *region, struct cfg_node **members, size_t count,
                    const struct cfg_node *head, unsigned depth)
{
    stack_check();
    struct components c = {.region = region, .head = head};
    for (size_t i = 0; i < count; i++) {
        members[i]->region = region;
        members[i]->index = 0;
    }
    for (size_t i = count; i-- > 0;)
        if (!members[i]->index)
            find_components(s, &c, members[i]);
    for (size_t i = c.starts.count; i-- > 0;) {
        size_t end = i + 1 < c.starts.count ? c.starts.items[i + 1] : c.members.count;
        struct cfg_node **component = c.members.items + c.starts.items[i];
        size_t component_size = end - c.starts.items[i];
        bool self = component_size == 1 && component[0] == head; // its cycle is the current loop
        if (!self && is_cycle(component, component_size))
            lay_out_cycle(s, region, component, component_size, depth);
        else
            number_node(s, region, component[0]);
    }
}

// ---- pending nodes -------------------------------------------------------------------------------

static bool is_pending(const struct structurizer *s, const struct cfg_node *node) { return node->pending > s->base; }

static void pend(struct structurizer *s, struct cfg_node *node)
{
    if (is_pending(s, node))
        return;
    if (node->pending) {
        vec_push(s->arena, &s->again, node);
        return;
    }
    vec_push(s->arena, &s->pending, node);
    node->pending = (uint32_t)s->pending.count;
}

static void unlist(struct structurizer *s, struct cfg_node *node)
{
    struct cfg_node *last = s->pending.items[--s->pending.count];
    s->pending.items[node->pending - 1] = last;
    last->pending = node->pending;
    node->pending = 0;
}

// Removes nodes first..last from the pending list. *others: whether any other nodes are pending.
static bool unpend(struct structurizer *s, uint32_t first, uint32_t last, bool *others)
{
    size_t before = s->pending.count;
    for (uint32_t number = first; number <= last; number++)
        if (is_pending(s, s->order.items[number]))
            unlist(s, s->order.items[number]);
    *others = s->pending.count != s->base || s->again.count;
    return s->pending.count != before;
}

// At the end of a loop: the nodes that are still pending are its exits.
static void pending_to_exits(struct structurizer *s)
{
    for (size_t i = 0; i < s->again.count; i++)
        vec_push(s->arena, &s->exits, s->again.items[i]);
    while (s->pending.count > s->base) {
        struct cfg_node *node = s->pending.items[s->pending.count - 1];
        unlist(s, node);
        vec_push(s->arena, &s->exits, node);
    }
}

// ---- emission ------------------------------------------------------------------------------------

static const struct ir_mem next_memory = {.space = IR_PRIVATE, .align = 4};

static struct ir_instr *number_value(struct structurizer *s, uint32_t number)
{
    return ir_const_int(s->b.module, ir_int(32), number);
}

static struct ir_instr *load_next(struct structurizer *s)
{
    return ir_load(&s->b, ir_int(32), s->next, next_memory);
}

static void store_next(struct structurizer *s, struct ir_instr *value)
{
    ir_store(&s->b, s->next, value, next_memory);
}

// The condition that `next` is in first..last.
static struct ir_instr *next_is_in(struct structurizer *s, uint32_t first, uint32_t last)
{
    struct ir_instr *next = load_next(s);
    if (first == last)
        return ir_op2(&s->b, IR_OP_ieq, next, number_value(s, first));
    struct ir_instr *from_first = ir_op2(&s->b, IR_OP_isub, next, number_value(s, first));
    return ir_op2(&s->b, IR_OP_ule, from_first, number_value(s, last - first));
}

static bool is_single_entry(const struct cfg_node *from, const struct cfg_node *to, unsigned depth)
{
    return to->pred_count == 1 && to->region == from->region && !to->emitted && depth < NESTING &&
           to->number > from->number;
}

// The loop that only this edge enters and that can be emitted here; NULL if there is none.
static struct cfg_region *loop_here(const struct cfg_node *from, const struct cfg_node *to, unsigned depth)
{
    struct cfg_region *loop = to->region;
    bool here = loop->outer && loop->outer == from->region && loop->entries == 1 && !loop->emitted && depth < NESTING;
    return here ? loop : NULL;
}

static bool can_emit_here(const struct cfg_node *from, const struct cfg_node *to, unsigned depth)
{
    return is_single_entry(from, to, depth) || loop_here(from, to, depth);
}

// The node, or the loop of the region whose head it is.
static struct cfg_item item_of(struct cfg_node *node, const struct cfg_region *region)
{
    return node->region == region ? (struct cfg_item){.node = node} : (struct cfg_item){.loop = node->region};
}

static void emit_arm(struct structurizer *s, const struct cfg_item *item, unsigned depth);

// Records an edge to a node that is emitted later.
static void count_edge(const struct cfg_node *from, struct cfg_node *to)
{
    to->seen++;
    if (to->seen == 1 || from->at < to->least)
        to->least = from->at;
}

static bool leaves_loop(const struct structurizer *s, const struct cfg_node *to)
{
    return s->loop && !s->in_switch && !inside(to, s->loop->first, s->loop->last);
}

static void emit_edge(struct structurizer *s, struct cfg_node *from, struct cfg_node *to, unsigned depth)
{
    stack_check();
    if (can_emit_here(from, to, depth)) {
        struct cfg_item item = item_of(to, from->region);
        if (item.loop)
            store_next(s, number_value(s, to->number));
        emit_arm(s, &item, depth + 1);
        return;
    }
    count_edge(from, to);
    store_next(s, number_value(s, to->number));
    if (!leaves_loop(s, to)) {
        pend(s, to);
        return;
    }
    vec_push(s->arena, &s->exits, to);
    ir_jump(&s->b, IR_OP_break, NULL);
}

// Only the arm that leaves the loop is inside the if; the other path continues after it.
static struct cfg_node *emit_exit(struct structurizer *s, struct cfg_node *node)
{
    bool first = leaves_loop(s, node->succs[0]);
    struct ir_if *branch = ir_add_if(&s->b, node->cond);
    ir_place_end(&s->b, first ? &branch->then_list : &branch->else_list);
    emit_edge(s, node, node->succs[!first], NESTING);
    ir_place_after(&s->b, &branch->node);
    return node->succs[first];
}

static void emit_branch(struct structurizer *s, struct cfg_node *node, unsigned depth)
{
    struct cfg_node *yes = node->succs[0], *no = node->succs[1];
    if (yes == no || (!can_emit_here(node, yes, depth) && !can_emit_here(node, no, depth))) {
        struct ir_instr *yes_number = number_value(s, yes->number), *no_number = number_value(s, no->number);
        store_next(s, ir_select(&s->b, node->cond, yes_number, no_number));
        count_edge(node, yes);
        count_edge(node, no);
        pend(s, yes);
        pend(s, no);
        return;
    }
    struct ir_if *branch = ir_add_if(&s->b, node->cond);
    ir_place_end(&s->b, &branch->then_list);
    emit_edge(s, node, yes, depth);
    bool ends = s->b.dead;
    ir_place_end(&s->b, &branch->else_list);
    emit_edge(s, node, no, depth);
    ends &= s->b.dead;
    ir_place_after(&s->b, &branch->node);
    if (ends)
        ir_jump(&s->b, IR_OP_unreachable, NULL);
}

static void emit_switch(struct structurizer *s, struct cfg_node *node, unsigned depth)
{
    uint32_t count = node->succ_count;
    bool in_switch = s->in_switch;
    struct ir_switch *choice = ir_add_switch(&s->b, node->cond, count);
    s->in_switch = true;
    for (uint32_t i = 0; i < count; i++) {
        struct ir_case *one = &choice->cases[i];
        one->is_default = i + 1 == count;
        if (!one->is_default) {
            one->values = arena_copy(s->b.module->arena, &node->values[i], sizeof *node->values);
            one->value_count = 1;
        }
        ir_place_end(&s->b, &one->list);
        emit_edge(s, node, node->succs[i], depth);
        if (!s->b.dead)
            ir_jump(&s->b, IR_OP_break, NULL);
    }
    s->in_switch = in_switch;
    ir_place_after(&s->b, &choice->node);
}

// Emits the end of a node that has one successor here: a jump, or a branch whose other edge leaves the loop. Returns
// the successor, else NULL.
static struct cfg_node *emit_straight(struct structurizer *s, struct cfg_node *node)
{
    if (node->end == CFG_JUMP)
        return node->succs[0];
    bool leaves = node->end == CFG_BRANCH && leaves_loop(s, node->succs[0]) != leaves_loop(s, node->succs[1]);
    return leaves ? emit_exit(s, node) : NULL;
}

static void emit_node(struct structurizer *s, struct cfg_node *node, unsigned depth)
{
    for (struct cfg_node *next;; node = next) {
        node->emitted = true;
        node->at = s->emitted++;
        ir_append(&s->b, &node->code);
        if (s->b.dead)
            return;
        next = emit_straight(s, node);
        if (!next)
            break;
        if (!is_single_entry(node, next, 0)) {
            emit_edge(s, node, next, NESTING);
            return;
        }
    }
    if (node->end == CFG_BRANCH)
        emit_branch(s, node, depth);
    else if (node->end == CFG_SWITCH)
        emit_switch(s, node, depth);
}

static void emit_region(struct structurizer *s, struct cfg_region *region, unsigned depth);

// Whether an edge back to `to` belongs to a loop nested in `loop`.
static bool is_of_inner_loop(const struct cfg_region *loop, const struct cfg_node *from, const struct cfg_node *to)
{
    const struct cfg_region *r = to->region;
    while (r != loop && r->outer != loop)
        r = r->outer;
    return r != loop && inside(from, r->first, r->last);
}

// Marks the nodes that `next` may name at the start of an iteration: targets of edges from outside the loop and of
// back edges.
static void pend_round(struct structurizer *s, const struct cfg_region *loop)
{
    for (uint32_t number = loop->first; number <= loop->last; number++) {
        struct cfg_node *to = s->order.items[number];
        bool begins = to == s->cfg->nodes.items[0];
        for (uint32_t i = 0; i < to->pred_count && !begins; i++) {
            const struct cfg_node *from = to->preds[i];
            begins = !inside(from, loop->first, loop->last) ||
                     (from->number >= number && !is_of_inner_loop(loop, from, to));
        }
        if (begins)
            pend(s, to);
    }
}

// The end of an iteration: repeats, or leaves the loop if `next` is outside.
static void end_round(struct structurizer *s, const struct cfg_region *region)
{
    bool leaves, again = unpend(s, region->first, region->last, &leaves);
    pending_to_exits(s);
    if (s->b.dead || !leaves)
        return;
    struct ir_instr *inside_next = next_is_in(s, region->first, region->last);
    if (again) {
        struct ir_if *leave = ir_add_if(&s->b, ir_op1(&s->b, IR_OP_not, inside_next));
        ir_place_end(&s->b, &leave->then_list);
    }
    ir_jump(&s->b, IR_OP_break, NULL);
}

// After a loop: breaks out of the enclosing loop at once if `next` is outside of that too.
static void emit_after_loop(struct structurizer *s, struct cfg_node *const *exits, size_t count)
{
    bool continues = false, leaves = false;
    for (size_t i = 0; i < count; i++) {
        bool out = leaves_loop(s, exits[i]);
        leaves |= out;
        continues |= !out;
        if (out)
            vec_push(s->arena, &s->exits, exits[i]);
        else
            pend(s, exits[i]);
    }
    if (leaves && continues) {
        struct ir_if *leave = ir_add_if(&s->b, next_is_in(s, s->loop->first, s->loop->last));
        ir_place_end(&s->b, &leave->else_list);
        ir_jump(&s->b, IR_OP_break, NULL);
        ir_place_after(&s->b, &leave->node);
    } else if (leaves) {
        ir_jump(&s->b, IR_OP_break, NULL);
    } else if (!continues) {
        ir_jump(&s->b, IR_OP_unreachable, NULL);
    }
}

// The unroll request of the loop's own nodes; the head is the first of them.
static int32_t requested_unroll(const struct cfg_region *region)
{
    for (size_t i = 0; i < region->items.count; i++)
        if (region->items.items[i].node && region->items.items[i].node->unroll != IR_UNROLL_DEFAULT)
            return region->items.items[i].node->unroll;
    return IR_UNROLL_DEFAULT;
}

static void emit_loop(struct structurizer *s, struct cfg_region *region, unsigned depth)
{
    const struct structurizer outer = *s;
    struct ir_loop *loop = ir_add_loop(&s->b);
    loop->unroll = requested_unroll(region);
    ir_place_end(&s->b, &loop->body);
    s->loop = region;
    s->in_switch = false;
    s->base = s->pending.count;
    memset(&s->again, 0, sizeof s->again);
    memset(&s->exits, 0, sizeof s->exits);
    region->emitted = true;
    pend_round(s, region);
    emit_region(s, region, depth);
    end_round(s, region);
    struct cfg_node **exits = s->exits.items;
    size_t exit_count = s->exits.count;
    s->loop = outer.loop;
    s->in_switch = outer.in_switch;
    s->base = outer.base;
    s->again = outer.again;
    s->exits = outer.exits;
    ir_place_after(&s->b, &loop->node);
    emit_after_loop(s, exits, exit_count);
}

static void emit_code(struct structurizer *s, const struct cfg_item *item, unsigned depth)
{
    if (item->node)
        emit_node(s, item->node, depth);
    else
        emit_loop(s, item->loop, depth);
}

static void emit_item(struct structurizer *s, const struct cfg_item *item, unsigned depth)
{
    stack_check();
    uint32_t first = item->node ? item->node->number : item->loop->first;
    uint32_t last = item->node ? item->node->number : item->loop->last;
    bool others;
    if (!unpend(s, first, last, &others))
        return;
    struct ir_if *guard = others ? ir_add_if(&s->b, next_is_in(s, first, last)) : NULL;
    if (guard)
        ir_place_end(&s->b, &guard->then_list);
    if (guard && depth < NESTING)
        emit_arm(s, item, depth + 1);
    else
        emit_code(s, item, depth);
    if (guard)
        ir_place_after(&s->b, &guard->node);
}

static bool is_emitted(const struct cfg_item *item) { return item->node ? item->node->emitted : item->loop->emitted; }

static void emit_region(struct structurizer *s, struct cfg_region *region, unsigned depth)
{
    for (size_t i = 0; i < region->items.count && !s->b.dead; i++)
        if (!is_emitted(&region->items.items[i]))
            emit_item(s, &region->items.items[i], depth);
}

// ---- arms ----------------------------------------------------------------------------------------

// Whether all edges to the node (or to the loop whose head it is) come from nodes emitted since the count `since`.
static bool follows(const struct cfg_node *node, const struct cfg_region *region, uint32_t since)
{
    bool is_node = node->region == region;
    if (!is_node && node->region->outer != region)
        return false;
    bool emitted = is_node ? node->emitted : node->region->emitted;
    return !emitted && node->least >= since && node->seen == (is_node ? node->pred_count : node->region->entries);
}

static struct cfg_node *first_join(const struct structurizer *s, const struct cfg_region *region, uint32_t since)
{
    struct cfg_node *first = NULL;
    if (s->pending.count - s->base > JOINS)
        return NULL;
    for (size_t i = s->base; i < s->pending.count; i++) {
        struct cfg_node *node = s->pending.items[i];
        if (follows(node, region, since) && (!first || node->number < first->number))
            first = node;
    }
    return first;
}

// Adds the nodes that were pending already and were named again in the arm to the enclosing list.
static void pend_again(struct structurizer *s, struct cfg_node *const *again, size_t count)
{
    for (size_t i = 0; i < count; i++)
        pend(s, again[i]);
}

// Emits the first item of an arm, and then all nodes that are reachable only from it.
static void emit_arm(struct structurizer *s, const struct cfg_item *item, unsigned depth)
{
    const struct structurizer outer = *s;
    const struct cfg_region *region = item->node ? item->node->region : item->loop->outer;
    const uint32_t since = s->emitted;
    s->base = s->pending.count;
    memset(&s->again, 0, sizeof s->again);
    emit_code(s, item, depth);
    for (struct cfg_node *join; !s->b.dead && (join = first_join(s, region, since));) {
        struct cfg_item next = item_of(join, region);
        emit_item(s, &next, depth);
    }
    struct cfg_node **again = s->again.items;
    size_t again_count = s->again.count;
    s->base = outer.base;
    s->again = outer.again;
    pend_again(s, again, again_count);
}

void cfg_structurize(struct cfg *cfg)
{
    struct structurizer s = {.cfg = cfg, .arena = cfg->arena, .b = ir_at_end(cfg->function)};
    struct cfg_region root = {0};
    VEC(struct cfg_node *) reached = {0};
    struct ir_var *next = ir_var_add(s.b.module, cfg->function, "next", IR_PRIVATE, 4, 4);
    s.next = ir_addr(s.b.module, next);
    find_reachable(&s);
    for (size_t i = cfg->nodes.count; i-- > 0;)
        if (cfg->nodes.items[i]->reached)
            vec_push(s.arena, &reached, cfg->nodes.items[i]);
    lay_out(&s, &root, reached.items, reached.count, NULL, 0);
    find_preds(&s);
    count_entries(&s);
    struct cfg_node *entry = cfg->nodes.items[0];
    pend(&s, entry);
    if (entry->region != &root) // a loop's first iteration tests `next`
        store_next(&s, number_value(&s, entry->number));
    emit_region(&s, &root, 0);
    if (!s.b.dead)
        ir_jump(&s.b, IR_OP_unreachable, NULL);
}
