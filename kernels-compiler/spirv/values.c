// SPDX-License-Identifier: Apache-2.0
// Ids of values and functions.
#include "spirv/writer.h"

uint32_t spv_value(struct spv *s, const struct ir_instr *x)
{
    if (x->op == IR_OP_const || x->op == IR_OP_undef)
        return spv_constant(s, x);
    if (x->op == IR_OP_param)
        return s->params[x->index];
    if (!s->values[x->id])
        s->values[x->id] = spv_id(s);
    return s->values[x->id];
}

void spv_define(struct spv *s, const struct ir_instr *x, SpvOp op, const uint32_t *words,
                size_t count)
{
    uint32_t type = spv_type(s, x->type), id = spv_value(s, x);
    uint32_t all[2 + 2 * 16];
    uint32_t *w = count <= 32 ? all : arena_alloc(s->arena, 4 * (count + 2));
    w[0] = type;
    w[1] = id;
    if (count)
        memcpy(w + 2, words, 4 * count);
    spv_put(s, SPV_FUNCTIONS, op, w, count + 2);
}

void spv_alias(struct spv *s, const struct ir_instr *x, uint32_t id)
{
    if (s->values[x->id]) { // a phi used it already
        spv_define(s, x, SpvOpCopyObject, &id, 1);
        return;
    }
    s->values[x->id] = id;
}

uint32_t spv_function_id(struct spv *s, struct ir_function *function)
{
    uintptr_t known = (uintptr_t)map_get(&s->functions, function);
    if (known)
        return (uint32_t)known;
    uint32_t id = spv_id(s);
    map_set(s->arena, &s->functions, function, (void *)(uintptr_t)id);
    return id;
}
