// SPDX-License-Identifier: Apache-2.0
// AST -> IR. The AST must be free of errors. Functions come out with variables in memory and no phis.
#ifndef KC_GEN_GEN_H
#define KC_GEN_GEN_H

#include "ast/ast.h"
#include "ir/ir.h"

struct gen_options {
    bool debug; // -g
    bool fast_relaxed_math, mad_enable, optimize;
    bool correctly_rounded; // -cl-fp32-correctly-rounded-divide-sqrt
    bool uniform_groups; // work-groups are all of one size
    bool signed_wraps; // overflow of signed integers is no promise that it does not happen
    bool any_types; // memory is accessed by types that are not its own (-fno-strict-aliasing)
    bool separate; // say what other units of the program may use: linkage of functions and variables
    bool whole;    // what no kernel reaches too
};

// Returns the module with the functions that the unit's kernels reach, or all when it has none (kernels have ->kernel). What gen cannot do is reported in the
// diag by name and place; then the module must not be used.
struct ir_module *gen_unit(struct arena *arena, struct intern *intern, struct diag *diag, const struct kc_target *target,
                           const struct gen_options *options, struct unit *unit);

#endif
