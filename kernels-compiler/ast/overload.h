// SPDX-License-Identifier: Apache-2.0
// Which of several functions a call means.
#ifndef KC_AST_OVERLOAD_H
#define KC_AST_OVERLOAD_H

#include "ast/ast.h"

// How well an argument fits a parameter: enum overload_fit, smaller is better.
enum overload_fit { FIT_EXACT, FIT_PROMOTION, FIT_CONVERSION, FIT_WIDENING, FIT_WRONG_POINTEE, FIT_NONE };
enum overload_fit overload_fit(struct ast *ast, struct qtype param, const struct expr *arg);

// One function that a call may mean: a user's (decl) or a built-in one.
enum { CANDIDATE_PARAMS = 16 };
struct candidate {
    struct decl *decl;
    const void *row; // of builtins.def
    struct qtype result;
    const struct qtype *params; // what arguments are ranked against
    struct qtype *final;        // builtins: what they are converted to
    uint32_t param_count;
    bool variadic;
    struct candidate *next;
};
// The best of a list; NULL when none fits or (*ambiguous) several fit equally well.
struct candidate *overload_best(struct ast *ast, struct candidate *list, struct expr **args, uint32_t count,
                                bool *ambiguous);

#endif
