// SPDX-License-Identifier: Apache-2.0
// The parser: recursive descent over the token array, one file per part of the grammar.
//
// After a syntax error the parser is in panic mode: it reports no further syntax errors, and every loop ends until a
// statement, member or declaration has skipped to its end (parse_synchronize). Semantic checks are in sema.
#ifndef KC_AST_PARSE_H
#define KC_AST_PARSE_H

#include "ast/sema.h"
#include "common/diag.h"

enum { PARSE_MAX_DEPTH = 1000, PARSE_MAX_HEIGHT = 10000, PARSE_MAX_CHAIN = 5000 }; // documented in pumice(7)

struct parse_switch {
    struct stmt *stmt;
    struct type *type; // of the promoted value; the error type if invalid
    struct type *written; // of the value before promotion
    struct map cases;  // value -> its STMT_CASE
    struct stmt *zero_case, *default_case;
    struct parse_switch *outer;
    bool dead; // the code at the current place is unreachable
};

struct parser {
    struct ast *ast;
    const struct token *at;   // current token; never moves past TOK_EOF
    const struct token *prev; // last consumed token
    bool panic;
    struct scope *prototype;  // of the parameter list being parsed; NULL outside of one
    uint32_t height;          // of the last expression tree
    struct map size_names; // typedefs and parameters -> name of the pointer-sized type in their declaration

    VEC(struct decl *) externs; // extern variables, which must be defined if used
    struct map extern_names;    // first declaration of each name

    // State of the function being parsed.
    struct map labels; // name -> struct label *
    VEC(struct label *) label_list;
    struct parse_switch *in_switch;
    uint32_t loops, breakables, blocks;
    struct loc last_else;
    struct scope *function_scope; // the outermost one
    struct stmt *carry;           // declares the carry flag of inline assembly; NULL: not used
};

struct parse_specs {
    struct qtype type;
    struct loc loc, storage_loc, kernel_loc;
    enum decl_storage storage;
    bool has_space, is_inline, is_kernel, declares_tag, is_typedef_name;
    bool is_pipe; // a pipe with packets of the type
    const char *typedef_name; // the typedef in the declaration, unless it names a pointer or array
    const char *size_name; // size_t, ptrdiff_t ...: forbidden in kernel parameters
    uint32_t type_align;   // of a typedef with an aligned attribute
    struct attributes attributes;
};

struct parse_function { // of a function declarator
    struct decl **params;
    uint32_t count;
    bool variadic, names_only; // names_only: int f(a, b), followed by parameter declarations
    struct scope *scope;
};

struct declarator {
    const char *name; // NULL: abstract
    struct loc loc;   // place of the name, or where it is missing
    struct qtype type;
    bool has_space;   // an address space of the object itself was specified
    bool direct;      // only a name: the type is that of the specifiers
    struct attributes attributes;
    struct parse_function *function; // if the type is a function type written here
};

enum parse_declarator_mode { DECLARATOR_NAMED, DECLARATOR_ABSTRACT, DECLARATOR_EITHER };

// parse.c
void parse_error(struct parser *p, struct loc loc, const char *format, ...) __attribute__((format(printf, 3, 4)));
void parse_next(struct parser *p);
bool parse_accept(struct parser *p, enum token_kind kind);
bool parse_expect(struct parser *p, enum token_kind kind, const char *where); // where: "after expression", or NULL
void parse_synchronize(struct parser *p);         // past the next ';' or to the next '}' of this block
void parse_close_header(struct parser *p);        // the ')' of if (...), for (...); also in panic mode
void parse_close_brace(struct parser *p);         // the '}' of a list of enumerators or initialisers; also in panic mode, which persists
struct loc parse_end_of_prev(const struct parser *p);
static inline bool parse_is(const struct parser *p, enum token_kind kind) { return p->at->kind == kind; }
void parse_height(struct parser *p, uint32_t left, uint32_t right);
void parse_pragma(struct parser *p, int32_t *unroll); // consumes one TOK_PRAGMA

// parse_type.c
bool parse_starts_type(const struct parser *p, const struct token *token);
bool parse_specifiers(struct parser *p, struct parse_specs *specs); // false: no type specifier (reported)
struct qtype parse_type_name(struct parser *p);
bool parse_is_size_type(const char *name); // size_t and other pointer-sized types
bool parse_qualifier(struct parser *p, uint8_t *quals, uint8_t *space, bool *has_space);
void parse_apply_space(struct parser *p, struct attributes *attributes, uint8_t *space, bool *has_space); // applies an attribute's address space

// parse_declarator.c
void parse_declarator(struct parser *p, const struct parse_specs *specs, enum parse_declarator_mode mode,
                      struct declarator *out);

struct parse_function *parse_parameters(struct parser *p); // after the '('
// Parses the parameter declarations of an old-style definition, up to the '{' of the function.
void parse_old_style(struct parser *p, struct declarator *out);

// parse_record.c
struct type *parse_record(struct parser *p);
struct type *parse_enum(struct parser *p);

// parse_attr.c
bool parse_attributes(struct parser *p, struct attributes *attributes); // any number of __attribute__((...)); false: none
bool parse_alignas(struct parser *p, struct attributes *attributes); // C11's; false: none
void parse_attributes_merge(struct attributes *into, const struct attributes *from);
// Reports kernel and loop attributes in other places.
enum parse_place { ON_KERNEL, ON_FUNCTION, ON_DECLARATION, ON_TYPE, ON_LABEL, ON_LOOP, ON_STATEMENT };
void parse_check_place(struct parser *p, const struct attributes *attributes, enum parse_place place);

// parse_decl.c
void parse_external(struct parser *p);
struct stmt *parse_local_declaration(struct parser *p, const struct attributes *attributes); // consumes the ';'
void parse_static_assert(struct parser *p);

// parse_check.c
void parse_check_kernel(struct parser *p, struct decl *decl, const struct parse_specs *specs);
void parse_check_calls(struct parser *p);
void parse_check_nosvm(struct parser *p, const struct decl *decl); // of a variable or parameter

// parse_stmt.c
struct stmt *parse_compound(struct parser *p, bool new_scope);
// For block literals too, inside a function body or at file scope.
void parse_function_body(struct parser *p, struct decl *decl, struct scope *scope);

// parse_expr.c
struct expr *parse_expression(struct parser *p);
struct expr *parse_assignment(struct parser *p);
struct expr *parse_full_expression(struct parser *p); // not a subexpression
struct expr *parse_full_assignment(struct parser *p);
struct expr *parse_conditional(struct parser *p);
bool parse_constant(struct parser *p, uint64_t *value, const char *what); // integer constant expression; false: reported
struct expr *parse_string(struct parser *p);

// parse_asm.c
struct stmt *parse_asm(struct parser *p);

// parse_block.c
struct expr *parse_block(struct parser *p); // at the '^' of a block literal

// parse_gnu.c
struct expr *parse_gnu(struct parser *p); // at __builtin_offsetof and other built-ins that take a type

// parse_init.c
// After '=', or at the '{' of a compound literal. Completes an array type of unknown length. Returns NULL after an
// error. `name`: place of the initialised name, for errors about values that do not fit; NULL: report at the value.
struct init *parse_initializer(struct parser *p, struct qtype *type, const struct loc *name);

#endif
