// SPDX-License-Identifier: Apache-2.0
// The functions of a unit -> an IR module.
//
// A parameter becomes a private variable that is initialised with the argument (mem2reg removes it). Exceptions: a
// record is memory of the callee already, and images and samplers never change. A kernel that another kernel calls is
// generated twice: as a function named NAME.body, and as a kernel that calls it.
#include "gen/gen_internal.h"

static void bind_parameter(struct gen *gen, struct decl *param, struct ir_instr *value)
{
    if (gen_is_in_memory(param->type.type) || gen_is_handle(param->type.type)) {
        param->gen = value;
        return;
    }
    struct ir_instr *address = gen_temporary(gen, param->type.type, param->name ? param->name : "unnamed");
    param->gen = address;
    struct gen_place place = gen_place_at(gen, address, qtype_of(param->type.type), 0);
    gen_store(gen, &place, value);
}

static void bind_parameters(struct gen *gen, struct decl *decl)
{
    uint32_t index = 0;
    gen->result_place = NULL;
    if (type_is_record(decl->type.type->elem.type))
        gen->result_place = gen->function->params[index++];
    for (uint32_t i = 0; i < decl->param_count; i++)
        bind_parameter(gen, decl->params[i], gen->function->params[index++]);
    for (size_t i = 0; i < decl->captures.count; i++)
        bind_parameter(gen, decl->captures.items[i]->inner, gen->function->params[index++]);
}

static void function_body(struct gen *gen, struct decl *decl, struct ir_function *function)
{
    gen->function = function;
    gen->decl = decl;
    ir_function_define(function);
    gen->b = ir_at_end(function);
    gen->b.flags = gen->options->unsafe_math ? IR_FAST : 0;
    gen->graph = NULL;
    if (gen_has_goto(decl->body))
        gen_graph_begin(gen);
    bind_parameters(gen, decl);
    gen_stmt(gen, decl->body);
    bool has_result = function->result.base != IR_VOID;
    if (!gen->b.dead)
        ir_jump(&gen->b, IR_OP_return, has_result ? ir_undef(gen->module, function->result) : NULL);
    if (gen->graph)
        cfg_structurize(gen->graph);
}

// The kernel itself: passes its parameters on to the function with the kernel's body.
static void kernel_wrapper(struct gen *gen, struct decl *decl)
{
    struct ir_function *body = gen_function_for(gen, decl);
    struct ir_type *types = ARENA_ARRAY(gen->arena, struct ir_type, body->param_count + 1);
    for (uint32_t i = 0; i < body->param_count; i++)
        types[i] = body->params[i]->type;
    struct ir_function *kernel = ir_function_get(gen->module, decl->name, ir_void(), types, body->param_count);
    ir_function_define(kernel);
    gen->b = ir_at_end(kernel);
    ir_call(&gen->b, body, kernel->params, kernel->param_count);
    ir_jump(&gen->b, IR_OP_return, NULL);
    gen_kernel_info(gen, kernel, decl);
    kernel->linkage = body->linkage;
    kernel->c_type = body->c_type;
    body->linkage = IR_LINK_NONE;
    function_body(gen, decl, body);
}

static void unit_function(struct gen *gen, struct decl *decl)
{
    if (decl->is_kernel && decl->called) {
        kernel_wrapper(gen, decl);
        return;
    }
    struct ir_function *function = gen_function_for(gen, decl);
    if (decl->is_kernel)
        gen_kernel_info(gen, function, decl);
    function_body(gen, decl, function);
}

// Uses a work list, because the source determines how deep calls nest.
static void mark_reached(struct gen *gen, struct decl *root)
{
    VEC(struct decl *) todo = {0};
    vec_push(gen->arena, &todo, root);
    while (todo.count) {
        struct decl *decl = todo.items[--todo.count];
        if (decl->reached)
            continue;
        decl->reached = true;
        for (size_t i = 0; i < decl->callees.count; i++)
            vec_push(gen->arena, &todo, decl->callees.items[i]);
        for (size_t i = 0; i < decl->blocks.count; i++)
            vec_push(gen->arena, &todo, decl->blocks.items[i]);
    }
}

// Omits functions that no kernel reaches, except those whose bodies gen must check for errors.
static void find_reached(struct gen *gen, const struct unit *unit)
{
    bool has_kernel = false;
    for (size_t i = 0; i < unit->functions.count; i++)
        has_kernel |= unit->functions.items[i]->is_kernel;
    for (size_t i = 0; i < unit->functions.count; i++) {
        struct decl *decl = unit->functions.items[i];
        if (decl->is_kernel || decl->gen_reports || !has_kernel || gen->options->separate || gen->options->all_functions)
            mark_reached(gen, decl);
    }
}

struct ir_module *gen_unit(struct arena *arena, struct intern *intern, struct diag *diag, const struct kc_target *target,
                           const struct gen_options *options, struct unit *unit)
{
    struct gen gen = {.arena = arena, .diag = diag, .target = target, .options = options, .ast = unit->ast};
    gen.module = ir_module_create(arena, intern, target);
    for (size_t i = 0; i < unit->functions.count; i++) {
        struct decl *decl = unit->functions.items[i];
        if (decl->is_kernel && decl->called)
            decl->link_name = arena_printf(arena, "%s.body", decl->name);
    }
    gen_link_exports(&gen, unit);
    find_reached(&gen, unit);
    for (size_t i = 0; i < unit->functions.count; i++)
        if (unit->functions.items[i]->reached)
            unit_function(&gen, unit->functions.items[i]);
    return gen.module;
}
