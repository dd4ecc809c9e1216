// SPDX-License-Identifier: Apache-2.0
// Helpers of the optimization passes: see opt.h.
#include "passes/opt.h"
#include "util/stack.h"

struct opt_nodes opt_nodes(const struct ir_function *f, struct arena *arena)
{
    VEC(struct ir_node *) nodes = {0};
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b))
        if (b->node.next)
            vec_push(arena, &nodes, b->node.next);
    return (struct opt_nodes){nodes.items, nodes.count};
}

static const struct ir_instr *node_use(const struct ir_node *node)
{
    switch (node->kind) {
    case IR_IF:
        return ((const struct ir_if *)node)->cond;
    case IR_LOOP:
        return ((const struct ir_loop *)node)->cond;
    case IR_SWITCH:
        return ((const struct ir_switch *)node)->value;
    default:
        return NULL;
    }
}

struct counting {
    struct arena *arena;
    uint32_t *uses;
    size_t count, capacity; // numbers assigned so far
};

static void count_use(struct counting *c, const struct ir_instr *x)
{
    if (!opt_is_floating(x) && x->id < c->count)
        c->uses[x->id]++;
}

static __attribute__((noinline)) void grow_counts(struct counting *c)
{
    uint32_t *old = c->uses;
    c->uses = ARENA_ARRAY(c->arena, uint32_t, c->capacity *= 2);
    memcpy(c->uses, old, c->count * sizeof *old);
}

static inline void number_next(struct counting *c, struct ir_instr *x)
{
    if (c->count == c->capacity)
        grow_counts(c);
    x->id = (uint32_t)c->count++;
}

// Sources of phis and conditions may be numbered later: they are counted when all instructions have numbers.
static void count_late_uses(struct counting *c, const struct ir_function *f)
{
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b)) {
        const struct ir_instr *used = b->node.next ? node_use(b->node.next) : NULL;
        if (used)
            count_use(c, used);
        for (struct ir_instr *x = b->first; x && x->op == IR_OP_phi; x = x->next)
            for (uint32_t i = 0; i < x->src_count; i++)
                count_use(c, x->src[i]);
    }
}

uint32_t *opt_use_counts(struct ir_function *f, struct arena *arena)
{
    struct counting c = {.arena = arena, .capacity = f->instr_count + 64};
    c.uses = ARENA_ARRAY(arena, uint32_t, c.capacity);
    for (uint32_t i = 0; i < f->param_count; i++)
        number_next(&c, f->params[i]);
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b))
        for (struct ir_instr *x = b->first; x; x = x->next) {
            const uint32_t count = x->op == IR_OP_phi ? 0 : x->src_count;
            number_next(&c, x);
            for (uint32_t i = 0; i < count; i++)
                count_use(&c, x->src[i]);
        }
    count_late_uses(&c, f);
    f->instr_count = (uint32_t)c.count;
    return c.uses;
}

bool opt_can_recast(struct ir_type from, struct ir_type to)
{
    if (from.base == IR_BOOL || to.base == IR_BOOL || ir_type_bytes(from) != ir_type_bytes(to))
        return false;
    if (ir_is_matrix(from) || ir_is_matrix(to))
        return ir_type_eq(from, to);
    return ir_type_eq(from, to) || (from.base != IR_PTR && to.base != IR_PTR) ||
           (from.lanes == 1 && to.lanes == 1) || (from.lanes == to.lanes && from.bits == to.bits);
}

struct ir_instr *opt_recast(struct ir_builder *b, struct ir_instr *x, struct ir_type to)
{
    stack_check();
    struct ir_type from = x->type;
    if (ir_type_eq(from, to))
        return x;
    if (from.base == IR_PTR) {
        x = ir_convert(b, IR_OP_ptr_to_int, ir_with_lanes(ir_int(64), from.lanes), x);
        if (from.bits < 64)
            x = ir_convert(b, IR_OP_trunc, ir_with_lanes(ir_int(from.bits), from.lanes), x);
        return opt_recast(b, x, to);
    }
    if (to.base == IR_PTR) {
        x = opt_recast(b, x, ir_with_lanes(ir_int(to.bits), to.lanes));
        if (to.bits < 64)
            x = ir_convert(b, IR_OP_zext, ir_with_lanes(ir_int(64), to.lanes), x);
        return ir_convert(b, IR_OP_int_to_ptr, to, x);
    }
    return ir_convert(b, IR_OP_bitcast, to, x);
}

struct ir_var *opt_var_at(const struct ir_instr *x, int64_t *offset)
{
    *offset = 0;
    while (x->op == IR_OP_ptr_index && x->src_count == 1) {
        *offset = (int64_t)((uint64_t)*offset + (uint64_t)x->offset);
        x = x->src[0];
    }
    return x->op == IR_OP_addr ? x->var : NULL;
}

// Addresses computed from undef by more than one step have already been folded to undef by ir_fold().
bool opt_is_undefined_address(const struct ir_instr *address)
{
    bool made = address->op == IR_OP_ptr_index || address->op == IR_OP_ptr_cast;
    return (made ? address->src[0] : address)->op == IR_OP_undef;
}

static bool holds_address(const struct ir_var *var, uint64_t at, uint64_t size)
{
    for (uint32_t i = 0; i < var->reloc_count; i++)
        if (var->relocs[i].offset < at + size && at < var->relocs[i].offset + 8)
            return true;
    return false;
}

struct ir_instr *opt_constant_load(struct ir_module *m, const struct ir_instr *load)
{
    int64_t at;
    struct ir_var *var = opt_var_at(load->src[0], &at);
    struct ir_type type = load->type;
    uint64_t lanes[16] = {0}, size = ir_type_bytes(type), width = type.bits / 8u;
    if (load->mem.is_volatile || !var || var->space != IR_CONSTANT || !var->init || ir_is_matrix(type) ||
        (type.base != IR_INT && type.base != IR_FLOAT))
        return NULL;
    if (at < 0 || (uint64_t)at > var->size || size > var->size - (uint64_t)at ||
        holds_address(var, (uint64_t)at, size))
        return NULL;
    for (unsigned i = 0; i < type.lanes; i++)
        for (uint64_t k = 0; k < width; k++)
            lanes[i] |= (uint64_t)var->init[(uint64_t)at + i * width + k] << 8 * k;
    return ir_const(m, type, lanes);
}

bool opt_is_inside(const struct ir_node *node, const struct ir_instr *x)
{
    const struct ir_list *list = opt_is_floating(x) ? NULL : x->block->node.list;
    for (; list && list->owner; list = list->owner->list)
        if (list->owner == node)
            return true;
    return false;
}

bool opt_runs_once(const struct ir_loop *loop)
{
    return loop->cond && ir_is_const(loop->cond) && !loop->cond->lanes[0];
}

const struct ir_node *opt_iterating_loop(const struct ir_block *block)
{
    const struct ir_node *node = block->node.list->owner;
    while (node && (node->kind != IR_LOOP || opt_runs_once((const struct ir_loop *)node)))
        node = node->list->owner;
    return node;
}

bool opt_list_is_empty(const struct ir_list *list)
{
    return list->first == list->last && !ir_list_first(list)->first;
}

struct ir_instr *opt_phi_source(const struct ir_instr *phi, const struct ir_block *pred)
{
    for (uint32_t i = 0; i < phi->src_count; i++)
        if (phi->preds[i] == pred)
            return phi->src[i];
    return NULL;
}

void opt_move_to_end(struct ir_block *to, struct ir_instr *x)
{
    ir_remove(x);
    x->block = to;
    x->prev = to->last;
    *(to->last ? &to->last->next : &to->first) = x;
    to->last = x;
}

uint32_t opt_list_size(const struct ir_list *list)
{
    uint32_t size = 0;
    const struct ir_block *end = list->owner ? (const struct ir_block *)list->owner->next : NULL;
    for (struct ir_block *b = ir_list_first(list); b && b != end; b = ir_next_block(b)) {
        for (struct ir_instr *x = b->first; x; x = x->next)
            size++;
        if (!b->node.next && b->node.list == list)
            break;
    }
    return size;
}

// ---- memory -------------------------------------------------------------------------------------

enum {
    MEMORY = 1 << OPT_DEVICE | 1 << OPT_LOCAL | 1 << OPT_PRIVATE | 1 << OPT_ANYWHERE,
    SHARED = MEMORY & ~(1 << OPT_PRIVATE)
};

bool opt_is_image_read(const struct ir_instr *x)
{
    return x->op >= IR_OP_image_read && x->op <= IR_OP_image_sample;
}

bool opt_is_pure_load(const struct ir_instr *x)
{
    return (x->op == IR_OP_load && !x->mem.is_volatile &&
            (x->mem.space == IR_CONSTANT || x->mem.readonly)) ||
           (x->op == IR_OP_elem_load && (x->var->space == IR_PUSH || (x->mem.readonly && !x->mem.is_volatile)));
}

enum opt_kind opt_kind(const struct ir_instr *x)
{
    unsigned space = opt_is_elem(x) ? x->var->space : x->mem.space;
    if (opt_is_image_read(x))
        return OPT_IMAGES;
    return space == IR_PRIVATE   ? OPT_PRIVATE
           : space == IR_LOCAL   ? OPT_LOCAL
           : space == IR_GENERIC ? OPT_ANYWHERE
                                 : OPT_DEVICE;
}

unsigned opt_written(const struct ir_instr *x)
{
    if (!ir_has_flag(x, IR_FLAG_W) || ir_has_flag(x, IR_FLAG_J))
        return 0;
    switch (x->op) {
    case IR_OP_subgroup:
        return 0;
    case IR_OP_image_write:
    case IR_OP_image_store:
        return 1 << OPT_IMAGES;
    case IR_OP_barrier:
    case IR_OP_fence:
        return SHARED | 1 << OPT_IMAGES; // stores of other work-items become visible
    case IR_OP_store:
    case IR_OP_copy:
    case IR_OP_zero:
    case IR_OP_elem_store: {
        enum opt_kind kind = opt_kind(x);
        return kind == OPT_ANYWHERE ? MEMORY : 1u << kind | 1 << OPT_ANYWHERE;
    }
    default:
        return MEMORY | 1 << OPT_IMAGES;
    }
}

unsigned opt_written_in(const struct ir_loop *loop)
{
    const struct ir_block *end = (const struct ir_block *)loop->node.next;
    unsigned kinds = 0;
    for (struct ir_block *b = ir_list_first(&loop->body); b && b != end; b = ir_next_block(b))
        for (struct ir_instr *x = b->first; x; x = x->next)
            kinds |= opt_written(x);
    return kinds;
}

struct ir_instr *opt_hidden_zero(struct ir_builder *b)
{
    enum { TOP_BIT = 31 };
    struct ir_instr *group = ir_sys(b, IR_SYS_VK_WORKGROUP_ID, 0);
    return ir_op2(b, IR_OP_lshr, group, ir_const_int(b->module, group->type, TOP_BIT));
}

bool opt_is_of_item(const struct ir_instr *sys)
{
    switch (sys->sys) {
    case IR_SYS_VK_GLOBAL_INVOCATION:
    case IR_SYS_VK_LOCAL_INVOCATION:
    case IR_SYS_VK_LOCAL_INDEX:
    case IR_SYS_VK_SUBGROUP_INVOCATION:
    case IR_SYS_VK_SUBGROUP_ID:
        return true;
    default:
        return false;
    }
}

static bool is_next(const struct ir_instr *x, const struct ir_instr *phi)
{
    return x->op == IR_OP_iadd && x->src[0] == phi && ir_is_const(x->src[1]);
}

static bool is_uniform(const struct ir_instr *x, bool counters, unsigned steps)
{
    stack_check();
    if (ir_is_const(x))
        return true;
    if (opt_is_push(x))
        return is_uniform(x->src[0], counters, steps);
    if (x->op == IR_OP_sys)
        return !opt_is_of_item(x);
    const bool phi = x->op == IR_OP_phi;
    bool uniform = steps && !opt_is_floating(x) && ir_has_flag(x, IR_FLAG_P) && (counters || !phi) && x->src_count;
    for (uint32_t i = 0; i < x->src_count && uniform; i++) {
        const struct ir_instr *source = opt_resolved(x->src[i]);
        uniform = (phi && is_next(source, x)) || is_uniform(source, counters, steps - 1);
    }
    return uniform;
}

bool opt_is_uniform(const struct ir_instr *x, bool counters)
{
    enum { MAX_STEPS = 8 };
    return is_uniform(x, counters, MAX_STEPS);
}

static bool differs(const struct ir_instr *x, unsigned *visits)
{
    enum { MAX_VISITS = 64 };
    stack_check();
    if (opt_is_floating(x) || opt_is_push(x) || ++*visits > MAX_VISITS)
        return false;
    if (x->op == IR_OP_sys)
        return opt_is_of_item(x);
    for (uint32_t i = 0; i < x->src_count; i++)
        if (differs(x->src[i], visits))
            return true;
    return x->op == IR_OP_atomic;
}

bool opt_differs(const struct ir_instr *x)
{
    unsigned visits = 0;
    return differs(x, &visits);
}
