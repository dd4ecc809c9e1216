// SPDX-License-Identifier: Apache-2.0
// See amount.h.
#include "passes/amount.h"
#include "passes/call_order.h"

static bool is_access_to(const struct ir_instr *x, enum ir_space space)
{
    return x->op >= IR_OP_elem_load && x->op <= IR_OP_elem_atomic && x->var->space == space;
}

// Mesa's CPU driver tests for each work-item whether it is active, and whether each component is inside of the buffer.
// With a constant index, it accesses the buffer once for all of them.
static uint32_t buffer_blocks(const struct ir_instr *x)
{
    enum { ITEMS = 8 };
    if (!is_access_to(x, IR_BUFFER) || ir_is_const(x->src[0]))
        return 0;
    return x->op == IR_OP_elem_store ? ITEMS * (2 + 2 * x->src[1]->type.lanes) : ITEMS * (2 + 3 * x->type.lanes);
}

static uint32_t masked_parts(const struct ir_instr *x)
{
    if (x->op == IR_OP_phi)
        return x->src_count;
    if (x->op == IR_OP_elem_store || x->op == IR_OP_store)
        return x->src[1]->type.lanes;
    return x->op == IR_OP_load || x->op == IR_OP_atomic ? x->type.lanes : 0;
}

static const struct ir_loop *loop_of(const struct ir_block *block)
{
    for (const struct ir_node *node = block->node.list->owner; node; node = node->list->owner)
        if (node->kind == IR_LOOP)
            return (const struct ir_loop *)node;
    return NULL;
}

// Of an access to an array, for each 32 bits.
static double access_registers(const struct ir_instr *x)
{
    enum { VALUES = 256 }; // bytes of an array of which the driver makes values if all positions are constants
    const struct ir_var *var = x->var;
    if (var->space != IR_PRIVATE)
        return var->space == IR_PUSH ? 0 : 7.7;
    if (ir_is_const(x->src[0]) && (uint64_t)var->count * ir_elem_bytes(var->elem) <= VALUES)
        return 0;
    return x->op == IR_OP_elem_store ? 0 : 1.5;
}

static double long_registers(const struct ir_instr *x)
{
    switch (x->op) {
    case IR_OP_iadd:
    case IR_OP_isub: return ir_is_const(x->src[1]) ? 1.9 : 2.8; // constants mostly join accesses
    case IR_OP_imul: return 5;
    case IR_OP_shl:
    case IR_OP_lshr:
    case IR_OP_ashr: return 2.8;
    case IR_OP_phi: return 1.2;
    default: return .8;
    }
}

static double lane_registers(const struct ir_instr *x)
{
    if (x->op == IR_OP_load || x->op == IR_OP_store)
        return .4;
    if (x->type.bits == 64)
        return long_registers(x);
    if (x->op == IR_OP_phi)
        return 1.2;
    if (x->op == IR_OP_vec || x->op == IR_OP_shuffle || x->op == IR_OP_bitcast)
        return 0;
    if (x->type.base == IR_BOOL || x->op == IR_OP_select)
        return .75;
    return x->type.bits < 32 ? 1.4 : x->op == IR_OP_extract ? 1 : .85;
}

static double registers_of(const struct ir_instr *x)
{
    const struct ir_type type = x->op == IR_OP_elem_store || x->op == IR_OP_store ? x->src[1]->type : x->type;
    if (type.base == IR_VOID || ir_is_matrix(type))
        return 0;
    const double words = type.lanes * (type.bits == 64 ? 2 : 1);
    if (x->op == IR_OP_elem_load || x->op == IR_OP_elem_store)
        return words * access_registers(x);
    return (x->op == IR_OP_load || x->op == IR_OP_store ? words : type.lanes) * lane_registers(x);
}

static void add_instruction(struct amount *all, const struct ir_instr *x)
{
    const struct ir_type type = x->op == IR_OP_elem_store ? x->src[1]->type : x->type;
    all->instructions++;
    all->registers += registers_of(x);
    all->phis += x->op == IR_OP_phi;
    all->masked += masked_parts(x);
    all->locals += is_access_to(x, IR_LOCAL) ? 1 + type.lanes : 0;
    all->buffers += buffer_blocks(x);
    all->barriers += x->op == IR_OP_barrier && x->sync.execution == IR_SCOPE_WORK_GROUP;
}

static bool is_indexed(const struct ir_instr *x)
{
    return (x->op == IR_OP_elem_load || x->op == IR_OP_elem_store) && x->var->space == IR_PRIVATE && !ir_is_const(x->src[0]);
}

static uint64_t *count_of(struct pass_context *c, struct map *counts, const void *key)
{
    uint64_t *count = map_get(counts, key);
    if (!count) {
        count = ARENA_ARRAY(c->scratch, uint64_t, 1);
        map_set(c->scratch, counts, key, count);
    }
    return count;
}

// Counts another use of `key`. Returns by how much the square of the count grows.
static double grow_square(struct pass_context *c, struct map *counts, const void *key)
{
    return 2 * (double)(*count_of(c, counts, key))++ + 1;
}

static uint64_t count_buffers(const struct ir_block *b)
{
    uint64_t count = 0;
    for (const struct ir_instr *x = b->first; x; x = x->next)
        count += buffer_blocks(x) > 0;
    return count;
}

// Counts a block of a loop and its accesses to buffers. Returns by how much the product of both counts grows.
static double grow_buffers(struct pass_context *c, struct map *blocks, struct map *buffers, const struct ir_loop *loop, uint64_t more)
{
    uint64_t *count = count_of(c, buffers, loop), of_blocks = *count_of(c, blocks, loop);
    const double before = (double)*count * (double)(of_blocks - 1);
    *count += more;
    return (double)*count * (double)of_blocks - before;
}

static struct amount amount_of(struct pass_context *c, const struct ir_function *f)
{
    enum { ITEMS = 16 }; // accesses in place of one
    struct amount all = {0};
    struct map blocks = {0}, buffers = {0}, accesses = {0}; // counts by loop, by loop, by array
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b)) {
        const struct ir_loop *loop = loop_of(b);
        all.blocks++;
        all.phis += b->node.next && b->node.next->kind == IR_LOOP ? 3 : 0; // overhead of a loop
        all.loop_pairs += loop ? grow_square(c, &blocks, loop) : 0;
        all.loop_buffers += loop ? grow_buffers(c, &blocks, &buffers, loop, count_buffers(b)) : 0;
        for (const struct ir_instr *x = b->first; x; x = x->next) {
            add_instruction(&all, x);
            all.array_pairs += is_indexed(x) ? ITEMS * ITEMS * grow_square(c, &accesses, x->var) : 0;
        }
    }
    return all;
}

static void add(struct amount *sum, const struct amount *part, double times)
{
    sum->instructions += times * part->instructions;
    sum->registers += times * part->registers;
    sum->locals += times * part->locals;
    sum->buffers += times * part->buffers;
    sum->loop_buffers += times * part->loop_buffers;
    sum->phis += times * part->phis;
    sum->blocks += times * part->blocks;
    sum->masked += times * part->masked;
    sum->array_pairs += times * part->array_pairs;
    sum->loop_pairs += times * part->loop_pairs;
    sum->barriers += times * part->barriers;
}

// How often each function is inlined into kernels, by its id.
static double *times_inlined(struct pass_context *c, const struct call_order *order)
{
    double *times = ARENA_ARRAY(c->scratch, double, c->module->functions.count);
    for (size_t i = 0; i < order->functions.count; i++) {
        const struct ir_function *f = order->functions.items[i];
        times[f->id] += f->kernel != NULL;
        for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b))
            for (const struct ir_instr *x = b->first; x; x = x->next)
                if (is_known_call(x))
                    times[x->callee->id] += times[f->id];
    }
    return times;
}

struct amount amount_inlined(struct pass_context *c, const struct ir_function **most)
{
    const struct call_order order = call_order_find(c);
    const double *times = times_inlined(c, &order);
    double largest = 0;
    struct amount sum = {0};
    for (size_t i = 0; i < order.functions.count; i++) {
        const struct ir_function *f = order.functions.items[i];
        const struct amount part = amount_of(c, f);
        add(&sum, &part, times[f->id]);
        if (times[f->id] * part.instructions > largest) {
            largest = times[f->id] * part.instructions;
            *most = f;
        }
    }
    return sum;
}

static double blocks_inlined(struct pass_context *c)
{
    const struct call_order order = call_order_find(c);
    const double *times = times_inlined(c, &order);
    double blocks = 0;
    for (size_t i = 0; i < order.functions.count; i++)
        for (struct ir_block *b = ir_first_block(order.functions.items[i]); b; b = ir_next_block(b))
            blocks += times[order.functions.items[i]->id];
    return blocks;
}

#define UNKNOWN_SIZE 1e30 // not infinite: some rates are 0

// Blocks, instructions and sources of phis. If there are calls, UNKNOWN_SIZE.
static double code_size(const struct pass_context *c)
{
    size_t size = 0;
    for (size_t i = 0; i < c->module->functions.count; i++)
        for (struct ir_block *b = ir_first_block(c->module->functions.items[i]); b; b = ir_next_block(b), size++)
            for (const struct ir_instr *x = b->first; x; x = x->next) {
                if (is_known_call(x))
                    return UNKNOWN_SIZE;
                size += x->op == IR_OP_phi ? x->src_count : 1;
            }
    return (double)size;
}

// Values have at most 4 components here.
struct amount amount_at_most(const struct pass_context *c)
{
    enum { LANES = 4, REGISTERS = 62, BUFFERS = 112, ARRAY_PAIRS = 256 }; // of one instruction; pairs: of two
    const double n = code_size(c);
    return (struct amount){.instructions = n, .registers = REGISTERS * n, .locals = (LANES + 1) * n, .phis = LANES * n, .blocks = n,
                           .masked = LANES * n, .buffers = BUFFERS * n, .loop_buffers = n * n, .array_pairs = ARRAY_PAIRS * n * n,
                           .loop_pairs = n * n};
}

double amount_pairs_ns(const struct pass_context *c, const struct amount *a)
{
    enum { PAIR_BLOCKS = 4000 }; // pair_ns applies to a kernel of this size: each pair is looked up in a table of all pairs of blocks
    const double pairs = a->barriers > 0 ? a->loop_pairs : a->masked * a->masked + a->array_pairs;
    return pairs * a->blocks / PAIR_BLOCKS * (double)c->target->cost.pair_ns;
}

bool amount_has_many_blocks(struct pass_context *c)
{
    enum { LEAST_NS = 500000000 };
    const double pair_ns = (double)c->target->cost.block_pair_ns;
    if (!c->target->cost.pair_ns)
        return false;
    const double most = code_size(c), blocks = most * most * pair_ns >= LEAST_NS ? blocks_inlined(c) : 0;
    return blocks * blocks * pair_ns >= LEAST_NS;
}
