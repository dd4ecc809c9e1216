// SPDX-License-Identifier: Apache-2.0
// In kernels with KC_SPEC_GUARD (lower_groups), invocations beyond the end of the range return first:
//
//   entry: ...   ->   if (guarded && (x >= items[0] || y >= items[1])) return ; ...
//
// Only in the first dimension and those that the kernel uses: in the others, groups have one work-item.
#include "passes/passes.h"
#include "passes/push.h"
#include "passes/places.h"

static struct ir_function *kernel_of(const struct ir_module *m)
{
    for (size_t i = 0; i < m->functions.count; i++)
        if (m->functions.items[i]->kernel)
            return m->functions.items[i];
    return NULL;
}

static const struct kc_spec *find_guard(const struct kc_kernel *info)
{
    for (uint32_t i = 0; i < info->spec_count; i++)
        if (info->specs[i].kind == KC_SPEC_GUARD)
            return &info->specs[i];
    return NULL;
}

// A bit mask of dimensions.
static unsigned guarded_dimensions(const struct kc_kernel *info)
{
    unsigned dims = 1;
    for (uint32_t i = 0; i < info->push_count; i++)
        if (info->push[i].kind == KC_PUSH_GLOBAL_BASE)
            dims |= 1u << info->push[i].dim;
    return dims;
}

static struct ir_instr *is_outside(struct ir_builder *b, unsigned dims)
{
    struct ir_instr *any = NULL;
    for (unsigned dim = 0; dim < 3; dim++) {
        if (!(dims >> dim & 1))
            continue;
        struct ir_instr *items = push_value(b, KC_PUSH_ITEMS, dim, 0, ir_int(32));
        struct ir_instr *inside = ir_op2(b, IR_OP_ult, place_in_dispatch(b, dim), items);
        struct ir_instr *outside = ir_op1(b, IR_OP_not, inside);
        any = any ? ir_op2(b, IR_OP_or, any, outside) : outside;
    }
    return any;
}

// Whether the push constants have room: moving the block to memory would cost every launch more than the guard saves.
static bool has_room(const struct kc_kernel *info, const struct kc_target *target, unsigned dims)
{
    uint32_t limit = target->max_push_bytes ? target->max_push_bytes : 128;
    uint32_t size = info->push_size + 4 * (uint32_t)__builtin_popcount(dims);
    return size <= limit || info->push_size > limit;
}

static void never_guard(struct ir_module *m, struct ir_function *f, uint32_t spec)
{
    for (struct ir_block *block = f->has_body ? ir_first_block(f) : NULL; block; block = ir_next_block(block))
        for (struct ir_instr *x = block->first, *next; x; x = next) {
            next = x->next;
            if (x->op == IR_OP_sys && x->sys == IR_SYS_VK_SPEC && x->dim == spec)
                ir_replace(x, ir_const_int(m, ir_int(32), 0));
        }
    if (f->has_body)
        ir_resolve(f);
    f->converged = false;
}

static void drop_guard(struct ir_module *m, uint32_t spec)
{
    push_drop_spec(m, spec);
    for (size_t i = 0; i < m->functions.count; i++)
        never_guard(m, m->functions.items[i], spec);
}

// After the loads of the push block at the start of the function.
static struct ir_builder at_head(struct ir_function *f)
{
    struct ir_block *entry = ir_first_block(f);
    struct ir_instr *at = entry->first;
    while (at && at->op == IR_OP_elem_load && at->var->space == IR_PUSH)
        at = at->next;
    return (struct ir_builder){.module = f->module, .function = f, .block = entry, .before = at};
}

// Requires: lower_sys; must run before lower_push. Keeps: everything inside of the range. Removes: work-items outside
// of it, if the specialization constant is set.
bool lower_guard(struct pass_context *c)
{
    struct ir_function *f = kernel_of(c->module);
    const struct kc_spec *spec = find_guard(&f->kernel->info);
    if (!spec)
        return false;
    unsigned dims = guarded_dimensions(&f->kernel->info);
    if (!has_room(&f->kernel->info, c->target, dims)) {
        drop_guard(c->module, spec->id);
        return true;
    }
    for (unsigned dim = 0; dim < 3; dim++) // inserted before the code built below
        if (dims >> dim & 1)
            push_value(&(struct ir_builder){.module = f->module, .function = f}, KC_PUSH_ITEMS, dim, 0, ir_int(32));
    struct ir_builder b = at_head(f);
    struct ir_instr *on = ir_sys(&b, IR_SYS_VK_SPEC, spec->id);
    on = ir_op2(&b, IR_OP_ine, on, ir_const_int(b.module, ir_int(32), 0));
    struct ir_if *leave = ir_add_if(&b, ir_op2(&b, IR_OP_and, on, is_outside(&b, dims)));
    ir_place_end(&b, &leave->then_list);
    ir_jump(&b, IR_OP_return, NULL);
    f->converged = false;
    return true;
}
