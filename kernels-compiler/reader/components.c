// SPDX-License-Identifier: Apache-2.0
// Components of cooperative matrices. A pointer to a component is represented by the matrix's address and the
// component's number. Only loads and stores accept such pointers.
#include "reader/reader.h"

struct ir_instr *reader_matrix_get(struct reader *r, struct ir_instr *matrix, struct ir_instr *index)
{
    struct ir_instr *src[] = {matrix, index};
    return reader_build(r, IR_OP_mat_get, ir_component(matrix->type), src, 2);
}

struct ir_instr *reader_matrix_set(struct reader *r, struct ir_instr *matrix, struct ir_instr *x, struct ir_instr *index)
{
    struct ir_instr *src[] = {matrix, x, index};
    return reader_build(r, IR_OP_mat_set, matrix->type, src, 3);
}

// For other blocks the index is kept in memory, like the address.
void reader_point_to_component(struct reader *r, uint32_t id, const struct spv_type *matrix, struct ir_instr *index)
{
    struct spv_id *entry = reader_id(r, id);
    if (!r->function)
        reader_fail(r, "components of cooperative matrices are not supported in constant expressions");
    if (entry->home)
        reader_fail(r, "the pointer to a component is used before its definition");
    struct spv_component c = {.matrix = matrix, .align = matrix->align, .index = index, .block = r->block};
    if (entry->crosses && !ir_is_const(index)) {
        c.home = ir_var_add(r->module, r->b.function, "component", IR_PRIVATE, 4, 4);
        ir_store(&r->b, ir_addr(r->module, c.home), index, (struct ir_mem){.space = IR_PRIVATE, .align = 4});
    }
    entry->component = arena_copy(r->work, &c, sizeof c);
}

struct ir_instr *reader_component_index(struct reader *r, const struct spv_component *c)
{
    if (!c->home || c->block == r->block)
        return c->index;
    return ir_load(&r->b, ir_int(32), ir_addr(r->module, c->home), (struct ir_mem){.space = IR_PRIVATE, .align = 4});
}
