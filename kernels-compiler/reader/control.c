// SPDX-License-Identifier: Apache-2.0
// Blocks and edges. A phi is a variable that the predecessors write at their end; all phis of a block are read
// together at its start.
#include "reader/reader.h"

// ---- scan for blocks -----------------------------------------------------------------------------

static void add_label(struct reader *r, struct spv_function *f, const struct spv_inst *inst)
{
    struct spv_id *entry = reader_id(r, inst->result);
    if (!f->graph->nodes.count)
        f->first_block = inst->at;
    entry->kind = SPV_ID_LABEL;
    entry->node = cfg_node_add(f->graph);
    entry->owner = f;
    entry->edges = NULL;
}

static void add_edges(struct reader *r, struct spv_function *f, const struct spv_inst *inst)
{
    for (uint32_t i = 0; i + 1 < inst->count; i += 2) {
        struct spv_id *parent = reader_id_of(r, inst->words[i + 1], SPV_ID_LABEL);
        if (parent->owner != f)
            reader_fail(r, "block %u belongs to another function", inst->words[i + 1]);
        struct spv_edge edge = {parent->edges, inst->result, inst->words[i], inst->at};
        parent->edges = arena_copy(r->work, &edge, sizeof edge);
    }
}

static void each_instruction(struct reader *r, struct spv_function *f, uint16_t opcode,
                             void (*visit)(struct reader *r, struct spv_function *f, const struct spv_inst *inst))
{
    struct spv_inst inst;
    for (uint32_t at = f->at; (r->words[at] & SpvOpCodeMask) != SpvOpFunctionEnd; at += r->words[at] >> SpvWordCountShift) {
        if ((r->words[at] & SpvOpCodeMask) != opcode)
            continue;
        reader_decode(r, at, &inst);
        r->inst = &inst;
        visit(r, f, &inst);
    }
    r->inst = NULL;
}

void reader_find_blocks(struct reader *r, struct spv_function *f)
{
    each_instruction(r, f, SpvOpLabel, add_label);
    each_instruction(r, f, SpvOpPhi, add_edges);
}

// ---- phis ----------------------------------------------------------------------------------------

static struct ir_instr *incoming_place(struct reader *r, struct spv_id *phi, const struct spv_type *type)
{
    if (!phi->incoming) {
        const char *name = reader_ir_name(r, phi->name, "phi");
        phi->incoming = ir_var_add(r->module, r->b.function, name, IR_PRIVATE, type->size, type->align);
    }
    return ir_addr(r->module, phi->incoming);
}

void reader_phi(struct reader *r, const struct spv_inst *inst)
{
    const struct spv_type *type = reader_result_type(r, inst);
    if (type->kind == SPV_VOID || type->kind == SPV_FUNCTION)
        reader_fail(r, "type %u cannot have a value", type->id);
    struct ir_instr *place = incoming_place(r, reader_id(r, inst->result), type);
    reader_result(r, inst, reader_load(r, type, place, reader_mem(place, type->align)));
}

// Stores the phi values of the outgoing edges. Loads all values before storing any, because they may be phis of that
// block.
static void leave_block(struct reader *r)
{
    struct spv_edge *first = reader_id(r, r->block)->edges;
    VEC(struct ir_instr *) values = {0};
    for (struct spv_edge *e = first; e; e = e->next)
        vec_push(r->work, &values, reader_value(r, e->value));
    size_t i = 0;
    for (struct spv_edge *e = first; e; e = e->next, i++) {
        struct spv_inst phi;
        reader_decode(r, e->at, &phi);
        const struct spv_type *type = reader_type(r, phi.type);
        if (reader_type_of(r, e->value) != type)
            reader_fail(r, "a value of phi %u has another type", e->phi);
        struct ir_instr *place = incoming_place(r, reader_id(r, e->phi), type);
        reader_store(r, type, place, values.items[i], reader_mem(place, type->align));
    }
}

// ---- blocks --------------------------------------------------------------------------------------

void reader_enter_block(struct reader *r, uint32_t label)
{
    r->block = label;
    ir_place_end(&r->b, &reader_id(r, label)->node->code);
}

static struct cfg_node *node_here(struct reader *r)
{
    return reader_id(r, r->block)->node;
}

static struct cfg_node *target(struct reader *r, uint32_t label)
{
    struct spv_id *entry = reader_id_of(r, label, SPV_ID_LABEL);
    if (entry->owner != r->function)
        reader_fail(r, "block %u belongs to another function", label);
    if (entry->node == r->function->graph->nodes.items[0])
        reader_fail(r, "a branch leads to the function's first block");
    return entry->node;
}

void reader_branch(struct reader *r, const struct spv_inst *inst)
{
    leave_block(r);
    cfg_end_jump(r->function->graph, node_here(r), target(r, inst->words[0]));
    r->b.dead = true;
}

void reader_branch_conditional(struct reader *r, const struct spv_inst *inst)
{
    struct ir_instr *cond = reader_value(r, inst->words[0]);
    if (!ir_type_eq(cond->type, ir_bool()))
        reader_fail(r, "the condition is not a bool");
    leave_block(r);
    cfg_end_branch(r->function->graph, node_here(r), cond, target(r, inst->words[1]), target(r, inst->words[2]));
    r->b.dead = true;
}

// ---- loops ---------------------------------------------------------------------------------------

// The numbers of a loop control follow its mask, in order of the bits.
static int32_t partial_count(const uint32_t *words, uint32_t count)
{
    const uint32_t with_number = SpvLoopControlDependencyLengthMask | SpvLoopControlMinIterationsMask |
                                 SpvLoopControlMaxIterationsMask | SpvLoopControlIterationMultipleMask |
                                 SpvLoopControlPeelCountMask;
    uint32_t at = 1 + (uint32_t)__builtin_popcount(words[0] & with_number);
    bool given = words[0] & SpvLoopControlPartialCountMask && at < count && words[at] && words[at] <= INT32_MAX;
    return given ? (int32_t)words[at] : IR_UNROLL_DEFAULT;
}

// Handled like the source attributes: unroll by a factor, fully or never. Other controls are ignored hints.
void reader_loop_control(struct reader *r, const struct spv_inst *inst)
{
    const uint32_t *words = inst->words + inst->row->arg;
    if (inst->count <= inst->row->arg)
        return;
    int32_t count = partial_count(words, inst->count - inst->row->arg);
    if (words[0] & SpvLoopControlDontUnrollMask)
        count = IR_UNROLL_NEVER;
    else if (!count && words[0] & SpvLoopControlUnrollMask)
        count = IR_UNROLL_FULL;
    node_here(r)->unroll = count;
}

void reader_unreachable(struct reader *r, const struct spv_inst *inst)
{
    (void)inst;
    ir_jump(&r->b, IR_OP_unreachable, NULL);
}

// ---- switch --------------------------------------------------------------------------------------

static int compare_values(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static void check_values(struct reader *r, const uint64_t *values, uint32_t count)
{
    uint64_t *sorted = arena_copy(r->work, values, sizeof *values * (count + 1));
    qsort(sorted, count, sizeof *sorted, compare_values);
    for (uint32_t i = 1; i < count; i++)
        if (sorted[i] == sorted[i - 1])
            reader_fail(r, "value %llu has two targets", (unsigned long long)sorted[i]);
}

void reader_switch(struct reader *r, const struct spv_inst *inst)
{
    const uint32_t *w = inst->words;
    struct ir_instr *selector = reader_value(r, w[0]);
    if (selector->type.base != IR_INT || selector->type.lanes != 1)
        reader_fail(r, "the selector is not an integer");
    const struct spv_type *type = reader_type_of(r, w[0]);
    unsigned bits = type->odd ? type->odd : type->ir.bits;
    uint32_t width = bits > 32 ? 2 : 1, count = (inst->count - 2) / (width + 1);
    if ((inst->count - 2) % (width + 1))
        reader_fail(r, "an operand is missing");
    uint64_t *values = ARENA_ARRAY(r->work, uint64_t, count + 1), mask = UINT64_MAX >> (64 - bits);
    struct cfg_node **nodes = ARENA_ARRAY(r->work, struct cfg_node *, count + 1);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t *pair = w + 2 + i * (width + 1);
        values[i] = (pair[0] | (width > 1 ? (uint64_t)pair[1] << 32 : 0)) & mask;
        nodes[i] = target(r, pair[width]);
    }
    nodes[count] = target(r, w[1]);
    check_values(r, values, count);
    leave_block(r);
    cfg_end_switch(r->function->graph, node_here(r), selector, values, nodes, count);
    r->b.dead = true;
}
