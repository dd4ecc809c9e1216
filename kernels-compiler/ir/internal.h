// SPDX-License-Identifier: Apache-2.0
// Shared by the files of ir/ only: creating and linking instructions, blocks and lists.
#ifndef KC_IR_INTERNAL_H
#define KC_IR_INTERNAL_H

#include "ir/ir.h"

// An instruction outside of any block, with `count` sources; immediates are zero.
struct ir_instr *ir_instr_create(struct ir_module *m, enum ir_op op, struct ir_type type,
                                 struct ir_instr *const *src, uint32_t count);
void ir_copy_immediates(struct ir_instr *to, const struct ir_instr *from);

struct ir_block *ir_block_create(struct ir_module *m);
void ir_list_init(struct ir_module *m, struct ir_list *list,
                  struct ir_node *owner); // makes a list of one empty block
void ir_list_insert(struct ir_list *list, struct ir_node *node,
                    struct ir_node *after); // after NULL: at the start
void ir_list_unlink(struct ir_node *node);
void ir_block_insert(struct ir_block *block, struct ir_instr *instr,
                     struct ir_instr *before); // before NULL: at the end

// Moves all instructions of `from` to the start of `to`.
void ir_block_prepend(struct ir_block *to, struct ir_block *from);

// Moves all instructions of `from` before `before`.
void ir_block_move(struct ir_block *from, struct ir_instr *before);

static inline struct ir_block *ir_as_block(struct ir_node *node)
{
    return (struct ir_block *)node;
}

static inline uint64_t ir_mask(unsigned bits)
{
    return bits >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << bits) - 1;
}

#endif
