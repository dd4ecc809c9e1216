// SPDX-License-Identifier: Apache-2.0
// Values that pass from block to block -> variables, so that blocks can be moved.
//
//   b0: %1 = ...                    b0: %1 = ... ; store @v, %1
//   b3: %2 = phi b1: %1, b2: 0      b1: %3 = load @v ; store @w, %3     b2: store @w, 0
//       use %1, %2                  b3: %4 = load @w ; %5 = load @v ; use %5, %4
//
// The driver makes values of the variables again.
#include "passes/demote.h"

struct moved { // through variables
    struct ir_function *f;
    struct arena *scratch;
    struct map vars;   // value or phi -> its variable
    struct map loaded; // value -> the load of the block at hand
    VEC(struct ir_instr *) values, phis;
};

// ---- variables -----------------------------------------------------------------------------------

static struct ir_type kept_type(struct ir_type type)
{
    return type.base == IR_BOOL ? ir_with_lanes(ir_int(32), type.lanes) : type;
}

static bool can_keep(struct ir_type type)
{
    return !ir_is_matrix(type) && (type.base == IR_BOOL || type.base == IR_INT || type.base == IR_FLOAT);
}

struct ir_var *demote_var(struct ir_function *f, const char *name, struct ir_type type)
{
    type = kept_type(type);
    uint32_t bytes = type.bits / 8u * (type.lanes == 3 ? 4 : type.lanes);
    struct ir_var *var = ir_var_add(f->module, f, name, IR_PRIVATE, bytes, bytes);
    var->elem = type;
    var->count = 1;
    return var;
}

void demote_store(struct ir_builder *b, struct ir_var *var, struct ir_instr *value)
{
    if (value->type.base == IR_BOOL)
        value = ir_convert(b, IR_OP_zext, var->elem, value);
    ir_elem_store(b, var, ir_const_int(b->module, ir_int(32), 0), value);
}

struct ir_instr *demote_load(struct ir_builder *b, struct ir_var *var, struct ir_type type)
{
    struct ir_instr *x = ir_elem_load(b, var, ir_const_int(b->module, ir_int(32), 0));
    return type.base == IR_BOOL ? ir_op2(b, IR_OP_ine, x, ir_const_int(b->module, x->type, 0)) : x;
}

// ---- which values --------------------------------------------------------------------------------

static void find_value(struct moved *m, struct ir_instr *x, const struct ir_block *user)
{
    if (!x || !x->block || x->block == user || x->op == IR_OP_phi || x->mark)
        return;
    x->mark = 1;
    vec_push(m->scratch, &m->values, x);
}

// What decides where control goes behind `block`, and is computed there or above.
static struct ir_instr **decider(struct ir_block *block)
{
    struct ir_node *next = block->node.next, *owner = block->node.list->owner;
    if (next)
        return next->kind == IR_IF ? &((struct ir_if *)next)->cond : next->kind == IR_SWITCH ? &((struct ir_switch *)next)->value : NULL;
    bool ends_loop = owner && owner->kind == IR_LOOP && block->node.list == &((struct ir_loop *)owner)->cont;
    return ends_loop && ((struct ir_loop *)owner)->cond ? &((struct ir_loop *)owner)->cond : NULL;
}

static void find_values(struct moved *m)
{
    for (struct ir_block *block = ir_first_block(m->f); block; block = ir_next_block(block)) {
        for (struct ir_instr *x = block->first; x; x = x->next) {
            if (x->op == IR_OP_phi)
                vec_push(m->scratch, &m->phis, x);
            for (uint32_t i = 0; i < x->src_count; i++)
                find_value(m, x->src[i], x->op == IR_OP_phi ? x->preds[i] : block);
        }
        struct ir_instr **value = decider(block);
        if (value)
            find_value(m, *value, block);
    }
    for (size_t i = 0; i < m->values.count; i++)
        m->values.items[i]->mark = 0;
}

static bool can_keep_all(const struct moved *m)
{
    bool can = true;
    for (size_t i = 0; i < m->values.count; i++)
        can &= can_keep(m->values.items[i]->type);
    for (size_t i = 0; i < m->phis.count; i++)
        can &= can_keep(m->phis.items[i]->type);
    return can;
}

static void make_var(struct moved *m, const struct ir_instr *x)
{
    map_set(m->scratch, &m->vars, x, demote_var(m->f, "value", x->type));
}

// ---- the way through -----------------------------------------------------------------------------

// A value of another block, as `block` has it: loaded where the block begins, behind its phis.
static struct ir_instr *here(struct moved *m, struct ir_block *block, struct ir_instr *x)
{
    struct ir_var *var = x->block != block || x->op == IR_OP_phi ? map_get(&m->vars, x) : NULL;
    if (!var)
        return x;
    struct ir_instr *known = map_get(&m->loaded, x);
    if (known && known->block == block)
        return known;
    struct ir_builder b = {.module = m->f->module, .function = m->f};
    ir_place_after_phis(&b, block);
    b.dead = false;
    known = demote_load(&b, var, x->type);
    map_set(m->scratch, &m->loaded, x, known);
    return known;
}

static void use_here(struct moved *m, struct ir_block *block)
{
    for (struct ir_instr *x = block->first; x; x = x->next)
        for (uint32_t i = 0; x->op != IR_OP_phi && i < x->src_count; i++)
            x->src[i] = here(m, block, x->src[i]);
    struct ir_instr **value = decider(block);
    if (value)
        *value = here(m, block, *value);
}

// At the end of each block that a phi names: all that is loaded for phis is loaded before any is stored.
static void store_phis(struct moved *m)
{
    for (size_t i = 0; i < m->phis.count; i++)
        for (uint32_t k = 0; k < m->phis.items[i]->src_count; k++)
            here(m, m->phis.items[i]->preds[k], m->phis.items[i]->src[k]);
    for (size_t i = 0; i < m->phis.count; i++) {
        struct ir_instr *phi = m->phis.items[i];
        for (uint32_t k = 0; k < phi->src_count; k++) {
            struct ir_block *pred = phi->preds[k];
            struct ir_builder b = {.module = m->f->module, .function = m->f, .block = pred};
            b.before = ir_ends_in_jump(pred) ? pred->last : NULL;
            if (phi->src[k]->op != IR_OP_undef)
                demote_store(&b, map_get(&m->vars, phi), here(m, pred, phi->src[k]));
        }
    }
}

static void store_value(struct moved *m, struct ir_instr *x)
{
    struct ir_builder b = {.module = m->f->module, .function = m->f, .block = x->block, .before = x->next};
    demote_store(&b, map_get(&m->vars, x), x);
}

bool demote_values(struct ir_function *f, struct arena *scratch)
{
    struct moved m = {.f = f, .scratch = scratch};
    find_values(&m);
    if (!can_keep_all(&m))
        return false;
    for (size_t i = 0; i < m.values.count; i++)
        make_var(&m, m.values.items[i]);
    for (size_t i = 0; i < m.phis.count; i++)
        make_var(&m, m.phis.items[i]);
    for (struct ir_block *block = ir_first_block(f); block; block = ir_next_block(block))
        use_here(&m, block);
    store_phis(&m);
    for (size_t i = 0; i < m.values.count; i++)
        store_value(&m, m.values.items[i]);
    for (size_t i = 0; i < m.phis.count; i++)
        ir_remove(m.phis.items[i]);
    return true;
}
