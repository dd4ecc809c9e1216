// SPDX-License-Identifier: Apache-2.0
// See pressure.h. A value is live from its computation to its last use; what is computed before a loop and used in it
// is live until the loop's end. Drivers may order instructions differently.
#include "passes/pressure.h"
#include "util/stack.h"

static bool has_own_value(const struct pressure *p, const struct ir_instr *x)
{
    switch (x->op) {
    case IR_OP_sys:
        if (p->row && x->dim && x->sys != IR_SYS_GLOBAL_LINEAR_ID && x->sys != IR_SYS_LOCAL_LINEAR_ID)
            return false;
        return x->sys == IR_SYS_GLOBAL_ID || x->sys == IR_SYS_LOCAL_ID || x->sys == IR_SYS_GLOBAL_LINEAR_ID ||
               x->sys == IR_SYS_LOCAL_LINEAR_ID || x->sys == IR_SYS_VK_GLOBAL_INVOCATION ||
               x->sys == IR_SYS_VK_LOCAL_INVOCATION || x->sys == IR_SYS_VK_LOCAL_INDEX ||
               x->sys == IR_SYS_VK_SUBGROUP_INVOCATION;
    case IR_OP_subgroup:
        return x->group != IR_GROUP_REDUCE || (x->subgroup_op >= IR_SUBGROUP_SHUFFLE && x->subgroup_op <= IR_SUBGROUP_SHUFFLE_DOWN);
    case IR_OP_load:
        return x->mem.space == IR_PRIVATE;
    case IR_OP_elem_load:
        return x->var->space == IR_PRIVATE && (!p->row || x->var->id);
    case IR_OP_elem_store:
        return !p->row;
    default:
        return !ir_has_flag(x, IR_FLAG_P) && x->op != IR_OP_phi;
    }
}

static bool varies(const struct pressure *p, const struct ir_instr *x)
{
    x = x->forward ? opt_resolved(x->forward) : x;
    return !opt_is_floating(x) && p->varies[x->id];
}

// Whether the phi follows an if or switch in which work-items take different ways.
static bool merges_ways(const struct pressure *p, const struct ir_instr *phi)
{
    const struct ir_node *before = phi->block->node.prev;
    return before && ((before->kind == IR_IF && varies(p, ((const struct ir_if *)before)->cond)) ||
                      (before->kind == IR_SWITCH && varies(p, ((const struct ir_switch *)before)->value)));
}

static void find_varying(struct pressure *p, const struct ir_function *f)
{
    enum { ROUNDS = 3 }; // sources of loops' phis come later
    bool more = true;
    for (unsigned round = 0; round < ROUNDS && more; round++) {
        more = false;
        for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b))
            for (struct ir_instr *x = b->first; x; x = x->next) {
                bool any = p->varies[x->id] || has_own_value(p, x) || (x->op == IR_OP_phi && merges_ways(p, x));
                for (uint32_t i = 0; i < x->src_count && !any; i++)
                    any = varies(p, x->src[i]) && x->op != IR_OP_subgroup;
                more |= any && !p->varies[x->id];
                p->varies[x->id] = any;
                if (any && p->row && x->op == IR_OP_elem_store)
                    x->var->id = 1;
            }
    }
}

static uint32_t end_of(const struct pressure *p, const struct ir_loop *loop)
{
    return p->begin[ir_list_last(&loop->cont)->index + 1];
}

// x is used at the position in the block, and in all iterations of the loops around it that do not compute it.
static void use(const struct pressure *p, const struct ir_instr *x, const struct ir_block *block, uint32_t position)
{
    x = x->forward ? opt_resolved(x->forward) : x;
    if (opt_is_floating(x))
        return;
    for (const struct ir_node *node = block->node.list->owner; node; node = node->list->owner) {
        const struct ir_loop *loop = (const struct ir_loop *)node;
        if (node->kind != IR_LOOP)
            continue;
        if (x->id >= p->begin[ir_list_first(&loop->body)->index])
            break;
        position = end_of(p, loop);
    }
    if (p->last[x->id] < position)
        p->last[x->id] = position;
}

static void find_last_uses(const struct pressure *p, const struct ir_function *f)
{
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b)) {
        const struct ir_node *next = b->node.next, *owner = b->node.list->owner;
        const struct ir_loop *around = owner && owner->kind == IR_LOOP ? (const struct ir_loop *)owner : NULL;
        for (struct ir_instr *x = b->first; x; x = x->next)
            for (uint32_t i = 0; i < x->src_count; i++) {
                const struct ir_block *at = x->op == IR_OP_phi ? x->preds[i] : b;
                use(p, x->src[i], at, x->op == IR_OP_phi ? p->begin[at->index + 1] : x->id);
            }
        if (next && next->kind == IR_IF)
            use(p, ((const struct ir_if *)next)->cond, b, p->begin[b->index + 1]);
        else if (next && next->kind == IR_SWITCH)
            use(p, ((const struct ir_switch *)next)->value, b, p->begin[b->index + 1]);
        else if (!next && around && around->cond && b->node.list == &around->cont)
            use(p, around->cond, b, p->begin[b->index + 1]);
    }
}

static uint32_t bytes_of(const struct ir_instr *x)
{
    return x->type.base == IR_VOID ? 0 : x->type.base == IR_BOOL ? 4u * x->type.lanes : ir_type_bytes(x->type);
}

uint32_t pressure_bytes(const struct pressure *p, const struct ir_instr *x) { return varies(p, x) ? bytes_of(x) : 0; }

static bool is_folded(const struct ir_instr *x)
{
    return x->type.base == IR_BOOL || x->type.base == IR_PTR || (x->type.base == IR_INT && x->type.bits == 64) ||
           x->op == IR_OP_zext || x->op == IR_OP_sext;
}

struct pressure pressure_of(struct ir_function *f, struct arena *arena)
{
    ir_number(f);
    struct pressure p = {ARENA_ARRAY(arena, uint32_t, f->block_count + 1), ARENA_ARRAY(arena, uint32_t, f->instr_count + 2),
                         ARENA_ARRAY(arena, uint32_t, f->instr_count + 2), ARENA_ARRAY(arena, uint32_t, f->instr_count + 2),
                         ARENA_ARRAY(arena, uint32_t, f->instr_count + 1),
                         ARENA_ARRAY(arena, bool, f->instr_count + 1), false};
    uint32_t at = f->param_count;
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b)) {
        p.begin[b->index] = at;
        at = b->last ? b->last->id + 1 : at;
    }
    p.begin[f->block_count] = at;
    find_varying(&p, f);
    find_last_uses(&p, f);
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b))
        for (struct ir_instr *x = b->first; x; x = x->next)
            if (p.last[x->id] > x->id) {
                uint32_t *live = varies(&p, x) ? p.live : p.shared;
                live[x->id + 1] += bytes_of(x);
                live[p.last[x->id] + 1] -= bytes_of(x);
                if (live == p.live && !is_folded(x)) {
                    p.firm[x->id + 1] += bytes_of(x);
                    p.firm[p.last[x->id] + 1] -= bytes_of(x);
                }
            }
    for (uint32_t i = 1; i <= at; i++) {
        p.live[i] += p.live[i - 1];
        p.firm[i] += p.firm[i - 1];
        p.shared[i] += p.shared[i - 1];
    }
    return p;
}

bool *pressure_varies_in_row(struct ir_function *f, struct arena *arena)
{
    ir_number(f);
    for (size_t i = 0; i < f->vars.count; i++)
        f->vars.items[i]->id = 0; // 1: its elements vary
    struct pressure p = {.varies = ARENA_ARRAY(arena, bool, f->instr_count + 1), .row = true};
    find_varying(&p, f);
    return p.varies;
}

bool pressure_by_lanes(const struct kc_target *target) { return target->register_bytes < target->most_register_bytes; }

bool pressure_has_scalars(const struct kc_target *target) { return target->register_bytes && !pressure_by_lanes(target); }

uint32_t pressure_room(const struct pressure *p, const struct ir_loop *loop, const struct kc_target *target)
{
    // drivers fold conditions, extensions and addresses into their users: of all values they need about a fifth less.
    // Of the others, registers that are not divided among lanes must hold all, and a sixteenth of them has other uses.
    const uint32_t registers = target->register_bytes, all = registers + registers / 4, end = end_of(p, loop);
    const uint32_t firm = pressure_by_lanes(target) ? all : registers - registers / 16;
    uint32_t room = all;
    for (uint32_t i = p->begin[ir_list_first(&loop->body)->index]; i <= end && room; i++) {
        const uint32_t of_all = p->live[i] < all ? all - p->live[i] : 0, of_firm = p->firm[i] < firm ? firm - p->firm[i] : 0;
        const uint32_t least = of_all < of_firm ? of_all : of_firm;
        room = least < room ? least : room;
    }
    return room;
}

uint32_t pressure_most(const struct pressure *p, const struct ir_loop *loop)
{
    uint32_t most = 0;
    for (uint32_t i = p->begin[ir_list_first(&loop->body)->index]; i <= end_of(p, loop); i++)
        most = p->live[i] + p->shared[i] > most ? p->live[i] + p->shared[i] : most;
    return most;
}

uint32_t pressure_shared_room(const struct pressure *p, const struct ir_loop *loop, uint32_t registers)
{
    enum { SHARED = 2 }; // 1 / this of a value's bytes are those of a work-item
    uint32_t most = 0, end = end_of(p, loop);
    for (uint32_t i = p->begin[ir_list_first(&loop->body)->index]; i <= end; i++) {
        const uint32_t bytes = p->live[i] + p->shared[i] / SHARED;
        most = bytes > most ? bytes : most;
    }
    if (most > 2 * registers)
        return UINT32_MAX;
    return most < registers ? (registers - most) * SHARED : 0;
}
