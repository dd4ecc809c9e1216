// SPDX-License-Identifier: Apache-2.0
// Accumulators of small floats (bf16, fp8) on devices whose units accumulate in f32 only: their tiles hold f32,
// always with values that the small format can represent, so results are rounded at once:
//
//   %3 = mat_narrow mat.bf16.c %2     ->     for each of the work-item's components i:  %3[i] = widen(narrow(%2[i]))
//
// Memory holds the small format: loads and stores are done component by component (matrix_rows.c).
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
    struct matrix_loop r = matrix_begin_loop(s);
    for (unsigned t = 0; t < count; t++)
        phis[t] = matrix_loop_value(s, &r, from.item[t]);
    for (unsigned t = 0; t < count; t++) {
        struct ir_instr *one = matrix_from_part(s, matrix, matrix_component(s, phis[t], r.number));
        struct ir_instr *src[3] = {phis[t], matrix_to_part(s, matrix, one), r.number};
        to.item[t] = phis[t]->src[1] = ir_build(&s->b, IR_OP_mat_set, phis[t]->type, src, 3);
    }
    matrix_end_loop(s, &r, matrix_tile_length(s, from.item[0]));
    return to;
}
