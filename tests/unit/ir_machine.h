// SPDX-License-Identifier: Apache-2.0
// A small interpreter of IR functions of an i32 and a pointer to a global buffer, built on the constant folder.
#ifndef TESTS_IR_MACHINE_H
#define TESTS_IR_MACHINE_H

#include "ir/ir.h"
#include <stdio.h>
#include <stdlib.h>

enum {
    BUFFER = 256,
    PRIVATE_BASE = 0x100000,
    GLOBAL_BASE = 0x1000
};

enum status { FALLS, BREAKS, CONTINUES, RETURNS };

struct machine {
    struct ir_module *m;
    struct ir_function *f;
    struct ir_instr **values;
    struct ir_block *previous;
    uint8_t global[BUFFER], *stack;
    size_t stack_size;
    unsigned steps, most_steps;
    bool stuck; // too many steps, or an access out of bounds
};

static uint8_t *memory_at(struct machine *v, uint64_t address, uint64_t size)
{
    if (address >= GLOBAL_BASE && size <= BUFFER && address <= GLOBAL_BASE + BUFFER - size)
        return v->global + (address - GLOBAL_BASE);
    if (address >= PRIVATE_BASE && address + size <= PRIVATE_BASE + v->stack_size)
        return v->stack + (address - PRIVATE_BASE);
    v->stuck = true;
    return NULL;
}

static struct ir_instr *value_of(struct machine *v, struct ir_instr *x)
{
    if (ir_is_const(x))
        return x;
    if (x->op == IR_OP_undef)
        return ir_const_int(v->m, x->type, 0);
    if (x->op == IR_OP_addr)
        return ir_const_int(v->m, x->type, PRIVATE_BASE + x->var->id);
    struct ir_instr *value = v->values[x->id];
    return value ? value : ir_const_int(v->m, x->type, 0);
}

static struct ir_instr *load(struct machine *v, const struct ir_instr *x)
{
    uint64_t lanes[16] = {0};
    uint32_t width = x->type.bits / 8;
    const uint8_t *at = memory_at(v, value_of(v, x->src[0])->lanes[0], ir_type_bytes(x->type));
    for (unsigned i = 0; at && i < x->type.lanes; i++)
        memcpy(&lanes[i], at + i * width, width);
    return ir_const(v->m, x->type, lanes);
}

static void store(struct machine *v, const struct ir_instr *x)
{
    struct ir_instr *value = value_of(v, x->src[1]);
    uint32_t width = value->type.bits / 8;
    uint8_t *at = memory_at(v, value_of(v, x->src[0])->lanes[0], ir_type_bytes(value->type));
    for (unsigned i = 0; at && i < value->type.lanes; i++)
        memcpy(at + i * width, &value->lanes[i], width);
}

static struct ir_instr *pure(struct machine *v, struct ir_instr *x)
{
    struct ir_instr *src[16];
    struct ir_builder b = {.module = v->m, .function = v->f, .dead = true};
    for (uint32_t i = 0; i < x->src_count; i++)
        src[i] = value_of(v, x->src[i]);
    if (x->op == IR_OP_ptr_index) {
        uint64_t index = x->src_count > 1 ? src[1]->lanes[0] : 0;
        return ir_const_int(v->m, x->type,
                            src[0]->lanes[0] + index * (uint64_t)x->stride + (uint64_t)x->offset);
    }
    struct ir_instr *result = ir_fold(&b, x->op, x->type, src, x->src_count, x);
    if (result && result->op == IR_OP_undef)
        return ir_const_int(v->m, x->type, 0);
    if (!result || !ir_is_const(result)) {
        fprintf(stderr, "%s of constants does not fold\n", ir_ops[x->op].name);
        exit(1);
    }
    return result;
}

static void step(struct machine *v, struct ir_instr *x)
{
    if (++v->steps > v->most_steps)
        v->stuck = true;
    if (v->stuck)
        return;
    if (x->op == IR_OP_load) {
        v->values[x->id] = load(v, x);
    } else if (x->op == IR_OP_store) {
        store(v, x);
    } else if (x->op == IR_OP_copy) {
        uint8_t *to = memory_at(v, value_of(v, x->src[0])->lanes[0], x->size);
        uint8_t *from = memory_at(v, value_of(v, x->src[1])->lanes[0], x->size);
        if (to && from)
            memmove(to, from, x->size);
    } else if (x->op == IR_OP_zero) {
        uint8_t *to = memory_at(v, value_of(v, x->src[0])->lanes[0], x->size);
        if (to)
            memset(to, 0, x->size);
    } else if (x->op == IR_OP_sys) {
        v->values[x->id] = ir_const_int(v->m, x->type, 0); // a single work-item
    } else if (ir_has_flag(x, IR_FLAG_P)) {
        v->values[x->id] = pure(v, x);
    }
}

static enum status run_block(struct machine *v, struct ir_block *b)
{
    struct ir_instr *x = b->first, *phis[64];
    unsigned count = 0;
    for (; x && x->op == IR_OP_phi && count < 64; x = x->next) {
        phis[count] = NULL;
        for (uint32_t i = 0; i < x->src_count; i++)
            if (x->preds[i] == v->previous)
                phis[count] = value_of(v, x->src[i]);
        if (!phis[count++]) {
            fprintf(stderr, "no source of a phi for this edge\n");
            exit(1);
        }
    }
    count = 0;
    for (x = b->first; x && x->op == IR_OP_phi; x = x->next)
        v->values[x->id] = phis[count++];
    for (; x; x = x->next) {
        if (ir_has_flag(x, IR_FLAG_J)) {
            v->previous = b;
            return x->op == IR_OP_break ? BREAKS : x->op == IR_OP_continue ? CONTINUES : RETURNS;
        }
        step(v, x);
    }
    v->previous = b;
    return FALLS;
}

static enum status run_list(struct machine *v, struct ir_list *list);

static enum status run_loop(struct machine *v, struct ir_loop *loop)
{
    for (;;) {
        enum status s = run_list(v, &loop->body);
        if (s == RETURNS || v->stuck)
            return RETURNS;
        if (s == BREAKS)
            return FALLS;
        run_list(v, &loop->cont);
        if (++v->steps > v->most_steps)
            v->stuck = true;
        if (v->stuck)
            return RETURNS;
        if (loop->cond && !value_of(v, loop->cond)->lanes[0])
            return FALLS;
    }
}

static enum status run_switch(struct machine *v, struct ir_switch *node)
{
    uint64_t value = value_of(v, node->value)->lanes[0];
    uint32_t at = node->case_count;
    for (uint32_t i = 0; i < node->case_count; i++)
        for (uint32_t k = 0; k < node->cases[i].value_count; k++)
            if (node->cases[i].values[k] == value)
                at = i;
    for (uint32_t i = 0; at == node->case_count && i < node->case_count; i++)
        if (node->cases[i].is_default)
            at = i;
    for (; at < node->case_count; at++) {
        enum status s = run_list(v, &node->cases[at].list);
        if (s != FALLS)
            return s == BREAKS ? FALLS : s;
    }
    return FALLS;
}

static enum status run_list(struct machine *v, struct ir_list *list)
{
    for (struct ir_node *node = list->first; node; node = node->next) {
        enum status s = FALLS;
        if (node->kind == IR_BLOCK) {
            s = run_block(v, (struct ir_block *)node);
        } else if (node->kind == IR_IF) {
            struct ir_if *n = (struct ir_if *)node;
            s = run_list(v, value_of(v, n->cond)->lanes[0] ? &n->then_list : &n->else_list);
        } else {
            s = node->kind == IR_LOOP ? run_loop(v, (struct ir_loop *)node)
                                      : run_switch(v, (struct ir_switch *)node);
        }
        if (s != FALLS || v->stuck)
            return v->stuck ? RETURNS : s;
    }
    return FALLS;
}

static bool execute(struct ir_module *m, struct ir_function *f, uint32_t input, unsigned most_steps,
                    uint8_t *result)
{
    struct machine v = {.m = m, .f = f, .most_steps = most_steps};
    ir_number(f);
    for (size_t i = 0; i < f->vars.count; i++) {
        f->vars.items[i]->id = (uint32_t)(v.stack_size = (v.stack_size + 15) & ~(size_t)15);
        v.stack_size += f->vars.items[i]->size;
    }
    v.stack = calloc(1, v.stack_size + 1);
    v.values = calloc(f->instr_count + 1, sizeof *v.values);
    for (unsigned i = 0; i < BUFFER; i++)
        v.global[i] = (uint8_t)(i * 37 + input);
    v.values[0] = ir_const_int(m, ir_int(32), input);
    v.values[1] = ir_const_int(m, ir_ptr(8, IR_GLOBAL), GLOBAL_BASE);
    run_list(&v, &f->body);
    memcpy(result, v.global, BUFFER);
    free(v.stack);
    free(v.values);
    return !v.stuck;
}

#endif
