// SPDX-License-Identifier: Apache-2.0
// Moves private arrays with variable indices to local memory, where each work-item of a group has its own elements:
//
//   private @a i32 x 16 ; elem_load %0 of @a     ->     local @a i32 x 16 n ; elem_load %0 * n + %lane of @a
//
// n: work-items of a group, a specialization constant. A GPU's private memory interleaves the work-items' elements in the
// same way, but as device memory in a cache: work-items with different indices access different lines, one after the other.
// In local memory they access different banks, all at once.
//
// Only arrays that loops index, and only as many as fit beside the kernel's own local memory if groups have the usual size
// (of larger ones see kc_may_not_fit()). Kernels that cannot see their group get one that is small enough. Indices that
// counters with constant ends determine do not count: a driver that unrolls the loop knows them. Arrays of a few elements
// are registers for drivers: they move if variable indices, which then cost a selection for each element, prevail.
#include "passes/opt.h"
#include "passes/push.h"
#include "util/stack.h"

enum {
    USUAL_ITEMS = 256, // the most that the runtime chooses
    LEAST_ITEMS = 32,  // a sub-group of most GPUs
    REGISTERS = 32,    // an array of more elements is in memory
    ACCESS = 4,        // what an access to local memory costs, in selections
    DEEPER = 8, DEEPEST = 4, // weight of a loop, and of how many
    MAX_VISITS = 64,   // of an index's sources
    LITTLE = 192, MIDDLE = 256, // bytes for each work-item
    MANY = 96,                  // instructions for each access
};

// How an index differs between the work-items of a group.
enum index {
    COUNTED,   // not at all, and a driver that unrolls loops knows it
    EVEN,      // hardly: the same steps of a counter, or of a uniform value
    SCATTERED, // it depends on data
};

struct array {
    struct ir_var *var;
    bool other_uses;
    uint64_t indexed, fixed; // accesses by variable and by counted indices, weighted
    uint64_t scattered;      // of the former
    uint32_t elements;       // of each work-item
    bool *varies;            // element -> whether a store to it, by a constant index, is of a scattered value
    struct ir_var *moved;    // NULL: it stays
};

struct arrays {
    struct ir_module *m;
    struct arena *scratch;
    VEC(struct array) all; // by ir_var.id - 1
    uint64_t all_weight;   // of all instructions
    uint32_t most;         // bytes for each work-item
    bool stores_seen;      // array.varies is complete
};

static struct array *array_of(const struct arrays *a, const struct ir_var *var)
{
    return var->space == IR_PRIVATE && var->id ? &a->all.items[var->id - 1] : NULL;
}

static uint32_t bytes_of(const struct array *array) { return array->elements * ir_elem_bytes(array->var->elem); }

static void add(struct arrays *a, struct ir_var *var)
{
    const uint32_t bytes = var->count > ACCESS ? ir_elem_bytes(var->elem) : 0;
    var->id = 0;
    if (var->space != IR_PRIVATE || !bytes)
        return;
    struct array array = {.var = var, .elements = (uint32_t)((var->size + bytes - 1) / bytes), .other_uses = var->init != NULL};
    if (bytes_of(&array) > a->most)
        return;
    array.varies = ARENA_ARRAY(a->scratch, bool, array.elements);
    vec_push(a->scratch, &a->all, array);
    var->id = (uint32_t)a->all.count;
}

static void find_arrays(struct arrays *a)
{
    for (size_t i = 0; i < a->m->vars.count; i++)
        add(a, a->m->vars.items[i]);
    for (size_t i = 0; i < a->m->functions.count; i++)
        for (size_t k = 0; k < a->m->functions.items[i]->vars.count; k++)
            add(a, a->m->functions.items[i]->vars.items[k]);
}

// How often a block runs; functions are called in loops.
static uint64_t weight_of(const struct ir_function *f, const struct ir_block *block)
{
    unsigned depth = !f->kernel;
    for (const struct ir_node *node = block->node.list->owner; node; node = node->list->owner)
        depth += node->kind == IR_LOOP && !opt_runs_once((const struct ir_loop *)node);
    uint64_t weight = 1;
    for (unsigned i = 0; i < depth && i < DEEPEST; i++)
        weight *= DEEPER;
    return weight;
}

static bool is_access(const struct ir_instr *x)
{
    return (x->op == IR_OP_elem_load || x->op == IR_OP_elem_store) && !x->mem.is_volatile && !x->mem.lane;
}

static bool is_compared(const struct ir_instr *phi, const struct ir_instr *next, const struct ir_instr *x)
{
    const bool compares = x->op == IR_OP_ieq || x->op == IR_OP_ine || (x->op >= IR_OP_ult && x->op <= IR_OP_sle);
    for (unsigned i = 0; compares && i < 2; i++)
        if ((x->src[i] == phi || x->src[i] == next) && ir_is_const(x->src[!i]))
            return true;
    return false;
}

static enum index worse(enum index a, enum index b) { return a > b ? a : b; }

static enum index index_of(const struct arrays *a, const struct ir_instr *x, unsigned *visits);

// Whether the phi of a loop goes in constant steps from a counted value, as in the rest of an unrolled loop, to a constant.
static bool is_counter(const struct arrays *a, const struct ir_instr *phi, unsigned *visits)
{
    const struct ir_node *loop = phi->block->node.list->owner;
    const bool second = phi->src_count == 2 && phi->src[0]->op == IR_OP_iadd && phi->src[0]->src[0] == phi;
    const struct ir_instr *first = phi->src[second], *next = phi->src[!second];
    if (phi->src_count != 2 || next->op != IR_OP_iadd || next->src[0] != phi || !ir_is_const(next->src[1]) ||
        index_of(a, first, visits) != COUNTED)
        return false;
    for (struct ir_block *b = phi->block; b && &b->node != loop->next; b = ir_next_block(b))
        for (const struct ir_instr *x = b->first; x; x = x->next)
            if (is_compared(phi, next, x))
                return true;
    return false;
}

static bool is_of_loop(const struct ir_instr *x)
{
    const struct ir_node *owner = x->block->node.list->owner;
    return x->op == IR_OP_phi && owner && owner->kind == IR_LOOP && x->block == ir_list_first(&((struct ir_loop *)owner)->body);
}

// Different steps in an iteration, as of a stack's pointer, meet in a phi.
static enum index index_of_loop(const struct arrays *a, const struct ir_instr *phi, unsigned *visits)
{
    enum index index = is_counter(a, phi, visits) ? COUNTED : EVEN;
    for (uint32_t i = 0; i < phi->src_count && index == EVEN; i++)
        index = phi->src[i]->op == IR_OP_phi && !is_of_loop(phi->src[i]) ? SCATTERED : worse(EVEN, index_of(a, phi->src[i], visits));
    return index;
}

// A scalar beside an array, as the number of a cipher's rounds beside its keys, is in the same variable.
static enum index index_of_element(const struct arrays *a, const struct ir_instr *x)
{
    const struct array *array = array_of(a, x->var);
    const struct ir_instr *at = x->src[0];
    const bool is_known = a->stores_seen && array && ir_is_const(at) && at->lanes[0] < array->elements;
    return is_known && !array->varies[at->lanes[0]] ? EVEN : SCATTERED;
}

static enum index index_of(const struct arrays *a, const struct ir_instr *x, unsigned *visits)
{
    stack_check();
    if (ir_is_const(x))
        return COUNTED;
    if (opt_is_floating(x) || opt_is_push(x) || ++*visits > MAX_VISITS)
        return EVEN;
    if (is_of_loop(x))
        return index_of_loop(a, x, visits);
    if (opt_is_elem(x) && x->var->space == IR_PRIVATE)
        return index_of_element(a, x);
    if (!ir_has_flag(x, IR_FLAG_P) || x->op == IR_OP_sys)
        return opt_differs(x) ? SCATTERED : EVEN;
    enum index index = COUNTED;
    for (uint32_t i = 0; i < x->src_count; i++)
        index = worse(index, index_of(a, x->src[i], visits));
    return index;
}

static void see_store(struct arrays *a, const struct ir_instr *x)
{
    const struct array *array = x->op == IR_OP_elem_store ? array_of(a, x->var) : NULL;
    unsigned visits = 0;
    if (array && ir_is_const(x->src[0]) && x->src[0]->lanes[0] < array->elements)
        array->varies[x->src[0]->lanes[0]] |= index_of(a, x->src[1], &visits) == SCATTERED;
}

static void see_stores(struct arrays *a)
{
    for (size_t i = 0; i < a->m->functions.count; i++)
        for (struct ir_block *b = ir_first_block(a->m->functions.items[i]); b; b = ir_next_block(b))
            for (const struct ir_instr *x = b->first; x; x = x->next)
                see_store(a, x);
    a->stores_seen = true;
}

static void see(struct arrays *a, const struct ir_instr *x, uint64_t weight)
{
    struct array *array = opt_is_elem(x) ? array_of(a, x->var) : NULL;
    unsigned visits = 0;
    a->all_weight += weight;
    if (!array)
        return;
    array->other_uses |= !is_access(x);
    const enum index index = is_access(x) && weight > 1 ? index_of(a, x->src[0], &visits) : COUNTED;
    if (index == COUNTED)
        array->fixed += weight;
    else
        array->indexed += weight;
    array->scattered += index == SCATTERED ? weight : 0;
}

static void see_all(struct arrays *a)
{
    for (size_t i = 0; i < a->m->functions.count; i++)
        for (struct ir_block *b = ir_first_block(a->m->functions.items[i]); b; b = ir_next_block(b)) {
            const uint64_t weight = weight_of(a->m->functions.items[i], b);
            for (const struct ir_instr *x = b->first; x; x = x->next)
                see(a, x, weight);
        }
}

static bool is_worth(const struct array *array)
{
    if (array->other_uses || !array->indexed)
        return false;
    return array->elements > REGISTERS || array->indexed * array->elements > ACCESS * (array->indexed + array->fixed);
}

// Less local memory for each work-item lets more of them run. Much pays off only for many accesses, and if those of
// private memory are slow.
static bool may_take(const struct arrays *a, const struct array *one, uint32_t used)
{
    const uint64_t bytes = used + bytes_of(one);
    return bytes <= a->most && (bytes <= LITTLE || one->indexed * MANY >= a->all_weight) &&
           (bytes <= MIDDLE || one->scattered * 2 >= one->indexed);
}

// The array with the most accesses for its size.
static struct array *best(struct arrays *a, uint32_t used)
{
    struct array *best = NULL;
    for (size_t i = 0; i < a->all.count; i++) {
        struct array *one = &a->all.items[i];
        if (is_worth(one) && !one->moved && may_take(a, one, used) &&
            (!best || one->indexed * bytes_of(best) > best->indexed * bytes_of(one)))
            best = one;
    }
    return best;
}

static uint64_t items_of(const struct kc_kernel *info)
{
    const uint32_t *fixed = info->reqd_local_size;
    bool sees_groups = true;
    for (uint32_t i = 0; i < info->spec_count && sees_groups; i++)
        sees_groups = info->specs[i].kind != KC_SPEC_GUARD || info->specs[i].arg;
    return fixed[0] ? (uint64_t)fixed[0] * fixed[1] * fixed[2] : sees_groups ? USUAL_ITEMS : LEAST_ITEMS;
}

// Bytes for each work-item.
static uint32_t most_of(const struct kc_target *target, const struct kc_kernel *info)
{
    if (info->block || info->reqd_sub_groups || info->local_memory >= target->max_local_memory)
        return 0;
    for (uint32_t i = 0; i < info->arg_count; i++)
        if (info->args[i].kind == KC_ARG_LOCAL)
            return 0;
    const uint64_t each = (target->max_local_memory - info->local_memory) / items_of(info);
    return each < target->max_array_in_local ? (uint32_t)each : target->max_array_in_local;
}

static bool choose(struct arrays *a, struct kc_kernel *info)
{
    for (struct array *one; (one = best(a, info->local_per_item));) {
        one->moved = ir_var_add(a->m, NULL, one->var->name, IR_LOCAL, bytes_of(one), one->var->align);
        one->moved->elem = one->var->elem;
        one->moved->count = one->elements;
        one->moved->spec_id = 1 + push_spec(a->m, KC_SPEC_LOCAL_ITEMS, 0, 0, one->elements);
        info->local_per_item += bytes_of(one);
    }
    return info->local_per_item != 0;
}

static struct ir_instr *items_of_group(struct ir_builder *b, const struct ir_kernel *kernel)
{
    struct ir_instr *items = ir_const_int(b->module, ir_int(32), 1);
    for (unsigned dim = 0; dim < 3; dim++) {
        const uint32_t fixed = ir_fixed_local_size(kernel, dim);
        struct ir_instr *size = fixed ? ir_const_int(b->module, ir_int(32), fixed) : ir_sys(b, IR_SYS_VK_LOCAL_SIZE, dim);
        items = ir_op2(b, IR_OP_imul, items, size);
    }
    return items;
}

static void move_accesses(struct arrays *a, struct ir_function *f)
{
    struct ir_block *first = ir_first_block(f);
    struct ir_builder start = {.module = a->m, .function = f, .block = first, .before = first->first};
    struct ir_instr *items = NULL, *lane = NULL;
    for (struct ir_block *b = first; b; b = ir_next_block(b))
        for (struct ir_instr *x = b->first; x; x = x->next) {
            const struct array *array = is_access(x) ? array_of(a, x->var) : NULL;
            if (!array || !array->moved)
                continue;
            if (!items) {
                items = items_of_group(&start, push_kernel(a->m));
                lane = ir_sys(&start, IR_SYS_VK_LOCAL_INDEX, 0);
            }
            struct ir_builder at = ir_before(f, x);
            x->src[0] = ir_op2(&at, IR_OP_iadd, ir_op2(&at, IR_OP_imul, x->src[0], items), lane);
            x->var = array->moved;
            x->mem.space = IR_LOCAL;
        }
}

// Requires: arrays (lower_memory); resolved values. Keeps: values. Removes: nothing.
bool opt_arrays_in_local(struct pass_context *c)
{
    struct arrays a = {.m = c->module, .scratch = c->scratch};
    struct ir_kernel *kernel = push_kernel(c->module);
    if (!kernel || !c->target || !c->target->max_array_in_local || c->module->mapping)
        return false;
    a.most = most_of(c->target, &kernel->info);
    find_arrays(&a);
    if (!a.all.count)
        return false;
    see_stores(&a);
    see_all(&a);
    if (!choose(&a, &kernel->info))
        return false;
    for (size_t i = 0; i < c->module->functions.count; i++) {
        move_accesses(&a, c->module->functions.items[i]);
        c->module->functions.items[i]->converged = false;
    }
    return true;
}
