// SPDX-License-Identifier: Apache-2.0
// Control flow that is nested deeper than the driver bears -> a row of steps, one behind another, at one depth.
//
//   if %a { A ; if %b { B } C } D   ->   where = %a ? 1 : 4
//                                        if where == 1 { A ; where = %b ? 2 : 3 }
//                                        if where == 2 { B ; where = 3 }
//                                        if where == 3 { C ; where = 4 }
//                                        if where == 4 { D }
//
// Steps stand in the order of the source, so a row is gone through once. Parts that are shallow enough and that no jump
// leaves stay as they are. Steps of other loops stand in a loop of their own, which is left when another step is next, so
// that work-items wait for one another behind it; where even such loops would be too deep, a loop around them goes through
// its steps again. Jumps to what is around the row become a value of `where` that is tested behind it.
//
// Mesa's software driver keeps a stack of 80 masks: beyond, its results are wrong, or the process dies. Its compiler
// also nests what follows a return, a continue or a break out of a loop of one trip, so jumps count as well.
#include "ir/internal.h"
#include "passes/demote.h"
#include "util/stack.h"

struct shape { // of a node or list
    uint32_t height; // levels in it
    uint32_t returns, continues, breaks; // that leave it
};

struct step {
    struct ir_list code;
    struct ir_instr *value; // decides where to go: bool, or the integer of a switch; NULL: to[0]
    const struct ir_switch *choice;
    struct step **to; // 2 of a bool; of a switch one for each case, then that for all other values
    uint32_t number;  // its place in the row
    uint32_t end;     // of a loop's first step: the number behind its last; else 0
    bool dead;        // its code never comes to its end
};

enum exit { EXIT_END, EXIT_BREAK, EXIT_CONTINUE, EXIT_RETURN, EXITS };

struct nesting {
    struct ir_function *f;
    struct arena *scratch;
    struct map shapes; // node -> struct shape
    uint32_t limit;
    struct ir_var *where, *result; // result: NULL until it is needed
    // Of the row at hand:
    uint32_t room; // the height that parts may have
    VEC(struct step *) row;
    struct step *last;                 // where code goes
    struct step *on_break, *on_continue; // where these jumps go
    struct step exits[EXITS];
    bool used[EXITS];
    bool meets;  // work-items meet in the function: they must leave a loop together
    bool inside; // a loop of the row's own is around the steps at hand
    bool again;  // the whole row stands in a loop
};

// ---- how deep ------------------------------------------------------------------------------------

// Levels as the driver counts them: it adds ifs for the exits of loops and switches.
enum { IF_LEVELS = 1, LOOP_LEVELS = 2, SWITCH_LEVELS = 3 };

static uint32_t most(uint32_t a, uint32_t b) { return a > b ? a : b; }

static uint32_t jumps(const struct shape *s) { return s->returns + s->continues + s->breaks; }

static struct shape shape_of(struct nesting *n, struct ir_node *node);

static struct shape shape_of_list(struct nesting *n, struct ir_list *list)
{
    stack_check();
    struct shape all = {0};
    for (struct ir_node *node = list->first; node; node = node->next) {
        if (node->kind == IR_BLOCK)
            continue;
        struct shape part = shape_of(n, node);
        all.height = most(all.height, part.height + jumps(&all));
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
    map_set(n->scratch, &n->shapes, node, arena_copy(n->scratch, &s, sizeof s));
    return s;
}

static const struct shape *known_shape(const struct nesting *n, const struct ir_node *node)
{
    return map_get(&n->shapes, node);
}

// ---- taking apart --------------------------------------------------------------------------------

static struct step *new_step(struct nesting *n)
{
    struct step *step = ARENA_NEW(n->scratch, struct step);
    *step = (struct step){.to = ARENA_ARRAY(n->scratch, struct step *, 1)};
    ir_list_init(n->f->module, &step->code, NULL);
    return step;
}

static void begin_step(struct nesting *n, struct step *step)
{
    step->number = (uint32_t)n->row.count;
    vec_push(n->scratch, &n->row, step);
    n->last = step;
}

// What is at hand goes to `to`.
static void go(struct nesting *n, struct step *to)
{
    n->last->to[0] = to;
    for (unsigned i = 0; i < EXITS; i++)
        n->used[i] |= to == &n->exits[i];
}

static void take_block(struct nesting *n, struct ir_block *block)
{
    struct ir_list alone = {.first = &block->node, .last = &block->node};
    block->node.prev = block->node.next = NULL;
    block->node.list = &alone;
    ir_list_join(&n->last->code, &alone);
}

// Of a part that stays as it is.
static void take_node(struct nesting *n, struct ir_node *node)
{
    struct ir_list alone;
    ir_list_init(n->f->module, &alone, NULL);
    ir_list_insert(&alone, node, alone.first);
    ir_list_insert(&alone, &ir_block_create(n->f->module)->node, node);
    ir_list_join(&n->last->code, &alone);
}

static void take_list(struct nesting *n, struct ir_list *list, struct step *after);

static void take_if(struct nesting *n, struct ir_if *node)
{
    struct step *from = n->last, *yes = new_step(n), *no = new_step(n), *after = new_step(n);
    from->value = node->cond;
    from->to = ARENA_ARRAY(n->scratch, struct step *, 2);
    from->to[0] = yes;
    from->to[1] = no;
    begin_step(n, yes);
    take_list(n, &node->then_list, after);
    begin_step(n, no);
    take_list(n, &node->else_list, after);
    begin_step(n, after);
}

static void take_loop(struct nesting *n, struct ir_loop *node)
{
    struct step *body = new_step(n), *cont = new_step(n), *after = new_step(n);
    struct step *on_break = n->on_break, *on_continue = n->on_continue;
    const uint32_t room = n->room, levels = IF_LEVELS + LOOP_LEVELS;
    const bool inside = n->inside, own = n->meets || room >= levels;
    n->again |= !own && !inside;
    n->inside |= own;
    n->room -= own && room >= levels ? levels : 0;
    go(n, body);
    begin_step(n, body);
    n->on_break = after;
    n->on_continue = cont;
    take_list(n, &node->body, cont);
    begin_step(n, cont);
    take_list(n, &node->cont, body);
    if (node->cond) {
        n->last->value = node->cond;
        n->last->to = ARENA_ARRAY(n->scratch, struct step *, 2);
        n->last->to[0] = body;
        n->last->to[1] = after;
    }
    n->on_break = on_break;
    n->on_continue = on_continue;
    n->inside = inside;
    n->room = room;
    begin_step(n, after);
    body->end = own ? after->number : 0;
}

static void take_switch(struct nesting *n, struct ir_switch *node)
{
    uint32_t count = node->case_count;
    struct step *from = n->last, *after = new_step(n), *on_break = n->on_break;
    struct step **to = ARENA_ARRAY(n->scratch, struct step *, count + 1);
    to[count] = after;
    for (uint32_t i = 0; i < count; i++) {
        to[i] = new_step(n);
        to[count] = node->cases[i].is_default ? to[i] : to[count];
    }
    from->value = node->value;
    from->choice = node;
    from->to = to;
    n->on_break = after;
    for (uint32_t i = 0; i < count; i++) { // a case falls through to the next
        begin_step(n, to[i]);
        take_list(n, &node->cases[i].list, i + 1 < count ? to[i + 1] : after);
    }
    n->on_break = on_break;
    begin_step(n, after);
}

static void take_jump(struct nesting *n, struct ir_instr *jump)
{
    struct ir_builder b = {.module = n->f->module, .function = n->f, .block = ir_list_last(&n->last->code)};
    if (jump->op == IR_OP_unreachable) {
        n->last->dead = true;
        return;
    }
    ir_remove(jump);
    if (jump->op == IR_OP_return && jump->src_count) {
        n->result = n->result ? n->result : demote_var(n->f, "result", jump->src[0]->type);
        demote_store(&b, n->result, jump->src[0]);
    }
    go(n, jump->op == IR_OP_break ? n->on_break : jump->op == IR_OP_continue ? n->on_continue : &n->exits[EXIT_RETURN]);
}

static void take_part(struct nesting *n, struct ir_node *node)
{
    const struct shape *shape = known_shape(n, node);
    if (shape->height <= n->room && !jumps(shape))
        take_node(n, node);
    else if (node->kind == IR_IF)
        take_if(n, (struct ir_if *)node);
    else if (node->kind == IR_LOOP)
        take_loop(n, (struct ir_loop *)node);
    else
        take_switch(n, (struct ir_switch *)node);
}

// Adds what the list holds to the row; at its end goes to `after`.
static void take_list(struct nesting *n, struct ir_list *list, struct step *after)
{
    stack_check();
    for (struct ir_node *node = list->first, *next; node; node = next) {
        next = node->next;
        if (node->kind != IR_BLOCK) {
            take_part(n, node);
            continue;
        }
        take_block(n, ir_as_block(node));
        const struct ir_block *end = ir_list_last(&n->last->code);
        if (ir_ends_in_jump(end)) {
            take_jump(n, end->last);
            return;
        }
    }
    go(n, after);
}

// ---- the row -------------------------------------------------------------------------------------

static bool is_empty(const struct step *step)
{
    return !step->value && !step->dead && !step->end && step->code.first == step->code.last && !ir_list_first(&step->code)->first;
}

// Where one comes to at last: empty steps are left out.
static const struct step *end_of_way(const struct step *step)
{
    while (step->code.first && is_empty(step))
        step = step->to[0];
    return step;
}

static struct ir_instr *number_of(const struct nesting *n, const struct step *step)
{
    return ir_const_int(n->f->module, ir_int(32), end_of_way(step)->number);
}

static struct ir_instr *next_of(struct nesting *n, struct ir_builder *b, const struct step *step)
{
    const struct ir_switch *choice = step->choice;
    if (!step->value)
        return number_of(n, step->to[0]);
    if (!choice)
        return ir_select(b, step->value, number_of(n, step->to[0]), number_of(n, step->to[1]));
    struct ir_instr *next = number_of(n, step->to[choice->case_count]);
    for (uint32_t i = 0; i < choice->case_count; i++)
        for (uint32_t k = 0; k < choice->cases[i].value_count; k++) {
            struct ir_instr *value = ir_const_int(b->module, step->value->type, choice->cases[i].values[k]);
            next = ir_select(b, ir_op2(b, IR_OP_ieq, step->value, value), number_of(n, step->to[i]), next);
        }
    return next;
}

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
        demote_store(b, n->where, next_of(n, b, step));
    ir_place_after(b, &node->node);
}

// `where` is a step from `first` up to `end`.
static struct ir_instr *is_among(struct nesting *n, struct ir_builder *b, uint32_t first, uint32_t end)
{
    struct ir_instr *at = demote_load(b, n->where, ir_int(32));
    at = ir_op2(b, IR_OP_isub, at, ir_const_int(b->module, ir_int(32), first));
    return ir_op2(b, IR_OP_ult, at, ir_const_int(b->module, ir_int(32), end - first));
}

static void put_steps(struct nesting *n, struct ir_builder *b, uint32_t first, uint32_t end);

// Steps that are gone through until another one is next; the builder then stands behind them.
static void put_loop(struct nesting *n, struct ir_builder *b, uint32_t first, uint32_t end)
{
    struct ir_loop *loop = ir_add_loop(b);
    ir_place_end(b, &loop->body);
    put_steps(n, b, first, end);
    ir_place_end(b, &loop->cont);
    loop->cond = is_among(n, b, first, end);
    ir_place_after(b, &loop->node);
}

// If the first one begins a loop, that loop is around them.
static void put_steps(struct nesting *n, struct ir_builder *b, uint32_t first, uint32_t end)
{
    stack_check();
    for (uint32_t i = first; i < end; i++) {
        struct step *step = n->row.items[i];
        if (step->end && i != first) {
            struct ir_if *node = ir_add_if(b, is_next(n, b, i));
            ir_place_end(b, &node->then_list);
            put_loop(n, b, i, step->end);
            ir_place_after(b, &node->node);
            i = step->end - 1;
        } else if (!is_empty(step)) {
            put_step(n, b, step);
        }
    }
}

static void put_exit(struct nesting *n, struct ir_builder *b, enum exit exit)
{
    static const uint16_t jumps[] = {
        [EXIT_BREAK] = IR_OP_break, [EXIT_CONTINUE] = IR_OP_continue, [EXIT_RETURN] = IR_OP_return};
    if (!n->used[exit])
        return;
    struct ir_if *node = ir_add_if(b, is_next(n, b, n->exits[exit].number));
    ir_place_end(b, &node->then_list);
    bool value = exit == EXIT_RETURN && n->result;
    ir_jump(b, (enum ir_op)jumps[exit], value ? demote_load(b, n->result, n->f->result) : NULL);
    ir_place_after(b, &node->node);
}

static void put_row(struct nesting *n, struct ir_list *list)
{
    struct ir_builder b = {.module = n->f->module, .function = n->f};
    uint32_t count = (uint32_t)n->row.count;
    ir_place_end(&b, list);
    demote_store(&b, n->where, number_of(n, n->row.items[0]));
    if (n->again)
        put_loop(n, &b, 0, count);
    else
        put_steps(n, &b, 0, count);
    for (enum exit exit = EXIT_BREAK; exit < EXITS; exit++)
        put_exit(n, &b, exit);
}

static void take_apart(struct nesting *n, struct ir_list *list, uint32_t depth)
{
    struct ir_list old = *list;
    uint32_t own = LOOP_LEVELS + IF_LEVELS;
    n->room = n->limit > depth + own ? n->limit - depth - own : 0;
    n->row.count = 0;
    n->inside = n->again = false;
    memset(n->used, 0, sizeof n->used);
    n->on_break = &n->exits[EXIT_BREAK];
    n->on_continue = &n->exits[EXIT_CONTINUE];
    ir_list_init(n->f->module, list, old.owner);
    begin_step(n, new_step(n));
    take_list(n, &old, &n->exits[EXIT_END]);
    for (unsigned i = 0; i < EXITS; i++)
        n->exits[i].number = (uint32_t)n->row.count + i;
    put_row(n, list);
}

// ---- where ---------------------------------------------------------------------------------------

static void lower_list(struct nesting *n, struct ir_list *list, uint32_t depth);

static void lower_node(struct nesting *n, struct ir_node *node, uint32_t depth)
{
    if (known_shape(n, node)->height + depth <= n->limit)
        return;
    if (node->kind == IR_IF) {
        lower_list(n, &((struct ir_if *)node)->then_list, depth + IF_LEVELS);
        lower_list(n, &((struct ir_if *)node)->else_list, depth + IF_LEVELS);
    } else if (node->kind == IR_LOOP) {
        lower_list(n, &((struct ir_loop *)node)->body, depth + LOOP_LEVELS);
        lower_list(n, &((struct ir_loop *)node)->cont, depth + LOOP_LEVELS);
    } else {
        struct ir_switch *choice = (struct ir_switch *)node;
        for (uint32_t i = 0; i < choice->case_count; i++)
            lower_list(n, &choice->cases[i].list, depth + SWITCH_LEVELS);
    }
}

// Keeps the nesting of the outer levels, up to a third of the driver's limit.
static void lower_list(struct nesting *n, struct ir_list *list, uint32_t depth)
{
    stack_check();
    struct shape shape = shape_of_list(n, list);
    if (shape.height + depth <= n->limit)
        return;
    if (depth + jumps(&shape) > n->limit / 3) {
        take_apart(n, list, depth);
        return;
    }
    uint32_t before = 0;
    for (struct ir_node *node = list->first; node; node = node->next)
        if (node->kind != IR_BLOCK) {
            lower_node(n, node, depth + before);
            before += jumps(known_shape(n, node));
        }
}

static bool meets(const struct ir_function *f)
{
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b))
        for (const struct ir_instr *x = b->first; x; x = x->next)
            if (x->op == IR_OP_barrier || x->op == IR_OP_subgroup || x->op == IR_OP_call || ir_is_matrix(x->type) ||
                x->op == IR_OP_mat_store)
                return true;
    return false;
}

// Requires: lowered memory. Keeps: values. Removes: nesting beyond target.max_nesting.
bool lower_nesting(struct pass_context *c, struct ir_function *f)
{
    struct nesting n = {.f = f, .scratch = c->scratch, .limit = c->target->max_nesting};
    if (!n.limit || !f->has_body)
        return false;
    if (shape_of_list(&n, &f->body).height <= n.limit || !demote_values(f, c->scratch))
        return false;
    n.meets = meets(f);
    n.where = demote_var(f, "where", ir_int(32));
    lower_list(&n, &f->body, 0);
    return true;
}
