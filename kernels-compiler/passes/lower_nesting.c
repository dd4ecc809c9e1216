// SPDX-License-Identifier: Apache-2.0
// Flattens control flow that is nested deeper than the driver supports into a sequence of steps at one depth.
//
//   if %a { A ; if %b { B } C } D   ->   where = %a ? 1 : 4
//                                        if where == 1 { A ; where = %b ? 2 : 3 }
//                                        if where == 2 { B ; where = 3 }
//                                        if where == 3 { C ; where = 4 }
//                                        if where == 4 { D }
//
// Steps are in source order, so one pass over the sequence suffices. Parts that are shallow enough and contain no
// jumps out of them are not changed. Steps of a loop are in a loop of their own, which ends when another step is
// next, so that work-items wait for each other after it; if such loops would be nested too deeply, too, one loop
// around the sequence repeats it. In a function that synchronizes work-items, only a loop without that in it repeats
// the loops in it. Jumps out of the sequence become values of `where` that are tested after it.
//
// Mesa's software driver has a stack of 80 masks: beyond that, results are wrong or the process crashes. Its compiler
// also nests the code after a return, a continue, or a break out of a loop with one iteration, so jumps count as
// levels. For drivers that do not (kc_target.flat_jumps), ifs that end in one another become exits of one loop, which is
// faster than steps; where work-items wait for each other, jumps are levels for them, too. Drivers inline calls, so the levels of a function count where it is called: a function gets as many as its
// callers leave to it.
#include "ir/internal.h"
#include "passes/demote.h"
#include "passes/reuse_vars.h"
#include "passes/steps.h"
#include "util/stack.h"

struct shape { // of a node or list
    uint32_t height; // nesting levels in it
    uint32_t returns, continues, breaks; // jumps out of it
    bool synchronizes; // work-items must arrive together at something in it
};

struct callee {
    uint32_t height; // nesting levels in it and in what it calls
    uint32_t least;  // of them, when all is flat
    uint32_t limit;  // levels that its callers leave to it
    bool synchronizes;
};

struct nesting {
    struct steps steps; // the current sequence
    struct map shapes;  // node -> struct shape
    const struct map *callees; // function -> struct callee
    uint32_t limit;
    bool flat_jumps; // from kc_target
    struct ir_var *where;
    // Of the current sequence:
    uint32_t room; // maximum height of unchanged parts
    bool free;   // work-items need not wait for each other between these steps: nothing in them synchronizes
    bool inside; // the steps are inside of a loop of the sequence
    bool repeated;  // the whole sequence is in a loop
};

// ---- depth ---------------------------------------------------------------------------------------

// Levels as the driver counts them: it adds ifs for exits of loops and switches.
enum { IF_LEVELS = 1, LOOP_LEVELS = 2, SWITCH_LEVELS = 3 };

static uint32_t most(uint32_t a, uint32_t b) { return a > b ? a : b; }
static uint32_t least(uint32_t a, uint32_t b) { return a < b ? a : b; }

static uint32_t jumps(const struct shape *s) { return s->returns + s->continues + s->breaks; }

// Levels of the code after the jumps.
static uint32_t levels_after(const struct nesting *n, const struct shape *s) { return n->flat_jumps ? 0 : jumps(s); }

static bool synchronizes(const struct ir_instr *x)
{
    return x->op == IR_OP_barrier || x->op == IR_OP_subgroup || ir_is_matrix(x->type) || x->op == IR_OP_mat_store;
}

static struct callee *callee_of(const struct nesting *n, const struct ir_instr *x)
{
    return x->op == IR_OP_call ? map_get(n->callees, x->callee) : NULL;
}

// A function that does not fit can be flattened itself: half of the levels are left to it.
static uint32_t levels_for(const struct nesting *n, const struct callee *callee)
{
    return least(callee->height, most(n->limit / 2, callee->least));
}

static struct shape shape_of_block(const struct nesting *n, const struct ir_block *b)
{
    struct shape s = {0};
    for (const struct ir_instr *x = b->first; x; x = x->next) {
        const struct callee *callee = callee_of(n, x);
        s.height = most(s.height, callee ? levels_for(n, callee) : 0);
        s.synchronizes |= callee ? callee->synchronizes : synchronizes(x);
    }
    return s;
}

static struct shape shape_of(struct nesting *n, struct ir_node *node);

static struct shape shape_of_list(struct nesting *n, struct ir_list *list)
{
    stack_check();
    struct shape all = {0};
    for (struct ir_node *node = list->first; node; node = node->next) {
        struct shape part = node->kind == IR_BLOCK ? shape_of_block(n, (const struct ir_block *)node) : shape_of(n, node);
        all.synchronizes |= part.synchronizes;
        all.height = most(all.height, part.height ? part.height + levels_after(n, &all) : 0);
        all.returns += part.returns;
        all.continues += part.continues;
        all.breaks += part.breaks;
    }
    const struct ir_instr *end = ir_list_last(list)->last;
    all.returns += end && end->op == IR_OP_return;
    all.continues += end && end->op == IR_OP_continue;
    all.breaks += end && end->op == IR_OP_break;
    return all;
}

static void add_list(struct nesting *n, struct ir_list *list, struct shape *all)
{
    struct shape part = shape_of_list(n, list);
    all->synchronizes |= part.synchronizes;
    all->height = most(all->height, part.height);
    all->returns += part.returns;
    all->continues += part.continues;
    all->breaks += part.breaks;
}

static struct shape shape_of(struct nesting *n, struct ir_node *node)
{
    struct shape s = {0};
    if (node->kind == IR_IF) {
        add_list(n, &((struct ir_if *)node)->then_list, &s);
        add_list(n, &((struct ir_if *)node)->else_list, &s);
        s.height += IF_LEVELS;
    } else if (node->kind == IR_LOOP) {
        add_list(n, &((struct ir_loop *)node)->body, &s);
        add_list(n, &((struct ir_loop *)node)->cont, &s);
        s.height += LOOP_LEVELS;
        s.returns = s.returns > 0;
        s.continues = s.breaks = 0;
    } else {
        struct ir_switch *choice = (struct ir_switch *)node;
        for (uint32_t i = 0; i < choice->case_count; i++)
            add_list(n, &choice->cases[i].list, &s);
        s.height += SWITCH_LEVELS;
        s.breaks = 0;
    }
    map_set(n->steps.scratch, &n->shapes, node, arena_copy(n->steps.scratch, &s, sizeof s));
    return s;
}

static const struct shape *known_shape(const struct nesting *n, const struct ir_node *node)
{
    return map_get(&n->shapes, node);
}

typedef void list_visitor(struct nesting *n, struct ir_list *list, uint32_t depth);

// ---- chains ----------------------------------------------------------------------------------------
//
//   if %a { A } else { B ; if %b { C } else { D } }   ->   once { if %a { A ; break } B ; if %b { C } else { D } }

enum { LEAST_CHAIN = 6 }; // ifs that a loop replaces

// The if at the end of the list.
static struct ir_if *last_if(const struct ir_list *list)
{
    const struct ir_node *end = list->last;
    return !ir_list_last(list)->first && end->prev && end->prev->kind == IR_IF ? (struct ir_if *)end->prev : NULL;
}

// The next if of the chain, and the list at whose end it is.
static struct ir_if *next_if(const struct nesting *n, struct ir_if *node, struct ir_list **list)
{
    struct ir_if *const a = last_if(&node->then_list), *const b = last_if(&node->else_list);
    const bool in_then = a && (!b || known_shape(n, &a->node)->height > known_shape(n, &b->node)->height);
    *list = in_then ? &node->then_list : &node->else_list;
    return in_then ? a : b;
}

static uint32_t chain_length(const struct nesting *n, struct ir_if *node)
{
    struct ir_list *list;
    uint32_t length = 0;
    for (; node; node = next_if(n, node, &list))
        length++;
    return length;
}

// Puts the other list of the if, which leaves the loop, and then the list at whose end the next if was.
static void put_link(struct ir_builder *b, struct ir_if *node, struct ir_instr *cond, struct ir_list *list)
{
    struct ir_if *exit = ir_add_if(b, cond);
    const bool goes_on = list == &node->then_list;
    ir_place_end(b, goes_on ? &exit->else_list : &exit->then_list);
    ir_append(b, goes_on ? &node->else_list : &node->then_list);
    if (!ir_ends_in_jump(b->block))
        ir_jump(b, IR_OP_break, NULL);
    ir_place_after(b, &exit->node);
    ir_append(b, list);
}

// Returns the loop.
static struct ir_loop *put_chain(struct nesting *n, struct ir_if *node)
{
    struct ir_builder b = {.module = n->steps.f->module, .function = n->steps.f};
    struct ir_node *place = &node->node;
    struct ir_list all, *list;
    ir_list_init(b.module, &all, NULL);
    ir_place_end(&b, &all);
    struct ir_var *first = demote_var(b.function, "first", ir_bool());
    demote_store(&b, first, node->cond);
    struct ir_loop *loop = ir_add_loop(&b);
    loop->cond = ir_const_int(b.module, ir_bool(), 0);
    ir_place_end(&b, &loop->body);
    for (struct ir_if *next; (next = next_if(n, node, &list)); node = next) {
        ir_list_unlink(list->last);
        ir_list_unlink(&next->node);
        put_link(&b, node, &node->node == place ? demote_load(&b, first, ir_bool()) : node->cond, list);
    }
    struct ir_if *end = ir_add_if(&b, node->cond);
    ir_place_end(&b, &end->then_list);
    ir_append(&b, &node->then_list);
    ir_place_end(&b, &end->else_list);
    ir_append(&b, &node->else_list);
    ir_node_replace(place, &all);
    return loop;
}

static void visit_lists(struct nesting *n, struct ir_node *node, uint32_t depth, list_visitor *visit)
{
    if (node->kind == IR_IF) {
        visit(n, &((struct ir_if *)node)->then_list, depth + IF_LEVELS);
        visit(n, &((struct ir_if *)node)->else_list, depth + IF_LEVELS);
    } else if (node->kind == IR_LOOP) {
        visit(n, &((struct ir_loop *)node)->body, depth + LOOP_LEVELS);
        visit(n, &((struct ir_loop *)node)->cont, depth + LOOP_LEVELS);
    } else {
        struct ir_switch *choice = (struct ir_switch *)node;
        for (uint32_t i = 0; i < choice->case_count; i++)
            visit(n, &choice->cases[i].list, depth + SWITCH_LEVELS);
    }
}

static bool is_chain(const struct nesting *n, struct ir_node *node)
{
    const struct shape *shape = known_shape(n, node); // NULL: made by put_link()
    return node->kind == IR_IF && shape && !shape->breaks && !shape->continues && !shape->synchronizes &&
           chain_length(n, (struct ir_if *)node) >= LEAST_CHAIN;
}

static void break_chains(struct nesting *n, struct ir_list *list, uint32_t depth)
{
    stack_check();
    for (struct ir_node *node = list->first; node; node = node->next) {
        if (is_chain(n, node))
            node = &put_chain(n, (struct ir_if *)node)->node;
        if (node->kind != IR_BLOCK)
            visit_lists(n, node, depth, break_chains);
    }
}

// ---- flattening ----------------------------------------------------------------------------------

static struct nesting *of(struct steps *steps) { return (struct nesting *)steps; }

static void flatten_loop(struct nesting *n, struct ir_loop *node)
{
    const uint32_t room = n->room, levels = IF_LEVELS + LOOP_LEVELS;
    const bool inside = n->inside, is_free = n->free, own = !is_free || room >= levels;
    n->repeated |= !own && !inside;
    n->inside |= own;
    n->free |= !known_shape(n, &node->node)->synchronizes;
    n->room -= own && room >= levels ? levels : 0;
    struct step *first = steps_split_loop(&n->steps, node);
    n->inside = inside;
    n->free = is_free;
    n->room = room;
    first->end = own ? n->steps.last->number : 0;
}

static void put_part(struct steps *steps, struct ir_node *node)
{
    struct nesting *n = of(steps);
    const struct shape *shape = known_shape(n, node);
    if (shape->height <= n->room && !jumps(shape))
        steps_add_node(steps, node);
    else if (node->kind == IR_LOOP && !steps_is_once(node))
        flatten_loop(n, (struct ir_loop *)node);
    else
        steps_split(steps, node);
}

// ---- the sequence --------------------------------------------------------------------------------

static struct ir_instr *is_next(struct nesting *n, struct ir_builder *b, uint32_t number)
{
    return ir_op2(b, IR_OP_ieq, demote_load(b, n->where, ir_int(32)), ir_const_int(b->module, ir_int(32), number));
}

static void put_step(struct nesting *n, struct ir_builder *b, struct step *step)
{
    struct ir_if *node = ir_add_if(b, is_next(n, b, step->number));
    ir_place_end(b, &node->then_list);
    ir_append(b, &step->code);
    if (!step->dead)
        demote_store(b, n->where, step_next(b, step));
    ir_place_after(b, &node->node);
}

// Whether `where` is in [first, end).
static struct ir_instr *is_among(struct nesting *n, struct ir_builder *b, uint32_t first, uint32_t end)
{
    struct ir_instr *at = demote_load(b, n->where, ir_int(32));
    at = ir_op2(b, IR_OP_isub, at, ir_const_int(b->module, ir_int(32), first));
    return ir_op2(b, IR_OP_ult, at, ir_const_int(b->module, ir_int(32), end - first));
}

static void put_steps(struct nesting *n, struct ir_builder *b, uint32_t first, uint32_t end);

// Repeats steps until another one is next; moves the builder after the loop.
static void put_loop(struct nesting *n, struct ir_builder *b, uint32_t first, uint32_t end)
{
    struct ir_loop *loop = ir_add_loop(b);
    ir_place_end(b, &loop->body);
    put_steps(n, b, first, end);
    ir_place_end(b, &loop->cont);
    loop->cond = is_among(n, b, first, end);
    ir_place_after(b, &loop->node);
}

// Emits the steps; if the first one begins a loop, the loop is emitted around them.
static void put_steps(struct nesting *n, struct ir_builder *b, uint32_t first, uint32_t end)
{
    stack_check();
    for (uint32_t i = first; i < end; i++) {
        struct step *step = n->steps.row.items[i];
        if (step->end && i != first) {
            struct ir_if *node = ir_add_if(b, is_next(n, b, i));
            ir_place_end(b, &node->then_list);
            put_loop(n, b, i, step->end);
            ir_place_after(b, &node->node);
            i = step->end - 1;
        } else if (!step_is_empty(step)) {
            put_step(n, b, step);
        }
    }
}

static void put_exit(struct nesting *n, struct ir_builder *b, enum step_exit exit)
{
    static const uint16_t jumps[] = {
        [EXIT_BREAK] = IR_OP_break, [EXIT_CONTINUE] = IR_OP_continue, [EXIT_RETURN] = IR_OP_return};
    if (!n->steps.used[exit])
        return;
    struct ir_if *node = ir_add_if(b, is_next(n, b, n->steps.exits[exit].number));
    ir_place_end(b, &node->then_list);
    bool value = exit == EXIT_RETURN && n->steps.result;
    ir_jump(b, (enum ir_op)jumps[exit], value ? demote_load(b, n->steps.result, n->steps.f->result) : NULL);
    ir_place_after(b, &node->node);
}

// At the end of the function, all that is left to do is to return.
static void put_return(struct nesting *n, struct ir_builder *b)
{
    const struct ir_function *f = n->steps.f;
    ir_jump(b, IR_OP_return, f->result.base != IR_VOID ? demote_load(b, n->steps.result, f->result) : NULL);
}

static void put_row(struct nesting *n, struct ir_list *list)
{
    struct ir_builder b = {.module = n->steps.f->module, .function = n->steps.f};
    uint32_t count = (uint32_t)n->steps.row.count;
    ir_place_end(&b, list);
    demote_store(&b, n->where, step_number(&b, n->steps.row.items[0]));
    if (n->repeated)
        put_loop(n, &b, 0, count);
    else
        put_steps(n, &b, 0, count);
    if (list == &n->steps.f->body && n->steps.used[EXIT_RETURN]) {
        put_return(n, &b);
        return;
    }
    for (enum step_exit exit = EXIT_BREAK; exit < STEP_EXITS; exit++)
        put_exit(n, &b, exit);
}

// A loop's condition is computed in a step of its last list: a variable brings it to the end of the list. NULL: there is
// none.
static struct ir_var *store_condition(struct nesting *n, struct ir_list *list)
{
    struct ir_builder b = {.module = n->steps.f->module, .function = n->steps.f};
    struct ir_instr **cond = demote_decider(ir_list_last(list));
    if (!cond || ir_is_const(*cond))
        return NULL;
    struct ir_var *var = demote_var(n->steps.f, "again", (*cond)->type);
    ir_place_end(&b, list);
    demote_store(&b, var, *cond);
    return var;
}

static void load_condition(struct nesting *n, struct ir_list *list, struct ir_var *var)
{
    struct ir_builder b = {.module = n->steps.f->module, .function = n->steps.f};
    ir_place_end(&b, list);
    *demote_decider(ir_list_last(list)) = demote_load(&b, var, ir_bool());
}

static void flatten(struct nesting *n, struct ir_list *list, uint32_t depth)
{
    uint32_t own = LOOP_LEVELS + IF_LEVELS;
    n->room = n->limit > depth + own ? n->limit - depth - own : 0;
    n->inside = n->repeated = false;
    struct ir_var *cond = store_condition(n, list);
    steps_split_list(&n->steps, list);
    put_row(n, list);
    if (cond)
        load_condition(n, list, cond);
}

// ---- selection -----------------------------------------------------------------------------------

// Whether the list has a loop with one iteration that is too deep. As a part of the sequence, it is no loop for the driver,
// whose time grows with the values that are live in all of a loop.
static bool has_once(const struct nesting *n, const struct ir_list *list, uint32_t depth)
{
    bool has = false;
    for (const struct ir_node *node = list->first; node && !has; node = node->next)
        has = steps_is_once(node) && known_shape(n, node)->height + depth > n->limit;
    return has;
}

// Keeps the outer levels nested, up to a third of the driver's limit.
static void lower_list(struct nesting *n, struct ir_list *list, uint32_t depth)
{
    stack_check();
    struct shape shape = shape_of_list(n, list);
    if (shape.height + depth <= n->limit)
        return;
    if (depth + levels_after(n, &shape) > n->limit / 3 || has_once(n, list, depth)) {
        flatten(n, list, depth);
        return;
    }
    uint32_t before = 0;
    for (struct ir_node *node = list->first; node; node = node->next)
        if (node->kind != IR_BLOCK) {
            if (known_shape(n, node)->height + depth + before > n->limit)
                visit_lists(n, node, depth + before, lower_list);
            before += levels_after(n, known_shape(n, node));
        }
}

// ---- calls ---------------------------------------------------------------------------------------

struct order {
    struct pass_context *c;
    struct map callees; // function -> struct callee
    VEC(struct ir_function *) functions; // each one after those that it calls
};

static uint32_t most_of_callees(const struct nesting *n, const struct ir_function *f)
{
    uint32_t all = 0;
    for (const struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b))
        for (const struct ir_instr *x = b->first; x; x = x->next)
            all = most(all, callee_of(n, x) ? callee_of(n, x)->least : 0);
    return all;
}

static void add_function(struct order *o, struct ir_function *f)
{
    stack_check();
    if (!f->has_body || map_get(&o->callees, f))
        return;
    struct callee *own = ARENA_NEW(o->c->scratch, struct callee);
    map_set(o->c->scratch, &o->callees, f, own);
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b))
        for (struct ir_instr *x = b->first; x; x = x->next)
            if (x->op == IR_OP_call)
                add_function(o, x->callee);
    struct nesting n = {.steps.scratch = o->c->scratch, .callees = &o->callees, .limit = UINT32_MAX};
    const struct shape whole = shape_of_list(&n, &f->body);
    *own = (struct callee){.height = whole.height, .limit = UINT32_MAX, .synchronizes = whole.synchronizes};
    own->least = least(whole.height, LOOP_LEVELS + IF_LEVELS + most_of_callees(&n, f));
    vec_push(o->c->scratch, &o->functions, f);
}

// Leaves to the functions that are called in the list what it does not use.
static void leave_levels(struct nesting *n, struct ir_list *list, uint32_t depth)
{
    stack_check();
    uint32_t used = depth;
    for (struct ir_node *node = list->first; node; node = node->next) {
        if (node->kind != IR_BLOCK) {
            visit_lists(n, node, used, leave_levels);
            used += levels_after(n, known_shape(n, node));
            continue;
        }
        for (struct ir_instr *x = ((struct ir_block *)node)->first; x; x = x->next)
            if (callee_of(n, x))
                callee_of(n, x)->limit = least(callee_of(n, x)->limit, n->limit > used ? n->limit - used : 1);
    }
}

// Whether the kernel relies on all work-items arriving together (in the source: lower_calls' steps do not).
static bool waits(const struct ir_function *f)
{
    return f->kernel && (f->kernel->info.uses_barrier || f->kernel->info.uses_subgroups);
}

static uint32_t limit_of(const struct order *o, const struct ir_function *f)
{
    const struct kc_target *target = o->c->target;
    const uint32_t limit = waits(f) && target->max_waiting_nesting ? target->max_waiting_nesting : target->max_nesting;
    return least(((const struct callee *)map_get(&o->callees, f))->limit, limit);
}

// Whether the code is shallow up to the last place where work-items wait for each other: what follows may be as deep as
// elsewhere.
static bool is_deep_after_waits(const struct nesting *n, const struct ir_function *f)
{
    uint32_t height = 0, waiting = 0;
    for (const struct ir_node *node = f->body.first; node; node = node->next) {
        const struct shape part = node->kind == IR_BLOCK ? shape_of_block(n, (const struct ir_block *)node) : *known_shape(n, node);
        height = most(height, part.height);
        waiting = part.synchronizes ? height : waiting;
    }
    return waiting <= n->limit;
}

static bool counts_calls(const struct order *o, const struct ir_function *f)
{
    const bool is_left_levels = ((const struct callee *)map_get(&o->callees, f))->limit != UINT32_MAX;
    return !o->c->target->keeps_calls || waits(f) || is_left_levels;
}

static size_t loops_in(const struct ir_list *list)
{
    stack_check();
    size_t all = 0;
    for (const struct ir_node *node = list->first; node; node = node->next) {
        if (node->kind == IR_LOOP)
            all += 1 + loops_in(&((const struct ir_loop *)node)->body) + loops_in(&((const struct ir_loop *)node)->cont);
        else if (node->kind == IR_IF)
            all += loops_in(&((const struct ir_if *)node)->then_list) + loops_in(&((const struct ir_if *)node)->else_list);
        for (uint32_t i = 0; node->kind == IR_SWITCH && i < ((const struct ir_switch *)node)->case_count; i++)
            all += loops_in(&((const struct ir_switch *)node)->cases[i].list);
    }
    return all;
}

// Keeps variables in memory if the driver has a register for each of them and each loop; `where`, which each step reads, is the
// last to move there.
static void limit_registers(struct nesting *n, size_t first, size_t limit)
{
    struct ir_function *f = n->steps.f;
    const size_t loops = limit ? loops_in(&f->body) : 0;
    struct ir_block *entry = ir_first_block(f);
    struct ir_builder b = {.module = f->module, .function = f, .block = entry, .before = entry->first};
    for (size_t i = first; i < f->vars.count && loops * (f->vars.count - first) > limit; i++)
        if (f->vars.items[i] != n->where || loops > limit)
            demote_force_memory(&b, f->vars.items[i]);
}

static bool lower_function(struct order *o, struct ir_function *f)
{
    static const struct map none;
    struct nesting n = {.steps = {.f = f, .scratch = o->c->scratch, .put = put_part},
                        .callees = counts_calls(o, f) ? &o->callees : &none, .limit = limit_of(o, f)};
    shape_of_list(&n, &f->body);
    if (n.limit >= o->c->target->max_nesting || (f->kernel && is_deep_after_waits(&n, f))) {
        n.limit = most(n.limit, o->c->target->max_nesting);
        n.flat_jumps = o->c->target->flat_jumps;
    }
    const struct shape whole = shape_of_list(&n, &f->body);
    const size_t first = f->vars.count;
    const bool lowers = whole.height > n.limit && demote_values(f, NULL, o->c->scratch);
    if (lowers) {
        reuse_vars(f, first, o->c->scratch);
        n.free = !whole.synchronizes;
        n.where = demote_var(f, "where", ir_int(32));
        if (n.flat_jumps)
            break_chains(&n, &f->body, 0);
        lower_list(&n, &f->body, 0);
        shape_of_list(&n, &f->body);
        limit_registers(&n, first, o->c->target->max_flat_registers);
    }
    n.limit = limit_of(o, f);
    n.flat_jumps = false;
    leave_levels(&n, &f->body, 0);
    return lowers;
}

// Requires: lowered memory. Keeps: values. Removes: nesting beyond target.max_nesting and max_waiting_nesting.
bool lower_nesting(struct pass_context *c)
{
    struct order o = {.c = c};
    bool lowers = false, changed = false;
    for (size_t i = 0; i < c->module->functions.count && c->target->max_nesting; i++)
        add_function(&o, c->module->functions.items[i]);
    for (size_t i = 0; i < o.functions.count; i++)
        lowers |= ((const struct callee *)map_get(&o.callees, o.functions.items[i]))->height > limit_of(&o, o.functions.items[i]);
    for (size_t i = lowers ? o.functions.count : 0; i-- > 0;)
        changed |= lower_function(&o, o.functions.items[i]);
    return changed;
}
