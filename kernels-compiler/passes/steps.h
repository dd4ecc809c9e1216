// SPDX-License-Identifier: Apache-2.0
#ifndef KC_PASSES_STEPS_H
#define KC_PASSES_STEPS_H

#include "passes/passes.h"

struct step {
    struct ir_list code;
    struct ir_instr *value; // selects the successor: bool, or the integer of a switch; NULL: always to[0]
    const struct ir_switch *choice;
    struct step **to; // 2 for a bool; for a switch one per case, then the default
    uint32_t number;  // its position in the source order, unless the user of this file numbers the steps itself
    uint32_t end;     // for a loop's first step: the number after its last one; else 0
    struct ir_var *number_in; // its number is the value of this variable; NULL: `number`
    struct ir_instr *shift;   // STEP_BITS, in a form that the driver does not know; NULL: numbers are constants
    bool dead;        // control never reaches its end
    struct ir_function *called; // the step ends with a call of this function, which returns to to[0]
};

enum { STEP_BITS = 6 };

// Jumps out of the steps.
enum step_exit { EXIT_END, EXIT_BREAK, EXIT_CONTINUE, EXIT_RETURN, STEP_EXITS };

struct steps {
    struct ir_function *f;
    struct arena *scratch;
    // Adds a node to the steps: by steps_add_node() or steps_split().
    void (*put)(struct steps *steps, struct ir_node *node);
    VEC(struct step *) row; // in source order
    struct step *last;                   // the current step
    struct step *on_break, *on_continue; // targets of these jumps
    struct step exits[STEP_EXITS];
    bool used[STEP_EXITS];
    struct ir_var *result; // the function's result, set at the first return with a value unless the user of this file gives it
};

// Splits the contents of the list into steps; the list is empty afterwards. The caller sets `f`, `scratch`, `put` and
// `result`. No value may be used in another step than the one that defines it.
void steps_split_list(struct steps *steps, struct ir_list *list);

void steps_add_node(struct steps *steps, struct ir_node *node);  // adds the node unchanged to the current step
void steps_split(struct steps *steps, struct ir_node *node); // splits its lists into steps
bool steps_is_once(const struct ir_node *node); // a loop with one iteration: its steps are in order
struct step *steps_split_loop(struct steps *steps, struct ir_loop *node); // the same; returns its first step
void steps_call(struct steps *steps, struct ir_function *called); // ends the current step with a call

bool step_is_empty(const struct step *step);
const struct step *step_target(const struct step *step); // the step itself or, if it is empty, the first non-empty one after it
// `value` in two parts of STEP_BITS bits, the higher one times 2^shift.
struct ir_instr *step_number_in_parts(struct ir_builder *b, struct ir_instr *shift, uint32_t value);
struct ir_instr *step_number(struct ir_builder *b, const struct step *step); // of step_target()
// The number of the step after `step`, or of the exit.
struct ir_instr *step_next(struct ir_builder *b, const struct step *step);

#endif
