// SPDX-License-Identifier: Apache-2.0
// What the sema_*.c files share and nobody else calls.
#ifndef KC_AST_SEMA_IMPL_H
#define KC_AST_SEMA_IMPL_H

#include "ast/builtins.h"
#include "ast/sema.h"

struct qtype sema_basic(struct ast *ast, enum type_kind kind);
const char *sema_type_text(struct ast *ast, struct qtype type);     // quoted, vectors explained
const char *sema_value_text(struct ast *ast, const struct expr *a); // of an operand's type
bool sema_is_pointer(const struct expr *a);
bool sema_is_null(const struct expr *a); // a null pointer constant
struct expr *sema_lanes(struct ast *ast, struct type *type, const uint64_t *lanes, struct loc loc);
// The same value as a constant where all operands are: keeps expressions small. Never reports.
struct expr *sema_fold(struct ast *ast, struct expr *a);
struct expr *sema_lane(struct ast *ast, struct expr *base, unsigned lane,
                       struct loc loc); // one lane of a vector
struct expr *sema_one(struct ast *ast, enum expr_kind kind, struct type *type, struct expr *a,
                      struct loc loc);

// For values that stand twice in what is made of them: sema_with(once, made) around it. Constants stay themselves.
struct expr *sema_once(struct ast *ast, struct expr *a);
struct expr *sema_with(struct ast *ast, struct expr *once, struct expr *a);

// Conversion nodes, made without asking: the caller knows that they are right.
struct expr *sema_convert_node(struct ast *ast, struct type *type, struct expr *a);
struct expr *sema_to_bool(struct ast *ast, struct expr *a); // scalars; null pointers compare
int sema_rank(const struct type *type); // conversion rank of an arithmetic scalar
struct type *sema_common_scalar(struct ast *ast, struct type *a,
                                struct type *b); // usual arithmetic conversions
struct type *sema_signed_like(struct ast *ast,
                              const struct type *type); // what comparing vectors of it gives
// Usual arithmetic conversions of two values, vectors included; false: reported.
bool sema_usual(struct ast *ast, struct expr **a, struct expr **b, struct loc loc);
struct type *sema_promoted(struct ast *ast, struct type *type);

bool sema_space_fits(const struct ast *ast, unsigned to,
                     unsigned from); // a pointer to `from` is one to `to`
bool sema_spaces_meet(const struct ast *ast, unsigned a, unsigned b);
bool sema_same_unqualified(struct type *a, struct type *b); // pointees equal but for qualifiers

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

// How well an argument fits a parameter: enum sema_fit, smaller is better.
enum sema_fit { FIT_EXACT, FIT_PROMOTION, FIT_CONVERSION, FIT_WIDENING, FIT_WRONG_POINTEE, FIT_NONE };
enum sema_fit sema_fit(struct ast *ast, struct qtype param, const struct expr *arg);

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
struct candidate *sema_best(struct ast *ast, struct candidate *list, struct expr **args,
                            uint32_t count, bool *ambiguous);
// Candidates with `count` parameters for a builtin's name, prepended to `list`.
struct candidate *builtin_candidates(struct ast *ast, const char *name, struct expr **args,
                                     uint32_t count, struct candidate *list);
struct builtin *builtin_from_candidate(struct ast *ast, const struct candidate *chosen,
                                       struct loc loc); // NULL: reported

#endif
