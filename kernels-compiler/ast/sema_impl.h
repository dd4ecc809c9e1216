// SPDX-License-Identifier: Apache-2.0
// Declarations shared by the sema_*.c files only.
#ifndef KC_AST_SEMA_IMPL_H
#define KC_AST_SEMA_IMPL_H

#include "ast/builtins.h"
#include "ast/sema.h"

// The expression as a constant if all operands are constants, which keeps trees small. Never reports.
struct expr *sema_fold(struct ast *ast, struct expr *a);
struct expr *sema_lane(struct ast *ast, struct expr *base, unsigned lane,
                       struct loc loc); // one lane of a vector

// For values that are used several times: sema_with(once, made) around the expression that uses sema_once(a).
// Constants are returned unchanged.
struct expr *sema_once(struct ast *ast, struct expr *a);
struct expr *sema_with(struct ast *ast, struct expr *once, struct expr *a);

// Makes conversion nodes without checking whether the conversion is valid.
struct expr *sema_convert_node(struct ast *ast, struct type *type, struct expr *a);
struct expr *sema_to_bool(struct ast *ast, struct expr *a); // scalars; null pointers compare
// Usual arithmetic conversions of two values, including vectors. Returns false after an error.
bool sema_usual(struct ast *ast, struct expr **a, struct expr **b, struct loc loc);

// sema_warn.c: constants that change by conversion, pointer casts, accesses to elements
void sema_warn_conversion(struct ast *ast, struct type *type, const struct expr *a, enum sema_context context,
                          struct loc loc);
void sema_warn_to_bool(struct ast *ast, const struct expr *a);
void sema_warn_cast(struct ast *ast, struct type *to, const struct expr *a, struct loc loc);
void sema_warn_bounds(struct ast *ast, const struct expr *element, bool address); // address: only the address is used
void sema_warn_precision(struct ast *ast, const struct type *type, const struct expr *a); // an operand that is converted to float

// sema_warn_compare.c: two operands as written; a value used as a condition
void sema_warn_compare(struct ast *ast, enum token_kind op, const struct expr *a, const struct expr *b, struct loc loc);
void sema_warn_logical(struct ast *ast, enum token_kind op, const struct expr *a, const struct expr *b, struct loc loc);
void sema_warn_truth(struct ast *ast, const struct expr *a);

// Cooperative matrices.
bool sema_is_matrix_function(struct ast *ast, const char *name); // a built-in function of cooperative matrices
struct expr *sema_matrix_call(struct ast *ast, const char *name, struct expr **args, uint32_t count, struct loc loc,
                              struct loc end);
struct expr *sema_matrix_binary(struct ast *ast, enum token_kind token, enum expr_op op, struct expr *a, struct expr *b,
                                struct loc loc); // at least one operand is a matrix
struct expr *sema_matrix_negate(struct ast *ast, struct expr *a, struct loc loc);
struct expr *sema_matrix_component(struct ast *ast, struct expr *base, struct expr *index, struct loc loc);
struct expr *sema_matrix_cast(struct ast *ast, struct type *type, struct expr *a, struct loc loc);
struct expr *sema_matrix_settle(struct ast *ast, struct type *type, struct expr *a); // gives a matrix of open type the type it is assigned to
static inline bool sema_matrix_is_open(const struct expr *a) { return type_is_matrix(a->type.type) && !a->type.type->rows; }

struct expr *sema_pipe_call(struct ast *ast, const char *name, struct expr **args, uint32_t count, struct loc loc, struct loc end);
// A call of a function of OpenCL C 2.0, 6.13.17, that takes a block or makes a range; arguments are rvalues. NULL: no
// such name.
struct expr *sema_enqueue(struct ast *ast, const char *name, struct expr **args, uint32_t count, struct loc loc, struct loc end);

bool sema_printf(struct ast *ast, const struct builtin *builtin, struct expr **args, uint32_t count);

// A call of __builtin_NAME; NULL if there is no such function.
struct expr *sema_gnu_call(struct ast *ast, const char *name, struct expr **args, uint32_t count, struct loc loc);
// A call of a row of builtins.def; arguments are rvalues.
struct expr *sema_call_builtin(struct ast *ast, const char *name, struct expr **args, uint32_t count, struct loc loc);

// An object of type atomic_int or similar; of all operators only & and conditions accept it (6.15.12.3).
static inline bool sema_is_atomic(const struct ast *ast, const struct expr *a)
{
    return a->lvalue && a->type.quals & QUAL_ATOMIC && !ast->library;
}

#endif
