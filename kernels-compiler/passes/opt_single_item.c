// SPDX-License-Identifier: Apache-2.0
// Turns local memory into private memory, and removes barriers, if a work-group has a single work-item:
//
//   local uint s[256]; ... barrier(CLK_LOCAL_MEM_FENCE);   ->   uint s[256]; ...
//
// For devices whose compiler makes more code of an access to local memory than of one to private memory
// (kc_target.local_by_items). All or nothing: if the address space of a pointer to local memory matters to its uses
// (generic pointers, calls that are not inlined, atomics), everything stays local.
#include "passes/passes.h"

static struct ir_function *find_kernel(const struct ir_module *m)
{
    for (size_t i = 0; i < m->functions.count; i++) {
        struct ir_function *f = m->functions.items[i];
        if (!f->kernel)
            continue;
        for (unsigned dim = 0; dim < 3; dim++)
            if (ir_fixed_local_size(f->kernel, dim) != 1)
                return NULL;
        return f;
    }
    return NULL;
}

static bool is_local(const struct ir_instr *x) { return x->type.space == IR_LOCAL; }

static bool variables_fit(const struct ir_module *m, uint64_t limit)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < m->vars.count; i++) {
        const struct ir_var *var = m->vars.items[i];
        if (var->space != IR_LOCAL)
            continue;
        bytes += var->size;
        if (var->local_arg >= 0 || (limit && bytes > limit))
            return false;
    }
    return bytes > 0;
}

// Whether the operation is the same for private memory.
static bool may_change(const struct ir_instr *x)
{
    if (x->op == IR_OP_ptr_cast || x->op == IR_OP_ptr_space)
        return !is_local(x) && !is_local(x->src[0]);
    if (x->op != IR_OP_atomic && x->op != IR_OP_call)
        return true;
    for (uint32_t i = 0; i < x->src_count; i++)
        if (is_local(x->src[i]) || x->src[i]->type.space == IR_GENERIC)
            return false;
    return !is_local(x);
}

static bool uses_local(const struct ir_instr *x)
{
    bool found = is_local(x);
    for (uint32_t i = 0; i < x->src_count; i++)
        found |= is_local(x->src[i]);
    return found;
}

static bool all_may_change(const struct ir_module *m, const struct ir_function *kernel)
{
    for (size_t i = 0; i < m->functions.count; i++) {
        const struct ir_function *f = m->functions.items[i];
        for (struct ir_block *b = f->has_body ? ir_first_block(f) : NULL; b; b = ir_next_block(b))
            for (const struct ir_instr *x = b->first; x; x = x->next)
                if (f == kernel ? !may_change(x) : uses_local(x))
                    return false;
    }
    return true;
}

static void make_private(struct ir_module *m, struct ir_function *f)
{
    size_t count = 0;
    for (size_t i = 0; i < m->vars.count; i++) {
        struct ir_var *var = m->vars.items[i];
        if (var->space != IR_LOCAL) {
            m->vars.items[count++] = var;
            continue;
        }
        struct ir_var *own = ir_var_add(m, f, var->name, IR_PRIVATE, var->size, var->align);
        own->address = var->address;
        var->address = NULL;
        if (own->address) {
            own->address->var = own;
            own->address->type.space = IR_PRIVATE;
        }
    }
    m->vars.count = count;
}

static void change_memory(struct ir_mem *mem)
{
    if (mem->space == IR_LOCAL) {
        mem->space = IR_PRIVATE;
        mem->coherent = false;
    }
}

static void change(struct ir_module *m, struct ir_instr *x)
{
    for (uint32_t i = 0; i < x->src_count; i++) // null and undefined pointers
        if (is_local(x->src[i]) && x->src[i]->op == IR_OP_const)
            x->src[i] = ir_const(m, ir_ptr(kc_pointer_bytes(m->target), IR_PRIVATE), x->src[i]->lanes);
        else if (is_local(x->src[i]) && x->src[i]->op == IR_OP_undef)
            x->src[i] = ir_undef(m, ir_ptr(kc_pointer_bytes(m->target), IR_PRIVATE));
    if (is_local(x))
        x->type.space = IR_PRIVATE;
    if (x->op == IR_OP_load || x->op == IR_OP_store || x->op == IR_OP_copy || x->op == IR_OP_zero)
        change_memory(&x->mem);
    if (x->op == IR_OP_copy)
        change_memory(&x->mem_from);
}

// A barrier becomes a fence, whose effect on other memory remains.
static void drop_barrier(struct ir_instr *x)
{
    if (x->op != IR_OP_barrier)
        return;
    x->op = IR_OP_fence;
    x->sync.execution = IR_SCOPE_WORK_ITEM;
    x->sync.fences &= (uint8_t)~IR_FENCE_LOCAL;
    if (!x->sync.fences)
        ir_remove(x);
}

// Requires: calls inlined, arguments lowered. Keeps: values. Removes: local memory and barriers of single work-items.
bool opt_single_item(struct pass_context *context)
{
    struct ir_module *m = context->module;
    struct ir_function *f = context->target->local_by_items && !context->target->zero_local ? find_kernel(m) : NULL;
    if (!f || !variables_fit(m, context->target->max_local_memory) || !all_may_change(m, f))
        return false;
    make_private(m, f);
    f->converged = false;
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b))
        for (struct ir_instr *x = b->first, *next; x; x = next) {
            next = x->next;
            change(m, x);
            drop_barrier(x);
        }
    return true;
}
