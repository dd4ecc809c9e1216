// SPDX-License-Identifier: Apache-2.0
// Lowers local memory to arrays in Workgroup storage.
//
// A local argument that is accessed separately gets an array of its own, whose length is a specialization constant.
// If pointers to an argument and to other variables meet, they share one array: first the kernel's variables, then
// the arguments at offsets that the launch pushes (kc.h: local_static_shared).
#include "passes/memory.h"
#include "passes/push.h"
#include <inttypes.h>

enum { LOCAL_ARG_SPAN = 1 << 22 }; // range of addresses reserved for an argument of unknown size

static bool is_shared(const struct region *r)
{
    return r->space == IR_LOCAL && r->dynamic_arg && r->vars.count > 1;
}

static void merge(struct memory *m, struct region *into, struct region *r)
{
    into->step = address_divisor(into->step, r->step);
    into->widths |= r->widths;
    into->matrix_widths |= r->matrix_widths;
    into->lanes = into->lanes == r->lanes ? r->lanes : 0;
    into->fewest = !into->fewest || !r->fewest ? 0 : r->fewest < into->fewest ? r->fewest : into->fewest;
    for (unsigned i = 0; i < 2; i++) {
        into->whole_vectors[i] += r->whole_vectors[i];
        into->parts[i] += r->parts[i];
    }
    into->base = into->base == r->base ? r->base : IR_VOID;
    into->accessed |= r->accessed;
    into->int_atomics |= r->int_atomics;
    if (r->float_atomics)
        into->float_atomics = r->float_atomics;
    into->wide_atomics |= r->wide_atomics;
    for (size_t i = 0; i < r->vars.count; i++)
        vec_push(m->scratch, &into->vars, r->vars.items[i]);
    r->merged = into;
}

// There is at most one shared array: regions that need one are merged.
static struct region *merge_shared(struct memory *m)
{
    struct region *shared = NULL;
    for (struct region *r = m->regions; r; r = r->next) {
        if (!is_shared(r))
            continue;
        if (shared)
            merge(m, shared, r);
        else
            shared = r;
    }
    return shared;
}

static void place_own_argument(struct memory *m, struct region *r)
{
    struct ir_var *var = r->vars.items[0];
    region_make_array(m, r, var->name);
    uint32_t unit = region_element(r);
    var->spec_id = 1 + push_spec(m->m, KC_SPEC_LOCAL_ARG, 0, (unsigned)var->local_arg, unit);
    m->var_start[var->id] = ir_const_int(m->m, ir_int(32), 0);
    m->next_bias += LOCAL_ARG_SPAN;
}

static unsigned log2_of(uint32_t x)
{
    unsigned bits = 0;
    while (x >>= 1)
        bits++;
    return bits;
}

// Under a mapping the launch only sets each argument's length; the module computes the offsets.
static void list_shared(struct memory *m, const struct region *r)
{
    struct ir_kernel *kernel = m->kernel;
    kernel->shared_locals = ARENA_ARRAY(m->m->arena, uint32_t, r->vars.count);
    for (size_t i = 0; i < r->vars.count; i++)
        if (r->vars.items[i]->local_arg >= 0)
            kernel->shared_locals[kernel->shared_local_count++] = (uint32_t)r->vars.items[i]->local_arg;
    r->array->spec_id = 1 + kernel->info.places[kernel->shared_locals[0]].spec_id;
}

static void place_shared(struct memory *m, struct region *r)
{
    struct kc_kernel *info = &m->kernel->info;
    uint32_t unit = region_element(r);
    region_make_array(m, r, "local");
    info->local_static_shared = (uint32_t)((r->bytes + 15) & ~UINT64_C(15));
    if (m->m->mapping)
        list_shared(m, r);
    else
        r->array->spec_id = 1 + push_spec(m->m, KC_SPEC_LOCAL_TOTAL, 0, 0, unit);
    for (size_t i = 0; i < r->vars.count; i++) {
        struct ir_var *var = r->vars.items[i];
        if (var->local_arg < 0)
            continue;
        struct ir_builder b = memory_at_head(m);
        struct ir_instr *offset = push_value(&b, KC_PUSH_LOCAL_ARG, 0, (unsigned)var->local_arg, ir_int(32));
        b = memory_at_head(m);
        if (m->m->mapping && offset->next) // computed, must precede its uses
            ir_place_before(&b, offset->next);
        offset = ir_op2(&b, IR_OP_lshr, offset, ir_const_int(m->m, ir_int(32), log2_of(r->unit)));
        m->var_start[var->id] = offset;
        m->next_bias += LOCAL_ARG_SPAN;
    }
}

static bool units_access_local(const struct memory *m)
{
    for (const struct region *r = m->regions; r; r = r->next)
        if (r->space == IR_LOCAL && r->matrix_widths)
            return true;
    return false;
}

// Requires: address_analyse(). Chooses shape and array of every local region; fills in the kernel's sizes.
void local_place(struct memory *m)
{
    uint64_t total = 0, limit = m->c->target->max_local_memory;
    struct region *shared = merge_shared(m);
    // Matrix units require rows at multiples of 16 bytes; the driver places arrays one after another.
    bool needs_own_arrays = units_access_local(m);
    for (struct region *r = m->regions; r; r = r->next) {
        if (r->space != IR_LOCAL || r->merged)
            continue;
        region_choose_shape(m, r);
        region_place_vars(m, r);
        if (needs_own_arrays)
            r->bytes = (r->bytes + 15) & ~UINT64_C(15);
        total += r->bytes;
        if (r == shared)
            place_shared(m, r);
        else if (r->dynamic_arg)
            place_own_argument(m, r);
        else
            region_make_array(m, r, "local");
    }
    if (m->kernel)
        m->kernel->info.local_memory = (uint32_t)total;
    if (limit && total > limit)
        ir_fail(m->m, region_largest_var(m, IR_LOCAL),
                arena_printf(m->m->arena, "the kernel's variables need %" PRIu64 " bytes of local memory, the device has %" PRIu64, total,
                             limit));
}
