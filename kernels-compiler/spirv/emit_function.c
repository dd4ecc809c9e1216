// SPDX-License-Identifier: Apache-2.0
// Functions and control flow: the tree of nodes -> blocks with merge and continue targets.
//
// An IR block becomes one SPIR-V block, with two exceptions: the first block of a loop's body is split, with its phis
// and the OpLoopMerge in the first part (the form that every driver is tested with), and an empty else branch has no
// block. Unreachable blocks get a label only if an instruction must name them; they end in OpUnreachable, or break out of
// a loop or switch that is in a `continue` list.
#include "spirv/writer.h"
#include "util/stack.h"

static uint32_t new_label(struct spv *s)
{
    return spv_id(s);
}

static void put_label(struct spv *s, uint32_t label)
{
    SPV_CODE(s, SpvOpLabel, label);
    s->line = 0;
}

static void put_branch(struct spv *s, uint32_t label)
{
    SPV_CODE(s, SpvOpBranch, label);
}

// ---- reachability and labels ------------------------------------------------------------------

struct reach {
    bool breaks, continues; // something breaks out of the innermost loop or switch; something continues the innermost loop
};

static bool is_empty(const struct ir_list *list)
{
    return list->first == list->last && !((struct ir_block *)list->first)->first;
}

static bool is_loop_head(const struct ir_block *block)
{
    const struct ir_node *owner = block->node.list->owner;
    return owner && owner->kind == IR_LOOP &&
           block->node.list == &((const struct ir_loop *)owner)->body && !block->node.prev;
}

static bool reach_list(struct spv *s, struct ir_list *list, bool in, struct reach *around);

static bool reach_block(struct spv *s, struct ir_block *block, bool in, struct reach *around)
{
    s->reachable[block->index] = in;
    s->head[block->index] = s->tail[block->index] = new_label(s);
    if (is_loop_head(block))
        s->tail[block->index] = new_label(s);
    if (!block->last || !ir_ends_in_jump(block))
        return in;
    around->breaks |= in && block->last->op == IR_OP_break;
    around->continues |= in && block->last->op == IR_OP_continue;
    return false;
}

static bool reach_if(struct spv *s, struct ir_if *node, bool in, struct reach *around)
{
    bool then_out = reach_list(s, &node->then_list, in, around);
    bool else_out = reach_list(s, &node->else_list, in, around);
    if (is_empty(&node->else_list)) {
        uint32_t before = ((struct ir_block *)node->node.prev)->index;
        uint32_t gone = ((struct ir_block *)node->else_list.first)->index;
        s->head[gone] = 0;
        s->tail[gone] = s->tail[before];
    }
    return then_out || else_out;
}

static bool reach_loop(struct spv *s, struct ir_loop *loop, bool in)
{
    struct reach inside = {0};
    bool body_out = reach_list(s, &loop->body, in, &inside);
    bool cont_out = reach_list(s, &loop->cont, body_out || inside.continues, &inside);
    return inside.breaks || (loop->cond && cont_out);
}

static bool reach_switch(struct spv *s, struct ir_switch *node, bool in, struct reach *around)
{
    struct reach inside = {0};
    bool out = false;
    for (uint32_t i = 0; i < node->case_count; i++)
        out = reach_list(s, &node->cases[i].list, in || out, &inside);
    around->continues |= inside.continues;
    return out || inside.breaks;
}

static bool reach_list(struct spv *s, struct ir_list *list, bool in, struct reach *around)
{
    stack_check();
    for (struct ir_node *node = list->first; node; node = node->next) {
        switch (node->kind) {
        case IR_BLOCK:
            in = reach_block(s, (struct ir_block *)node, in, around);
            break;
        case IR_IF:
            in = reach_if(s, (struct ir_if *)node, in, around);
            break;
        case IR_LOOP:
            in = reach_loop(s, (struct ir_loop *)node, in);
            break;
        case IR_SWITCH:
            in = reach_switch(s, (struct ir_switch *)node, in, around);
            break;
        }
    }
    return in;
}

// ---- blocks -----------------------------------------------------------------------------------

// The successor at the end of a list: `label`, or `label` or `other` depending on `cond`.
struct list_end {
    uint32_t label, other;
    const struct ir_instr *cond;
};

static void emit_list(struct spv *s, struct ir_list *list, struct list_end end);

static bool edge_counts(const struct spv *s, const struct ir_instr *phi, uint32_t i, bool is_header)
{
    return is_header || s->reachable[phi->preds[i]->index];
}

// An unreachable `continue` list still branches to its header: that edge's phi value is undefined.
static uint32_t edge_value(struct spv *s, const struct ir_instr *phi, uint32_t i)
{
    if (s->reachable[phi->preds[i]->index])
        return spv_value(s, phi->src[i]);
    return spv_undefined(s, phi->type);
}

static void emit_phi(struct spv *s, const struct ir_instr *phi, bool is_header)
{
    uint32_t *words = arena_alloc(s->arena, 8 * (phi->src_count + s->dead_edges.count + 1));
    size_t count = 0;
    for (uint32_t i = 0; i < phi->src_count; i++) {
        if (!edge_counts(s, phi, i, is_header))
            continue;
        words[count++] = edge_value(s, phi, i);
        words[count++] = s->tail[phi->preds[i]->index];
    }
    for (size_t i = s->dead_edges.count; i-- > 0 && s->dead_edges.items[i].to == s->head[phi->block->index];) {
        words[count++] = spv_undefined(s, phi->type);
        words[count++] = s->dead_edges.items[i].from;
    }
    spv_define(s, phi, SpvOpPhi, words, count);
}

static void emit_return(struct spv *s, const struct ir_instr *x)
{
    if (x->src_count)
        SPV_CODE(s, SpvOpReturnValue, spv_value(s, x->src[0]));
    else
        spv_put(s, SPV_FUNCTIONS, SpvOpReturn, NULL, 0);
}

static void emit_jump(struct spv *s, const struct ir_instr *x)
{
    switch (x->op) {
    case IR_OP_break:
        put_branch(s, s->jump.break_label);
        break;
    case IR_OP_continue:
        put_branch(s, s->jump.continue_label);
        break;
    case IR_OP_return:
        emit_return(s, x);
        break;
    default:
        spv_put(s, SPV_FUNCTIONS, SpvOpUnreachable, NULL, 0);
        break;
    }
}

static const struct ir_instr *emit_phis(struct spv *s, const struct ir_block *block, bool is_header)
{
    const struct ir_instr *x = block->first;
    for (; x && x->op == IR_OP_phi; x = x->next)
        emit_phi(s, x, is_header);
    return x;
}

// Emits instructions from `x` to the end of the block. Returns whether the last one is a jump.
static bool emit_instrs(struct spv *s, const struct ir_instr *x)
{
    for (; x; x = x->next) {
        if (ir_has_flag(x, IR_FLAG_J)) {
            emit_jump(s, x);
            return true;
        }
        spv_emit_instr(s, x);
    }
    return false;
}

static uint32_t merge_label(const struct spv *s, const struct ir_node *node)
{
    return s->head[((struct ir_block *)node->next)->index];
}

// ---- structured nodes -------------------------------------------------------------------------

static void emit_if(struct spv *s, struct ir_if *node)
{
    uint32_t merge = merge_label(s, &node->node);
    uint32_t then_label = s->head[ir_list_first(&node->then_list)->index];
    uint32_t else_label = s->head[ir_list_first(&node->else_list)->index];
    SPV_CODE(s, SpvOpSelectionMerge, merge, SpvSelectionControlMaskNone);
    SPV_CODE(s, SpvOpBranchConditional, spv_value(s, node->cond), then_label,
             else_label ? else_label : merge);
    emit_list(s, &node->then_list, (struct list_end){.label = merge});
    if (else_label)
        emit_list(s, &node->else_list, (struct list_end){.label = merge});
}

static uint32_t loop_control(const struct ir_loop *loop)
{
    if (loop->unroll == IR_UNROLL_DEFAULT)
        return SpvLoopControlMaskNone;
    return loop->unroll == IR_UNROLL_NEVER ? SpvLoopControlDontUnrollMask
                                           : SpvLoopControlUnrollMask;
}

static void emit_loop(struct spv *s, struct ir_loop *loop)
{
    struct ir_block *first = ir_list_first(&loop->body), *cont = ir_list_first(&loop->cont);
    uint32_t header = s->head[first->index], merge = merge_label(s, &loop->node);
    uint32_t cont_label = s->head[cont->index];
    const struct spv_target outer = s->jump;
    put_branch(s, header);
    put_label(s, header);
    emit_phis(s, first, true);
    SPV_CODE(s, SpvOpLoopMerge, merge, cont_label, loop_control(loop));
    s->jump = (struct spv_target){merge, cont_label, outer.continues ? merge : 0, outer.continues};
    put_branch(s, s->tail[first->index]);
    emit_list(s, &loop->body, (struct list_end){.label = cont_label});
    s->jump.dead_label = 0;
    s->jump.continues = true;
    if (s->reachable[cont->index]) {
        emit_list(s, &loop->cont, (struct list_end){header, merge, loop->cond});
    } else {
        put_label(s, s->tail[ir_list_last(&loop->cont)->index] = cont_label);
        put_branch(s, header);
    }
    s->jump = outer;
}

// A selector below 32 bits is widened, because drivers are not tested with small ones.
static uint32_t switch_value(struct spv *s, const struct ir_instr *value)
{
    uint32_t id = spv_value(s, value);
    return value->type.bits >= 32 ? id : SPV_VALUE(s, SpvOpUConvert, spv_type(s, ir_int(32)), id);
}

static void emit_switch(struct spv *s, struct ir_switch *node)
{
    uint32_t merge = merge_label(s, &node->node), wide = node->value->type.bits == 64;
    size_t values = 0, count = 2;
    for (uint32_t i = 0; i < node->case_count; i++)
        values += node->cases[i].value_count;
    uint32_t *words = arena_alloc(s->arena, 4 * (2 + values * (2 + wide)));
    words[0] = switch_value(s, node->value);
    words[1] = merge;
    for (uint32_t i = 0; i < node->case_count; i++) {
        uint32_t label = s->head[ir_list_first(&node->cases[i].list)->index];
        if (node->cases[i].is_default)
            words[1] = label;
        for (uint32_t k = 0; k < node->cases[i].value_count; k++) {
            words[count++] = (uint32_t)node->cases[i].values[k];
            if (wide)
                words[count++] = (uint32_t)(node->cases[i].values[k] >> 32);
            words[count++] = label;
        }
    }
    SPV_CODE(s, SpvOpSelectionMerge, merge, SpvSelectionControlMaskNone);
    spv_put(s, SPV_FUNCTIONS, SpvOpSwitch, words, count);
    const struct spv_target outer = s->jump;
    s->jump.break_label = merge;
    s->jump.dead_label = outer.continues ? merge : 0;
    for (uint32_t i = 0; i < node->case_count; i++) {
        bool last = i + 1 == node->case_count;
        uint32_t next = last ? merge : s->head[ir_list_first(&node->cases[i + 1].list)->index];
        emit_list(s, &node->cases[i].list, (struct list_end){.label = next});
    }
    s->jump = outer;
}

static void emit_node(struct spv *s, struct ir_node *node)
{
    switch (node->kind) {
    case IR_IF:
        emit_if(s, (struct ir_if *)node);
        break;
    case IR_LOOP:
        emit_loop(s, (struct ir_loop *)node);
        break;
    case IR_SWITCH:
        emit_switch(s, (struct ir_switch *)node);
        break;
    case IR_BLOCK:
        break;
    }
}

static void emit_end(struct spv *s, struct list_end end)
{
    if (end.cond)
        SPV_CODE(s, SpvOpBranchConditional, spv_value(s, end.cond), end.label, end.other);
    else if (end.label)
        put_branch(s, end.label);
    else if (s->function->result.base == IR_VOID)
        spv_put(s, SPV_FUNCTIONS, SpvOpReturn, NULL, 0);
    else
        spv_put(s, SPV_FUNCTIONS, SpvOpUnreachable, NULL, 0);
}

// The block with this label has its phis. Edges to inner loops and switches come after those to outer ones.
static void forget_dead_edges(struct spv *s, uint32_t label)
{
    while (s->dead_edges.count && s->dead_edges.items[s->dead_edges.count - 1].to == label)
        s->dead_edges.count--;
}

static void emit_dead(struct spv *s, uint32_t label)
{
    forget_dead_edges(s, label);
    if (s->jump.dead_label) {
        vec_push(s->arena, &s->dead_edges, ((struct spv_dead_edge){label, s->jump.dead_label}));
        put_branch(s, s->jump.dead_label);
    } else {
        spv_put(s, SPV_FUNCTIONS, SpvOpUnreachable, NULL, 0);
    }
}

static void emit_list(struct spv *s, struct ir_list *list, struct list_end end)
{
    stack_check();
    for (struct ir_node *node = list->first; node; node = node->next->next) {
        struct ir_block *block = (struct ir_block *)node;
        uint32_t i = block->index;
        bool is_entry = block == ir_first_block(s->function);
        put_label(s, s->tail[i]);
        if (!s->reachable[i]) {
            emit_dead(s, s->tail[i]);
            return;
        }
        if (is_entry) {
            spv_declare_vars(s, s->function);
            spv_declare_matrices(s, s->function);
            spv_load_builtins(s, s->function);
        }
        bool phis_done = s->head[i] != s->tail[i];
        const struct ir_instr *x = block->first;
        if (phis_done)
            while (x && x->op == IR_OP_phi)
                x = x->next;
        else
            x = emit_phis(s, block, false);
        forget_dead_edges(s, s->head[i]);
        if (emit_instrs(s, x))
            return;
        if (!node->next) {
            emit_end(s, end);
            return;
        }
        emit_node(s, node->next);
    }
}

// ---- functions --------------------------------------------------------------------------------

static uint32_t function_type(struct spv *s, const struct ir_function *f)
{
    uint32_t *words = arena_alloc(s->arena, 4 * (size_t)(f->param_count + 1));
    words[0] = spv_type(s, f->result);
    for (uint32_t i = 0; i < f->param_count; i++)
        words[1 + i] = spv_type(s, f->params[i]->type);
    return spv_global(s, SpvOpTypeFunction, 0, words, f->param_count + 1, NULL);
}

static void begin_function(struct spv *s, struct ir_function *f)
{
    ir_number(f);
    s->function = f;
    s->values = ARENA_ARRAY(s->arena, uint32_t, f->instr_count + 1);
    s->params = ARENA_ARRAY(s->arena, uint32_t, f->param_count + 1);
    s->head = ARENA_ARRAY(s->arena, uint32_t, f->block_count + 1);
    s->tail = ARENA_ARRAY(s->arena, uint32_t, f->block_count + 1);
    s->reachable = ARENA_ARRAY(s->arena, bool, f->block_count + 1);
    memset(s->builtin_values, 0, sizeof s->builtin_values);
}

void spv_emit_function(struct spv *s, struct ir_function *f)
{
    begin_function(s, f);
    reach_list(s, &f->body, true, &(struct reach){0});
    SPV_CODE(s, SpvOpFunction, spv_type(s, f->result), spv_function_id(s, f),
             f->stays ? SpvFunctionControlDontInlineMask : SpvFunctionControlMaskNone, function_type(s, f));
    for (uint32_t i = 0; i < f->param_count; i++)
        s->params[i] = spv_put_result(s, SPV_FUNCTIONS, SpvOpFunctionParameter,
                                      spv_type(s, f->params[i]->type), NULL, 0);
    emit_list(s, &f->body, (struct list_end){0}); // label 0: return
    spv_put(s, SPV_FUNCTIONS, SpvOpFunctionEnd, NULL, 0);
    s->origin = 0;
}

// ---- instructions -----------------------------------------------------------------------------

static void emit_call(struct spv *s, const struct ir_instr *x)
{
    uint32_t *words = arena_alloc(s->arena, 4 * (size_t)(x->src_count + 1));
    words[0] = spv_function_id(s, x->callee);
    for (uint32_t i = 0; i < x->src_count; i++)
        words[1 + i] = spv_value(s, x->src[i]);
    spv_define(s, x, SpvOpFunctionCall, words, x->src_count + 1);
}

// A line instruction applies to the end of the block, or to the next one.
static void put_line(struct spv *s, uint32_t origin)
{
    const struct ir_line *line = &s->module->debug->lines[origin];
    if (!origin || s->line == origin)
        return;
    s->line = origin;
    SPV_CODE(s, SpvOpLine, spv_file(s, line->file), line->line, line->column);
}

void spv_emit_instr(struct spv *s, const struct ir_instr *x)
{
    s->origin = x->origin ? x->origin : s->kernel->kernel->origin;
    if (s->module->debug)
        put_line(s, x->origin);
    if (x->type.lanes > 4)
        spv_fail(s, "a vector of %u reached the writer", x->type.lanes);
    if (s->error)
        return;
    if (x->op == IR_OP_call)
        emit_call(s, x);
    else if (!spv_emit_matrix(s, x) && !spv_emit_arith(s, x) && !spv_emit_memory(s, x) && !spv_emit_system(s, x) &&
             !spv_emit_subgroup(s, x) && !spv_emit_image(s, x))
        spv_fail(s, "internal: operation '%s' reached the writer", ir_ops[x->op].name);
}
