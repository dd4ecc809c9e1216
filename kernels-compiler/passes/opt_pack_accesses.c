// SPDX-License-Identifier: Apache-2.0
// Combines loads or stores of adjacent addresses into vector accesses of 64 or 128 bits.
//
//   %1 = load f32 %p ; %2 = load f32 (%p + 4)   ->   %3 = load <2 x f32> %p align 8 ; its lanes
//
// Within a block, accesses whose addresses differ by a constant (alias.h) are collected in sets. At an access that
// may conflict with a set, and at the end of the block, the set's members are sorted by address; runs that fill 16, 8
// (for narrow types also 4 or 2) bytes without gaps, at an address known to be aligned to that size, become one
// access: at the position of the first one for loads, of the last one for stores. The same bytes are accessed as
// before, by a work-item that would have accessed them anyway.
//
// In device memory, runs of 16 bytes of unknown alignment are still grouped if there are stores between the loads, or
// loads between the stores: the driver, which does not know what is `restrict`, would keep their order. For local
// memory, drivers combine scalar accesses at computed addresses themselves, but not at constant addresses:
// kc_target.packs_places says which drivers do not.
//
// Volatile accesses, atomics, barriers, fences and calls are never moved, and nothing moves across them.
#include "passes/alias.h"

enum { MAX_SETS = 16, MAX_MEMBERS = 64, WIDEST = 16 };

struct member {
    struct ir_instr *x;
    int64_t at;
    uint32_t bytes, order;
    uint32_t others; // number of stores in the block before a load, of loads before a store
};

struct set {
    struct alias_place place; // of the first member; the others differ only in the constant
    uint32_t align;           // of the address without its constant
    bool store;
    int64_t stored, stored_end; // for loads: the range in which the block has stored since the first one
    uint32_t last_use;
    unsigned count;
    struct member members[MAX_MEMBERS];
};

struct pack {
    struct ir_function *f;
    const struct kc_target *target;
    struct set *sets[MAX_SETS];
    unsigned count;
    struct arena *scratch;
    uint32_t now, seen[2]; // number of accesses so far; of loads, of stores
    bool changed;
};

static bool is_access(const struct ir_instr *x) { return x->op == IR_OP_load || x->op == IR_OP_store; }

static struct ir_type type_of(const struct ir_instr *x) { return x->op == IR_OP_load ? x->type : x->src[1]->type; }

static bool is_candidate(const struct pack *p, const struct ir_instr *x, const struct alias_place *place)
{
    struct ir_type t = type_of(x);
    bool number = (t.base == IR_INT || t.base == IR_FLOAT) && !ir_is_matrix(t) && t.lanes != 3 && ir_type_bytes(t) < WIDEST;
    if (x->mem.space == IR_LOCAL)
        return number && t.bits >= 32 && (p->target->packs_places || alias_is_fixed(place));
    return number && (x->mem.space == IR_GLOBAL || x->mem.space == IR_CONSTANT);
}

// ---- combining accesses --------------------------------------------------------------------------------

struct run {
    struct member *members; // sorted by address
    unsigned count;
    uint32_t bytes;
};

static uint32_t align_of(const struct set *s, const struct run *r)
{
    int64_t at = r->members[0].at;
    uint32_t align = opt_align_at(s->align, (uint64_t)at);
    for (unsigned i = 0; i < r->count; i++) {
        uint32_t known = opt_align_at(r->members[i].x->mem.align, (uint64_t)(r->members[i].at - at));
        align = known > align ? known : align;
    }
    return align;
}

// The members from `first` on that fill this many bytes, with that alignment if `aligned`; count 0: there is no such
// run.
static struct run run_at(const struct set *s, unsigned first, uint32_t bytes, bool aligned)
{
    struct run r = {(struct member *)&s->members[first], 0, bytes};
    unsigned bits = type_of(r.members[0].x).bits;
    uint32_t filled = 0;
    while (filled < bytes && first + r.count < s->count) {
        const struct member *m = &r.members[r.count];
        if (m->at != r.members[0].at + filled || type_of(m->x).bits != bits || m->x->mem.space != r.members[0].x->mem.space)
            break;
        filled += m->bytes;
        r.count++;
    }
    if (filled != bytes || r.count < 2 || (aligned && align_of(s, &r) < bytes))
        r.count = 0;
    return r;
}

static bool is_mixed(const struct run *r)
{
    for (unsigned i = 1; i < r->count; i++)
        if (r->members[i].others != r->members[0].others)
            return true;
    return false;
}

static struct ir_type run_type(const struct run *r)
{
    struct ir_type t = type_of(r->members[0].x);
    for (unsigned i = 1; i < r->count; i++)
        if (type_of(r->members[i].x).base != t.base)
            t.base = IR_INT;
    return ir_with_lanes(t, r->bytes / (t.bits / 8));
}

static struct member *outermost(const struct run *r, bool last)
{
    struct member *found = &r->members[0];
    for (unsigned i = 1; i < r->count; i++)
        if (last ? r->members[i].order > found->order : r->members[i].order < found->order)
            found = &r->members[i];
    return found;
}

static struct ir_instr *run_address(struct ir_builder *b, const struct run *r, const struct member *at)
{
    return ir_ptr_index(b, at->x->src[0], NULL, 0, r->members[0].at - at->at);
}

static struct ir_instr *lanes_of(struct ir_builder *b, struct ir_instr *all, unsigned first, struct ir_type type)
{
    struct ir_instr *lanes[WIDEST];
    for (unsigned i = 0; i < type.lanes; i++)
        lanes[i] = ir_extract(b, all, first + i);
    struct ir_instr *x = type.lanes == 1 ? lanes[0] : ir_vec(b, lanes, type.lanes);
    return ir_type_eq(x->type, type) ? x : ir_convert(b, IR_OP_bitcast, type, x);
}

static void pack_loads(struct pack *p, const struct set *s, const struct run *r)
{
    struct member *first = outermost(r, false);
    struct ir_builder b = ir_before(p->f, first->x);
    struct ir_mem mem = first->x->mem;
    struct ir_type type = run_type(r);
    mem.align = align_of(s, r);
    for (unsigned i = 0; i < r->count; i++)
        mem.readonly &= r->members[i].x->mem.readonly;
    struct ir_instr *all = ir_load(&b, type, run_address(&b, r, first), mem);
    for (unsigned i = 0; i < r->count; i++) {
        struct ir_instr *x = r->members[i].x;
        b = ir_before(p->f, x);
        ir_replace(x, lanes_of(&b, all, (unsigned)(r->members[i].at - r->members[0].at) / (type.bits / 8u), x->type));
    }
}

static void pack_stores(struct pack *p, const struct set *s, const struct run *r)
{
    struct member *last = outermost(r, true);
    struct ir_builder b = ir_before(p->f, last->x);
    struct ir_instr *lanes[WIDEST];
    struct ir_type type = run_type(r);
    struct ir_mem mem = last->x->mem;
    unsigned count = 0;
    for (unsigned i = 0; i < r->count; i++) {
        struct ir_instr *value = opt_resolved(r->members[i].x->src[1]);
        struct ir_type own = type_of(r->members[i].x);
        if (own.base != type.base)
            value = ir_convert(&b, IR_OP_bitcast, ir_with_lanes(type, own.lanes), value);
        for (unsigned k = 0; k < own.lanes; k++)
            lanes[count++] = ir_extract(&b, value, k);
    }
    mem.align = align_of(s, r);
    struct ir_instr *all = ir_vec(&b, lanes, count);
    ir_store(&b, run_address(&b, r, last), all, mem);
    for (unsigned i = 0; i < r->count; i++)
        ir_remove(r->members[i].x);
}

// ---- sets ----------------------------------------------------------------------------------------------

static void sort_members(struct set *s)
{
    for (unsigned i = 1; i < s->count; i++)
        for (unsigned k = i; k && s->members[k].at < s->members[k - 1].at; k--) {
            struct member swap = s->members[k];
            s->members[k] = s->members[k - 1];
            s->members[k - 1] = swap;
        }
}

static struct run widest_run(const struct set *s, unsigned first)
{
    struct run r = {.count = 0};
    for (uint32_t bytes = WIDEST; bytes > s->members[first].bytes && !r.count; bytes /= 2)
        r = run_at(s, first, bytes, true);
    if (!r.count && s->members[first].x->mem.space != IR_LOCAL)
        r = run_at(s, first, WIDEST, false);
    if (r.count && align_of(s, &r) < r.bytes && !is_mixed(&r))
        r.count = 0;
    return r;
}

static void close_set(struct pack *p, unsigned index)
{
    struct set *s = p->sets[index];
    sort_members(s);
    for (unsigned i = 0; i + 1 < s->count;) {
        struct run r = widest_run(s, i);
        if (r.count && s->store)
            pack_stores(p, s, &r);
        else if (r.count)
            pack_loads(p, s, &r);
        p->changed |= r.count != 0;
        i += r.count ? r.count : 1;
    }
    p->sets[index] = p->sets[--p->count];
    p->sets[p->count] = s;
}

static void close_all(struct pack *p)
{
    while (p->count)
        close_set(p, p->count - 1);
}

static struct set *new_set(struct pack *p, const struct alias_place *place, bool store)
{
    unsigned oldest = 0;
    for (unsigned i = 1; i < p->count; i++)
        if (p->sets[i]->last_use < p->sets[oldest]->last_use)
            oldest = i;
    if (p->count == MAX_SETS)
        close_set(p, oldest);
    if (!p->sets[p->count])
        p->sets[p->count] = ARENA_NEW(p->scratch, struct set);
    struct set *s = p->sets[p->count++];
    s->place = *place;
    s->align = alias_align(place, p->target, WIDEST);
    s->store = store;
    s->stored = s->stored_end = 0;
    s->count = 0;
    return s;
}

// ---- conflicts ------------------------------------------------------------------------------------------

static bool overlap(int64_t a, uint32_t a_bytes, int64_t b, uint32_t b_bytes)
{
    return a < b + (int64_t)b_bytes && b < a + (int64_t)a_bytes;
}

// Whether the address differs from the set's only by a constant; `at`: its offset, in the members' terms.
static bool is_of_set(const struct set *s, const struct alias_place *place, int64_t *at)
{
    bool same = alias_distance(&s->place, place, at);
    *at = (int64_t)((uint64_t)*at + (uint64_t)s->place.offset);
    return same;
}

// Whether the access `x` to `place` must not be reordered with a member of the set, or with one that may still be
// added.
static bool conflicts(const struct set *s, const struct alias_place *place, const struct ir_instr *x)
{
    struct alias_place all = s->place;
    int64_t at;
    all.bytes = 0; // unknown size
    if ((!s->store && x->op == IR_OP_load) || opt_is_pure_load(x) || opt_is_pure_load(s->members[0].x))
        return false;
    if (!is_of_set(s, place, &at))
        return alias_of(&all, place) != ALIAS_NONE;
    for (unsigned i = 0; i < s->count; i++)
        if (overlap(s->members[i].at, s->members[i].bytes, at, (uint32_t)place->bytes))
            return true;
    return false;
}

// A load is moved up to the set's first one, so it must not be moved across a store to its place.
static bool is_stored(const struct set *s, int64_t at, uint64_t bytes)
{
    return !s->store && overlap(s->stored, (uint32_t)(s->stored_end - s->stored), at, (uint32_t)bytes);
}

static void remember_store(struct set *s, int64_t at, uint64_t bytes)
{
    int64_t end = at + (int64_t)bytes;
    bool first = s->stored == s->stored_end;
    s->stored = first || at < s->stored ? at : s->stored;
    s->stored_end = first || end > s->stored_end ? end : s->stored_end;
}

// All members have the same address space and type of memory, and agree on whether it is read-only.
static bool can_join(const struct set *s, const struct alias_place *place, const struct ir_instr *x, int64_t *at)
{
    const struct ir_instr *first = s->members[0].x;
    return s->store == (x->op == IR_OP_store) && s->count < MAX_MEMBERS && first->mem.space == x->mem.space &&
           s->place.effective == place->effective && opt_is_pure_load(first) == opt_is_pure_load(x) && is_of_set(s, place, at);
}

static struct set *find_set(struct pack *p, const struct alias_place *place, const struct ir_instr *x, int64_t *at)
{
    for (unsigned i = 0; i < p->count; i++)
        if (can_join(p->sets[i], place, x, at))
            return p->sets[i];
    return NULL;
}

static void see_conflicts(struct pack *p, const struct alias_place *place, const struct ir_instr *x)
{
    for (unsigned i = p->count; i-- > 0;) {
        struct set *s = p->sets[i];
        bool store = x->op == IR_OP_store, loads = !s->store && !opt_is_pure_load(s->members[0].x);
        int64_t at;
        if (conflicts(s, place, x) || (!store && can_join(s, place, x, &at) && is_stored(s, at, place->bytes)))
            close_set(p, i);
        else if (store && loads && is_of_set(s, place, &at))
            remember_store(s, at, place->bytes);
    }
}

static void see_access(struct pack *p, struct ir_instr *x)
{
    struct alias_place place = alias_place(p->f, x);
    see_conflicts(p, &place, x);
    bool store = x->op == IR_OP_store;
    p->now++;
    p->seen[store]++;
    if (!is_candidate(p, x, &place))
        return;
    int64_t at = place.offset;
    struct set *s = find_set(p, &place, x, &at);
    if (!s) {
        s = new_set(p, &place, store);
        at = place.offset;
    }
    s->members[s->count++] = (struct member){x, at, (uint32_t)place.bytes, p->now, p->seen[!store]};
    s->last_use = p->now;
}

static bool never_conflicts(const struct ir_instr *x) // from memory that others access
{
    return !ir_has_flag(x, IR_FLAG_R | IR_FLAG_W) || ir_has_flag(x, IR_FLAG_J) || opt_is_image_read(x) ||
           opt_is_push(x) || x->op == IR_OP_subgroup;
}

static void see(struct pack *p, struct ir_instr *x)
{
    for (uint32_t i = 0; i < x->src_count; i++)
        x->src[i] = opt_resolved(x->src[i]);
    if (is_access(x) && !x->mem.is_volatile && !ir_is_matrix(type_of(x)))
        see_access(p, x);
    else if (!never_conflicts(x))
        close_all(p);
}

// Requires: lower_generic, and runs before lower_memory. Keeps: which bytes are accessed. Removes: narrow accesses.
bool opt_pack_accesses(struct pass_context *c, struct ir_function *f)
{
    struct pack p = {.f = f, .target = c->target, .scratch = c->scratch};
    if (!c->target->packs_accesses)
        return false;
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b)) {
        for (struct ir_instr *x = b->first, *next; x; x = next) {
            next = x->next;
            see(&p, x);
        }
        close_all(&p);
    }
    if (p.changed)
        ir_resolve(f);
    return p.changed;
}
