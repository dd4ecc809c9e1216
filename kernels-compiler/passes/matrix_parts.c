// SPDX-License-Identifier: Apache-2.0
// The parts of a cooperative matrix, tile components, and loops over them: see matrices.h.
#include "passes/matrices.h"

struct matrix_tile *matrix_find_tile(const struct matrices *s, struct ir_type type)
{
    for (size_t i = 0; i < s->tiles.count; i++)
        if (ir_type_eq(s->tiles.items[i].type, type))
            return &s->tiles.items[i];
    return NULL;
}

bool matrix_as_floats(const struct matrices *s, struct ir_type type)
{
    const struct matrix_tile *tile = matrix_find_tile(s, type);
    return tile && tile->as_floats;
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
    struct ir_type component = matrix_as_floats(s, type) ? ir_float(32) : type;
    return ir_matrix(component, tile->rows, tile->columns, (enum ir_use)type.space);
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
    if (x->op != IR_OP_undef)
        ir_fail(s->m, x->origin, "a cooperative matrix is passed to a call that is not inlined");
    for (unsigned i = 0; i < matrix_part_count(s, x->type); i++)
        any.item[i] = ir_undef(s->m, matrix_part_type(s, x->type));
    return any;
}

// ---- tile components -----------------------------------------------------------------------------

struct ir_instr *matrix_tile_length(struct matrices *s, struct ir_instr *tile)
{
    return ir_build(&s->b, IR_OP_mat_length, ir_int(32), &tile, 1);
}

struct ir_instr *matrix_component(struct matrices *s, struct ir_instr *tile, struct ir_instr *index)
{
    return ir_build(&s->b, IR_OP_mat_get, ir_component(tile->type), (struct ir_instr *[]){tile, index}, 2);
}

// ---- loops ---------------------------------------------------------------------------------------

struct ir_instr *matrix_loop_value(struct matrices *s, const struct matrix_loop *r, struct ir_instr *first)
{
    struct ir_instr *phi = ir_phi(&s->b, first->type, 2);
    phi->src[0] = first;
    phi->preds[0] = r->before;
    phi->preds[1] = ir_list_last(&r->loop->cont);
    phi->id = UINT32_MAX;
    return phi;
}

struct matrix_loop matrix_begin_loop(struct matrices *s)
{
    struct matrix_loop r = {.loop = ir_add_loop(&s->b)};
    r.before = (struct ir_block *)r.loop->node.prev;
    r.loop->unroll = IR_UNROLL_NEVER;
    ir_place_end(&s->b, &r.loop->body);
    r.number = matrix_loop_value(s, &r, matrix_number(s, 32, 0));
    return r;
}

void matrix_end_loop(struct matrices *s, const struct matrix_loop *r, struct ir_instr *count)
{
    ir_place_end(&s->b, &r->loop->cont);
    r->number->src[1] = ir_op2(&s->b, IR_OP_iadd, r->number, matrix_number(s, 32, 1));
    r->loop->cond = ir_op2(&s->b, IR_OP_ult, r->number->src[1], count);
    ir_place_after(&s->b, &r->loop->node);
}
