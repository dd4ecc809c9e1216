// SPDX-License-Identifier: Apache-2.0
// The generator's state, shared by its files: the program (gen_program.c), statements (gen_stmt.c), expressions
// (gen_expr.c).
//
// How programs avoid undefined behavior: expressions have no side effects except in a few sequenced forms; a pointer
// points only to objects that outlive it; every loop is bounded by a counter; a work-item writes only its own slices
// of shared memory, and reads its neighbors' between two barriers that all work-items of the group reach.
#ifndef DIFF_GENERATE_H
#define DIFF_GENERATE_H

#include "arith.h"

enum { SUMS = 4, UNKNOWN = 3 };

struct family { // of matrices that are multiplied: rows x depth times depth x columns
    unsigned rows, columns, depth;
    enum base a, b, c;
};

struct gen {
    struct program *p;
    uint64_t state; // of the random number generator
    VEC(struct var *) visible;
    struct function *function; // being generated
    struct var *lid;           // the work-item's index in its group, if there is one
    struct var *tile;          // memory for exchanges, if there is one
    const struct type *tile_type;
    unsigned slice;         // elements of the tile per work-item
    struct var *sums;       // a buffer of shared atomic sums, if there is one
    unsigned sum_ops[SUMS]; // each element is updated by one operation only
    unsigned indices;       // nesting of the indices being generated
    unsigned level;         // of blocks; 0: the function's body
    unsigned budget;        // statements left for this function
    bool uniform;           // control flow is uniform in the work-group
    bool may_break, may_continue;
    bool no_return;
    bool arms; // see gen_arm() in gen_stmt.c
    unsigned deep; // number of deep or wide constructs left for this program

    struct { // see gen_calls.c
        VEC(struct function *) all;
        struct function *worker; // see gen_worker(); NULL: none
        unsigned level_start; // start of the previous level in `all`
        const struct type *global_of;
        bool local;
    } calls;

    const struct features *features; // see gen_matrix.c from here on
    struct family families[2];
    unsigned family_count;         // 0: no matrices
    VEC(struct var *) held, rooms; // variables with matrices; memory for matrices
    struct var *unknown;           // a kernel argument whose value is UNKNOWN
    unsigned parts;                // budget of matrix parts left for this program
    bool strict;                   // only matrices that devices' units support
    bool same;                     // only uniform variables are visible
};

// How long the target of a pointer must live.
enum lifetime { LIVES_HERE, LIVES_IN_FUNCTION, LIVES_IN_CALLER };

unsigned rnd(struct gen *g, unsigned n); // 0..n-1
bool chance(struct gen *g, unsigned percent);
enum base random_base(struct gen *g); // an integer type
const struct type *random_value_type(struct gen *g);

struct expr *gen_literal(struct gen *g, const struct type *type);
struct expr *gen_scalar(struct gen *g, unsigned depth); // an integer of any type
struct expr *gen_value(struct gen *g, const struct type *type, unsigned depth);
struct expr *gen_index(struct gen *g, unsigned count);
struct expr *gen_place(struct gen *g, bool write); // a value in memory; NULL: none found
struct expr *gen_record(struct gen *g, const struct type *type, bool write); // likewise, or a call
struct expr *gen_pointer(struct gen *g, const struct type *want,
                         enum lifetime lifetime);              // likewise
struct expr *gen_call(struct gen *g, struct function *callee); // likewise
void add_call_arg(struct expr *call, struct expr *arg);
struct expr *gen_builtin(struct gen *g, unsigned builtin, const struct type *type,
                         struct expr *const *args); // or NULL
struct expr *gen_matrix(struct gen *g, const struct type *type, unsigned depth);
struct expr *gen_lanes(struct gen *g, struct expr *vector, unsigned lanes, bool distinct);

// ---- statements (gen_stmt.c) --------------------------------------------------------------------

void push(struct gen *g, struct stmts *list, struct stmt *s);
struct expr *number(struct gen *g, int n);
void show(struct gen *g, struct var *v);
const struct type *element_type(struct gen *g);
struct type *some_record(struct gen *g, bool pointers);
void gen_record_type(struct gen *g);
bool gen_inits(struct gen *g, struct stmt *decl, bool constant);
void gen_stmts(struct gen *g, struct stmts *list, unsigned count);
struct expr *one_more(struct gen *g, struct var *v, enum op op);
struct expr *value_for(struct gen *g, const struct type *t, unsigned depth);
unsigned group_items(const struct gen *g);
bool gen_exchange(struct gen *g, struct stmts *list);
struct stmt *barrier_stmt(struct gen *g);

// False: there is nothing for a pointer to point to.
bool gen_declare(struct gen *g, struct stmts *list, const char *stem, const struct type *type);
void gen_one_stmt(struct gen *g, struct stmts *list);

// ---- deep and wide control flow (gen_deep.c) ----------------------------------------------------

void gen_deep(struct gen *g, struct stmts *list);

// ---- functions that call each other (gen_calls.c) -----------------------------------------------

void gen_calls(struct gen *g);
void gen_call_them(struct gen *g, struct stmts *list);

// ---- matrices (gen_matrix.c) --------------------------------------------------------------------

void matrix_begin(struct gen *g); // chooses the types
void gen_matrix_function(struct gen *g, struct function *f);
bool gen_matrix_stmt(struct gen *g, struct stmts *list);
void matrix_rooms(struct gen *g, struct function *kernel, struct stmts *body, struct var *gid);
void matrix_results(struct gen *g, struct function *kernel, struct stmts *body, struct var *gid);

// ---- the program (gen_program.c) ----------------------------------------------------------------

struct function *gen_new_function(struct gen *g);
void gen_param(struct gen *g, struct function *f, const struct type *type); // visible in the function
void gen_barrier_function(struct gen *g);

// Arguments of the kernel.
struct var *gen_buffer(struct gen *g, struct function *f, const struct type *of, enum space space, unsigned count,
                       bool read_only);
struct var *gen_number_argument(struct gen *g, struct function *f, int value);

#endif
