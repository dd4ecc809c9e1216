// SPDX-License-Identifier: Apache-2.0
// Turns private arrays that have the same constant contents at every read into constants of the program.
//
//   store $t, 1 ; store ($t + 4), 2 ; %2 = load ($t + 4 * %i)     ->     %2 = load (@t + 4 * %i)
//
// All stores must be of constants at constant offsets, in one block, before every read, and the address must be used
// only by loads. Arrays that are copied element by element, passed on or written again are therefore not changed, nor
// are arrays of few elements, which fit in registers (opt_small_arrays).
#include "passes/opt.h"
#include <string.h>

enum { FEW = 4 };

struct table {
    bool rejected, wanted;         // wanted: some read has a dynamic offset
    const struct ir_block *block;  // the block that writes it; NULL: none yet
    const struct ir_block *reader; // the last block seen to read it
    uint8_t *bytes;
    struct ir_var *constant; // the constant it was replaced by
};

struct tables {
    struct ir_module *module;
    struct ir_function *function;
    struct table *all; // by var->id
};

static struct table *table_of(const struct tables *t, const struct ir_instr *address)
{
    if (address->type.base != IR_PTR || address->type.space != IR_PRIVATE)
        return NULL;
    while (address->op == IR_OP_ptr_index)
        address = address->src[0];
    bool own =
        address->op == IR_OP_addr && address->var->space == IR_PRIVATE && !address->var->in_module;
    return own ? &t->all[address->var->id] : NULL;
}

static bool is_number(struct ir_type type)
{
    return type.base == IR_INT || type.base == IR_FLOAT;
}

// ---- analysis -----------------------------------------------------------------------------------

// The bytes written by a store of `size` bytes; NULL: not at a constant offset of the variable.
static uint8_t *written(struct tables *t, const struct ir_instr *x, struct table *table,
                        uint64_t size)
{
    int64_t at;
    const struct ir_var *var = opt_var_at(x->src[0], &at);
    if (!var || x->mem.is_volatile || at < 0 || (uint64_t)at > var->size ||
        size > var->size - (uint64_t)at)
        return NULL;
    if ((table->block && table->block != x->block) || table->reader == x->block)
        return NULL;
    table->block = x->block;
    if (!table->bytes)
        table->bytes = arena_zalloc(t->module->arena, var->size);
    return table->bytes + at;
}

static bool see_store(struct tables *t, const struct ir_instr *x, struct table *table)
{
    const struct ir_instr *value = x->src[1];
    uint8_t *bytes = NULL;
    if (ir_is_const(value) && is_number(value->type))
        bytes = written(t, x, table, ir_type_bytes(value->type));
    for (unsigned i = 0; bytes && i < ir_type_bytes(value->type); i++) {
        unsigned bit = i * 8;
        bytes[i] = (uint8_t)(value->lanes[bit / value->type.bits] >> bit % value->type.bits);
    }
    return bytes != NULL;
}

static bool see_zero(struct tables *t, const struct ir_instr *x, struct table *table)
{
    uint8_t *bytes = written(t, x, table, x->size);
    if (bytes)
        memset(bytes, 0, x->size);
    return bytes != NULL;
}

static bool see_load(const struct ir_instr *x, struct table *table)
{
    int64_t at;
    const struct ir_instr *root = x->src[0];
    while (root->op == IR_OP_ptr_index)
        root = root->src[0];
    table->wanted |=
        !opt_var_at(x->src[0], &at) && root->var->size > FEW * (uint64_t)ir_type_bytes(x->type);
    table->reader = x->block;
    return table->block && is_number(x->type) && !x->mem.is_volatile;
}

static void see_use(struct tables *t, const struct ir_instr *x, uint32_t i)
{
    struct table *table = table_of(t, x->src[i]);
    if (!table || table->rejected || (x->op == IR_OP_ptr_index && i == 0))
        return;
    bool good = i == 0 && (x->op == IR_OP_store  ? see_store(t, x, table)
                           : x->op == IR_OP_zero ? see_zero(t, x, table)
                           : x->op == IR_OP_load ? see_load(x, table)
                                                 : false);
    table->rejected = !good;
}

static void see_uses(struct tables *t)
{
    for (struct ir_block *b = ir_first_block(t->function); b; b = ir_next_block(b))
        for (struct ir_instr *x = b->first; x; x = x->next)
            for (uint32_t i = 0; i < x->src_count; i++)
                see_use(t, x, i);
}

static bool any_wanted(const struct tables *t)
{
    for (size_t i = 0; i < t->function->vars.count; i++)
        if (t->all[i].wanted && !t->all[i].rejected)
            return true;
    return false;
}

// Rejects tables with a read that is not dominated by the writes.
static void reject_early_reads(struct tables *t)
{
    ir_dominance(t->function);
    for (struct ir_block *b = ir_first_block(t->function); b; b = ir_next_block(b))
        for (struct ir_instr *x = b->first; x; x = x->next) {
            struct table *table = x->op == IR_OP_load ? table_of(t, x->src[0]) : NULL;
            if (table && table->block)
                table->rejected |= !ir_dominates(table->block, b);
        }
}

// ---- rewriting ----------------------------------------------------------------------------------

static void make_constants(struct tables *t)
{
    struct ir_function *f = t->function;
    size_t count = 0;
    for (size_t i = 0; i < f->vars.count; i++) {
        struct ir_var *var = f->vars.items[i];
        struct table *table = &t->all[i];
        if (!table->wanted || table->rejected) {
            f->vars.items[count++] = var;
            continue;
        }
        const char *name = arena_printf(t->module->arena, "%s.%s", f->name, var->name);
        table->constant = ir_var_add(t->module, NULL, name, IR_CONSTANT, var->size, var->align);
        table->constant->init = table->bytes;
    }
    f->vars.count = count;
}

// Addresses of new constants are rewritten at their definition; their users follow later in the walk.
static void rewrite(struct tables *t, struct ir_instr *x)
{
    bool access = x->op == IR_OP_load || x->op == IR_OP_store || x->op == IR_OP_zero;
    if (!access && x->op != IR_OP_ptr_index)
        return;
    struct table *table = x->src[0]->op == IR_OP_addr ? table_of(t, x->src[0]) : NULL;
    if (table && table->constant)
        x->src[0] = ir_addr(t->module, table->constant);
    if (x->src[0]->type.space != IR_CONSTANT)
        return;
    if (x->op == IR_OP_ptr_index)
        x->type = x->src[0]->type;
    else if (x->op == IR_OP_load)
        x->mem.space = IR_CONSTANT;
    else
        ir_remove(x);
}

static bool change_function(struct pass_context *c, struct ir_function *f)
{
    struct tables t = {.module = c->module, .function = f};
    t.all = ARENA_ARRAY(c->scratch, struct table, f->vars.count);
    for (size_t i = 0; i < f->vars.count; i++)
        f->vars.items[i]->id = (uint32_t)i;
    see_uses(&t);
    if (any_wanted(&t))
        reject_early_reads(&t);
    if (!any_wanted(&t))
        return false;
    make_constants(&t);
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b))
        for (struct ir_instr *x = b->first, *next; x; x = next) {
            next = x->next;
            rewrite(&t, x);
        }
    f->converged = false;
    return true;
}

// Requires: nothing. Keeps: values. Removes: private arrays that are tables, if the target asks for it.
bool opt_tables(struct pass_context *c)
{
    bool changed = false;
    if (!c->target->constant_tables)
        return false;
    for (size_t i = 0; i < c->module->functions.count; i++) {
        struct ir_function *f = c->module->functions.items[i];
        if (f->has_body && !f->from_library && f->vars.count)
            changed |= change_function(c, f);
    }
    return changed;
}
