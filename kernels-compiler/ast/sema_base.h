// SPDX-License-Identifier: Apache-2.0
// Base functions for overload resolution, constant evaluation and the rest of sema.
#ifndef KC_AST_SEMA_BASE_H
#define KC_AST_SEMA_BASE_H

#include "ast/ast.h"

// Makes nodes.
struct qtype sema_basic(struct ast *ast, enum type_kind kind);
struct expr *sema_new(struct ast *ast, enum expr_kind kind, struct qtype type, struct loc loc);
struct expr *sema_error(struct ast *ast, struct loc loc); // makes an erroneous expression without reporting
struct expr *sema_one(struct ast *ast, enum expr_kind kind, struct type *type, struct expr *a, struct loc loc);
struct expr *sema_lanes(struct ast *ast, struct type *type, const uint64_t *lanes, struct loc loc);
struct expr *sema_const_int(struct ast *ast, enum type_kind kind, uint64_t value, struct loc loc);

bool sema_is_error(const struct expr *expr);
bool sema_is_pointer(const struct expr *a);
bool sema_is_null(const struct expr *a);     // is a null pointer constant
struct expr *sema_unwidened(struct expr *a); // the small float that sema_value() converted to float; else `a`
struct loc sema_start(const struct expr *a); // start of the expression's text, for diagnostics
struct loc sema_place(const struct expr *a); // place of its operator, also if it was folded

const char *sema_type_text(struct ast *ast, struct qtype type);     // quoted, with explanation for vectors
const char *sema_value_text(struct ast *ast, const struct expr *a); // describes an operand's type

// Type rules.
struct type *sema_promoted(struct ast *ast, struct type *type);
int sema_rank(const struct type *type); // conversion rank of an arithmetic scalar
struct type *sema_common_scalar(struct ast *ast, struct type *a, struct type *b); // usual arithmetic conversions
struct type *sema_signed_like(struct ast *ast, const struct type *type); // result of comparing vectors of the type
bool sema_space_fits(const struct ast *ast, unsigned to, unsigned from); // a pointer to `from` converts to one to `to`
bool sema_spaces_meet(const struct ast *ast, unsigned a, unsigned b);
bool sema_same_unqualified(struct type *a, struct type *b); // equal pointees, ignoring qualifiers

#endif
