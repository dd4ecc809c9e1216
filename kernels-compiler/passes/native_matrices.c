// SPDX-License-Identifier: Apache-2.0
// See native_matrices.h.
//
// All of a function's matrices or none: they flow into one another. What the table of shapes has no
// row for is left to lower_matrices, and so is what takes single components or changes the use, and
// what goes through memory of a kind that is not known, or private memory.
#include "passes/native_matrices.h"

static bool is_component(struct ir_type type, uint8_t component, bool is_signed)
{
    static const struct {
        uint8_t base, bits, sign; // sign: 0 unsigned, 1 signed
    } rows[KC_COMPONENT_COUNT] = {
        [KC_COMPONENT_F16] = {IR_FLOAT, 16, 0}, [KC_COMPONENT_F32] = {IR_FLOAT, 32, 0},
        [KC_COMPONENT_F64] = {IR_FLOAT, 64, 0}, [KC_COMPONENT_S8] = {IR_INT, 8, 1},
        [KC_COMPONENT_S16] = {IR_INT, 16, 1},   [KC_COMPONENT_S32] = {IR_INT, 32, 1},
        [KC_COMPONENT_S64] = {IR_INT, 64, 1},   [KC_COMPONENT_U8] = {IR_INT, 8, 0},
        [KC_COMPONENT_U16] = {IR_INT, 16, 0},   [KC_COMPONENT_U32] = {IR_INT, 32, 0},
        [KC_COMPONENT_U64] = {IR_INT, 64, 0},
    };
    return component < KC_COMPONENT_COUNT && rows[component].base == type.base && rows[component].bits == type.bits &&
           (type.base == IR_FLOAT || rows[component].sign == is_signed);
}

static bool has_size(const struct kc_matrix_shape *shape, struct ir_type type)
{
    uint16_t rows = type.space == IR_USE_B ? shape->depth : shape->rows;
    uint16_t columns = type.space == IR_USE_A ? shape->depth : shape->columns;
    return type.rows == rows && type.columns == columns;
}

// Sums without saturation are the same whether they are signed or not.
static bool is_product(const struct kc_matrix_shape *shape, const struct ir_instr *x)
{
    struct ir_type a = x->src[0]->type, b = x->src[1]->type;
    unsigned flags = x->matrix_flags;
    bool saturating = flags & IR_MATRIX_SATURATING, sign = x->type.base == IR_INT && shape->c == KC_COMPONENT_S32;
    return has_size(shape, a) && has_size(shape, b) && has_size(shape, x->type) && shape->saturating == saturating &&
           is_component(a, shape->a, flags & IR_MATRIX_A_SIGNED) && is_component(b, shape->b, flags & IR_MATRIX_B_SIGNED) &&
           is_component(x->type, shape->c, saturating ? flags & IR_MATRIX_C_SIGNED : sign) &&
           is_component(x->type, shape->result, saturating ? flags & IR_MATRIX_RESULT_SIGNED : sign);
}

static bool is_known(const struct kc_target *target, struct ir_type type)
{
    for (uint32_t i = 0; i < target->matrix_shape_count; i++) {
        const struct kc_matrix_shape *shape = &target->matrix_shapes[i];
        uint8_t component = type.space == IR_USE_A ? shape->a : type.space == IR_USE_B ? shape->b : shape->c;
        if (has_size(shape, type) && (is_component(type, component, true) || is_component(type, component, false)))
            return true;
    }
    return false;
}

static bool multiplies(const struct kc_target *target, const struct ir_instr *x)
{
    for (uint32_t i = 0; i < target->matrix_shape_count; i++)
        if (is_product(&target->matrix_shapes[i], x))
            return true;
    return false;
}

static bool in_plain_memory(const struct ir_instr *address)
{
    unsigned space = address->type.space;
    return space == IR_GLOBAL || space == IR_CONSTANT || space == IR_LOCAL;
}

static bool is_native(const struct kc_target *target, const struct ir_instr *x)
{
    switch (x->op) {
    case IR_OP_mat_load:
    case IR_OP_mat_store:
        return in_plain_memory(x->src[0]);
    case IR_OP_mat_muladd:
        return multiplies(target, x);
    case IR_OP_mat_splat:
    case IR_OP_phi:
    case IR_OP_iadd:
    case IR_OP_isub:
    case IR_OP_imul:
    case IR_OP_ineg:
    case IR_OP_fadd:
    case IR_OP_fsub:
    case IR_OP_fmul:
    case IR_OP_fdiv:
    case IR_OP_fneg:
        return true;
    default:
        return false;
    }
}

static bool instr_ok(const struct kc_target *target, const struct ir_instr *x)
{
    bool any = ir_is_matrix(x->type);
    if (any && !is_known(target, x->type))
        return false;
    for (uint32_t i = 0; i < x->src_count; i++) {
        struct ir_type type = x->src[i]->type;
        any |= ir_is_matrix(type);
        if (ir_is_matrix(type) && !is_known(target, type))
            return false;
    }
    return !any || is_native(target, x);
}

bool native_matrices(const struct kc_target *target, struct ir_function *f)
{
    if (!target->matrix_shape_count || !target->vulkan_memory_model)
        return false;
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b))
        for (const struct ir_instr *x = b->first; x; x = x->next)
            if (!instr_ok(target, x))
                return false;
    return true;
}
