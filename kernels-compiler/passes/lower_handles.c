// SPDX-License-Identifier: Apache-2.0
// Calls with images and samplers -> calls of specialized copies.
//
//   call @read(%image, i32 33, %at)     ->     call @read$0.2$1.33(%at)
//
// An image is a kernel argument, identified by its number. The number, or a constant sampler, replaces the parameter
// in the copy, which then folds. So functions that read images need not be inlined, and code for other sampler modes
// is removed before inlining. Works from kernels to callees; a copy is made once for all equal calls. A sampler
// argument becomes a specialization constant in the copy, which the driver folds; under a mapping it becomes the
// argument's number.
#include "passes/inline.h"
#include "passes/passes.h"
#include "passes/push.h"

enum { MOST_COPIES = 4096 }; // limit in case of infinite recursion, which is reported later

struct handles {
    struct pass_context *c;
    VEC(struct ir_function *) todo;
    uint32_t copies;
    bool changed;
};

// The known value of a handle.
struct known {
    enum { NOT_KNOWN, NUMBER, SPEC_ID } by;
    uint32_t is;
};

static struct known known_arg(const struct ir_function *kernel, uint32_t arg)
{
    enum kc_arg_kind kind = kernel->kernel->info.args[arg].kind;
    uint32_t spec;
    if (kind == KC_ARG_IMAGE)
        return (struct known){NUMBER, arg};
    if (kind == KC_ARG_SAMPLER && kernel->module->target->mapping.on)
        return (struct known){NUMBER, KC_SAMPLER_ARG + arg};
    if (kind == KC_ARG_SAMPLER && push_sampler(kernel->module, arg, &spec))
        return (struct known){SPEC_ID, spec};
    return (struct known){NOT_KNOWN, 0};
}

static struct known known(const struct ir_function *caller, const struct ir_instr *call, uint32_t i)
{
    const struct ir_instr *x = call->src[i];
    if (!ir_is_handle(call->callee, i))
        return (struct known){NOT_KNOWN, 0};
    if (ir_is_const(x))
        return (struct known){NUMBER, (uint32_t)x->lanes[0]};
    if (x->op == IR_OP_sys && x->sys == IR_SYS_VK_SPEC)
        return (struct known){SPEC_ID, x->dim};
    if (x->op == IR_OP_param && caller->kernel && x->index < caller->kernel->info.arg_count)
        return known_arg(caller, x->index);
    return (struct known){NOT_KNOWN, 0};
}

static const char *copy_name(const struct ir_function *caller, const struct ir_instr *call)
{
    struct str name;
    str_init(&name, caller->module->arena);
    str_add(&name, call->callee->name);
    for (uint32_t i = 0; i < call->src_count; i++) {
        struct known value = known(caller, call, i);
        if (value.by)
            str_printf(&name, "$%u.%s%u", i, value.by == SPEC_ID ? "spec" : "", value.is);
    }
    return name.text;
}

// Folds even without optimization, because some library code is only valid under mappings and some only without.
static void fold(struct handles *h, struct ir_function *f)
{
    for (int round = 0; round < 2; round++) {
        bool changed = opt_algebraic(h->c, f);
        changed |= opt_branches(h->c, f);
        changed |= opt_dce(h->c, f);
        if (!changed)
            break;
    }
}

static void fill_copy(struct handles *h, const struct ir_function *caller, const struct ir_instr *call,
                      struct ir_function *copy)
{
    const struct ir_function *from = call->callee;
    struct ir_module *m = from->module;
    struct map map = {0};
    struct ir_builder head = {.module = m, .function = copy};
    uint32_t param = 0;
    ir_function_define(copy);
    ir_place_end(&head, &copy->body);
    copy->always_inline = from->always_inline;
    copy->no_inline = from->no_inline;
    copy->from_library = from->from_library;
    for (uint32_t i = 0; i < from->param_count; i++) {
        struct known value = known(caller, call, i);
        copy->no_inline |= value.by != NUMBER && ir_is_handle(from, i) && from->from_library; // from the library: code for all modes and filters
        map_set(m->arena, &map, from->params[i],
                value.by == NUMBER    ? ir_const_int(m, from->params[i]->type, value.is)
                : value.by == SPEC_ID ? ir_sys(&head, IR_SYS_VK_SPEC, value.is)
                                      : copy->params[param++]);
    }
    inline_map_vars(copy, from, &map);
    ir_list_clone(copy, &copy->body, &from->body, &map, NULL);
    fold(h, copy);
    vec_push(h->c->scratch, &h->todo, copy);
    h->copies++;
}

static void resolve_call(struct handles *h, struct ir_function *caller, struct ir_instr *call)
{
    struct ir_module *m = caller->module;
    struct ir_instr **args = ARENA_ARRAY(m->arena, struct ir_instr *, call->src_count);
    struct ir_type *types = ARENA_ARRAY(m->arena, struct ir_type, call->src_count);
    uint32_t count = 0;
    for (uint32_t i = 0; i < call->src_count; i++) {
        if (known(caller, call, i).by)
            continue;
        types[count] = call->src[i]->type;
        args[count++] = call->src[i];
    }
    if (count == call->src_count)
        return;
    struct ir_function *copy = ir_function_get(m, copy_name(caller, call), call->type, types, count);
    if (!copy->has_body)
        fill_copy(h, caller, call, copy);
    struct ir_builder b = {.module = m, .function = caller};
    ir_place_before(&b, call);
    ir_replace(call, ir_call(&b, copy, args, count));
    h->changed = true;
}

static void resolve_calls(struct handles *h, struct ir_function *f)
{
    for (struct ir_block *block = ir_first_block(f); block; block = ir_next_block(block))
        for (struct ir_instr *x = block->first, *next; x; x = next) {
            next = x->next;
            if (x->op == IR_OP_call && x->callee->has_body && x->callee->handles && h->copies < MOST_COPIES)
                resolve_call(h, f, x);
        }
    ir_resolve(f);
}

// Requires: lower_returns. Keeps: everything. Removes: arguments of calls that are handles known at compile time.
bool lower_handles(struct pass_context *c)
{
    struct handles h = {.c = c};
    for (size_t i = 0; i < c->module->functions.count; i++)
        if (c->module->functions.items[i]->kernel && c->module->functions.items[i]->has_body)
            vec_push(c->scratch, &h.todo, c->module->functions.items[i]);
    while (h.todo.count)
        resolve_calls(&h, h.todo.items[--h.todo.count]);
    return h.changed;
}
