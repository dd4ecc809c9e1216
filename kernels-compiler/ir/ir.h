// SPDX-License-Identifier: Apache-2.0
// The compiler's intermediate representation.
//
// A function is a tree: lists of nodes, a node being a block of instructions, an if, a loop or a switch. So
// control flow is structured by construction and can be written as SPIR-V at any time. A value is the
// instruction that makes it. At birth a function keeps its variables in memory (ir_var) and has no phis;
// mem2reg makes SSA.
//
// Values are scalars and vectors of bool, int, float and pointers, and cooperative matrices: one value that the work-items
// of a sub-group hold together. There are no aggregates and no pointee
// types: structs and arrays are bytes in memory, reached by ptr_index; a struct is passed to a function as the address of a
// copy, returned through an address. So unions, casts and packed structs need no special case anywhere.
//
// Shape rules (ir_verify checks them):
//  - every list starts and ends with a block; blocks and structured nodes alternate;
//  - a jump is the last instruction of its block, and that block is the last node of its list;
//  - if: control enters then or else and, unless it jumps, goes on to the block after the if;
//  - loop: body, then the continue list, then body again while `cond` (NULL: always). `continue` goes to the
//    start of the continue list; `break` to the block after the loop. No jump inside the continue list
//    leaves it. Loop-carried phis stand in the first block of the body, with exactly two preds: the block before the loop and
//    the last block of the continue list. Values merging from several `continue`s: phis in the first block of the continue list;
//  - switch: the case with a matching value, else the default (always present, maybe empty). A case whose end is reached
//    falls into the next one, the last one leaves; `break` leaves. The first block of a case may have phis:
//    preds are the block before the switch and the last block of the case above when that falls through;
//  - phis in the block after an if, loop or switch merge what arrives there; preds only of reachable edges.
#ifndef KC_IR_IR_H
#define KC_IR_IR_H

#include "pumice/kc.h"
#include "util/map.h"
#include "util/str.h"
#include "util/vec.h"

// ---- types: small values, compared by ir_type_eq ---------------------------------------------------

enum ir_base {
    IR_VOID, IR_BOOL, IR_INT, IR_FLOAT, IR_PTR,
    IR_BF16, IR_E4M3, IR_E5M2, // floats that only matrices are made of; one of their components is an integer, its bits
};

enum ir_space {
    IR_PRIVATE,  // the work-item's own; 32-bit addresses
    IR_LOCAL,    // the work-group's; 32-bit addresses
    IR_GLOBAL,   // 64-bit device addresses
    IR_CONSTANT, // the same, never written
    IR_GENERIC,
    IR_PUSH,     // only elem_* on the push block
    IR_BUFFER,   // only elem_* on a view of a storage buffer: elements of one type; views of one buffer overlap. With a
                 // count: a block of uniforms
};

struct ir_type {
    uint8_t base;  // enum ir_base
    uint8_t bits;  // 8 16 32 64 for IR_INT, 16 32 64 for IR_FLOAT, 1 for IR_BOOL, of IR_PTR in memory, 16 and 8 for the others
    uint8_t lanes; // 1 2 3 4 8 16 (0 for IR_VOID); after lower_vectors at most 4
    uint8_t space; // enum ir_space for IR_PTR; of a matrix its enum ir_use; else 0
    uint16_t rows, columns; // of a matrix of such scalars, which lanes say nothing of; else 0
};

enum { IR_MATRIX_EDGE = 1024, IR_MATRIX_COMPONENTS = 1 << 16 }; // at most
enum ir_use { IR_USE_A, IR_USE_B, IR_USE_ACCUMULATOR, IR_USE_COUNT }; // where a matrix stands in A * B + C

static inline struct ir_type ir_void(void) { return (struct ir_type){0}; }
static inline struct ir_type ir_bool(void) { return (struct ir_type){IR_BOOL, 1, 1, 0, 0, 0}; }
static inline struct ir_type ir_int(unsigned bits) { return (struct ir_type){IR_INT, (uint8_t)bits, 1, 0, 0, 0}; }
static inline struct ir_type ir_float(unsigned bits) { return (struct ir_type){IR_FLOAT, (uint8_t)bits, 1, 0, 0, 0}; }
static inline struct ir_type ir_ptr(uint32_t bytes, enum ir_space space) // kc_pointer_bytes()
{
    return (struct ir_type){IR_PTR, (uint8_t)(bytes * 8), 1, (uint8_t)space, 0, 0};
}

static inline struct ir_type ir_with_lanes(struct ir_type type, unsigned lanes)
{
    type.lanes = (uint8_t)lanes;
    return type;
}

static inline bool ir_type_eq(struct ir_type a, struct ir_type b)
{
    return a.base == b.base && a.bits == b.bits && a.lanes == b.lanes && a.space == b.space && a.rows == b.rows &&
           a.columns == b.columns;
}

static inline bool ir_is_matrix(struct ir_type type) { return type.rows != 0; }
static inline bool ir_is_small_float(struct ir_type type) { return type.base >= IR_BF16; }
static inline struct ir_type ir_small_float(enum ir_base base) // for ir_matrix() alone
{
    return (struct ir_type){(uint8_t)base, base == IR_BF16 ? 16 : 8, 1, 0, 0, 0};
}
static inline struct ir_type ir_matrix(struct ir_type component, unsigned rows, unsigned columns, enum ir_use use)
{
    return (struct ir_type){component.base, component.bits, 1, (uint8_t)use, (uint16_t)rows, (uint16_t)columns};
}
static inline struct ir_type ir_component(struct ir_type matrix)
{
    return (struct ir_type){ir_is_small_float(matrix) ? IR_INT : matrix.base, matrix.bits, 1, 0, 0, 0};
}

// Bytes in memory of a value, vec3 as 3 elements; a bool is not stored (callers widen it to i8 first). What a work-item
// keeps of a matrix is never more than the whole.
static inline uint32_t ir_type_bytes(struct ir_type type)
{
    return (uint32_t)type.bits / 8 * (ir_is_matrix(type) ? (uint32_t)type.rows * type.columns : type.lanes);
}

// In an array three lanes take the room of four.
static inline uint32_t ir_elem_bytes(struct ir_type elem) { return elem.bits / 8u * (elem.lanes == 3 ? 4u : elem.lanes); }

// Without device addresses a pointer that is a number has the byte in these lower bits, the buffer above them (passes/buffers.c).
static inline unsigned ir_offset_bits(const struct kc_target *target) { return kc_pointer_bytes(target) == 4 ? 27 : 32; }

// ---- operations ----------------------------------------------------------------------------------

enum ir_op {
#define OP(name, sources, rule, flags) IR_OP_##name,
#include "ir/ops.def"
    IR_OP_COUNT
};

enum ir_rule { // what the verifier checks
    IR_RULE_ANY, IR_RULE_VOID, IR_RULE_PTR, IR_RULE_INT, IR_RULE_BITS, IR_RULE_FLOAT, IR_RULE_COMPARE,
    IR_RULE_CONVERT, IR_RULE_BITCAST, IR_RULE_SELECT, IR_RULE_VEC, IR_RULE_EXTRACT, IR_RULE_INSERT,
    IR_RULE_PTR_INDEX, IR_RULE_MATRIX,
};

enum { IR_FLAG_P = 1, IR_FLAG_C = 2, IR_FLAG_W = 4, IR_FLAG_R = 8, IR_FLAG_J = 16 };

struct ir_op_info {
    const char *name;
    uint8_t sources; // 255: any number
    uint8_t rule, flags;
};

extern const struct ir_op_info ir_ops[IR_OP_COUNT];

enum ir_atomic_op {
    IR_ATOMIC_LOAD, IR_ATOMIC_STORE, IR_ATOMIC_XCHG, IR_ATOMIC_CMPXCHG, IR_ATOMIC_ADD, IR_ATOMIC_SUB,
    IR_ATOMIC_AND, IR_ATOMIC_OR, IR_ATOMIC_XOR, IR_ATOMIC_SMIN, IR_ATOMIC_SMAX, IR_ATOMIC_UMIN, IR_ATOMIC_UMAX,
    IR_ATOMIC_FADD, IR_ATOMIC_FMIN, IR_ATOMIC_FMAX, // cmpxchg: value = new value, then comparand
    IR_ATOMIC_COUNT
};

enum ir_subgroup_op { // see OP(subgroup); bool unless said
    IR_SUBGROUP_ELECT, IR_SUBGROUP_ALL, IR_SUBGROUP_ANY, IR_SUBGROUP_ALL_EQUAL,
    IR_SUBGROUP_BALLOT,                                  // bool -> <4 x i32>, a bit a work-item
    IR_SUBGROUP_INVERSE_BALLOT, IR_SUBGROUP_BALLOT_BIT,  // of such a ballot; the second: which bit
    IR_SUBGROUP_BALLOT_COUNT, IR_SUBGROUP_BALLOT_LSB, IR_SUBGROUP_BALLOT_MSB, // ballot -> i32
    IR_SUBGROUP_BROADCAST_FIRST,                         // the first source of another work-item; the second: i32
    IR_SUBGROUP_SHUFFLE, IR_SUBGROUP_SHUFFLE_XOR, IR_SUBGROUP_SHUFFLE_UP, IR_SUBGROUP_SHUFFLE_DOWN,
    // Combined over `group`; clustered: the second source is the constant size of a cluster.
    IR_SUBGROUP_IADD, IR_SUBGROUP_FADD, IR_SUBGROUP_IMUL, IR_SUBGROUP_FMUL, IR_SUBGROUP_SMIN, IR_SUBGROUP_UMIN,
    IR_SUBGROUP_FMIN, IR_SUBGROUP_SMAX, IR_SUBGROUP_UMAX, IR_SUBGROUP_FMAX, IR_SUBGROUP_AND, IR_SUBGROUP_OR,
    IR_SUBGROUP_XOR,
    IR_SUBGROUP_COUNT
};
enum ir_group { IR_GROUP_REDUCE, IR_GROUP_INCLUSIVE, IR_GROUP_EXCLUSIVE, IR_GROUP_CLUSTERED };

// Scopes and orders in OpenCL's terms.
enum ir_scope { IR_SCOPE_WORK_ITEM, IR_SCOPE_SUB_GROUP, IR_SCOPE_WORK_GROUP, IR_SCOPE_DEVICE, IR_SCOPE_ALL_DEVICES };
enum ir_order { IR_ORDER_RELAXED, IR_ORDER_ACQUIRE, IR_ORDER_RELEASE, IR_ORDER_ACQ_REL, IR_ORDER_SEQ_CST };
enum { // of mat_muladd: which integers are signed, and what becomes of a sum that is too large (SPIR-V's own bits)
    IR_MATRIX_A_SIGNED = 1, IR_MATRIX_B_SIGNED = 2, IR_MATRIX_C_SIGNED = 4, IR_MATRIX_RESULT_SIGNED = 8,
    IR_MATRIX_SATURATING = 16,
};
// cl_channel_order, cl_channel_type; size: `axis` 0..2; known when the library is linked: filter: whether the device does
// the linear one, by_uint: whether it sees CL_UNORM_INT16 in buffers as integers, mapped: whether all samplers are the
// launch's own (kc_target.mapping), srgb: whether the kernel encodes what it stores to images of CL_sRGBA and CL_sBGRA.
enum ir_image_info {
    IR_IMAGE_ORDER, IR_IMAGE_TYPE, IR_IMAGE_SIZE, IR_IMAGE_FILTER, IR_IMAGE_BY_UINT, IR_IMAGE_MAPPED, IR_IMAGE_SRGB,
};
enum { IR_FENCE_LOCAL = 1, IR_FENCE_GLOBAL = 2, IR_FENCE_IMAGE = 4 }; // CLK_*_MEM_FENCE

enum ir_sys { // `dim` 0..2 where it makes sense
    // As OpenCL C defines them; i64 each. Removed by lower_sys.
    IR_SYS_GLOBAL_ID, IR_SYS_GLOBAL_SIZE, IR_SYS_GLOBAL_OFFSET, IR_SYS_LOCAL_ID, IR_SYS_LOCAL_SIZE,
    IR_SYS_ENQUEUED_LOCAL_SIZE, IR_SYS_NUM_GROUPS, IR_SYS_GROUP_ID, IR_SYS_GLOBAL_LINEAR_ID,
    IR_SYS_LOCAL_LINEAR_ID,
    IR_SYS_WORK_DIM, // i32
    IR_SYS_PRINTF,   // i64: the printf buffer's address
    IR_SYS_ENQUEUED, // i64: that of struct kc_enqueued
    IR_SYS_LAUNCH,   // i32: the launch's number among those that share it
    // As Vulkan has them; i32 each.
    IR_SYS_VK_GLOBAL_INVOCATION, IR_SYS_VK_WORKGROUP_ID, IR_SYS_VK_LOCAL_INVOCATION, IR_SYS_VK_LOCAL_INDEX,
    IR_SYS_VK_NUM_WORKGROUPS,
    IR_SYS_VK_LOCAL_SIZE, // literal or specialization constant
    IR_SYS_VK_SPEC, // the specialization constant of SpecId `dim`, see kc_target.mapping
    IR_SYS_VK_SUBGROUP_SIZE, IR_SYS_VK_SUBGROUP_INVOCATION, IR_SYS_VK_SUBGROUP_ID, IR_SYS_VK_NUM_SUBGROUPS,
    IR_SYS_BUFFER, // logical addressing, kc_target.plain_arguments; i64: the kernel's argument `dim`, a pointer. Removed by lower_memory, as IR_SYS_PRINTF there
    IR_SYS_COUNT
};

static inline unsigned ir_sys_bits(enum ir_sys sys)
{
    return sys < IR_SYS_WORK_DIM || sys == IR_SYS_PRINTF || sys == IR_SYS_ENQUEUED || sys == IR_SYS_BUFFER ? 64 : 32;
}

// Lanes of a place in an image: its dimensions, then the layer of an array.
static inline unsigned ir_image_lanes(enum kc_image_dim dim)
{
    return dim == KC_DIM_1D || dim == KC_DIM_BUFFER ? 1 : dim == KC_DIM_2D || dim == KC_DIM_1D_ARRAY ? 2 : 3;
}

// ---- instructions --------------------------------------------------------------------------------

enum { // instr.flags
    IR_FAST = 1,    // relaxed math allowed; without it every float operation is exact and never contracted
    IR_NO_WRAP = 2, // iadd, isub, imul, shl: the signed result fits, else it is undef
    IR_HANDLE = 4,  // of a parameter: an image or a sampler, which nothing but operations on images looks into
    IR_LOOSE = 8,   // fma: two roundings will do; fmul, fadd, fsub: the device may make one operation of two such
};

// The type by which C lets the bytes be accessed (C99 6.5): what is accessed as one is never accessed as another. Signed
// and unsigned are one; characters, vectors and members of unions are any.
enum ir_effective {
    IR_AS_ANY, IR_AS_I16, IR_AS_I32, IR_AS_I64, IR_AS_F16, IR_AS_F32, IR_AS_F64, IR_AS_PTR, IR_EFFECTIVE_COUNT
};

enum { IR_LANE_COUNTED = 15 }; // the index counts lanes, not elements

struct ir_mem {
    uint8_t space;     // enum ir_space
    uint8_t scope : 4; // atomics: enum ir_scope
    uint8_t lane : 4;  // elem_load, elem_store of a local array of vectors: 0: all of an element, 1 + which of its lanes, or
                       // IR_LANE_COUNTED
    uint8_t order;     // atomics: enum ir_order
    bool is_volatile : 1;
    bool coherent : 1; // must be visible to other work-items at the next barrier (shared data)
    bool readonly : 1; // load: nobody writes there while the kernel runs
    uint8_t effective : 3; // enum ir_effective; whoever accesses other bytes than the source says makes it IR_AS_ANY
    uint32_t align;    // known alignment of the address in bytes, a power of two
};

struct ir_image {
    uint8_t dim;   // enum kc_image_dim
    uint8_t texel; // enum kc_texel; image_info: none
    bool depth;
    uint8_t info, axis; // image_info: enum ir_image_info; image_write: the level
};

struct ir_sync {
    uint8_t execution; // enum ir_scope of work-items that meet; WORK_ITEM: none (a fence)
    uint8_t scope;     // enum ir_scope of memory
    uint8_t order;
    uint8_t fences;    // IR_FENCE_*
};

struct ir_instr {
    uint16_t op;   // enum ir_op
    uint8_t flags; // IR_FAST, IR_NO_WRAP, IR_HANDLE, IR_LOOSE
    uint8_t mark;  // scratch of the running pass, 0 between passes
    struct ir_type type;
    uint32_t id; // printing number; also index into side tables after ir_number()
    uint32_t src_count;
    uint32_t origin; // in the source, as the front half counts places; 0: not known
    struct ir_instr **src;
    struct ir_block *block; // NULL: const, undef, param, addr
    struct ir_instr *prev, *next;
    struct ir_instr *forward; // set by ir_replace(): use that instead; ir_resolve() rewrites all users
    union {
        uint64_t *lanes;         // const: type.lanes entries
        uint32_t index;          // param, extract, insert
        uint8_t shuffle[16];
        struct {                 // ptr_index
            int64_t stride, offset;
        };
        struct {                 // load, store, copy, zero, atomic, elem_*, addr
            union {
                struct ir_var *var;  // addr, elem_*
                uint64_t size;       // copy, zero
            };
            struct ir_mem mem;
            union {
                struct ir_mem mem_from; // copy
                uint8_t atomic_op;      // enum ir_atomic_op
                bool by_columns;        // mat_load, mat_store: a column's components lie side by side
            };
        };
        uint8_t matrix_flags;    // mat_muladd: IR_MATRIX_*
        struct {
            uint8_t sys;
            uint16_t dim;
        };
        struct {
            uint8_t subgroup_op, group; // enum ir_subgroup_op, enum ir_group
        };
        struct ir_image image;
        struct ir_sync sync;
        struct ir_function *callee;
        struct ir_block **preds; // phi: src_count entries
    };
};

// ---- control flow --------------------------------------------------------------------------------

enum ir_node_kind { IR_BLOCK, IR_IF, IR_LOOP, IR_SWITCH };

struct ir_list {
    struct ir_node *first, *last;
    struct ir_node *owner; // the if, loop or switch; NULL: the function's body
};

struct ir_node {
    enum ir_node_kind kind;
    struct ir_node *prev, *next;
    struct ir_list *list;
};

struct ir_block {
    struct ir_node node;
    struct ir_instr *first, *last;
    uint32_t index;                 // from ir_number() or ir_preds(): order of appearance
    uint32_t pred_count;            // from ir_preds()
    struct ir_block **preds;
    struct ir_block *idom;          // from ir_dominance()
    uint32_t dom_in, dom_out;       // a dominates b: a.in <= b.in && b.out <= a.out
    uint32_t dom_next, pred_capacity; // scratch of ir_dominance() and ir_preds()
    struct ir_block *copy;            // scratch of ir_list_clone()
    bool named;                       // scratch of ir_print_function()
};

struct ir_if {
    struct ir_node node;
    struct ir_instr *cond; // bool
    struct ir_list then_list, else_list;
};

enum ir_unroll { IR_UNROLL_DEFAULT = 0, IR_UNROLL_FULL = -1, IR_UNROLL_NEVER = 1 }; // or a count

struct ir_loop {
    struct ir_node node;
    struct ir_list body, cont;
    struct ir_instr *cond; // bool, NULL: true
    int32_t unroll;        // as the source asked: enum ir_unroll or a factor
};

struct ir_case {
    uint64_t *values; // bits of the switch value's type
    uint32_t value_count;
    bool is_default; // may have values too
    struct ir_list list;
};

struct ir_switch {
    struct ir_node node;
    struct ir_instr *value; // integer
    struct ir_case *cases;
    uint32_t case_count;
};

// ---- variables, functions, modules ---------------------------------------------------------------

// What a name means to other units of a program; set only when there may be any (separate compilation).
enum ir_linkage {
    IR_LINK_NONE,   // nothing: static, or the builtin library's
    IR_LINK_EXPORT, // the one definition
    IR_LINK_INLINE, // a definition that gives way to another
    IR_LINK_IMPORT, // defined elsewhere
};

struct ir_reloc { // at `offset` stands the address of `var` + addend (8 bytes)
    uint64_t offset;
    struct ir_var *var;
    int64_t addend;
};

struct ir_var {
    const char *name; // unique in its function (private) or module (others)
    enum ir_space space;
    uint64_t size;
    uint32_t align;
    const uint8_t *init; // constant and global: `size` bytes, NULL: zeros (global) / no value (others)
    struct ir_reloc *relocs;
    uint32_t reloc_count;
    bool in_module;      // in ir_module.vars, else in its function's
    uint8_t linkage;     // enum ir_linkage
    const char *c_type;  // when linkage is not NONE: units must agree on it
    uint64_t data_offset; // constant and global: in the program's data segment, when `placed` (data_segment.h)
    bool placed;
    int32_t local_arg;   // IR_LOCAL made for a kernel's local argument: its number, else -1
    // After lowering: a typed array in Function, Workgroup or PushConstant storage, or all of a storage buffer (count 0).
    struct ir_type elem;
    uint64_t count;
    uint32_t spec_id;    // 1 + SpecId that gives `count`, 0: none
    uint32_t origin;     // as an instruction's
    uint32_t binding;    // IR_BUFFER: which of the kernel's; IR_PUSH: 0, or 1 + which: plain data that lie in a buffer
    struct ir_instr *address; // the addr value, made on demand by ir_addr()
    uint32_t id;         // scratch of the running pass
};

// What the source says of a kernel; the passes and the writer fill in the rest of kc_kernel.
struct ir_kernel {
    struct kc_kernel info; // name, attributes, args, sizes; later push, specs, spirv
    uint32_t vec_type_hint;
    uint32_t origin; // as an instruction's
    // Under a mapping: the local arguments that lie behind one another in the shared array.
    uint32_t *shared_locals, shared_local_count;
};

// The work-group's size in a dimension where it is the same for every group of every launch, else 0.
static inline uint32_t ir_fixed_local_size(const struct ir_kernel *kernel, unsigned dim)
{
    return kernel->info.partial_groups ? 0 : kernel->info.reqd_local_size[dim];
}

struct ir_function {
    const char *name; // linkage name, unique in the module
    struct ir_type result;
    struct ir_instr **params;
    uint32_t param_count;
    bool has_body;
    bool always_inline, no_inline;
    bool stays; // too large for its callers: calls of it stay
    bool tidy;  // the passes that are repeated at this stage have nothing left to do here
    bool from_library;
    uint32_t unrolled;   // instructions that came of loops which nobody asked to have written out
    bool handles;        // some parameter is IR_HANDLE
    uint8_t linkage;     // enum ir_linkage
    const char *c_type;  // when linkage is not NONE: units must agree on it
    struct ir_kernel *kernel; // NULL: not a kernel
    struct ir_list body;
    VEC(struct ir_var *) vars; // private variables
    struct map var_names;      // names given so far
    struct ir_module *module;
    uint32_t instr_count, block_count; // from ir_number(); blocks also from ir_preds()
    uint32_t id;               // scratch of the running pass
};

// A call of printf under a mapping, or a text that stands in one: it is its number, and the kernels know that alone.
struct ir_printed {
    const char *text;
    const uint8_t *sizes; // bytes of arguments
    uint32_t count;
};

// Of a program for other programs than our runtime (kc_target.mapping): what its kernels share.
struct ir_mapping {
    struct kc_shared shared[KC_SHARED_COUNT];
    uint32_t count;
    uint32_t push_bytes; // of the push constants among it, from 0 on
    bool arg_info; // types and qualifiers of arguments are told too
    uint32_t data_set, printf_set; // should kernels bind them: binding 0
    const uint8_t *data; // the program's constants and variables
    uint32_t data_size;
    const struct kc_relocation *relocations;
    uint32_t relocation_count;
    bool data_writable; // they hold variables
    bool data_embedded; // constants alone, part of the module
    VEC(struct ir_printed) printed;
    VEC(uint32_t) samplers; // literal ones, by binding of set 0; more come as kernels are lowered
};

struct ir_line { // in the source
    const char *file;
    uint32_t line, column;
};

// What a module tells of its source.
struct ir_debug {
    const char *file;
    uint32_t version; // of OpenCL C: 120
    const struct ir_line *lines; // by origin
};

struct ir_module {
    struct arena *arena;
    struct intern *intern;
    const struct kc_target *target;
    VEC(struct ir_function *) functions;
    VEC(struct ir_var *) vars; // local, constant, global
    struct map var_names;      // names given so far
    struct map functions_by_name, vars_by_name;
    uint8_t *op_slots; // operations by name, made by the first ir_parse()
    struct map constants; // uniqued const values, by hash (see ir_const)
    const char *error;    // a limit met in a pass; NULL: none. First one stays: ir_fail()
    uint32_t error_origin; // as an instruction's
    bool not_by_units; // the error is that the device's units cannot do its cooperative matrices: work-items can
    struct ir_mapping *mapping; // NULL: for our runtime
    const struct ir_debug *debug; // NULL: it is not told
    bool needs_vulkan_memory_model; // orders and scopes beyond relaxed are used
};

// ---- building (build.c) --------------------------------------------------------------------------

// The module cannot be had, because of what has this `origin` (0: it is not known).
void ir_fail(struct ir_module *module, uint32_t origin, const char *why);

struct ir_module *ir_module_create(struct arena *arena, struct intern *intern, const struct kc_target *target);
// Finds or declares; a declaration has no body until ir_function_define().
struct ir_function *ir_function_get(struct ir_module *module, const char *name, struct ir_type result,
                                    const struct ir_type *params, uint32_t param_count);
void ir_function_define(struct ir_function *function); // gives it an empty body
struct ir_var *ir_var_add(struct ir_module *module, struct ir_function *function, const char *name,
                          enum ir_space space, uint64_t size, uint32_t align); // function: IR_PRIVATE only; name made unique

#define IR_MATRIX_NUMBERS ".matrix_numbers" // as no source can name a variable
// The program's constants that loads and stores of cooperative matrices use (passes/matrix_rows.c); NULL: it has none.
struct ir_var *ir_matrix_numbers(const struct ir_module *module);

// What a call of printf is under a mapping (struct ir_printed), a constant that is in no data: a u32 for its number, a byte that
// counts arguments, the bytes of each, the text with its NUL. Only the number is read.
#define IR_PRINTED ".printed"
enum { IR_PRINTED_HEAD = 5 };
bool ir_is_printed(const struct ir_var *var);
// Whether the program's data hold the variable.
bool ir_is_data(const struct ir_var *var);

// A place to put instructions: the end of `block`, or before `before`. After a jump everything emitted
// goes nowhere (the builder is `dead`) until the place is set again.
struct ir_builder {
    struct ir_module *module;
    struct ir_function *function;
    struct ir_block *block;
    struct ir_instr *before; // NULL: at the end
    uint32_t origin;         // of every instruction made: that of the one before which the builder was placed
    uint8_t flags;           // put on every float instruction made
    bool dead;               // ... after a jump: instructions are made but not linked in; they have block == NULL
};

struct ir_builder ir_at_end(struct ir_function *function);
void ir_place_end(struct ir_builder *b, struct ir_list *list); // at the end of the list's last block
// Moves all of a list without phis to the end of the list where the builder stands, at its end; it goes on behind.
void ir_append(struct ir_builder *b, struct ir_list *list);
static inline void ir_place_before(struct ir_builder *b, struct ir_instr *instr)
{
    b->block = instr->block;
    b->before = instr;
    b->origin = instr->origin;
    b->dead = false;
}
static inline struct ir_builder ir_before(struct ir_function *function, struct ir_instr *instr)
{
    return (struct ir_builder){
        .module = function->module, .function = function, .block = instr->block, .before = instr, .origin = instr->origin};
}
void ir_place_after_phis(struct ir_builder *b, struct ir_block *block);

// Structured nodes: appended after the builder's block (whose remaining instructions, when `before` is set, move to the
// block that follows). The builder then stands at the start of the block after the node; fill the lists by ir_place_end().
struct ir_if *ir_add_if(struct ir_builder *b, struct ir_instr *cond);
struct ir_loop *ir_add_loop(struct ir_builder *b);
struct ir_switch *ir_add_switch(struct ir_builder *b, struct ir_instr *value, uint32_t case_count);
void ir_place_after(struct ir_builder *b, struct ir_node *node); // start of the block after it

struct ir_instr *ir_const(struct ir_module *m, struct ir_type type, const uint64_t *lanes); // uniqued
struct ir_instr *ir_const_int(struct ir_module *m, struct ir_type type, uint64_t value);    // splat; truncated to the width
struct ir_instr *ir_const_float(struct ir_module *m, struct ir_type type, double value);    // splat
struct ir_instr *ir_undef(struct ir_module *m, struct ir_type type);
struct ir_instr *ir_addr(struct ir_module *m, struct ir_var *var);

// Makes an instruction; pure ones fold (fold.c) and may come back as a constant or another value.
struct ir_instr *ir_build(struct ir_builder *b, enum ir_op op, struct ir_type type, struct ir_instr *const *src,
                          uint32_t count);
// The same with the immediates and flags of `like`.
struct ir_instr *ir_build_like(struct ir_builder *b, enum ir_op op, struct ir_type type, struct ir_instr *const *src,
                               uint32_t count, const struct ir_instr *like);
struct ir_instr *ir_op1(struct ir_builder *b, enum ir_op op, struct ir_instr *x);                     // type by rule
struct ir_instr *ir_op2(struct ir_builder *b, enum ir_op op, struct ir_instr *x, struct ir_instr *y); // type by rule
struct ir_instr *ir_op3(struct ir_builder *b, enum ir_op op, struct ir_instr *x, struct ir_instr *y,
                        struct ir_instr *z);
struct ir_instr *ir_convert(struct ir_builder *b, enum ir_op op, struct ir_type type, struct ir_instr *x);
struct ir_instr *ir_select(struct ir_builder *b, struct ir_instr *cond, struct ir_instr *x, struct ir_instr *y);
// Whether kernels store to images of CL_sRGBA and CL_sBGRA, for which they must know what they are.
bool ir_stores_srgb(const struct kc_target *target);
// The value of an image_info that the target alone decides, else NULL.
struct ir_instr *ir_image_info_of_target(struct ir_builder *b, const struct ir_instr *x);
// x * y + z in one rounding, made of sums and products that are exact for these constants; NULL where nothing is known.
// `cheap`: only what is one operation.
struct ir_instr *ir_simpler_fma(struct ir_builder *b, struct ir_instr *const src[3], bool cheap);
struct ir_instr *ir_vec(struct ir_builder *b, struct ir_instr *const *lanes, unsigned count);
struct ir_instr *ir_splat(struct ir_builder *b, struct ir_instr *x, unsigned lanes); // lanes 1: x itself
struct ir_instr *ir_extract(struct ir_builder *b, struct ir_instr *vector, unsigned lane); // of a scalar: itself
struct ir_instr *ir_insert(struct ir_builder *b, struct ir_instr *vector, struct ir_instr *x, unsigned lane);
struct ir_instr *ir_shuffle(struct ir_builder *b, struct ir_instr *x, struct ir_instr *y, const uint8_t *lanes,
                            unsigned count); // count 1 gives a scalar
struct ir_instr *ir_ptr_index(struct ir_builder *b, struct ir_instr *base, struct ir_instr *index, int64_t stride,
                              int64_t offset); // index may be NULL; folds chains
struct ir_instr *ir_load(struct ir_builder *b, struct ir_type type, struct ir_instr *address, struct ir_mem mem);
void ir_store(struct ir_builder *b, struct ir_instr *address, struct ir_instr *value, struct ir_mem mem);
void ir_copy(struct ir_builder *b, struct ir_instr *to, struct ir_instr *from, uint64_t size, struct ir_mem mem_to,
             struct ir_mem mem_from);
void ir_zero(struct ir_builder *b, struct ir_instr *address, uint64_t size, struct ir_mem mem);
struct ir_instr *ir_atomic(struct ir_builder *b, enum ir_atomic_op op, struct ir_type type, struct ir_instr *address,
                           struct ir_instr *value, struct ir_instr *comparand, struct ir_mem mem);
struct ir_instr *ir_elem_load(struct ir_builder *b, struct ir_var *var, struct ir_instr *index);
void ir_elem_store(struct ir_builder *b, struct ir_var *var, struct ir_instr *index, struct ir_instr *value);
struct ir_instr *ir_sys(struct ir_builder *b, enum ir_sys sys, unsigned dim); // i64 or i32 as enum ir_sys says
struct ir_instr *ir_subgroup(struct ir_builder *b, enum ir_subgroup_op op, enum ir_group group, struct ir_type type,
                             struct ir_instr *const *src, uint32_t count);
// Of a matrix or to one; `stride` (i64) counts components.
struct ir_instr *ir_mat_load(struct ir_builder *b, struct ir_type type, struct ir_instr *address, struct ir_instr *stride,
                             bool by_columns, struct ir_mem mem);
void ir_mat_store(struct ir_builder *b, struct ir_instr *address, struct ir_instr *value, struct ir_instr *stride,
                  bool by_columns, struct ir_mem mem);
struct ir_instr *ir_mat_muladd(struct ir_builder *b, struct ir_instr *x, struct ir_instr *y, struct ir_instr *z,
                               unsigned flags);
struct ir_instr *ir_image_op(struct ir_builder *b, enum ir_op op, struct ir_type type, struct ir_image image,
                             struct ir_instr *const *src, uint32_t count);
void ir_barrier(struct ir_builder *b, struct ir_sync sync); // fence when sync.execution is WORK_ITEM
struct ir_instr *ir_call(struct ir_builder *b, struct ir_function *callee, struct ir_instr *const *args, uint32_t count);
struct ir_instr *ir_kernel_number(struct ir_builder *b, struct ir_function *kernel);
struct ir_instr *ir_phi(struct ir_builder *b, struct ir_type type, uint32_t count); // at the block's head; fill src and preds
void ir_jump(struct ir_builder *b, enum ir_op jump, struct ir_instr *value); // value: return only, may be NULL; builder becomes dead

// ---- changing (edit.c) ---------------------------------------------------------------------------

void ir_replace(struct ir_instr *old, struct ir_instr *with); // old leaves its block; users see `with` after ir_resolve()
void ir_resolve(struct ir_function *function);                // rewrites every source, condition and phi through `forward`
void ir_resolve_phis(struct ir_function *function);           // the same for phis and conditions alone: all else was met after its sources
void ir_resolve_inside(struct ir_node *node);                 // the same for one if, loop or switch and all in it
void ir_resolve_sources(struct ir_instr *x);                  // the same for one: building looks into sources, and into theirs
void ir_remove(struct ir_instr *instr);                       // out of its block; it must have no users left
// Where blocks are joined the lower one stays, the upper one is gone. To remove many nodes of one list go from the last to the first.
void ir_node_remove(struct ir_node *node);                    // with all in it; joins the blocks around it
void ir_cut_after(struct ir_block *block);                    // drops the nodes after `block` in its list (it ends in a jump)
void ir_prune_phis(struct ir_function *function); // drops phi sources of edges that are gone; phis with one left are replaced (implies ir_preds; ir_resolve is due)
// Replaces `node` by the nodes of `list` (the list is emptied), joining blocks at both ends. Phis are the caller's business.
void ir_node_replace(struct ir_node *node, struct ir_list *list);
// Moves all of `from` behind what is in `to` and ends in no jump. The block in which they meet is the first of `from`.
void ir_list_join(struct ir_list *to, struct ir_list *from);
// Deep copy of a list's nodes to the end of `to`. `known` takes old values, blocks and variables from outside of the list to new ones;
// `made`, if not NULL, is filled in with the list's own values and blocks and may be the same map.
void ir_list_clone(struct ir_function *into, struct ir_list *to, const struct ir_list *from, const struct map *known,
                   struct map *made);

// ---- looking (walk.c, dom.c) ---------------------------------------------------------------------

// The loop (or switch, unless loops_only) that a break or continue in this block leaves; NULL: none.
struct ir_node *ir_jump_target(const struct ir_block *block, bool loops_only);
void ir_number(struct ir_function *function);    // ids of instructions and blocks, counts
void ir_number_blocks(struct ir_function *function);
void ir_preds(struct ir_function *function);     // preds of every block, the blocks' numbers and count
void ir_dominance(struct ir_function *function); // idom and in/out numbers (implies ir_preds)
bool ir_dominates(const struct ir_block *a, const struct ir_block *b);

// Blocks in source order: for (b = ir_first_block(f); b; b = ir_next_block(b)). Enters nested lists.
struct ir_block *ir_first_block(const struct ir_function *function);
struct ir_block *ir_next_block(const struct ir_block *block);
struct ir_block *ir_list_first(const struct ir_list *list);
struct ir_block *ir_list_last(const struct ir_list *list);
bool ir_ends_in_jump(const struct ir_block *block);

static inline bool ir_is_const(const struct ir_instr *x) { return x->op == IR_OP_const; }

static inline bool ir_is_handle(const struct ir_function *f, uint32_t param)
{
    return f->params[param]->flags & IR_HANDLE;
}

static inline void ir_mark_handle(struct ir_function *f, uint32_t param)
{
    f->params[param]->flags |= IR_HANDLE;
    f->handles = true;
}
static inline bool ir_has_flag(const struct ir_instr *x, unsigned flag) { return (ir_ops[x->op].flags & flag) != 0; }

uint64_t ir_float_bits(unsigned bits, double value); // the nearest 16, 32 or 64 bit float, as bits
double ir_float_value(unsigned bits, uint64_t pattern);

// Folding of pure operations on constants and the trivial identities; NULL when there is nothing to fold.
struct ir_instr *ir_fold(struct ir_builder *b, enum ir_op op, struct ir_type type, struct ir_instr *const *src,
                         uint32_t count, const struct ir_instr *like); // `like` carries immediates, may be NULL

// ---- text form (print.c, parse.c) and checks (verify.c) ------------------------------------------

void ir_print_module(struct str *out, const struct ir_module *module);
void ir_print_type(struct str *out, struct ir_type type);
void ir_print_function(struct str *out, const struct ir_function *function);
void ir_print_instr(struct str *out, const struct ir_instr *instr);
// Parses the text form into `module` (adds to what is there). Returns NULL or a message ("line 3: ...").
const char *ir_parse(struct ir_module *module, const char *text, size_t length);
// NULL, or what is wrong, naming the function and the instruction.
const char *ir_verify_function(struct ir_function *function);
const char *ir_verify(const struct ir_module *module);
// Whether type and sources of an instruction without immediates fit its operation.
bool ir_fits(const struct ir_instr *instr);

#endif
