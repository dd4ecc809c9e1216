// SPDX-License-Identifier: Apache-2.0
// Promotes private variables that are only loaded and stored as a whole to SSA values.
//
//   store $x, %1 ... if %c { store $x, %2 } ... %3 = load $x     ->     %3 = phi b1: %2, b2: %1
//
// The classic algorithm (Cytron et al. 1991): phis at the iterated dominance frontiers of the stores, only where the
// variable is live; then one walk of the dominator tree with a stack of definitions per variable. Control flow is
// structured, so phis end up where ir.h requires them.
#include "passes/opt.h"

struct def { // a definition of a slot, valid from `block` on
    struct ir_instr *value;
    struct ir_block *block;
    struct def *older;
};

struct block_list {
    struct ir_block *block;
    uint32_t edge; // targets: index of this block in the preds of `block`
    struct block_list *next;
};

struct slot {
    struct ir_var *var;
    struct ir_type type;
    bool rejected;
    struct block_list *stores, *loads; // blocks; loads: with a load before any store
    struct ir_block *last_store;
    struct def *top;
};

struct new_phi {
    struct ir_instr *phi;
    struct slot *slot;
    struct new_phi *next;
};

struct block_info {
    struct block_list *frontier;
    struct block_list *targets; // successors that have new phis
    struct new_phi *phis;
    uint32_t live, placed, work; // 1 + number of the slot for which these flags are set
};

struct promote {
    struct ir_module *m;
    struct arena *scratch;
    struct ir_function *f;
    struct slot *slots;
    size_t slot_count;
    struct block_info *info;
    struct ir_block **order; // in dominator tree preorder
    struct ir_block **stack; // worklist of blocks
};

// ---- which variables ----------------------------------------------------------------------------

static struct slot *slot_of(struct promote *p, const struct ir_instr *address)
{
    if (address->op != IR_OP_addr || address->var->space != IR_PRIVATE || address->var->in_module)
        return NULL;
    uint32_t id = address->var->id; // ids are valid for this function's variables only, once collected
    return id && id <= p->slot_count && p->slots[id - 1].var == address->var ? &p->slots[id - 1]
                                                                             : NULL;
}

static void note_type(struct slot *slot, struct ir_type type, const struct ir_mem *mem)
{
    if (slot->type.base == IR_VOID)
        slot->type = type;
    slot->rejected |= mem->is_volatile || !opt_can_recast(type, slot->type) ||
                      ir_type_bytes(type) > slot->var->size;
}

static void push_block(struct promote *p, struct block_list **list, struct ir_block *block)
{
    struct block_list *entry = arena_alloc(p->scratch, sizeof *entry);
    *entry = (struct block_list){.block = block, .next = *list};
    *list = entry;
}

static void note_load(struct promote *p, struct slot *slot, struct ir_instr *x)
{
    note_type(slot, x->type, &x->mem);
    if (slot->last_store != x->block && (!slot->loads || slot->loads->block != x->block))
        push_block(p, &slot->loads, x->block);
}

static void note_store(struct promote *p, struct slot *slot, struct ir_instr *x)
{
    note_type(slot, x->src[1]->type, &x->mem);
    if (slot->last_store != x->block)
        push_block(p, &slot->stores, x->block);
    slot->last_store = x->block;
}

static void note_instr(struct promote *p, struct ir_instr *x)
{
    struct slot *slot;
    for (uint32_t i = 0; i < x->src_count; i++) {
        if (!(slot = slot_of(p, x->src[i])))
            continue;
        if (x->op == IR_OP_load)
            note_load(p, slot, x);
        else if (x->op == IR_OP_store && i == 0)
            note_store(p, slot, x);
        else
            slot->rejected = true;
    }
}

static bool collect(struct promote *p)
{
    p->slot_count = p->f->vars.count;
    p->slots = ARENA_ARRAY(p->scratch, struct slot, p->slot_count);
    for (size_t i = 0; i < p->slot_count; i++) {
        p->slots[i].var = p->f->vars.items[i];
        p->slots[i].var->id = (uint32_t)i + 1;
    }
    for (struct ir_block *b = ir_first_block(p->f); b; b = ir_next_block(b))
        for (struct ir_instr *x = b->first; x; x = x->next)
            note_instr(p, x);
    bool any = false;
    for (size_t i = 0; i < p->slot_count; i++) {
        struct slot *s = &p->slots[i];
        s->rejected |= s->type.base == IR_VOID || s->var->elem.base != IR_VOID;
        any |= !s->rejected;
        if (s->rejected)
            s->var->id = 0;
    }
    return any;
}

// ---- placement of phis --------------------------------------------------------------------------

static struct block_info *info_of(struct promote *p, const struct ir_block *b)
{
    return &p->info[b->index];
}

static void find_frontiers(struct promote *p)
{
    for (struct ir_block *b = ir_first_block(p->f); b; b = ir_next_block(b)) {
        for (uint32_t i = 0; b->pred_count > 1 && i < b->pred_count; i++)
            for (struct ir_block *r = b->preds[i]; r && r != b->idom; r = r->idom) {
                struct block_info *info = info_of(p, r);
                if (info->frontier && info->frontier->block == b)
                    break; // so have the blocks above it, through another edge
                push_block(p, &info->frontier, b);
            }
    }
}

// Marks the blocks at whose start the slot is live.
static void find_live(struct promote *p, struct slot *slot, uint32_t mark)
{
    size_t count = 0;
    for (struct block_list *s = slot->stores; s; s = s->next)
        info_of(p, s->block)->work = mark; // the search stops at stores ...
    for (struct block_list *l = slot->loads; l; l = l->next) {
        info_of(p, l->block)->live = mark; // ... but not at blocks that load first
        p->stack[count++] = l->block;
    }
    while (count) {
        struct ir_block *b = p->stack[--count];
        for (uint32_t i = 0; i < b->pred_count; i++) {
            struct block_info *info = info_of(p, b->preds[i]);
            if (info->live == mark || info->work == mark)
                continue;
            info->live = mark;
            p->stack[count++] = b->preds[i];
        }
    }
}

static void place_phi(struct promote *p, struct slot *slot, struct ir_block *b)
{
    struct ir_builder at = {.module = p->m, .function = p->f, .block = b};
    struct block_info *info = info_of(p, b);
    struct new_phi *entry = arena_alloc(p->scratch, sizeof *entry);
    if (!info->phis)
        for (uint32_t i = 0; i < b->pred_count; i++) {
            struct block_list **targets = &info_of(p, b->preds[i])->targets;
            push_block(p, targets, b);
            (*targets)->edge = i;
        }
    *entry = (struct new_phi){ir_phi(&at, slot->type, b->pred_count), slot, info->phis};
    memcpy(entry->phi->preds, b->preds, b->pred_count * sizeof *b->preds);
    info->phis = entry;
}

static void place_phis(struct promote *p, struct slot *slot, uint32_t mark)
{
    size_t count = 0;
    find_live(p, slot, mark);
    for (struct block_list *s = slot->stores; s; s = s->next)
        p->stack[count++] = s->block;
    while (count) {
        struct ir_block *from = p->stack[--count];
        for (struct block_list *j = info_of(p, from)->frontier; j; j = j->next) {
            struct block_info *info = info_of(p, j->block);
            if (info->placed == mark || info->live != mark)
                continue;
            info->placed = mark;
            place_phi(p, slot, j->block);
            if (info->work != mark)
                p->stack[count++] = j->block;
        }
    }
}

// ---- renaming -----------------------------------------------------------------------------------

static void define(struct promote *p, struct slot *slot, struct ir_block *b, struct ir_instr *value)
{
    if (slot->top && slot->top->block == b) {
        slot->top->value = value;
        return;
    }
    struct def *def = arena_alloc(p->scratch, sizeof *def);
    *def = (struct def){value, b, slot->top};
    slot->top = def;
}

static struct ir_instr *current(struct promote *p, struct slot *slot, const struct ir_block *b)
{
    while (slot->top && !ir_dominates(slot->top->block, b))
        slot->top = slot->top->older;
    return slot->top ? slot->top->value : ir_undef(p->m, slot->type);
}

static void rewrite_instr(struct promote *p, struct ir_instr *x)
{
    struct ir_builder b = {.module = p->m, .function = p->f};
    struct slot *slot = x->op == IR_OP_load || x->op == IR_OP_store ? slot_of(p, x->src[0]) : NULL;
    if (!slot || slot->rejected)
        return;
    struct ir_block *block = x->block;
    ir_place_before(&b, x);
    if (x->op == IR_OP_load) {
        ir_replace(x, opt_recast(&b, opt_resolved(current(p, slot, block)), x->type));
    } else {
        current(p, slot, block); // pops definitions that do not dominate the block
        define(p, slot, block, opt_recast(&b, opt_resolved(x->src[1]), slot->type));
        ir_remove(x);
    }
}

// Whether control flow comes from outside of a loop to its first block.
static bool enters_loop(const struct ir_block *from, const struct ir_block *to)
{
    const struct ir_node *owner = to->node.list->owner;
    return owner && owner->kind == IR_LOOP && to == ir_list_first(&((struct ir_loop *)owner)->body) && ir_dominates(from, to);
}

// A variable without a value before a loop is zero there: programs add up in variables that they forgot to initialize, and
// find zeros on many devices. Constant folding, ours and drivers', makes a NaN of an undefined sum.
static struct ir_instr *incoming(struct promote *p, struct slot *slot, const struct ir_block *from, const struct ir_block *to)
{
    static const uint64_t zeros[16];
    struct ir_instr *value = current(p, slot, from);
    const bool number = slot->type.base <= IR_FLOAT && !ir_is_matrix(slot->type);
    return value->op == IR_OP_undef && number && enters_loop(from, to) ? ir_const(p->m, slot->type, zeros) : value;
}

static void rename_block(struct promote *p, struct ir_block *b)
{
    struct block_info *info = info_of(p, b);
    for (struct new_phi *n = info->phis; n; n = n->next) {
        current(p, n->slot, b);
        define(p, n->slot, b, n->phi);
    }
    for (struct ir_instr *x = b->first, *next; x; x = next) {
        next = x->next;
        rewrite_instr(p, x);
    }
    for (struct block_list *t = info->targets; t; t = t->next)
        for (struct new_phi *n = info_of(p, t->block)->phis; n; n = n->next)
            n->phi->src[t->edge] = incoming(p, n->slot, b, t->block);
}

static void rename_all(struct promote *p)
{
    struct ir_block *entry = ir_first_block(p->f);
    p->order = ARENA_ARRAY(p->scratch, struct ir_block *, p->f->block_count + 2);
    for (struct ir_block *b = entry; b; b = ir_next_block(b))
        if (b == entry || b->idom)
            p->order[b->dom_in] = b;
    for (uint32_t i = 1; i <= p->f->block_count && p->order[i]; i++)
        rename_block(p, p->order[i]);
    for (size_t i = 0; i < p->slot_count; i++)
        p->slots[i].top = NULL;
    for (struct ir_block *b = entry; b; b = ir_next_block(b))
        if (b != entry && !b->idom)
            rename_block(p, b); // unreachable
}

static void drop_vars(struct promote *p)
{
    size_t count = 0;
    for (size_t i = 0; i < p->slot_count; i++)
        if (p->slots[i].rejected)
            p->f->vars.items[count++] = p->slots[i].var;
    p->f->vars.count = count;
}

// Requires: nothing. Keeps: control flow; adds phis. Removes: private variables that are only accessed as a whole.
bool opt_mem2reg(struct pass_context *context, struct ir_function *f)
{
    struct promote p = {.m = context->module, .scratch = context->scratch, .f = f};
    if (!f->vars.count || !collect(&p))
        return false;
    ir_dominance(f);
    p.info = ARENA_ARRAY(p.scratch, struct block_info, f->block_count + 1);
    p.stack = ARENA_ARRAY(p.scratch, struct ir_block *, f->block_count + 1);
    find_frontiers(&p);
    for (size_t i = 0; i < p.slot_count; i++)
        if (!p.slots[i].rejected && p.slots[i].stores && p.slots[i].loads)
            place_phis(&p, &p.slots[i], (uint32_t)i + 1);
    rename_all(&p);
    ir_resolve(f);
    drop_vars(&p);
    return true;
}
