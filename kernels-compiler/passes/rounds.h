// SPDX-License-Identifier: Apache-2.0
// Loops that passes write out: what is understood of them, and their rounds as clones.
//
// Each round is a clone of body and continue list with the loop's phis replaced by the values of
// that round.
#ifndef KC_PASSES_ROUNDS_H
#define KC_PASSES_ROUNDS_H

#include "passes/opt.h"

struct loop_form {
    struct ir_loop *loop;
    struct ir_block *before, *header, *cont_last, *exit; // exit: the block that leaves
    struct ir_if *test;  // at the head; NULL: the loop's condition, at the end
    bool leaves_if_true; // of `test`
    uint32_t trips, size;
};

struct rounds { // written one after the other to `list`
    struct ir_function *f;
    const struct loop_form *form;
    struct ir_list list;
    struct map map;           // a value or block of the loop -> that of the last round
    struct ir_instr **values; // of the header's phis in the next round
};

// Whether the loop's only way out is one test, at its head (`for`, `while`) or at its end (`do`),
// and nothing keeps a value past one round in a way clones cannot. Gives no `trips`.
bool loop_understand(struct loop_form *l, struct ir_loop *loop);
uint32_t loop_phi_count(const struct loop_form *l);

void rounds_begin(struct rounds *r, struct ir_function *f, const struct loop_form *l,
                  struct arena *scratch); // `values` as before the loop
void rounds_add(struct rounds *r);        // one whose test is known to stay
struct ir_instr *rounds_value(const struct rounds *r, struct ir_instr *x); // of the last round

// Replaces the loop by l->trips rounds. ir_resolve() is due.
void loop_write_out(struct ir_function *f, const struct loop_form *l, struct arena *scratch);

#endif
