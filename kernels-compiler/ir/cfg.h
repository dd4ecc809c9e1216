// SPDX-License-Identifier: Apache-2.0
// A control-flow graph over pieces of structured code, and its conversion to a tree. Needed for goto, jumps into
// nested statements, and SPIR-V from other producers.
//
// Values pass between nodes only through memory.
#ifndef KC_IR_CFG_H
#define KC_IR_CFG_H

#include "ir/ir.h"

enum cfg_end {
    CFG_EXIT,   // ends with return or unreachable
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
    int32_t unroll; // unroll request for the loop that contains it; see struct ir_loop
    // For the structurizer:
    struct cfg_region *region; // innermost loop that contains it
    uint32_t number;           // order of emission
    uint32_t pred_count;       // number of reachable edges to it
    struct cfg_node **preds;   // pred_count of them; NULL for the function's entry
    uint32_t low, index;       // of Tarjan's algorithm
    uint32_t pending;          // 1 + its index in the pending list
    uint32_t at;               // number of nodes emitted before it
    uint32_t seen, least;      // number of emitted edges to it, and the smallest `at` of their sources
    bool on_stack, reached, emitted;
};

struct cfg {
    struct ir_function *function; // its empty body is filled
    struct arena *arena;
    VEC(struct cfg_node *) nodes; // [0] is the entry
};

struct cfg_node *cfg_node_add(struct cfg *cfg);
void cfg_end_jump(struct cfg *cfg, struct cfg_node *node, struct cfg_node *to);
void cfg_end_branch(struct cfg *cfg, struct cfg_node *node, struct ir_instr *cond, struct cfg_node *yes,
                    struct cfg_node *no);
// succs has count + 1 entries; the last one is the default.
void cfg_end_switch(struct cfg *cfg, struct cfg_node *node, struct ir_instr *value, const uint64_t *values,
                    struct cfg_node *const *succs, uint32_t count);

void cfg_structurize(struct cfg *cfg);

#endif
