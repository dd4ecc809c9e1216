// SPDX-License-Identifier: Apache-2.0
// A random OpenCL C program as a tree, which the generator builds, the printer writes as source, the interpreter
// runs, and the shrinker reduces.
//
// The program is plain C where possible. Whether `a + b` overflows or `p[i]` is out of bounds is known only at run
// time; therefore the interpreter sets `guard` on each node that it sees doing something undefined, and continues
// with the value of the guarded form. The printer then writes that node in its guarded form. Each guarded form agrees
// with the raw one wherever the raw one is defined, so one run of the interpreter is enough.
#ifndef DIFF_TREE_H
#define DIFF_TREE_H

#include "util/arena.h"
#include "util/str.h"
#include "util/vec.h"
#include <stdbool.h>

// Halfs, doubles and small floats (bfloat16, E4M3, E5M2) occur only as matrix components and in their initialization.
enum base { CHAR, UCHAR, SHORT, USHORT, INT, UINT, LONG, ULONG, FLOAT, BOOL, HALF, DOUBLE, BRIEF, E4M3, E5M2, BASE_COUNT };
enum space { PRIVATE, LOCAL, GLOBAL, CONSTANT, GENERIC };
enum type_kind { TYPE_VALUE, TYPE_POINTER, TYPE_ARRAY, TYPE_RECORD, TYPE_MATRIX };
enum use { USE_A, USE_B, USE_ACCUMULATOR };
enum { PRODUCT_A_SIGNED = 1, PRODUCT_B_SIGNED = 2, PRODUCT_C_SIGNED = 4, PRODUCT_RESULT_SIGNED = 8, PRODUCT_SATURATING = 16 };
enum {
    MAX_FIELDS = 5,
    MAX_RECORD = 256, // bytes
    FLOAT_LIMIT =
        1 << 22, // floats are integers below this, so that all of their arithmetic is exact
    HALF_LIMIT = 1 << 11, // the same for halfs
    BRIEF_LIMIT = 1 << 8, // the same for bfloat16
    E4M3_LIMIT = 1 << 4, // the same for 8-bit floats
    E5M2_LIMIT = 1 << 3,
    CUT_LIMIT = 4, // operands of products are limited to this, to 1 if bfloat16 are summed
    BLOCK = 32 // work-items that compute matrices together: a multiple of the sub-group size on every device
};

struct type;
struct field {
    char name[4];
    const struct type *type;
    unsigned offset;
};

struct type {
    enum type_kind kind;
    enum base base;        // value, matrix
    unsigned lanes;        // value
    const struct type *of; // pointer, array
    unsigned
        count; // array: elements. pointer: how many elements may be accessed through it. Powers of two
    enum space space;                // pointer
    bool read_only;                  // pointer: to const
    struct field fields[MAX_FIELDS]; // record
    unsigned field_count, id;
    bool is_union; // all fields of the same size, without padding or pointers
    bool packed;
    unsigned rows, columns; // matrix
    enum use use;
    unsigned size, align; // for a matrix: of the interpreter's representation, a pointer to its components
};

enum place { PLACE_FRAME, PLACE_GROUP, PLACE_PROGRAM }; // of a work-item, a work-group, or constant

struct var {
    char name[8];
    const struct type *type;
    enum place place;
    bool read_only, hidden; // hidden: not for random use
    bool top;               // its lifetime is that of its function
    unsigned offset;        // in the memory of its place
    bool used;              // by the printed program; set by the shrinker
    bool same;              // uniform: the same for all work-items
};

enum expr_kind {
    E_LITERAL,
    E_VAR,
    E_INDEX, // array or pointer, index
    E_DEREF,
    E_FIELD,
    E_ARROW, // *p, r.f, p->f
    E_LANES,
    E_LANE_AT, // v.s01, v[i]
    E_UNARY,
    E_BINARY,
    E_LOGIC,
    E_CHOICE,
    E_COMMA,
    E_CAST,
    E_CONVERT,
    E_AS,     // (T)x, convert_T[_sat](x), as_T(x)
    E_VECTOR, // (T)(parts...)
    E_BUILTIN,
    E_SHUFFLE,
    E_VLOAD,  // by lane: see builtins; shuffle(x[, y], mask); vloadn(i, p)
    E_VSTORE, // vstoren(v, i, p)
    E_ATOMIC, // atomic_op(p, x), result unused
    E_ITEM,
    E_SIZEOF,
    E_CALL,
    E_ADDRESS,
    E_OFFSET,
    E_DISTANCE,
    E_SAME, // &l, p + i, p - q, p == q
    E_ASSIGN,
    E_STEP,      // l = x and l op= x; ++l, l++, --l, l--
    E_COMPONENT, // m[q], in S_EACH
    E_SPLAT,     // coop_mat_init(x)
    E_LOAD,      // coop_mat_load(p, layout, stride)
    E_STORE,     // coop_mat_store(p, m, layout, stride)
    E_PRODUCT    // coop_mat_mulAdd(a, b, c, flags)
};

enum op {
    ADD,
    SUB,
    MUL,
    DIV,
    REM,
    AND,
    OR,
    XOR,
    SHL,
    SHR,
    LT,
    LE,
    GT,
    GE,
    EQ,
    NE,
    NEG,
    NOT,
    LNOT,
    OP_COUNT
};

struct function;
struct expr {
    enum expr_kind kind;
    const struct type *type;    // of the result
    const struct type *operand; // binary: what both sides are converted to
    struct expr *args[16];
    unsigned count;
    enum op op;
    unsigned builtin; // E_BUILTIN, E_ITEM, E_ATOMIC: index of the function
    unsigned number;  // E_FIELD, E_ARROW: field; E_ITEM: dimension; E_LOAD, E_STORE: 1: by columns; E_PRODUCT: flags
    uint64_t literal;
    struct var *var;
    struct function *callee;
    unsigned char lanes[16];
    bool compound;         // E_ASSIGN: as op=, args[1] is the binary
    bool before, saturate; // E_STEP: ++x; E_CONVERT
    bool by_number;        // E_CAST of a pointer: through an integer
    bool fixed;            // not to be changed by the shrinker: other nodes depend on it
    bool guard;            // the raw form is undefined for some value that occurred
};

enum stmt_kind {
    S_EXPR,
    S_DECL,
    S_IF,
    S_WHILE,
    S_DO,
    S_FOR,
    S_SWITCH,
    S_CASE,
    S_DEFAULT,
    S_LABEL,
    S_GOTO,
    S_BREAK,
    S_CONTINUE,
    S_RETURN,
    S_BLOCK,
    S_BARRIER,
    S_EACH // for each component q of a matrix that this work-item has: m[q] = x
};

struct stmt;
struct stmts {
    struct stmt **items;
    size_t count, capacity;
};

struct stmt {
    enum stmt_kind kind;
    struct expr *e;           // expression, condition, or NULL
    struct stmt *first;       // S_FOR: declaration
    struct expr *step;        // S_FOR
    struct var *var;          // S_DECL
    VEC(struct expr *) inits; // S_DECL: values of the leaves in order; fewer: the others are 0
    struct stmts body, other;
    int number;   // label, case
    bool removed; // by the shrinker
    bool keep;    // not to be removed by the shrinker: other code depends on it
};

struct insn;
struct function {
    char name[8];
    const struct type *result; // NULL: void
    VEC(struct var *) params;
    struct stmts body;
    bool pure;              // no pointers: may be called anywhere in an expression
    bool no_inline;             // declared noinline
    bool has_barriers;             // has barriers: called only in statements of its own, in uniform control flow
    bool same;              // uniform: nothing in it depends on the work-item
    unsigned result_offset; // records are returned in the frame
    unsigned weight, runs;  // see gen_calls.c
    struct insn *code;
};

enum arg_kind { ARG_BUFFER, ARG_VALUE, ARG_LOCAL };

struct arg {
    enum arg_kind kind;
    struct var *param;
    unsigned size;           // bytes
    unsigned char *initial;  // buffer or value
    unsigned char *expected; // buffer
    bool compare;            // buffer: no padding, no pointers, and written
    unsigned group_offset;   // local: offset in the group's memory
};

struct program {
    struct arena *arena;
    uint64_t seed;
    VEC(struct type *) records;
    VEC(struct type *) matrices;
    VEC(struct type *) matrix_records; // with matrices in them
    VEC(struct var *) constants; // of program scope
    VEC(struct stmt *) constant_decls;
    VEC(struct function *) functions; // the last one is the kernel
    VEC(struct arg) args;
    unsigned frame_size, group_size, program_size; // bytes per work-item, group, program
    unsigned dims, local[3], groups[3];
    unsigned labels, vars;
    bool unoptimised; // -cl-opt-disable
    bool generic;     // OpenCL C 2.0 with the generic address space
};

// ---- types and expressions (tree.c) -------------------------------------------------------------

extern const char *const base_names[BASE_COUNT];
extern const unsigned base_bits[BASE_COUNT];
// Size of the device's pointers and size_t in bits, 32 or 64. Set by `generate`.
extern unsigned address_bits;
enum base base_of_sizes(void);     // size_t
enum base base_of_distances(void); // ptrdiff_t
bool base_signed(enum base base);
bool base_is_float(enum base base);
bool base_is_small(enum base base); // bfloat16 or a float of 8 bits
enum base base_with_sign(enum base base, bool is_signed);
enum base base_promoted(enum base base);
enum base base_usual(enum base a, enum base b); // type of an arithmetic operation of two scalars
const struct type *type_value(enum base base, unsigned lanes);
struct type *type_pointer(struct arena *arena, const struct type *of, enum space space,
                          unsigned count, bool read_only);
struct type *type_array(struct arena *arena, const struct type *of, unsigned count);
const struct type *type_matrix(struct program *p, enum base base, unsigned rows, unsigned columns, enum use use);
void type_lay_out(struct type *record);
bool type_same(const struct type *a, const struct type *b);
bool type_has_pointers(const struct type *type);

struct leaf { // a scalar, vector or pointer inside a type; for a union, that of the first field
    const struct type *type;
    unsigned offset;
};
enum { MAX_LEAVES = 64 };
unsigned type_leaves(const struct type *type, struct leaf leaves[MAX_LEAVES]); // the first of them

struct var *var_new(struct program *p, const char *stem, const struct type *type, enum place place);
struct expr *expr_new(struct program *p, enum expr_kind kind, const struct type *type,
                      struct expr *a, struct expr *b);
struct expr *expr_literal(struct program *p, enum base base, int64_t value);
struct expr *expr_var(struct program *p, struct var *var);
struct expr *expr_binary(struct program *p, enum op op, struct expr *a,
                         struct expr *b); // with C's conversions
struct expr *expr_cast(struct program *p, enum base base, struct expr *a);
struct expr *expr_assign(struct program *p, struct expr *to, struct expr *value);
struct stmt *stmt_new(struct program *p, enum stmt_kind kind, struct expr *e);
struct stmt *stmt_decl(struct program *p, struct var *var, struct expr *value);

// ---- the stages ---------------------------------------------------------------------------------

// Which features programs may have.
struct features {
    bool generic;      // OpenCL C 3.0 with the generic address space
    unsigned address_bits; // 0: 64
    unsigned matrices; // percent of the programs
    bool halves, doubles, smalls; // components
    unsigned deep; // percent of the programs that have deep and wide control flow
    unsigned arms; // percent of the programs that have variables with a value from one arm of an if: the other one leaves
    unsigned calls; // percent of the programs that have many functions that call each other
    unsigned weight; // limit for these, see gen_calls.c
    bool units; // only matrix shapes that devices have units for, and multiples of them
};

struct program *generate(struct arena *arena, uint64_t seed, const struct features *features);
bool interpret(struct program *p); // computes the expected buffers; false: it runs too long
void print_program(const struct program *p, struct str *out);
// Reduces the program as long as `fails` returns true for it.
void shrink(struct program *p, bool (*fails)(struct program *p, void *data), void *data);

#endif
