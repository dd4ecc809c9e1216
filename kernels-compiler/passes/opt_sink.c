// SPDX-License-Identifier: Apache-2.0
// Moves computations behind control flow that does not need them, where more bytes are live than the device has
// registers.
//
//   %1 = imul %i, 4 ; %2 = iadd %1, %a ; if %c { ... } ; %3 = load %2
//   ->   if %c { ... } ; %1 = imul %i, 4 ; %2 = iadd %1, %a ; %3 = load %2
//
// A value that is only used later in the same list of blocks moves to the first of these blocks, or to the block
// before the if, loop or switch with the first use, so it is computed as often as before. What only it needs moves
// with it, if the sources that are left occupy fewer bytes in between than the value does; mostly they are live anyway.
//
// opt_order does the same within blocks. Only for devices that divide registers among the lanes of a sub-group, where
// values that are the same for all of them occupy registers, too: on others, what is saved is little, and the sources,
// mostly such values, have few registers of their own.
#include "passes/pressure.h"

enum {
    MAX_CONE = 64,
    MOST = 20000 // instructions of a block; larger ones stay as they are, for compile time
};

struct sink {
    struct ir_function *f;
    const struct kc_target *target;
    struct pressure pressure;
    uint32_t *most;            // by block: bytes of registers that are live at its worst position
    struct ir_block **to;      // by id: the first block with a use that is not in the value's block; NULL: none
    bool *stays;               // by id: used where it cannot be moved to
    uint32_t *users, *counted; // by id: users in its block; those in the current cone
    uint32_t *number;          // by id: the last cone that counted it
    uint32_t cones;
    bool changed;
};

// The node of the list that contains the block; NULL: the block is not inside.
static struct ir_node *node_in(const struct ir_list *list, struct ir_block *block)
{
    struct ir_node *node = &block->node;
    while (node && node->list != list)
        node = node->list->owner;
    return node;
}

// x is used in the block, or at its end (phis, conditions).
static void use(struct sink *s, const struct ir_instr *x, struct ir_block *block, bool at_end)
{
    if (!x || opt_is_floating(x))
        return;
    if (block == x->block) {
        s->users[x->id]++;
        s->stays[x->id] |= at_end;
        return;
    }
    struct ir_node *node = node_in(x->block->node.list, block);
    struct ir_block *to = node && node->kind != IR_BLOCK ? (struct ir_block *)node->prev : (struct ir_block *)node;
    if (!to || to == x->block)
        s->stays[x->id] = true;
    else if (!s->to[x->id] || to->index < s->to[x->id]->index)
        s->to[x->id] = to;
}

static void find_uses(struct sink *s)
{
    for (struct ir_block *b = ir_first_block(s->f); b; b = ir_next_block(b)) {
        const struct ir_node *next = b->node.next, *owner = b->node.list->owner;
        for (struct ir_instr *x = b->first; x; x = x->next)
            for (uint32_t i = 0; i < x->src_count; i++)
                use(s, x->src[i], x->op == IR_OP_phi ? x->preds[i] : b, x->op == IR_OP_phi);
        if (next && next->kind == IR_IF)
            use(s, ((const struct ir_if *)next)->cond, b, true);
        else if (next && next->kind == IR_SWITCH)
            use(s, ((const struct ir_switch *)next)->value, b, true);
        else if (!next && owner && owner->kind == IR_LOOP)
            use(s, ((const struct ir_loop *)owner)->cond, b, true);
    }
}

static uint32_t live_at(const struct sink *s, uint32_t position)
{
    enum { SHARED = 2 }; // 1 / this of a value's bytes are those of a work-item
    return s->pressure.live[position] + s->pressure.shared[position] / SHARED;
}

static void find_most(struct sink *s)
{
    for (const struct ir_block *b = ir_first_block(s->f); b; b = ir_next_block(b))
        for (uint32_t at = s->pressure.begin[b->index]; at <= s->pressure.begin[b->index + 1]; at++)
            if (live_at(s, at) > s->most[b->index])
                s->most[b->index] = live_at(s, at);
}

// Whether registers are short between the blocks.
static bool is_full(const struct sink *s, const struct ir_block *from, const struct ir_block *to)
{
    const uint32_t registers = s->target->register_bytes - s->target->register_bytes / 4;
    for (uint32_t i = from->index + 1; i < to->index; i++)
        if (s->most[i] > registers)
            return true;
    return false;
}

// What drivers keep of a value: not what is extended, nor what they have loaded before.
static int64_t half_bytes(const struct sink *s, const struct ir_instr *x)
{
    if ((x->op == IR_OP_sext || x->op == IR_OP_zext) && !opt_is_floating(x->src[0]))
        x = x->src[0];
    const uint32_t bytes = pressure_bytes(&s->pressure, x);
    return opt_is_push(x) ? 0 : bytes ? 2 * (int64_t)bytes : ir_type_bytes(x->type);
}

// Half bytes that x occupies until `to` if it is needed there.
static int64_t cost(const struct sink *s, const struct ir_instr *x, const struct ir_block *to)
{
    return opt_is_floating(x) || s->pressure.last[x->id] >= s->pressure.begin[to->index] ? 0 : half_bytes(s, x);
}

static bool is_movable(const struct ir_instr *x) { return ir_has_flag(x, IR_FLAG_P) && x->op != IR_OP_phi && x->op != IR_OP_sys; }

// Collects and marks what only `root` needs, itself first. MAX_CONE: too much.
static uint32_t mark_cone(struct sink *s, struct ir_instr *root, struct ir_instr **cone)
{
    uint32_t count = 1;
    cone[0] = root;
    root->mark = 1;
    s->cones++;
    for (uint32_t at = 0; at < count; at++)
        for (uint32_t i = 0; i < cone[at]->src_count; i++) {
            struct ir_instr *x = cone[at]->src[i];
            if (opt_is_floating(x) || x->block != root->block || s->stays[x->id] || s->to[x->id] || !is_movable(x))
                continue;
            s->counted[x->id] = s->number[x->id] == s->cones ? s->counted[x->id] + 1 : 1;
            s->number[x->id] = s->cones;
            if (s->counted[x->id] < s->users[x->id] || count == MAX_CONE)
                continue;
            x->mark = 1;
            cone[count++] = x;
        }
    return count;
}

static int64_t cost_of_sources(const struct sink *s, struct ir_instr *const *cone, uint32_t count, const struct ir_block *to)
{
    int64_t sum = 0;
    for (uint32_t at = 0; at < count; at++)
        for (uint32_t i = 0; i < cone[at]->src_count; i++)
            sum += cone[at]->src[i]->mark ? 0 : cost(s, cone[at]->src[i], to);
    return sum;
}

static void put_first(struct ir_block *to, struct ir_instr *x)
{
    struct ir_instr *after = NULL, *next = to->first;
    for (; next && next->op == IR_OP_phi; next = next->next)
        after = next;
    ir_remove(x);
    x->block = to;
    x->prev = after;
    x->next = next;
    *(after ? &after->next : &to->first) = x;
    *(next ? &next->prev : &to->last) = x;
}

static void move_use(struct sink *s, const struct ir_instr *x, const struct ir_block *from, struct ir_block *to)
{
    const uint32_t at = s->pressure.begin[to->index];
    if (opt_is_floating(x))
        return;
    s->users[x->id] -= x->block == from;
    s->pressure.last[x->id] = s->pressure.last[x->id] < at ? at : s->pressure.last[x->id];
    use(s, x, to, false);
}

static void visit(struct sink *s, struct ir_instr *root)
{
    struct ir_instr *cone[MAX_CONE];
    struct ir_block *to = s->to[root->id], *from = root->block;
    if (!to || s->stays[root->id] || s->users[root->id] || !is_movable(root) || !is_full(s, from, to))
        return;
    const uint32_t count = mark_cone(s, root, cone);
    const bool moves = count < MAX_CONE && cost_of_sources(s, cone, count, to) < half_bytes(s, root);
    for (uint32_t i = 0; i < count && !moves; i++)
        cone[i]->mark = 0;
    for (struct ir_instr *x = moves ? root : NULL, *before; x; x = before) {
        before = x->prev;
        if (!x->mark)
            continue;
        x->mark = 0;
        for (uint32_t i = 0; i < x->src_count; i++)
            move_use(s, x->src[i], from, to);
        put_first(to, x);
    }
    s->changed |= moves;
}

static uint32_t list_instrs(const struct ir_block *b, struct ir_instr **instrs)
{
    uint32_t count = 0;
    for (struct ir_instr *x = b->first; x; x = x->next)
        instrs[count++] = x;
    return count <= MOST ? count : 0;
}

// Requires: resolved values. Keeps: values. Removes: nothing.
bool opt_sink(struct pass_context *c, struct ir_function *f)
{
    const struct kc_target *target = c->target;
    const bool shares = target && target->register_bytes && target->register_bytes < target->most_register_bytes;
    if (!shares || !ir_first_block(f)->node.next)
        return false;
    struct sink s = {.f = f, .target = target};
    uint32_t **arrays[] = {&s.users, &s.counted, &s.number};
    s.pressure = pressure_of(f, c->scratch);
    for (int i = 0; i < 3; i++)
        *arrays[i] = ARENA_ARRAY(c->scratch, uint32_t, f->instr_count + 1);
    s.most = ARENA_ARRAY(c->scratch, uint32_t, f->block_count + 1);
    s.to = ARENA_ARRAY(c->scratch, struct ir_block *, f->instr_count + 1);
    s.stays = ARENA_ARRAY(c->scratch, bool, f->instr_count + 1);
    find_uses(&s);
    find_most(&s);
    struct ir_block **blocks = ARENA_ARRAY(c->scratch, struct ir_block *, f->block_count);
    struct ir_instr **instrs = ARENA_ARRAY(c->scratch, struct ir_instr *, f->instr_count + 1);
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b))
        blocks[b->index] = b;
    // from the end to the start, so that what only moved values need can move, too
    for (uint32_t i = f->block_count; i--;)
        for (uint32_t k = list_instrs(blocks[i], instrs); k--;)
            if (instrs[k]->block == blocks[i])
                visit(&s, instrs[k]);
    return s.changed;
}
