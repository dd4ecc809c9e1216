// SPDX-License-Identifier: Apache-2.0
// Splits loads and stores of vectors of words in global memory into pairs of words, if aligned accordingly.
//
//   %2 = load <4 x f32> %1 global align 16   ->   %3 = load <2 x i64> %1 global align 16 ; %2 = bitcast <4 x f32> %3
//
// Mesa's CPU driver accesses each vector element separately for each work-item, with a branch for each: two 64-bit
// elements take half the time of four 32-bit ones. Three lanes become a pair and a single word; the fourth is never
// touched. (Narrower elements gain nothing: the time saved on loads is spent on unpacking them.)
//
// The same bytes are accessed, by non-atomic accesses, for which tearing is allowed. Volatile accesses and those to
// local and private memory are not changed.
#include "passes/opt.h"
#include "util/stack.h"

enum { WORD = 32, PAIR_BYTES = 8 };

static struct ir_instr *load(struct ir_builder *b, struct ir_type type, struct ir_instr *address, struct ir_mem mem)
{
    struct ir_type pairs = ir_with_lanes(ir_int(2 * WORD), type.lanes / 2);
    return ir_convert(b, IR_OP_bitcast, type, ir_load(b, pairs, address, mem));
}

static void store(struct ir_builder *b, struct ir_instr *address, struct ir_instr *value, struct ir_mem mem)
{
    struct ir_type pairs = ir_with_lanes(ir_int(2 * WORD), value->type.lanes / 2);
    ir_store(b, address, ir_convert(b, IR_OP_bitcast, pairs, value), mem);
}

// ---- three lanes --------------------------------------------------------------------------------

// The address of the third lane; `mem` describes the access to all three.
static struct ir_instr *third(struct ir_builder *b, struct ir_instr *address, struct ir_mem *mem)
{
    mem->align = PAIR_BYTES;
    return ir_op2(b, IR_OP_iadd, address, ir_const_int(b->module, address->type, PAIR_BYTES));
}

static struct ir_instr *load_three(struct ir_builder *b, struct ir_type type, struct ir_instr *address, struct ir_mem mem)
{
    struct ir_instr *two = load(b, ir_with_lanes(type, 2), address, mem);
    struct ir_instr *place = third(b, address, &mem);
    struct ir_instr *lanes[3] = {ir_extract(b, two, 0), ir_extract(b, two, 1), NULL};
    lanes[2] = ir_load(b, ir_with_lanes(type, 1), place, mem);
    return ir_vec(b, lanes, 3);
}

static void store_three(struct ir_builder *b, struct ir_instr *address, struct ir_instr *value, struct ir_mem mem)
{
    static const uint8_t first[2] = {0, 1};
    store(b, address, ir_shuffle(b, value, value, first, 2), mem);
    struct ir_instr *place = third(b, address, &mem);
    ir_store(b, place, ir_extract(b, value, 2), mem);
}

// ---- the pass -----------------------------------------------------------------------------------

static bool is_splittable(const struct ir_instr *x)
{
    if ((x->op != IR_OP_load && x->op != IR_OP_store) || x->mem.is_volatile || !ir_type_eq(x->src[0]->type, ir_int(64)))
        return false;
    struct ir_type type = x->op == IR_OP_load ? x->type : x->src[1]->type;
    return type.bits == WORD && type.lanes > 1 && x->mem.align >= PAIR_BYTES;
}

static void pair(struct ir_builder *b, struct ir_instr *x)
{
    stack_check();
    if (x->op == IR_OP_load) {
        ir_replace(x, (x->type.lanes == 3 ? load_three : load)(b, x->type, x->src[0], x->mem));
        return;
    }
    (x->src[1]->type.lanes == 3 ? store_three : store)(b, x->src[0], x->src[1], x->mem);
    ir_remove(x);
}

// Requires: lower_memory, lower_vectors. Keeps: everything. Removes: vector accesses of words, if the target asks for
// it.
bool opt_pairs(struct pass_context *c, struct ir_function *f)
{
    bool changed = false;
    if (!c->target->access_by_elements)
        return false;
    for (struct ir_block *block = ir_first_block(f); block; block = ir_next_block(block))
        for (struct ir_instr *x = block->first, *next; x; x = next) {
            next = x->next;
            if (!is_splittable(x))
                continue;
            struct ir_builder b = ir_before(f, x);
            ir_resolve_sources(x);
            pair(&b, x);
            changed = true;
        }
    if (changed)
        ir_resolve(f);
    return changed;
}
