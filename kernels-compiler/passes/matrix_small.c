// SPDX-License-Identifier: Apache-2.0
// Sums of small floats that the device's units keep as floats alone: their tiles hold f32, always of numbers that the small
// format has, so that what is made of them is rounded at once:
//
//   %3 = mat_narrow mat.bf16.c %2     ->     for each of the work-item's components i:  %3[i] = widen(narrow(%2[i]))
//
// Memory has the small ones: it is read and written component by component (matrix_rows.c).
#include "ir/small_floats.h"
#include "passes/matrices.h"

struct ir_instr *matrix_to_part(struct matrices *s, struct ir_type matrix, struct ir_instr *x)
{
    return matrix_as_floats(s, matrix) ? ir_widen_small(&s->b, matrix.base, x) : x;
}

struct ir_instr *matrix_from_part(struct matrices *s, struct ir_type matrix, struct ir_instr *x)
{
    return matrix_as_floats(s, matrix) ? ir_narrow_small(&s->b, matrix.base, x) : x;
}

struct parts matrix_rounded(struct matrices *s, struct ir_type matrix, struct parts from)
{
    if (!matrix_as_floats(s, matrix))
        return from;
    unsigned count = matrix_part_count(s, matrix);
    struct parts to = matrix_new_parts(s, matrix);
    struct ir_instr **phis = ARENA_ARRAY(s->scratch, struct ir_instr *, count);
    struct matrix_rounds r = matrix_begin_rounds(s);
    for (unsigned t = 0; t < count; t++)
        phis[t] = matrix_round_value(s, &r, from.item[t]);
    for (unsigned t = 0; t < count; t++) {
        struct ir_instr *one = matrix_from_part(s, matrix, matrix_component(s, phis[t], r.number));
        struct ir_instr *src[3] = {phis[t], matrix_to_part(s, matrix, one), r.number};
        to.item[t] = phis[t]->src[1] = ir_build(&s->b, IR_OP_mat_set, phis[t]->type, src, 3);
    }
    matrix_end_rounds(s, &r, matrix_tile_length(s, from.item[0]));
    return to;
}
