// SPDX-License-Identifier: Apache-2.0
// Built-in functions: the table builtins.def, lookup by name, overload resolution.
#ifndef KC_AST_BUILTINS_H
#define KC_AST_BUILTINS_H

#include "ast/overload.h"
#include "ast/types.h"

// Built-ins that gen emits. A row SPECIAL(x) is handled by gen's function for BUILTIN_x.
enum builtin_special {
    BUILTIN_CLOCK,       // clock_read_*: `op`: enum builtin_clock; returns a ulong or two words
    BUILTIN_WORK_ITEM,   // get_*: `op` is an enum ir_sys-like number: enum builtin_work_item
    BUILTIN_CONVERT,     // convert_T[_sat][_rte|rtz|rtp|rtn]: result type; `op`: rounding | CONVERT_SAT
    BUILTIN_AS,          // as_T: reinterpretation
    BUILTIN_BARRIER,     // barrier(flags), work_group_barrier(flags[, scope]), sub_group_barrier
    BUILTIN_MEM_FENCE,   // mem_fence, read_mem_fence, write_mem_fence: `op` 0, 1, 2
    BUILTIN_ATOMIC,      // atomic_* / atom_* of OpenCL 1.x: `op`: enum ir_atomic_op-like number: enum builtin_atomic
    BUILTIN_C11_ATOMIC,  // atomic_* of 2.0: `op`: enum builtin_atomic; values, then orders, then a scope
    BUILTIN_ATOMIC_FENCE, // atomic_work_item_fence(flags, order, scope)
    BUILTIN_ABS, BUILTIN_ABS_DIFF, BUILTIN_ADD_SAT, BUILTIN_SUB_SAT, BUILTIN_HADD, BUILTIN_RHADD, BUILTIN_CLAMP,
    BUILTIN_MAX, BUILTIN_MIN,     // integers by sign; common functions on floats
    BUILTIN_MUL_HI, BUILTIN_MAD_HI, BUILTIN_MAD_SAT, BUILTIN_ROTATE, BUILTIN_UPSAMPLE, BUILTIN_MUL24, BUILTIN_MAD24,
    BUILTIN_CLZ, BUILTIN_CTZ, BUILTIN_POPCOUNT,
    BUILTIN_BITFIELD_INSERT, BUILTIN_BITFIELD_EXTRACT, // `op` 1: signed
    BUILTIN_DOT_INT,     // of four bytes, also packed in a word, or two shorts; a third argument means saturating; `op`: DOT_*
    BUILTIN_FMA,         // the operation or the library's function, depending on the target
    BUILTIN_MAD, BUILTIN_COPYSIGN, BUILTIN_NAN, BUILTIN_FMAX, BUILTIN_FMIN, BUILTIN_ROUND, BUILTIN_SIGNBIT,
    BUILTIN_SQRT,
    BUILTIN_RSQRT,
    BUILTIN_NATIVE,      // native_*, half_*: `op`: enum builtin_native
    BUILTIN_HALF_EXP,    // half_exp*: the same
    BUILTIN_MIX, BUILTIN_STEP, BUILTIN_SIGN, BUILTIN_DEGREES, BUILTIN_RADIANS,
    BUILTIN_DOT, BUILTIN_CROSS,
    BUILTIN_RELATIONAL,  // isequal ... isordered, isnan, isinf, isfinite, isnormal: `op`: enum builtin_relational
    BUILTIN_ANY, BUILTIN_ALL, BUILTIN_BITSELECT, BUILTIN_SELECT,
    BUILTIN_VLOAD, BUILTIN_VSTORE, BUILTIN_VLOAD_HALF, BUILTIN_VSTORE_HALF, // `op`: rounding for vstore_half*; lanes from the types; vloada/vstorea: | VECTOR_ALIGNED
    BUILTIN_SHUFFLE, BUILTIN_SHUFFLE2,
    BUILTIN_PREFETCH, BUILTIN_ASYNC_COPY, BUILTIN_WAIT_EVENTS, // ASYNC_COPY: `op` 1: strided
    BUILTIN_PRINTF,      // the first argument is the format, an EXPR_STRING
    BUILTIN_TO_SPACE, BUILTIN_GET_FENCE, // to_global, to_local, to_private: `op`: enum type_space
    BUILTIN_SUB_GROUP_ITEM,    // get_*sub_group*: `op`: enum builtin_sub_group_item
    BUILTIN_SUB_GROUP_MASK,    // get_sub_group_*_mask: `op`: enum builtin_mask
    BUILTIN_SUB_GROUP_BARRIER,
    BUILTIN_SUB_GROUP_BOOL,    // votes and queries that return int: `op`: enum builtin_sub_group
    BUILTIN_SUB_GROUP_BALLOT,  // ballots and bit counts of ballots: `op` the same, | GROUP_*
    BUILTIN_SUB_GROUP_MOVE,    // shuffles: `op` the same
    BUILTIN_SUB_GROUP_MOVE_TWO, // shuffles of two concatenated values: SUB_GROUP_SHUFFLE_UP or _DOWN
    BUILTIN_SUB_GROUP_BLOCK,   // intel_sub_group_block_read* and, `op` 1, _write*: memory or an image
    BUILTIN_SUB_GROUP_ROTATE,
    BUILTIN_SUB_GROUP_REDUCE, BUILTIN_WORK_GROUP_REDUCE, // reductions and scans: `op`: enum builtin_group
    BUILTIN_WORK_GROUP_VOTE,   // `op`: GROUP_AND, GROUP_OR
    BUILTIN_WORK_GROUP_BROADCAST,
    BUILTIN_IMAGE_INFO, // `op`: enum builtin_image_info
    BUILTIN_IMAGE_READ, BUILTIN_IMAGE_FETCH, BUILTIN_IMAGE_SAMPLE, BUILTIN_IMAGE_WRITE, // library only: `op`: enum kc_texel
    BUILTIN_SAMPLER_BITS, // library only
    BUILTIN_ENQUEUE,     // sema_enqueue.c turns these into EXPR_ENQUEUE
    BUILTIN_ENQUEUED,    // library only: `op` 0: the address of struct kc_enqueued, 1: the number of the launch
    BUILTIN_IR_OP,       // library only: __op_NAME(...): any IR operation by name; `op` is the operation
    BUILTIN_SPECIAL_COUNT
};

enum { DOT_FIRST_SIGNED = 1, DOT_SECOND_SIGNED = 2, DOT_WRAPS = 4 };

enum builtin_work_item {
    WORK_ITEM_GLOBAL_ID, WORK_ITEM_GLOBAL_SIZE, WORK_ITEM_GLOBAL_OFFSET, WORK_ITEM_LOCAL_ID, WORK_ITEM_LOCAL_SIZE,
    WORK_ITEM_ENQUEUED_LOCAL_SIZE, WORK_ITEM_NUM_GROUPS, WORK_ITEM_GROUP_ID, WORK_ITEM_GLOBAL_LINEAR_ID,
    WORK_ITEM_LOCAL_LINEAR_ID, WORK_ITEM_WORK_DIM, // the order of enum ir_sys
};

enum builtin_clock { CLOCK_SUB_GROUP, CLOCK_WORK_GROUP, CLOCK_DEVICE };

enum builtin_atomic {
    ATOMIC_LOAD, ATOMIC_STORE, ATOMIC_XCHG, ATOMIC_CMPXCHG, ATOMIC_ADD, ATOMIC_SUB, ATOMIC_AND, ATOMIC_OR, ATOMIC_XOR,
    ATOMIC_MIN, ATOMIC_MAX, ATOMIC_INC, ATOMIC_DEC, ATOMIC_INIT, ATOMIC_FLAG_SET, ATOMIC_FLAG_CLEAR,
};

enum builtin_image_info { // image properties that the launch passes in
    IMAGE_INFO_ORDER, IMAGE_INFO_TYPE, IMAGE_INFO_WIDTH, IMAGE_INFO_HEIGHT, IMAGE_INFO_DEPTH,
    IMAGE_INFO_LAYERS = IMAGE_INFO_DEPTH, IMAGE_INFO_LEVELS,
    IMAGE_INFO_FILTER, IMAGE_INFO_BY_UINT, IMAGE_INFO_MAPPED, IMAGE_INFO_SRGB, IMAGE_INFO_BORDERS,
};

enum builtin_native {
    NATIVE_COS, NATIVE_DIVIDE, NATIVE_EXP, NATIVE_EXP2, NATIVE_EXP10, NATIVE_LOG, NATIVE_LOG2, NATIVE_LOG10,
    NATIVE_POWR, NATIVE_RECIP, NATIVE_RSQRT, NATIVE_SIN, NATIVE_SQRT, NATIVE_TAN,
};

enum builtin_relational {
    RELATIONAL_EQ, RELATIONAL_NE, RELATIONAL_GT, RELATIONAL_GE, RELATIONAL_LT, RELATIONAL_LE, RELATIONAL_LESSGREATER,
    RELATIONAL_FINITE, RELATIONAL_INF, RELATIONAL_NAN, RELATIONAL_NORMAL, RELATIONAL_ORDERED, RELATIONAL_UNORDERED,
};

enum builtin_sub_group_item {
    SUB_GROUP_SIZE, SUB_GROUP_MAX_SIZE, SUB_GROUP_COUNT, SUB_GROUP_ENQUEUED_COUNT, SUB_GROUP_ID, SUB_GROUP_LOCAL_ID,
};

enum builtin_mask { MASK_EQ, MASK_LT, MASK_LE, MASK_GE, MASK_GT };

enum builtin_sub_group { // the order of enum ir_subgroup_op
    SUB_GROUP_ELECT, SUB_GROUP_ALL, SUB_GROUP_ANY, SUB_GROUP_ALL_EQUAL, SUB_GROUP_BALLOT, SUB_GROUP_INVERSE_BALLOT,
    SUB_GROUP_BALLOT_BIT, SUB_GROUP_BALLOT_COUNT, SUB_GROUP_BALLOT_LSB, SUB_GROUP_BALLOT_MSB,
    SUB_GROUP_BROADCAST_FIRST, SUB_GROUP_SHUFFLE, SUB_GROUP_SHUFFLE_XOR, SUB_GROUP_SHUFFLE_UP, SUB_GROUP_SHUFFLE_DOWN,
};

enum builtin_group { // operation and mode; LOGICAL: of truth values
    GROUP_ADD, GROUP_MUL, GROUP_MIN, GROUP_MAX, GROUP_AND, GROUP_OR, GROUP_XOR,
    GROUP_INCLUSIVE = 32, GROUP_EXCLUSIVE = 64, GROUP_CLUSTERED = 96, GROUP_LOGICAL = 128,
};

enum { ROUND_DEFAULT, ROUND_RTE, ROUND_RTZ, ROUND_RTP, ROUND_RTN, CONVERT_SAT = 8, VECTOR_ALIGNED = 16 };

// Whether the function has a single overload; sets its number of parameters.
bool builtin_has_one_form(const char *name, uint32_t *params);
bool builtin_has_row(const char *name); // in any OpenCL C version
bool builtin_exists(const struct ast *ast, const char *name);
// Chooses the overload of `name` for rvalue arguments. Reports an error and returns NULL if none matches, if the
// device lacks a required feature, or if it is not implemented.
struct builtin *builtin_resolve(struct ast *ast, const char *name, struct expr **args, uint32_t count, struct loc loc);

// Candidates with `count` parameters for a builtin's name, prepended to `list`.
struct candidate *builtin_candidates(struct ast *ast, const char *name, struct expr **args,
                                     uint32_t count, struct candidate *list);
struct builtin *builtin_from_candidate(struct ast *ast, const struct candidate *chosen,
                                       struct loc loc); // NULL: error reported
// Whether the module's options allow the device's native function of that name.
bool builtin_is_native(const struct kc_target *target, const char *name);

// For tests: the rows in order.
size_t builtin_row_count(void);
const char *builtin_row_name(size_t index);
bool builtin_row_well_formed(size_t index);

#endif
