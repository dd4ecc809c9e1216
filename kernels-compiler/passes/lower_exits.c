// SPDX-License-Identifier: Apache-2.0
// Gives loops whose only exit is in an arm of an if a second exit at their end, which is never taken.
//
//   loop { if %c { %1 = ... ; break } } ; use %1
//   ->  loop { if %c { %1 = ... ; break } } while %true ; %2 = phi %1, undef ; use %2
//
// Such an arm's values are available after the loop. Mesa's CPU driver (25) uses the arm's own value there if it is
// the same in each iteration, although its code skips arms that no work-item takes and leaves the loop at its end:
// LLVM gets a use that its definition does not dominate, and crashes or miscompiles. The same happens to values that
// the driver computes itself, such as the address of an array element, if both the arm and the code after the loop
// need it. With an exit that bypasses the arm, only phis carry values out of it.
//
// The other arm of an if has the same problem if one arm ends in an infinite loop: such a loop gets an exit that
// returns. And if one arm ends in continue, or in ifs and switches all of whose arms end in jumps: the driver moves what
// follows into the other arm only if the arm ends in break. Its continues get a condition.
//
//   if %c { %1 = ... } else { continue } ; use %1
//   ->  if %c { %1 = ... } else { if %true { continue } } ; %2 = phi %1, undef ; use %2
//
// SwiftShader computes a loop's values for all work-items of a sub-group until the last one leaves, and after the
// loop each sees the values of the last iteration, except through phis. There, every value gets a phi, and the exit
// that is never taken is at the loop's start: its optimizer would replace a phi with a single source.
//
//   loop { %1 = ... } while %c ; use %1
//   ->  loop { if %never { break } ; %1 = ... } while %c ; %2 = phi %1, undef ; use %2
#include "passes/opt.h"
#include "util/stack.h"

struct exit_loop {
    struct ir_loop *loop; // NULL: an if or a switch with an arm that always continues the loop around it
    struct ir_list *arm;  // that arm; NULL: a loop
    struct exit_loop *outer; // the enclosing one
    struct ir_block *end, *after; // end: of the loop
    uint32_t first, last; // block indexes
    bool wanted;          // needs the second exit
    struct map phis;      // value from inside -> value after the loop
};

struct exits {
    struct arena *scratch;
    struct ir_builder b;
    struct exit_loop **innermost; // by block index: innermost loop around it; NULL: none
    VEC(struct exit_loop *) loops;
    VEC(struct ir_loop *) endless;
    bool by_phis; // every value that leaves a loop gets a phi, not only those of arms
};

// ---- selection of loops -------------------------------------------------------------------------

static bool is_inside(const struct exit_loop *l, const struct ir_block *block)
{
    return block->index >= l->first && block->index <= l->last;
}

static bool computes(const struct ir_block *block)
{
    return block->first && !(block->first == block->last && ir_ends_in_jump(block));
}

static bool has_own_exit(const struct ir_loop *loop)
{
    return loop->cond && !(ir_is_const(loop->cond) && loop->cond->lanes[0]);
}

// Whether all exits of the loop are through an arm that computes something.
static bool leaves_by_arm(const struct exit_loop *l)
{
    const struct ir_block *block = l->after->idom;
    if (has_own_exit(l->loop) || !l->end->idom || !block || !is_inside(l, block))
        return false;
    bool by_arm = false;
    for (; block->node.list != &l->loop->body; block = block->idom)
        by_arm |= computes(block);
    return by_arm;
}

// Whether a phi after the loop has only one distinct source.
static bool has_single_value_phi(const struct ir_block *after)
{
    for (const struct ir_instr *x = after->first; x && x->op == IR_OP_phi; x = x->next) {
        bool same = true;
        for (uint32_t i = 1; i < x->src_count; i++)
            same &= x->src[i] == x->src[0];
        if (same && x->src_count)
            return true;
    }
    return false;
}

static struct exit_loop exit_loop(struct ir_loop *loop)
{
    return (struct exit_loop){.loop = loop,
                               .end = ir_list_last(&loop->cont),
                               .after = (struct ir_block *)loop->node.next,
                               .first = ir_list_first(&loop->body)->index,
                               .last = ir_list_last(&loop->cont)->index};
}

// An infinite loop that is entered; not at the end of the function.
static bool is_endless(const struct exit_loop *l)
{
    return !has_own_exit(l->loop) && l->end->idom && !l->after->idom && l->loop->node.list->owner;
}

static struct ir_list *arm_of(struct ir_node *node, uint32_t i)
{
    struct ir_if *branch = (struct ir_if *)node;
    struct ir_switch *choice = (struct ir_switch *)node;
    if (node->kind == IR_SWITCH)
        return i < choice->case_count ? &choice->cases[i].list : NULL;
    return node->kind != IR_IF || i > 1 ? NULL : i ? &branch->else_list : &branch->then_list;
}

static bool ends_in_continue(const struct ir_block *end)
{
    return end->idom && ir_ends_in_jump(end) && end->last->op == IR_OP_continue;
}

// Arms of the if or switch at the end of a list, if all of them end in jumps.
static struct ir_list *last_arm(struct ir_block *end, uint32_t i)
{
    return !end->idom && !ir_ends_in_jump(end) && end->node.prev ? arm_of(end->node.prev, i) : NULL;
}

// Whether all paths through the list end in jumps, one of them in continue.
static bool continues(struct ir_list *list)
{
    stack_check();
    struct ir_block *end = ir_list_last(list);
    bool found = ends_in_continue(end);
    struct ir_list *arm;
    for (uint32_t i = 0; !found && (arm = last_arm(end, i)); i++)
        found = continues(arm);
    return found;
}

// An if or a switch whose values are available after it, because its other arms end in jumps.
static struct exit_loop exit_arm(struct ir_node *node)
{
    struct exit_loop l = {.after = (struct ir_block *)node->next, .first = ((struct ir_block *)node->prev)->index + 1};
    l.last = l.after->index - 1;
    if (l.after->idom && is_inside(&l, l.after->idom))
        for (uint32_t i = 0; (l.arm = arm_of(node, i)) && !continues(l.arm);)
            i++;
    return l;
}

static void find_loops(struct exits *e, const struct kc_target *target, struct ir_function *f)
{
    struct exit_loop *current = NULL;
    for (struct ir_block *block = ir_first_block(f); block; block = ir_next_block(block)) {
        struct ir_node *next = block->node.next;
        while (current && !is_inside(current, block))
            current = current->outer;
        e->innermost[block->index] = current;
        struct exit_loop found = {0};
        if (next && next->kind == IR_LOOP)
            found = exit_loop((struct ir_loop *)next);
        else if (next && !e->by_phis)
            found = exit_arm(next);
        if (!found.loop && !found.arm)
            continue;
        if (found.loop && target->second_exits && is_endless(&found))
            vec_push(e->scratch, &e->endless, found.loop);
        if (found.loop)
            found.wanted = e->by_phis ? has_single_value_phi(found.after) : leaves_by_arm(&found);
        if (found.loop && !e->by_phis && !found.wanted)
            continue;
        found.outer = current;
        current = arena_copy(e->scratch, &found, sizeof found);
        vec_push(e->scratch, &e->loops, current);
    }
}

// ---- values -------------------------------------------------------------------------------------

// The value that `x`, defined in the loop, has after it.
static struct ir_instr *value_after(struct exits *e, struct exit_loop *l, struct ir_instr *x)
{
    struct ir_instr *phi = map_get(&l->phis, x);
    if (phi || (!e->by_phis && l->loop && ir_dominates(x->block, l->end)))
        return phi ? phi : x;
    l->wanted = true;
    e->b.block = l->after;
    phi = ir_phi(&e->b, x->type, l->after->pred_count);
    for (uint32_t i = 0; i < phi->src_count; i++) {
        phi->src[i] = x;
        phi->preds[i] = l->after->preds[i];
    }
    map_set(e->scratch, &l->phis, x, phi);
    return phi;
}

static struct ir_instr *value_at(struct exits *e, struct ir_instr *x, const struct ir_block *user)
{
    if (!x || !x->block)
        return x;
    for (struct exit_loop *l = e->innermost[x->block->index]; l && !is_inside(l, user); l = l->outer)
        if (l->loop || ir_dominates(l->after, user)) // else a continue of the arm leads there
            x = value_after(e, l, x);
    return x;
}

static void update_condition(struct exits *e, struct ir_node *node)
{
    if (node->kind == IR_IF) {
        struct ir_if *branch = (struct ir_if *)node;
        branch->cond = value_at(e, branch->cond, (struct ir_block *)node->prev);
    } else if (node->kind == IR_LOOP) {
        struct ir_loop *loop = (struct ir_loop *)node;
        loop->cond = value_at(e, loop->cond, ir_list_last(&loop->cont));
    } else if (node->kind == IR_SWITCH) {
        struct ir_switch *choice = (struct ir_switch *)node;
        choice->value = value_at(e, choice->value, (struct ir_block *)node->prev);
    }
}

static void use_phis(struct exits *e, struct ir_function *f)
{
    for (struct ir_block *block = ir_first_block(f); block; block = ir_next_block(block)) {
        for (struct ir_instr *x = block->first; x; x = x->next)
            for (uint32_t i = 0; i < x->src_count; i++)
                x->src[i] = value_at(e, x->src[i], x->op == IR_OP_phi ? x->preds[i] : block);
        if (block->node.next)
            update_condition(e, block->node.next);
    }
}

// ---- the exits ----------------------------------------------------------------------------------

static void leave_function(struct exits *e, struct ir_block *block)
{
    struct ir_type type = e->b.function->result;
    ir_cut_after(block);
    while (block->last)
        ir_remove(block->last);
    ir_place_end(&e->b, block->node.list);
    ir_jump(&e->b, IR_OP_return, type.base == IR_VOID ? NULL : ir_undef(e->b.module, type));
}

// Adds a break that is never taken at the start of the loop; returns its block.
static struct ir_block *leave_loop(struct exits *e, struct ir_loop *loop, struct ir_instr *never)
{
    ir_place_after_phis(&e->b, ir_list_first(&loop->body));
    struct ir_if *leave = ir_add_if(&e->b, never);
    ir_place_end(&e->b, &leave->then_list);
    ir_jump(&e->b, IR_OP_break, NULL);
    return ir_list_first(&leave->then_list);
}

static struct ir_loop *loop_around(const struct ir_block *block)
{
    struct ir_node *node = block->node.list->owner;
    while (node->kind != IR_LOOP)
        node = node->list->owner;
    return (struct ir_loop *)node;
}

// Makes the continue at the end of the block conditional.
static void leave_block(struct exits *e, struct ir_block *end, struct ir_instr *always)
{
    ir_remove(end->last);
    ir_place_end(&e->b, end->node.list);
    struct ir_if *leave = ir_add_if(&e->b, always);
    ir_place_end(&e->b, &leave->then_list);
    ir_jump(&e->b, IR_OP_continue, NULL);
    for (struct ir_instr *x = ir_list_first(&loop_around(end)->cont)->first; x && x->op == IR_OP_phi; x = x->next)
        for (uint32_t i = 0; i < x->src_count; i++)
            x->preds[i] = x->preds[i] == end ? ir_list_first(&leave->then_list) : x->preds[i];
}

// Makes the continues at the end of a list conditional: all, since the driver may know that some paths are never taken.
// Returns whether the end is reached then. From the end of a case, that leads to the code after the switch.
static bool leave_list(struct exits *e, struct ir_list *list, struct ir_instr *always)
{
    stack_check();
    struct ir_block *end = ir_list_last(list);
    bool reached = ends_in_continue(end);
    if (reached)
        leave_block(e, end, always);
    struct ir_list *arm;
    for (uint32_t i = 0; (arm = last_arm(end, i)); i++)
        reached |= leave_list(e, arm, always);
    ir_place_end(&e->b, list);
    if (reached && list->owner->kind == IR_SWITCH)
        ir_jump(&e->b, IR_OP_break, NULL);
    return reached;
}

static void add_exits(struct exits *e, struct ir_function *f)
{
    ir_place_after_phis(&e->b, ir_first_block(f));
    struct ir_instr *zero = opt_hidden_zero(&e->b), *none = ir_const_int(e->b.module, zero->type, 0);
    struct ir_instr *known = ir_op2(&e->b, e->by_phis ? IR_OP_ine : IR_OP_ieq, zero, none);
    for (size_t i = 0; i < e->loops.count; i++) {
        const struct exit_loop *l = e->loops.items[i];
        if (!l->wanted)
            continue;
        if (l->loop && !e->by_phis)
            l->loop->cond = known;
        if (l->arm)
            leave_list(e, l->arm, known);
        struct ir_block *from = l->arm ? ir_list_last(l->arm) : e->by_phis ? leave_loop(e, l->loop, known) : l->end;
        for (struct ir_instr *x = l->after->first; x && x->op == IR_OP_phi; x = x->next)
            ir_phi_add(e->b.module, x, ir_undef(e->b.module, x->type), from); // never taken
    }
    for (size_t i = 0; i < e->endless.count; i++) {
        e->endless.items[i]->cond = known;
        leave_function(e, (struct ir_block *)e->endless.items[i]->node.next);
    }
}

static bool any_exit(const struct exits *e)
{
    bool any = e->endless.count;
    for (size_t i = 0; i < e->loops.count; i++)
        any |= e->loops.items[i]->wanted;
    return any;
}

// Requires: all passes that change loops or remove phis. Keeps: values. Removes: loops that are only left through an
// arm, and uses of a loop's values after it, if the target wants that.
bool lower_exits(struct pass_context *c, struct ir_function *f)
{
    struct exits e = {.scratch = c->scratch, .b = {.module = c->module, .function = f}};
    if (!c->target->second_exits && !c->target->exits_by_phis)
        return false;
    e.by_phis = c->target->exits_by_phis;
    ir_dominance(f);
    e.innermost = ARENA_ARRAY(c->scratch, struct exit_loop *, f->block_count + 1);
    find_loops(&e, c->target, f);
    if (e.loops.count)
        use_phis(&e, f);
    if (any_exit(&e))
        add_exits(&e, f);
    return any_exit(&e);
}
