// SPDX-License-Identifier: Apache-2.0
#ifndef KC_PASSES_STEPS_H
#define KC_PASSES_STEPS_H

#include "passes/passes.h"

struct step {
    struct ir_list code;
    struct ir_instr *value; // decides where to go: bool, or the integer of a switch; NULL: to[0]
    const struct ir_switch *choice;
    struct step **to; // 2 of a bool; of a switch one for each case, then that for all other values
    uint32_t number;  // its place in the row, unless its user gives it another one
    uint32_t end;     // of a loop's first step: the number behind its last; else 0
    struct ir_var *number_in; // its number is this variable's value; NULL: `number`
    bool dead;        // its code never comes to its end
    struct ir_function *called; // its end calls this function; to[0] is where the callee returns to
};

// Jumps to what is around the steps.
enum step_exit { EXIT_END, EXIT_BREAK, EXIT_CONTINUE, EXIT_RETURN, STEP_EXITS };

struct steps {
    struct ir_function *f;
    struct arena *scratch;
    // Puts a node among the steps: by steps_keep() or steps_split().
    void (*put)(struct steps *steps, struct ir_node *node);
    VEC(struct step *) row; // in the order of the source
    struct step *last;                   // where code goes
    struct step *on_break, *on_continue; // where these jumps go
    struct step exits[STEP_EXITS];
    bool used[STEP_EXITS];
    struct ir_var *result; // of the function, once a return was met that has a value; its user may give it
};

// Makes steps of what the list holds, which is then empty. `f`, `scratch`, `put` and `result` are given. No value is used in
// another step than its own.
void steps_take(struct steps *steps, struct ir_list *list);

void steps_keep(struct steps *steps, struct ir_node *node);  // the node goes to the step at hand as it is
void steps_split(struct steps *steps, struct ir_node *node); // its lists become steps
struct step *steps_split_loop(struct steps *steps, struct ir_loop *node); // the same; gives its first step. The last one follows it
void steps_call(struct steps *steps, struct ir_function *called); // the step at hand ends in a call

bool step_is_empty(const struct step *step);
const struct step *step_target(const struct step *step); // that or, if it is empty, the first behind it that is not
struct ir_instr *step_number(struct ir_builder *b, const struct step *step); // of that one
// The number of the one that follows `step`, or of the exit.
struct ir_instr *step_next(struct ir_builder *b, const struct step *step);

#endif
