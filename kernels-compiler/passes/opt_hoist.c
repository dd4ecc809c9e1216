// SPDX-License-Identifier: Apache-2.0
// Loop-invariant code motion: moves what is the same in every iteration of a loop before it.
//
//   loop { %3 = imul %a, %b ... }     ->     %3 = imul %a, %b ; loop { ... }
//
// Only pure values that every iteration computes: nothing is moved out of ifs. Loops that run once, which implement
// early returns (lower_returns), are skipped: code after a break in them may be rarely executed. Loads are moved only
// if they are executed whenever the loop is entered - they are in its first block, or in no if while no jump leaves
// iterations early - and if nothing in the loop writes to their kind of memory. Inner loops are processed first, so a
// value moves out of all loops in which it is invariant.
//
// A value that is moved occupies a register during the whole loop. If the device has a limit (kc_target), a loop that
// is estimated to need more registers keeps its values, except for those that are the same for all work-items, and for
// groups that free as many registers as they occupy: their sources are not needed in the loop any more.
//
//   loop { %3 = imul %a, %b ; %4 = iadd %3, %c ... }     ->     %3 = imul %a, %b ; %4 = iadd %3, %c ; loop { ... }
#include "passes/pressure.h"

struct range { // blocks of a loop, by their index
    uint32_t first, last;
    const struct ir_block *header, *after;
    unsigned written; // bits of the kinds of memory: see opt.h
    bool leaves_early; // a jump may end an iteration before its end
    const struct pressure *pressure; // NULL: not limited
    uint32_t room;                   // bytes of registers that moved values may occupy,
    uint32_t shared_room;            // ... and those that are the same for all work-items of a sub-group
};

struct groups { // of values that can move together; by id:
    uint32_t *parent; // leads to the one that stands for the group
    uint32_t *others; // uses in the loop by what does not move; COUNTED: it has been added to `bytes`
    int64_t *bytes;   // in half bytes: what becomes live in the whole loop minus what is not live there any more
    bool shares;      // values that are the same for all work-items of a sub-group occupy registers
};

enum { COUNTED = UINT32_MAX };

static bool inside(const struct range *r, const struct ir_instr *x)
{
    return x->block && x->block->index >= r->first && x->block->index <= r->last;
}

static bool may_load(const struct range *r, const struct ir_instr *x)
{
    bool load = x->op == IR_OP_load || x->op == IR_OP_elem_load;
    bool always_executed = x->block == r->header || !r->leaves_early;
    if (!always_executed || (load && x->mem.is_volatile))
        return false;
    return (load || opt_is_image_read(x)) &&
           (opt_is_pure_load(x) || !(r->written >> opt_kind(x) & 1));
}

// Marked sources move, too.
static bool can_move(const struct range *r, const struct ir_instr *x)
{
    if ((!ir_has_flag(x, IR_FLAG_P) && !opt_is_push(x) && !may_load(r, x)) || x->op == IR_OP_phi)
        return false;
    for (uint32_t i = 0; i < x->src_count; i++)
        if (inside(r, x->src[i]) && !x->src[i]->mark)
            return false;
    return true;
}

static bool may_move(const struct range *r, const struct ir_instr *x)
{
    if (!can_move(r, x))
        return false;
    if (!r->pressure)
        return true;
    const uint32_t bytes = pressure_bytes(r->pressure, x);
    return bytes ? bytes <= r->room : ir_type_bytes(x->type) <= r->shared_room;
}

static void take_room(struct range *r, const struct ir_instr *x)
{
    const uint32_t bytes = pressure_bytes(r->pressure, x);
    r->room -= bytes;
    r->shared_room -= bytes || r->shared_room == UINT32_MAX ? 0 : ir_type_bytes(x->type);
}

static bool hoist_list(struct range *r, const struct ir_list *list, struct ir_block *before)
{
    bool changed = false;
    for (struct ir_node *node = list->first; node; node = node->next) {
        struct ir_block *b = (struct ir_block *)node;
        if (node->kind != IR_BLOCK)
            continue;
        for (struct ir_instr *x = b->first, *next; x; x = next) {
            next = x->next;
            if (!may_move(r, x))
                continue;
            opt_move_to_end(before, x);
            if (r->pressure)
                take_room(r, x);
            changed = true;
        }
    }
    return changed;
}

static uint32_t group_of(const struct groups *g, const struct ir_instr *x)
{
    uint32_t id = x->id;
    while (g->parent[id] != id)
        id = g->parent[id] = g->parent[g->parent[id]];
    return id;
}

static bool outlives(const struct range *r, const struct ir_instr *x)
{
    const struct ir_instr *next = r->after->first;
    const uint32_t last = r->pressure->last[x->id], end = r->pressure->begin[r->last + 1];
    for (uint32_t i = 0; last == end && next && i < next->src_count; i++)
        if (next->src[i] == x)
            return true;
    return last > end;
}

static int64_t half_bytes(const struct range *r, const struct groups *g, const struct ir_instr *x)
{
    const uint32_t bytes = pressure_bytes(r->pressure, x);
    return bytes ? 2 * (int64_t)bytes : g->shares ? ir_type_bytes(x->type) : 0;
}

// Whether the source of a marked value is not needed in the loop if that moves.
static bool is_freed(const struct range *r, const struct groups *g, const struct ir_instr *source)
{
    return !opt_is_floating(source) && !inside(r, source) && !opt_is_push(source) && !g->others[source->id] && !outlives(r, source);
}

static void use(const struct groups *g, const struct ir_instr *x)
{
    if (x && !opt_is_floating(x))
        g->others[x->id]++;
}

static void count_others(const struct groups *g, const struct ir_block *b)
{
    const struct ir_node *next = b->node.next, *owner = b->node.list->owner;
    for (const struct ir_instr *x = b->first; x; x = x->next)
        for (uint32_t i = 0; i < x->src_count && !x->mark; i++)
            use(g, x->src[i]);
    if (next && next->kind == IR_IF)
        use(g, ((const struct ir_if *)next)->cond);
    else if (next && next->kind == IR_SWITCH)
        use(g, ((const struct ir_switch *)next)->value);
    else if (!next && owner && owner->kind == IR_LOOP)
        use(g, ((const struct ir_loop *)owner)->cond);
}

// Joins a marked value and those of its sources that move or are freed.
static void join(const struct range *r, const struct groups *g, const struct ir_instr *x)
{
    for (uint32_t i = 0; i < x->src_count; i++)
        if (x->src[i]->mark || is_freed(r, g, x->src[i]))
            g->parent[group_of(g, x->src[i])] = group_of(g, x);
}

// Adds what x occupies if it moves, and what its sources that are freed have occupied.
static void count_bytes(const struct range *r, const struct groups *g, const struct ir_instr *x)
{
    int64_t *bytes = &g->bytes[group_of(g, x)];
    *bytes += g->others[x->id] || outlives(r, x) ? half_bytes(r, g, x) : 0;
    for (uint32_t i = 0; i < x->src_count; i++)
        if (is_freed(r, g, x->src[i])) {
            *bytes -= half_bytes(r, g, x->src[i]);
            g->others[x->src[i]->id] = COUNTED;
        }
}

static void reset(const struct groups *g, const struct ir_instr *x)
{
    if (opt_is_floating(x))
        return;
    g->parent[x->id] = x->id;
    g->others[x->id] = 0;
    g->bytes[x->id] = 0;
}

// Marks the values of the list that can move.
static bool mark(const struct range *r, const struct ir_list *list)
{
    bool any = false;
    for (struct ir_node *node = list->first; node; node = node->next)
        for (struct ir_instr *x = node->kind == IR_BLOCK ? ((struct ir_block *)node)->first : NULL; x; x = x->next) {
            x->mark = can_move(r, x);
            any |= x->mark;
        }
    return any;
}

static bool hoist_groups(const struct range *r, const struct groups *g, const struct ir_loop *loop, struct ir_block *before)
{
    const struct ir_block *end = (const struct ir_block *)loop->node.next;
    const bool any = mark(r, &loop->body) | mark(r, &loop->cont);
    bool changed = false;
    for (struct ir_block *b = ir_list_first(&loop->body); any && b != end; b = ir_next_block(b))
        for (struct ir_instr *x = b->first; x; x = x->next) {
            reset(g, x);
            for (uint32_t i = 0; i < x->src_count; i++)
                reset(g, x->src[i]);
        }
    for (struct ir_block *b = ir_list_first(&loop->body); any && b != end; b = ir_next_block(b))
        count_others(g, b);
    for (struct ir_block *b = ir_list_first(&loop->body); any && b != end; b = ir_next_block(b))
        for (struct ir_instr *x = b->first; x; x = x->next)
            if (x->mark)
                join(r, g, x);
    for (struct ir_block *b = ir_list_first(&loop->body); any && b != end; b = ir_next_block(b))
        for (struct ir_instr *x = b->first; x; x = x->next)
            if (x->mark)
                count_bytes(r, g, x);
    for (struct ir_block *b = ir_list_first(&loop->body); any && b != end; b = ir_next_block(b))
        for (struct ir_instr *x = b->first, *next; x; x = next) {
            next = x->next;
            const bool moves = x->mark && g->bytes[group_of(g, x)] <= 0;
            x->mark = 0;
            if (moves)
                opt_move_to_end(before, x);
            changed |= moves;
        }
    return changed;
}

// Whether a jump may end an iteration before its end.
static bool leaves_early(const struct ir_loop *loop)
{
    const struct ir_block *end = (const struct ir_block *)loop->node.next;
    for (struct ir_block *b = ir_list_first(&loop->body); b && b != end; b = ir_next_block(b))
        if (ir_ends_in_jump(b) &&
            (b->last->op == IR_OP_return || ir_jump_target(b, b->last->op == IR_OP_continue) == &loop->node))
            return true;
    return false;
}

// Requires: resolved values. Keeps: values. Removes: nothing.
bool opt_hoist(struct pass_context *context, struct ir_function *f)
{
    struct opt_nodes nodes = opt_nodes(f, context->scratch);
    const uint32_t registers = context->target ? context->target->register_bytes : 0;
    // registers that are divided among lanes hold such values, too
    const bool shares = registers && pressure_by_lanes(context->target);
    struct pressure pressure;
    struct groups groups = {.shares = shares};
    bool changed = false;
    if (registers && nodes.count) {
        pressure = pressure_of(f, context->scratch);
        groups.parent = ARENA_ARRAY(context->scratch, uint32_t, f->instr_count + 1);
        groups.others = ARENA_ARRAY(context->scratch, uint32_t, f->instr_count + 1);
        groups.bytes = ARENA_ARRAY(context->scratch, int64_t, f->instr_count + 1);
    } else {
        ir_number_blocks(f);
    }
    for (size_t i = nodes.count; i-- > 0;) {
        struct ir_loop *loop = (struct ir_loop *)nodes.items[i];
        if (loop->node.kind != IR_LOOP || opt_runs_once(loop))
            continue;
        struct ir_block *before = (struct ir_block *)loop->node.prev;
        struct range r = {before->index + 1, ir_list_last(&loop->cont)->index,
                          ir_list_first(&loop->body), (const struct ir_block *)loop->node.next,
                          opt_written_in(loop), leaves_early(loop),
                          registers ? &pressure : NULL, registers ? pressure_room(&pressure, loop, context->target) : 0,
                          shares ? pressure_shared_room(&pressure, loop, registers) : UINT32_MAX};
        changed |= hoist_list(&r, &loop->body, before);
        changed |= hoist_list(&r, &loop->cont, before);
        changed |= registers && hoist_groups(&r, &groups, loop, before);
    }
    return changed;
}
