// SPDX-License-Identifier: Apache-2.0
// The typed AST: the output of parser and sema, the input of gen.
//
// Sema makes everything explicit that is implicit in C: each conversion is a cast node, each read of an object a load
// node, a[i] is *(a + i), p->m is (*p).m, sizeof is a constant, initialisers are flat lists of (offset, value). An
// erroneous expression has type `types.error` and is not reported again. Gen runs only if no error was reported.
#ifndef KC_AST_AST_H
#define KC_AST_AST_H

#include "text/text.h"
#include "util/vec.h"

// ---- types -----------------------------------------------------------------------------------------

enum type_kind {
    TYPE_ERROR, TYPE_VOID, TYPE_BOOL,
    TYPE_CHAR, TYPE_UCHAR, TYPE_SHORT, TYPE_USHORT, TYPE_INT, TYPE_UINT, TYPE_LONG, TYPE_ULONG,
    TYPE_HALF, TYPE_FLOAT, TYPE_DOUBLE,
    TYPE_BF16, TYPE_E4M3, TYPE_E5M2, // types of objects, results and matrix components only: values are converted to float (sema_value)
    TYPE_VECTOR,   // elem.type, count
    TYPE_POINTER,  // elem: the pointee with its qualifiers and address space
    TYPE_ARRAY,    // elem, count (unknown if `incomplete`)
    TYPE_STRUCT, TYPE_UNION, // record
    TYPE_ENUM,     // elem.type: the integer type that represents it
    TYPE_FUNCTION, // elem: result; params, count; variadic
    TYPE_OPAQUE,   // opaque: images, samplers, events ...
    TYPE_MATRIX,   // elem.type: component type; rows, columns, use; rows 0: not known yet (sema_matrix.c)
    TYPE_BLOCK,    // elem.type: the function type
    TYPE_KIND_COUNT
};

enum type_opaque {
    OPAQUE_SAMPLER, OPAQUE_EVENT, OPAQUE_QUEUE, OPAQUE_CLK_EVENT, OPAQUE_RESERVE_ID,
    OPAQUE_PIPE, // elem: packet type; each pipe type is distinct
    OPAQUE_IMAGE1D, OPAQUE_IMAGE1D_BUFFER, OPAQUE_IMAGE1D_ARRAY, OPAQUE_IMAGE2D,
    OPAQUE_IMAGE2D_ARRAY, OPAQUE_IMAGE2D_DEPTH, OPAQUE_IMAGE2D_ARRAY_DEPTH, OPAQUE_IMAGE2D_MSAA,
    OPAQUE_IMAGE2D_ARRAY_MSAA, OPAQUE_IMAGE2D_MSAA_DEPTH, OPAQUE_IMAGE2D_ARRAY_MSAA_DEPTH, OPAQUE_IMAGE3D,
    OPAQUE_COUNT
};

enum type_use { USE_A, USE_B, USE_ACCUMULATOR, USE_COUNT }; // of a matrix; same values as enum ir_use

enum type_space { SPACE_PRIVATE, SPACE_LOCAL, SPACE_GLOBAL, SPACE_CONSTANT, SPACE_GENERIC }; // same values as enum ir_space

enum { QUAL_CONST = 1, QUAL_VOLATILE = 2, QUAL_RESTRICT = 4, QUAL_ATOMIC = 8 }; // QUAL_ATOMIC: of atomic_int and similar types

// A type with its qualifiers; `space` is the address space of an object of the type. Passed by value.
struct qtype {
    struct type *type;
    uint8_t quals, space;
    uint8_t access; // images, pipes: enum kc_access_qualifier
    uint8_t low_align; // 1 + log2 of an alignment lower than the type's own (packed, aligned typedefs); 0: none. See qtype_align
};

struct field {
    const char *name; // NULL: anonymous struct or union; its fields are found through it
    struct qtype type;
    uint64_t offset;
    uint32_t aligned;    // alignment by an attribute of the field; 0: none
    uint32_t type_align; // alignment of the typedef in the declaration; 0: the type's own
    bool packed;
    const char *size_name; // size_t, ptrdiff_t ...: the typedef in the declaration
    struct loc loc;
};

struct record {
    const char *tag; // NULL: none
    struct field *fields;
    uint32_t field_count;
    bool complete, packed;
    bool fields_open; // being parsed
    struct loc loc;
    struct map names; // of its fields, including those of anonymous members -> struct member
};

struct member {
    struct loc loc;
    uint32_t index; // of the record's field that has the name or contains it
};

// Uniqued: two types are equal if and only if their pointers are.
struct type {
    enum type_kind kind;
    uint64_t size;  // sizeof; 0 while incomplete
    uint32_t align;
    struct qtype elem;
    uint64_t count; // vector lanes (a vector of 3 has the size of 4), array length, function parameters
    bool incomplete, variadic;
    bool matrices;          // is or contains a matrix
    uint16_t rows, columns; // of a matrix
    uint8_t use;            // enum type_use
    uint16_t depth;         // nesting of derived types; the parser rejects more than TYPE_MAX_DEPTH
    struct record *record;
    struct qtype *params;
    enum type_opaque opaque;
    const char *tag;        // enum
    struct decl **enumerators;
    uint32_t enumerator_count;
    const char *name;       // name of the typedef of an anonymous record or enum
    struct type *pointers[5], *vectors[5]; // caches: unqualified pointers by address space; vectors of 2 3 4 8 16
};

// ---- expressions -----------------------------------------------------------------------------------

enum expr_kind {
    EXPR_ERROR,
    EXPR_CONST,       // lanes: bits of each lane (scalars: one), zero-extended; also null pointers and integer addresses
    EXPR_STRING,      // string (unescaped bytes incl. the NUL), lvalue of type char[n] in constant space
    EXPR_OBJECT,      // decl: a variable or parameter; lvalue
    EXPR_FUNCTION,    // decl; only as the callee of a call
    EXPR_BUILTIN_NAME, // builtin_name; only as the callee of a call
    EXPR_LOAD,        // a: an lvalue; its value (never of array type)
    EXPR_DECAY,       // a: an array, an lvalue or in a record value (which then gets storage); the address of its first element
    EXPR_DEREF,       // a: a pointer; lvalue
    EXPR_ADDRESS,     // a: an lvalue; its address
    EXPR_MEMBER,      // a: a record (lvalue, or a value); field; lvalue when a is
    EXPR_SWIZZLE,     // a: a vector (lvalue, or a value); lane[] (in an lvalue also LANE_ABSENT), lane_count; lvalue when a is
    EXPR_LANE,        // a: a vector or matrix (lvalue or value), b: an integer index; lvalue when a is
    EXPR_UNARY,       // op: EXPR_OP_NEG, NOT, LNOT (LNOT of a vector: lanes 0 / -1); a
    EXPR_BINARY,      // op; a, b of one type (shifts: any integer types, equal lanes); comparisons give int 0/1, or a vector 0/-1 of signed integers of the same width
    EXPR_LOGICAL,     // op AND, OR on scalars with short circuit; a, b are bool casts; int 0/1. (On vectors: EXPR_BINARY LAND/LOR.)
    EXPR_PTR_ADD,     // a: pointer, b: integer (already converted to long or ulong), may be negative
    EXPR_PTR_DIFF,    // a - b in elements; long
    EXPR_ASSIGN,      // a = b; b has a's type; the value is the new a (an rvalue)
    EXPR_ASSIGN_OP,   // a op= b: a is converted to `compute`, b has that type (shifts: its own; pointers: PTR_ADD with long b), result converted back
    EXPR_INCDEC,      // a; increment +1/-1; prefix. Vectors, integers, floats, pointers
    EXPR_COND,        // a (bool) ? b : c
    EXPR_VECTOR_COND, // lane-wise by the top bit of a's lanes: a ? b : c
    EXPR_COMMA,       // a, b
    EXPR_CAST,        // a to `type`: arithmetic conversion, bool, pointer <-> integer, pointer to pointer, scalar to vector or matrix (splat), matrix to another of its shape, to void, enum
    EXPR_CALL,        // decl: the function; args, converted to the parameter types; a: the block that is called, or NULL
    EXPR_BUILTIN,     // builtin, args converted to the chosen overload's types
    EXPR_VECTOR,      // args: scalars and vectors of the element type whose lanes make up the vector, in order
    EXPR_COMPOUND,    // compound literal: init; lvalue (private unless at file scope)
    EXPR_STATEMENT,   // ({ ... }): body; the value of the last expression statement
    EXPR_SHUFFLE,     // a, b: vectors of one element type; lane[], lane_count: index into the lanes of a followed by those of b
    EXPR_WITH,        // a: an EXPR_ONCE, evaluated first; b: the value, which may contain that EXPR_ONCE several times
    EXPR_ONCE,        // a: a scalar or vector, evaluated once
    EXPR_GIVEN,       // given: a value that gen has already computed; never from source
    EXPR_ENQUEUE,     // enqueue: which function of OpenCL C 2.0, 6.13.17; a: the block, or NULL; args: see enum expr_enqueue
    EXPR_BLOCK,       // decl: the function of a block literal; captured variables: see struct capture
    EXPR_MATRIX,      // matrix_op, matrix_flags; args: see enum expr_matrix
};

enum expr_matrix {
    MATRIX_LOAD,   // pointer, ulong stride in elements; matrix_flags 1: column-major
    MATRIX_STORE,  // the same arguments, and a matrix
    MATRIX_MULADD, // a, b, c; matrix_flags: MATRIX_*
    MATRIX_LENGTH, // a matrix; the result is a uint
};
enum expr_enqueue {
    ENQUEUE_KERNEL,  // queue, flags (uint), ndrange_t, number of events (uint), addresses of the events and of the new event
                     // (generic pointers to clk_event_t), then sizes of local arguments (ulong)
    ENQUEUE_MARKER,  // the same without flags, range and sizes
    ENQUEUE_RANGE_1, // offset, size, local size (size_t; 0 if missing). For 2 and 3 dimensions:
    ENQUEUE_RANGE_2, ENQUEUE_RANGE_3, // addresses of arrays of them (const 0 if missing)
    ENQUEUE_GROUP_SIZE, ENQUEUE_GROUP_MULTIPLE,   // no arguments
    ENQUEUE_SUB_GROUP_SIZE, ENQUEUE_SUB_GROUPS,   // ndrange_t
};
enum { // OpenCL C's CLK_COOPERATIVE_MATRIX_OPERAND_*
    MATRIX_A_SIGNED = 1, MATRIX_B_SIGNED = 2, MATRIX_C_SIGNED = 4, MATRIX_RESULT_SIGNED = 8, MATRIX_SATURATING = 16,
    MATRIX_FLAGS = 31,
};

enum expr_op {
    EXPR_OP_NEG, EXPR_OP_NOT, EXPR_OP_LNOT,
    EXPR_OP_ADD, EXPR_OP_SUB, EXPR_OP_MUL, EXPR_OP_DIV, EXPR_OP_REM, EXPR_OP_SHL, EXPR_OP_SHR,
    EXPR_OP_AND, EXPR_OP_OR, EXPR_OP_XOR,
    EXPR_OP_EQ, EXPR_OP_NE, EXPR_OP_LT, EXPR_OP_LE, EXPR_OP_GT, EXPR_OP_GE,
    EXPR_OP_LAND, EXPR_OP_LOR,
};

// Flag of a lane of an lvalue: the fourth lane of a vector of 3, by .hi and .odd. Reads give the lane it is added to,
// writes are dropped.
enum { LANE_ABSENT = 16 };

enum expr_literal { LITERAL_NONE, LITERAL_DECIMAL, LITERAL_BITS }; // LITERAL_BITS: hexadecimal, octal, binary

// A flat initialiser in order of evaluation. Entries do not overlap. `zero_first`: bytes without an entry are zero.
struct init_entry {
    uint64_t offset;
    struct expr *value; // of scalar, vector, pointer or record type
};

struct init {
    bool zero_first;
    struct init_entry *entries;
    uint32_t count;
};

struct expr {
    enum expr_kind kind : 8; // small, because there are many expressions
    enum expr_op op : 8;
    bool lvalue : 1;
    bool parenthesized : 1;
    bool widened : 1;       // EXPR_CAST to float, made by sema_value() because the operand is a small float
    bool null_constant : 1; // an integer constant expression 0, or (void *)0
    bool enumerator : 1;    // a constant that was written as an enumerator
    bool contract : 1;      // float arithmetic under FP_CONTRACT ON: a * b + c may become fma
    uint8_t lane_count : 5; // of `lane`
    uint8_t literal : 3;    // enum expr_literal: a number literal, including its sign
    uint32_t arg_count;
    struct qtype type;
    struct expr *a, *b, *c;
    struct expr **args;
    union {
        struct {
            uint64_t *lanes;
            uint32_t op_line, op_column; // if folded from an operator that does not begin the expression: the operator's
                                         // place; else 0
        };
        struct {
            const char *string;
            uint64_t string_length;
        };
        struct decl *decl;
        const struct field *field;
        uint8_t lane[16];
        struct {
            uint8_t matrix_op, matrix_flags; // enum expr_matrix
        };
        struct {
            struct decl *enqueued; // function of the block
            uint8_t enqueue;       // enum expr_enqueue
        };
        struct {
            int8_t increment;
            bool prefix;
        };
        struct qtype compute;
        struct loc end; // EXPR_DEREF of a[i]: place of the ']'
        const struct builtin *builtin;
        const char *builtin_name; // interned
        struct init *init;
        struct stmt *body;
        void *given;
    };
    struct loc loc; // place of the operator or first token
};

// ---- declarations ----------------------------------------------------------------------------------

enum decl_kind { DECL_VARIABLE, DECL_PARAMETER, DECL_FUNCTION, DECL_TYPEDEF, DECL_ENUMERATOR };
enum decl_storage { STORAGE_NONE, STORAGE_STATIC, STORAGE_EXTERN, STORAGE_TYPEDEF, STORAGE_AUTO, STORAGE_REGISTER };

struct matrix_shape { // arguments of coop_mat: scope, rows, columns, use
    uint64_t value[4];
    struct loc loc[4], name; // name: place of the attribute's name
};

struct attributes { // effective attributes of declarations, types and statements
    uint32_t reqd_work_group_size[3], work_group_size_hint[3];
    struct qtype vec_type_hint;
    bool has_reqd, has_hint, has_vec_type_hint;
    uint32_t sub_group_size;
    uint32_t aligned; // 0: none
    bool packed, overloadable, always_inline, noinline, nosvm;
    uint32_t ext_vector; // ext_vector_type(n) of a typedef; 0: none
    uint32_t vector_size; // vector_size(n): size in bytes
    const struct matrix_shape *matrix; // coop_mat(...); NULL: none
    uint8_t space;       // opencl_global and similar: 1 + enum type_space; 0: none. Specifiers and pointers apply it
    int32_t unroll;   // opencl_unroll_hint: 0 none, -1 full, 1 never, n
    const char *of_kernel, *of_loop; // an attribute that is valid only on a kernel or loop; NULL: none
    struct loc of_kernel_loc, of_loop_loc;
};

// A variable of the enclosing function that a block literal uses. The block uses a copy, made where the literal is
// evaluated. Blocks can be neither assigned nor passed to functions, so at each use it is known which literal a block
// is and where its copies are.
struct capture {
    struct expr *outer; // the variable
    struct decl *inner; // an additional parameter of the block's function
    void *gen;          // for gen: the copy
};

struct decl {
    enum decl_kind kind;
    enum decl_storage storage;
    const char *name; // interned; NULL for unnamed parameters
    struct qtype type; // type.space: address space of the object
    bool has_space;        // typedefs: an address space was specified, even private
    const char *typedef_name; // parameters: spelling of the type, or of the pointee type
    struct loc loc;
    struct attributes attributes;
    bool file_scope;
    bool was_array;        // parameters: declared as an array, adjusted to a pointer
    struct init *init;     // variables; NULL: none
    uint64_t value;        // enumerators
    // functions
    bool is_kernel, is_inline, defined, called; // variables: defined, used
    bool gen_reports; // the body contains errors that only gen can detect
    bool reached;    // for gen: must be generated
    bool infers_result; // block literal without a result type
    bool is_block;      // the function of a block literal
    bool captured;      // parameter that is the copy of a captured variable
    struct decl *owner; // enclosing function of a variable, parameter or block literal; NULL: none
    struct decl *block; // variables of block type: the literal's function
    VEC(struct capture *) captures; // of a block literal
    VEC(struct decl *) blocks;      // functions of block literals that the body contains or enqueues: reached, but not called
    struct decl **params;
    uint32_t param_count;
    struct stmt *body;
    VEC(struct decl *) callees; // user functions called in the body, each once
    const struct decl *caller;  // last function that has this one in `callees`
    const char *link_name;      // equals the name; mangled if overloadable
    struct decl *next_overload;
    void *gen;                  // for gen: ir_var, ir_function or value
};

// ---- statements ------------------------------------------------------------------------------------

enum stmt_kind {
    STMT_NULL, STMT_EXPR, STMT_DECL, STMT_COMPOUND, STMT_IF, STMT_WHILE, STMT_DO, STMT_FOR, STMT_SWITCH,
    STMT_CASE,    // value; is_default: DEFAULT; body: the labelled statement
    STMT_BREAK, STMT_CONTINUE, STMT_RETURN,
    STMT_LABEL, STMT_GOTO, // label
};

struct label {
    const char *name;
    struct stmt *stmt; // NULL until defined
    struct loc loc;
    void *gen;
};

struct stmt {
    enum stmt_kind kind;
    struct loc loc;
    struct stmt *next;   // in a compound's list
    struct stmt *first;  // STMT_COMPOUND: its statements; STMT_FOR: the init statement or NULL
    struct stmt *body, *else_body;
    struct expr *expr;   // EXPR, IF/WHILE/DO/FOR condition (bool; NULL in for), SWITCH value, RETURN value
    struct expr *step;   // FOR
    struct decl **decls; // STMT_DECL: its variables in order
    uint32_t decl_count;
    uint64_t value;      // CASE: bits in the (promoted) type of the switch value
    bool is_default;
    struct label *label;
    int32_t unroll;      // loops: see attributes.unroll
};

// ---- builtins --------------------------------------------------------------------------------------

enum builtin_impl {
    BUILTIN_OP,      // one IR operation on all lanes: op
    BUILTIN_GEN,     // gen emits the IR: special
    BUILTIN_LIB,     // a scalar library function applied to each lane; link name: lib_name
    BUILTIN_LIB_EXACT, // a library function with exactly these types (vectors, pointers)
    BUILTIN_MISSING, // specified but not implemented: sema reports it
};

// A chosen overload, made by sema on use. `types` are concrete.
struct builtin {
    const char *name;
    enum builtin_impl impl;
    uint16_t op;         // argument of `special`: enum builtin_work_item, rounding, ...
    const char *op_name; // BUILTIN_OP, BUILTIN_IR_OP: name of the operation in ir/ops.def (ast does not include ir)
    uint16_t special;    // enum builtin_special
    const char *lib_name; // BUILTIN_LIB*: mangled "name.types", the same in gen and library (type_mangle)
    struct qtype result;
    struct qtype *params;
    uint32_t param_count;
};

// ---- the translation unit --------------------------------------------------------------------------

struct unit {
    struct ast *ast; // context of the parser, for const_eval_*
    VEC(struct decl *) functions; // with bodies, in order of definition
    VEC(struct decl *) variables; // of file scope, and local, constant and static variables of functions
};

// The last sizeof and its operand, for warnings about its use in an expression.
struct ast_size {
    const struct expr *value, *operand; // operand: NULL for a type
    struct qtype type;
};

// Shared by parser and sema.
struct ast {
    struct arena *arena;
    struct intern *intern;
    struct diag *diag;
    const struct kc_target *target;
    uint32_t version;        // -cl-std
    bool single_precision_constant, fp_contract, unsafe_math;
    bool library, separate, all_orders; // see ast_options
    bool fp16_disabled;      // by a pragma
    bool may_alias;          // some type has the attribute may_alias
    bool storage_classes;    // pragma cl_clang_storage_class_specifiers: all storage classes are allowed in all versions
    struct types *types;     // types.h
    struct scope *scope;     // innermost scope (scope.h)
    struct decl *function;   // being parsed, NULL at file scope
    struct ast_size sizes[2]; // the last ones
    struct map resolved;     // memoized calls of built-ins, by everything their resolution depends on (builtins.c)
    bool dead; // parsing unreachable code: suppress diagnostics about run-time behaviour
    uint32_t changes;        // assignments, ++ and -- made so far
    uint32_t block_count;    // number of block literals so far
    uint32_t depth;          // nesting depth, checked by ast_enter/ast_leave
    struct unit *unit;
};

struct ast_options {
    uint32_t version;
    bool single_precision_constant, fp_contract, unsafe_math; // fp_contract: default ON unless -cl-fp... says so
    bool library; // compile the built-in library: names of built-ins may be defined, `__op_*` intrinsics exist
    bool separate; // declarations may be defined in another unit
    bool all_orders; // allow every order and scope of atomic operations in any version
};

// An empty unit with its context: the types and features of the device and the version.
struct ast *ast_create(struct arena *arena, struct intern *intern, struct diag *diag, const struct kc_target *target,
                       const struct ast_options *options);
// Tokens -> unit. Errors are in the diag; check diag->errors before gen.
struct unit *ast_parse(struct arena *arena, struct intern *intern, struct diag *diag, const struct kc_target *target,
                       const struct ast_options *options, const struct token_list *tokens);
// Language features of the program.
bool ast_has(const struct ast *ast, enum kc_extension extension); // supported by the device and not disabled
bool ast_has_half(const struct ast *ast);              // objects and values of type half
bool ast_has_program_variables(const struct ast *ast); // variables in program scope that persist across kernels
bool ast_has_read_write_images(const struct ast *ast); // the access qualifier read_write
bool ast_has_matrices(const struct ast *ast);          // cooperative matrices
bool ast_has_blocks(const struct ast *ast);            // blocks, and enqueue_kernel()
bool ast_has_pipes(const struct ast *ast);
bool ast_has_generic(const struct ast *ast);           // pointers without an address space are generic
// Answers of the preprocessor's __has_builtin and __has_attribute. The former: callable __builtin_ names and C
// library functions. The latter: attributes that are implemented or can safely be ignored.
bool ast_knows_builtin(const char *name);
bool ast_knows_attribute(const char *name);
void ast_dump(struct str *out, const struct unit *unit); // for tests: one node a line, indented

#endif
