// SPDX-License-Identifier: Apache-2.0
// copy and zero -> loads and stores of the widest aligned pieces; a loop when there are many.
//
// Between device memory pieces go up to 16 bytes; where private or local memory takes part at most 4, which suits its
// arrays of words best.
#include "passes/passes.h"

enum { MAX_PIECES = 32 };

struct copy {
    struct ir_builder b;
    struct ir_instr *to, *from; // from NULL: zeros
    struct ir_mem mem_to, mem_from;
};

static bool is_device(const struct ir_mem *mem)
{
    return mem->space == IR_GLOBAL || mem->space == IR_CONSTANT;
}

static uint32_t piece_bytes(const struct copy *c)
{
    uint32_t align = c->mem_to.align;
    bool device = is_device(&c->mem_to);
    if (c->from) {
        align = c->mem_from.align < align ? c->mem_from.align : align;
        device &= is_device(&c->mem_from);
    }
    uint32_t most = device ? 16 : 4;
    align = align ? align : 1;
    return align < most ? align : most;
}

static struct ir_type piece_type(uint32_t bytes)
{
    return bytes <= 4 ? ir_int(bytes * 8) : ir_with_lanes(ir_int(32), bytes / 4);
}

static struct ir_mem at_offset(struct ir_mem mem, uint64_t offset, uint32_t piece)
{
    while (mem.align > piece && (offset & (mem.align - 1)))
        mem.align /= 2;
    return mem;
}

// One piece at base [+ index * piece] + offset.
static void copy_piece(struct copy *c, struct ir_builder *b, struct ir_instr *index, uint64_t offset,
                       uint32_t piece)
{
    struct ir_type type = piece_type(piece);
    int64_t at = (int64_t)offset;
    uint64_t known = index ? piece : offset; // a divisor of the distance from the base
    struct ir_instr *value = ir_const_int(b->module, type, 0);
    if (c->from) {
        struct ir_instr *from = ir_ptr_index(b, c->from, index, piece, at);
        value = ir_load(b, type, from, at_offset(c->mem_from, known, piece));
    }
    struct ir_instr *to = ir_ptr_index(b, c->to, index, piece, at);
    ir_store(b, to, value, at_offset(c->mem_to, known, piece));
}

static void copy_loop(struct copy *c, uint64_t count, uint32_t piece)
{
    struct ir_module *m = c->b.module;
    struct ir_type i64 = ir_int(64);
    struct ir_loop *loop = ir_add_loop(&c->b);
    struct ir_builder body = {.module = m, .function = c->b.function}, cont = body;
    ir_place_end(&body, &loop->body);
    ir_place_end(&cont, &loop->cont);
    struct ir_instr *index = ir_phi(&body, i64, 2);
    copy_piece(c, &body, index, 0, piece);
    struct ir_instr *next = ir_op2(&cont, IR_OP_iadd, index, ir_const_int(m, i64, 1));
    loop->cond = ir_op2(&cont, IR_OP_ult, next, ir_const_int(m, i64, count));
    index->src[0] = ir_const_int(m, i64, 0);
    index->preds[0] = (struct ir_block *)loop->node.prev;
    index->src[1] = next;
    index->preds[1] = cont.block;
}

static void lower_copy(struct ir_function *f, struct ir_instr *x)
{
    struct copy c = {.b = {.module = f->module, .function = f}, .to = x->src[0], .mem_to = x->mem};
    if (x->op == IR_OP_copy) {
        c.from = x->src[1];
        c.mem_from = x->mem_from;
    }
    ir_place_before(&c.b, x);
    uint32_t piece = piece_bytes(&c);
    uint64_t at = 0, count = x->size / piece;
    if (count > MAX_PIECES) {
        copy_loop(&c, count, piece);
        at = count * piece;
    }
    for (; at < x->size; at += piece) {
        while (piece > x->size - at)
            piece /= 2;
        copy_piece(&c, &c.b, NULL, at, piece);
    }
    ir_remove(x);
}

// Requires: nothing. Keeps: everything. Removes: copy, zero.
bool lower_copies(struct pass_context *c, struct ir_function *f)
{
    bool changed = false;
    (void)c;
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b))
        for (struct ir_instr *x = b->first, *next; x; x = next) {
            next = x->next;
            if (x->op != IR_OP_copy && x->op != IR_OP_zero)
                continue;
            lower_copy(f, x); // a loop made here stands above b
            changed = true;
        }
    return changed;
}
