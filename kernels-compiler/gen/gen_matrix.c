// SPDX-License-Identifier: Apache-2.0
// Cooperative matrices -> IR operations; see ir/ops.def.
#include "gen/gen_internal.h"

_Static_assert((int)USE_A == (int)IR_USE_A && (int)USE_ACCUMULATOR == (int)IR_USE_ACCUMULATOR &&
                   (int)MATRIX_A_SIGNED == (int)IR_MATRIX_A_SIGNED && (int)MATRIX_SATURATING == (int)IR_MATRIX_SATURATING,
               "sema and the IR name the same things");

// The memory that a matrix is loaded from or stored to.
static struct gen_place place_of(struct gen *gen, const struct expr *pointer)
{
    struct qtype component = pointer->type.type->elem;
    component.type = type_scalar(component.type); // vectors: only the alignment of components is guaranteed
    return gen_place_at(gen, gen_value(gen, pointer), component, 0);
}

// The stride in components; the source counts it in pointees.
static struct ir_instr *stride_of(struct gen *gen, const struct expr *pointer, const struct expr *stride)
{
    const struct type *elem = pointer->type.type->elem.type;
    uint64_t each = elem->size / type_scalar((struct type *)elem)->size;
    struct ir_instr *value = gen_value(gen, stride);
    return ir_op2(&gen->b, IR_OP_imul, value, ir_const_int(gen->module, ir_int(64), each));
}

struct ir_instr *gen_matrix(struct gen *gen, const struct expr *expr)
{
    struct ir_builder *b = &gen->b;
    struct expr *const *args = expr->args;
    struct ir_type type = gen_type(expr->type.type);
    if (type_is_matrix(expr->type.type) && !expr->type.type->rows) {
        diag_error(gen->diag, expr->loc, "the result of this built-in function must be assigned to a cooperative matrix");
        return ir_undef(gen->module, ir_int(32));
    }
    if (expr->matrix_op == MATRIX_MULADD) {
        struct ir_instr *x = gen_value(gen, args[0]), *y = gen_value(gen, args[1]);
        return ir_mat_muladd(b, x, y, gen_value(gen, args[2]), expr->matrix_flags);
    }
    if (expr->matrix_op == MATRIX_LENGTH) {
        struct ir_instr *x = gen_value(gen, args[0]);
        return ir_build(b, IR_OP_mat_length, ir_int(32), &x, 1);
    }
    struct gen_place place = place_of(gen, args[0]);
    struct ir_instr *stride = stride_of(gen, args[0], args[1]);
    if (expr->matrix_op == MATRIX_LOAD)
        return ir_mat_load(b, type, place.address, stride, expr->matrix_flags, gen_mem(&place));
    ir_mat_store(b, place.address, gen_value(gen, args[2]), stride, expr->matrix_flags, gen_mem(&place));
    return NULL;
}
