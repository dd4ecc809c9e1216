// SPDX-License-Identifier: Apache-2.0
// Semantic analysis: the parser passes operands in; sema checks and converts them and returns typed nodes. Nothing
// here reads tokens. Every function accepts erroneous operands (type error) and passes them on without reporting.
#ifndef KC_AST_SEMA_H
#define KC_AST_SEMA_H

#include "ast/const_eval.h"
#include "ast/scope.h"
#include "ast/sema_base.h"
#include "ast/types.h"

void ast_enter(struct ast *ast, struct loc loc); // fatal error "nested too deeply" at the limit
void ast_leave(struct ast *ast);

// sema_expr.c and friends

struct expr *sema_number(struct ast *ast, const struct token *token);    // all C99 integer and float forms, suffixes u l ul h f
struct expr *sema_character(struct ast *ast, const struct token *token);
struct expr *sema_string(struct ast *ast, const struct token *const *tokens, uint32_t count); // adjacent strings concatenated
struct expr *sema_text(struct ast *ast, const char *text, struct loc loc); // acts like a string literal
struct expr *sema_printed_text(struct ast *ast, struct expr *pointer); // the EXPR_STRING that it points to; NULL: unknown
struct expr *sema_identifier(struct ast *ast, const char *name, struct loc loc); // variable, enumerator, function, builtin

// open, end: places of the parentheses
struct expr *sema_call(struct ast *ast, struct expr *callee, struct expr **args, uint32_t count, struct loc open,
                       struct loc end);
struct expr *sema_subscript(struct ast *ast, struct expr *base, struct expr *index, struct loc loc);
struct expr *sema_member(struct ast *ast, struct expr *base, const char *name, bool arrow, struct loc loc); // fields and swizzles
struct expr *sema_unary(struct ast *ast, enum token_kind op, struct expr *a, struct loc loc);   // & * + - ~ !
struct expr *sema_incdec(struct ast *ast, struct expr *a, int increment, bool prefix, struct loc loc);
struct expr *sema_binary(struct ast *ast, enum token_kind op, struct expr *a, struct expr *b, struct loc loc); // arithmetic, comparison, && ||, comma
struct expr *sema_assign(struct ast *ast, enum token_kind op, struct expr *a, struct expr *b, struct loc loc); // = and op=
struct expr *sema_conditional(struct ast *ast, struct expr *a, struct expr *b, struct expr *c, struct loc loc);
struct expr *sema_choose_itself(struct ast *ast, struct expr *a, struct expr *b, struct loc loc); // GNU's a ?: b
struct expr *sema_cast(struct ast *ast, struct qtype type, struct expr *a, struct loc loc);
// (float4)(...): also with one argument; open: place of the second opening parenthesis
struct expr *sema_vector_literal(struct ast *ast, struct type *type, struct expr **args, uint32_t count, struct loc loc,
                                 struct loc open);
struct expr *sema_compound_literal(struct ast *ast, struct qtype type, struct init *init, struct loc loc);
struct expr *sema_sizeof(struct ast *ast, struct qtype type, struct loc loc);   // also of expressions, through their type
struct expr *sema_alignof(struct ast *ast, struct qtype type, struct loc loc);
struct expr *sema_vec_step(struct ast *ast, struct qtype type, struct loc loc);
struct expr *sema_offsetof(struct ast *ast, struct qtype type, struct expr *designator_offset, struct loc loc);
struct expr *sema_astype(struct ast *ast, struct expr *a, struct qtype type, struct loc loc); // as_TYPE(a)
struct expr *sema_convertvector(struct ast *ast, struct expr *a, struct qtype type, struct loc loc);
struct expr *sema_statement_expr(struct ast *ast, struct stmt *body, struct loc loc);

// sema_block.c
struct decl *sema_block_of(const struct expr *a); // function of the block literal; NULL: unknown
struct expr *sema_block(struct ast *ast, struct decl *function, struct loc loc); // a block literal
struct expr *sema_block_truth(struct ast *ast, const struct expr *a); // always true: there are no null blocks
// The copy of an outer function's variable for the block being parsed. Returns the variable itself if no copy is
// needed, NULL after an error.
struct decl *sema_capture(struct ast *ast, struct decl *decl, struct loc loc);

// Conversions used by declarations and statements too.
struct type *sema_matrix_type(struct ast *ast, struct type *component, const struct matrix_shape *shape); // error type after an error
struct expr *sema_matrix_constant(struct ast *ast, const char *name, struct loc loc); // CLK_COOPERATIVE_MATRIX_*; NULL: none

bool sema_is_pipe_function(struct ast *ast, const char *name); // a built-in function of pipes

struct expr *sema_value(struct ast *ast, struct expr *a);      // load, array decay: an rvalue; a small float becomes a float
// For an expression whose value is not used (a statement, an operand of sizeof or typeof): reports names that do not
// denote a value.
struct expr *sema_unused(struct ast *ast, struct expr *a);
struct expr *sema_unevaluated(struct ast *ast, struct expr *a); // a function is allowed there
struct expr *sema_condition(struct ast *ast, struct expr *a, struct loc loc);  // rvalue converted to bool; error unless scalar
enum sema_context { SEMA_ASSIGN, SEMA_INIT, SEMA_ELEMENT, SEMA_ARGUMENT, SEMA_RETURN }; // ELEMENT: in a braced list
// Converts as if by assignment to an object of `type`; reports what is not allowed (address spaces, qualifiers,
// types).
struct expr *sema_convert(struct ast *ast, struct qtype type, struct expr *a, enum sema_context context);
// The same, reporting at `loc` (declarations: the declared name; return: the value's place).
struct expr *sema_convert_at(struct ast *ast, struct qtype type, struct expr *a, enum sema_context context,
                             struct loc loc);
struct expr *sema_integer_promote(struct ast *ast, struct expr *a);

// sema_warn*.c: warnings about probable mistakes
void sema_warn_binary(struct ast *ast, enum token_kind op, const struct expr *a, const struct expr *b,
                      struct loc loc); // operands as written
void sema_warn_unused(struct ast *ast, const struct expr *a);    // an expression statement
void sema_warn_condition(struct ast *ast, const struct expr *a); // before lvalue conversion
void sema_warn_order(struct ast *ast, const struct expr *a);     // a full expression with side effects
void sema_warn_sizeof(struct ast *ast, const struct expr *a, struct loc loc); // loc: start of the operand
int sema_outcome(struct ast *ast, const struct expr *condition); // 0 or 1 if constant, else -1
bool sema_is_truth(const struct expr *a); // the value is 0 or 1, whatever the type
void sema_warn_no_case(struct ast *ast, const struct expr *value, uint64_t bits,
                       struct loc loc); // value: a constant
void sema_warn_case(struct ast *ast, struct type *type, const struct expr *value, struct loc loc); // type: of the switch value
void sema_warn_return(struct ast *ast, const struct expr *value);
void sema_warn_end(struct ast *ast, const struct decl *function, struct loc end); // end: place of the body's '}'

// parse_expr.c
struct init; // initialiser lists are parsed and flattened in parse_init.c

#endif
