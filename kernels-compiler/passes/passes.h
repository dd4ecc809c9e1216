// SPDX-License-Identifier: Apache-2.0
// Passes over the IR. Each pass is one file with one function, named as its row in passes.def, which defines the
// order. A comment above its function states what a pass requires, keeps and removes. opt_* passes preserve meaning
// and may be skipped; lower_* passes remove a construct permanently.
#ifndef KC_PASSES_PASSES_H
#define KC_PASSES_PASSES_H

#include "ir/ir.h"

struct pass_context {
    struct ir_module *module;
    const struct kc_target *target;
    struct arena *scratch; // reset after each pass
    bool optimize;         // false under -cl-opt-disable
};

// Returns whether anything changed. After every pass, all values are resolved (no pending `forward`).
typedef bool pass_function(struct pass_context *context, struct ir_function *function);
typedef bool pass_module(struct pass_context *context); // clears `converged` of functions that it changes

pass_function lower_all_returns;
#define PASS(name, optional) pass_function name;
#define PASS_MODULE(name, optional) pass_module name;
#define PASS_PROGRAM(name, optional) pass_module name;
#include "passes/passes.def"

struct pipeline_options {
    bool optimize;
    struct arena *scratch;  // memory shared by several runs; NULL: each run has its own. Reset afterwards.
    bool verify;            // after every pass
    const char *skip;       // comma-separated list of opt_ passes
    const char *stop_after; // name of a pass
    bool apart;             // pipeline_prepare: functions are left to each kernel
    void (*dump)(void *data, const char *pass, struct ir_module *module, struct ir_function *function); // NULL: the module
    void *dump_data;
};

// Runs passes.def on one kernel's module (the kernel and the functions it reaches). Returns NULL or the error: a
// limit of the device (module->error) or, with `verify`, the name of the pass that broke the IR.
const char *pipeline_run(struct ir_module *module, const struct kc_target *target,
                         const struct pipeline_options *options);

// Runs the PASS_PROGRAM rows, before data_segment_build().
const char *pipeline_program(struct ir_module *program, const struct kc_target *target,
                             const struct pipeline_options *options);

// Adds the constants that kernels with cooperative matrices need (matrix_rows.c); before data_segment_build().
void matrices_add_numbers(struct ir_module *program, const struct kc_target *target);

// Runs the PREPARE rows on the functions that kernels of a whole program call, before kernels are extracted.
const char *pipeline_prepare(struct ir_module *program, const struct kc_target *target,
                             const struct pipeline_options *options);

// Whether the first `length` bytes of `name` name a pass, and one that may be skipped.
bool pipeline_has(const char *name, size_t length);
bool pipeline_may_skip(const char *name, size_t length);

// Runs one pass by name on a module, for the text tests. False: no such pass.
bool pipeline_run_one(struct ir_module *module, const struct kc_target *target, const char *pass);

#endif
