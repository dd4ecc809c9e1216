// SPDX-License-Identifier: Apache-2.0
// A push block larger than the device's limit -> a block in device memory whose address is pushed, or a bound uniform
// buffer.
#include "passes/passes.h"
#include "passes/push.h"

#include <assert.h>

enum { LANES = 4 };

static struct ir_instr *block_address(struct ir_builder *b, struct ir_var *var)
{
    struct ir_instr *words[2];
    for (unsigned i = 0; i < 2; i++)
        words[i] = ir_elem_load(b, var, ir_const_int(b->module, ir_int(32), i));
    return ir_convert(b, IR_OP_bitcast, ir_int(64), ir_vec(b, words, 2));
}

static bool lower_function(struct ir_function *f, struct ir_var *var)
{
    struct ir_instr *address = NULL;
    struct ir_block *entry = ir_first_block(f);
    for (struct ir_block *block = entry; block; block = ir_next_block(block)) {
        for (struct ir_instr *x = block->first, *next; x; x = next) {
            next = x->next;
            if (x->op != IR_OP_elem_load || x->var != var || x->mark)
                continue;
            if (!address) {
                struct ir_builder head = {
                    .module = f->module, .function = f, .block = entry, .before = entry->first};
                address = block_address(&head, var);
                entry->first->mark = entry->first->next->mark = 1;
            }
            struct ir_builder b = ir_before(f, x);
            struct ir_instr *offset = ir_convert(&b, IR_OP_zext, ir_int(64), x->src[0]);
            offset = ir_op2(&b, IR_OP_shl, offset, ir_const_int(f->module, ir_int(64), 2));
            struct ir_mem mem = {.space = IR_GLOBAL, .align = 4, .readonly = true};
            ir_replace(x, ir_load(&b, x->type, ir_op2(&b, IR_OP_iadd, address, offset), mem));
        }
    }
    if (!address)
        return false;
    entry->first->mark = entry->first->next->mark = 0;
    ir_resolve(f);
    return true;
}

// Makes the block a uniform buffer, whose elements have 16 bytes: words become lanes.
static void bind_block(struct ir_module *m, struct ir_var *var)
{
    var->space = IR_BUFFER;
    var->binding = push_binding(m, (struct kc_binding){.kind = KC_BINDING_PUSH});
    var->elem = ir_with_lanes(ir_int(32), LANES);
    var->count = (var->count + LANES - 1) / LANES;
    var->size = var->count * ir_type_bytes(var->elem);
    for (size_t k = 0; k < m->functions.count; k++)
        for (struct ir_block *block = ir_first_block(m->functions.items[k]); block; block = ir_next_block(block))
            for (struct ir_instr *x = block->first, *next; x; x = next) {
                next = x->next;
                if (x->op != IR_OP_elem_load || x->var != var || x->type.lanes != 1)
                    continue;
                assert(ir_is_const(x->src[0]));
                uint64_t word = x->src[0]->lanes[0];
                struct ir_builder b = ir_before(m->functions.items[k], x);
                struct ir_instr *lanes = ir_elem_load(&b, var, ir_const_int(m, ir_int(32), word / LANES));
                lanes->mem.readonly = true;
                ir_replace(x, ir_extract(&b, lanes, (unsigned)(word % LANES)));
            }
    for (size_t k = 0; k < m->functions.count; k++)
        if (m->functions.items[k]->has_body)
            ir_resolve(m->functions.items[k]);
}

// Requires: lower_memory; every field is allocated. Keeps: everything. Removes: loads from a large block.
bool lower_push(struct pass_context *c)
{
    struct ir_module *m = c->module;
    struct kc_kernel *info = &push_kernel(m)->info;
    uint32_t limit = c->target->max_push_bytes ? c->target->max_push_bytes : 128;
    bool changed = false;
    if (info->push_size <= limit || info->push_indirect)
        return false;
    for (size_t i = 0; i < m->vars.count; i++) {
        struct ir_var *var = m->vars.items[i];
        if (var->space != IR_PUSH)
            continue;
        if (!c->target->physical_addressing) {
            bind_block(m, var);
            changed = true;
            continue;
        }
        for (size_t k = 0; k < m->functions.count; k++)
            if (m->functions.items[k]->has_body)
                changed |= lower_function(m->functions.items[k], var);
        var->count = 2;
        var->size = 8;
    }
    info->push_indirect = true;
    return changed;
}
