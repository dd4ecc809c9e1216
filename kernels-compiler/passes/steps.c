// SPDX-License-Identifier: Apache-2.0
// Splits control flow into steps: pieces of straight-line code, each of which ends by selecting the next one.
//
//   if %a { A } B   ->   step 0: next = %a ? 1 : 2    step 1: A ; next = 2    step 2: B
#include "passes/steps.h"
#include "ir/internal.h"
#include "passes/demote.h"
#include "util/stack.h"

static struct step *new_step(struct steps *s)
{
    struct step *step = ARENA_NEW(s->scratch, struct step);
    *step = (struct step){.to = ARENA_ARRAY(s->scratch, struct step *, 1)};
    ir_list_init(s->f->module, &step->code, NULL);
    return step;
}

static void begin_step(struct steps *s, struct step *step)
{
    step->number = (uint32_t)s->row.count;
    vec_push(s->scratch, &s->row, step);
    s->last = step;
}

// Ends the current step with a jump to `to`.
static void jump_to(struct steps *s, struct step *to)
{
    s->last->to[0] = to;
    for (unsigned i = 0; i < STEP_EXITS; i++)
        s->used[i] |= to == &s->exits[i];
}

static void add_block(struct steps *s, struct ir_block *block)
{
    struct ir_list single = {.first = &block->node, .last = &block->node};
    block->node.prev = block->node.next = NULL;
    block->node.list = &single;
    ir_list_join(&s->last->code, &single);
}

// An empty block is added on both sides of the node, since its phis refer to them.
void steps_add_node(struct steps *s, struct ir_node *node)
{
    ir_list_insert(&s->last->code, node, s->last->code.last);
    ir_list_insert(&s->last->code, &ir_block_create(s->f->module)->node, node);
}

void steps_call(struct steps *s, struct ir_function *called)
{
    struct step *after = new_step(s);
    s->last->called = called;
    jump_to(s, after);
    begin_step(s, after);
}

static void split_list(struct steps *s, struct ir_list *list, struct step *after);

static void split_if(struct steps *s, struct ir_if *node)
{
    struct step *from = s->last, *yes = new_step(s), *no = new_step(s), *after = new_step(s);
    from->value = node->cond;
    from->to = ARENA_ARRAY(s->scratch, struct step *, 2);
    from->to[0] = yes;
    from->to[1] = no;
    begin_step(s, yes);
    split_list(s, &node->then_list, after);
    begin_step(s, no);
    split_list(s, &node->else_list, after);
    begin_step(s, after);
}

bool steps_is_once(const struct ir_node *node)
{
    const struct ir_instr *cond = node->kind == IR_LOOP ? ((const struct ir_loop *)node)->cond : NULL;
    return cond && ir_is_const(cond) && !cond->lanes[0];
}

struct step *steps_split_loop(struct steps *s, struct ir_loop *node)
{
    const bool once = steps_is_once(&node->node);
    struct step *body = new_step(s), *cont = new_step(s), *after = new_step(s);
    struct step *on_break = s->on_break, *on_continue = s->on_continue;
    jump_to(s, body);
    begin_step(s, body);
    s->on_break = after;
    s->on_continue = cont;
    split_list(s, &node->body, cont);
    begin_step(s, cont);
    split_list(s, &node->cont, once ? after : body);
    if (node->cond && !once) {
        s->last->value = node->cond;
        s->last->to = ARENA_ARRAY(s->scratch, struct step *, 2);
        s->last->to[0] = body;
        s->last->to[1] = after;
    }
    s->on_break = on_break;
    s->on_continue = on_continue;
    begin_step(s, after);
    return body;
}

static void split_switch(struct steps *s, struct ir_switch *node)
{
    uint32_t count = node->case_count;
    struct step *from = s->last, *after = new_step(s), *on_break = s->on_break;
    struct step **to = ARENA_ARRAY(s->scratch, struct step *, count + 1);
    to[count] = after;
    for (uint32_t i = 0; i < count; i++) {
        to[i] = new_step(s);
        to[count] = node->cases[i].is_default ? to[i] : to[count];
    }
    from->value = node->value;
    from->choice = node;
    from->to = to;
    s->on_break = after;
    for (uint32_t i = 0; i < count; i++) { // a case falls through to the next
        begin_step(s, to[i]);
        split_list(s, &node->cases[i].list, i + 1 < count ? to[i + 1] : after);
    }
    s->on_break = on_break;
    begin_step(s, after);
}

static void end_by_jump(struct steps *s, struct ir_instr *jump)
{
    struct ir_builder b = {.module = s->f->module, .function = s->f, .block = ir_list_last(&s->last->code)};
    if (jump->op == IR_OP_unreachable) {
        s->last->dead = true;
        return;
    }
    ir_remove(jump);
    if (jump->op == IR_OP_return && jump->src_count) {
        s->result = s->result ? s->result : demote_var(s->f, "result", jump->src[0]->type);
        demote_store(&b, s->result, jump->src[0]);
    }
    jump_to(s, jump->op == IR_OP_break ? s->on_break : jump->op == IR_OP_continue ? s->on_continue : &s->exits[EXIT_RETURN]);
}

void steps_split(struct steps *s, struct ir_node *node)
{
    if (node->kind == IR_IF)
        split_if(s, (struct ir_if *)node);
    else if (node->kind == IR_LOOP)
        steps_split_loop(s, (struct ir_loop *)node);
    else
        split_switch(s, (struct ir_switch *)node);
}

// Appends the contents of the list as steps; control then continues at `after`.
static void split_list(struct steps *s, struct ir_list *list, struct step *after)
{
    stack_check();
    for (struct ir_node *node = list->first, *next; node; node = next) {
        next = node->next;
        if (node->kind != IR_BLOCK) {
            s->put(s, node);
            continue;
        }
        add_block(s, ir_as_block(node));
        const struct ir_block *end = ir_list_last(&s->last->code);
        if (ir_ends_in_jump(end)) {
            end_by_jump(s, end->last);
            return;
        }
    }
    jump_to(s, after);
}

void steps_split_list(struct steps *s, struct ir_list *list)
{
    struct ir_list old = *list;
    s->row.count = 0;
    memset(s->used, 0, sizeof s->used);
    s->on_break = &s->exits[EXIT_BREAK];
    s->on_continue = &s->exits[EXIT_CONTINUE];
    ir_list_init(s->f->module, list, old.owner);
    begin_step(s, new_step(s));
    split_list(s, &old, &s->exits[EXIT_END]);
    for (unsigned i = 0; i < STEP_EXITS; i++)
        s->exits[i].number = (uint32_t)s->row.count + i;
}

// ---- the next step ---------------------------------------------------------------------------------

bool step_is_empty(const struct step *step)
{
    return !step->value && !step->dead && !step->end && !step->called && step->code.first == step->code.last &&
           !ir_list_first(&step->code)->first;
}

const struct step *step_target(const struct step *step)
{
    const struct step *target = step;
    while (target->code.first && step_is_empty(target))
        target = target->to[0];
    for (const struct step *next; step != target; step = next) { // so that the next search is short
        next = step->to[0];
        step->to[0] = (struct step *)target;
    }
    return target;
}

struct ir_instr *step_number_in_parts(struct ir_builder *b, struct ir_instr *shift, uint32_t value)
{
    struct ir_instr *low = ir_const_int(b->module, ir_int(32), shift ? value % (1u << STEP_BITS) : value);
    struct ir_instr *high = ir_const_int(b->module, ir_int(32), shift ? value >> STEP_BITS : 0);
    return shift ? ir_op2(b, IR_OP_or, ir_op2(b, IR_OP_shl, high, shift), low) : low;
}

struct ir_instr *step_number(struct ir_builder *b, const struct step *step)
{
    const struct step *target = step_target(step);
    return target->number_in ? demote_load(b, target->number_in, ir_int(32)) : step_number_in_parts(b, target->shift, target->number);
}

struct ir_instr *step_next(struct ir_builder *b, const struct step *step)
{
    const struct ir_switch *choice = step->choice;
    if (!step->value)
        return step_number(b, step->to[0]);
    if (!choice)
        return ir_select(b, step->value, step_number(b, step->to[0]), step_number(b, step->to[1]));
    struct ir_instr *next = step_number(b, step->to[choice->case_count]);
    const struct step *other = step_target(step->to[choice->case_count]);
    for (uint32_t i = 0; i < choice->case_count; i++)
        for (uint32_t k = 0; k < choice->cases[i].value_count && step_target(step->to[i]) != other; k++) {
            struct ir_instr *value = ir_const_int(b->module, step->value->type, choice->cases[i].values[k]);
            next = ir_select(b, ir_op2(b, IR_OP_ieq, step->value, value), step_number(b, step->to[i]), next);
        }
    return next;
}
