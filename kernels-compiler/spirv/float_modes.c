// SPDX-License-Identifier: Apache-2.0
// The float modes of an entry point: zeros, infinities and NaNs are kept, results are rounded to nearest even,
// denormals are kept. Some drivers need instructions for the last two, so these are left out if no operation of the
// kernel could tell the difference: moves keep all bits in any mode.
#include "spirv/writer.h"

enum { ROUNDS = 1, MEETS_DENORMALS = 2 };

// Operations that keep the bits of floats, or have none of them.
static bool is_move(const struct ir_instr *x)
{
    switch (x->op) {
    case IR_OP_const:
    case IR_OP_undef:
    case IR_OP_param:
    case IR_OP_bitcast:
    case IR_OP_select:
    case IR_OP_vec:
    case IR_OP_extract:
    case IR_OP_insert:
    case IR_OP_extract_dyn:
    case IR_OP_insert_dyn:
    case IR_OP_shuffle:
    case IR_OP_load:
    case IR_OP_store:
    case IR_OP_elem_load:
    case IR_OP_elem_store:
    case IR_OP_call: // the callee is part of the module
    case IR_OP_phi:
    case IR_OP_return:
        return true;
    default:
        return false;
    }
}

static bool has_floats(const struct ir_instr *x)
{
    if (x->type.base == IR_FLOAT || ir_is_matrix(x->type))
        return true;
    for (uint32_t i = 0; i < x->src_count; i++)
        if (x->src[i]->type.base == IR_FLOAT || ir_is_matrix(x->src[i]->type))
            return true;
    return false;
}

// Which modes the result of `x` may depend on.
static unsigned modes_of(const struct ir_instr *x)
{
    if (is_move(x) || !has_floats(x))
        return 0;
    switch (x->op) {
    case IR_OP_s2f:
    case IR_OP_u2f: // of integers: zero, or at least 1
        return ROUNDS;
    case IR_OP_f2s:
    case IR_OP_f2u: // a denormal becomes zero, as zero does
        return 0;
    default:
        return ROUNDS | MEETS_DENORMALS;
    }
}

static unsigned modes_of_module(const struct ir_module *m)
{
    unsigned modes = 0;
    for (size_t i = 0; i < m->functions.count; i++)
        for (struct ir_block *b = ir_first_block(m->functions.items[i]); b; b = ir_next_block(b))
            for (struct ir_instr *x = b->first; x; x = x->next)
                modes |= modes_of(x);
    return modes;
}

// All widths that a module uses have the same modes: some devices can't set them independently.
void spv_put_float_modes(struct spv *s, const struct spv_entry *entry)
{
    const struct kc_target *t = s->target;
    const unsigned found = modes_of_module(entry->module);
    for (uint32_t i = 0; i < 3; i++) {
        const struct {
            bool wanted;
            enum spv_cap cap;
            uint32_t mode;
        } modes[] = {
            {t->signed_zero_inf_nan_preserve[i], SPV_CAP_SIGNED_ZERO_INF_NAN, SpvExecutionModeSignedZeroInfNanPreserve},
            {found & ROUNDS && t->rounding_rte[i], SPV_CAP_ROUNDING_RTE, SpvExecutionModeRoundingModeRTE},
            {found & MEETS_DENORMALS && t->denorm_preserve[i], SPV_CAP_DENORM_PRESERVE, SpvExecutionModeDenormPreserve},
        };
        for (unsigned k = 0; k < 3 && s->float_modes >> i & 1; k++) {
            if (!modes[k].wanted)
                continue;
            spv_need(s, modes[k].cap);
            SPV_PUT(s, SPV_MODES, SpvOpExecutionMode, entry->function, modes[k].mode, 16u << i);
        }
    }
}
