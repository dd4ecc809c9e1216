// SPDX-License-Identifier: Apache-2.0
// Small integers are extended from words by shifts and masks.
//
//   %2 = bitcast <4 x i8> %1 ; %3 = zext <4 x i32> %2
//   ->   %4 = and %1, 255 ; %5 = lshr %1, 8 ; %6 = and %5, 255 ; ... ; %3 = vec %4, %6, ...
//
// GPU compilers combine such a shift and mask into one instruction, often with a following conversion to float. With the small
// type they first copy each byte to a register. Not for CPU devices, which have vectors of bytes.
#include "passes/opt.h"

enum { WORD = 32 };

// Bits `at` to `at + bits` of `word`.
static struct ir_instr *piece(struct ir_builder *b, struct ir_instr *word, unsigned at, unsigned bits, bool is_signed)
{
    struct ir_type type = word->type;
    unsigned above = WORD - at - bits;
    if (is_signed) {
        word = above ? ir_op2(b, IR_OP_shl, word, ir_const_int(b->module, type, above)) : word;
        return ir_op2(b, IR_OP_ashr, word, ir_const_int(b->module, type, WORD - bits));
    }
    word = at ? ir_op2(b, IR_OP_lshr, word, ir_const_int(b->module, type, at)) : word;
    return above ? ir_op2(b, IR_OP_and, word, ir_const_int(b->module, type, (UINT64_C(1) << bits) - 1)) : word;
}

static bool is_words(const struct ir_instr *x)
{
    return x->op == IR_OP_bitcast && x->src[0]->type.base == IR_INT && x->src[0]->type.bits == WORD;
}

static void visit(struct ir_function *f, struct ir_instr *x)
{
    if ((x->op != IR_OP_zext && x->op != IR_OP_sext) || x->type.bits != WORD || ir_is_matrix(x->type))
        return;
    ir_resolve_sources(x);
    const struct ir_instr *from = x->src[0];
    unsigned first = 0;
    if (from->op == IR_OP_extract) {
        first = from->index;
        from = opt_resolved(from->src[0]);
    }
    if (!is_words(from) || from->type.bits >= WORD || from->type.base != IR_INT)
        return;
    struct ir_builder b = ir_before(f, x);
    struct ir_instr *words = opt_resolved(from->src[0]), *lanes[16];
    for (unsigned i = 0; i < x->type.lanes; i++) {
        unsigned at = (first + i) * from->type.bits;
        lanes[i] = piece(&b, ir_extract(&b, words, at / WORD), at % WORD, from->type.bits, x->op == IR_OP_sext);
    }
    ir_replace(x, x->type.lanes == 1 ? lanes[0] : ir_vec(&b, lanes, x->type.lanes));
}

// Requires: lower_vectors. Keeps: values. Removes: extensions of small integers that are parts of words.
bool opt_unpack(struct pass_context *c, struct ir_function *f)
{
    bool changed = false;
    if (!c->target->unpacks_by_shifts)
        return false;
    for (struct ir_block *block = ir_first_block(f); block; block = ir_next_block(block))
        for (struct ir_instr *x = block->first, *next; x; x = next) {
            next = x->next;
            visit(f, x);
            changed |= x->forward != NULL;
        }
    if (changed)
        ir_resolve(f);
    return changed;
}
