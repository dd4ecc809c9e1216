// SPDX-License-Identifier: Apache-2.0
// What the sema_*.c files share and nobody else calls.
#ifndef KC_AST_SEMA_IMPL_H
#define KC_AST_SEMA_IMPL_H

#include "ast/builtins.h"
#include "ast/sema.h"

// The same value as a constant where all operands are: keeps expressions small. Never reports.
struct expr *sema_fold(struct ast *ast, struct expr *a);
struct expr *sema_lane(struct ast *ast, struct expr *base, unsigned lane,
                       struct loc loc); // one lane of a vector

// For values that stand twice in what is made of them: sema_with(once, made) around it. Constants stay themselves.
struct expr *sema_once(struct ast *ast, struct expr *a);
struct expr *sema_with(struct ast *ast, struct expr *once, struct expr *a);

// Conversion nodes, made without asking: the caller knows that they are right.
struct expr *sema_convert_node(struct ast *ast, struct type *type, struct expr *a);
struct expr *sema_to_bool(struct ast *ast, struct expr *a); // scalars; null pointers compare
// Usual arithmetic conversions of two values, vectors included; false: reported.
bool sema_usual(struct ast *ast, struct expr **a, struct expr **b, struct loc loc);

// sema_warn.c: a constant that changes its value; casts of pointers; elements
// that are read or written
void sema_warn_conversion(struct ast *ast, struct type *type, const struct expr *a, enum sema_context context,
                          struct loc loc);
void sema_warn_to_bool(struct ast *ast, const struct expr *a);
void sema_warn_cast(struct ast *ast, struct type *to, const struct expr *a, struct loc loc);
void sema_warn_bounds(struct ast *ast, const struct expr *element, bool address); // only its address is taken
void sema_warn_precision(struct ast *ast, const struct type *type, const struct expr *a); // an operand that becomes float

// sema_warn_compare.c: two operands, as written; a value taken for a truth value
void sema_warn_compare(struct ast *ast, enum token_kind op, const struct expr *a, const struct expr *b, struct loc loc);
void sema_warn_logical(struct ast *ast, enum token_kind op, const struct expr *a, const struct expr *b, struct loc loc);
void sema_warn_truth(struct ast *ast, const struct expr *a);

// A call of printf: checks the arguments against the format, converts them, in place.
bool sema_matrix_knows(struct ast *ast, const char *name); // a built-in function of theirs
struct expr *sema_matrix_call(struct ast *ast, const char *name, struct expr **args, uint32_t count, struct loc loc,
                              struct loc end);
struct expr *sema_matrix_binary(struct ast *ast, enum token_kind token, enum expr_op op, struct expr *a, struct expr *b,
                                struct loc loc); // one of the two is a matrix
struct expr *sema_matrix_negate(struct ast *ast, struct expr *a, struct loc loc);
struct expr *sema_matrix_component(struct ast *ast, struct expr *base, struct expr *index, struct loc loc);
struct expr *sema_matrix_cast(struct ast *ast, struct type *type, struct expr *a, struct loc loc);
struct expr *sema_matrix_settle(struct ast *ast, struct type *type, struct expr *a); // what it is assigned to says its type
static inline bool sema_matrix_is_open(const struct expr *a) { return type_is_matrix(a->type.type) && !a->type.type->rows; }

struct expr *sema_pipe_call(struct ast *ast, const char *name, struct expr **args, uint32_t count, struct loc loc, struct loc end);
// A call of a function of OpenCL C 2.0, 6.13.17, that takes a block or makes a range; the arguments are rvalues. NULL: no such name.
struct expr *sema_enqueue(struct ast *ast, const char *name, struct expr **args, uint32_t count, struct loc loc, struct loc end);

bool sema_printf(struct ast *ast, const struct builtin *builtin, struct expr **args, uint32_t count);

// A call of __builtin_NAME; NULL: there is no such function.
struct expr *sema_gnu_call(struct ast *ast, const char *name, struct expr **args, uint32_t count, struct loc loc);
// A call of a row of builtins.def; the arguments are rvalues.
struct expr *sema_call_builtin(struct ast *ast, const char *name, struct expr **args, uint32_t count, struct loc loc);

// An object of type atomic_int or its like, of which operators know nothing but & and conditions (6.15.12.3).
static inline bool sema_is_atomic(const struct ast *ast, const struct expr *a)
{
    return a->lvalue && a->type.quals & QUAL_ATOMIC && !ast->library;
}

#endif
