// SPDX-License-Identifier: Apache-2.0
// Copies functions between modules. Constants are uniqued in the new module, so that constants that passes make there
// are the same values. Variables are copied, because passes write their layout into them. Relocations still refer to
// the program's variables.
#include "link/extract.h"

struct extract {
    struct ir_module *from, *to;
    struct map vars; // program's variable -> copy
    bool callees;
};

static struct ir_var *copy_var(struct extract *e, struct ir_var *old, struct ir_function *into)
{
    struct ir_var *made = map_get(&e->vars, old);
    if (made)
        return made;
    made = ir_var_add(e->to, into, old->name, old->space, old->size, old->align);
    struct ir_var fresh = *made;
    *made = *old;
    made->name = fresh.name;
    made->address = NULL;
    map_set(e->to->arena, &e->vars, old, made);
    return made;
}

static void map_source(struct extract *e, struct ir_function *into, struct map *map, struct ir_instr *x)
{
    struct ir_instr *own;
    if (!x || (!ir_is_const(x) && x->op != IR_OP_addr) || map_get(map, x))
        return;
    if (ir_is_const(x))
        own = ir_const(e->to, x->type, x->lanes);
    else
        own = ir_addr(e->to, copy_var(e, x->var, x->var->space == IR_PRIVATE ? into : NULL));
    map_set(e->to->arena, map, x, own);
}

// Maps every address and constant that the function uses to its copy.
static void map_sources(struct extract *e, struct ir_function *from, struct ir_function *to, struct map *map)
{
    for (struct ir_block *b = ir_first_block(from); b; b = ir_next_block(b)) {
        for (struct ir_instr *x = b->first; x; x = x->next)
            for (uint32_t i = 0; i < x->src_count; i++)
                map_source(e, to, map, x->src[i]);
    }
    for (uint32_t i = 0; i < from->param_count; i++)
        map_set(e->to->arena, map, from->params[i], to->params[i]);
}

static struct ir_function *declare(struct extract *e, const struct ir_function *old)
{
    struct ir_type *types = ARENA_ARRAY(e->to->arena, struct ir_type, old->param_count + 1);
    for (uint32_t i = 0; i < old->param_count; i++)
        types[i] = old->params[i]->type;
    return ir_function_get(e->to, old->name, old->result, types, old->param_count);
}

static void copy_body(struct extract *e, struct ir_function *old, struct ir_function *made)
{
    struct map map = {0};
    ir_function_define(made);
    made->always_inline = old->always_inline;
    made->no_inline = old->no_inline;
    for (uint32_t i = 0; i < old->param_count; i++)
        if (ir_is_handle(old, i))
            ir_mark_handle(made, i);
    made->from_library = old->from_library;
    made->converged = old->converged;
    for (size_t i = 0; i < old->vars.count; i++)
        copy_var(e, old->vars.items[i], made);
    map_sources(e, old, made, &map);
    ir_list_clone(made, &made->body, &old->body, &map, NULL);
    for (struct ir_block *b = ir_first_block(made); b; b = ir_next_block(b))
        for (struct ir_instr *x = b->first; x; x = x->next)
            if (x->op == IR_OP_call)
                x->callee = declare(e, x->callee);
}

static void copy_reached(struct extract *e)
{
    for (size_t i = 0; i < e->to->functions.count; i++) { // grows as callees are declared
        struct ir_function *made = e->to->functions.items[i];
        struct ir_function *old = map_get(&e->from->functions_by_name, made->name);
        if (!made->has_body && old && old->has_body)
            copy_body(e, old, made);
    }
}

static struct extract begin(struct ir_module *program, struct ir_function *function, struct arena *arena)
{
    struct extract e = {.from = program, .to = ir_module_create(arena, program->intern, program->target)};
    struct ir_function *made = declare(&e, function);
    if (function->kernel) {
        made->kernel = ARENA_NEW(arena, struct ir_kernel);
        *made->kernel = *function->kernel;
    }
    return e;
}

struct ir_module *extract_kernel(struct ir_module *program, struct ir_function *kernel, struct arena *arena)
{
    struct extract e = begin(program, kernel, arena);
    e.to->needs_vulkan_memory_model = program->needs_vulkan_memory_model;
    copy_reached(&e);
    struct ir_var *numbers = ir_matrix_numbers(program); // used by passes for matrices
    if (numbers)
        copy_var(&e, numbers, NULL);
    return e.to;
}
