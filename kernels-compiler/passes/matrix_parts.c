// SPDX-License-Identifier: Apache-2.0
// The parts of a cooperative matrix: see matrices.h.
#include "passes/matrices.h"

struct matrix_tile *matrix_find_tile(const struct matrices *s, struct ir_type type)
{
    for (size_t i = 0; i < s->tiles.count; i++)
        if (ir_type_eq(s->tiles.items[i].type, type))
            return &s->tiles.items[i];
    return NULL;
}

unsigned matrix_part_count(const struct matrices *s, struct ir_type type)
{
    if (!s->tiled)
        return matrix_own_columns(s, type) * type.rows;
    const struct matrix_tile *tile = matrix_find_tile(s, type);
    return (unsigned)(type.rows / tile->rows) * (type.columns / tile->columns);
}

struct ir_type matrix_part_type(const struct matrices *s, struct ir_type type)
{
    if (!s->tiled)
        return ir_component(type);
    const struct matrix_tile *tile = matrix_find_tile(s, type);
    return ir_matrix(ir_component(type), tile->rows, tile->columns, (enum ir_use)type.space);
}

struct parts matrix_new_parts(struct matrices *s, struct ir_type type)
{
    return (struct parts){ARENA_ARRAY(s->scratch, struct ir_instr *, matrix_part_count(s, type))};
}

struct parts matrix_parts_of(struct matrices *s, struct ir_instr *x)
{
    x = opt_resolved(x);
    if (x->op != IR_OP_undef && x->op != IR_OP_param && s->parts[x->id].item)
        return s->parts[x->id];
    struct parts any = matrix_new_parts(s, x->type);
    if (x->op != IR_OP_undef && !s->m->error)
        s->m->error = "a cooperative matrix passes a call that is not inlined";
    for (unsigned i = 0; i < matrix_part_count(s, x->type); i++)
        any.item[i] = ir_undef(s->m, matrix_part_type(s, x->type));
    return any;
}
