// SPDX-License-Identifier: Apache-2.0
// Replaces dynamic indexing of private arrays and vectors of a few elements by selects, so that they become
// registers.
//
//   %2 = load ($t + 4 * %i)     ->     %a, %b = loads of both; %2 = select (%i == 0), %a, %b
//
// A store selects, for each element, the new or the old value. Afterwards opt_split_vars and opt_mem2reg see constant
// offsets only. Runs after loop unrolling, which makes most indices constant. An index outside the array is undefined
// behavior: any element will do.
#include "passes/opt.h"

enum { MAX_ELEMENTS = 4, MAX_BYTES = MAX_ELEMENTS * 4 * 8 }; // of four longs

enum verdict { UNSEEN, WANTED, REJECTED }; // of a variable; stored in its id

static struct ir_var *root(const struct ir_instr *x)
{
    while (x->op == IR_OP_ptr_index && x->type.space == IR_PRIVATE)
        x = x->src[0];
    bool own = x->op == IR_OP_addr && x->var->space == IR_PRIVATE && !x->var->in_module;
    return own ? x->var : NULL;
}

static bool is_constant_offset(const struct ir_instr *address)
{
    for (; address->op == IR_OP_ptr_index; address = address->src[0])
        if (address->src_count > 1)
            return false;
    return true;
}

// Whether `address` is a dynamic element of a small variable whose elements have the size of the access. Empty
// structs have none.
static bool is_element(const struct ir_instr *address, struct ir_type type)
{
    if (address->op != IR_OP_ptr_index || address->src[0]->op != IR_OP_addr || type.base == IR_PTR)
        return false;
    const struct ir_var *var = address->src[0]->var;
    uint64_t bytes = ir_type_bytes(type);
    return address->stride == (int64_t)bytes && type.lanes != 3 && type.lanes <= 4 &&
           address->offset % (int64_t)bytes == 0 && var->size && var->size % bytes == 0 &&
           var->size / bytes <= MAX_ELEMENTS;
}

static void set_verdict(struct ir_var *var, enum verdict verdict)
{
    if (var->id != REJECTED)
        var->id = verdict;
}

static void see_use(const struct ir_instr *x, uint32_t i)
{
    const struct ir_instr *address = x->src[i];
    struct ir_var *var = address->type.base == IR_PTR ? root(address) : NULL;
    bool access = x->op == IR_OP_load || (x->op == IR_OP_store && i == 0);
    if (!var || (x->op == IR_OP_ptr_index && i == 0))
        return;
    if (is_constant_offset(address)) {
        if (!access && x->op != IR_OP_copy && x->op != IR_OP_zero)
            set_verdict(var, REJECTED);
        return;
    }
    struct ir_type type = x->op == IR_OP_load ? x->type : x->src[x->src_count - 1]->type;
    bool good = access && !x->mem.is_volatile && is_element(address, type);
    set_verdict(var, good ? WANTED : REJECTED);
}

static struct ir_instr *element(struct ir_builder *b, const struct ir_instr *address, uint64_t k)
{
    return ir_ptr_index(b, address->src[0], NULL, 0, (int64_t)k * address->stride);
}

static struct ir_instr *is_index(struct ir_builder *b, const struct ir_instr *address, uint64_t k)
{
    struct ir_type i32 = ir_int(32);
    struct ir_instr *index = ir_convert(b, IR_OP_trunc, i32, address->src[1]);
    uint64_t wanted = k - (uint64_t)(address->offset / address->stride);
    return ir_op2(b, IR_OP_ieq, index, ir_const_int(b->module, i32, wanted));
}

static struct ir_instr *choose(struct ir_builder *b, const struct ir_instr *x, uint64_t count)
{
    const struct ir_instr *address = x->src[0];
    struct ir_instr *result = NULL;
    for (uint64_t k = count; k-- > 0;) {
        struct ir_instr *value = ir_load(b, x->type, element(b, address, k), x->mem);
        result = result ? ir_select(b, is_index(b, address, k), value, result) : value;
    }
    return result;
}

static void put(struct ir_builder *b, const struct ir_instr *x, uint64_t count)
{
    const struct ir_instr *address = x->src[0];
    for (uint64_t k = 0; k < count; k++) {
        struct ir_instr *at = element(b, address, k);
        struct ir_instr *old = ir_load(b, x->src[1]->type, at, x->mem);
        ir_store(b, at, ir_select(b, is_index(b, address, k), x->src[1], old), x->mem);
    }
}

static bool rewrite(struct ir_function *f, struct ir_instr *x)
{
    struct ir_var *var = x->op == IR_OP_load || x->op == IR_OP_store ? root(x->src[0]) : NULL;
    struct ir_builder b = {.module = f->module, .function = f};
    if (!var || var->id != WANTED || is_constant_offset(x->src[0]))
        return false;
    ir_place_before(&b, x);
    uint64_t count = var->size / (uint64_t)x->src[0]->stride;
    if (x->op == IR_OP_load) {
        ir_replace(x, choose(&b, x, count));
    } else {
        put(&b, x, count);
        ir_remove(x);
    }
    return true;
}

static void drop_addresses(struct ir_function *f)
{
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b))
        for (struct ir_instr *x = b->first, *next; x; x = next) {
            next = x->next;
            struct ir_var *var = x->op == IR_OP_ptr_index && x->src_count > 1 ? root(x) : NULL;
            if (var && var->id == WANTED)
                ir_remove(x);
        }
}

static bool any_is(const struct ir_function *f, enum verdict verdict)
{
    bool any = false;
    for (size_t i = 0; i < f->vars.count && !any; i++)
        any = f->vars.items[i]->id == verdict;
    return any;
}

// Requires: nothing. Keeps: values. Removes: dynamic accesses of small private variables.
bool opt_small_arrays(struct pass_context *context, struct ir_function *f)
{
    bool changed = false;
    (void)context;
    for (size_t i = 0; i < f->vars.count; i++)
        f->vars.items[i]->id = f->vars.items[i]->size > MAX_BYTES ? REJECTED : UNSEEN;
    if (!any_is(f, UNSEEN))
        return false;
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b))
        for (struct ir_instr *x = b->first; x; x = x->next)
            for (uint32_t i = 0; i < x->src_count; i++)
                see_use(x, i);
    if (!any_is(f, WANTED))
        return false;
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b))
        for (struct ir_instr *x = b->first, *next; x; x = next) {
            next = x->next;
            changed |= rewrite(f, x);
        }
    if (changed) {
        drop_addresses(f);
        ir_resolve(f);
    }
    return changed;
}
