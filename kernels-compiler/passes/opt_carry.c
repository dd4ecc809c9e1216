// SPDX-License-Identifier: Apache-2.0
// Carries an element of a private array from one iteration of a loop to the next in a register, such as the top of a
// stack that the iteration before has pushed:
//
//   loop { %i = phi a: 0, b: %j ; %1 = elem_load %i of $s ... elem_store %j, %2 of $s }
//   ->   %0 = elem_load 0 of $s
//        loop { %i = phi a: 0, b: %j ; %1 = phi a: %0, b: %2 ... elem_store %j, %2 of $s }
//
// The load must be the iteration's first access to what may be its element, at a phi of the loop plus a constant. The
// element that the next iteration will load is looked for backwards from the end of this one, on every path. On a
// path that neither stores nor loads it, it is loaded at the path's end: no path gets more loads than it had.
#include "passes/opt.h"
#include "util/stack.h"

enum { MAX_STEPS = 200, MAX_CARRIED = 4 };

struct place { // element base + offset, modulo 2^32
    const struct ir_var *var;
    const struct ir_instr *base; // NULL: 0
    uint32_t offset;
};

struct carried { // what an iteration begins with: a phi
    struct place place;
    struct ir_instr *value;
};

struct carry {
    struct ir_builder b;
    struct ir_loop *loop;
    struct ir_instr *load;
    struct place place;     // of `load`
    struct ir_instr *value; // its phi, or `load` itself in a trial, which changes nothing
    struct carried done[MAX_CARRIED]; // of this loop
    unsigned count, steps;  // steps: remaining
};

static bool is_trial(const struct carry *c) { return c->value == c->load; }

static struct place place_at(const struct ir_var *var, const struct ir_instr *index, uint32_t offset)
{
    while (index->op == IR_OP_iadd && ir_is_const(index->src[1])) {
        offset += (uint32_t)index->src[1]->lanes[0];
        index = index->src[0];
    }
    if (ir_is_const(index))
        return (struct place){var, NULL, offset + (uint32_t)index->lanes[0]};
    return (struct place){var, index, offset};
}

static bool same_place(const struct place *x, const struct place *y)
{
    return x->var == y->var && x->base == y->base && x->offset == y->offset;
}

static bool may_overlap(const struct place *x, const struct place *y)
{
    return x->base != y->base || x->offset == y->offset;
}

static bool is_element(const struct ir_instr *x)
{
    return (x->op == IR_OP_elem_load || x->op == IR_OP_elem_store) && x->var->space == IR_PRIVATE;
}

// Whether `x` may change an element of `var`.
static bool changes(const struct ir_instr *x, const struct ir_var *var)
{
    return x->op == IR_OP_call || (is_element(x) && x->var == var && (x->op == IR_OP_elem_store || x->mem.is_volatile));
}

static bool node_changes(const struct ir_node *node, const struct ir_var *var)
{
    const struct ir_block *end = (const struct ir_block *)node->next;
    for (const struct ir_block *b = ir_next_block((const struct ir_block *)node->prev); b != end; b = ir_next_block(b))
        for (const struct ir_instr *x = b->first; x; x = x->next)
            if (changes(x, var))
                return true;
    return false;
}

static struct ir_instr *value_from(struct carry *c, struct ir_block *block, struct ir_instr *last, struct place place);

static struct place place_on_edge(const struct ir_block *block, const struct ir_block *pred, struct place place)
{
    const struct ir_instr *base = place.base;
    if (base && base->op == IR_OP_phi && base->block == block)
        return place_at(place.var, opt_phi_source(base, pred), place.offset);
    return place;
}

// Loads an element at a block's end, where it may be outside of the array: the load was not always executed.
static struct ir_instr *load_at_end(struct carry *c, struct ir_block *block, struct place place)
{
    struct ir_builder *b = &c->b;
    struct ir_type i32 = ir_int(32);
    struct ir_var *var = c->load->var;
    if (!place.base && place.offset >= var->count)
        return ir_undef(b->module, c->load->type);
    *b = (struct ir_builder){.module = b->module, .function = b->function, .block = block, .origin = c->load->origin,
                             .before = ir_ends_in_jump(block) ? block->last : NULL};
    struct ir_instr *index = ir_const_int(b->module, i32, place.offset);
    if (place.base)
        index = ir_op2(b, IR_OP_iadd, (struct ir_instr *)place.base, index);
    index = ir_op2(b, IR_OP_umin, index, ir_const_int(b->module, i32, var->count - 1));
    struct ir_instr *x = ir_elem_load(b, var, index);
    x->mark = 1; // is not carried itself: there would be no end
    return x;
}

static struct ir_instr *make_phi(struct carry *c, struct ir_block *block, struct ir_instr *const *values)
{
    ir_place_after_phis(&c->b, block);
    struct ir_instr *phi = ir_phi(&c->b, c->load->type, block->pred_count);
    for (uint32_t i = 0; i < block->pred_count; i++) {
        phi->preds[i] = block->preds[i];
        phi->src[i] = values[i];
    }
    return phi;
}

// The element's value at the start of a block, from all edges into it; NULL: known on none of them.
static struct ir_instr *join(struct carry *c, struct ir_block *block, struct place place)
{
    struct ir_instr *values[8];
    const uint32_t count = block->pred_count;
    bool any = false, same = true;
    if (!count || count > sizeof values / sizeof *values)
        return NULL;
    for (uint32_t i = 0; i < count; i++) {
        struct ir_block *pred = block->preds[i];
        values[i] = value_from(c, pred, pred->last, place_on_edge(block, pred, place));
        any |= values[i] != NULL;
        same &= values[i] == values[0];
    }
    if (!any || same)
        return values[0];
    if (is_trial(c))
        return ir_undef(c->b.module, c->load->type);
    for (uint32_t i = 0; i < count; i++)
        if (!values[i])
            values[i] = load_at_end(c, block->preds[i], place_on_edge(block, block->preds[i], place));
    return make_phi(c, block, values);
}

static struct ir_instr *value_of_iteration(const struct carry *c, const struct place *place)
{
    for (unsigned i = 0; i < c->count; i++)
        if (same_place(place, &c->done[i].place))
            return c->done[i].value;
    return same_place(place, &c->place) ? c->value : NULL;
}

// The same at the start of a block that is the first of its list.
static struct ir_instr *value_at_start(struct carry *c, struct ir_block *block, struct place place)
{
    struct ir_list *list = block->node.list;
    if (list == &c->loop->cont)
        return join(c, block, place);
    if (list == &c->loop->body)
        return value_of_iteration(c, &place);
    if (!list->owner || list->owner->kind != IR_IF)
        return NULL;
    struct ir_block *before = (struct ir_block *)list->owner->prev;
    return value_from(c, before, before->last, place);
}

// The element's value after `last` in a block; NULL: unknown.
static struct ir_instr *value_from(struct carry *c, struct ir_block *block, struct ir_instr *last, struct place place)
{
    stack_check();
    if (!c->steps || !c->steps--)
        return NULL;
    for (struct ir_instr *x = last; x && x->op != IR_OP_phi; x = x->prev) {
        if (x == place.base || (changes(x, place.var) && !is_element(x)))
            return NULL;
        if (!is_element(x) || x->var != place.var)
            continue;
        const struct place own = place_at(x->var, x->src[0], 0);
        const bool whole = !x->mem.is_volatile && !x->mem.lane;
        if (whole && same_place(&own, &place))
            return x == c->load ? c->value : x->op == IR_OP_elem_load ? x : x->src[1];
        if (x->mem.is_volatile || (x->op == IR_OP_elem_store && may_overlap(&own, &place)))
            return NULL;
    }
    struct ir_node *node = block->node.prev;
    if (!node)
        return value_at_start(c, block, place);
    bool moves = place.base && (place.base->block == block || opt_is_inside(node, place.base));
    if (moves || node_changes(node, place.var))
        return node->kind == IR_IF ? join(c, block, place) : NULL;
    struct ir_block *before = (struct ir_block *)node->prev;
    return value_from(c, before, before->last, place);
}

static struct ir_instr *value_on_edge(struct carry *c, struct ir_block *header, uint32_t i)
{
    struct ir_block *pred = header->preds[i];
    c->steps = MAX_STEPS;
    return value_from(c, pred, pred->last, place_on_edge(header, pred, c->place));
}

static bool is_worthwhile(struct carry *c, struct ir_block *header)
{
    c->steps = MAX_STEPS;
    c->value = c->load;
    bool first = value_from(c, c->load->block, c->load->prev, c->place) == c->value;
    return first && value_on_edge(c, header, header->preds[0] == (struct ir_block *)c->loop->node.prev);
}

static bool carry(struct carry *c)
{
    struct ir_block *header = ir_list_first(&c->loop->body);
    struct ir_instr *x = c->load;
    if (x->mark || x->mem.is_volatile || x->mem.lane || x->var->count == 0 || x->src[0]->type.bits != 32)
        return false;
    c->place = place_at(x->var, x->src[0], 0);
    const struct ir_instr *base = c->place.base;
    if (!base || base->op != IR_OP_phi || base->block != header || header->pred_count != 2 || !is_worthwhile(c, header))
        return false;
    struct ir_instr *none[2] = {x, x};
    c->value = make_phi(c, header, none);
    for (uint32_t i = 0; i < 2; i++) {
        struct ir_instr *value = value_on_edge(c, header, i);
        c->value->src[i] = value ? value : load_at_end(c, header->preds[i], place_on_edge(header, header->preds[i], c->place));
    }
    ir_replace(x, c->value);
    c->done[c->count++] = (struct carried){c->place, c->value};
    return true;
}

static bool visit_loop(struct carry *c)
{
    const struct ir_block *end = (const struct ir_block *)c->loop->node.next;
    bool changed = false;
    for (struct ir_block *b = ir_list_first(&c->loop->body); b != end; b = ir_next_block(b))
        for (struct ir_instr *x = b->first, *next; x && c->count < MAX_CARRIED; x = next) {
            next = x->next;
            c->load = x;
            if (x->op != IR_OP_elem_load || !is_element(x) || !carry(c))
                continue;
            ir_resolve(c->b.function);
            changed = true;
        }
    return changed;
}

static void clear_marks(struct ir_function *f)
{
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b))
        for (struct ir_instr *x = b->first; x; x = x->next)
            x->mark = 0;
}

// Requires: lower_memory, resolved values; finds more after opt_cse. Keeps: values; loads outside of arrays become
// loads of their last element. Removes: loads.
bool opt_carry(struct pass_context *context, struct ir_function *f)
{
    struct opt_nodes nodes = opt_nodes(f, context->scratch);
    struct carry c = {.b = {.module = context->module, .function = f}};
    bool changed = false;
    ir_preds(f);
    for (size_t i = nodes.count; i-- > 0;) {
        c.loop = (struct ir_loop *)nodes.items[i];
        c.count = 0;
        if (c.loop->node.kind == IR_LOOP)
            changed |= visit_loop(&c);
    }
    if (changed)
        clear_marks(f);
    return changed;
}
