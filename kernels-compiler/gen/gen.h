// SPDX-License-Identifier: Apache-2.0
// AST -> IR. The AST must be free of errors. The generated functions keep variables in memory and have no phis.
#ifndef KC_GEN_GEN_H
#define KC_GEN_GEN_H

#include "ast/ast.h"
#include "ir/ir.h"

struct gen_options {
    bool debug; // -g
    bool unsafe_math, mad_enable, optimize;
    bool correctly_rounded; // -cl-fp32-correctly-rounded-divide-sqrt
    bool uniform_groups; // all work-groups have the same size
    bool exact_quotients; // of floats, as the library needs them: not of 2.5 ULP where that is faster
    bool signed_wraps; // signed overflow wraps: do not assume that it cannot happen
    bool any_types; // objects may be accessed through other types (-fno-strict-aliasing)
    bool separate; // set the linkage of functions and variables for other units of the program
    bool all_functions;    // include functions that no kernel reaches
};

// Returns a module with the functions that the unit's kernels reach, or all functions if there is no kernel. Kernels
// have ->kernel. Unsupported constructs are reported in the diag; the module must not be used then.
struct ir_module *gen_unit(struct arena *arena, struct intern *intern, struct diag *diag, const struct kc_target *target,
                           const struct gen_options *options, struct unit *unit);

#endif
