// SPDX-License-Identifier: Apache-2.0
// Shared by gen's files: the state of a unit and the places that lvalues denote.
#ifndef KC_GEN_INTERNAL_H
#define KC_GEN_INTERNAL_H

#include "ast/builtins.h"
#include "ast/sema.h"
#include "gen/gen.h"
#include "ir/cfg.h"

#include <assert.h>

struct gen {
    struct arena *arena;
    struct diag *diag;
    const struct kc_target *target;
    const struct gen_options *options;
    struct ir_module *module;
    struct ast *ast;
    struct ir_builder b; // insertion point
    struct ir_function *function;
    struct decl *decl;             // of `function`
    struct ir_instr *result_place; // where a returned record is stored; NULL: none
    // Functions with goto: the graph (NULL otherwise), the current node, targets of break and continue.
    struct cfg *graph;
    struct cfg_node *node, *break_node, *continue_node;
    struct map case_nodes; // STMT_CASE -> its node
    uint32_t in_expression; // nesting depth of statement expressions; no jump may leave them
    struct gen_once *once;  // enclosing EXPR_WITHs, innermost first
};

// The place that an lvalue denotes: memory, or some lanes of a vector in memory.
struct gen_place {
    struct ir_instr *address;
    struct qtype type; // of the object, or of the chosen lanes
    uint32_t align;
    bool is_volatile;
    bool any_type; // may be accessed through other types
    struct type *vector;    // lanes: type of the vector; NULL: plain memory
    uint8_t lane[16], lane_count;
    uint16_t absent; // lanes whose stores are dropped
    struct ir_instr *component; // component index (i32) if the place is a component of `matrix`, else NULL
    struct type *matrix;
};

// gen_type.c
enum ir_base gen_format(const struct type *type); // small floats: the format in their integer
struct ir_type gen_type(const struct type *type); // in registers: bool is IR_BOOL, records have none
struct ir_type gen_memory_type(const struct type *type); // in memory: bool is i8
struct ir_mem gen_mem(const struct gen_place *place);
struct gen_place gen_place_at(struct gen *gen, struct ir_instr *address, struct qtype type, uint32_t align);
struct gen_place gen_place_field(struct gen *gen, struct gen_place base, uint64_t offset, struct qtype type);
void gen_unsupported(struct gen *gen, struct loc loc, const char *what); // error "... is not implemented yet"
// Sets the source location for subsequent instructions. Returns the previous one, for gen->b.origin.
uint32_t gen_at(struct gen *gen, struct loc loc);

// gen_memory.c
struct ir_instr *gen_load(struct gen *gen, const struct gen_place *place);
void gen_store(struct gen *gen, const struct gen_place *place, struct ir_instr *value);
void gen_copy_record(struct gen *gen, const struct gen_place *to, const struct gen_place *from);
struct ir_instr *gen_temporary(struct gen *gen, const struct type *type, const char *name); // address
struct ir_instr *gen_variable_address(struct gen *gen, struct decl *decl);
struct ir_instr *gen_string(struct gen *gen, const struct expr *expr);
void gen_init(struct gen *gen, const struct init *init, struct gen_place place);

// gen_expr.c
struct gen_place gen_lvalue(struct gen *gen, const struct expr *expr);
struct ir_instr *gen_value(struct gen *gen, const struct expr *expr); // NULL: void
struct gen_place gen_record(struct gen *gen, const struct expr *expr); // a record value: the memory that holds it
struct ir_instr *gen_bool(struct gen *gen, const struct expr *expr);   // a condition, as IR_BOOL
void gen_effect(struct gen *gen, const struct expr *expr);             // evaluates for side effects only

// gen_call.c
struct ir_instr *gen_call(struct gen *gen, const struct expr *expr, struct gen_place *record);
struct ir_instr *gen_statement_expr(struct gen *gen, const struct expr *expr, struct gen_place *record);
struct ir_function *gen_function_for(struct gen *gen, struct decl *decl);

// gen_block.c
bool gen_is_in_memory(const struct type *type); // such variables are captured by address
struct ir_instr *gen_block(struct gen *gen, const struct expr *expr); // a literal: copies the captured variables
struct ir_instr *gen_captured(struct gen *gen, const struct capture *capture); // the copy, as an argument of the block's function

// gen_enqueue.c
struct ir_instr *gen_enqueue(struct gen *gen, const struct expr *expr);
struct gen_place gen_range(struct gen *gen, const struct expr *expr); // ndrange_*D

// gen_convert.c
struct ir_instr *gen_convert(struct gen *gen, struct ir_instr *x, const struct type *from, const struct type *to);
struct ir_instr *gen_truth(struct gen *gen, struct ir_instr *x); // x != 0
struct ir_instr *gen_from_bool(struct gen *gen, struct ir_instr *x, const struct type *to); // 0/1, or 0/-1 for vectors
struct ir_instr *gen_convert_builtin(struct gen *gen, const struct expr *expr, struct ir_instr *x);
struct ir_instr *gen_as(struct gen *gen, struct ir_instr *x, struct ir_type to);

// gen_round.c
struct ir_instr *gen_to_float_rounded(struct gen *gen, struct ir_instr *x, bool is_signed, struct ir_type to,
                                      unsigned rounding); // ROUND_RTZ, RTP, RTN; x has more bits than `to`
// Double to float, rounded to odd (inexact zeros too). Uses integers only, because devices may flush f32 denormals.
struct ir_instr *gen_double_to_odd(struct gen *gen, struct ir_instr *x);

// gen_operator.c
struct ir_instr *gen_arithmetic(struct gen *gen, enum expr_op op, struct ir_instr *x, struct ir_instr *y,
                                const struct type *type);
struct ir_instr *gen_compare(struct gen *gen, enum expr_op op, struct ir_instr *x, struct ir_instr *y,
                             const struct type *type); // bool lanes
struct ir_instr *gen_binary(struct gen *gen, const struct expr *expr);
struct ir_instr *gen_contracted_assign(struct gen *gen, const struct expr *expr, const struct gen_place *place);
struct ir_instr *gen_pointer_add(struct gen *gen, struct ir_instr *pointer, struct ir_instr *index,
                                 const struct type *pointer_type, bool subtract);

// gen_builtin*.c
struct ir_instr *gen_builtin(struct gen *gen, const struct expr *expr);
enum { GEN_ARGS_MAX = 16 };
struct gen_args { // arguments of a built-in call, for functions of the special tables
    const struct expr *expr;
    const struct builtin *builtin;
    struct ir_instr *x[GEN_ARGS_MAX];
    const struct type *type; // result
    const struct type *arg;  // type of the first argument
    bool is_signed, is_float; // of the first argument's scalar
    uint32_t count;
};
typedef struct ir_instr *gen_special(struct gen *gen, struct gen_args *args);
gen_special *gen_integer_special(unsigned special);
gen_special *gen_atomic_special(unsigned special);
gen_special *gen_float_special(unsigned special);
bool gen_rounds_once(const struct gen *gen, unsigned bits);   // whether Fma of this width rounds once
bool gen_has_quick_fma(const struct gen *gen, unsigned bits); // whether fma is fast, even if it rounds twice
struct ir_instr *gen_loose(struct gen *gen, struct ir_instr *x); // marks a fma that may be rounded twice
struct ir_instr *gen_quick_fma(struct gen *gen, struct ir_instr *a, struct ir_instr *b, struct ir_instr *c);
gen_special *gen_memory_special(unsigned special);
gen_special *gen_group_special(unsigned special);
gen_special *gen_image_special(unsigned special);
bool gen_is_handle(const struct type *type);           // an image or a sampler
struct ir_image gen_image(const struct type *type, unsigned texel);
struct ir_instr *gen_handle(struct gen *gen, const struct decl *decl); // its value if it needs no variable, else NULL
bool gen_is_constant_sampler(const struct decl *decl); // a constant, needs no variable
struct ir_instr *gen_printf(struct gen *gen, const struct expr *expr); // gen_printf.c
struct ir_instr *gen_printed(struct gen *gen, const struct expr *expr); // gen_printed.c: printf under a mapping

struct ir_instr *gen_matrix(struct gen *gen, const struct expr *expr); // gen_matrix.c

// gen_stmt.c
void gen_stmt(struct gen *gen, const struct stmt *stmt);
void gen_stmts(struct gen *gen, const struct stmt *first);

bool gen_switch_is_plain(const struct stmt *stmt); // all case labels are directly in the switch's block

// gen_goto.c
bool gen_has_goto(const struct stmt *stmt);    // whether a function's body needs a graph
bool gen_needs_graph(const struct stmt *stmt); // whether jumps enter or leave a statement
struct cfg *gen_graph_begin(struct gen *gen);
void gen_graph_stmt(struct gen *gen, const struct stmt *stmt);

// gen_kernel.c
void gen_kernel_info(struct gen *gen, struct ir_function *function, struct decl *decl);

// gen_link.c: linkage; no effect unless the unit is compiled separately
const char *gen_internal_name(struct gen *gen, const char *name); // of a variable with internal linkage
const char *gen_link_name(struct gen *gen, const struct decl *decl);
struct ir_instr *gen_link_known(struct gen *gen, const struct decl *decl);
void gen_link_variable(struct gen *gen, const struct decl *decl, struct ir_var *var);
void gen_link_function(struct gen *gen, const struct decl *decl, struct ir_function *function);
void gen_link_exports(struct gen *gen, const struct unit *unit);

#endif
