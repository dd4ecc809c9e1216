// SPDX-License-Identifier: Apache-2.0
// Removes bindings of storage buffers without accesses (earlier passes removed them). If the device supports fewer
// bindings than remain, several arguments share one: offsets count from the start of the binding, and include the
// argument's position. Arguments that are cheapest to copy are clustered first, because the launch must copy them if
// they are too far apart: constants, then read-only ones.
#include "passes/passes.h"
#include "passes/push.h"

struct bindings {
    struct ir_module *m;
    struct kc_kernel *info;
    uint32_t count; // original number of bindings
    struct use {
        bool used, written;
        uint32_t number; // new number
    } *uses;
};

static bool is_view(const struct bindings *b, const struct ir_var *var)
{
    return var->space == IR_BUFFER && var->binding < b->count;
}

static void find_uses(struct bindings *b)
{
    for (size_t i = 0; i < b->m->functions.count; i++)
        for (struct ir_block *at = ir_first_block(b->m->functions.items[i]); at; at = ir_next_block(at))
            for (const struct ir_instr *x = at->first; x; x = x->next)
                if (x->op >= IR_OP_elem_load && x->op <= IR_OP_elem_atomic && is_view(b, x->var)) {
                    b->uses[x->var->binding].used = true;
                    b->uses[x->var->binding].written |= x->op != IR_OP_elem_load;
                }
    for (uint32_t i = 0; i < b->count; i++)
        b->uses[i].used |= b->info->bindings[i].kind < KC_BINDING_BUFFER;
}

// ---- selection of shared bindings ----------------------------------------------------------------------

static bool is_argument(const struct bindings *b, uint32_t i)
{
    return b->info->bindings[i].kind == KC_BINDING_BUFFER && b->uses[i].used;
}

enum { CONSTANT, READ, WRITTEN, COSTS };

static int cost_of(const struct bindings *b, uint32_t i)
{
    if (b->uses[i].written)
        return WRITTEN;
    return b->info->args[b->info->bindings[i].arg].kind == KC_ARG_CONSTANT ? CONSTANT : READ;
}

// A private copy of the argument list, which may belong to the program.
static struct kc_arg *own_args(struct bindings *b)
{
    struct kc_arg *args = arena_copy(b->m->arena, b->info->args, b->info->arg_count * sizeof *args);
    b->info->args = args;
    return args;
}

// Clusters up to `count` arguments in one binding. Returns how many are still to be removed.
static uint32_t cluster(struct bindings *b, uint32_t count)
{
    struct kc_arg *args = own_args(b);
    for (int cost = CONSTANT; cost < COSTS; cost++)
        for (uint32_t i = b->count; i-- > 0 && count;)
            if (is_argument(b, i) && cost_of(b, i) == cost) {
                args[b->info->bindings[i].arg].clustered = true;
                count--;
            }
    for (uint32_t i = 0; i < b->count; i++)
        if (is_argument(b, i))
            args[b->info->bindings[i].arg].written = b->uses[i].written;
    return count;
}

static bool is_storage(enum kc_binding_kind kind) { return kind >= KC_BINDING_BUFFER && kind != KC_BINDING_PUSH; }

static void choose_cluster(struct bindings *b, uint32_t most)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < b->count; i++)
        count += is_storage(b->info->bindings[i].kind) && b->uses[i].used;
    if (most && count > most && cluster(b, count - most + 1) && !b->m->error)
        b->m->error = arena_printf(b->m->arena, "the kernel needs %u storage buffers, the device supports %u", count, most);
}

// ---- new numbers ------------------------------------------------------------------------------------------

static bool is_clustered(const struct bindings *b, uint32_t i)
{
    return is_argument(b, i) && b->info->args[b->info->bindings[i].arg].clustered;
}

static void number(struct bindings *b)
{
    struct kc_binding *list = ARENA_ARRAY(b->m->arena, struct kc_binding, b->count);
    uint32_t count = 0, together = UINT32_MAX;
    for (uint32_t i = 0; i < b->count; i++) {
        bool clustered = is_clustered(b, i);
        if (!b->uses[i].used)
            continue;
        b->uses[i].number = clustered && together != UINT32_MAX ? together : count;
        if (b->uses[i].number < count)
            continue;
        list[count] = clustered ? (struct kc_binding){.kind = KC_BINDING_CLUSTER} : b->info->bindings[i];
        list[count].binding = count;
        together = clustered ? count : together;
        count++;
    }
    b->info->bindings = list;
    b->info->binding_count = count;
}

// One view for each element type suffices.
static struct ir_var *same_view(const struct ir_module *m, size_t count, const struct ir_var *var)
{
    for (size_t i = 0; i < count; i++)
        if (m->vars.items[i]->space == IR_BUFFER && m->vars.items[i]->binding == var->binding &&
            ir_type_eq(m->vars.items[i]->elem, var->elem))
            return m->vars.items[i];
    return NULL;
}

static void replace_var(struct ir_module *m, const struct ir_var *var, struct ir_var *by)
{
    for (size_t i = 0; i < m->functions.count; i++)
        for (struct ir_block *at = ir_first_block(m->functions.items[i]); at; at = ir_next_block(at))
            for (struct ir_instr *x = at->first; x; x = x->next)
                if (x->op >= IR_OP_elem_load && x->op <= IR_OP_elem_atomic && x->var == var)
                    x->var = by;
}

// Removes views of removed bindings and renumbers the others.
static void renumber_views(struct bindings *b)
{
    size_t remaining = 0;
    for (size_t i = 0; i < b->m->vars.count; i++) {
        struct ir_var *var = b->m->vars.items[i], *same = NULL;
        bool view = is_view(b, var);
        if (view && !b->uses[var->binding].used)
            continue;
        if (view) {
            var->binding = b->uses[var->binding].number;
            same = same_view(b->m, remaining, var);
        }
        if (same)
            replace_var(b->m, var, same);
        else
            b->m->vars.items[remaining++] = var;
    }
    b->m->vars.count = remaining;
}

static void mark_numbered(struct bindings *b)
{
    struct kc_arg *args = NULL;
    for (uint32_t i = 0; i < b->info->push_count; i++) {
        if (b->info->push[i].kind != KC_PUSH_BUFFER_NUMBER)
            continue;
        args = args ? args : own_args(b);
        args[b->info->push[i].arg].numbered = true;
    }
}

// Requires: lower_push. Keeps: image bindings, which come first. Removes: bindings of unused buffers, and bindings
// above the device's limit.
bool lower_bindings(struct pass_context *c)
{
    struct ir_kernel *kernel = push_kernel(c->module);
    if ((c->target->physical_addressing && !c->target->plain_arguments) || c->module->mapping || !kernel)
        return false;
    struct bindings b = {.m = c->module, .info = &kernel->info, .count = kernel->info.binding_count};
    mark_numbered(&b);
    if (!b.count)
        return false;
    b.uses = ARENA_ARRAY(c->scratch, struct use, b.count);
    find_uses(&b);
    choose_cluster(&b, c->target->max_storage_buffers);
    number(&b);
    renumber_views(&b);
    return b.info->binding_count < b.count;
}
