// SPDX-License-Identifier: Apache-2.0
// Reorders blocks in which more bytes are live than the device has registers, so that fewer are.
//
//   %1 = s2f %a ; %2 = s2f %b ; %3 = fma %1, %x, %s ; %4 = fma %2, %y, %3
//   ->   %1 = s2f %a ; %3 = fma %1, %x, %s ; %2 = s2f %b ; %4 = fma %2, %y, %3
//
// Drivers largely keep the order that they are given, and spill what does not fit. Blocks are ordered from their end to
// their start, in two ways: of the instructions whose users are all placed, the one that leaves the fewest bytes live
// comes next, or the one whose users were placed last (depth first). The order with the lowest peak is used, unless it
// gains little and spills anyway: drivers order instructions, too, and may do better with the old order. If registers
// are not divided among lanes and the old order fits, depth first is not tried: RADV reordered a kernel so that 263
// registers were occupied instead of 159.
//
// Values stay the same: users follow their sources; loads change places with loads only; other instructions that are
// not pure keep their order, and no instruction leaves its block.
//
// opt_order sinks pure instructions in every block; this also moves loads and looks for a lower peak, which takes
// longer, and only where the peak does not fit.
//
// Lanes are counted one by one, as drivers do: what only arranges lanes is free. The lanes that are stored to 16 adjacent
// bytes count as one, because drivers merge the stores: all its registers are occupied when the first lane is computed.
// A value that is the same for all work-items of a sub-group occupies a quarter of its bytes in a work-item.
#include "passes/pressure.h"

enum {
    WINDOW = 64,     // most instructions that are compared for a place: the last ones in the old order
    MOST = 20000,    // instructions of a block; larger ones keep their order, for compile time
    MAX_PLACES = 64, // in a block to which stores are merged
    MERGED = 16,     // bytes of a merged store
    SHARED = 4,      // 1 / this of a uniform value's bytes count
    LEAST_GAIN = 32, // 1 / this of the peak must be saved if registers are not divided among lanes: for less, RADV spills more
    GAIN = 24        // 1 / this of the bytes that the block adds must be saved if they do not fit anyway
};

struct unit { // a lane of a value
    uint32_t same;  // the unit that it is a copy of, or itself
    uint32_t bytes; // that it counts for
    bool uniform;   // the same for all work-items of a sub-group: the pressure does not count it
    uint32_t live;  // number of the schedule at whose current place it is live
    uint32_t group; // a unit: the first of those that occupy registers together; its other fields are:
    uint32_t group_bytes;
    uint32_t counted, live_units; // number of the schedule for which live_units is valid
    uint32_t asked, ended;        // number of the last call of cost() that counted it; of its units that end there
};

struct place { // 16 bytes of memory that a block stores to
    const struct ir_var *var;
    const struct ir_instr *base; // NULL: none
    uint32_t offset;             // elements
    uint32_t group;              // UINT32_MAX: none yet
};

enum strategy { FEWEST_BYTES, DEPTH_FIRST, STRATEGIES };

struct schedule {
    const struct pressure *pressure;
    struct unit *units;
    uint32_t *at;                          // by id: the value's first unit
    struct ir_instr **old, **made, **best; // the block without its phis and jump; `made` is filled from the end
    uint32_t count, left;                  // instructions in `old`; those that are not placed
    uint32_t first;                        // id of the first
    uint32_t *users;                       // by id: what must be placed before it is ready
    uint32_t *ready, ready_count;          // ids, in ascending order
    uint32_t *when, clock;                 // by id: when it became ready
    uint32_t number, questions;
    int64_t uniform; // of the uniform units that have become live since the start
};

static bool is_pure(const struct ir_instr *x) { return ir_has_flag(x, IR_FLAG_P); }

static bool is_load(const struct ir_instr *x)
{
    return (x->op == IR_OP_load || x->op == IR_OP_elem_load) && !x->mem.is_volatile;
}

static uint32_t units_of(const struct ir_instr *x) { return x->type.lanes ? x->type.lanes : 1; }

// Instructions that only arrange lanes: drivers have no code for them, or moves.
static bool is_copy(const struct ir_instr *x)
{
    return x->op == IR_OP_vec || x->op == IR_OP_extract || x->op == IR_OP_insert || x->op == IR_OP_shuffle ||
           (x->op == IR_OP_bitcast && x->type.lanes == x->src[0]->type.lanes);
}

// The source, and its lane, of a copy's lane; NULL: any value.
static const struct ir_instr *origin(const struct ir_instr *x, uint32_t *lane)
{
    const uint32_t i = *lane, lanes = x->src[0]->type.lanes;
    switch (x->op) {
    case IR_OP_vec:
        *lane = 0;
        return x->src[i];
    case IR_OP_extract:
        *lane = x->index;
        return x->src[0];
    case IR_OP_insert:
        *lane = x->index == i ? 0 : i;
        return x->src[x->index == i];
    case IR_OP_shuffle:
        *lane = x->shuffle[i] % lanes;
        return x->shuffle[i] == 255 ? NULL : x->src[x->shuffle[i] >= lanes];
    default:
        return x->src[0];
    }
}

static struct unit *unit(const struct schedule *s, const struct ir_instr *x, uint32_t lane)
{
    return &s->units[s->units[s->at[x->id] + lane].same];
}

static void fill_unit(const struct schedule *s, const struct ir_instr *x, struct unit *u)
{
    const uint32_t bytes = pressure_bytes(s->pressure, x);
    u->bytes = bytes / units_of(x);
    u->uniform = !bytes && x->type.base != IR_VOID;
    if (u->uniform)
        u->bytes = (x->type.base == IR_BOOL ? 4u : ir_type_bytes(x->type) / units_of(x)) / SHARED;
}

static void find_units(struct schedule *s, const struct ir_function *f)
{
    for (const struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b))
        for (const struct ir_instr *x = b->first; x; x = x->next)
            for (uint32_t i = 0; i < units_of(x); i++) {
                uint32_t lane = i, id = s->at[x->id] + i;
                const struct ir_instr *from = is_copy(x) ? origin(x, &lane) : NULL;
                struct unit *u = &s->units[id];
                u->same = from && !opt_is_floating(from) ? s->units[s->at[from->id] + lane].same : id;
                u->group = id;
                if (!is_copy(x))
                    fill_unit(s, x, u);
            }
}

// Adds the lanes of a stored value to a group; the first one that is in no group begins it.
static void join(struct schedule *s, const struct ir_instr *value, uint32_t *group)
{
    for (uint32_t i = 0; !opt_is_floating(value) && i < units_of(value); i++) {
        struct unit *u = unit(s, value, i);
        const uint32_t id = (uint32_t)(u - s->units);
        if (u->group != id || !u->bytes)
            continue;
        *group = *group == UINT32_MAX ? id : *group;
        u->group = *group;
    }
}

static struct place place_of(const struct ir_instr *store)
{
    const struct ir_instr *index = store->src[0];
    struct place p = {store->var, index, 0, UINT32_MAX};
    if (index->op == IR_OP_iadd && ir_is_const(index->src[1])) {
        p.base = index->src[0];
        p.offset = (uint32_t)index->src[1]->lanes[0];
    } else if (ir_is_const(index)) {
        p.base = NULL;
        p.offset = (uint32_t)index->lanes[0];
    }
    return p;
}

static bool merge(const struct place *first, const struct place *p)
{
    return first->var == p->var && first->base == p->base &&
           (uint64_t)(p->offset - first->offset) * ir_elem_bytes(p->var->elem) < MERGED;
}

static void find_groups(struct schedule *s, const struct ir_block *block)
{
    struct place places[MAX_PLACES + 1];
    uint32_t count = 0;
    for (const struct ir_instr *x = block->first; x; x = x->next)
        if (x->op == IR_OP_store) {
            uint32_t group = UINT32_MAX;
            join(s, x->src[1], &group);
        } else if (x->op == IR_OP_elem_store) {
            struct place p = place_of(x);
            uint32_t i = 0;
            while (i < count && !merge(&places[i], &p))
                i++;
            if (i == count)
                places[i] = p;
            count += i == count && count < MAX_PLACES;
            join(s, x->src[1], &places[i].group);
        }
}

static uint32_t live_units(const struct schedule *s, const struct unit *group)
{
    return group->counted == s->number ? group->live_units : 0;
}

static void set_live(struct schedule *s, struct unit *u, bool live)
{
    struct unit *group = &s->units[u->group];
    if ((u->live == s->number) == live)
        return;
    group->live_units = live ? live_units(s, group) + 1 : live_units(s, group) - 1;
    group->counted = s->number;
    u->live = live ? s->number : 0;
    s->uniform += live && u->uniform ? u->bytes : 0;
}

static void set_all_live(struct schedule *s, const struct ir_instr *x, bool live)
{
    for (uint32_t i = 0; !opt_is_floating(x) && i < units_of(x); i++)
        set_live(s, unit(s, x, i), live);
}

// The bytes that become live before x, minus those that are not live before it any more, if x is placed now.
static int64_t cost(struct schedule *s, const struct ir_instr *x)
{
    int64_t bytes = 0;
    if (is_copy(x))
        return 0;
    s->questions++;
    for (uint32_t i = 0; i < units_of(x); i++) {
        const struct unit *u = unit(s, x, i);
        struct unit *group = &s->units[u->group];
        if (u->live != s->number)
            continue;
        group->ended = group->asked == s->questions ? group->ended + 1 : 1;
        group->asked = s->questions;
        bytes -= group->ended == group->live_units ? group->group_bytes : 0;
    }
    for (uint32_t i = 0; i < x->src_count; i++)
        for (uint32_t k = 0; !opt_is_floating(x->src[i]) && k < units_of(x->src[i]); k++) {
            struct unit *group = &s->units[unit(s, x->src[i], k)->group];
            bytes += live_units(s, group) || group->asked == s->questions ? 0 : group->group_bytes;
            group->asked = s->questions;
        }
    return bytes;
}

static void make_ready(struct schedule *s, uint32_t id)
{
    uint32_t at = s->ready_count++;
    for (; at && s->ready[at - 1] > id; at--)
        s->ready[at] = s->ready[at - 1];
    s->ready[at] = id;
    s->when[id] = ++s->clock;
}

// `step`: 1 or -1.
static void count_user(struct schedule *s, const struct ir_instr *x, int step)
{
    if (opt_is_floating(x) || x->id < s->first || x->id - s->first >= s->count)
        return;
    s->users[x->id] += (uint32_t)step;
    if (step < 0 && !s->users[x->id])
        make_ready(s, x->id);
}

// Counts what x waits for: its sources, and the accesses before which it must stay.
static void count_sources(struct schedule *s, const struct ir_instr *x, int step)
{
    for (uint32_t i = 0; i < x->src_count; i++)
        count_user(s, x->src[i], step);
    for (uint32_t at = is_pure(x) ? 0 : x->id - s->first; at--;) {
        const struct ir_instr *before = s->old[at];
        if (is_pure(before) || (is_load(before) && is_load(x)))
            continue;
        count_user(s, before, step);
        if (!is_load(before))
            break;
    }
}

static int64_t rank(struct schedule *s, const struct ir_instr *x, enum strategy strategy)
{
    if (is_copy(x))
        return INT64_MIN;
    if (strategy == FEWEST_BYTES)
        return cost(s, x);
    return is_pure(x) ? -(int64_t)s->when[x->id] : 0;
}

static struct ir_instr *next(struct schedule *s, enum strategy strategy)
{
    const uint32_t from = s->ready_count > WINDOW ? s->ready_count - WINDOW : 0;
    uint32_t chosen = s->ready_count - 1;
    int64_t least = INT64_MAX;
    for (uint32_t i = s->ready_count; i-- > from;) {
        int64_t this = rank(s, s->old[s->ready[i] - s->first], strategy);
        chosen = this < least ? i : chosen;
        least = this < least ? this : least;
    }
    struct ir_instr *x = s->old[s->ready[chosen] - s->first];
    s->ready_count--;
    for (uint32_t i = chosen; i < s->ready_count; i++)
        s->ready[i] = s->ready[i + 1];
    return x;
}

static int64_t place(struct schedule *s, struct ir_instr *x)
{
    int64_t bytes = cost(s, x);
    s->made[--s->left] = x;
    if (!is_copy(x))
        set_all_live(s, x, false);
    for (uint32_t i = 0; i < x->src_count && !is_copy(x); i++)
        set_all_live(s, x->src[i], true);
    return bytes;
}

// Starts at the block's end, where the values that are used later are live. Returns their bytes; `live`: without the
// uniform ones.
static int64_t start(struct schedule *s, const struct ir_block *block, int64_t live)
{
    const uint32_t end = s->pressure->begin[block->index + 1];
    s->number++;
    s->left = s->count;
    s->uniform = 0;
    for (const struct ir_instr *x = block->first; x; x = x->next) {
        if (s->pressure->last[x->id] >= end)
            set_all_live(s, x, true);
        for (uint32_t i = 0; i < x->src_count && x->op != IR_OP_phi; i++)
            if (!opt_is_floating(x->src[i]) && s->pressure->last[x->src[i]->id] >= end)
                set_all_live(s, x->src[i], true);
    }
    return live + s->uniform;
}

// The most bytes that are live before an instruction in the old order.
static int64_t keep_order(struct schedule *s, const struct ir_block *block, int64_t live)
{
    int64_t most = 0;
    live = start(s, block, live);
    for (uint32_t i = s->count; i--;) {
        live += place(s, s->old[i]);
        most = live > most ? live : most;
    }
    return most;
}

// The same in a new order, which is left in s->made.
static int64_t make_order(struct schedule *s, const struct ir_block *block, int64_t live, enum strategy strategy)
{
    int64_t most = 0;
    live = start(s, block, live);
    for (uint32_t i = 0; i < s->count; i++)
        count_sources(s, s->old[i], 1);
    for (uint32_t i = 0; i < s->count; i++)
        if (!s->users[s->old[i]->id])
            make_ready(s, s->old[i]->id);
    while (s->left) {
        struct ir_instr *x = next(s, strategy);
        live += place(s, x);
        most = live > most ? live : most;
        count_sources(s, x, -1);
    }
    return most;
}

static void fill(struct schedule *s, const struct ir_block *block)
{
    s->count = 0;
    for (struct ir_instr *x = block->first; x; x = x->next)
        if (x->op != IR_OP_phi && !ir_has_flag(x, IR_FLAG_J))
            s->old[s->count++] = x;
    s->first = s->count ? s->old[0]->id : 0;
}

static void relink(const struct schedule *s, struct ir_block *block)
{
    struct ir_instr *before = s->old[0]->prev, *after = s->old[s->count - 1]->next;
    for (uint32_t i = 0; i < s->count; i++) {
        s->best[i]->prev = before;
        *(before ? &before->next : &block->first) = s->best[i];
        before = s->best[i];
    }
    before->next = after;
    *(after ? &after->prev : &block->last) = before;
}

static bool is_better(const struct kc_target *target, int64_t most, int64_t least, int64_t live)
{
    const int64_t gain = pressure_by_lanes(target) ? 0 : least / LEAST_GAIN;
    return most < least - gain && (most <= target->most_register_bytes || most <= least - (least - live) / GAIN);
}

static bool visit(struct schedule *s, struct ir_block *block, const struct kc_target *target)
{
    // drivers need about a quarter of the registers for constants, addresses and what the hardware passes in
    const uint32_t registers = target->register_bytes - target->register_bytes / 4;
    const int64_t live = s->pressure->live[s->pressure->begin[block->index + 1]];
    bool changed = false;
    fill(s, block);
    if (s->count < 2 || s->count > MOST)
        return false;
    int64_t least = keep_order(s, block, live);
    if (least <= registers)
        return false;
    const bool fits = !pressure_by_lanes(target) && least <= target->most_register_bytes;
    for (int i = 0; i < (fits ? DEPTH_FIRST : STRATEGIES); i++) {
        int64_t most = make_order(s, block, live, (enum strategy)i);
        if (!is_better(target, most, least, live))
            continue;
        struct ir_instr **made = s->made;
        s->made = s->best;
        s->best = made;
        least = most;
        changed = true;
    }
    if (changed)
        relink(s, block);
    return changed;
}

static struct schedule schedule_of(struct ir_function *f, const struct pressure *pressure, struct arena *arena)
{
    struct schedule s = {.pressure = pressure, .at = ARENA_ARRAY(arena, uint32_t, f->instr_count + 1)};
    struct ir_instr ***orders[] = {&s.old, &s.made, &s.best};
    uint32_t **arrays[] = {&s.users, &s.ready, &s.when}, units = 0;
    for (int i = 0; i < 3; i++) {
        *orders[i] = arena_alloc(arena, (f->instr_count + 1) * sizeof(struct ir_instr *));
        *arrays[i] = ARENA_ARRAY(arena, uint32_t, f->instr_count + 1);
    }
    for (const struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b))
        for (const struct ir_instr *x = b->first; x; x = x->next) {
            s.at[x->id] = units;
            units += units_of(x);
        }
    s.units = ARENA_ARRAY(arena, struct unit, units + 1);
    find_units(&s, f);
    for (const struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b))
        find_groups(&s, b);
    for (uint32_t i = 0; i < units; i++)
        s.units[s.units[i].group].group_bytes += s.units[i].bytes;
    return s;
}

// Requires: resolved values. Keeps: values. Removes: nothing.
bool opt_live_ranges(struct pass_context *c, struct ir_function *f)
{
    if (!c->target || !c->target->register_bytes)
        return false;
    struct pressure pressure = pressure_of(f, c->scratch);
    struct schedule s = schedule_of(f, &pressure, c->scratch);
    bool changed = false;
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b))
        changed |= visit(&s, b, c->target);
    return changed;
}
