// SPDX-License-Identifier: Apache-2.0
// What the files of the reader share: the words as instructions, what is known of each id, and how values are asked for and made.
//
// Every mistake of the module ends the reading: reader_fail() says where and unwinds. So what these functions return is
// sound, and a handler may build on it. What they do not promise is that a value is made on every way to its use.
#ifndef KC_READER_READER_H
#define KC_READER_READER_H

#include "gen/given.h"
#include "ir/cfg.h"
#include "reader/read.h"

#include <spirv/unified1/spirv.h>
#include <stdlib.h>

struct reader;
struct spv_inst;

// ---- instructions --------------------------------------------------------------------------------

typedef void spv_handler(struct reader *r, const struct spv_inst *inst);

enum spv_where { SPV_MODULE = 1, SPV_CODE = 2, SPV_BOTH = 3, SPV_IN_CONSTANTS = 4, SPV_FOLD = 6, SPV_ANYWHERE = 8 | SPV_BOTH };

struct spv_row { // of instructions.def
    const char *name;
    const char *operands;
    spv_handler *handle;
    uint16_t opcode;
    uint8_t where;
    uint16_t arg; // the handler's own: mostly an enum ir_op
};

struct spv_table {
    const struct spv_row *rows;
    const uint16_t *row_of; // by opcode: + 1; 0: none
    uint32_t opcodes;
};

struct spv_inst {
    const struct spv_row *row;
    uint32_t at;               // index of its first word
    uint32_t type, result;     // ids; 0: it has none
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
    // A value of it: structs and arrays are bytes in memory that nobody changes, the value is their address (of any space
    // that can be read); images, samplers and events are i32, a sampled image <2 x i32>, a pipe its address; reservations, queues
    // and their events are i64.
    struct ir_type ir;
    uint64_t size; // in memory
    uint32_t align;
    uint16_t depth; // of structs, arrays and vectors inside each other
    bool packed;
    bool has_matrix; // is one or has one in it: lives in memory of the work-item's own only
    uint8_t format; // small floats, and vectors of them: the enum ir_base of their bits; else 0
    uint8_t odd; // integers, and vectors of them: the width where it is none that machines have (widths.c); else 0
    const struct spv_type *elem; // vector, array, matrix, pointer (NULL: of anything), sampled image; result of a function
    uint64_t count;              // lanes, elements, members, parameters
    const struct spv_type **members; // and parameters
    uint64_t *offsets;               // of members
    uint32_t storage;                // pointer: SpvStorageClass
    bool is_signed;                  // integers: as the module declares them, mostly unsigned whatever they hold
    struct {
        uint32_t dim, depth, arrayed, access; // SpvDim, ..., SpvAccessQualifier: a pipe's too
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
    SPV_ID_BUILTIN, // the value of a built-in variable, made where it is used
};

struct spv_decoration {
    struct spv_decoration *next;
    uint32_t kind;   // SpvDecoration
    uint32_t member; // SPV_WHOLE: of the id itself
    const uint32_t *words;
    uint32_t count;
    uint32_t group; // not 0: those of this id, a decoration group, hold here
};
#define SPV_WHOLE UINT32_MAX

struct spv_constant { // one of:
    struct ir_instr *value; // of scalars and vectors: const or undef; of a matrix: what each component is
    struct ir_var *var;     // the address of it, `addend` bytes on
    int64_t addend;
    const uint32_t *parts;  // of a struct or array: ids, type->count of them; NULL: all zeros
    bool is_undef;          // whatever it is, all of it may be anything
    struct ir_var *bytes;   // such a one in memory, made when asked for
};

struct spv_variable {
    const struct spv_type *pointer; // its type
    const struct spv_type *type;    // what it holds
    uint32_t id, initializer;       // 0: none
    uint32_t builtin;               // 1 + SpvBuiltIn; 0: none
    struct ir_var *var;             // made when asked for
};

// SPIR-V 1.0 had such variables in UniformConstant memory; producers of that time import them.
static inline bool spv_is_built_in(const struct spv_variable *v)
{
    return v->pointer->storage == SpvStorageClassInput ||
           (v->builtin && v->pointer->storage == SpvStorageClassUniformConstant);
}

struct spv_function;

struct spv_edge { // at a block's end a phi is told this
    struct spv_edge *next;
    uint32_t phi, value;
    uint32_t at; // the phi's instruction
};

struct spv_component { // of a matrix: what a pointer points to whose value is the matrix's address
    const struct spv_type *matrix;
    uint32_t align; // of the whole
    struct ir_instr *index; // i32
    uint32_t block;         // in which it is at hand
    struct ir_var *home;    // where it waits for other blocks; NULL: it need not
};

struct spv_id {
    uint8_t kind;
    bool crosses; // a value that other blocks than its own use
    bool called;  // a function
    uint32_t at;  // index of the first word of the instruction that makes it; 0: none does
    uint32_t label; // the block it is made in; 0: in none
    const struct spv_type *type; // of the value; or the type that it is
    struct spv_function *owner;  // the function that a value or label is in
    union {
        struct ir_instr *value;
        struct spv_constant *constant;
        struct spv_variable *variable;
        struct spv_function *function;
        struct cfg_node *node;
        const char *string;
        uint32_t set; // enum spv_set
    };
    uint32_t held;        // the block in which `value` is at hand
    struct ir_var *home;  // where it waits for other blocks
    struct ir_var *incoming; // of a phi: where edges put its next value
    struct spv_edge *edges;  // of a label: the phis that are told at its end
    struct spv_component *component; // of a pointer to one; else NULL
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
    struct arena *arena, *work; // of the IR; of all else
    struct diag *diag;
    const struct kc_target *target;
    struct ir_module *module;
    struct ir_builder b;   // where code goes
    struct gen *given;     // for gen_given_call()
    const uint32_t *words; // of this machine's byte order
    uint32_t word_count, bound;
    struct spv_id **pages;
    const struct spv_inst *inst; // being read: where errors are
    uint32_t first_function;     // index of the word; word_count: there is none
    bool has_memory_model;
    bool has_matrices; // a type of them
    bool has_small_floats;
    bool enqueues; // kernels of its own: one of OpEnqueueKernel's kin is there
    VEC(struct spv_entry) entries;
    VEC(struct spv_mode) modes;
    VEC(const char *) strings; // "kernel_arg_type.NAME." and its kin
    struct map entry_names;
    struct spv_function *function; // being read; NULL: none
    uint32_t block;                // id of its label
    VEC(struct spv_function *) functions; // reached, not all read yet
    VEC(struct spv_variable *) uninitialized; // made, but their bytes are not yet
    struct map builtin_places; // builtin variable -> its values in this function
};

// ---- words.c -------------------------------------------------------------------------------------

_Noreturn void reader_fail(struct reader *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
void reader_scan(struct reader *r); // all that can be said of words one by one
static inline const struct spv_row *reader_row(const struct reader *r, uint32_t opcode) // NULL: none
{
    const struct spv_table *t = r->table;
    return opcode < t->opcodes && t->row_of[opcode] ? &t->rows[t->row_of[opcode] - 1] : NULL;
}

void reader_check_operands(struct reader *r, const struct spv_inst *inst); // against its row
// The instruction whose first word is `at`; the index of the next one.
uint32_t reader_decode(struct reader *r, uint32_t at, struct spv_inst *inst);
struct spv_id *reader_first_id(struct reader *r, uint32_t id); // of its page; fails where it is out of bounds
_Noreturn void reader_fail_id(struct reader *r, uint32_t id, enum spv_id_kind kind, enum spv_id_kind wanted);

static inline struct spv_id *reader_id(struct reader *r, uint32_t id)
{
    struct spv_id *page = id < r->bound ? r->pages[id / SPV_PAGE] : NULL;
    return page && id ? &page[id % SPV_PAGE] : reader_first_id(r, id);
}

// What an instruction of the module makes; fails where it is another kind of thing, or not there yet.
static inline struct spv_id *reader_id_of(struct reader *r, uint32_t id, enum spv_id_kind kind)
{
    struct spv_id *entry = reader_id(r, id);
    if (entry->kind != kind)
        reader_fail_id(r, id, (enum spv_id_kind)entry->kind, kind);
    return entry;
}

uint32_t reader_literals(uint32_t number); // how many of the last operands of a function of OpenCL.std are numbers, not ids
const char *reader_string(struct reader *r, const uint32_t *words, uint32_t count, uint32_t *used);

// ---- types.c, decorations.c, constants.c ---------------------------------------------------------

const struct spv_type *reader_type(struct reader *r, uint32_t id);
const struct spv_type *reader_type_of(struct reader *r, uint32_t id); // of a value, constant, variable
const struct spv_type *reader_result_type(struct reader *r, const struct spv_inst *inst);
uint64_t reader_constant(struct reader *r, uint32_t id); // an integer's bits, zero-extended; fails where it is none
struct ir_type reader_memory_type(const struct spv_type *type); // as stored: a bool is i8
void reader_add_matrix(struct reader *r, const struct spv_inst *inst, const struct spv_type *component, struct ir_type ir);
struct spv_type *reader_add_handle(struct reader *r, const struct spv_inst *inst, enum spv_kind kind, struct ir_type ir);
enum ir_space reader_space(struct reader *r, uint32_t storage);

// The first decoration of this kind; NULL: none.
const struct spv_decoration *reader_decoration(struct reader *r, uint32_t id, SpvDecoration kind);
const struct spv_decoration *reader_member_decoration(struct reader *r, uint32_t id, uint32_t member, SpvDecoration kind);
bool reader_has_parameter_attribute(struct reader *r, uint32_t id, SpvFunctionParameterAttribute attribute);
const char *reader_link_name(struct reader *r, uint32_t id, uint32_t *linkage); // NULL: it has none

struct ir_instr *reader_constant_value(struct reader *r, uint32_t id); // here
void reader_add_address(struct reader *r, const struct spv_inst *inst, struct ir_var *var); // a constant
struct ir_instr *reader_splat(struct reader *r, const struct spv_type *type, struct ir_instr *x); // as each component
void reader_set_bytes(struct reader *r, struct ir_var *var, uint32_t id); // a constant's

// ---- values (value.c) ----------------------------------------------------------------------------

// The value of an id in the current block. Ask before making control flow: what comes is kept for the block's later users.
struct ir_instr *reader_value(struct reader *r, uint32_t id);
struct ir_instr *reader_any_value(struct reader *r, uint32_t id); // of a pointer to a matrix's component: the matrix's address
// Says what an instruction gives; checks that it is of the declared type.
void reader_result(struct reader *r, const struct spv_inst *inst, struct ir_instr *value);
// An operation whose operands are checked to fit.
struct ir_instr *reader_build(struct reader *r, enum ir_op op, struct ir_type type, struct ir_instr *const *src,
                              uint32_t count);
// Memory of the work-item's own for a value of this type.
struct ir_instr *reader_temporary(struct reader *r, const struct spv_type *type, const char *name);
struct ir_instr *reader_load(struct reader *r, const struct spv_type *type, struct ir_instr *address, struct ir_mem mem);
void reader_store(struct reader *r, const struct spv_type *type, struct ir_instr *address, struct ir_instr *value,
                  struct ir_mem mem);
struct ir_mem reader_mem(const struct ir_instr *address, uint32_t align);
// The first set of memory operands of `words`; *used: its words.
struct ir_mem reader_memory_operands(struct reader *r, const struct ir_instr *address, uint32_t pointer, uint32_t align,
                                     const uint32_t *words, uint32_t count, uint32_t *used);
struct ir_instr *reader_to_i64(struct reader *r, struct ir_instr *x, bool is_signed); // from any width

// ---- integers of odd widths (widths.c) -----------------------------------------------------------

struct ir_instr *reader_cut(struct reader *r, const struct spv_type *type, struct ir_instr *x); // zeros above
// For what looks at signs: with its sign above.
struct ir_instr *reader_signed_value(struct reader *r, uint32_t id);
// What makes a function of OpenCL.std right for them. NULL: nothing known, or reader_rotate_odd().
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
    enum ir_op (*op)(struct ir_type from, struct ir_type to, unsigned flags); // between other numbers
    unsigned flags; // SPV_FROM_SIGNED, SPV_TO_SIGNED
    bool to_largest; // what is too large for 8 bits becomes the largest number there
};
bool reader_is_small(const struct spv_type *type); // is one, or is made of them
void reader_check_small_floats(struct reader *r, const struct spv_inst *inst); // fails where the instruction takes none
bool reader_converts_small(struct reader *r, const struct spv_inst *inst);
struct ir_instr *reader_convert_small(struct reader *r, const struct spv_inst *inst, struct ir_instr *x,
                                      const struct reader_convert *how);

// ---- cooperative matrices (matrix_rules.c, components.c, matrix.c) -------------------------------

void reader_check_matrices(struct reader *r, const struct spv_inst *inst); // fails where the instruction takes none
bool reader_any_operand(struct reader *r, const struct spv_inst *inst, bool (*is)(const struct spv_type *)); // one of such a type
struct ir_instr *reader_matrix_get(struct reader *r, struct ir_instr *matrix, struct ir_instr *index);
struct ir_instr *reader_matrix_set(struct reader *r, struct ir_instr *matrix, struct ir_instr *x, struct ir_instr *index);
// The pointer `id` is one to a component of the matrix at its value.
void reader_point_to_component(struct reader *r, uint32_t id, const struct spv_type *matrix, struct ir_instr *index);
struct ir_instr *reader_component_index(struct reader *r, const struct spv_component *c); // here
struct ir_instr *reader_bitcast_matrix(struct reader *r, struct ir_instr *x, const struct spv_type *to);
struct ir_instr *reader_select_matrix(struct reader *r, const struct spv_type *type, struct ir_instr *const *src);

// ---- variables.c ---------------------------------------------------------------------------------

struct ir_instr *reader_address(struct reader *r, struct spv_variable *variable); // here
struct ir_instr *reader_builtin_value(struct reader *r, const struct spv_variable *variable, uint32_t lane); // SPV_WHOLE: all
const char *reader_ir_name(struct reader *r, const char *name, const char *otherwise); // an IR name made of one in the module
const char *reader_own_name(struct reader *r, const char *name);
void reader_init_variables(struct reader *r); // the bytes of all that were made

// ---- function.c, kernel.c ------------------------------------------------------------------------

struct spv_function {
    uint32_t id, at;             // the index of its OpFunction
    const struct spv_type *type;
    const uint32_t *params;      // ids, type->count of them
    bool has_body;
    const char *link_name;       // NULL: none
    uint32_t linkage;            // SpvLinkageType
    uint32_t control;            // SpvFunctionControl bits
    const char *ir_name;         // NULL: by its own names
    struct ir_function *ir;      // made when asked for
    uint32_t first_block;        // the index of its first OpLabel
    struct cfg *graph;
    VEC(struct spv_function *) callees;
    uint8_t visit;               // of the search for recursion
    bool reached;
    struct ir_function *block;   // the kernel that is enqueued, with so many bytes captured; NULL: none
    uint32_t captured;
};

struct spv_function *reader_declared(struct reader *r, uint32_t id);
struct spv_function *reader_function(struct reader *r, uint32_t id); // which is read then
const char *reader_unique_name(struct reader *r, const char *name, uint32_t id);
struct ir_function *reader_ir_function(struct reader *r, struct spv_function *f);
bool reader_is_by_value(struct reader *r, const struct spv_function *f, uint64_t param); // a record's own copy
void reader_body(struct reader *r, struct spv_function *f);
void reader_check_recursion(struct reader *r, struct spv_function *root); // fails where there is one
void reader_kernel(struct reader *r, struct spv_entry *entry);
bool reader_is_block(struct reader *r, const struct spv_entry *entry); // a kernel that is enqueued only
void reader_enter_block(struct reader *r, uint32_t label);
void reader_find_blocks(struct reader *r, struct spv_function *f);

// ---- builtin.c -----------------------------------------------------------------------------------

// OpExtInst of OpenCL.std: `words` are the arguments' ids.
void reader_opencl_std(struct reader *r, const struct spv_inst *inst, uint32_t number, const uint32_t *words,
                       uint32_t count);
// A call of a function that the module does not define, by its link name. False: it is no builtin function.
bool reader_builtin_call(struct reader *r, const struct spv_inst *inst, const char *name, const uint32_t *words,
                         uint32_t count);
// The call of a function of OpenCL C, and its result as the instruction's.
void reader_named_call(struct reader *r, const struct spv_inst *inst, const char *name, const struct gen_given *args, uint32_t count);
// The value of a builtin variable (SpvBuiltIn), as its type wants it, or one lane of it (SPV_WHOLE: all). NULL: there is no such.
struct ir_instr *reader_builtin_variable(struct reader *r, uint32_t builtin, const struct spv_type *type, uint32_t lane);

// ---- handlers of instructions.def -----------------------------------------------------------------

enum { // flags in their arguments
    SPV_SWAP = 0x1000, SPV_NOT = 0x2000,                             // comparisons: of the operands, of the result
    SPV_FROM_SIGNED = 1, SPV_TO_SIGNED = 2, SPV_SATURATED = 4,       // conversions
    SPV_ELEMENT = 1, SPV_UNTYPED = 2,                                // access chains: with an element; with a type
};

#define INSTRUCTION(number, name, where, operands, handler, arg) spv_handler reader_##handler;
#include "reader/instructions.def"

#endif
