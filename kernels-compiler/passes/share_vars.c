// SPDX-License-Identifier: Apache-2.0
// Finds variables of functions in steps that can be one variable.
//
//   step 3: %1 = load @v ; store @w, %1       step 3:                    w: a phi, or a parameter of the function
//   step 4: %2 = load @w                 ->   step 4: %2 = load @v          that step 3 calls
//
// A class of variables is one variable if each store to it happens while none of its other variables is live: neither
// later in the function that stores, nor in those that wait for its end. A copy between variables of the class changes
// nothing, so that is no store. (The limits of a class keep the time of the search linear.)
#include "passes/share_vars.h"
#include "ir/internal.h"
#include <stdlib.h>

enum {
    MOST_MEMBERS = 64, // of a class
    MOST_STORES = 512,
    MOST_WORDS = 1 << 21, // of all sets
};

struct shared_store {
    struct shared_var *var, *source; // NULL: no copy
    struct shared_store *next;       // to the same class
    struct ir_instr *x;
    uint32_t body, step;
};

struct use { // of a class by a step, in the current check
    uint32_t check;
    struct shared_var *var, *source;
    bool many, is_store; // stores to several variables; not only copies of the same variable
};

struct flow { // of a function
    const struct share_body *of;
    uint64_t **live; // by step: set of variables that are live after its first store
    uint64_t *reach; // set of the bodies that it calls, also indirectly
    struct use *uses; // by step
    size_t words, first; // of a set of its variables; its first variable
};

struct pair {
    struct shared_var *x, *y;
    size_t count, position;
};

struct share {
    struct arena *scratch;
    struct flow *flows;
    size_t count, body_words, words;
    struct map vars, bodies; // ir_var -> struct shared_var, ir_function -> struct flow
    VEC(struct shared_var *) all;
    VEC(struct pair) pairs;
    VEC(struct ir_instr *) loads; // of removed copies
    uint32_t checks;
};

static void set_bit(uint64_t *set, size_t i) { set[i / 64] |= UINT64_C(1) << i % 64; }
static bool has_bit(const uint64_t *set, size_t i) { return set[i / 64] >> i % 64 & 1; }

static void set_all(uint64_t *to, const uint64_t *from, size_t words)
{
    for (size_t i = 0; i < words; i++)
        to[i] |= from[i];
}

// ---- live variables --------------------------------------------------------------------------------

static struct shared_var *var_of(const struct share *s, const struct ir_instr *x)
{
    return x->op == IR_OP_elem_load || x->op == IR_OP_elem_store ? map_get(&s->vars, x->var) : NULL;
}

static void add_vars(struct share *s, uint32_t body)
{
    struct flow *flow = &s->flows[body];
    const struct ir_function *f = flow->of->steps->f;
    flow->first = s->all.count;
    for (size_t i = flow->of->first_var; i < f->vars.count; i++) {
        struct ir_var *var = f->vars.items[i];
        if (var == flow->of->fixed[0] || var == flow->of->fixed[1])
            continue;
        struct shared_var *v = ARENA_NEW(s->scratch, struct shared_var);
        *v = (struct shared_var){.var = var, .leader = v, .last = v, .body = body, .members = 1};
        v->bit = (uint32_t)(s->all.count - flow->first);
        v->over = ARENA_ARRAY(s->scratch, uint64_t, s->body_words);
        map_set(s->scratch, &s->vars, var, v);
        vec_push(s->scratch, &s->all, v);
    }
    flow->words = (s->all.count - flow->first + 63) / 64;
    s->words += (s->all.count - flow->first) * s->body_words + flow->words * flow->of->steps->row.count * 3;
}

static void note_store(struct share *s, uint32_t body, uint32_t step, struct ir_instr *x)
{
    struct shared_var *var = var_of(s, x), *source = x->src[1]->op == IR_OP_elem_load ? var_of(s, x->src[1]) : NULL;
    struct shared_store *store = ARENA_NEW(s->scratch, struct shared_store);
    source = source && source->body == body && ir_type_eq(source->var->elem, var->var->elem) ? source : NULL;
    *store = (struct shared_store){.var = var, .source = source, .x = x, .body = body, .step = step};
    if (var->first_store)
        var->last_store->next = store;
    else
        var->first_store = store;
    var->last_store = store;
    var->stores++;
    if (source && source != var)
        vec_push(s->scratch, &s->pairs, ((struct pair){source, var, 1, s->pairs.count}));
}

struct sets { // of a step
    uint64_t *in, *killed; // read before they are stored; stored on every path
    uint64_t *late;        // read after some store
};

static void scan_step(struct share *s, uint32_t body, uint32_t k, struct sets *sets)
{
    const struct ir_list *code = &s->flows[body].of->steps->row.items[k]->code;
    const struct ir_block *end = ir_list_last(code);
    bool stored = false;
    for (struct ir_block *b = ir_list_first(code);; b = ir_next_block(b)) {
        const bool always = b->node.list == code;
        for (struct ir_instr *x = b->first; x; x = x->next) {
            const struct shared_var *v = var_of(s, x);
            if (!v)
                continue;
            const bool own = v->body == body;
            if (x->op == IR_OP_elem_store) {
                note_store(s, body, k, x);
                stored = true;
                if (own && always)
                    set_bit(sets->killed, v->bit);
            } else if (own) {
                if (!has_bit(sets->killed, v->bit))
                    set_bit(sets->in, v->bit);
                if (stored || !always)
                    set_bit(sets->late, v->bit);
            }
        }
        if (b == end)
            break;
    }
}

static void add_after(const struct flow *flow, const struct sets *sets, uint32_t k)
{
    const struct steps *steps = flow->of->steps;
    const struct step *step = steps->row.items[k];
    const uint32_t targets = step->choice ? step->choice->case_count + 1 : step->value ? 2 : 1;
    for (uint32_t i = 0; !step->dead && i < targets; i++) {
        const struct step *to = step->to[i];
        if (to->number < steps->row.count && steps->row.items[to->number] == to)
            set_all(flow->live[k], sets[to->number].in, flow->words);
    }
}

static bool add_before(const struct flow *flow, const struct sets *sets, uint32_t k)
{
    bool more = false;
    for (size_t i = 0; i < flow->words; i++) {
        const uint64_t in = sets[k].in[i] | (flow->live[k][i] & ~sets[k].killed[i]);
        more |= in != sets[k].in[i];
        sets[k].in[i] = in;
    }
    return more;
}

static void find_live(struct share *s, uint32_t body)
{
    struct flow *flow = &s->flows[body];
    const uint32_t count = (uint32_t)flow->of->steps->row.count;
    struct sets *sets = ARENA_ARRAY(s->scratch, struct sets, count);
    flow->live = ARENA_ARRAY(s->scratch, uint64_t *, count);
    flow->uses = ARENA_ARRAY(s->scratch, struct use, count);
    for (uint32_t k = 0; k < count; k++) {
        flow->live[k] = ARENA_ARRAY(s->scratch, uint64_t, flow->words);
        sets[k].in = ARENA_ARRAY(s->scratch, uint64_t, flow->words);
        sets[k].killed = ARENA_ARRAY(s->scratch, uint64_t, flow->words);
        sets[k].late = ARENA_ARRAY(s->scratch, uint64_t, flow->words);
        scan_step(s, body, k, &sets[k]);
    }
    for (bool more = true; more;) {
        more = false;
        for (uint32_t k = count; k--;) {
            add_after(flow, sets, k);
            more |= add_before(flow, sets, k);
        }
    }
    for (uint32_t k = 0; k < count; k++)
        set_all(flow->live[k], sets[k].late, flow->words);
}

// Callees before callers.
static void find_active(struct share *s, uint32_t body)
{
    struct flow *flow = &s->flows[body];
    flow->reach = ARENA_ARRAY(s->scratch, uint64_t, s->body_words);
    for (size_t k = 0; k < flow->of->steps->row.count; k++) {
        const struct step *step = flow->of->steps->row.items[k];
        const struct flow *called = step->called ? map_get(&s->bodies, step->called) : NULL;
        if (!called)
            continue;
        uint64_t *active = ARENA_ARRAY(s->scratch, uint64_t, s->body_words);
        set_all(active, called->reach, s->body_words);
        set_bit(active, (size_t)(called - s->flows));
        set_all(flow->reach, active, s->body_words);
        for (size_t w = 0; w < flow->words; w++)
            for (uint64_t left = flow->live[k][w]; left; left &= left - 1)
                set_all(s->all.items[flow->first + w * 64 + (size_t)__builtin_ctzll(left)]->over, active, s->body_words);
    }
}

// ---- classes ---------------------------------------------------------------------------------------

static struct use *use_of(const struct share *s, const struct shared_store *store) { return &s->flows[store->body].uses[store->step]; }

// Whether the source belongs to the class of `x` or `y`.
static struct shared_var *source_in(const struct shared_store *store, const struct shared_var *x, const struct shared_var *y)
{
    return store->source && (store->source->leader == x || store->source->leader == y) ? store->source : NULL;
}

// Sums up what each step stores to the classes.
static bool sum_up(const struct share *s, const struct shared_var *of, const struct shared_var *x, const struct shared_var *y)
{
    for (const struct shared_store *store = of->first_store; store; store = store->next) {
        struct use *use = use_of(s, store);
        struct shared_var *source = source_in(store, x, y);
        if (use->check != s->checks)
            *use = (struct use){.check = s->checks, .var = store->var, .source = source, .is_store = !source};
        use->many |= use->var != store->var;
        use->is_store |= use->source != source;
        if (use->many && use->is_store)
            return false;
    }
    return true;
}

static bool is_live(const struct share *s, const struct shared_var *x, const struct shared_store *at)
{
    return x->body == at->body ? has_bit(s->flows[at->body].live[at->step], x->bit) : has_bit(x->over, at->body);
}

static bool are_free(const struct share *s, const struct shared_var *of, const struct shared_var *with)
{
    for (const struct shared_store *store = of->first_store; store; store = store->next)
        for (const struct shared_var *x = use_of(s, store)->is_store ? with : NULL; x; x = x->next)
            if (x != store->var && is_live(s, x, store))
                return false;
    return true;
}

static void merge(struct share *s, struct shared_var *x, struct shared_var *y)
{
    s->checks++;
    if (x == y || x->members + y->members > MOST_MEMBERS || x->stores + y->stores > MOST_STORES)
        return;
    if (!sum_up(s, x, x, y) || !sum_up(s, y, x, y) || !are_free(s, x, x) || !are_free(s, x, y) || !are_free(s, y, x) ||
        !are_free(s, y, y))
        return;
    for (struct shared_var *v = y; v; v = v->next) {
        v->leader = x;
        x->many_bodies |= v->body != x->body;
    }
    x->last->next = y;
    x->last = y->last;
    if (x->first_store && y->first_store)
        x->last_store->next = y->first_store;
    x->first_store = x->first_store ? x->first_store : y->first_store;
    x->last_store = y->last_store ? y->last_store : x->last_store;
    x->members += y->members;
    x->stores += y->stores;
}

static int by_vars(const void *a, const void *b)
{
    const struct pair *x = a, *y = b;
    if (x->x != y->x)
        return x->x->body != y->x->body ? (x->x->body < y->x->body ? -1 : 1) : x->x->bit < y->x->bit ? -1 : 1;
    if (x->y != y->y)
        return x->y->body != y->y->body ? (x->y->body < y->y->body ? -1 : 1) : x->y->bit < y->y->bit ? -1 : 1;
    return x->position < y->position ? -1 : x->position > y->position;
}

static int by_count(const void *a, const void *b)
{
    const struct pair *x = a, *y = b;
    return x->count != y->count ? (x->count > y->count ? -1 : 1) : x->position < y->position ? -1 : x->position > y->position;
}

// The pairs with most copies first.
static void sort_pairs(struct share *s)
{
    size_t count = 0;
    qsort(s->pairs.items, s->pairs.count, sizeof *s->pairs.items, by_vars);
    for (size_t i = 0; i < s->pairs.count; i++) {
        struct pair *pair = &s->pairs.items[i], *last = &s->pairs.items[count - !!count];
        if (count && last->x == pair->x && last->y == pair->y)
            last->count++;
        else
            s->pairs.items[count++] = *pair;
    }
    s->pairs.count = count;
    qsort(s->pairs.items, s->pairs.count, sizeof *s->pairs.items, by_count);
}

static void remove_copies(struct share *s, const struct shared_var *leader)
{
    s->checks++;
    sum_up(s, leader, leader, leader);
    for (const struct shared_store *store = leader->first_store; store; store = store->next) {
        if (use_of(s, store)->is_store)
            continue;
        struct ir_instr *load = store->x->src[1];
        if (!load->mark)
            vec_push(s->scratch, &s->loads, load);
        load->mark = 1;
        ir_remove(store->x);
    }
}

static void see_use(struct ir_instr *x)
{
    if (x)
        x->mark = 0;
}

static void see_uses(const struct step *step)
{
    const struct ir_block *end = ir_list_last(&step->code);
    see_use(step->value);
    for (struct ir_block *b = ir_list_first(&step->code);; b = ir_next_block(b)) {
        const struct ir_node *next = b->node.next, *owner = b->node.list->owner;
        for (const struct ir_instr *x = b->first; x; x = x->next)
            for (uint32_t i = 0; i < x->src_count; i++)
                see_use(x->src[i]);
        if (next && next->kind == IR_IF)
            see_use(((const struct ir_if *)next)->cond);
        else if (next && next->kind == IR_SWITCH)
            see_use(((const struct ir_switch *)next)->value);
        else if (!next && owner && owner->kind == IR_LOOP)
            see_use(((const struct ir_loop *)owner)->cond);
        if (b == end)
            break;
    }
}

// Loads that only copies used.
static void remove_loads(struct share *s)
{
    for (size_t i = 0; i < s->count && s->loads.count; i++)
        for (size_t k = 0; k < s->flows[i].of->steps->row.count; k++)
            see_uses(s->flows[i].of->steps->row.items[k]);
    for (size_t i = 0; i < s->loads.count; i++) {
        if (s->loads.items[i]->mark)
            ir_remove(s->loads.items[i]);
        s->loads.items[i]->mark = 0;
    }
}

struct map share_vars(struct arena *scratch, const struct share_body *bodies, size_t count)
{
    struct share s = {.scratch = scratch, .count = count, .body_words = (count + 63) / 64};
    s.flows = ARENA_ARRAY(scratch, struct flow, count);
    for (size_t i = 0; i < count; i++) {
        s.flows[i].of = &bodies[i];
        map_set(scratch, &s.bodies, bodies[i].steps->f, &s.flows[i]);
    }
    for (size_t i = 0; i < count && s.words <= MOST_WORDS; i++)
        add_vars(&s, (uint32_t)i);
    if (s.words > MOST_WORDS)
        return (struct map){0};
    for (size_t i = 0; i < count; i++)
        find_live(&s, (uint32_t)i);
    for (size_t i = count; i--;)
        find_active(&s, (uint32_t)i);
    if (s.pairs.count)
        sort_pairs(&s);
    for (size_t i = 0; i < s.pairs.count; i++)
        merge(&s, s.pairs.items[i].x->leader, s.pairs.items[i].y->leader);
    for (size_t i = 0; i < s.all.count; i++)
        if (s.all.items[i]->leader == s.all.items[i])
            remove_copies(&s, s.all.items[i]);
    remove_loads(&s);
    return s.vars;
}
