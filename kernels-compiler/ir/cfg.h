// SPDX-License-Identifier: Apache-2.0
// A control-flow graph over pieces of structured code, and the way back to a tree: what goto, jumps into
// nested statements and other people's SPIR-V need.
//
// No value may pass from one node to another except through memory.
#ifndef KC_IR_CFG_H
#define KC_IR_CFG_H

#include "ir/ir.h"

enum cfg_end {
    CFG_EXIT,   // the code ends by itself: return, unreachable
    CFG_JUMP,   // to succs[0]
    CFG_BRANCH, // cond ? succs[0] : succs[1]
    CFG_SWITCH, // succs[i] for values[i], the last one otherwise
};

struct cfg_region;

struct cfg_node {
    struct ir_list code; // structured; no break or continue leaves it
    enum cfg_end end;
    struct ir_instr *cond; // bool (BRANCH) or integer (SWITCH), computed in `code`
    struct cfg_node **succs;
    uint64_t *values;
    uint32_t succ_count;
    int32_t unroll; // what is asked for the loop that it is in: as in struct ir_loop
    // Of the structurizer:
    struct cfg_region *region; // the innermost loop it is in
    uint32_t number;           // order of emission
    uint32_t pred_count;       // reachable edges to it
    struct cfg_node **preds;   // pred_count of them, but for the way into the function
    uint32_t low, index;       // Tarjan's
    uint32_t pending;          // 1 + its place in the list
    uint32_t at;               // how many were emitted before it
    uint32_t seen, least;      // edges to it that have been emitted, and the smallest `at` of where they begin
    bool on_stack, reached, emitted;
};

struct cfg {
    struct ir_function *function; // has an empty body, which is filled
    struct arena *arena;
    VEC(struct cfg_node *) nodes; // [0] is the entry
};

struct cfg_node *cfg_node_add(struct cfg *cfg);
void cfg_end_jump(struct cfg *cfg, struct cfg_node *node, struct cfg_node *to);
void cfg_end_branch(struct cfg *cfg, struct cfg_node *node, struct ir_instr *cond, struct cfg_node *yes,
                    struct cfg_node *no);
// succs has count + 1 entries, the last one for every other value.
void cfg_end_switch(struct cfg *cfg, struct cfg_node *node, struct ir_instr *value, const uint64_t *values,
                    struct cfg_node *const *succs, uint32_t count);

void cfg_structurize(struct cfg *cfg);

#endif
