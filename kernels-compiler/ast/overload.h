// SPDX-License-Identifier: Apache-2.0
// Overload resolution: which of several functions a call refers to.
#ifndef KC_AST_OVERLOAD_H
#define KC_AST_OVERLOAD_H

#include "ast/ast.h"

// How well an argument fits a parameter: enum overload_fit, smaller is better.
enum overload_fit { FIT_EXACT, FIT_PROMOTION, FIT_CONVERSION, FIT_WIDENING, FIT_WRONG_POINTEE, FIT_NONE };
enum overload_fit overload_fit(struct ast *ast, struct qtype param, const struct expr *arg);

// A function that a call may refer to: a user's (decl) or a built-in.
enum { CANDIDATE_PARAMS = 16 };
struct candidate {
    struct decl *decl;
    const void *row; // row of builtins.def
    struct qtype result;
    const struct qtype *params; // types that arguments are ranked against
    struct qtype *final;        // built-ins: types that arguments are converted to
    uint32_t param_count;
    bool variadic;
    struct candidate *next;
};
// The best candidate; NULL if none matches or (*ambiguous) if several match equally well.
struct candidate *overload_best(struct ast *ast, struct candidate *list, struct expr **args, uint32_t count,
                                bool *ambiguous);

#endif
