// SPDX-License-Identifier: Apache-2.0
// Kernel parameters -> launch data: fields of the push block, local variables for local arguments, specialization
// constants for samplers.
//
// A struct passed by value is copied word by word from the push block to a private variable. Unused arguments take no
// space in the block.
#include "passes/passes.h"
#include "passes/push.h"

static void mark_use(struct ir_instr *x)
{
    if (x && x->op == IR_OP_param)
        x->mark = 1;
}

static void mark_uses(struct ir_function *f)
{
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b)) {
        for (struct ir_instr *x = b->first; x; x = x->next)
            for (uint32_t i = 0; i < x->src_count; i++)
                mark_use(x->src[i]);
        struct ir_node *next = b->node.next;
        if (next && next->kind == IR_IF)
            mark_use(((struct ir_if *)next)->cond);
        if (next && next->kind == IR_LOOP)
            mark_use(((struct ir_loop *)next)->cond);
        if (next && next->kind == IR_SWITCH)
            mark_use(((struct ir_switch *)next)->value);
    }
}

static void store_part(struct ir_builder *b, struct ir_var *var, uint32_t offset,
                       struct ir_instr *value)
{
    struct ir_instr *address = ir_ptr_index(b, ir_addr(b->module, var), NULL, 0, offset);
    uint32_t align = value->type.bits / 8u;
    ir_store(b, address, value, (struct ir_mem){.space = IR_PRIVATE, .align = align});
}

// Stores the bytes of the last, incomplete word one by one, because the variable ends there.
static void store_tail(struct ir_builder *b, struct ir_var *var, uint32_t offset, uint32_t bytes,
                       struct ir_instr *word)
{
    struct ir_type u32 = ir_int(32);
    for (uint32_t i = 0; i < bytes; i++) {
        struct ir_instr *byte = ir_op2(b, IR_OP_lshr, word, ir_const_int(b->module, u32, 8 * i));
        store_part(b, var, offset + i, ir_convert(b, IR_OP_trunc, ir_int(8), byte));
    }
}

static struct ir_instr *struct_value(struct ir_builder *b, const struct kc_arg *arg, uint32_t index)
{
    uint32_t align = arg->align > 4 ? arg->align : 4;
    struct ir_var *var =
        ir_var_add(b->module, b->function, arg->name, IR_PRIVATE, arg->size, align);
    for (uint32_t at = 0; at < arg->size; at += 4) {
        struct ir_instr *word = push_word(b, KC_PUSH_ARG, 0, index, arg->size, at / 4);
        if (arg->size - at >= 4)
            store_part(b, var, at, word);
        else
            store_tail(b, var, at, arg->size - at, word);
    }
    return ir_addr(b->module, var);
}

static struct ir_instr *local_value(struct ir_builder *b, const struct kc_arg *arg, uint32_t index)
{
    struct ir_var *var =
        ir_var_add(b->module, NULL, arg->name, IR_LOCAL, 0, arg->align ? arg->align : 1);
    var->local_arg = (int32_t)index;
    return ir_addr(b->module, var);
}

// Whether a buffer stays identified by its argument until lower_memory, which may find a better form than an address.
static bool is_named(const struct ir_module *module, uint32_t index)
{
    const struct kc_target *target = module->target;
    return !target->physical_addressing || (target->plain_arguments && !module->mapping && index <= UINT16_MAX);
}

// The buffer's address, or its identification.
static struct ir_instr *buffer_value(struct ir_builder *b, uint32_t index)
{
    if (!is_named(b->module, index))
        return push_value(b, KC_PUSH_ARG, 0, index, ir_int(64));
    if (index > UINT16_MAX && !b->module->error)
        b->module->error = "a buffer argument has index 65536 or above, on a device without buffer addresses";
    return ir_sys(b, IR_SYS_BUFFER, index & UINT16_MAX);
}

static struct ir_instr *arg_value(struct ir_builder *b, const struct kc_arg *arg, uint32_t index,
                                  struct ir_type type)
{
    uint32_t spec;
    if (arg->kind == KC_ARG_IMAGE)
        return ir_const_int(b->module, type, index);
    if (arg->kind == KC_ARG_SAMPLER && b->module->mapping)
        return ir_const_int(b->module, type, KC_SAMPLER_ARG + index);
    if (arg->kind == KC_ARG_SAMPLER && push_sampler(b->module, index, &spec))
        return ir_sys(b, IR_SYS_VK_SPEC, spec);
    if (arg->kind == KC_ARG_LOCAL)
        return local_value(b, arg, index);
    if (type.base != IR_PTR)
        return push_value(b, KC_PUSH_ARG, 0, index, type);
    if (arg->kind == KC_ARG_VALUE)
        return struct_value(b, arg, index);
    return ir_convert(b, IR_OP_int_to_ptr, type, buffer_value(b, index));
}

// Before the function's first instruction: values made there dominate every use.
static struct ir_builder at_head(struct ir_function *f)
{
    struct ir_block *entry = ir_first_block(f);
    return (struct ir_builder){
        .module = f->module, .function = f, .block = entry, .before = entry->first};
}

// Records that used buffers with addresses are aligned; see pointer_align() in alias.c. Copies the argument list,
// which may be the program's.
static void align_buffers(struct ir_function *f)
{
    struct kc_kernel *info = &f->kernel->info;
    if (!f->module->target->physical_addressing || !f->module->target->plain_arguments)
        return;
    struct kc_arg *args = arena_copy(f->module->arena, info->args, info->arg_count * sizeof *args);
    for (uint32_t k = 0; k < f->param_count; k++)
        args[k].aligned = f->params[k]->mark && is_named(f->module, k) && (args[k].kind == KC_ARG_GLOBAL || args[k].kind == KC_ARG_CONSTANT);
    info->args = args;
}

// Requires: kernels are called by nobody. Keeps: everything. Removes: the kernel's parameters.
bool lower_args(struct pass_context *c)
{
    bool changed = false;
    for (size_t i = 0; i < c->module->functions.count; i++) {
        struct ir_function *f = c->module->functions.items[i];
        if (!f->kernel || !f->has_body)
            continue;
        struct ir_builder b = at_head(f);
        mark_uses(f);
        align_buffers(f);
        for (uint32_t k = 0; k < f->param_count; k++) {
            struct ir_instr *param = f->params[k];
            if (param->mark)
                ir_replace(param, arg_value(&b, &f->kernel->info.args[k], k, param->type));
            param->mark = 0;
        }
        changed |= f->param_count != 0;
        f->param_count = 0;
        ir_resolve(f);
    }
    return changed;
}
