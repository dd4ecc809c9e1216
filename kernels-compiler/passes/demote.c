// SPDX-License-Identifier: Apache-2.0
// Demotes values that are used across parts of a function to variables, so that the parts can be moved.
//
//   b0: %1 = ...                    b0: %1 = ... ; store @v, %1
//   b3: %2 = phi b1: %1, b2: 0      b1: %3 = load @v ; store @w, %3     b2: store @w, 0
//       use %1, %2                  b3: %4 = load @w ; %5 = load @v ; use %5, %4
//
// Cheap values that only depend on the launch are recomputed instead; where `pieces` asks for it, also integers that
// are a few operations away from values in variables, before each use. The driver promotes the variables to values
// again.
#include "passes/demote.h"
#include "passes/opt.h"
#include "util/stack.h"

struct demotion { // the demotion
    struct ir_function *f;
    struct arena *scratch;
    const struct demote_pieces *pieces; // NULL: each block is a piece
    struct map values_at; // value -> its variable, for use in other pieces
    struct map arrivals;  // phi or parameter -> its variable
    struct map loaded;    // value -> its load in the current piece
    struct map starts; // first block of a piece -> its first instruction that is not a phi
    struct map nearby; // derived value -> what recomputes it in the current block
    struct map sources; // derived value, or one that it needs -> its sources before the rewriting
    VEC(struct ir_instr *) values, phis;
};

static struct ir_block *piece_of(const struct demotion *m, struct ir_block *block)
{
    return m->pieces ? m->pieces->first[block->index] : block;
}

// ---- variables -----------------------------------------------------------------------------------

struct ir_type demote_type(struct ir_type type)
{
    return type.base == IR_BOOL ? ir_with_lanes(ir_int(32), type.lanes) : type;
}

bool demote_can_store(struct ir_type type)
{
    return !ir_is_matrix(type) && (type.base == IR_BOOL || type.base == IR_INT || type.base == IR_FLOAT);
}

struct ir_var *demote_array(struct ir_module *m, struct ir_function *f, const char *name, struct ir_type type, uint32_t count)
{
    type = demote_type(type);
    const uint32_t bytes = ir_elem_bytes(type);
    struct ir_var *var = ir_var_add(m, f, name, IR_PRIVATE, (uint64_t)bytes * count, bytes);
    var->elem = type;
    var->count = count;
    return var;
}

struct ir_var *demote_var(struct ir_function *f, const char *name, struct ir_type type)
{
    return demote_array(f->module, f, name, type, 1);
}

void demote_store_at(struct ir_builder *b, struct ir_var *var, struct ir_instr *index, struct ir_instr *value)
{
    if (value->type.base == IR_BOOL)
        value = ir_convert(b, IR_OP_zext, var->elem, value);
    ir_elem_store(b, var, index, value);
}

struct ir_instr *demote_load_at(struct ir_builder *b, struct ir_var *var, struct ir_instr *index, struct ir_type type)
{
    struct ir_instr *x = ir_elem_load(b, var, index);
    return type.base == IR_BOOL ? ir_op2(b, IR_OP_ine, x, ir_const_int(b->module, x->type, 0)) : x;
}

static struct ir_instr *first_index(const struct ir_builder *b) { return ir_const_int(b->module, ir_int(32), 0); }

void demote_store(struct ir_builder *b, struct ir_var *var, struct ir_instr *value) { demote_store_at(b, var, first_index(b), value); }

struct ir_instr *demote_load(struct ir_builder *b, struct ir_var *var, struct ir_type type)
{
    return demote_load_at(b, var, first_index(b), type);
}

void demote_force_memory(struct ir_builder *b, struct ir_var *array)
{
    struct ir_type type = array->elem;
    if (array->count == 1) {
        array->count = 2;
        array->size *= 2;
    }
    struct ir_instr *most = ir_const_int(b->module, ir_int(32), array->count - 1);
    struct ir_instr *some = ir_op2(b, IR_OP_umin, ir_sys(b, IR_SYS_VK_LOCAL_INDEX, 0), most);
    ir_elem_store(b, array, some, type.base == IR_FLOAT ? ir_const_float(b->module, type, 0) : ir_const_int(b->module, type, 0));
}

// ---- phis of one block ----------------------------------------------------------------------------

// The value before the if or switch: a constant that paths have, which need no stores then.
static struct ir_instr *first_value(struct ir_module *m, const struct ir_instr *phi, const struct ir_var *var)
{
    for (uint32_t i = phi->src_count; i--;)
        if (ir_is_const(phi->src[i]))
            return phi->src[i];
    return var->elem.base == IR_FLOAT ? ir_const_float(m, var->elem, 0) : ir_const_int(m, var->elem, 0);
}

static void demote_phi(struct ir_function *f, struct ir_node *before, struct ir_instr *phi, struct ir_builder *after)
{
    struct ir_var *var = demote_var(f, "choice", phi->type);
    struct ir_instr *first = first_value(f->module, phi, var);
    struct ir_builder b = {.module = f->module, .function = f, .block = (struct ir_block *)before};
    demote_store(&b, var, first);
    for (uint32_t i = 0; i < phi->src_count; i++) {
        b.block = phi->preds[i];
        b.before = ir_ends_in_jump(b.block) ? b.block->last : NULL;
        if (phi->src[i] != first && phi->src[i]->op != IR_OP_undef)
            demote_store(&b, var, phi->src[i]);
    }
    ir_replace(phi, demote_load(after, var, phi->type));
}

bool demote_phis(struct ir_function *f, struct ir_block *block)
{
    struct ir_builder after = {.module = f->module, .function = f, .block = block, .before = block->first};
    bool changed = false;
    while (after.before && after.before->op == IR_OP_phi)
        after.before = after.before->next;
    for (struct ir_instr *x = block->first, *next; x && x->op == IR_OP_phi; x = next) {
        next = x->next;
        if (!demote_can_store(x->type))
            continue;
        demote_phi(f, block->node.prev->prev, x, &after);
        changed = true;
    }
    return changed;
}

// ---- rematerialization ----------------------------------------------------------------------------

enum { RECOMPUTE_MOST = 16 }; // limit in instructions

// Whether `x` only depends on the launch; decrements `room` for each instruction.
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

bool demote_recomputes(const struct ir_instr *x)
{
    uint32_t room = RECOMPUTE_MOST;
    return is_of_launch(x, &room);
}

// ---- selection of values -------------------------------------------------------------------------

static bool comes_from_elsewhere(const struct demotion *m, const struct ir_instr *phi)
{
    for (uint32_t i = 0; i < phi->src_count; i++)
        if (!m->pieces || piece_of(m, phi->preds[i]) != piece_of(m, phi->block))
            return true;
    return false;
}

static bool starts_loop(const struct ir_block *block)
{
    const struct ir_node *loop = block->node.list->owner;
    return loop && loop->kind == IR_LOOP && ir_list_first(&((const struct ir_loop *)loop)->body) == block;
}

// A loop with a condition at its end stores the next iteration's phis before the condition is known. After the loop,
// the phis must have the values of the last iteration.
static bool is_overwritten(const struct ir_instr *phi, const struct ir_block *user)
{
    const struct ir_node *loop = phi->block->node.list->owner;
    if (!starts_loop(phi->block) || !((const struct ir_loop *)loop)->cond)
        return false;
    for (const struct ir_node *in = &user->node; in; in = in->list->owner)
        if (in->list->owner == loop)
            return false;
    return true;
}

static bool needs_no_variable(const struct demotion *m, const struct ir_instr *x, const struct ir_block *user)
{
    if (x->op != IR_OP_phi)
        return demote_recomputes(x);
    return comes_from_elsewhere(m, x) && !is_overwritten(x, user);
}

// ---- values that are derived from others ---------------------------------------------------------

enum {
    DERIVE_MOST = 8,   // limit in operations
    DERIVE_LEAVES = 2, // of values in variables; parameters are in variables anyway
    LEAF_USES = 8,     // values of so many uses are not derived
    LEAF_SHARED = 4,   // values are put in variables for so many derived ones
};

struct derived {
    struct ir_instr *leaves[DERIVE_LEAVES];
    unsigned count, room;
};

struct leaf {
    uint32_t users;
    bool is_value; // is in a variable anyway
};

static bool is_simple(const struct ir_instr *x)
{
    switch (x->op) {
    case IR_OP_iadd:
    case IR_OP_isub:
    case IR_OP_shl:
    case IR_OP_lshr:
    case IR_OP_and:
    case IR_OP_or:
    case IR_OP_zext:
    case IR_OP_sext:
        return x->type.base == IR_INT && x->type.lanes == 1 && x->src[0]->type.base == IR_INT;
    default:
        return false;
    }
}

static bool find_leaves(const struct demotion *m, const uint32_t *uses, const struct ir_instr *x, struct derived *d)
{
    stack_check();
    if (!is_simple(x) || !d->room--)
        return false;
    for (uint32_t i = 0; i < x->src_count; i++) {
        struct ir_instr *src = x->src[i];
        if (demote_recomputes(src) || (src->op == IR_OP_param && m->pieces->params))
            continue;
        const struct derived before = *d;
        if (src->block && uses[src->id] < LEAF_USES && find_leaves(m, uses, src, d))
            continue;
        *d = before;
        unsigned k = 0;
        while (k < d->count && d->leaves[k] != src)
            k++;
        if (k == DERIVE_LEAVES || !src->block || !demote_can_store(src->type))
            return false;
        d->leaves[k] = src;
        d->count += k == d->count;
    }
    return true;
}

static struct leaf *leaf_of(struct demotion *m, struct map *leaves, struct ir_instr *x)
{
    struct leaf *leaf = map_get(leaves, x);
    if (!leaf) {
        leaf = ARENA_NEW(m->scratch, struct leaf);
        map_set(m->scratch, leaves, x, leaf);
    }
    return leaf;
}

static void note_sources(struct demotion *m, struct ir_instr *x, const struct derived *d)
{
    stack_check();
    for (unsigned k = 0; k < d->count; k++)
        if (x == d->leaves[k])
            return;
    if (!is_simple(x) || demote_recomputes(x) || map_get(&m->sources, x))
        return;
    struct ir_instr **src = ARENA_ARRAY(m->scratch, struct ir_instr *, x->src_count);
    memcpy(src, x->src, x->src_count * sizeof *src);
    map_set(m->scratch, &m->sources, x, src);
    for (uint32_t i = 0; i < x->src_count; i++)
        note_sources(m, src[i], d);
}

// Takes values out of the list whose leaves are in it, or are worth a variable. Returns their number.
static uint32_t derive_values(struct demotion *m)
{
    const uint32_t *uses = opt_use_counts(m->f, m->scratch);
    const size_t count = m->values.count;
    struct derived *all = ARENA_ARRAY(m->scratch, struct derived, count + 1); // `room`: it can be derived
    struct map leaves = {0};
    for (size_t i = 0; i < count; i++) {
        all[i].room = uses[m->values.items[i]->id] < LEAF_USES ? DERIVE_MOST : 0;
        all[i].room = find_leaves(m, uses, m->values.items[i], &all[i]);
        for (unsigned k = 0; all[i].room && k < all[i].count; k++)
            leaf_of(m, &leaves, all[i].leaves[k])->users++;
    }
    for (size_t i = 0; i < count; i++)
        leaf_of(m, &leaves, m->values.items[i])->is_value = true;
    size_t kept = 0;
    VEC(struct ir_instr *) more = {0};
    for (size_t i = 0; i < count; i++) {
        struct ir_instr *x = m->values.items[i];
        bool derives = all[i].room && !leaf_of(m, &leaves, x)->users;
        for (unsigned k = 0; derives && k < all[i].count; k++) {
            const struct leaf *leaf = leaf_of(m, &leaves, all[i].leaves[k]);
            derives = leaf->is_value || leaf->users >= LEAF_SHARED;
        }
        for (unsigned k = 0; derives && k < all[i].count; k++) {
            struct leaf *leaf = leaf_of(m, &leaves, all[i].leaves[k]);
            if (!leaf->is_value)
                vec_push(m->scratch, &more, all[i].leaves[k]);
            leaf->is_value = true;
        }
        if (derives)
            note_sources(m, x, &all[i]);
        else
            m->values.items[kept++] = x;
    }
    m->values.count = kept;
    for (size_t i = 0; i < more.count; i++)
        vec_push(m->scratch, &m->values, more.items[i]);
    return (uint32_t)(count - kept);
}

static void find_value(struct demotion *m, struct ir_instr *x, struct ir_block *user)
{
    if (!x || !x->block || piece_of(m, x->block) == piece_of(m, user) || x->mark || needs_no_variable(m, x, user))
        return;
    x->mark = 1;
    vec_push(m->scratch, &m->values, x);
}

struct ir_instr **demote_decider(struct ir_block *block)
{
    struct ir_node *next = block->node.next, *owner = block->node.list->owner;
    if (next)
        return next->kind == IR_IF ? &((struct ir_if *)next)->cond : next->kind == IR_SWITCH ? &((struct ir_switch *)next)->value : NULL;
    bool ends_loop = owner && owner->kind == IR_LOOP && block->node.list == &((struct ir_loop *)owner)->cont;
    return ends_loop && ((struct ir_loop *)owner)->cond ? &((struct ir_loop *)owner)->cond : NULL;
}

static void find_values(struct demotion *m)
{
    for (struct ir_block *block = ir_first_block(m->f); block; block = ir_next_block(block)) {
        for (struct ir_instr *x = block->first; x; x = x->next) {
            if (x->op == IR_OP_phi && comes_from_elsewhere(m, x))
                vec_push(m->scratch, &m->phis, x);
            for (uint32_t i = 0; i < x->src_count; i++)
                find_value(m, x->src[i], x->op == IR_OP_phi ? x->preds[i] : block);
        }
        struct ir_instr **value = demote_decider(block);
        if (value)
            find_value(m, *value, block);
    }
    for (size_t i = 0; i < m->values.count; i++)
        m->values.items[i]->mark = 0;
}

static bool can_store_all(const struct demotion *m)
{
    bool can = true;
    for (size_t i = 0; i < m->values.count; i++)
        can &= demote_can_store(m->values.items[i]->type);
    for (size_t i = 0; i < m->phis.count; i++)
        can &= demote_can_store(m->phis.items[i]->type);
    return can;
}

static void make_vars(struct demotion *m)
{
    for (size_t i = 0; i < m->values.count; i++)
        map_set(m->scratch, &m->values_at, m->values.items[i], demote_var(m->f, "value", m->values.items[i]->type));
    for (size_t i = 0; i < m->phis.count; i++)
        map_set(m->scratch, &m->arrivals, m->phis.items[i], demote_var(m->f, "value", m->phis.items[i]->type));
    for (uint32_t i = 0; m->pieces && m->pieces->params && i < m->f->param_count; i++)
        if (m->pieces->params[i])
            map_set(m->scratch, &m->arrivals, m->f->params[i], m->pieces->params[i]);
}

// ---- rewriting -----------------------------------------------------------------------------------

static struct ir_instr *behind_phis(const struct ir_block *block)
{
    struct ir_instr *x = block->first;
    while (x && x->op == IR_OP_phi)
        x = x->next;
    return x;
}

// Records the first instruction of each piece before anything is inserted.
static void note_starts(struct demotion *m)
{
    for (struct ir_block *block = ir_first_block(m->f); block; block = ir_next_block(block))
        if (piece_of(m, block) == block)
            map_set(m->scratch, &m->starts, block, behind_phis(block));
}

static struct ir_instr *local_value(struct demotion *m, struct ir_block *block, struct ir_instr *user, struct ir_instr *x);

static struct ir_instr *recompute(struct demotion *m, struct ir_builder *b, struct ir_instr *x)
{
    stack_check();
    struct ir_instr **noted = map_get(&m->sources, x), **from = noted ? noted : x->src;
    struct ir_instr **src = ARENA_ARRAY(m->scratch, struct ir_instr *, x->src_count + 1);
    for (uint32_t i = 0; i < x->src_count; i++)
        src[i] = local_value(m, b->block, b->before, from[i]);
    b->origin = x->origin;
    return ir_build_like(b, (enum ir_op)x->op, x->type, src, x->src_count, x);
}

// What is derived from others is recomputed before `user`, NULL: at the end of the block.
static struct ir_instr *nearby_value(struct demotion *m, struct ir_block *block, struct ir_instr *user, struct ir_instr *x)
{
    struct ir_instr *known = user ? map_get(&m->nearby, x) : NULL;
    if (known && known->block == block)
        return known;
    struct ir_builder b = {.module = m->f->module, .function = m->f, .block = block, .before = user};
    if (!user && ir_ends_in_jump(block))
        b.before = block->last;
    known = recompute(m, &b, x);
    if (user)
        map_set(m->scratch, &m->nearby, x, known);
    return known;
}

// The value in the current piece: loaded at the start of the piece if it belongs to another one.
static struct ir_instr *local_value(struct demotion *m, struct ir_block *block, struct ir_instr *user, struct ir_instr *x)
{
    struct ir_block *first = piece_of(m, block);
    const bool own = x->block && piece_of(m, x->block) == first;
    struct ir_var *var = own ? NULL : map_get(&m->values_at, x);
    if (!var)
        var = map_get(&m->arrivals, x);
    if (!var && (own || !x->block))
        return x;
    if (!var && map_get(&m->sources, x))
        return nearby_value(m, block, user, x);
    struct ir_instr *known = map_get(&m->loaded, x);
    if (known && known->block && piece_of(m, known->block) == first)
        return known;
    struct ir_builder b = {.module = m->f->module, .function = m->f, .block = first, .before = map_get(&m->starts, first)};
    known = var ? demote_load(&b, var, x->type) : recompute(m, &b, x);
    map_set(m->scratch, &m->loaded, x, known);
    return known;
}

static void use_local_values(struct demotion *m, struct ir_block *block)
{
    for (struct ir_instr *x = block->first; x; x = x->next) {
        if (x->op == IR_OP_phi && map_get(&m->arrivals, x))
            continue;
        for (uint32_t i = 0; i < x->src_count; i++)
            x->src[i] = x->op == IR_OP_phi ? local_value(m, x->preds[i], NULL, x->src[i]) : local_value(m, block, x, x->src[i]);
    }
    struct ir_instr **value = demote_decider(block);
    if (value)
        *value = local_value(m, block, NULL, *value);
}

// Stores phi values at the end of each predecessor, after loading all of them. Undefined ones only before loops: the variable
// is then in use in all of the loop, also for users that compare where variables are used.
static void store_phis(struct demotion *m)
{
    VEC(struct ir_instr *) sources = {0};
    for (size_t i = 0; i < m->phis.count; i++)
        for (uint32_t k = 0; k < m->phis.items[i]->src_count; k++)
            vec_push(m->scratch, &sources, local_value(m, m->phis.items[i]->preds[k], NULL, m->phis.items[i]->src[k]));
    struct ir_instr **source = sources.items;
    for (size_t i = 0; i < m->phis.count; i++) {
        struct ir_instr *phi = m->phis.items[i];
        for (uint32_t k = 0; k < phi->src_count; k++, source++) {
            struct ir_block *pred = phi->preds[k];
            struct ir_builder b = {.module = m->f->module, .function = m->f, .block = pred};
            b.before = ir_ends_in_jump(pred) ? pred->last : NULL;
            if (phi->src[k]->op != IR_OP_undef || starts_loop(phi->block))
                demote_store(&b, map_get(&m->arrivals, phi), *source);
        }
    }
}

static void store_value(struct demotion *m, struct ir_instr *x)
{
    struct ir_builder b = {.module = m->f->module, .function = m->f};
    struct ir_instr *value = local_value(m, x->block, NULL, x);
    b.block = value->block;
    b.before = value->op == IR_OP_phi ? behind_phis(value->block) : value->next;
    demote_store(&b, map_get(&m->values_at, x), value);
}

bool demote_values(struct ir_function *f, struct demote_pieces *pieces, struct arena *scratch)
{
    struct demotion m = {.f = f, .scratch = scratch, .pieces = pieces};
    find_values(&m);
    if (pieces && pieces->derives)
        pieces->derived = derive_values(&m);
    if (!can_store_all(&m))
        return false;
    make_vars(&m);
    note_starts(&m);
    for (struct ir_block *block = ir_first_block(f); block; block = ir_next_block(block))
        use_local_values(&m, block);
    store_phis(&m);
    for (size_t i = 0; i < m.values.count; i++)
        store_value(&m, m.values.items[i]);
    for (size_t i = 0; i < m.phis.count; i++)
        ir_remove(m.phis.items[i]);
    return true;
}
