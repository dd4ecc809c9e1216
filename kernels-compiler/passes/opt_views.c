// SPDX-License-Identifier: Apache-2.0
// Changes the element type of views of a buffer (buffers.c) from integers to floats if most accesses bitcast to
// floats, to make modules for other programs smaller.
//
//   %1 = elem_load i32 %i of @x ; %2 = bitcast f32 %1   ->   %2 = elem_load f32 %i of @x
//
// Views with one element type share a block type, so they are changed together, if the casts saved outweigh an
// additional block type.
#include "passes/opt.h"

enum { BLOCK_CASTS = 7 }; // cost of a block type, in casts

struct view {
    struct ir_var *var;
    int gain; // casts removed minus casts added
    bool chosen;
};

struct views {
    struct ir_module *m;
    struct arena *scratch;
    VEC(struct view *) all;
    struct map by_var;
};

static struct ir_type as_float(struct ir_type type)
{
    type.base = IR_FLOAT;
    return type;
}

static bool has_floats(const struct kc_target *t, struct ir_type elem)
{
    return elem.base == IR_INT && (elem.bits == 32 || (elem.bits == 16 && t->float16) || (elem.bits == 64 && t->float64));
}

static void find_views(struct views *v, const struct kc_target *target)
{
    for (size_t i = 0; i < v->m->vars.count; i++) {
        struct ir_var *var = v->m->vars.items[i];
        bool uniform = var->count != 0; // its elements are always 16 bytes
        if (var->space != IR_BUFFER || uniform || !has_floats(target, var->elem))
            continue;
        struct view *view = ARENA_NEW(v->scratch, struct view);
        view->var = var;
        vec_push(v->scratch, &v->all, view);
        map_set(v->scratch, &v->by_var, var, view);
    }
}

static struct view *view_of(const struct views *v, const struct ir_instr *x)
{
    return x->op >= IR_OP_elem_load && x->op <= IR_OP_elem_atomic ? map_get(&v->by_var, x->var) : NULL;
}

static bool is_cast_of(const struct ir_instr *x, enum ir_base from, enum ir_base to)
{
    return x->op == IR_OP_bitcast && x->type.base == to && x->src[0]->type.base == from && x->type.bits == x->src[0]->type.bits;
}

// A value copied between views needs no cast if both have floats.
static bool is_copied(const struct views *v, const struct ir_instr *value) { return value->op == IR_OP_elem_load && view_of(v, value); }

static int store_gain(const struct views *v, const struct ir_instr *value)
{
    return ir_is_const(value) || is_copied(v, value) ? 0 : is_cast_of(value, IR_FLOAT, IR_INT) ? 1 : -1;
}

// A loaded value with uses other than casts and copies needs a cast back.
static void see_function(struct views *v, struct ir_function *f)
{
    const uint32_t *uses = opt_use_counts(f, v->scratch);
    uint32_t *casts = ARENA_ARRAY(v->scratch, uint32_t, f->instr_count + 1);
    uint32_t *copies = ARENA_ARRAY(v->scratch, uint32_t, f->instr_count + 1);
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b))
        for (struct ir_instr *x = b->first; x; x = x->next) {
            if (is_cast_of(x, IR_INT, IR_FLOAT))
                casts[x->src[0]->id]++;
            if (x->op == IR_OP_elem_store && view_of(v, x))
                copies[x->src[1]->id] += is_copied(v, x->src[1]);
        }
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b))
        for (struct ir_instr *x = b->first; x; x = x->next) {
            struct view *view = view_of(v, x);
            if (!view)
                continue;
            if (x->op == IR_OP_elem_load)
                view->gain += (int)casts[x->id] - (uses[x->id] > casts[x->id] + copies[x->id]);
            else if (x->op == IR_OP_elem_store)
                view->gain += store_gain(v, x->src[1]);
            else
                map_set(v->scratch, &v->by_var, x->var, NULL); // atomics need integers
        }
}

static bool gains_by_change(const struct views *v, const struct view *view)
{
    return map_get(&v->by_var, view->var) && view->gain > 0;
}

static bool choose(struct views *v, struct ir_type elem)
{
    int gain = 0;
    bool all = true;
    for (size_t i = 0; i < v->all.count; i++) {
        struct view *view = v->all.items[i];
        if (!ir_type_eq(view->var->elem, elem))
            continue;
        gain += gains_by_change(v, view) ? view->gain : 0;
        all &= gains_by_change(v, view);
    }
    return gain > (all ? 0 : BLOCK_CASTS);
}

static void rewrite(struct ir_builder *b, struct ir_instr *x)
{
    struct ir_type type = x->var->elem;
    ir_place_before(b, x);
    if (x->op == IR_OP_elem_load) {
        struct ir_instr *load = ir_build_like(b, IR_OP_elem_load, type, x->src, 1, x);
        ir_replace(x, ir_convert(b, IR_OP_bitcast, x->type, load));
    } else {
        x->src[1] = ir_convert(b, IR_OP_bitcast, type, opt_resolved(x->src[1]));
    }
}

static void rewrite_function(struct views *v, struct ir_function *f)
{
    struct ir_builder b = {.module = v->m, .function = f};
    for (struct ir_block *block = ir_first_block(f); block; block = ir_next_block(block))
        for (struct ir_instr *x = block->first, *next; x; x = next) {
            struct view *view = view_of(v, x);
            next = x->next;
            if (view && view->chosen)
                rewrite(&b, x);
        }
    ir_resolve(f);
    f->converged = false;
}

// Requires: lower_memory, lower_push. Keeps: values. Removes: nothing.
bool opt_views(struct pass_context *c)
{
    struct views v = {.m = c->module, .scratch = c->scratch};
    bool changed = false;
    if (!c->target->mapping.on)
        return false;
    find_views(&v, c->target);
    for (size_t i = 0; i < c->module->functions.count; i++)
        see_function(&v, c->module->functions.items[i]);
    for (size_t i = 0; i < v.all.count; i++)
        v.all.items[i]->chosen = gains_by_change(&v, v.all.items[i]) && choose(&v, v.all.items[i]->var->elem);
    for (size_t i = 0; i < v.all.count; i++)
        if (v.all.items[i]->chosen) {
            v.all.items[i]->var->elem = as_float(v.all.items[i]->var->elem);
            changed = true;
        }
    for (size_t i = 0; changed && i < c->module->functions.count; i++)
        rewrite_function(&v, c->module->functions.items[i]);
    return changed;
}
