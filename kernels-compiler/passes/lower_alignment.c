// SPDX-License-Identifier: Apache-2.0
// Programs for CPUs access private and local memory at any address, whatever the pointer's type promises:
//
//   %2 = ptr_index $bytes, %1 stride 1 offset 0 ; load i64 %2 align 8   ->   load i64 %2 align 1
//
// An access keeps the alignment that its address has for certain. Variables and pointers of unknown origin start at
// multiples of MOST.
#include "passes/opt.h"

enum { MOST = 16 }; // bytes

struct alignment {
    struct ir_function *f;
    uint8_t *of; // an instruction's id -> the pointer's alignment in bytes, at most MOST
};

static uint32_t least(uint32_t a, uint32_t b) { return a < b ? a : b; }

// The greatest power of two up to MOST that divides x.
static uint32_t power_in(uint64_t x) { return (uint32_t)((x | MOST) & (~(x | MOST) + 1)); }

static uint32_t known(const struct alignment *a, struct ir_instr *x)
{
    x = opt_resolved(x);
    return opt_is_floating(x) || x->type.base != IR_PTR ? MOST : a->of[x->id];
}

static uint32_t align_of(const struct alignment *a, const struct ir_instr *x)
{
    uint32_t align = MOST;
    if (x->op == IR_OP_ptr_index) {
        align = least(known(a, x->src[0]), power_in((uint64_t)x->offset));
        return x->src_count < 2 ? align : least(align, power_in((uint64_t)x->stride << least(opt_zero_bits(x->src[1]), 4)));
    }
    if (x->op == IR_OP_phi || x->op == IR_OP_select || x->op == IR_OP_ptr_cast)
        for (uint32_t i = 0; i < x->src_count; i++)
            align = least(align, known(a, x->src[i]));
    return align;
}

static bool examine(struct alignment *a)
{
    bool changed = false;
    for (struct ir_block *b = ir_first_block(a->f); b; b = ir_next_block(b))
        for (const struct ir_instr *x = b->first; x; x = x->next) {
            const uint32_t align = x->type.base == IR_PTR ? align_of(a, x) : MOST;
            changed |= align != a->of[x->id];
            a->of[x->id] = (uint8_t)align;
        }
    return changed;
}

static bool is_access(const struct ir_instr *x)
{
    return (x->op == IR_OP_load || x->op == IR_OP_store) && (x->src[0]->type.space == IR_PRIVATE || x->src[0]->type.space == IR_LOCAL);
}

static bool limit_accesses(const struct alignment *a)
{
    bool changed = false;
    for (struct ir_block *b = ir_first_block(a->f); b; b = ir_next_block(b))
        for (struct ir_instr *x = b->first; x; x = x->next) {
            const uint32_t align = is_access(x) ? known(a, x->src[0]) : MOST;
            if (align == MOST || align >= x->mem.align)
                continue;
            x->mem.align = align;
            changed = true;
        }
    return changed;
}

// Where no access is limited, the array that variables are placed in has elements that align them.
static void align_variables(struct ir_var *const *vars, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if ((vars[i]->space == IR_PRIVATE || vars[i]->space == IR_LOCAL) && vars[i]->align < MOST && vars[i]->size > vars[i]->align)
            vars[i]->align = MOST;
}

// Requires: pointers. Keeps: values. Removes: promises of alignment that the address does not keep.
bool lower_alignment(struct pass_context *c, struct ir_function *f)
{
    if (!c->target || !c->target->any_alignment)
        return false;
    ir_number(f);
    struct alignment a = {.f = f, .of = ARENA_ARRAY(c->scratch, uint8_t, f->instr_count)};
    memset(a.of, MOST, f->instr_count);
    while (examine(&a))
        ;
    if (!limit_accesses(&a))
        return false;
    align_variables(f->vars.items, f->vars.count);
    align_variables(c->module->vars.items, c->module->vars.count);
    return true;
}
