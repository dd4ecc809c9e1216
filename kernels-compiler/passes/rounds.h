// SPDX-License-Identifier: Apache-2.0
// Loops that passes unroll: their analysis, and cloning of iterations.
//
// Each iteration is a clone of body and continue list with the loop's phis replaced by the values of that iteration.
#ifndef KC_PASSES_ROUNDS_H
#define KC_PASSES_ROUNDS_H

#include "passes/opt.h"

struct loop_form {
    struct ir_loop *loop;
    struct ir_block *before, *header, *cont_last, *exit; // exit: the block that leaves the loop
    struct ir_if *test;  // at the head; NULL: the loop's condition, at the end
    bool leaves_if_true; // of `test`
    uint32_t trips, size;
};

struct rounds { // cloned one after the other to `list`
    struct ir_function *f;
    const struct loop_form *form;
    struct ir_list list;
    struct map map;           // a value or block of the loop -> its last clone
    struct ir_instr **values; // of the header's phis in the next iteration
};

// Whether the loop's only exit is one test, at its head (`for`, `while`) or at its end (`do`), and nothing carries a
// value between iterations in a way that cloning cannot reproduce. Does not set `trips`.
bool loop_understand(struct loop_form *l, struct ir_loop *loop);
uint32_t loop_phi_count(const struct loop_form *l);
// Moves a pure value before the loop, after those of its sources that are computed in the loop.
void loop_move_out(const struct loop_form *l, struct ir_instr *x);

void rounds_begin(struct rounds *r, struct ir_function *f, const struct loop_form *l,
                  struct arena *scratch); // `values`: those before the loop
void rounds_add(struct rounds *r);        // an iteration for which the test is known to continue
struct ir_instr *rounds_value(const struct rounds *r, struct ir_instr *x); // in the last iteration

// Replaces the loop by l->trips iterations. The caller calls ir_resolve() afterwards.
void loop_write_out(struct ir_function *f, const struct loop_form *l, struct arena *scratch);
// Replaces the loop by l->trips - 1 iterations and another one if the test, which is at the head, continues.
void loop_write_out_last_tested(struct ir_function *f, const struct loop_form *l, struct arena *scratch);
// Replaces the loop by its header alone, as it is executed last: `ends` are the values of its phis then.
void loop_write_out_end(struct ir_function *f, const struct loop_form *l, struct ir_instr **ends, struct arena *scratch);

#endif
