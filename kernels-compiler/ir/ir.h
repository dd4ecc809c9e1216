// SPDX-License-Identifier: Apache-2.0
// The compiler's intermediate representation.
//
// A function is a tree: lists of nodes, where a node is a block of instructions, an if, a loop or a switch. Control
// flow is structured by construction and can be written as SPIR-V at any time. A value is the instruction that
// computes it. Initially a function keeps its variables in memory (ir_var) and has no phis; mem2reg makes SSA.
//
// Values are scalars and vectors of bool, int, float and pointers, and cooperative matrices: values that a
// sub-group's work-items hold together. There are no aggregates and no pointee types: structs and arrays are bytes in
// memory, accessed through ptr_index. A struct is passed to a function as the address of a copy and returned through
// an address. So unions, casts and packed structs need no special cases.
//
// Shape rules (ir_verify checks them):
//  - every list starts and ends with a block; blocks and structured nodes alternate;
//  - a jump is the last instruction of its block, and that block is the last node of its list;
//  - if: control enters then or else and, unless it jumps, continues in the block after the if;
//  - loop: body, then the continue list, then body again while `cond` (NULL: always). `continue` goes to the
//    start of the continue list; `break` to the block after the loop. No jump inside the continue list
//    leaves it. Loop-carried phis are in the first block of the body, with exactly two preds: the block before the loop and
//    the last block of the continue list. Values that merge from several `continue`s: phis in the first block of the continue list;
//  - switch: the case with a matching value, else the default (always present, may be empty). A case falls through to the next
//    one, the last one to the block after the switch; `break` leaves. The first block of a case may have phis: preds are the
//    block before the switch and the last block of the previous case if that falls through;
//  - phis in the block after an if, loop or switch merge the values of its reachable incoming edges.
#ifndef KC_IR_IR_H
#define KC_IR_IR_H

#include "pumice/kc.h"
#include "util/map.h"
#include "util/str.h"
#include "util/vec.h"

// ---- types: small values, compared by ir_type_eq ---------------------------------------------------

enum ir_base {
    IR_VOID, IR_BOOL, IR_INT, IR_FLOAT, IR_PTR,
    IR_BF16, IR_E4M3, IR_E5M2, // component types of matrices only; a component in a register is an integer with the bits
};

enum ir_space {
    IR_PRIVATE,  // of a work-item; 32-bit addresses
    IR_LOCAL,    // of a work-group; 32-bit addresses
    IR_GLOBAL,   // 64-bit device addresses
    IR_CONSTANT, // 64-bit device addresses, never written
    IR_GENERIC,
    IR_PUSH,     // the push block; elem_* only
    IR_BUFFER,   // a typed view of a storage buffer (with a count: of a uniform buffer); elem_* only. Views of one buffer
                 // overlap
};

struct ir_type {
    uint8_t base;  // enum ir_base
    uint8_t bits;  // IR_INT: 8 16 32 64; IR_FLOAT: 16 32 64; IR_BOOL: 1; IR_PTR: its size in memory; small floats: 16 and 8
    uint8_t lanes; // 1 2 3 4 8 16 (0 for IR_VOID); after lower_vectors at most 4
    uint8_t space; // enum ir_space for IR_PTR; of a matrix its enum ir_use; else 0
    uint16_t rows, columns; // of a matrix (whose lanes is 1); else 0
};

enum { IR_MATRIX_EDGE = 1024, IR_MATRIX_COMPONENTS = 1 << 16 }; // limits
enum ir_use { IR_USE_A, IR_USE_B, IR_USE_ACCUMULATOR, IR_USE_COUNT }; // role of a matrix in A * B + C

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
static inline struct ir_type ir_small_float(enum ir_base base) // only as an argument of ir_matrix()
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

// Size of a value in memory in bytes; vec3 has 3 elements. A bool is not stored (callers widen it to i8). For a
// matrix an upper bound of a work-item's part.
static inline uint32_t ir_type_bytes(struct ir_type type)
{
    return (uint32_t)type.bits / 8 * (ir_is_matrix(type) ? (uint32_t)type.rows * type.columns : type.lanes);
}

// Size of an array element: three lanes occupy the space of four.
static inline uint32_t ir_elem_bytes(struct ir_type elem) { return elem.bits / 8u * (elem.lanes == 3 ? 4u : elem.lanes); }

// Without device addresses, a pointer as a number has the byte offset in these lower bits and the buffer above
// (passes/buffers.c).
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

enum ir_subgroup_op { // see OP(subgroup); bool results unless stated
    IR_SUBGROUP_ELECT, IR_SUBGROUP_ALL, IR_SUBGROUP_ANY, IR_SUBGROUP_ALL_EQUAL,
    IR_SUBGROUP_BALLOT,                                  // bool -> <4 x i32>, one bit for each work-item
    IR_SUBGROUP_INVERSE_BALLOT, IR_SUBGROUP_BALLOT_BIT,  // of a ballot; the second: at a bit number
    IR_SUBGROUP_BALLOT_COUNT, IR_SUBGROUP_BALLOT_LSB, IR_SUBGROUP_BALLOT_MSB, // ballot -> i32
    IR_SUBGROUP_BROADCAST_FIRST,                         // the first source of another work-item; shuffles: selected by the second, an i32
    IR_SUBGROUP_SHUFFLE, IR_SUBGROUP_SHUFFLE_XOR, IR_SUBGROUP_SHUFFLE_UP, IR_SUBGROUP_SHUFFLE_DOWN,
    // Combined over `group`; clustered: the second source is the cluster size, a constant.
    IR_SUBGROUP_IADD, IR_SUBGROUP_FADD, IR_SUBGROUP_IMUL, IR_SUBGROUP_FMUL, IR_SUBGROUP_SMIN, IR_SUBGROUP_UMIN,
    IR_SUBGROUP_FMIN, IR_SUBGROUP_SMAX, IR_SUBGROUP_UMAX, IR_SUBGROUP_FMAX, IR_SUBGROUP_AND, IR_SUBGROUP_OR,
    IR_SUBGROUP_XOR,
    IR_SUBGROUP_COUNT
};
enum ir_group { IR_GROUP_REDUCE, IR_GROUP_INCLUSIVE, IR_GROUP_EXCLUSIVE, IR_GROUP_CLUSTERED };

// Scopes and orders as in OpenCL.
enum ir_scope { IR_SCOPE_WORK_ITEM, IR_SCOPE_SUB_GROUP, IR_SCOPE_WORK_GROUP, IR_SCOPE_DEVICE, IR_SCOPE_ALL_DEVICES };
enum ir_order { IR_ORDER_RELAXED, IR_ORDER_ACQUIRE, IR_ORDER_RELEASE, IR_ORDER_ACQ_REL, IR_ORDER_SEQ_CST };
enum { // mat_muladd: signedness of integers, saturation (SPIR-V's bits)
    IR_MATRIX_A_SIGNED = 1, IR_MATRIX_B_SIGNED = 2, IR_MATRIX_C_SIGNED = 4, IR_MATRIX_RESULT_SIGNED = 8,
    IR_MATRIX_SATURATING = 16,
};
// cl_channel_order, cl_channel_type; size: `axis` 0..2. Known when the library is linked: filter: whether the device
// filters linearly; by_uint: whether it accesses CL_UNORM_INT16 buffers as integers; mapped: whether all samplers are
// the launch's (kc_target.mapping); srgb: whether the kernel encodes stores to CL_sRGBA and CL_sBGRA images; borders:
// whether reads outside an image are of the border color.
enum ir_image_info {
    IR_IMAGE_ORDER, IR_IMAGE_TYPE, IR_IMAGE_SIZE, IR_IMAGE_FILTER, IR_IMAGE_BY_UINT, IR_IMAGE_MAPPED, IR_IMAGE_SRGB,
    IR_IMAGE_BORDERS,
};
enum { IR_FENCE_LOCAL = 1, IR_FENCE_GLOBAL = 2, IR_FENCE_IMAGE = 4 }; // CLK_*_MEM_FENCE

enum ir_sys { // with `dim` 0..2 if it has dimensions
    // OpenCL C's values, i64 each. Removed by lower_sys.
    IR_SYS_GLOBAL_ID, IR_SYS_GLOBAL_SIZE, IR_SYS_GLOBAL_OFFSET, IR_SYS_LOCAL_ID, IR_SYS_LOCAL_SIZE,
    IR_SYS_ENQUEUED_LOCAL_SIZE, IR_SYS_NUM_GROUPS, IR_SYS_GROUP_ID, IR_SYS_GLOBAL_LINEAR_ID,
    IR_SYS_LOCAL_LINEAR_ID,
    IR_SYS_WORK_DIM, // i32
    IR_SYS_PRINTF,   // i64: the printf buffer's address
    IR_SYS_ENQUEUED, // i64: the address of struct kc_enqueued
    IR_SYS_LAUNCH,   // i32: the number of the launch among those that share it
    // Vulkan's values, i32 each.
    IR_SYS_VK_GLOBAL_INVOCATION, IR_SYS_VK_WORKGROUP_ID, IR_SYS_VK_LOCAL_INVOCATION, IR_SYS_VK_LOCAL_INDEX,
    IR_SYS_VK_NUM_WORKGROUPS,
    IR_SYS_VK_LOCAL_SIZE, // literal or specialization constant
    IR_SYS_VK_SPEC, // the specialization constant of SpecId `dim`, see kc_target.mapping
    IR_SYS_VK_SUBGROUP_SIZE, IR_SYS_VK_SUBGROUP_INVOCATION, IR_SYS_VK_SUBGROUP_ID, IR_SYS_VK_NUM_SUBGROUPS,
    IR_SYS_BUFFER, // logical addressing, kc_target.plain_arguments; i64: the kernel's pointer argument `dim`. Removed by lower_memory, like IR_SYS_PRINTF
    IR_SYS_COUNT
};

static inline unsigned ir_sys_bits(enum ir_sys sys)
{
    return sys < IR_SYS_WORK_DIM || sys == IR_SYS_PRINTF || sys == IR_SYS_ENQUEUED || sys == IR_SYS_BUFFER ? 64 : 32;
}

// Number of lanes of an image coordinate: the image's dimensions, then the array layer.
static inline unsigned ir_image_lanes(enum kc_image_dim dim)
{
    return dim == KC_DIM_1D || dim == KC_DIM_BUFFER ? 1 : dim == KC_DIM_2D || dim == KC_DIM_1D_ARRAY ? 2 : 3;
}

// ---- instructions --------------------------------------------------------------------------------

enum { // instr.flags
    IR_FAST = 1,    // relaxed math is allowed; without it every float operation is exact and never contracted
    IR_NO_WRAP = 2, // iadd, isub, imul, shl: undef if the signed result overflows
    IR_HANDLE = 4,  // param: an image or sampler, which only image operations use
    IR_LOOSE = 8,   // fma: may round twice; fmul, fadd, fsub: the device may contract two of them; fdiv: 2.5 ULP
};

// The effective type of an access in C (C99 6.5): memory accessed with one type is never accessed with another.
// Signed and unsigned types are the same; characters, vectors and union members alias everything.
enum ir_effective {
    IR_AS_ANY, IR_AS_I16, IR_AS_I32, IR_AS_I64, IR_AS_F16, IR_AS_F32, IR_AS_F64, IR_AS_PTR, IR_EFFECTIVE_COUNT
};

enum { IR_LANE_COUNTED = 15 }; // the index counts lanes, not elements

struct ir_mem {
    uint8_t space;     // enum ir_space
    uint8_t scope : 4; // atomics: enum ir_scope
    uint8_t lane : 4;  // elem_load, elem_store of a local array of vectors: 0: the whole element, 1 + lane, or
                       // IR_LANE_COUNTED
    uint8_t order;     // atomics: enum ir_order
    bool is_volatile : 1;
    bool coherent : 1; // must be visible to other work-items at the next barrier (shared data)
    bool readonly : 1; // load: the memory is not written while the kernel runs
    uint8_t effective : 3; // enum ir_effective; passes that access other bytes than the source set IR_AS_ANY
    uint32_t align;    // known alignment of the address in bytes, a power of two
};

struct ir_image {
    uint8_t dim;   // enum kc_image_dim
    uint8_t texel; // enum kc_texel; image_info: none
    bool depth;
    uint8_t info, axis; // image_info: enum ir_image_info; image_write: the level
};

struct ir_sync {
    uint8_t execution; // enum ir_scope of work-items that synchronize; WORK_ITEM: none (a fence)
    uint8_t scope;     // enum ir_scope of memory
    uint8_t order;
    uint8_t fences;    // IR_FENCE_*
};

struct ir_instr {
    uint16_t op;   // enum ir_op
    uint8_t flags; // IR_FAST, IR_NO_WRAP, IR_HANDLE, IR_LOOSE
    uint8_t mark;  // scratch of the running pass, 0 between passes
    struct ir_type type;
    uint32_t id; // number for printing; index into side tables after ir_number()
    uint32_t src_count;
    uint32_t origin; // number of its source location; 0: unknown
    struct ir_instr **src;
    struct ir_block *block; // NULL: const, undef, param, addr
    struct ir_instr *prev, *next;
    struct ir_instr *forward; // set by ir_replace(): the replacement; ir_resolve() rewrites all users
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
                bool by_columns;        // mat_load, mat_store: column-major
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
    int32_t unroll;        // requested in the source: enum ir_unroll or a factor
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

// Linkage to other units of a program; set only with separate compilation.
enum ir_linkage {
    IR_LINK_NONE,   // internal: static, or a built-in library function
    IR_LINK_EXPORT, // the definition
    IR_LINK_INLINE, // a definition that another one may replace
    IR_LINK_IMPORT, // defined elsewhere
};

struct ir_reloc { // the address of `var` + addend (8 bytes) is stored at `offset`
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
    const char *c_type;  // if linkage is not NONE: must be equal in all units
    uint64_t data_offset; // constant and global: in the program's data segment, when `placed` (data_segment.h)
    bool placed;
    int32_t local_arg;   // IR_LOCAL variable of a kernel's local argument: the argument's number, else -1
    // After lowering: a typed array in Function, Workgroup or PushConstant storage, or a whole storage buffer (count
    // 0).
    struct ir_type elem;
    uint64_t count;
    uint32_t spec_id;    // 1 + SpecId of `count`, 0: none
    uint32_t origin;     // see ir_instr.origin
    uint32_t binding;    // IR_BUFFER: number of the kernel's binding; IR_PUSH: 0, or 1 + number: plain data in a buffer
    struct ir_instr *address; // the addr value, made on demand by ir_addr()
    uint32_t id;         // scratch of the running pass
};

// What the source says about a kernel. Passes and the SPIR-V writer fill in the rest of kc_kernel.
struct ir_kernel {
    struct kc_kernel info; // name, attributes, args, sizes; later push, specs, spirv
    uint32_t vec_type_hint;
    uint32_t origin; // see ir_instr.origin
    // Under a mapping: the local arguments in the shared array, in order.
    uint32_t *shared_locals, shared_local_count;
};

// The work-group size in a dimension if it is the same for all groups of all launches, else 0.
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
    bool not_inlined; // too large to inline: its calls remain
    bool stays;       // the driver must not inline it either
    bool called_once; // in a program that is too large to inline all calls: inlined, whatever its size
    bool converged;  // repeated passes of this stage have reached a fixed point
    bool from_library;
    uint32_t unrolled;   // number of instructions added by unrolling without request
    uint64_t array_bytes; // size of the private arrays that opt_unroll has found, at most
    bool handles;        // some parameter is IR_HANDLE
    uint8_t linkage;     // enum ir_linkage
    const char *c_type;  // if linkage is not NONE: must be equal in all units
    struct ir_kernel *kernel; // NULL: not a kernel
    struct ir_list body;
    VEC(struct ir_var *) vars; // private variables
    struct map var_names;      // names in use
    struct ir_module *module;
    uint32_t instr_count, block_count; // from ir_number(); blocks also from ir_preds()
    uint32_t id;               // scratch of the running pass
};

// Under a mapping: a printf call or a string argument of one. Kernels refer to it by number only.
struct ir_printed {
    const char *text;
    const uint8_t *sizes; // sizes of arguments in bytes
    uint32_t count;
};

// For programs that are not run by our runtime (kc_target.mapping): what the kernels share.
struct ir_mapping {
    struct kc_shared shared[KC_SHARED_COUNT];
    uint32_t count;
    uint32_t push_bytes; // size of the push constants among `shared`, from offset 0
    bool arg_info; // report types and qualifiers of arguments too
    uint32_t data_set, printf_set; // descriptor sets if kernels bind them; binding 0
    const uint8_t *data; // the program's constants and variables
    uint32_t data_size;
    const struct kc_relocation *relocations;
    uint32_t relocation_count;
    bool data_writable; // the data contain variables
    bool data_embedded; // only constants, embedded in the module
    VEC(struct ir_printed) printed;
    VEC(uint32_t) samplers; // literal samplers, by binding of set 0; grows as kernels are lowered
};

struct ir_line { // a source location
    const char *file;
    uint32_t line, column;
};

// Debug information of a module.
struct ir_debug {
    const char *file;
    uint32_t version; // of OpenCL C: 120
    const struct ir_line *lines; // indexed by origin
};

struct ir_module {
    struct arena *arena;
    struct intern *intern;
    const struct kc_target *target;
    VEC(struct ir_function *) functions;
    VEC(struct ir_var *) vars; // local, constant, global
    struct map var_names;      // names in use
    struct map functions_by_name, vars_by_name;
    uint8_t *op_slots; // table of operations by name, made by the first ir_parse()
    struct map constants; // uniqued const values, by hash (see ir_const)
    const char *error;    // first error of a pass (ir_fail), NULL: none
    uint32_t error_origin; // see ir_instr.origin
    bool too_large;           // the error is the number of registers
    bool matrix_units_failed; // the error is that the device's units do not support its cooperative matrices; emulation does
    struct ir_mapping *mapping; // NULL: for our runtime
    const struct ir_debug *debug; // NULL: no debug information
    bool needs_vulkan_memory_model; // orders and scopes beyond relaxed are used
};

// ---- building (build.c) --------------------------------------------------------------------------

// Reports that the module cannot be compiled because of the code at `origin` (0: unknown).
void ir_fail(struct ir_module *module, uint32_t origin, const char *why);

struct ir_module *ir_module_create(struct arena *arena, struct intern *intern, const struct kc_target *target);
// Finds or declares; a declaration has no body until ir_function_define().
struct ir_function *ir_function_get(struct ir_module *module, const char *name, struct ir_type result,
                                    const struct ir_type *params, uint32_t param_count);
void ir_function_define(struct ir_function *function); // gives it an empty body
struct ir_var *ir_var_add(struct ir_module *module, struct ir_function *function, const char *name,
                          enum ir_space space, uint64_t size, uint32_t align); // function: IR_PRIVATE only; the name is made unique

#define IR_MATRIX_NUMBERS ".matrix_numbers" // not a valid identifier in source
// The program's constants for loads and stores of cooperative matrices (passes/matrix_rows.c); NULL if it has none.
struct ir_var *ir_matrix_numbers(const struct ir_module *module);

// A printf call under a mapping (struct ir_printed) as a constant outside of the data: a u32 for its number, a byte
// with the number of arguments, a byte with the size of each, the text with its NUL. Kernels read only the number.
#define IR_PRINTED ".printed"
enum { IR_PRINTED_HEAD = 5 };
bool ir_is_printed(const struct ir_var *var);
// Whether the variable is part of the program's data.
bool ir_is_data(const struct ir_var *var);

// An insertion point: the end of `block`, or before `before`. After a jump the builder is `dead`: new instructions
// are discarded until it is placed again.
struct ir_builder {
    struct ir_module *module;
    struct ir_function *function;
    struct ir_block *block;
    struct ir_instr *before; // NULL: at the end
    uint32_t origin;         // for new instructions: that of the instruction before which the builder was placed
    uint8_t flags;           // added to new float instructions
    bool dead;               // after a jump: new instructions are not linked into a block; their block is NULL
};

struct ir_builder ir_at_end(struct ir_function *function);
void ir_place_end(struct ir_builder *b, struct ir_list *list); // at the end of the list's last block
// Moves all nodes of a list without phis to the builder's place, which must be at the end of its list; the builder
// moves after them.
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

// Structured nodes are inserted after the builder's block; instructions from `before` on move to the block after the
// node. The builder moves to the start of that block. Fill the lists with ir_place_end().
struct ir_if *ir_add_if(struct ir_builder *b, struct ir_instr *cond);
struct ir_loop *ir_add_loop(struct ir_builder *b);
struct ir_switch *ir_add_switch(struct ir_builder *b, struct ir_instr *value, uint32_t case_count);
void ir_place_after(struct ir_builder *b, struct ir_node *node); // start of the block after it

struct ir_instr *ir_const(struct ir_module *m, struct ir_type type, const uint64_t *lanes); // uniqued
struct ir_instr *ir_const_int(struct ir_module *m, struct ir_type type, uint64_t value);    // splat; truncated to the width
struct ir_instr *ir_const_float(struct ir_module *m, struct ir_type type, double value);    // splat
struct ir_instr *ir_undef(struct ir_module *m, struct ir_type type);
struct ir_instr *ir_addr(struct ir_module *m, struct ir_var *var);

// Makes an instruction. Pure ones are folded (fold.c) and may return a constant or another value.
struct ir_instr *ir_build(struct ir_builder *b, enum ir_op op, struct ir_type type, struct ir_instr *const *src,
                          uint32_t count);
// The same with the immediates and flags of `like`.
struct ir_instr *ir_build_like(struct ir_builder *b, enum ir_op op, struct ir_type type, struct ir_instr *const *src,
                               uint32_t count, const struct ir_instr *like);
// The same as it is, constant or not.
struct ir_instr *ir_build_unfolded(struct ir_builder *b, enum ir_op op, struct ir_type type, struct ir_instr *const *src,
                                   uint32_t count);
struct ir_instr *ir_op1(struct ir_builder *b, enum ir_op op, struct ir_instr *x);                     // type by rule
struct ir_instr *ir_op2(struct ir_builder *b, enum ir_op op, struct ir_instr *x, struct ir_instr *y); // type by rule
struct ir_instr *ir_op3(struct ir_builder *b, enum ir_op op, struct ir_instr *x, struct ir_instr *y,
                        struct ir_instr *z);
struct ir_instr *ir_convert(struct ir_builder *b, enum ir_op op, struct ir_type type, struct ir_instr *x);
struct ir_instr *ir_select(struct ir_builder *b, struct ir_instr *cond, struct ir_instr *x, struct ir_instr *y);
// Whether kernels encode stores to CL_sRGBA and CL_sBGRA images, so that they need the image's format.
bool ir_stores_srgb(const struct kc_target *target);
// The value of an image_info that only depends on the target, else NULL.
struct ir_instr *ir_image_info_of_target(struct ir_builder *b, const struct ir_instr *x);
// x * y + z in one rounding, made from sums and products that are exact for constant operands; NULL if that is not
// possible. `cheap`: only if it is a single operation.
struct ir_instr *ir_simpler_fma(struct ir_builder *b, struct ir_instr *const src[3], bool cheap);
struct ir_instr *ir_vec(struct ir_builder *b, struct ir_instr *const *lanes, unsigned count);
struct ir_instr *ir_splat(struct ir_builder *b, struct ir_instr *x, unsigned lanes); // lanes 1: x itself
struct ir_instr *ir_extract(struct ir_builder *b, struct ir_instr *vector, unsigned lane); // of a scalar: the scalar
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
struct ir_instr *ir_sys(struct ir_builder *b, enum ir_sys sys, unsigned dim); // i64 or i32, see enum ir_sys
struct ir_instr *ir_subgroup(struct ir_builder *b, enum ir_subgroup_op op, enum ir_group group, struct ir_type type,
                             struct ir_instr *const *src, uint32_t count);
// Matrix memory access; `stride` (i64) is in components.
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
// Calls a library function of one to three scalars of one type for each lane.
struct ir_instr *ir_call_by_lanes(struct ir_builder *b, const char *name, struct ir_instr *const *x, uint32_t count);
struct ir_instr *ir_kernel_number(struct ir_builder *b, struct ir_function *kernel);
struct ir_instr *ir_phi(struct ir_builder *b, struct ir_type type, uint32_t count); // at the block's head; fill src and preds
void ir_jump(struct ir_builder *b, enum ir_op jump, struct ir_instr *value); // value: for return, may be NULL. The builder becomes dead

// ---- changing (edit.c) ---------------------------------------------------------------------------

void ir_replace(struct ir_instr *old, struct ir_instr *with); // removes `old` from its block; users change with ir_resolve()
void ir_resolve(struct ir_function *function);                // rewrites every source, condition and phi through `forward`
void ir_resolve_phis(struct ir_function *function);           // the same for phis and conditions only, if all other users came after their sources
void ir_resolve_inside(struct ir_node *node);                 // the same for an if, loop or switch with its contents
void ir_resolve_sources(struct ir_instr *x);                  // the same for one instruction; building looks at sources and their sources
void ir_phi_add(struct ir_module *m, struct ir_instr *phi, struct ir_instr *value, struct ir_block *pred);
void ir_remove(struct ir_instr *instr);                       // removes it from its block; it must have no users
// When blocks are joined, the lower one survives. To remove several nodes of a list, start with the last.
void ir_node_remove(struct ir_node *node);                    // with its contents; joins the blocks around it
void ir_cut_after(struct ir_block *block);                    // drops the nodes after `block` in its list; the block ends in a jump
void ir_prune_phis(struct ir_function *function); // drops phi sources of removed edges; replaces phis with one source (calls ir_preds; ir_resolve must follow)
// Replaces `node` by the nodes of `list` (which is emptied), joining blocks at both ends. The caller updates phis.
void ir_node_replace(struct ir_node *node, struct ir_list *list);
// Appends `from` to `to`, which must not end in a jump. The blocks that meet are joined into the first of `from`.
void ir_list_join(struct ir_list *to, struct ir_list *from);
// Deep copy of a list's nodes to the end of `to`. `known` maps values, blocks and variables outside of the list to
// replacements. `made`, if not NULL, receives the mapping of the list's values and blocks; it may be the same map.
void ir_list_clone(struct ir_function *into, struct ir_list *to, const struct ir_list *from, const struct map *known,
                   struct map *made);

// ---- queries (walk.c, dom.c) ---------------------------------------------------------------------

// The loop (or switch, unless loops_only) that a break or continue in this block applies to; NULL: none.
struct ir_node *ir_jump_target(const struct ir_block *block, bool loops_only);
void ir_number(struct ir_function *function);    // sets ids of instructions and blocks, and counts
void ir_number_blocks(struct ir_function *function);
void ir_preds(struct ir_function *function);     // sets preds of all blocks, block indices and count
void ir_dominance(struct ir_function *function); // sets idom and dom_in/out (calls ir_preds)
bool ir_dominates(const struct ir_block *a, const struct ir_block *b);

// Blocks in source order: for (b = ir_first_block(f); b; b = ir_next_block(b)). Enters nested lists.
struct ir_block *ir_first_block(const struct ir_function *function);
struct ir_block *ir_next_block(const struct ir_block *block);
struct ir_block *ir_list_first(const struct ir_list *list);
struct ir_block *ir_list_last(const struct ir_list *list);
bool ir_ends_in_jump(const struct ir_block *block);

static inline bool ir_is_const(const struct ir_instr *x) { return x->op == IR_OP_const; }

static inline void ir_loosen_quotient(struct ir_instr *x) // lets a quotient of floats be of 2.5 ULP
{
    if (x->op == IR_OP_fdiv && x->type.bits == 32)
        x->flags |= IR_LOOSE;
}

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

// Folds pure operations on constants and trivial identities. Returns NULL if nothing folds.
struct ir_instr *ir_fold(struct ir_builder *b, enum ir_op op, struct ir_type type, struct ir_instr *const *src,
                         uint32_t count, const struct ir_instr *like); // `like` supplies immediates, may be NULL

// ---- text form (print.c, parse.c) and checks (verify.c) ------------------------------------------

void ir_print_module(struct str *out, const struct ir_module *module);
void ir_print_type(struct str *out, struct ir_type type);
void ir_print_function(struct str *out, const struct ir_function *function);
void ir_print_instr(struct str *out, const struct ir_instr *instr);
// Parses the text form into `module`, adding to its contents. Returns NULL or a message ("line 3: ...").
const char *ir_parse(struct ir_module *module, const char *text, size_t length);
// Returns NULL or an error that names the function and the instruction.
const char *ir_verify_function(struct ir_function *function);
const char *ir_verify(const struct ir_module *module);
// Whether type and sources of an instruction without immediates are valid for its operation.
bool ir_fits(const struct ir_instr *instr);

#endif
