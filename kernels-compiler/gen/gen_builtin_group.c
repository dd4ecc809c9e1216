// SPDX-License-Identifier: Apache-2.0
// Sub-group functions (6.15.18 and the cl_khr_subgroup_* extensions) and work-group collectives (6.15.16).
//
// Sub-group operations support 32 and 64 bits. Smaller integers are widened, halfs become floats; this only shows in
// the identities of exclusive scans, which are clamped to the type. If operations support 32 bits only, longs are
// passed as two words. If the device does not combine such values, or none, each work-item reads the values of all
// others in a loop. A work-group collective combines within the sub-groups, stores one value of each sub-group in
// local memory and combines these in each sub-group. A sub-group is a run of consecutive local linear ids.
#include "gen/gen_internal.h"
#include "util/stack.h"

#include <math.h>

_Static_assert((int)SUB_GROUP_ELECT == (int)IR_SUBGROUP_ELECT && (int)SUB_GROUP_BALLOT_MSB == (int)IR_SUBGROUP_BALLOT_MSB &&
                   (int)SUB_GROUP_SHUFFLE_DOWN == (int)IR_SUBGROUP_SHUFFLE_DOWN,
               "the two lists are in one order");

static struct ir_instr *u32(struct gen *gen, uint32_t value)
{
    return ir_const_int(gen->module, ir_int(32), value);
}

static struct ir_instr *sys32(struct gen *gen, enum ir_sys sys)
{
    return ir_sys(&gen->b, sys, 0);
}

// ---- ids and sizes -------------------------------------------------------------------------------

static struct ir_instr *volume(struct gen *gen, enum ir_sys size)
{
    struct ir_builder *b = &gen->b;
    struct ir_instr *all = ir_sys(b, size, 0);
    for (unsigned dim = 1; dim < 3; dim++)
        all = ir_op2(b, IR_OP_imul, all, ir_sys(b, size, dim));
    return ir_convert(b, IR_OP_trunc, ir_int(32), all);
}

static struct ir_instr *max_size(struct gen *gen)
{
    return sys32(gen, IR_SYS_VK_SUBGROUP_SIZE);
}

static struct ir_instr *item(struct gen *gen, struct gen_args *args)
{
    struct ir_builder *b = &gen->b;
    struct ir_instr *size, *before, *rounded;
    switch (args->builtin->op) {
    case SUB_GROUP_SIZE: // the last sub-group may be smaller
        size = max_size(gen);
        before = ir_op2(b, IR_OP_imul, sys32(gen, IR_SYS_VK_SUBGROUP_ID), size);
        size = ir_op2(b, IR_OP_isub, volume(gen, IR_SYS_LOCAL_SIZE), before);
        return ir_op2(b, IR_OP_umin, max_size(gen), size);
    case SUB_GROUP_MAX_SIZE:
        return max_size(gen);
    case SUB_GROUP_COUNT:
        return sys32(gen, IR_SYS_VK_NUM_SUBGROUPS);
    case SUB_GROUP_ENQUEUED_COUNT:
        rounded = ir_op2(b, IR_OP_isub, max_size(gen), u32(gen, 1));
        rounded = ir_op2(b, IR_OP_iadd, volume(gen, IR_SYS_ENQUEUED_LOCAL_SIZE), rounded);
        return ir_op2(b, IR_OP_udiv, rounded, max_size(gen));
    case SUB_GROUP_ID:
        return sys32(gen, IR_SYS_VK_SUBGROUP_ID);
    default:
        return sys32(gen, IR_SYS_VK_SUBGROUP_INVOCATION);
    }
}

// Word `index` of a bit mask whose lowest `count` bits are set.
static struct ir_instr *low_bits(struct gen *gen, struct ir_instr *count, unsigned index)
{
    struct ir_builder *b = &gen->b;
    struct ir_instr *start = u32(gen, 32 * index), *rest = ir_op2(b, IR_OP_isub, count, start);
    struct ir_instr *some = ir_op2(b, IR_OP_isub, ir_op2(b, IR_OP_shl, u32(gen, 1), rest), u32(gen, 1));
    struct ir_instr *bits = ir_select(b, ir_op2(b, IR_OP_ule, u32(gen, 32), rest), u32(gen, ~0u), some);
    return ir_select(b, ir_op2(b, IR_OP_ule, count, start), u32(gen, 0), bits);
}

static struct ir_instr *mask(struct gen *gen, struct gen_args *args)
{
    struct ir_builder *b = &gen->b;
    struct ir_instr *lane = sys32(gen, IR_SYS_VK_SUBGROUP_INVOCATION), *words[4];
    struct ir_instr *next = ir_op2(b, IR_OP_iadd, lane, u32(gen, 1));
    for (unsigned i = 0; i < 4; i++) {
        struct ir_instr *lt = low_bits(gen, lane, i), *le = low_bits(gen, next, i), *all = low_bits(gen, max_size(gen), i);
        switch (args->builtin->op) {
        case MASK_EQ: words[i] = ir_op2(b, IR_OP_xor, le, lt); break;
        case MASK_LT: words[i] = lt; break;
        case MASK_LE: words[i] = le; break;
        case MASK_GE: words[i] = ir_op2(b, IR_OP_xor, all, lt); break;
        default: words[i] = ir_op2(b, IR_OP_xor, all, le); break;
        }
    }
    return ir_vec(b, words, 4);
}

static struct ir_instr *sub_group_barrier(struct gen *gen, struct gen_args *args)
{
    struct ir_instr *flags = args->x[0], *scope = args->count > 1 ? args->x[1] : NULL;
    const uint64_t all = IR_FENCE_LOCAL | IR_FENCE_GLOBAL | IR_FENCE_IMAGE, wide = 2; // memory_scope_device
    bool beyond = scope && (!ir_is_const(scope) || (scope->lanes[0] >= wide && scope->lanes[0] != 4));
    enum ir_scope near = gen->target->mapping.on && !scope ? IR_SCOPE_SUB_GROUP : IR_SCOPE_WORK_GROUP;
    struct ir_sync sync = {.execution = IR_SCOPE_SUB_GROUP,
                           .scope = beyond ? IR_SCOPE_DEVICE : near,
                           .order = IR_ORDER_ACQ_REL,
                           .fences = (uint8_t)(ir_is_const(flags) ? flags->lanes[0] & all : IR_FENCE_LOCAL | IR_FENCE_GLOBAL)};
    ir_barrier(&gen->b, sync);
    return NULL;
}

// ---- small types ---------------------------------------------------------------------------------

static struct ir_instr *truth(struct gen *gen, struct ir_instr *x)
{
    return ir_op2(&gen->b, IR_OP_ine, x, ir_const_int(gen->module, x->type, 0));
}

// Widens to a number of 32 or 64 bits.
static struct ir_instr *widen(struct gen *gen, struct ir_instr *x, bool is_signed)
{
    if (x->type.bits >= 32)
        return x;
    if (x->type.base == IR_FLOAT)
        return ir_convert(&gen->b, IR_OP_f2f, ir_float(32), x);
    return ir_convert(&gen->b, is_signed ? IR_OP_sext : IR_OP_zext, ir_int(32), x);
}

static struct ir_instr *narrow(struct gen *gen, struct ir_instr *x, struct ir_type type)
{
    if (x->type.bits == type.bits)
        return x;
    return ir_convert(&gen->b, type.base == IR_FLOAT ? IR_OP_f2f : IR_OP_trunc, type, x);
}

// As bits that sub-group operations can move.
static struct ir_instr *pack(struct gen *gen, struct ir_instr *x)
{
    return x->type.bits >= 32 ? x : widen(gen, gen_as(gen, x, ir_int(x->type.bits)), false);
}

static struct ir_instr *unpack(struct gen *gen, struct ir_instr *x, struct ir_type type)
{
    return x->type.bits == type.bits ? x : gen_as(gen, narrow(gen, x, ir_int(type.bits)), type);
}

// ---- words ---------------------------------------------------------------------------------------

// Whether values of the type must be split into words for sub-group operations.
static bool is_split(const struct gen *gen, struct ir_type type)
{
    return type.base == IR_INT && type.bits == 64 && !gen->target->subgroup_extended_types;
}

static struct ir_instr *half_of(struct gen *gen, struct ir_instr *x, bool high)
{
    struct ir_builder *b = &gen->b;
    struct ir_instr *shifted = high ? ir_op2(b, IR_OP_lshr, x, ir_const_int(gen->module, x->type, 32)) : x;
    return ir_convert(b, IR_OP_trunc, ir_int(32), shifted);
}

static struct ir_instr *from_halves(struct gen *gen, struct ir_instr *low, struct ir_instr *high)
{
    struct ir_builder *b = &gen->b;
    struct ir_instr *top = ir_convert(b, IR_OP_zext, ir_int(64), high);
    top = ir_op2(b, IR_OP_shl, top, ir_const_int(gen->module, ir_int(64), 32));
    return ir_op2(b, IR_OP_or, top, ir_convert(b, IR_OP_zext, ir_int(64), low));
}

// Applies the operation to src[0], or to each of its halves.
static struct ir_instr *by_words(struct gen *gen, enum ir_subgroup_op op, enum ir_group group, struct ir_instr **src, uint32_t count)
{
    struct ir_instr *halves[2], *x = src[0];
    if (!is_split(gen, x->type))
        return ir_subgroup(&gen->b, op, group, x->type, src, count);
    for (int i = 0; i < 2; i++) {
        struct ir_instr *word_src[2] = {half_of(gen, x, i), src[1]};
        halves[i] = ir_subgroup(&gen->b, op, group, word_src[0]->type, word_src, count);
    }
    return from_halves(gen, halves[0], halves[1]);
}

// ---- votes, ballots, shuffles --------------------------------------------------------------------

static struct ir_instr *all_equal(struct gen *gen, struct ir_instr *x)
{
    stack_check();
    if (!is_split(gen, x->type))
        return ir_subgroup(&gen->b, IR_SUBGROUP_ALL_EQUAL, IR_GROUP_REDUCE, ir_bool(), &x, 1);
    struct ir_instr *low = all_equal(gen, half_of(gen, x, false)), *high = all_equal(gen, half_of(gen, x, true));
    return ir_op2(&gen->b, IR_OP_and, low, high);
}

static struct ir_instr *vote(struct gen *gen, struct gen_args *args)
{
    enum ir_subgroup_op op = (enum ir_subgroup_op)args->builtin->op;
    if (op == IR_SUBGROUP_ALL || op == IR_SUBGROUP_ANY)
        args->x[0] = truth(gen, args->x[0]);
    if (op == IR_SUBGROUP_ALL_EQUAL)
        return gen_from_bool(gen, all_equal(gen, widen(gen, args->x[0], false)), args->type);
    struct ir_instr *answer = ir_subgroup(&gen->b, op, IR_GROUP_REDUCE, ir_bool(), args->x, args->count);
    return gen_from_bool(gen, answer, args->type);
}

static enum ir_group group_of(unsigned op)
{
    return (enum ir_group)(op >> 5 & 3); // GROUP_INCLUSIVE and others, in the order of enum ir_group
}

static struct ir_instr *ballot(struct gen *gen, struct gen_args *args)
{
    enum ir_subgroup_op op = (enum ir_subgroup_op)(args->builtin->op & 31);
    if (op == IR_SUBGROUP_BALLOT)
        args->x[0] = truth(gen, args->x[0]);
    return ir_subgroup(&gen->b, op, group_of(args->builtin->op), gen_type(args->type), args->x, 1);
}

static struct ir_instr *shuffle_value(struct gen *gen, struct ir_instr *x, enum ir_subgroup_op op, struct ir_instr *where)
{
    struct ir_type type = ir_with_lanes(x->type, 1);
    struct ir_instr *lanes[16];
    for (unsigned i = 0; i < x->type.lanes; i++) {
        struct ir_instr *src[2] = {pack(gen, ir_extract(&gen->b, x, i)), where};
        struct ir_instr *got = by_words(gen, op, IR_GROUP_REDUCE, src, where ? 2 : 1);
        lanes[i] = unpack(gen, got, type);
    }
    return x->type.lanes == 1 ? lanes[0] : ir_vec(&gen->b, lanes, x->type.lanes);
}

static struct ir_instr *shuffle(struct gen *gen, struct gen_args *args)
{
    enum ir_subgroup_op op = (enum ir_subgroup_op)args->builtin->op;
    return shuffle_value(gen, args->x[0], op, args->count > 1 ? args->x[1] : NULL);
}

// Shuffle down reads the first value, and the second beyond the sub-group's end. Shuffle up reads the second value,
// and the first before the sub-group's start. Sub-group sizes are powers of two.
static struct ir_instr *shuffle_two(struct gen *gen, struct gen_args *args)
{
    struct ir_builder *b = &gen->b;
    bool down = args->builtin->op == SUB_GROUP_SHUFFLE_DOWN;
    struct ir_instr *lane = sys32(gen, IR_SYS_VK_SUBGROUP_INVOCATION), *most = max_size(gen);
    struct ir_instr *at = ir_op2(b, down ? IR_OP_iadd : IR_OP_isub, lane, args->x[2]);
    struct ir_instr *from = ir_op2(b, IR_OP_and, at, ir_op2(b, IR_OP_isub, most, u32(gen, 1)));
    struct ir_instr *first = shuffle_value(gen, args->x[0], IR_SUBGROUP_SHUFFLE, from);
    if (args->x[0] == args->x[1])
        return first;
    struct ir_instr *second = shuffle_value(gen, args->x[1], IR_SUBGROUP_SHUFFLE, from);
    struct ir_instr *is_first = down ? ir_op2(b, IR_OP_ult, at, most) : ir_op2(b, IR_OP_ult, lane, args->x[2]);
    return ir_select(b, is_first, first, second);
}

// Rotates within clusters or the sub-group, whose sizes are powers of two.
static struct ir_instr *rotate(struct gen *gen, struct gen_args *args)
{
    struct ir_builder *b = &gen->b;
    struct ir_instr *lane = sys32(gen, IR_SYS_VK_SUBGROUP_INVOCATION);
    struct ir_instr *size = args->count > 2 ? args->x[2] : max_size(gen);
    struct ir_instr *inside = ir_op2(b, IR_OP_isub, size, u32(gen, 1));
    struct ir_instr *to = ir_op2(b, IR_OP_and, ir_op2(b, IR_OP_iadd, lane, args->x[1]), inside);
    struct ir_instr *base = ir_op2(b, IR_OP_and, lane, ir_op1(b, IR_OP_not, inside));
    return shuffle_value(gen, args->x[0], IR_SUBGROUP_SHUFFLE, ir_op2(b, IR_OP_or, base, to));
}

// ---- blocks --------------------------------------------------------------------------------------

// Block access to memory: a work-item accesses the elements whose index modulo the sub-group size is its id.
static struct ir_instr *element_address(struct gen *gen, struct ir_instr *block, unsigned row, uint32_t bytes)
{
    struct ir_builder *b = &gen->b;
    struct ir_instr *before = ir_op2(b, IR_OP_imul, max_size(gen), u32(gen, row));
    struct ir_instr *index = ir_op2(b, IR_OP_iadd, sys32(gen, IR_SYS_VK_SUBGROUP_INVOCATION), before);
    return ir_ptr_index(b, block, ir_convert(b, IR_OP_zext, ir_int(64), index), bytes, 0);
}

// Reads need only word alignment.
static struct ir_instr *memory_row(struct gen *gen, struct ir_instr *block, unsigned row, struct ir_instr *value, struct ir_type type)
{
    uint32_t bytes = type.bits / 8u;
    struct ir_instr *address = element_address(gen, block, row, bytes);
    struct ir_mem mem = {.space = address->type.space, .align = value || bytes < 4 ? bytes : 4};
    if (!value)
        return ir_load(&gen->b, type, address, mem);
    ir_store(&gen->b, address, value, mem);
    return NULL;
}

struct image_block {
    struct ir_instr *image, *x, *y; // place: x in bytes, y in rows
};

static struct ir_instr *image_word(struct gen *gen, const struct image_block *at, struct ir_instr *x, struct ir_instr *put)
{
    const struct ir_type word = ir_int(32), types[4] = {word, word, word, word};
    const char *name = put ? "sub_group_block_put.Oimage2d_t.i.i.j" : "sub_group_block_word.Oimage2d_t.i.i";
    struct ir_function *callee = ir_function_get(gen->module, name, put ? ir_void() : word, types, put ? 4 : 3);
    struct ir_instr *args[4] = {at->image, x, at->y, put};
    return ir_call(&gen->b, callee, args, put ? 4 : 3);
}

// Block access to an image row: a work-item accesses the bytes after those of the work-items before it.
static struct ir_instr *read_row(struct gen *gen, const struct image_block *at, struct ir_type type)
{
    struct ir_builder *b = &gen->b;
    uint32_t bytes = type.bits / 8u;
    struct ir_instr *before = ir_op2(b, IR_OP_imul, sys32(gen, IR_SYS_VK_SUBGROUP_INVOCATION), u32(gen, bytes));
    struct ir_instr *x = ir_op2(b, IR_OP_iadd, at->x, before), *low = image_word(gen, at, x, NULL);
    if (bytes <= 4)
        return narrow(gen, low, type);
    return from_halves(gen, low, image_word(gen, at, ir_op2(b, IR_OP_iadd, x, u32(gen, 4)), NULL));
}

// Packs the bytes of several work-items into words; the first work-items write the words.
static struct ir_instr *packed_word(struct gen *gen, struct ir_instr *value, unsigned each)
{
    struct ir_builder *b = &gen->b;
    struct ir_instr *word = u32(gen, 0), *inside = ir_op2(b, IR_OP_isub, max_size(gen), u32(gen, 1));
    struct ir_instr *first = ir_op2(b, IR_OP_imul, sys32(gen, IR_SYS_VK_SUBGROUP_INVOCATION), u32(gen, each));
    for (unsigned i = 0; i < each; i++) {
        struct ir_instr *from = ir_op2(b, IR_OP_and, ir_op2(b, IR_OP_iadd, first, u32(gen, i)), inside);
        struct ir_instr *part = widen(gen, shuffle_value(gen, value, IR_SUBGROUP_SHUFFLE, from), false);
        word = ir_op2(b, IR_OP_or, word, ir_op2(b, IR_OP_shl, part, u32(gen, 32 / each * i)));
    }
    return word;
}

static void write_row(struct gen *gen, const struct image_block *at, struct ir_instr *value)
{
    struct ir_builder *b = &gen->b;
    uint32_t bytes = value->type.bits / 8u, each = bytes < 4 ? 4 / bytes : 1, step = bytes < 4 ? 4 : bytes;
    struct ir_instr *lane = sys32(gen, IR_SYS_VK_SUBGROUP_INVOCATION);
    struct ir_instr *x = ir_op2(b, IR_OP_iadd, at->x, ir_op2(b, IR_OP_imul, lane, u32(gen, step)));
    struct ir_instr *word = bytes < 4 ? packed_word(gen, value, each) : bytes == 4 ? value : half_of(gen, value, false);
    struct ir_instr *end = ir_op2(b, IR_OP_udiv, max_size(gen), u32(gen, each));
    struct ir_if *one = ir_add_if(b, ir_op2(b, IR_OP_ult, lane, end));
    ir_place_end(b, &one->then_list);
    image_word(gen, at, x, word);
    if (bytes == 8) {
        struct ir_instr *high = half_of(gen, value, true);
        image_word(gen, at, ir_op2(b, IR_OP_iadd, x, u32(gen, 4)), high);
    }
    ir_place_after(b, &one->node);
}

static struct ir_instr *block(struct gen *gen, struct gen_args *args)
{
    struct ir_builder *b = &gen->b;
    struct ir_instr *value = args->builtin->op ? args->x[args->count - 1] : NULL, *rows[16];
    struct ir_type type = value ? value->type : gen_type(args->type), element = ir_with_lanes(type, 1);
    bool in_image = gen_is_handle(args->arg);
    struct image_block at = {.image = args->x[0]};
    if (in_image)
        at.x = ir_extract(b, args->x[1], 0), at.y = ir_extract(b, args->x[1], 1);
    for (unsigned i = 0; i < type.lanes; i++) {
        struct ir_instr *lane = value ? ir_extract(b, value, i) : NULL;
        if (!in_image)
            rows[i] = memory_row(gen, args->x[0], i, lane, element);
        else if (value)
            write_row(gen, &at, lane);
        else
            rows[i] = read_row(gen, &at, element);
        if (in_image)
            at.y = ir_op2(b, IR_OP_iadd, at.y, u32(gen, 1));
    }
    return value ? NULL : type.lanes == 1 ? rows[0] : ir_vec(b, rows, type.lanes);
}

// ---- reductions and scans ------------------------------------------------------------------------

struct combine {
    unsigned op;    // enum builtin_group without its mode
    unsigned kind;  // column of the table
    struct ir_type type; // before widening
};

enum { UNSIGNED, SIGNED, REAL };

static const struct {
    uint8_t subgroup[3], op[3]; // by kind
} combinations[] = {
    [GROUP_ADD] = {{IR_SUBGROUP_IADD, IR_SUBGROUP_IADD, IR_SUBGROUP_FADD}, {IR_OP_iadd, IR_OP_iadd, IR_OP_fadd}},
    [GROUP_MUL] = {{IR_SUBGROUP_IMUL, IR_SUBGROUP_IMUL, IR_SUBGROUP_FMUL}, {IR_OP_imul, IR_OP_imul, IR_OP_fmul}},
    [GROUP_MIN] = {{IR_SUBGROUP_UMIN, IR_SUBGROUP_SMIN, IR_SUBGROUP_FMIN}, {IR_OP_umin, IR_OP_smin, IR_OP_fmin}},
    [GROUP_MAX] = {{IR_SUBGROUP_UMAX, IR_SUBGROUP_SMAX, IR_SUBGROUP_FMAX}, {IR_OP_umax, IR_OP_smax, IR_OP_fmax}},
    [GROUP_AND] = {{IR_SUBGROUP_AND, IR_SUBGROUP_AND, 0}, {IR_OP_and, IR_OP_and, 0}},
    [GROUP_OR] = {{IR_SUBGROUP_OR, IR_SUBGROUP_OR, 0}, {IR_OP_or, IR_OP_or, 0}},
    [GROUP_XOR] = {{IR_SUBGROUP_XOR, IR_SUBGROUP_XOR, 0}, {IR_OP_xor, IR_OP_xor, 0}},
};

static struct combine combine_of(const struct gen_args *args)
{
    return (struct combine){.op = args->builtin->op & 31,
                            .kind = args->is_float ? REAL : args->is_signed ? SIGNED : UNSIGNED,
                            .type = args->x[0]->type};
}

static struct ir_instr *combine_values(struct gen *gen, const struct combine *how, struct ir_instr *x, struct ir_instr *y)
{
    return ir_op2(&gen->b, (enum ir_op)combinations[how->op].op[how->kind], x, y);
}

// The neutral element of the operation: the first value of an exclusive scan.
static struct ir_instr *identity(struct gen *gen, const struct combine *how, struct ir_type wide)
{
    uint64_t top = UINT64_C(1) << (how->type.bits - 1);
    switch (how->op) {
    case GROUP_MUL:
        return how->kind == REAL ? ir_const_float(gen->module, wide, 1) : ir_const_int(gen->module, wide, 1);
    case GROUP_MIN:
        return how->kind == REAL ? ir_const_float(gen->module, wide, (double)INFINITY)
                                 : ir_const_int(gen->module, wide, how->kind == SIGNED ? top - 1 : (top - 1) * 2 + 1);
    case GROUP_MAX:
        return how->kind == REAL ? ir_const_float(gen->module, wide, (double)-INFINITY)
                                 : ir_const_int(gen->module, wide, how->kind == SIGNED ? 0 - top : 0);
    case GROUP_AND:
        return ir_const_int(gen->module, wide, ~UINT64_C(0));
    default:
        return how->kind == REAL ? ir_const_float(gen->module, wide, 0) : ir_const_int(gen->module, wide, 0);
    }
}

// Whether the device combines values of the type. Bitwise operations on longs are split into words.
static bool combines(const struct gen *gen, const struct combine *how, struct ir_type type)
{
    bool bits = how->op == GROUP_AND || how->op == GROUP_OR || how->op == GROUP_XOR;
    return gen->target->subgroup_arithmetic && (bits || !is_split(gen, type));
}

// Whether the value of work-item `other` contributes to the result.
static struct ir_instr *contributes(struct gen *gen, enum ir_group group, struct ir_instr *other, struct ir_instr *cluster)
{
    struct ir_builder *b = &gen->b;
    struct ir_instr *own = sys32(gen, IR_SYS_VK_SUBGROUP_INVOCATION);
    struct ir_instr *distance = cluster ? ir_op2(b, IR_OP_xor, own, other) : NULL; // cluster sizes are powers of two
    switch (group) {
    case IR_GROUP_INCLUSIVE:
        return ir_op2(b, IR_OP_ule, other, own);
    case IR_GROUP_EXCLUSIVE:
        return ir_op2(b, IR_OP_ult, other, own);
    case IR_GROUP_CLUSTERED:
        return ir_op2(b, IR_OP_ult, distance, cluster);
    default:
        return ir_const_int(gen->module, ir_bool(), 1);
    }
}

static struct ir_mem mem_of(enum ir_space space, struct ir_type type)
{
    return (struct ir_mem){.space = (uint8_t)space, .align = ir_type_bytes(type), .coherent = space == IR_LOCAL};
}

static struct ir_instr *variable(struct gen *gen, struct ir_instr *value)
{
    uint32_t bytes = ir_type_bytes(value->type);
    struct ir_instr *address = ir_addr(gen->module, ir_var_add(gen->module, gen->function, "group", IR_PRIVATE, bytes, bytes));
    ir_store(&gen->b, address, value, mem_of(IR_PRIVATE, value->type));
    return address;
}

// Upper bound of the sub-group size. Modules for other programs run on devices with any size (the target's is the
// smallest), and kernels may request another size.
static struct ir_instr *sub_group_size_bound(struct gen *gen)
{
    bool any = gen->target->mapping.on || gen->target->subgroup_sizes & ~gen->target->subgroup_size;
    return any ? sys32(gen, IR_SYS_VK_SUBGROUP_SIZE) : u32(gen, gen->target->subgroup_size);
}

// Combines in a loop over all work-items of the sub-group, which execute it together; values of inactive ones are
// ignored.
static struct ir_instr *combine_in_loop(struct gen *gen, const struct combine *how, enum ir_group group, struct ir_instr *x,
                                        struct ir_instr *cluster)
{
    struct ir_builder *b = &gen->b;
    struct ir_mem mem = mem_of(IR_PRIVATE, x->type), counter_mem = mem_of(IR_PRIVATE, ir_int(32));
    struct ir_instr *yes = ir_const_int(gen->module, ir_bool(), 1);
    struct ir_instr *active = ir_subgroup(b, IR_SUBGROUP_BALLOT, IR_GROUP_REDUCE, ir_with_lanes(ir_int(32), 4), &yes, 1);
    struct ir_instr *sum = variable(gen, identity(gen, how, x->type)), *counter = variable(gen, u32(gen, 0));
    struct ir_loop *loop = ir_add_loop(b);
    ir_place_end(b, &loop->body);
    struct ir_instr *other = ir_load(b, ir_int(32), counter, counter_mem);
    struct ir_if *done = ir_add_if(b, ir_op2(b, IR_OP_ule, sub_group_size_bound(gen), other));
    ir_place_end(b, &done->then_list);
    ir_jump(b, IR_OP_break, NULL);
    ir_place_after(b, &done->node);
    struct ir_instr *asked[2] = {active, other}, *moved_to[2] = {x, other};
    struct ir_instr *there = ir_subgroup(b, IR_SUBGROUP_BALLOT_BIT, IR_GROUP_REDUCE, ir_bool(), asked, 2);
    struct ir_instr *value = by_words(gen, IR_SUBGROUP_SHUFFLE, IR_GROUP_REDUCE, moved_to, 2);
    struct ir_instr *included = ir_op2(b, IR_OP_and, there, contributes(gen, group, other, cluster));
    struct ir_instr *before = ir_load(b, x->type, sum, mem);
    ir_store(b, sum, ir_select(b, included, combine_values(gen, how, before, value), before), mem);
    ir_store(b, counter, ir_op2(b, IR_OP_iadd, other, u32(gen, 1)), counter_mem);
    ir_place_after(b, &loop->node);
    return ir_load(b, x->type, sum, mem);
}

static struct ir_instr *over_sub_group(struct gen *gen, const struct combine *how, enum ir_group group,
                                       struct ir_instr *x, struct ir_instr *cluster)
{
    enum ir_subgroup_op op = (enum ir_subgroup_op)combinations[how->op].subgroup[how->kind];
    struct ir_instr *src[2] = {x, cluster};
    if (!combines(gen, how, x->type))
        return combine_in_loop(gen, how, group, x, cluster);
    struct ir_instr *value = by_words(gen, op, group, src, cluster ? 2 : 1);
    bool clamp = group == IR_GROUP_EXCLUSIVE && how->type.bits < 32 && (how->op == GROUP_MIN || how->op == GROUP_MAX);
    return clamp ? combine_values(gen, how, value, identity(gen, how, x->type)) : value;
}

static struct ir_instr *zero_or_one(struct gen *gen, struct ir_instr *x)
{
    return ir_convert(&gen->b, IR_OP_zext, ir_int(32), truth(gen, x));
}

static struct ir_instr *sub_group_reduce(struct gen *gen, struct gen_args *args)
{
    struct combine how = combine_of(args);
    bool logical = args->builtin->op & GROUP_LOGICAL;
    struct ir_instr *x = logical ? zero_or_one(gen, args->x[0]) : widen(gen, args->x[0], args->is_signed);
    struct ir_instr *cluster = args->count > 1 ? args->x[1] : NULL;
    if (cluster && !ir_is_const(cluster)) {
        gen_unsupported(gen, args->expr->loc, "a non-constant cluster size");
        return args->x[0];
    }
    struct ir_instr *value = over_sub_group(gen, &how, group_of(args->builtin->op), x, cluster);
    return logical ? ir_op2(&gen->b, IR_OP_and, value, u32(gen, 1)) : narrow(gen, value, how.type);
}

// ---- work-groups ---------------------------------------------------------------------------------

static void local_barrier(struct gen *gen)
{
    struct ir_sync sync = {IR_SCOPE_WORK_GROUP, IR_SCOPE_WORK_GROUP, IR_ORDER_ACQ_REL, IR_FENCE_LOCAL};
    ir_barrier(&gen->b, sync);
}

// Local memory with one value for each sub-group, shared by all collectives of a type.
static struct ir_instr *exchange(struct gen *gen, struct ir_type type)
{
    const struct kc_target *target = gen->target;
    uint32_t bytes = ir_type_bytes(type), most = target->max_local_invocations, least = target->subgroup_sizes & (0 - target->subgroup_sizes);
    uint32_t size = least && least < target->subgroup_size ? least : target->subgroup_size;
    uint64_t count = size ? (most + size - 1) / size : most;
    const char *name = gen_internal_name(gen, arena_printf(gen->arena, "work.group.%c%u", type.base == IR_FLOAT ? 'f' : 'i', type.bits));
    struct ir_var *var = map_get(&gen->module->vars_by_name, intern_cstring(gen->module->intern, name));
    if (!var)
        var = ir_var_add(gen->module, NULL, name, IR_LOCAL, bytes * (count ? count : 1), bytes);
    return ir_addr(gen->module, var);
}

static void store_if(struct gen *gen, struct ir_instr *cond, struct ir_instr *address, struct ir_instr *value)
{
    struct ir_if *one = ir_add_if(&gen->b, cond);
    ir_place_end(&gen->b, &one->then_list);
    ir_store(&gen->b, address, value, mem_of(IR_LOCAL, value->type));
    ir_place_after(&gen->b, &one->node);
}

// The value of sub-group `first` + the work-item's id in its sub-group, if below `count`; else the neutral element.
static struct ir_instr *load_partial(struct gen *gen, const struct combine *how, struct ir_type type, struct ir_instr *partials,
                                     struct ir_instr *first, struct ir_instr *count)
{
    struct ir_builder *b = &gen->b;
    struct ir_instr *i = ir_op2(b, IR_OP_iadd, first, sys32(gen, IR_SYS_VK_SUBGROUP_INVOCATION));
    struct ir_instr *last = ir_op2(b, IR_OP_umin, i, ir_op2(b, IR_OP_isub, count, u32(gen, 1)));
    struct ir_instr *at = ir_ptr_index(b, partials, ir_convert(b, IR_OP_zext, ir_int(64), last), ir_type_bytes(type), 0);
    struct ir_instr *value = ir_load(b, type, at, mem_of(IR_LOCAL, type));
    return ir_select(b, ir_op2(b, IR_OP_ult, i, count), value, identity(gen, how, type));
}

// Combines the values of the first `count` sub-groups; each work-item loads some of them. Control flow is uniform in
// a sub-group.
static struct ir_instr *over_partials(struct gen *gen, const struct combine *how, struct ir_type type, struct ir_instr *partials,
                                      struct ir_instr *count)
{
    struct ir_builder *b = &gen->b;
    struct ir_mem mem = mem_of(IR_PRIVATE, type), counter_mem = mem_of(IR_PRIVATE, ir_int(32));
    struct ir_instr *sum = variable(gen, identity(gen, how, type)), *counter = variable(gen, u32(gen, 0));
    const struct combine adding = {GROUP_ADD, UNSIGNED, ir_int(32)}; // counts the work-items: the last sub-group may be smaller
    struct ir_instr *step = over_sub_group(gen, &adding, IR_GROUP_REDUCE, u32(gen, 1), NULL);
    struct ir_loop *loop = ir_add_loop(b);
    loop->unroll = IR_UNROLL_NEVER; // nearly always a single iteration
    ir_place_end(b, &loop->body);
    struct ir_instr *first = ir_load(b, ir_int(32), counter, counter_mem);
    struct ir_if *done = ir_add_if(b, ir_op2(b, IR_OP_ule, count, first));
    ir_place_end(b, &done->then_list);
    ir_jump(b, IR_OP_break, NULL);
    ir_place_after(b, &done->node);
    struct ir_instr *next = load_partial(gen, how, type, partials, first, count);
    ir_store(b, sum, combine_values(gen, how, ir_load(b, type, sum, mem), next), mem);
    ir_store(b, counter, ir_op2(b, IR_OP_iadd, first, step), counter_mem);
    ir_place_after(b, &loop->node);
    return over_sub_group(gen, how, IR_GROUP_REDUCE, ir_load(b, type, sum, mem), NULL);
}

static struct ir_instr *over_work_group(struct gen *gen, const struct combine *how, enum ir_group group, struct ir_instr *x)
{
    struct ir_builder *b = &gen->b;
    struct ir_instr *id = sys32(gen, IR_SYS_VK_SUBGROUP_ID), *partials = exchange(gen, x->type);
    struct ir_instr *total = over_sub_group(gen, how, IR_GROUP_REDUCE, x, NULL);
    struct ir_instr *own = group == IR_GROUP_REDUCE ? NULL : over_sub_group(gen, how, group, x, NULL);
    struct ir_instr *first = ir_op2(b, IR_OP_ieq, sys32(gen, IR_SYS_VK_SUBGROUP_INVOCATION), u32(gen, 0));
    struct ir_instr *slot = ir_ptr_index(b, partials, ir_convert(b, IR_OP_zext, ir_int(64), id), ir_type_bytes(x->type), 0);
    store_if(gen, first, slot, total);
    local_barrier(gen);
    struct ir_instr *count = own ? id : sys32(gen, IR_SYS_VK_NUM_SUBGROUPS);
    struct ir_instr *others = over_partials(gen, how, x->type, partials, count);
    local_barrier(gen); // before the next collective writes
    return own ? combine_values(gen, how, others, own) : others;
}

static struct ir_instr *work_group_reduce(struct gen *gen, struct gen_args *args)
{
    struct combine how = combine_of(args);
    bool logical = args->builtin->op & GROUP_LOGICAL;
    struct ir_instr *x = logical ? zero_or_one(gen, args->x[0]) : widen(gen, args->x[0], args->is_signed);
    struct ir_instr *value = over_work_group(gen, &how, group_of(args->builtin->op), x);
    return logical ? ir_op2(&gen->b, IR_OP_and, value, u32(gen, 1)) : narrow(gen, value, how.type);
}

static struct ir_instr *work_group_vote(struct gen *gen, struct gen_args *args)
{
    struct combine how = {args->builtin->op, UNSIGNED, ir_int(32)};
    struct ir_instr *value = over_work_group(gen, &how, IR_GROUP_REDUCE, zero_or_one(gen, args->x[0]));
    return ir_op2(&gen->b, IR_OP_and, value, u32(gen, 1));
}

static struct ir_instr *work_group_broadcast(struct gen *gen, struct gen_args *args)
{
    struct ir_builder *b = &gen->b;
    struct ir_instr *x = pack(gen, args->x[0]), *slot = exchange(gen, x->type), *linear = args->x[args->count - 1];
    for (uint32_t dim = args->count - 2; dim > 0; dim--)
        linear = ir_op2(b, IR_OP_iadd, ir_op2(b, IR_OP_imul, linear, ir_sys(b, IR_SYS_LOCAL_SIZE, dim - 1)), args->x[dim]);
    store_if(gen, ir_op2(b, IR_OP_ieq, linear, ir_sys(b, IR_SYS_LOCAL_LINEAR_ID, 0)), slot, x);
    local_barrier(gen);
    struct ir_instr *value = ir_load(b, x->type, slot, mem_of(IR_LOCAL, x->type));
    local_barrier(gen);
    return unpack(gen, value, args->x[0]->type);
}

static gen_special *const specials[BUILTIN_SPECIAL_COUNT] = {
    [BUILTIN_SUB_GROUP_ITEM] = item,
    [BUILTIN_SUB_GROUP_MASK] = mask,
    [BUILTIN_SUB_GROUP_BARRIER] = sub_group_barrier,
    [BUILTIN_SUB_GROUP_BOOL] = vote,
    [BUILTIN_SUB_GROUP_BALLOT] = ballot,
    [BUILTIN_SUB_GROUP_MOVE] = shuffle,
    [BUILTIN_SUB_GROUP_MOVE_TWO] = shuffle_two,
    [BUILTIN_SUB_GROUP_BLOCK] = block,
    [BUILTIN_SUB_GROUP_ROTATE] = rotate,
    [BUILTIN_SUB_GROUP_REDUCE] = sub_group_reduce,
    [BUILTIN_WORK_GROUP_REDUCE] = work_group_reduce,
    [BUILTIN_WORK_GROUP_VOTE] = work_group_vote,
    [BUILTIN_WORK_GROUP_BROADCAST] = work_group_broadcast,
};

gen_special *gen_group_special(unsigned special)
{
    return specials[special];
}
