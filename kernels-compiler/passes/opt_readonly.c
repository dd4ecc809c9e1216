// SPDX-License-Identifier: Apache-2.0
// Marks loads from memory that is never written as read-only, so that they are merged and moved like pure values.
//
//   %2 = int_to_ptr(the push block's field of a `const restrict` argument)
//   %3 = ptr_index %2, %1 ; %4 = load %3     ->     %4 = load %3 readonly
//
// C guarantees it: during the lifetime of a restrict pointer to const, an object read through it is not modified (C99
// 6.7.3.1). Only kernel arguments count. A pointer may be derived by index arithmetic and phis, if all sources come
// from such arguments.
//
// Pointers are marked in program order, so that each depends only on its sources. A phi assumes that a source not
// marked yet (a loop's next value) is read-only; marking is repeated until nothing changes.
#include "passes/alias.h"

enum { UNKNOWN, READONLY, WRITABLE }; // marks
enum { MAX_ROUNDS = 8 };

static bool is_readonly(const struct kc_arg *arg)
{
    const unsigned both = KC_TYPE_CONST | KC_TYPE_RESTRICT;
    return arg && arg->kind == KC_ARG_GLOBAL &&
           (arg->type_qualifiers & (both | KC_TYPE_VOLATILE)) == both;
}

static bool has_any(const struct kc_kernel *info)
{
    for (uint32_t i = 0; i < info->arg_count; i++)
        if (is_readonly(&info->args[i]))
            return true;
    return false;
}

static bool may_be_readonly(const struct ir_instr *x) { return !opt_is_floating(x) && x->mark != WRITABLE; }

static uint8_t mark_of(const struct kc_kernel *info, const struct ir_instr *x)
{
    bool readonly = false;
    if (x->op == IR_OP_int_to_ptr)
        readonly = is_readonly(alias_argument(info, x->src[0]));
    else if (x->op == IR_OP_ptr_index || x->op == IR_OP_ptr_cast)
        readonly = may_be_readonly(x->src[0]);
    else if (x->op == IR_OP_phi && x->type.base == IR_PTR) {
        readonly = true;
        for (uint32_t i = 0; i < x->src_count; i++)
            readonly &= may_be_readonly(x->src[i]);
    }
    return readonly ? READONLY : WRITABLE;
}

// Whether a mark has changed, or a phi was marked before all its sources.
static bool mark_all(const struct kc_kernel *info, struct ir_function *f)
{
    bool again = false;
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b))
        for (struct ir_instr *x = b->first; x; x = x->next) {
            uint8_t mark = mark_of(info, x);
            again |= x->mark == UNKNOWN ? x->op == IR_OP_phi && mark == READONLY : x->mark != mark;
            x->mark = mark;
        }
    return again;
}

static bool mark_loads(struct ir_function *f)
{
    bool changed = false;
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b))
        for (struct ir_instr *x = b->first; x; x = x->next)
            if (x->op == IR_OP_load && !x->mem.is_volatile && !x->mem.readonly && x->src[0]->mark == READONLY)
                x->mem.readonly = changed = true;
    return changed;
}

static void forget_marks(struct ir_function *f)
{
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b))
        for (struct ir_instr *x = b->first; x; x = x->next)
            x->mark = UNKNOWN;
}

// Requires: lower_args; finds more after opt_mem2reg. Keeps: everything. Removes: nothing.
bool opt_readonly(struct pass_context *context, struct ir_function *f)
{
    bool again = true, changed = false;
    (void)context;
    if (!f->kernel || !has_any(&f->kernel->info))
        return false;
    for (unsigned rounds = 0; again && rounds < MAX_ROUNDS; rounds++)
        again = mark_all(&f->kernel->info, f);
    if (!again)
        changed = mark_loads(f);
    forget_marks(f);
    return changed;
}
