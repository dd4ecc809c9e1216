// SPDX-License-Identifier: Apache-2.0
// Loops that run a small, known number of times are written out, so that what they index becomes
// constant and private arrays become registers.
//
// A loop is understood when its only way out is one test of values that follow from constants: at
// its head
// (`for`, `while`) or at its end (`do`). The trip count is found by evaluating the test, whatever
// it is made of. Each round is a clone with the loop's phis replaced by the values of that round.
//
// Where the source asks for a number of rounds at once and the trip count is not known, a loop in
// front does that many without tests between them, as long as there are as many left:
//
//   loop unroll 4 { if i >= n break; X(i) } continue { i += 1 }     ->
//   loop { if !(i < n && n - i > 3) break; X(i); X(i + 1); X(i + 2); X(i + 3) } continue { i += 4 }
//   loop { if i >= n break; X(i) } continue { i += 1 }
//
// Loops inside each other multiply: what is written out unasked for a private array's sake pays where all of the
// array's indices become constants by that, and a function has a budget for it.
#include "passes/opt.h"

enum {
    MAX_TRIPS = 1024,
    MAX_SIZE = 256,
    MAX_SIZE_INDEXED = 4096,
    MAX_SIZE_ASKED = 8192,
    MAX_EVAL = 64,
    WIDE = 64,      // bytes of a vector that takes four loads
    MAX_WIDE = 512, // bytes of such loads in a row
    MAX_FACTOR = 64,
    MAX_STEP = 1 << 16,
    MAX_GROWTH = 16384, // instructions of a function, by loops that nobody asked to have written out
    MAX_INDEX = 32,     // steps that an index is followed
};

struct loop_form {
    struct ir_loop *loop;
    struct ir_block *before, *header, *cont_last, *exit; // exit: the block that leaves
    struct ir_if *test;  // at the head; NULL: the loop's condition, at the end
    bool leaves_if_true; // of `test`
    uint32_t trips, size;
};

struct unroll {
    struct ir_module *m;
    struct ir_function *f;
    struct arena *scratch;
    struct ir_builder b;
    bool changed;
};

// ---- understanding ------------------------------------------------------------------------------

static bool just_break(const struct ir_list *list)
{
    const struct ir_block *b = ir_list_first(list);
    return list->first == list->last && b->first && b->first == b->last &&
           b->first->op == IR_OP_break;
}

// Jumps out of the loop's body other than the test's; anything that keeps a value past one round in
// a way clones cannot.
static bool plain_body(const struct loop_form *l)
{
    const struct ir_node *node = &l->loop->node;
    const struct ir_block *end = (const struct ir_block *)node->next;
    uint32_t leaves = 0;
    for (struct ir_block *b = ir_list_first(&l->loop->body); b && b != end; b = ir_next_block(b)) {
        if (!ir_ends_in_jump(b))
            continue;
        if (b->last->op == IR_OP_continue && ir_jump_target(b, true) == node)
            return false;
        leaves += b->last->op == IR_OP_break && ir_jump_target(b, false) == node;
        if (b->last->op == IR_OP_return)
            return false;
    }
    return leaves == (l->test ? 1 : 0);
}

static bool understand(struct loop_form *l, struct ir_loop *loop)
{
    *l = (struct loop_form){.loop = loop};
    l->before = (struct ir_block *)loop->node.prev;
    l->header = ir_list_first(&loop->body);
    l->cont_last = ir_list_last(&loop->cont);
    l->exit = l->cont_last;
    if (loop->unroll == IR_UNROLL_NEVER || ir_ends_in_jump(l->header))
        return false;
    if (!loop->cond) {
        struct ir_if *test = (struct ir_if *)l->header->node.next;
        if (!test || test->node.kind != IR_IF)
            return false;
        l->leaves_if_true = just_break(&test->then_list);
        if (l->leaves_if_true == just_break(&test->else_list))
            return false;
        l->test = test;
        l->exit = ir_list_first(l->leaves_if_true ? &test->then_list : &test->else_list);
        const struct ir_block *next = (const struct ir_block *)test->node.next;
        if (next->first && next->first->op == IR_OP_phi)
            return false;
    }
    if (ir_list_first(&loop->cont)->first && ir_list_first(&loop->cont)->first->op == IR_OP_phi)
        return false;
    return !ir_ends_in_jump(ir_list_last(&loop->body)) && plain_body(l);
}

// ---- counting -----------------------------------------------------------------------------------

struct eval {
    struct unroll *u;
    struct map values; // phi -> constant
    unsigned steps;
};

static struct ir_instr *eval(struct eval *e, struct ir_instr *x, unsigned depth)
{
    struct ir_instr *src[4], *known;
    if (opt_is_floating(x))
        return ir_is_const(x) ? x : NULL;
    if ((known = map_get(&e->values, x)))
        return known;
    if (x->op == IR_OP_phi || !ir_has_flag(x, IR_FLAG_P) || !x->src_count || x->src_count > 4 ||
        depth > 8 || ++e->steps > MAX_EVAL)
        return NULL;
    for (uint32_t i = 0; i < x->src_count; i++)
        if (!(src[i] = eval(e, x->src[i], depth + 1)))
            return NULL;
    struct ir_builder nowhere = {.module = e->u->m, .function = e->u->f, .dead = true};
    struct ir_instr *result = ir_fold(&nowhere, x->op, x->type, src, x->src_count, x);
    return result && ir_is_const(result) ? result : NULL;
}

// The phis that the test depends on, through each other's next values.
static bool needed_phis(struct unroll *u, const struct loop_form *l, struct ir_instr *x,
                        struct map *seen, unsigned *steps)
{
    if (opt_is_floating(x))
        return ir_is_const(x);
    if (map_get(seen, x))
        return true;
    if (++*steps > MAX_EVAL)
        return false;
    map_set(u->scratch, seen, x, x);
    if (x->op == IR_OP_phi) {
        struct ir_instr *next = opt_phi_source(x, l->cont_last),
                        *first = opt_phi_source(x, l->before);
        return x->block == l->header && first && next && ir_is_const(first) &&
               needed_phis(u, l, next, seen, steps);
    }
    if (!ir_has_flag(x, IR_FLAG_P) || !x->src_count)
        return false;
    for (uint32_t i = 0; i < x->src_count; i++)
        if (!needed_phis(u, l, x->src[i], seen, steps))
            return false;
    return true;
}

struct counter {
    struct ir_instr *phi, *value, *next;
};

static uint32_t collect_counters(struct unroll *u, const struct loop_form *l, struct map *seen,
                                 struct counter *out, uint32_t room)
{
    uint32_t count = 0;
    (void)u;
    for (struct ir_instr *x = l->header->first; x && x->op == IR_OP_phi; x = x->next)
        if (map_get(seen, x)) {
            if (count == room)
                return 0;
            out[count++] =
                (struct counter){x, opt_phi_source(x, l->before), opt_phi_source(x, l->cont_last)};
        }
    return count;
}

// How often the part of the body behind the test runs; false: not known to be at most `limit`.
static bool count_trips(struct unroll *u, struct loop_form *l, uint32_t limit)
{
    struct ir_instr *cond = l->test ? l->test->cond : l->loop->cond;
    struct map seen = {0};
    struct counter counters[8];
    unsigned steps = 0;
    if (!needed_phis(u, l, cond, &seen, &steps))
        return false;
    uint32_t count = collect_counters(u, l, &seen, counters, 8);
    struct eval e = {.u = u};
    for (l->trips = 0; l->trips <= limit; l->trips++) {
        for (uint32_t i = 0; i < count; i++)
            map_set(u->scratch, &e.values, counters[i].phi, counters[i].value);
        e.steps = 0;
        struct ir_instr *go = eval(&e, cond, 0);
        if (!go)
            return false;
        bool stays = l->test ? (go->lanes[0] != 0) != l->leaves_if_true : go->lanes[0] != 0;
        if (!stays) {
            l->trips += !l->test;
            return l->trips <= limit;
        }
        for (uint32_t i = 0; i < count; i++)
            if (!(counters[i].value = (e.steps = 0, eval(&e, counters[i].next, 0))))
                return false;
        if (!count)
            return false;
    }
    return false;
}

// ---- writing out --------------------------------------------------------------------------------

static struct ir_instr *mapped(const struct map *map, struct ir_instr *x)
{
    struct ir_instr *made = map_get(map, x);
    return made ? made : x;
}

static uint32_t count_phis(const struct loop_form *l)
{
    uint32_t count = 0;
    for (struct ir_instr *x = l->header->first; x && x->op == IR_OP_phi; x = x->next)
        count++;
    return count;
}

// The clones of the header's phis give way to this round's values; then the values of the next
// round.
static void bind_phis(const struct loop_form *l, const struct map *map, struct ir_instr **values)
{
    uint32_t i = 0;
    for (struct ir_instr *x = l->header->first; x && x->op == IR_OP_phi; x = x->next)
        ir_replace(map_get(map, x), values[i++]);
}

static void next_values(const struct loop_form *l, const struct map *map, struct ir_instr **values)
{
    uint32_t i = 0;
    for (struct ir_instr *x = l->header->first; x && x->op == IR_OP_phi; x = x->next)
        values[i++] = opt_resolved(mapped(map, opt_phi_source(x, l->cont_last)));
}

static void clone_round(struct unroll *u, const struct loop_form *l, struct ir_list *all,
                        struct map *map)
{
    ir_list_clone(u->f, all, &l->loop->body, map, map);
    if (l->test) { // known to stay
        struct ir_block *header = map_get(map, l->header);
        struct ir_if *test = (struct ir_if *)header->node.next;
        ir_node_replace(&test->node, l->leaves_if_true ? &test->else_list : &test->then_list);
    }
    ir_list_clone(u->f, all, &l->loop->cont, map, map);
}

// Everybody behind the loop sees the values of the last round.
static void forward_outside(const struct loop_form *l, const struct map *map)
{
    const struct ir_block *end =
        l->test ? ir_next_block(l->header) : (const struct ir_block *)l->loop->node.next;
    for (struct ir_block *b = l->header; b && b != end; b = ir_next_block(b))
        for (struct ir_instr *x = b->first; x; x = x->next) {
            struct ir_instr *last = map_get(map, x);
            if (last)
                x->forward = opt_resolved(last);
        }
}

static void write_out(struct unroll *u, const struct loop_form *l)
{
    struct ir_instr **values = ARENA_ARRAY(u->scratch, struct ir_instr *, count_phis(l) + 1);
    struct ir_list all = {0};
    struct map map = {0};
    struct ir_block *after = (struct ir_block *)l->loop->node.next;
    uint32_t i = 0;
    for (struct ir_instr *x = l->header->first; x && x->op == IR_OP_phi; x = x->next)
        values[i++] = opt_phi_source(x, l->before);
    for (uint32_t trip = 0; trip < l->trips; trip++) {
        clone_round(u, l, &all, &map);
        bind_phis(l, &map, values);
        next_values(l, &map, values);
    }
    if (l->test) { // the header once more: what it computes is seen behind the loop
        struct ir_list header = {.owner = NULL};
        struct ir_node *rest = l->header->node.next;
        struct ir_list *list = l->header->node.list;
        l->header->node.next = NULL;
        header.first = header.last = &l->header->node;
        ir_list_clone(u->f, &all, &header, &map, &map);
        l->header->node.next = rest;
        l->header->node.list = list;
        bind_phis(l, &map, values);
    }
    for (struct ir_instr *x = after->first, *next; x && x->op == IR_OP_phi; x = next) {
        next = x->next;
        ir_replace(x, opt_resolved(mapped(&map, opt_phi_source(x, l->exit))));
    }
    forward_outside(l, &map);
    ir_node_replace(&l->loop->node, &all);
    u->changed = true;
}

// ---- some rounds at once ------------------------------------------------------------------------

struct counting {  // the loop goes on while `low` op `high`, one of which is its counter
    enum ir_op op; // slt, sle, ult, ule, ine
    struct ir_instr *low, *high;
    uint64_t step; // towards the other one
};

// The loop's test as it is when the loop goes on.
static bool normal_test(const struct loop_form *l, struct counting *c)
{
    static const struct {
        uint16_t op, opposite;
    } opposites[] = {{IR_OP_slt, IR_OP_sle}, {IR_OP_sle, IR_OP_slt}, {IR_OP_ult, IR_OP_ule},
                     {IR_OP_ule, IR_OP_ult}, {IR_OP_ine, IR_OP_ieq}, {IR_OP_ieq, IR_OP_ine}};
    const struct ir_instr *test = opt_resolved(l->test->cond);
    for (size_t i = 0; i < sizeof opposites / sizeof *opposites; i++) {
        if (test->op != opposites[i].op || test->type.lanes != 1)
            continue;
        c->op = (enum ir_op)(l->leaves_if_true ? opposites[i].opposite : test->op);
        c->low = opt_resolved(test->src[l->leaves_if_true]);
        c->high = opt_resolved(test->src[!l->leaves_if_true]);
        return c->op != IR_OP_ieq;
    }
    return false;
}

static bool is_counter(const struct loop_form *l, const struct ir_instr *x, int64_t *step)
{
    if (x->op != IR_OP_phi || x->block != l->header || x->type.base != IR_INT || x->type.bits < 32)
        return false;
    const struct ir_instr *next = opt_phi_source(x, l->cont_last);
    if (!next || next->op != IR_OP_iadd || next->src[0] != x || !ir_is_const(next->src[1]))
        return false;
    *step = (int64_t)(next->src[1]->lanes[0] << (64 - x->type.bits)) >> (64 - x->type.bits);
    return *step && *step <= MAX_STEP && *step >= -MAX_STEP;
}

static bool understand_counting(const struct loop_form *l, struct counting *c)
{
    int64_t step;
    if (!l->test || !normal_test(l, c))
        return false;
    bool up = is_counter(l, c->low, &step);
    if (!up && !is_counter(l, c->high, &step))
        return false;
    if (c->op == IR_OP_ine) { // meets the other one for sure
        if (step != 1 && step != -1)
            return false;
        if (up != (step > 0)) {
            struct ir_instr *low = c->low;
            c->low = c->high;
            c->high = low;
        }
        c->step = 1;
        return !opt_is_inside(&l->loop->node, step > 0 ? c->high : c->low);
    }
    c->step = (uint64_t)(up ? step : -step);
    return (step > 0) == up && !opt_is_inside(&l->loop->node, up ? c->high : c->low);
}

// Which work-items are active together must not change.
static bool work_items_meet(const struct loop_form *l)
{
    const struct ir_block *end = (const struct ir_block *)l->loop->node.next;
    for (struct ir_block *b = l->header; b && b != end; b = ir_next_block(b))
        for (struct ir_instr *x = b->first; x; x = x->next)
            if (x->op == IR_OP_subgroup || x->op == IR_OP_barrier || x->op == IR_OP_call)
                return true;
    return false;
}

// Whether `factor` more rounds follow: there is one, and the distance is more than those before the
// last one take.
static struct ir_instr *enough_left(struct ir_builder *b, const struct counting *c,
                                    struct ir_instr *low, struct ir_instr *high, uint32_t factor)
{
    bool equal_too = c->op == IR_OP_sle || c->op == IR_OP_ule;
    struct ir_instr *steps = ir_const_int(b->module, low->type, c->step * (factor - 1));
    struct ir_instr *enough =
        ir_op2(b, equal_too ? IR_OP_ule : IR_OP_ult, steps, ir_op2(b, IR_OP_isub, high, low));
    if (c->op == IR_OP_ine)
        return enough;
    return ir_op2(b, IR_OP_and, ir_op2(b, c->op, low, high), enough);
}

// A copy of each phi of the header, as yet without the next value.
static void begin_phis(struct unroll *u, const struct loop_form *l, struct ir_loop *made,
                       struct map *map, struct ir_instr **phis)
{
    struct ir_builder b = {.module = u->m, .function = u->f, .block = ir_list_first(&made->body)};
    uint32_t count = count_phis(l);
    struct ir_instr *x = l->header->first;
    for (uint32_t i = 0; i < count; i++, x = x->next) {
        phis[i] = ir_phi(&b, x->type, 2);
        phis[i]->preds[0] = (struct ir_block *)made->node.prev;
        phis[i]->src[0] = opt_phi_source(x, l->before);
        map_set(u->scratch, map, x, phis[i]);
    }
}

// The loop itself goes on where the one before it left.
static void enter_from(const struct loop_form *l, struct ir_instr **phis)
{
    uint32_t i = 0;
    for (struct ir_instr *x = l->header->first; x && x->op == IR_OP_phi; x = x->next, i++)
        for (uint32_t k = 0; k < x->src_count; k++)
            if (x->preds[k] == l->before)
                x->src[k] = phis[i];
}

static void put_in_front(struct unroll *u, const struct loop_form *l, const struct counting *c,
                         uint32_t factor)
{
    uint32_t count = count_phis(l);
    struct ir_instr **phis = ARENA_ARRAY(u->scratch, struct ir_instr *, count + 1),
                    **values = ARENA_ARRAY(u->scratch, struct ir_instr *, count + 1);
    struct ir_builder b = {.module = u->m, .function = u->f, .block = l->before};
    struct ir_list all = {0};
    struct map map = {0};
    struct ir_loop *made = ir_add_loop(&b); // l->before is then between the two
    struct ir_block *cont = ir_list_first(&made->cont);
    made->unroll = l->loop->unroll = IR_UNROLL_NEVER;
    begin_phis(u, l, made, &map, phis);
    ir_place_end(&b, &made->body);
    struct ir_if *test =
        ir_add_if(&b, enough_left(&b, c, mapped(&map, c->low), mapped(&map, c->high), factor));
    struct ir_builder leave = b;
    ir_place_end(&leave, &test->else_list);
    ir_jump(&leave, IR_OP_break, NULL);
    struct ir_if *place =
        ir_add_if(&b, ir_const_int(u->m, ir_bool(), 1)); // gives way to the rounds
    memcpy(values, phis, count * sizeof *phis);
    for (uint32_t round = 0; round < factor; round++) {
        clone_round(u, l, &all, &map);
        bind_phis(l, &map, values);
        next_values(l, &map, values);
    }
    ir_node_replace(&place->node, &all);
    for (uint32_t i = 0; i < count; i++) {
        phis[i]->preds[1] = cont;
        phis[i]->src[1] = values[i];
    }
    enter_from(l, phis);
    u->changed = true;
}

static void some_at_once(struct unroll *u, const struct loop_form *l)
{
    struct counting c;
    uint32_t factor = (uint32_t)l->loop->unroll;
    if (factor > MAX_FACTOR || factor * l->size > MAX_SIZE_ASKED || !understand_counting(l, &c) ||
        work_items_meet(l))
        return;
    put_in_front(u, l, &c, factor);
}

// ---- worth it? ----------------------------------------------------------------------------------

static bool follows(const struct ir_instr *x)
{
    for (uint32_t i = 0; i < x->src_count; i++)
        if (x->src[i] && x->src[i]->mark)
            return true;
    return false;
}

// Whether loops written out leave nothing but constants of an index. No more than `steps` are taken.
static bool becomes_constant(const struct ir_instr *x, const struct ir_block *header,
                             unsigned *steps)
{
    if (ir_is_const(x))
        return true;
    if (opt_is_floating(x) || !ir_has_flag(x, IR_FLAG_P) || !*steps || !x->src_count)
        return false;
    --*steps;
    if (x->op == IR_OP_phi) {
        const struct ir_node *owner = x->block->node.list->owner;
        bool counts = owner && owner->kind == IR_LOOP &&
                      ir_list_first(&((const struct ir_loop *)owner)->body) == x->block;
        if (!counts || x->block == header)
            return counts;
        header = x->block;
    }
    for (uint32_t i = 0; i < x->src_count; i++)
        if (!becomes_constant(opt_resolved(x->src[i]), header, steps))
            return false;
    return true;
}

static struct ir_var *indexed_variable(const struct ir_instr *x)
{
    while (x->op == IR_OP_ptr_index || x->op == IR_OP_ptr_cast)
        x = opt_resolved(x->src[0]);
    return x->op == IR_OP_addr ? x->var : NULL;
}

// Arrays that have an index which remains: var.id is 1.
static void find_arrays_in_memory(struct ir_function *f)
{
    for (size_t i = 0; i < f->vars.count; i++)
        f->vars.items[i]->id = 0;
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b))
        for (struct ir_instr *x = b->first; x; x = x->next) {
            unsigned steps = MAX_INDEX;
            bool is_indexed = x->op == IR_OP_ptr_index && x->src_count > 1 &&
                              x->type.space == IR_PRIVATE;
            struct ir_var *var = is_indexed ? indexed_variable(x) : NULL;
            if (var && !var->in_module && !becomes_constant(x->src[1], NULL, &steps))
                var->id = 1;
        }
}

// Whether an address in an array that may become registers depends on which round it is.
static bool indexes_private(const struct loop_form *l)
{
    const struct ir_block *end = (const struct ir_block *)l->loop->node.next;
    bool found = false;
    for (struct ir_block *b = l->header; b && b != end; b = ir_next_block(b))
        for (struct ir_instr *x = b->first; x; x = x->next) {
            x->mark = (b == l->header && x->op == IR_OP_phi) || follows(x);
            if (x->mark && x->op == IR_OP_ptr_index && x->src_count > 1 &&
                x->type.space == IR_PRIVATE && x->src[1]->mark) {
                const struct ir_var *var = indexed_variable(x);
                found |= !var || !var->id;
            }
        }
    for (struct ir_block *b = l->header; b && b != end; b = ir_next_block(b))
        for (struct ir_instr *x = b->first; x; x = x->next)
            x->mark = 0;
    return found;
}

// A wide vector is loaded in four parts. Drivers that see many such loads in a row take all first
// parts, then all second ones: by then the caches have forgotten them, and bandwidth falls to a
// third.
static uint32_t wide_bytes(const struct loop_form *l)
{
    const struct ir_block *end = (const struct ir_block *)l->loop->node.next;
    uint32_t bytes = 0;
    for (struct ir_block *b = l->header; b && b != end; b = ir_next_block(b))
        for (struct ir_instr *x = b->first; x; x = x->next)
            if (x->op == IR_OP_load && ir_type_bytes(x->type) >= WIDE &&
                (x->src[0]->type.space == IR_GLOBAL || x->src[0]->type.space == IR_CONSTANT))
                bytes += ir_type_bytes(x->type);
    return bytes;
}

static bool may_grow(struct unroll *u, const struct loop_form *l, bool asked)
{
    uint32_t growth = asked || l->trips < 2 ? 0 : l->size * (l->trips - 1);
    if (u->f->unrolled + growth > MAX_GROWTH)
        return false;
    u->f->unrolled += growth;
    return true;
}

static void visit(struct unroll *u, struct ir_loop *loop)
{
    struct loop_form l;
    if (u->changed)
        ir_resolve_inside(&loop->node); // clones must see what inner loops became
    if (!understand(&l, loop))
        return;
    l.size = opt_list_size(&loop->body) + opt_list_size(&loop->cont);
    bool asked = loop->unroll == IR_UNROLL_FULL || loop->unroll > 1;
    bool indexed = l.size <= MAX_SIZE_INDEXED && indexes_private(&l);
    uint32_t room = asked ? MAX_SIZE_ASKED : indexed ? MAX_SIZE_INDEXED : MAX_SIZE;
    uint32_t limit = room / (l.size ? l.size : 1);
    if (limit > MAX_TRIPS)
        limit = MAX_TRIPS;
    uint32_t wide = asked || indexed ? 0 : wide_bytes(&l);
    if (limit && count_trips(u, &l, limit) && wide * l.trips <= MAX_WIDE && may_grow(u, &l, asked))
        write_out(u, &l);
    else if (wide)
        loop->unroll = IR_UNROLL_NEVER;
    else if (loop->unroll > 1)
        some_at_once(u, &l);
}

// Requires: phis (after opt_mem2reg). Keeps: values. Removes: loops.
bool opt_unroll(struct pass_context *context, struct ir_function *f)
{
    struct unroll u = {.m = context->module, .f = f, .scratch = context->scratch};
    struct opt_nodes nodes = opt_nodes(f, u.scratch);
    find_arrays_in_memory(f);
    for (size_t i = nodes.count; i-- > 0;)
        if (nodes.items[i]->kind == IR_LOOP)
            visit(&u, (struct ir_loop *)nodes.items[i]);
    if (u.changed)
        ir_resolve(f);
    return u.changed;
}
