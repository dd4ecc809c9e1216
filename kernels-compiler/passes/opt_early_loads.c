// SPDX-License-Identifier: Apache-2.0
// Hoists loads of device memory: of memory that is only read above the preceding barrier; above stores that do not change
// what they load; and all above an if that neither writes nor jumps.
//
//   store %local, %1 ; barrier ; %2 = load %a readonly     ->     %2 = load %a readonly ; store %local, %1 ; barrier
//   store %a, %1 ; %2 = load %b     ->     %2 = load %b ; store %a, %1
//   if %1 { %2 = load %b } ; %3 = load %a     ->     %3 = load %a ; if %1 { %2 = load %b }
//
// Latencies then overlap: of the barrier and the loads, of the loads between the stores of an unrolled loop. Drivers
// move no loads across barriers and ifs, nor above stores, of which they do not know what they change. No load is
// speculated, and only as much is hoisted as fits in a few registers. Not on CPU devices, which spill to memory what
// lives across a barrier.
#include "passes/alias.h"
#include "passes/pressure.h"
#include "util/stack.h"

enum {
    MAX_BYTES = 64,  // hoisted above a barrier or an if,
    MAX_AHEAD = 128, // ... or above stores,
    MAX_STORES = 16,
    MAX_STEPS = 8
};

static bool is_store(const struct ir_instr *x) { return x->op == IR_OP_store || x->op == IR_OP_elem_store; }

static bool is_early(const struct ir_instr *x)
{
    return x->op == IR_OP_load && opt_is_pure_load(x) && (x->mem.space == IR_GLOBAL || x->mem.space == IR_CONSTANT);
}

// Whether x can be computed before the marked instructions; `may_load`: whether a load can.
static bool may_move(const struct ir_instr *x, unsigned steps, bool (*may_load)(const struct ir_instr *))
{
    stack_check();
    if (!x->mark)
        return true;
    if (!steps || x->op == IR_OP_phi || (!ir_has_flag(x, IR_FLAG_P) && !may_load(x)))
        return false;
    for (uint32_t i = 0; i < x->src_count; i++)
        if (!may_move(opt_resolved(x->src[i]), steps - 1, may_load))
            return false;
    return true;
}

static void move_before(struct ir_instr *place, struct ir_instr *x)
{
    stack_check();
    if (!x->mark)
        return;
    for (uint32_t i = 0; i < x->src_count; i++)
        move_before(place, opt_resolved(x->src[i]));
    struct ir_block *block = place->block;
    ir_remove(x);
    x->block = block;
    x->prev = place->prev;
    x->next = place;
    *(place->prev ? &place->prev->next : &block->first) = x;
    place->prev = x;
    x->mark = 0;
}

static bool visit(struct ir_block *block)
{
    struct ir_instr *place = block->first, *next;
    uint32_t bytes = 0;
    bool after_barrier = false, changed = false;
    while (place && place->op != IR_OP_barrier && !is_store(place))
        place = place->next;
    for (struct ir_instr *x = place; x; x = x->next)
        x->mark = 1;
    for (struct ir_instr *x = place; x; x = next) {
        next = x->next;
        after_barrier |= x->op == IR_OP_barrier;
        if (!after_barrier || !is_early(x) || bytes + ir_type_bytes(x->type) > MAX_BYTES || !may_move(x, MAX_STEPS, is_early))
            continue;
        bytes += ir_type_bytes(x->type);
        move_before(place, x);
        changed = true;
    }
    for (struct ir_instr *x = place; x; x = x->next)
        x->mark = 0;
    return changed;
}

// ---- stores ---------------------------------------------------------------------------------------

static bool is_plain_load(const struct ir_instr *x)
{
    return x->op == IR_OP_load && !x->mem.is_volatile && (x->mem.space == IR_GLOBAL || x->mem.space == IR_CONSTANT);
}

// Stores of a block with no other effects between them: loads may move above the first of them.
struct stores {
    struct ir_function *f;
    struct arena *scratch;
    struct pressure pressure; // once a load can be moved
    struct ir_instr *first;
    struct alias_place places[MAX_STORES];
    unsigned count;
    uint32_t bytes; // that have been moved
};

static void end_stores(struct stores *s)
{
    for (struct ir_instr *x = s->first; x && s->count; x = x->next)
        x->mark = 0;
    s->count = 0;
    s->bytes = 0;
}

static void add_store(struct stores *s, struct ir_instr *x)
{
    if (s->count == MAX_STORES)
        end_stores(s);
    if (!s->count) {
        s->first = x;
        for (struct ir_instr *y = x; y; y = y->next)
            y->mark = 1;
    }
    s->places[s->count++] = alias_place(s->f, x);
}

// Whether the stores do not change what is at `place`: bits of those for which the runtime must check that.
static bool is_unchanged(const struct stores *s, const struct alias_place *place, uint32_t *checked)
{
    *checked = 0;
    for (unsigned i = 0; i < s->count; i++) {
        if (alias_of(&s->places[i], place) == ALIAS_NONE)
            continue;
        if (!alias_is_checked(&s->places[i], place))
            return false;
        *checked |= UINT32_C(1) << i;
    }
    return true;
}

static bool has_room(struct stores *s, const struct ir_instr *x)
{
    const uint32_t bytes = s->bytes + ir_type_bytes(x->type);
    if (!s->pressure.live)
        s->pressure = pressure_of(s->f, s->scratch);
    for (uint32_t i = s->first->id; i <= x->id; i++)
        if (s->pressure.live[i] + bytes > PRESSURE_CROWDED_BYTES)
            return false;
    return bytes <= MAX_AHEAD;
}

static bool no_load(const struct ir_instr *x)
{
    (void)x;
    return false;
}

static bool move_above(struct stores *s, struct ir_instr *x)
{
    const struct alias_place place = alias_place(s->f, x);
    uint32_t checked;
    if (!may_move(opt_resolved(x->src[0]), MAX_STEPS, no_load) || !is_unchanged(s, &place, &checked) || !has_room(s, x))
        return false;
    for (unsigned i = 0; i < s->count; i++)
        if (checked >> i & 1)
            alias_rely(&s->places[i], &place);
    s->bytes += ir_type_bytes(x->type);
    move_before(s->first, x);
    return true;
}

static bool has_load_after_store(const struct ir_block *block)
{
    const struct ir_instr *x = block->first;
    while (x && !is_store(x))
        x = x->next;
    while (x && !is_plain_load(x))
        x = x->next;
    return x;
}

static bool visit_stores(struct stores *s, struct ir_block *block)
{
    bool changed = false;
    if (!has_load_after_store(block))
        return false;
    for (struct ir_instr *x = block->first, *next; x; x = next) {
        next = x->next;
        if (is_store(x) && !x->mem.is_volatile)
            add_store(s, x);
        else if (!s->count || ir_has_flag(x, IR_FLAG_P) || x->op == IR_OP_elem_load)
            continue;
        else if (is_plain_load(x) && move_above(s, x))
            changed = true;
        else
            end_stores(s);
    }
    end_stores(s);
    return changed;
}

// ---- ifs ------------------------------------------------------------------------------------------

// Whether other memory accesses may be moved across `x`.
static bool is_quiet(const struct ir_instr *x)
{
    return ir_has_flag(x, IR_FLAG_P) || (x->op == IR_OP_load && !x->mem.is_volatile) || x->op == IR_OP_elem_load;
}

static bool is_quiet_if(const struct ir_node *node)
{
    const struct ir_block *after = (const struct ir_block *)node->next;
    for (const struct ir_block *b = ir_next_block((const struct ir_block *)node->prev); b != after; b = ir_next_block(b)) {
        if (ir_ends_in_jump(b) || (b->node.prev && b->node.prev->kind == IR_LOOP))
            return false;
        for (const struct ir_instr *x = b->first; x; x = x->next)
            if (!is_quiet(x))
                return false;
    }
    return true;
}

static void move_to_end(struct ir_block *to, struct ir_instr *x)
{
    stack_check();
    if (!x->mark)
        return;
    x->mark = 0;
    for (uint32_t i = 0; i < x->src_count; i++)
        move_to_end(to, opt_resolved(x->src[i]));
    opt_move_to_end(to, x);
}

static bool visit_if(struct ir_node *node)
{
    struct ir_block *before = (struct ir_block *)node->prev, *after = (struct ir_block *)node->next;
    uint32_t bytes = 0;
    bool changed = false;
    if (node->kind != IR_IF || !is_quiet_if(node))
        return false;
    for (struct ir_instr *x = after->first; x; x = x->next)
        x->mark = 1;
    for (struct ir_instr *x = after->first, *next; x && is_quiet(x); x = next) {
        next = x->next;
        if (!x->mark || !is_plain_load(x) || bytes + ir_type_bytes(x->type) > MAX_BYTES || !may_move(x, MAX_STEPS, is_plain_load))
            continue;
        bytes += ir_type_bytes(x->type);
        move_to_end(before, x);
        changed = true;
    }
    for (struct ir_instr *x = after->first; x; x = x->next)
        x->mark = 0;
    return changed;
}

// ---- the pass -------------------------------------------------------------------------------------

// Requires: opt_readonly. Keeps: values, and which loads are executed. Removes: nothing.
bool opt_early_loads(struct pass_context *c, struct ir_function *f)
{
    bool changed = false;
    if (!c->target || !c->target->unroll_room)
        return false;
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b))
        changed |= visit(b);
    struct stores stores = {.f = f, .scratch = c->scratch};
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b))
        changed |= visit_stores(&stores, b);
    struct opt_nodes nodes = opt_nodes(f, c->scratch);
    for (size_t i = nodes.count; i-- > 0;) // a load moves across several ifs
        changed |= visit_if(nodes.items[i]);
    return changed;
}
