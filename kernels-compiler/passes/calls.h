// SPDX-License-Identifier: Apache-2.0
// A kernel whose functions become steps of one loop (lower_calls.c), and the variables of these functions (call_vars.c).
#ifndef KC_PASSES_CALLS_H
#define KC_PASSES_CALLS_H

#include "passes/call_order.h"
#include "passes/demote.h"
#include "passes/share_vars.h"
#include "passes/steps.h"

enum {
    MOST_VALUES = 32, // limit of values live across steps without an array
    MOST_MERGES = 1 << 15, // limit of merges of such values in all steps
    ARRAY_VALUES = 4,  // where LLVM 15's coroutine pass compares all pairs of accesses to an array
    ARRAY_BYTES = 257, // elsewhere at least: Mesa's drivers for GPUs replace smaller arrays by values
};

struct variables { // of one type
    struct ir_type type;
    uint32_t first, count; // those of the function; variables of callers precede them
    uint32_t *last; // the last step that uses the variable
};

struct span { // steps of a function in which a value is live, from the first to the last one
    struct ir_var *var;
    uint32_t first, last;
    uint32_t number; // its variable's
    struct span *leader; // has the number of several variables of the function; NULL: this one
    bool apart;          // the number is that of a variable of several functions
};

struct body {
    struct steps steps; // of a function that is split
    struct calls *calls;
    struct ir_function *f;
    uint32_t instructions, sites; // sites: number of calls of it
    uint64_t size;                // after the driver's inlining
    bool split, has_barriers;
    // If it is split:
    struct ir_var **params, *result, *back; // variables for its arguments, its result and the step to return to;
                                            // in the kernel `back` is the next step
    struct ir_var **vars;                   // all its variables; the first ones are its own
    size_t var_count, own_vars;
    struct span *spans; // of all its variables but the first ones
    struct map span_of; // variable -> its span
    VEC(struct variables) variables;
};

struct pool { // variables of one type that the kernel's functions share
    struct ir_type type;
    uint32_t count;
    uint32_t apart;       // the last ones: variables of classes of several functions
    uint32_t array;       // `vars` are arrays of this many elements; 0: values
    struct ir_var **vars;
};

struct place { // replacement of a function's variable in the kernel
    struct ir_var *var;
    struct ir_instr *index; // NULL: the elements are the same
};

struct calls {
    struct pass_context *c;
    struct ir_module *m;
    struct body *bodies;       // by ir_function.id
    struct call_order called_by;
    VEC(struct body *) order; // the same of bodies
    struct ir_function *kernel;
    struct map shared; // variable of a function -> its struct shared_var
    struct map called; // placeholder of a call -> the callee's body
    struct map kept_nodes;   // set of nodes that stay inside of a step
    VEC(struct pool) pools;
    struct map small;        // private variable of few elements -> the number of its uses
    struct map replacements; // variable of a function -> its struct place
    VEC(struct step *) steps; // by number
    bool packs;    // `next` has the step to return to in its upper bits, which the callee's first step saves
    bool in_memory; // the shared variables
    bool together; // a sub-group executes one step at a time
    uint64_t derived; // number of values that are recomputed from others
    bool must;     // because of barriers or sub-group functions in the steps
    struct ir_instr *shift; // of struct step
};

// Otherwise LLVM's coroutine pass compares all pairs of accesses to a variable.
static inline bool has_registers(const struct calls *p) { return !p->c->target->cost.pair_ns; }

// Mesa's drivers for GPUs
static inline bool calls_inlined_by_gpu(const struct calls *p) { return has_registers(p) && !p->c->target->keeps_calls; }

static inline struct body *body_of(const struct calls *p, const struct ir_function *f) { return &p->bodies[f->id]; }

static inline bool is_elem(const struct ir_instr *x)
{
    return (x->op >= IR_OP_elem_load && x->op <= IR_OP_elem_atomic) || x->op == IR_OP_mat_elem_load || x->op == IR_OP_mat_elem_store;
}

// call_vars.c. calls_place_variables(): variables of callees are numbered after those of the
// function, and callers are processed first. calls_make_shared(): many values in many steps are kept in memory, because
// the driver's cost for merging values grows at least with their product. calls_keep_private(): when all code is in
// the kernel.
void calls_place_variables(struct calls *p, struct body *body);
void calls_add_variables(struct calls *p, struct body *body);
void calls_count_shared(struct calls *p, const struct body *body);
void calls_make_shared(struct calls *p, struct ir_builder *b);
void calls_move_variables(struct calls *p, struct body *body);
void calls_use_replacements(struct calls *p);
void calls_keep_private(struct calls *p);
struct pool *calls_pool_of(struct calls *p, struct ir_type type);

#endif
