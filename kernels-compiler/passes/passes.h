// SPDX-License-Identifier: Apache-2.0
// Passes over the IR. One pass, one file, one function named as its row in passes.def; the list is the order.
// A pass states Requires / Keeps / Removes above its function. opt_* keep meaning and may be skipped;
// lower_* remove a construct for good.
#ifndef KC_PASSES_PASSES_H
#define KC_PASSES_PASSES_H

#include "ir/ir.h"

struct pass_context {
    struct ir_module *module;
    const struct kc_target *target;
    struct arena *scratch; // emptied after the pass
    bool optimize;         // false under -cl-opt-disable
};

// Returns whether anything changed. Every pass leaves a function resolved (no pending `forward`).
typedef bool pass_function(struct pass_context *context, struct ir_function *function);
typedef bool pass_module(struct pass_context *context); // clears `tidy` where it changes what repeated passes look at

pass_function lower_all_returns;
#define PASS(name, optional) pass_function name;
#define PASS_MODULE(name, optional) pass_module name;
#define PASS_PROGRAM(name, optional) pass_module name;
#include "passes/passes.def"

struct pipeline_options {
    bool optimize;
    struct arena *scratch;  // memory that many runs share; NULL: each has its own. Emptied.
    bool verify;            // after every pass
    const char *skip;       // comma list of opt_ passes
    const char *stop_after; // name of a pass
    void (*dump)(void *data, const char *pass, struct ir_module *module, struct ir_function *function); // NULL: all
    void *dump_data;
};

// Runs passes.def over one kernel's module (one kernel and what it reaches). NULL, or why it failed: a limit of
// the device (module->error) or, with `verify`, the name of the pass that broke the IR.
const char *pipeline_run(struct ir_module *module, const struct kc_target *target,
                         const struct pipeline_options *options);

// Runs the PASS_PROGRAM rows, before data_segment_build().
const char *pipeline_program(struct ir_module *program, const struct kc_target *target,
                             const struct pipeline_options *options);

// What kernels with cooperative matrices need of the program's constants (matrix_rows.c), before data_segment_build().
void matrices_add_numbers(struct ir_module *program, const struct kc_target *target);

// Runs the PREPARE rows over what kernels call in a whole program, before kernels are extracted.
const char *pipeline_prepare(struct ir_module *program, const struct kc_target *target,
                             const struct pipeline_options *options);

// Whether the first `length` bytes of `name` are a pass, and one that can be left out.
bool pipeline_has(const char *name, size_t length);
bool pipeline_may_skip(const char *name, size_t length);

// Runs one pass by name on a module: for the text tests. False: no such pass.
bool pipeline_run_one(struct ir_module *module, const struct kc_target *target, const char *pass);

#endif
