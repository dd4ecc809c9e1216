// SPDX-License-Identifier: Apache-2.0
// Accesses through generic pointers that may point to several address spaces -> a branch over these spaces.
//
// After inlining, most generic pointers have one origin, whose address space lower_memory gives them; nothing is done
// here. For others the space is tested at run time, and each branch accesses through a cast pointer.
#include "passes/memory.h"
#include "util/stack.h"

static bool is_generic_access(const struct ir_instr *x)
{
    bool access = x->op == IR_OP_load || x->op == IR_OP_store || x->op == IR_OP_atomic;
    return access && x->src[0]->type.space == IR_GENERIC;
}

static unsigned access_spaces(struct memory *m, const struct ir_instr *x)
{
    return is_generic_access(x) ? address_spaces(m, x->src[0]) : 0;
}

static bool is_one(unsigned spaces) { return !(spaces & (spaces - 1)); }

// Repeats the access through a pointer to `space`.
static struct ir_instr *access_in(struct ir_builder *b, const struct ir_instr *x, enum ir_space space)
{
    struct ir_instr *src[3];
    struct ir_instr like = *x;
    for (uint32_t i = 0; i < x->src_count; i++)
        src[i] = x->src[i];
    src[0] = ir_convert(b, IR_OP_ptr_cast, ir_ptr(x->src[0]->type.bits / 8u, space), x->src[0]);
    like.mem.space = (uint8_t)space;
    return ir_build_like(b, (enum ir_op)x->op, x->type, src, x->src_count, &like);
}

static enum ir_space first_space(unsigned spaces)
{
    return spaces >> IR_GLOBAL & 1 ? IR_GLOBAL : spaces >> IR_LOCAL & 1 ? IR_LOCAL : IR_PRIVATE;
}

static struct ir_instr *merge(struct ir_builder *b, struct ir_instr *const *values, struct ir_block *const *from)
{
    struct ir_builder head = *b;
    ir_place_after_phis(&head, b->block);
    struct ir_instr *phi = ir_phi(&head, values[0]->type, 2);
    for (unsigned i = 0; i < 2; i++) {
        phi->src[i] = values[i];
        phi->preds[i] = from[i];
    }
    return phi;
}

// Tests the spaces in order; the last one needs no test. Returns the loaded value; NULL for a store.
static struct ir_instr *branch(struct ir_builder *b, const struct ir_instr *x, struct ir_instr *space, unsigned spaces)
{
    stack_check();
    enum ir_space first = first_space(spaces);
    if (is_one(spaces))
        return access_in(b, x, first);
    struct ir_instr *is_this = ir_op2(b, IR_OP_ieq, space, ir_const_int(b->module, ir_int(32), first));
    struct ir_if *node = ir_add_if(b, is_this);
    struct ir_instr *values[2];
    struct ir_block *from[2];
    struct ir_builder in = *b;
    ir_place_end(&in, &node->then_list);
    values[0] = access_in(&in, x, first);
    from[0] = in.block;
    ir_place_end(&in, &node->else_list);
    values[1] = branch(&in, x, space, spaces & ~(1u << first));
    from[1] = in.block;
    ir_place_after(b, &node->node);
    return x->type.base == IR_VOID ? NULL : merge(b, values, from);
}

static void lower_access(struct memory *m, struct ir_instr *x, unsigned spaces)
{
    struct ir_builder b = {.module = m->m, .function = m->f};
    ir_place_before(&b, x);
    struct ir_instr *space = ir_build(&b, IR_OP_ptr_space, ir_int(32), &x->src[0], 1);
    struct ir_instr *value = branch(&b, x, space, spaces);
    if (value)
        ir_replace(x, value);
    else
        ir_remove(x);
}

static bool lower_function(struct memory *m, struct ir_function *f)
{
    struct arena *scratch = m->scratch;
    VEC(struct ir_instr *) accesses = {0};
    VEC(unsigned) spaces = {0}; // determined before the tree changes, because new values are in no set
    m->f = f;
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b))
        for (struct ir_instr *x = b->first; x; x = x->next)
            if (!is_one(access_spaces(m, x))) {
                vec_push(scratch, &accesses, x);
                vec_push(scratch, &spaces, access_spaces(m, x));
            }
    for (size_t i = 0; i < accesses.count; i++)
        lower_access(m, accesses.items[i], spaces.items[i]);
    if (accesses.count)
        ir_resolve(f);
    return accesses.count;
}

static bool has_generic_access(const struct ir_function *f)
{
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b))
        for (struct ir_instr *x = b->first; x; x = x->next)
            if (is_generic_access(x))
                return true;
    return false;
}

// Requires: calls as for lower_memory, no copy or zero. Keeps: everything else. Removes: accesses with unknown
// address space.
bool lower_generic(struct pass_context *c)
{
    bool changed = false, needed = false;
    struct memory m = {.c = c, .m = c->module, .scratch = c->scratch};
    for (size_t i = 0; i < c->module->functions.count && !needed; i++)
        needed = has_generic_access(c->module->functions.items[i]);
    if (!needed)
        return false;
    address_analyse(&m);
    for (size_t i = 0; i < c->module->functions.count; i++)
        if (c->module->functions.items[i]->has_body)
            changed |= lower_function(&m, c->module->functions.items[i]);
    return changed;
}
