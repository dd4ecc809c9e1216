// SPDX-License-Identifier: Apache-2.0
// Values of constant expressions, bytes of static initialisers.
#ifndef KC_AST_CONST_EVAL_H
#define KC_AST_CONST_EVAL_H

#include "ast/ast.h"

// Value of an integer constant expression; else returns false and, if `what` is set, reports "... is not an integer
// constant expression". Folds as C does: no side effects, unevaluated operands ignored.
bool const_eval_int(struct ast *ast, const struct expr *expr, uint64_t *value, const char *what);
bool const_eval_lanes(struct ast *ast, const struct expr *expr, uint64_t lanes[16]); // arithmetic scalars and vectors, exact
// Initialisers of program-scope variables: writes the bytes to `out` (sizeof type) and lists addresses as
// relocations.
struct const_reloc {
    uint64_t offset;
    const struct decl *decl; // the object whose address is stored; or NULL and
    const struct expr *string; // a string literal or compound literal
    int64_t addend;
};
struct const_relocs {
    struct const_reloc *items;
    size_t count, capacity;
};
bool const_eval_init(struct ast *ast, const struct decl *decl, uint8_t *out, struct const_relocs *relocs); // reports values that are not constant

#endif
