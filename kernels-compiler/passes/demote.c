// SPDX-License-Identifier: Apache-2.0
// Values that pass from piece to piece of a function -> variables, so that the pieces can be moved.
//
//   b0: %1 = ...                    b0: %1 = ... ; store @v, %1
//   b3: %2 = phi b1: %1, b2: 0      b1: %3 = load @v ; store @w, %3     b2: store @w, 0
//       use %1, %2                  b3: %4 = load @w ; %5 = load @v ; use %5, %4
//
// What is cheap and depends on nothing but the launch is computed again instead. The driver makes values of the
// variables again.
#include "passes/demote.h"
#include "util/stack.h"

struct moved { // through variables
    struct ir_function *f;
    struct arena *scratch;
    const struct demote_pieces *pieces; // NULL: each block is one
    struct map values_at; // value -> its variable, for other pieces
    struct map arrivals;  // phi or parameter -> its variable, for all pieces
    struct map loaded;    // value -> what the piece at hand has for it
    struct map starts; // first block of a piece -> its first instruction that is no phi
    VEC(struct ir_instr *) values, phis;
};

static struct ir_block *piece_of(const struct moved *m, struct ir_block *block)
{
    return m->pieces ? m->pieces->first[block->index] : block;
}

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

// ---- what is computed again -----------------------------------------------------------------------

enum { AGAIN_MOST = 16 }; // instructions

// Counts down `room` for all that `x` is made of.
static bool is_of_launch(const struct ir_instr *x, uint32_t *room)
{
    stack_check();
    if (ir_is_const(x) || x->op == IR_OP_undef)
        return true;
    bool push = x->op == IR_OP_elem_load && x->var->space == IR_PUSH;
    bool load = x->op == IR_OP_load && x->mem.readonly && !x->mem.is_volatile;
    if (!*room || x->op == IR_OP_phi || x->op == IR_OP_param || ir_is_matrix(x->type) || !(push || load || ir_has_flag(x, IR_FLAG_P)))
        return false;
    --*room;
    for (uint32_t i = 0; i < x->src_count; i++)
        if (!is_of_launch(x->src[i], room))
            return false;
    return true;
}

bool demote_computes_again(const struct ir_instr *x)
{
    uint32_t room = AGAIN_MOST;
    return is_of_launch(x, &room);
}

// ---- which values --------------------------------------------------------------------------------

static bool comes_from_elsewhere(const struct moved *m, const struct ir_instr *phi)
{
    for (uint32_t i = 0; i < phi->src_count; i++)
        if (!m->pieces || piece_of(m, phi->preds[i]) != piece_of(m, phi->block))
            return true;
    return false;
}

// The end of a loop with a condition stores what its phis would be in another round before it is known whether there is one:
// behind the loop they are what they were in the last.
static bool is_overwritten(const struct ir_instr *phi, const struct ir_block *user)
{
    const struct ir_node *loop = phi->block->node.list->owner;
    if (!loop || loop->kind != IR_LOOP || !((const struct ir_loop *)loop)->cond ||
        ir_list_first(&((const struct ir_loop *)loop)->body) != phi->block)
        return false;
    for (const struct ir_node *in = &user->node; in; in = in->list->owner)
        if (in->list->owner == loop)
            return false;
    return true;
}

static bool needs_no_variable(const struct moved *m, const struct ir_instr *x, const struct ir_block *user)
{
    if (x->op != IR_OP_phi)
        return demote_computes_again(x);
    return comes_from_elsewhere(m, x) && !is_overwritten(x, user);
}

static void find_value(struct moved *m, struct ir_instr *x, struct ir_block *user)
{
    if (!x || !x->block || piece_of(m, x->block) == piece_of(m, user) || x->mark || needs_no_variable(m, x, user))
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
            if (x->op == IR_OP_phi && comes_from_elsewhere(m, x))
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

static void make_vars(struct moved *m)
{
    for (size_t i = 0; i < m->values.count; i++)
        map_set(m->scratch, &m->values_at, m->values.items[i], demote_var(m->f, "value", m->values.items[i]->type));
    for (size_t i = 0; i < m->phis.count; i++)
        map_set(m->scratch, &m->arrivals, m->phis.items[i], demote_var(m->f, "value", m->phis.items[i]->type));
    for (uint32_t i = 0; m->pieces && m->pieces->params && i < m->f->param_count; i++)
        if (m->pieces->params[i])
            map_set(m->scratch, &m->arrivals, m->f->params[i], m->pieces->params[i]);
}

// ---- the way through -----------------------------------------------------------------------------

static struct ir_instr *behind_phis(const struct ir_block *block)
{
    struct ir_instr *x = block->first;
    while (x && x->op == IR_OP_phi)
        x = x->next;
    return x;
}

// Where pieces begin is noted before anything is put there.
static void note_starts(struct moved *m)
{
    for (struct ir_block *block = ir_first_block(m->f); block; block = ir_next_block(block))
        if (piece_of(m, block) == block)
            map_set(m->scratch, &m->starts, block, behind_phis(block));
}

static struct ir_instr *here(struct moved *m, struct ir_block *block, struct ir_instr *x);

static struct ir_instr *compute_again(struct moved *m, struct ir_builder *b, struct ir_instr *x)
{
    stack_check();
    struct ir_instr **src = ARENA_ARRAY(m->scratch, struct ir_instr *, x->src_count + 1);
    for (uint32_t i = 0; i < x->src_count; i++)
        src[i] = here(m, b->block, x->src[i]);
    b->origin = x->origin;
    return ir_build_like(b, (enum ir_op)x->op, x->type, src, x->src_count, x);
}

// A value of another piece, as this one has it: loaded where the piece begins.
static struct ir_instr *here(struct moved *m, struct ir_block *block, struct ir_instr *x)
{
    struct ir_block *first = piece_of(m, block);
    const bool own = x->block && piece_of(m, x->block) == first;
    struct ir_var *var = own ? NULL : map_get(&m->values_at, x);
    if (!var)
        var = map_get(&m->arrivals, x);
    if (!var && (own || !x->block))
        return x;
    struct ir_instr *known = map_get(&m->loaded, x);
    if (known && known->block && piece_of(m, known->block) == first)
        return known;
    struct ir_builder b = {.module = m->f->module, .function = m->f, .block = first, .before = map_get(&m->starts, first)};
    known = var ? demote_load(&b, var, x->type) : compute_again(m, &b, x);
    map_set(m->scratch, &m->loaded, x, known);
    return known;
}

static void use_here(struct moved *m, struct ir_block *block)
{
    for (struct ir_instr *x = block->first; x; x = x->next) {
        if (x->op == IR_OP_phi && map_get(&m->arrivals, x))
            continue;
        for (uint32_t i = 0; i < x->src_count; i++)
            x->src[i] = here(m, x->op == IR_OP_phi ? x->preds[i] : block, x->src[i]);
    }
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
                demote_store(&b, map_get(&m->arrivals, phi), here(m, pred, phi->src[k]));
        }
    }
}

static void store_value(struct moved *m, struct ir_instr *x)
{
    struct ir_builder b = {.module = m->f->module, .function = m->f};
    struct ir_instr *value = here(m, x->block, x);
    b.block = value->block;
    b.before = value->op == IR_OP_phi ? behind_phis(value->block) : value->next;
    demote_store(&b, map_get(&m->values_at, x), value);
}

bool demote_values(struct ir_function *f, const struct demote_pieces *pieces, struct arena *scratch)
{
    struct moved m = {.f = f, .scratch = scratch, .pieces = pieces};
    find_values(&m);
    if (!can_keep_all(&m))
        return false;
    make_vars(&m);
    note_starts(&m);
    for (struct ir_block *block = ir_first_block(f); block; block = ir_next_block(block))
        use_here(&m, block);
    store_phis(&m);
    for (size_t i = 0; i < m.values.count; i++)
        store_value(&m, m.values.items[i]);
    for (size_t i = 0; i < m.phis.count; i++)
        ir_remove(m.phis.items[i]);
    return true;
}
