// SPDX-License-Identifier: Apache-2.0
// Shared by the reader's files: decoded instructions, information about ids, and access to values.
//
// Every error ends reading: reader_fail() reports it and unwinds. So handlers may rely on what these functions
// return. One property is not checked: that a value's definition dominates its uses.
#ifndef KC_READER_READER_H
#define KC_READER_READER_H

#include "gen/given.h"
#include "ir/cfg.h"
#include "pumice/spirv.h"
#include "reader/read.h"

#include <stdlib.h>

struct reader;
struct spv_inst;

// ---- instructions --------------------------------------------------------------------------------

typedef void spv_handler(struct reader *r, const struct spv_inst *inst);

enum spv_where { SPV_MODULE = 1, SPV_CODE = 2, SPV_BOTH = 3, SPV_IN_CONSTANTS = 4, SPV_FOLD = 6, SPV_ANYWHERE = 8 | SPV_BOTH };

struct spv_row { // a row of instructions.def
    const char *name;
    const char *operands;
    spv_handler *handle;
    uint16_t opcode;
    uint8_t where;
    uint16_t arg; // argument of the handler, mostly an enum ir_op
};

struct spv_table {
    const struct spv_row *rows;
    const uint16_t *row_of; // by opcode: 1 + row; 0: none
    uint32_t opcodes;
};

struct spv_inst {
    const struct spv_row *row;
    uint32_t at;               // index of its first word
    uint32_t type, result;     // ids; 0: none
    const uint32_t *words;     // the operands that follow
    uint32_t count;
};

// ---- types ---------------------------------------------------------------------------------------

enum spv_kind {
    SPV_VOID, SPV_BOOL, SPV_INT, SPV_FLOAT, SPV_VECTOR, SPV_ARRAY, SPV_STRUCT, SPV_POINTER, SPV_FUNCTION,
    SPV_IMAGE, SPV_SAMPLER, SPV_SAMPLED_IMAGE, SPV_EVENT, SPV_OPAQUE, SPV_MATRIX, SPV_PIPE, SPV_PIPE_STORAGE,
    SPV_RESERVE_ID, SPV_QUEUE, SPV_DEVICE_EVENT,
};

struct spv_type {
    enum spv_kind kind;
    uint32_t id;
    // Type of its values. Structs and arrays are immutable bytes in memory, and the value is their address (in any
    // readable address space). Images, samplers and events are i32, a sampled image is <2 x i32>, a pipe is its
    // address. Reservations, queues and device events are i64.
    struct ir_type ir;
    uint64_t size; // in memory
    uint32_t align;
    uint16_t depth; // nesting of structs, arrays and vectors
    bool packed;
    bool has_matrix; // is or contains a matrix: allowed in private memory only
    uint8_t format; // small floats and vectors of them: the enum ir_base of their bits; else 0
    uint8_t odd; // integers and vectors of them: the width if it is not 8, 16, 32 or 64 (widths.c); else 0
    const struct spv_type *elem; // element of a vector, array, matrix, pointer (NULL: untyped), sampled image; result of a function
    uint64_t count;              // lanes, elements, members, parameters
    const struct spv_type **members; // members, parameters
    uint64_t *offsets;               // of members
    uint32_t storage;                // pointer: SpvStorageClass
    bool is_signed;                  // integers: as declared in the module, mostly unsigned regardless of use
    struct {
        uint32_t dim, depth, arrayed, access; // SpvDim, ..., SpvAccessQualifier (of pipes too)
    } image;
};

static inline bool spv_is_record(const struct spv_type *type)
{
    return type->kind == SPV_STRUCT || type->kind == SPV_ARRAY;
}

// ---- ids -----------------------------------------------------------------------------------------

enum spv_id_kind {
    SPV_ID_NONE, SPV_ID_TYPE, SPV_ID_CONSTANT, SPV_ID_VARIABLE, SPV_ID_FUNCTION, SPV_ID_VALUE, SPV_ID_LABEL,
    SPV_ID_SET, SPV_ID_STRING, SPV_ID_GROUP,
    SPV_ID_BUILTIN, // the value of a built-in variable, computed at its uses
};

struct spv_decoration {
    struct spv_decoration *next;
    uint32_t kind;   // SpvDecoration
    uint32_t member; // SPV_WHOLE: applies to the id itself
    const uint32_t *words;
    uint32_t count;
    uint32_t group; // not 0: id of a decoration group whose decorations apply
};
#define SPV_WHOLE UINT32_MAX

struct spv_constant { // one of:
    struct ir_instr *value; // scalars and vectors: const or undef; a matrix: the value of every component
    struct ir_var *var;     // the variable's address + `addend` bytes
    int64_t addend;
    const uint32_t *parts;  // structs and arrays: ids, type->count of them; NULL: all zeros
    bool is_undef;          // entirely undefined, of any type
    struct ir_var *bytes;   // a struct or array in memory, made on demand
};

struct spv_variable {
    const struct spv_type *pointer; // pointer type
    const struct spv_type *type;    // type of the contents
    uint32_t id, initializer;       // 0: none
    uint32_t builtin;               // 1 + SpvBuiltIn; 0: none
    struct ir_var *var;             // made on demand
};

// In SPIR-V 1.0, built-in variables were in UniformConstant memory; producers of that time import them.
static inline bool spv_is_built_in(const struct spv_variable *v)
{
    return v->pointer->storage == SpvStorageClassInput ||
           (v->builtin && v->pointer->storage == SpvStorageClassUniformConstant);
}

struct spv_function;

struct spv_edge { // a phi's value for an outgoing edge of a block
    struct spv_edge *next;
    uint32_t phi, value;
    uint32_t at; // place of the phi's instruction
};

struct spv_component { // pointer to a component of a matrix; the id's value is the matrix's address
    const struct spv_type *matrix;
    uint32_t align; // of the matrix
    struct ir_instr *index; // i32
    uint32_t block;         // block in which `index` is available
    struct ir_var *home;    // memory that holds it for other blocks; NULL: not needed
};

struct spv_id {
    uint8_t kind;
    bool crosses; // a value that is used in other blocks
    bool called;  // a function
    uint32_t at;  // index of the first word of the defining instruction; 0: none
    uint32_t label; // the block that defines it; 0: none
    const struct spv_type *type; // type of the value; or the type itself
    struct spv_function *owner;  // the function of a value or label
    union {
        struct ir_instr *value;
        struct spv_constant *constant;
        struct spv_variable *variable;
        struct spv_function *function;
        struct cfg_node *node;
        const char *string;
        uint32_t set; // enum spv_set
    };
    uint32_t held;        // the block in which `value` is available
    struct ir_var *home;  // memory that holds the value for other blocks
    struct ir_var *incoming; // of a phi: memory where edges store its next value
    struct spv_edge *edges;  // of a label: phi values to store at the block's end
    struct spv_component *component; // pointers to a component; else NULL
    struct spv_decoration *decorations;
    const char *name;
};

enum spv_set { SPV_SET_OPENCL = 1, SPV_SET_IGNORED };

enum { SPV_PAGE = 64, SPV_HEADER_WORDS = 5 };

struct spv_entry {
    uint32_t function; // id
    const char *name;
    uint32_t at;
};

struct spv_mode {
    uint32_t entry, mode; // id of the function, SpvExecutionMode
    const uint32_t *words;
    uint32_t count;
    bool by_id;
};

struct reader {
    const struct reader_input *input;
    const struct spv_table *table;
    struct arena *arena, *work; // for the IR; for everything else
    struct diag *diag;
    const struct kc_target *target;
    struct ir_module *module;
    struct ir_builder b;   // insertion point
    struct gen *given;     // for gen_given_call()
    const uint32_t *words; // in host byte order
    uint32_t word_count, bound;
    struct spv_id **pages;
    const struct spv_inst *inst; // current instruction, for error messages
    uint32_t first_function;     // word index; word_count: none
    bool has_memory_model;
    bool has_matrices; // has a cooperative matrix type
    bool has_small_floats;
    bool enqueues; // has instructions for device-side enqueue
    VEC(struct spv_entry) entries;
    VEC(struct spv_mode) modes;
    VEC(const char *) strings; // "kernel_arg_type.NAME." and others
    struct map entry_names;
    struct spv_function *function; // function being read; NULL: none
    uint32_t block;                // id of the current block's label
    VEC(struct spv_function *) functions; // reached functions; the list grows while they are read
    VEC(struct spv_variable *) uninitialized; // created, contents not set yet
    struct map builtin_places; // built-in variable -> memory with its values in this function
};

// ---- words.c -------------------------------------------------------------------------------------

_Noreturn void reader_fail(struct reader *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
void reader_scan(struct reader *r); // checks everything that can be checked for each word separately
static inline const struct spv_row *reader_row(const struct reader *r, uint32_t opcode) // NULL: none
{
    const struct spv_table *t = r->table;
    return opcode < t->opcodes && t->row_of[opcode] ? &t->rows[t->row_of[opcode] - 1] : NULL;
}

void reader_check_operands(struct reader *r, const struct spv_inst *inst); // against its row
// Decodes the instruction whose first word is at `at`. Returns the index of the next one.
uint32_t reader_decode(struct reader *r, uint32_t at, struct spv_inst *inst);
struct spv_id *reader_first_id(struct reader *r, uint32_t id); // slow path: allocates its page; fails if out of bounds
_Noreturn void reader_fail_id(struct reader *r, uint32_t id, enum spv_id_kind kind, enum spv_id_kind wanted);

static inline struct spv_id *reader_id(struct reader *r, uint32_t id)
{
    struct spv_id *page = id < r->bound ? r->pages[id / SPV_PAGE] : NULL;
    return page && id ? &page[id % SPV_PAGE] : reader_first_id(r, id);
}

// The entry of an id; fails if it is of another kind or not defined yet.
static inline struct spv_id *reader_id_of(struct reader *r, uint32_t id, enum spv_id_kind kind)
{
    struct spv_id *entry = reader_id(r, id);
    if (entry->kind != kind)
        reader_fail_id(r, id, (enum spv_id_kind)entry->kind, kind);
    return entry;
}

uint32_t reader_literals(uint32_t number); // number of final operands of an OpenCL.std function that are literals instead of ids
const char *reader_string(struct reader *r, const uint32_t *words, uint32_t count, uint32_t *used);

// ---- types.c, decorations.c, constants.c ---------------------------------------------------------

const struct spv_type *reader_type(struct reader *r, uint32_t id);
const struct spv_type *reader_type_of(struct reader *r, uint32_t id); // of values, constants, variables
const struct spv_type *reader_result_type(struct reader *r, const struct spv_inst *inst);
uint64_t reader_constant(struct reader *r, uint32_t id); // bits of an integer constant, zero-extended; fails for anything else
struct ir_type reader_memory_type(const struct spv_type *type); // in memory: bool is i8
void reader_add_matrix(struct reader *r, const struct spv_inst *inst, const struct spv_type *component, struct ir_type ir);
struct spv_type *reader_add_handle(struct reader *r, const struct spv_inst *inst, enum spv_kind kind, struct ir_type ir);
enum ir_space reader_space(struct reader *r, uint32_t storage);

// The first decoration of this kind; NULL if there is none.
const struct spv_decoration *reader_decoration(struct reader *r, uint32_t id, SpvDecoration kind);
const struct spv_decoration *reader_member_decoration(struct reader *r, uint32_t id, uint32_t member, SpvDecoration kind);
bool reader_has_parameter_attribute(struct reader *r, uint32_t id, SpvFunctionParameterAttribute attribute);
const char *reader_link_name(struct reader *r, uint32_t id, uint32_t *linkage); // NULL if it has none

struct ir_instr *reader_constant_value(struct reader *r, uint32_t id); // at the insertion point
void reader_add_address(struct reader *r, const struct spv_inst *inst, struct ir_var *var); // defines an address constant
struct ir_instr *reader_splat(struct reader *r, const struct spv_type *type, struct ir_instr *x); // a matrix with all components equal to x
void reader_set_bytes(struct reader *r, struct ir_var *var, uint32_t id); // sets the variable's bytes to a constant

// ---- values (value.c) ----------------------------------------------------------------------------

// The value of an id in the current block. Call it before making control flow: the value is cached for later uses in
// the block.
struct ir_instr *reader_value(struct reader *r, uint32_t id);
struct ir_instr *reader_any_value(struct reader *r, uint32_t id); // for a pointer to a component: the matrix's address
// Sets an instruction's result; checks that it has the declared type.
void reader_result(struct reader *r, const struct spv_inst *inst, struct ir_instr *value);
// Builds an operation after checking that its operands fit.
struct ir_instr *reader_build(struct reader *r, enum ir_op op, struct ir_type type, struct ir_instr *const *src,
                              uint32_t count);
// Private memory for a value of this type.
struct ir_instr *reader_temporary(struct reader *r, const struct spv_type *type, const char *name);
struct ir_instr *reader_load(struct reader *r, const struct spv_type *type, struct ir_instr *address, struct ir_mem mem);
void reader_store(struct reader *r, const struct spv_type *type, struct ir_instr *address, struct ir_instr *value,
                  struct ir_mem mem);
struct ir_mem reader_mem(const struct ir_instr *address, uint32_t align);
// Parses the first set of memory operands of `words`; *used: its length in words.
struct ir_mem reader_memory_operands(struct reader *r, const struct ir_instr *address, uint32_t pointer, uint32_t align,
                                     const uint32_t *words, uint32_t count, uint32_t *used);
struct ir_instr *reader_to_i64(struct reader *r, struct ir_instr *x, bool is_signed); // from any width

// ---- integers of non-standard width (widths.c) ---------------------------------------------------

struct ir_instr *reader_clear_above(struct reader *r, const struct spv_type *type, struct ir_instr *x); // clears the bits above the width
// The value sign-extended from its width, for signed operations.
struct ir_instr *reader_signed_value(struct reader *r, uint32_t id);
// How OpenCL.std functions handle such integers. NULL: unknown function, or rotate (reader_rotate_odd()).
struct spv_widths;
const struct spv_widths *reader_widths_of(uint32_t number);
struct ir_instr *reader_odd_operand(struct reader *r, const struct spv_widths *widths, uint32_t index, uint32_t id);
struct ir_instr *reader_odd_result(struct reader *r, const struct spv_widths *widths, const struct spv_type *type,
                                   struct ir_instr *x);
void reader_rotate_odd(struct reader *r, const struct spv_inst *inst, const uint32_t *ids);
struct ir_instr *reader_load_odd(struct reader *r, const struct spv_type *type, struct ir_instr *address, struct ir_mem mem);
void reader_store_odd(struct reader *r, const struct spv_type *type, struct ir_instr *address, struct ir_instr *value,
                      struct ir_mem mem);
struct ir_instr *reader_bitcast_odd(struct reader *r, struct ir_instr *x, const struct spv_type *from, const struct spv_type *to);

// ---- small floats (small_rules.c, small_floats.c) ------------------------------------------------

struct reader_convert {
    enum ir_op (*op)(struct ir_type from, struct ir_type to, unsigned flags); // operation for other number types
    unsigned flags; // SPV_FROM_SIGNED, SPV_TO_SIGNED
    bool to_largest; // overflow in 8 bits becomes the largest number
};
bool reader_is_small(const struct spv_type *type); // a small float, or a type made of them
void reader_check_small_floats(struct reader *r, const struct spv_inst *inst); // fails if the instruction does not support them
bool reader_converts_small(struct reader *r, const struct spv_inst *inst);
struct ir_instr *reader_convert_small(struct reader *r, const struct spv_inst *inst, struct ir_instr *x,
                                      const struct reader_convert *how);

// ---- cooperative matrices (matrix_rules.c, components.c, matrix.c) -------------------------------

void reader_check_matrices(struct reader *r, const struct spv_inst *inst); // fails if the instruction does not support them
bool reader_any_operand(struct reader *r, const struct spv_inst *inst, bool (*is)(const struct spv_type *)); // whether an operand has such a type
struct ir_instr *reader_matrix_get(struct reader *r, struct ir_instr *matrix, struct ir_instr *index);
struct ir_instr *reader_matrix_set(struct reader *r, struct ir_instr *matrix, struct ir_instr *x, struct ir_instr *index);
// Makes `id` a pointer to a component of the matrix whose address is its value.
void reader_point_to_component(struct reader *r, uint32_t id, const struct spv_type *matrix, struct ir_instr *index);
struct ir_instr *reader_component_index(struct reader *r, const struct spv_component *c); // at the insertion point
struct ir_instr *reader_bitcast_matrix(struct reader *r, struct ir_instr *x, const struct spv_type *to);
struct ir_instr *reader_select_matrix(struct reader *r, const struct spv_type *type, struct ir_instr *const *src);

// ---- variables.c ---------------------------------------------------------------------------------

struct ir_instr *reader_address(struct reader *r, struct spv_variable *variable); // at the insertion point
struct ir_instr *reader_builtin_value(struct reader *r, const struct spv_variable *variable, uint32_t lane); // SPV_WHOLE: all lanes
const char *reader_ir_name(struct reader *r, const char *name, const char *otherwise); // an IR name made from one in the module
const char *reader_internal_name(struct reader *r, const char *name);
void reader_init_variables(struct reader *r); // sets the contents of all created variables

// ---- function.c, kernel.c ------------------------------------------------------------------------

struct spv_function {
    uint32_t id, at;             // index of its OpFunction
    const struct spv_type *type;
    const uint32_t *params;      // ids, type->count of them
    bool has_body;
    const char *link_name;       // NULL: none
    uint32_t linkage;            // SpvLinkageType
    uint32_t control;            // SpvFunctionControl bits
    const char *ir_name;         // NULL: made from its own names
    struct ir_function *ir;      // made on demand
    uint32_t first_block;        // index of its first OpLabel
    struct cfg *graph;
    VEC(struct spv_function *) callees;
    uint8_t visit;               // state of the recursion check
    bool reached;
    struct ir_function *block;   // kernel for device-side enqueue with `captured` bytes; NULL: none
    uint32_t captured;
};

struct spv_function *reader_declared(struct reader *r, uint32_t id);
struct spv_function *reader_function(struct reader *r, uint32_t id); // marks it as reached, so that it will be read
const char *reader_unique_name(struct reader *r, const char *name, uint32_t id);
struct ir_function *reader_ir_function(struct reader *r, struct spv_function *f);
bool reader_is_by_value(struct reader *r, const struct spv_function *f, uint64_t param); // the callee gets a copy
void reader_body(struct reader *r, struct spv_function *f);
void reader_check_recursion(struct reader *r, struct spv_function *root); // fails if there is recursion
void reader_kernel(struct reader *r, struct spv_entry *entry);
bool reader_is_block(struct reader *r, const struct spv_entry *entry); // an entry point that is only enqueued by kernels
void reader_enter_block(struct reader *r, uint32_t label);
void reader_find_blocks(struct reader *r, struct spv_function *f);

// ---- builtin.c -----------------------------------------------------------------------------------

// OpExtInst of OpenCL.std; `words` are the arguments' ids.
void reader_opencl_std(struct reader *r, const struct spv_inst *inst, uint32_t number, const uint32_t *words,
                       uint32_t count);
// A call of an undefined function by its link name. Returns false if it is not a built-in function.
bool reader_builtin_call(struct reader *r, const struct spv_inst *inst, const char *name, const uint32_t *words,
                         uint32_t count);
// Calls an OpenCL C function and sets the instruction's result.
void reader_named_call(struct reader *r, const struct spv_inst *inst, const char *name, const struct gen_given *args, uint32_t count);
// The value of a built-in variable (SpvBuiltIn) in its type, or one lane of it (SPV_WHOLE: all). NULL: unknown
// variable.
struct ir_instr *reader_builtin_variable(struct reader *r, uint32_t builtin, const struct spv_type *type, uint32_t lane);

// ---- handlers of instructions.def -----------------------------------------------------------------

enum { // flags in handler arguments
    SPV_SWAP = 0x1000, SPV_NOT = 0x2000,                             // comparisons: swap the operands, invert the result
    SPV_FROM_SIGNED = 1, SPV_TO_SIGNED = 2, SPV_SATURATED = 4,       // conversions
    SPV_ELEMENT = 1, SPV_UNTYPED = 2,                                // access chains: has an element operand; has a base type operand
};

#define INSTRUCTION(number, name, where, operands, handler, arg) spv_handler reader_##handler;
#include "reader/instructions.def"

#endif
