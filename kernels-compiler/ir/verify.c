// SPDX-License-Identifier: Apache-2.0
// Checks all invariants of ir.h and ops.def: links, structure, types, dominance, phis. Debug builds run it after
// every pass; a failure is a compiler bug. The message names the function and the instruction.
#include "ir/text.h"
#include "util/stack.h"
#include <stdarg.h>
#include <stdio.h>

struct verify {
    const struct ir_module *m;
    struct ir_function *f;
    const char *error;
};

static bool bad(struct verify *v, const struct ir_instr *x, const char *what)
{
    struct str text;
    if (v->error)
        return false;
    str_init(&text, v->m->arena);
    str_printf(&text, "function @%s: %s", v->f->name, what);
    if (x) {
        str_add(&text, ": ");
        ir_print_instr(&text, x);
    }
    v->error = text.text;
    return false;
}

#define CHECK(condition, x, what) ((condition) || bad(v, (x), (what)))

// ---- types --------------------------------------------------------------------------------------

static bool plain_type_valid(struct ir_type t)
{
    bool lanes = t.lanes == 1 || t.lanes == 2 || t.lanes == 3 || t.lanes == 4 || t.lanes == 8 ||
                 t.lanes == 16;
    switch (t.base) {
    case IR_VOID:
        return !t.lanes && !t.bits;
    case IR_BOOL:
        return lanes && t.bits == 1 && !t.space;
    case IR_INT:
        return lanes && (t.bits == 8 || t.bits == 16 || t.bits == 32 || t.bits == 64) && !t.space;
    case IR_FLOAT:
        return lanes && (t.bits == 16 || t.bits == 32 || t.bits == 64) && !t.space;
    case IR_PTR:
        return lanes && (t.bits == 64 || t.bits == 32) && t.space <= IR_PUSH;
    default:
        return false;
    }
}

static bool type_valid(struct ir_type t)
{
    if (!ir_is_matrix(t))
        return plain_type_valid(t);
    return t.lanes == 1 && t.columns && t.rows <= IR_MATRIX_EDGE && t.columns <= IR_MATRIX_EDGE &&
           t.rows * t.columns <= IR_MATRIX_COMPONENTS && t.space < IR_USE_COUNT && t.base != IR_BOOL &&
           (!ir_is_small_float(t) || t.bits == (t.base == IR_BF16 ? 16 : 8)) && plain_type_valid(ir_component(t));
}

static bool scalar_int(const struct ir_instr *x, unsigned bits)
{
    return ir_type_eq(x->type, ir_int(bits));
}

static bool all_like(const struct ir_instr *x, struct ir_type t)
{
    for (uint32_t i = 0; i < x->src_count; i++)
        if (!ir_type_eq(x->src[i]->type, t))
            return false;
    return true;
}

static bool compare_ok(const struct ir_instr *x)
{
    struct ir_type t = x->src[0]->type;
    bool base = x->op == IR_OP_ieq || x->op == IR_OP_ine
                    ? t.base == IR_INT || t.base == IR_BOOL || t.base == IR_PTR
                : x->op >= IR_OP_feq && x->op <= IR_OP_fne ? t.base == IR_FLOAT
                                                           : t.base == IR_INT;
    return base && ir_type_eq(x->type, ir_with_lanes(ir_bool(), t.lanes)) && all_like(x, t);
}

static bool convert_ok(const struct ir_instr *x)
{
    struct ir_type to = x->type, from = x->src[0]->type;
    bool i = from.base == IR_INT, f = from.base == IR_FLOAT, b = from.base == IR_BOOL,
         p = from.base == IR_PTR;
    bool to_i = to.base == IR_INT, to_f = to.base == IR_FLOAT, to_p = to.base == IR_PTR;
    if (to.lanes != from.lanes || to.rows != from.rows || to.columns != from.columns ||
        (ir_is_matrix(to) && to.space != from.space))
        return false;
    switch (x->op) {
    case IR_OP_trunc:
        return i && to_i && to.bits < from.bits;
    case IR_OP_zext:
    case IR_OP_sext:
        return b ? to_i : i && to_i && to.bits > from.bits;
    case IR_OP_s2f:
    case IR_OP_u2f:
        return i && to_f;
    case IR_OP_f2s:
    case IR_OP_f2u:
        return f && to_i;
    case IR_OP_f2f:
        return f && to_f && to.bits != from.bits;
    case IR_OP_ptr_to_int:
        return p && to_i && to.bits == 64;
    case IR_OP_int_to_ptr:
        return i && from.bits == 64 && to_p;
    default:
        return p && to_p;
    }
}

static bool vector_ok(const struct ir_instr *x)
{
    struct ir_type t = x->src[0]->type, one = ir_with_lanes(t, 1);
    switch (x->op) {
    case IR_OP_extract:
        return x->index < t.lanes && ir_type_eq(x->type, one);
    case IR_OP_insert:
        return x->index < t.lanes && ir_type_eq(x->type, t) && ir_type_eq(x->src[1]->type, one);
    case IR_OP_extract_dyn:
        return ir_type_eq(x->type, one) && scalar_int(x->src[1], 32);
    case IR_OP_insert_dyn:
        return ir_type_eq(x->type, t) && ir_type_eq(x->src[1]->type, one) &&
               scalar_int(x->src[2], 32);
    case IR_OP_shuffle:
        break;
    default:
        return x->src_count == x->type.lanes && all_like(x, ir_with_lanes(x->type, 1)) &&
               x->type.lanes > 1;
    }
    for (unsigned i = 0; i < x->type.lanes; i++)
        if (x->shuffle[i] != 255 && x->shuffle[i] >= 2 * t.lanes)
            return false;
    return ir_type_eq(x->src[1]->type, t) && ir_type_eq(ir_with_lanes(x->type, 1), one) &&
           x->type.lanes > 1;
}

// An address: a pointer, or an integer after lowering.
static bool address_ok(const struct ir_instr *address, const struct ir_mem *mem)
{
    if (mem->space > IR_PUSH || !mem->align || (mem->align & (mem->align - 1)))
        return false;
    if (address->type.base == IR_PTR)
        return address->type.lanes == 1 && address->type.space == mem->space;
    bool pair = ir_type_eq(address->type, ir_with_lanes(ir_int(32), 2)); // see lower_longs
    return (scalar_int(address, 64) || pair) && mem->space == IR_GLOBAL;
}

static bool storable(struct ir_type t)
{
    return t.base == IR_INT || t.base == IR_FLOAT || t.base == IR_PTR || ir_is_small_float(t);
}

static bool atomic_ok(const struct ir_instr *x, uint32_t first)
{
    uint32_t want = x->atomic_op == IR_ATOMIC_LOAD ? 0 : x->atomic_op == IR_ATOMIC_CMPXCHG ? 2 : 1;
    bool none = x->atomic_op == IR_ATOMIC_STORE && x->type.base == IR_VOID;
    if (x->atomic_op >= IR_ATOMIC_COUNT || x->src_count != first + want)
        return false;
    for (uint32_t i = first; i < x->src_count; i++)
        if (!none && !ir_type_eq(x->src[i]->type, x->type))
            return false;
    return none || (x->type.lanes == 1 && storable(x->type));
}

static bool elem_type_ok(struct ir_type type, const struct ir_instr *x)
{
    struct ir_type elem = x->var->elem;
    if (!x->mem.lane)
        return ir_type_eq(type, elem);
    return x->var->space == IR_LOCAL && (elem.lanes == 2 || elem.lanes == 4) && ir_type_eq(type, ir_with_lanes(elem, 1)) &&
           (x->mem.lane <= elem.lanes || x->mem.lane == IR_LANE_COUNTED);
}

static bool memory_ok(const struct ir_instr *x)
{
    switch (x->op) {
    case IR_OP_load:
        return storable(x->type) && address_ok(x->src[0], &x->mem);
    case IR_OP_store:
        return storable(x->src[1]->type) && address_ok(x->src[0], &x->mem);
    case IR_OP_copy:
        return address_ok(x->src[0], &x->mem) && address_ok(x->src[1], &x->mem_from);
    case IR_OP_zero:
        return address_ok(x->src[0], &x->mem);
    case IR_OP_atomic:
        return x->src_count && address_ok(x->src[0], &x->mem) && atomic_ok(x, 1);
    case IR_OP_elem_load:
        return x->var && scalar_int(x->src[0], 32) && elem_type_ok(x->type, x);
    case IR_OP_elem_store:
        return x->var && scalar_int(x->src[0], 32) && elem_type_ok(x->src[1]->type, x);
    default:
        return x->var && x->src_count && scalar_int(x->src[0], 32) && atomic_ok(x, 1);
    }
}

static bool call_ok(const struct ir_instr *x)
{
    const struct ir_function *f = x->callee;
    if (!f || x->src_count != f->param_count || !ir_type_eq(x->type, f->result))
        return false;
    for (uint32_t i = 0; i < x->src_count; i++)
        if (!ir_type_eq(x->src[i]->type, f->params[i]->type))
            return false;
    return true;
}

static bool ptr_index_ok(const struct ir_instr *x)
{
    return (x->src_count == 1 || x->src_count == 2) && x->type.base == IR_PTR &&
           ir_type_eq(x->src[0]->type, x->type) && (x->src_count == 1 || scalar_int(x->src[1], 64));
}

// Types of result and sources of a sub-group operation, a letter each: b bool, w i32, m <4 x i32>, x the result's
// type, y any scalar of 32 or 64 bits.
static const char *const subgroup_types[IR_SUBGROUP_IADD] = {
    [IR_SUBGROUP_ELECT] = "b",           [IR_SUBGROUP_ALL] = "bb",        [IR_SUBGROUP_ANY] = "bb",
    [IR_SUBGROUP_ALL_EQUAL] = "by",      [IR_SUBGROUP_BALLOT] = "mb",     [IR_SUBGROUP_INVERSE_BALLOT] = "bm",
    [IR_SUBGROUP_BALLOT_BIT] = "bmw",    [IR_SUBGROUP_BALLOT_COUNT] = "wm", [IR_SUBGROUP_BALLOT_LSB] = "wm",
    [IR_SUBGROUP_BALLOT_MSB] = "wm",     [IR_SUBGROUP_BROADCAST_FIRST] = "yx", [IR_SUBGROUP_SHUFFLE] = "yxw",
    [IR_SUBGROUP_SHUFFLE_XOR] = "yxw",   [IR_SUBGROUP_SHUFFLE_UP] = "yxw", [IR_SUBGROUP_SHUFFLE_DOWN] = "yxw",
};

static bool subgroup_type_ok(char letter, struct ir_type type, struct ir_type result)
{
    switch (letter) {
    case 'b':
        return ir_type_eq(type, ir_bool());
    case 'w':
        return ir_type_eq(type, ir_int(32));
    case 'm':
        return ir_type_eq(type, ir_with_lanes(ir_int(32), 4));
    case 'x':
        return ir_type_eq(type, result);
    default:
        return (type.base == IR_INT || type.base == IR_FLOAT) && type.bits >= 32 && type.lanes == 1;
    }
}

static bool subgroup_ok(const struct ir_instr *x)
{
    if (x->subgroup_op >= IR_SUBGROUP_COUNT || x->group > IR_GROUP_CLUSTERED)
        return false;
    bool clustered = x->group == IR_GROUP_CLUSTERED;
    const char *types = x->subgroup_op < IR_SUBGROUP_IADD ? subgroup_types[x->subgroup_op]
                        : clustered                       ? "yxw"
                                                          : "yx";
    if (strlen(types) != x->src_count + 1 || !subgroup_type_ok(types[0], x->type, x->type) ||
        (clustered && (x->src_count < 2 || !ir_is_const(x->src[1]))))
        return false;
    for (uint32_t i = 0; i < x->src_count; i++)
        if (!subgroup_type_ok(types[i + 1], x->src[i]->type, x->type))
            return false;
    return true;
}

static bool same_shape(struct ir_type a, struct ir_type b)
{
    return ir_is_matrix(a) && a.rows == b.rows && a.columns == b.columns;
}

static bool holds_floats(struct ir_type t) { return t.base == IR_FLOAT || ir_is_small_float(t); }

static bool muladd_ok(const struct ir_instr *x)
{
    struct ir_type a = x->src[0]->type, b = x->src[1]->type, c = x->type;
    bool floats = holds_floats(c);
    return ir_is_matrix(a) && ir_is_matrix(b) && a.space == IR_USE_A && b.space == IR_USE_B &&
           c.space == IR_USE_ACCUMULATOR && ir_type_eq(x->src[2]->type, c) && a.rows == c.rows &&
           b.columns == c.columns && a.columns == b.rows && holds_floats(a) == floats &&
           holds_floats(b) == floats && x->matrix_flags < 32;
}

// Conversion between small floats and f32.
static bool resized_ok(struct ir_type small, struct ir_type wide)
{
    return same_shape(small, wide) && small.space == wide.space && ir_is_small_float(small) &&
           ir_type_eq(ir_component(wide), ir_float(32));
}

static bool stride_ok(const struct ir_instr *x) // 32 bits if addresses are numbers
{
    return scalar_int(x, 64) || scalar_int(x, 32);
}

static bool matrix_ok(const struct ir_instr *x)
{
    struct ir_type t = x->type, first = x->src[0]->type;
    switch (x->op) {
    case IR_OP_mat_load:
        return ir_is_matrix(t) && stride_ok(x->src[1]) && address_ok(x->src[0], &x->mem);
    case IR_OP_mat_store:
        return ir_is_matrix(x->src[1]->type) && stride_ok(x->src[2]) && address_ok(x->src[0], &x->mem);
    case IR_OP_mat_elem_load:
        return ir_is_matrix(t) && x->var && scalar_int(x->src[0], 32) && scalar_int(x->src[1], 32);
    case IR_OP_mat_elem_store:
        return ir_is_matrix(x->src[1]->type) && x->var && scalar_int(x->src[0], 32) && scalar_int(x->src[2], 32);
    case IR_OP_mat_muladd:
        return ir_is_matrix(t) && muladd_ok(x);
    case IR_OP_mat_splat:
        return ir_is_matrix(t) && ir_type_eq(ir_component(t), first);
    case IR_OP_mat_use:
        return same_shape(t, first) && t.base == first.base && t.bits == first.bits;
    case IR_OP_mat_widen:
        return resized_ok(first, t);
    case IR_OP_mat_narrow:
        return resized_ok(t, first);
    case IR_OP_mat_length:
        return ir_is_matrix(first) && scalar_int(x, 32);
    case IR_OP_mat_get:
        return ir_is_matrix(first) && ir_type_eq(t, ir_component(first)) && scalar_int(x->src[1], 32);
    default:
        return ir_is_matrix(t) && ir_type_eq(t, first) && ir_type_eq(x->src[1]->type, ir_component(t)) &&
               scalar_int(x->src[2], 32);
    }
}

// Operations, other than those for matrices, that allow matrix sources or results.
static bool allows_matrices(enum ir_op op)
{
    switch (op) {
    case IR_OP_iadd: case IR_OP_isub: case IR_OP_imul: case IR_OP_ineg: case IR_OP_sdiv: case IR_OP_udiv:
    case IR_OP_fadd: case IR_OP_fsub: case IR_OP_fmul: case IR_OP_fdiv: case IR_OP_fneg: case IR_OP_trunc:
    case IR_OP_zext: case IR_OP_sext: case IR_OP_s2f: case IR_OP_u2f: case IR_OP_f2s: case IR_OP_f2u: case IR_OP_f2f:
    case IR_OP_load: case IR_OP_store: case IR_OP_elem_load: case IR_OP_elem_store: case IR_OP_call: case IR_OP_return:
    case IR_OP_phi:
        return true;
    default:
        return ir_ops[op].rule == IR_RULE_MATRIX || op == IR_OP_mat_store || op == IR_OP_mat_elem_store;
    }
}

static bool no_stray_matrix(const struct ir_instr *x)
{
    bool any = ir_is_matrix(x->type);
    for (uint32_t i = 0; i < x->src_count; i++)
        any |= ir_is_matrix(x->src[i]->type);
    return !any || allows_matrices((enum ir_op)x->op);
}

static bool image_ok(const struct ir_instr *x)
{
    const struct ir_image *image = &x->image;
    if (!x->src_count || !scalar_int(x->src[0], 32))
        return false;
    if (x->op == IR_OP_image_info)
        return scalar_int(x, 32) && image->info <= IR_IMAGE_BORDERS && image->axis < 4;
    bool sample = x->op == IR_OP_image_sample, write = x->type.base == IR_VOID;
    if (image->dim > KC_DIM_BUFFER || image->texel > KC_TEXEL_UINT || image->axis >= (x->op == IR_OP_image_write ? KC_LEVELS : 1))
        return false;
    struct ir_type number = image->texel == KC_TEXEL_FLOAT ? ir_float(32) : ir_int(32);
    struct ir_type place = ir_with_lanes(sample ? ir_float(32) : ir_int(32), ir_image_lanes(image->dim));
    if ((sample && !scalar_int(x->src[1], 32)) || (x->op == IR_OP_image_fetch && !scalar_int(x->src[2], 32)) ||
        (x->op == IR_OP_image_store && !scalar_int(x->src[3], 32)))
        return false;
    return ir_type_eq(x->src[sample ? 2 : 1]->type, place) &&
           ir_type_eq(write ? x->src[2]->type : x->type, ir_with_lanes(number, 4));
}

static bool any_ok(const struct verify *v, const struct ir_instr *x)
{
    switch (x->op) {
    case IR_OP_extract_dyn:
    case IR_OP_insert_dyn:
    case IR_OP_shuffle:
        return vector_ok(x);
    case IR_OP_load:
    case IR_OP_atomic:
    case IR_OP_elem_load:
    case IR_OP_elem_atomic:
        return memory_ok(x);
    case IR_OP_call:
        return call_ok(x);
    case IR_OP_sys:
        return x->sys < IR_SYS_COUNT && (x->dim < 3 || x->sys == IR_SYS_BUFFER || x->sys == IR_SYS_VK_SPEC) &&
               scalar_int(x, ir_sys_bits(x->sys));
    case IR_OP_clock:
        return ir_is_const(x->src[0]) && ir_type_eq(x->type, ir_with_lanes(ir_int(32), 2));
    case IR_OP_subgroup:
        return subgroup_ok(x);
    case IR_OP_image_info:
    case IR_OP_image_read:
    case IR_OP_image_fetch:
    case IR_OP_image_sample:
        return image_ok(x);
    case IR_OP_phi:
        return x->src_count && all_like(x, x->type);
    case IR_OP_const:
    case IR_OP_undef:
    case IR_OP_param:
    case IR_OP_addr:
        return !v;
    default:
        return true;
    }
}

static bool void_ok(const struct verify *v, const struct ir_instr *x)
{
    if (x->type.base != IR_VOID)
        return false;
    switch (x->op) {
    case IR_OP_store:
    case IR_OP_copy:
    case IR_OP_zero:
    case IR_OP_elem_store:
        return memory_ok(x);
    case IR_OP_image_write:
    case IR_OP_image_store:
        return image_ok(x);
    case IR_OP_mat_store:
    case IR_OP_mat_elem_store:
        return matrix_ok(x);
    case IR_OP_return:
        return v->f->result.base == IR_VOID
                   ? !x->src_count
                   : x->src_count == 1 && ir_type_eq(x->src[0]->type, v->f->result);
    default:
        return true;
    }
}

static bool rule_ok(const struct verify *v, const struct ir_instr *x)
{
    struct ir_type t = x->type;
    const struct ir_instr *first = x->src_count ? x->src[0] : NULL;
    if (!no_stray_matrix(x))
        return false;
    switch ((enum ir_rule)ir_ops[x->op].rule) {
    case IR_RULE_ANY:
        return any_ok(v, x);
    case IR_RULE_VOID:
        return void_ok(v, x);
    case IR_RULE_INT:
        return t.base == IR_INT && all_like(x, t);
    case IR_RULE_BITS:
        return (t.base == IR_INT || t.base == IR_BOOL) && all_like(x, t);
    case IR_RULE_FLOAT:
        return t.base == IR_FLOAT && all_like(x, t);
    case IR_RULE_COMPARE:
        return compare_ok(x);
    case IR_RULE_CONVERT:
        return convert_ok(x);
    case IR_RULE_BITCAST:
        return storable(t) && storable(first->type) &&
               t.bits * t.lanes == first->type.bits * first->type.lanes;
    case IR_RULE_SELECT:
        return first->type.base == IR_BOOL &&
               (first->type.lanes == 1 || first->type.lanes == t.lanes) &&
               ir_type_eq(x->src[1]->type, t) && ir_type_eq(x->src[2]->type, t);
    case IR_RULE_VEC:
    case IR_RULE_EXTRACT:
    case IR_RULE_INSERT:
        return vector_ok(x);
    case IR_RULE_PTR_INDEX:
        return ptr_index_ok(x);
    case IR_RULE_MATRIX:
        return matrix_ok(x);
    case IR_RULE_PTR:
        return false; // only addr, which is never in a block
    }
    return false;
}

bool ir_fits(const struct ir_instr *x)
{
    const struct verify v = {0};
    unsigned sources = ir_ops[x->op].sources;
    return (sources == 255 || sources == x->src_count) && type_valid(x->type) && rule_ok(&v, x);
}

// ---- uses ---------------------------------------------------------------------------------------

static bool has_no_block(const struct ir_instr *x)
{
    return x->op == IR_OP_const || x->op == IR_OP_undef || x->op == IR_OP_param ||
           x->op == IR_OP_addr;
}

static bool reachable(const struct verify *v, const struct ir_block *b)
{
    return b->pred_count || b == ir_first_block(v->f);
}

// Whether `x` is available at the end of `block`, or before `user` in it.
static bool available(struct verify *v, const struct ir_instr *x, const struct ir_block *block,
                      const struct ir_instr *user)
{
    if (has_no_block(x))
        return x->op != IR_OP_param ||
               (x->index < v->f->param_count && v->f->params[x->index] == x);
    if (!x->block || x->mark != 1)
        return false; // removed, or from another function
    if (!reachable(v, block))
        return true;
    if (x->block == block)
        return !user || x->id < user->id;
    return ir_dominates(x->block, block);
}

static bool check_phi(struct verify *v, struct ir_instr *x)
{
    struct ir_block *b = x->block;
    if (!CHECK(!x->prev || x->prev->op == IR_OP_phi, x, "a phi must stand first in its block"))
        return false;
    if (!reachable(v, b))
        return true;
    if (!CHECK(x->src_count == b->pred_count, x,
               "a phi must have one source for each edge into its block"))
        return false;
    for (uint32_t i = 0; i < x->src_count; i++) {
        uint32_t found = 0;
        for (uint32_t k = 0; k < b->pred_count; k++)
            found += b->preds[k] == x->preds[i];
        for (uint32_t k = 0; k < i; k++)
            found += x->preds[k] == x->preds[i];
        if (!CHECK(found == 1, x, "a phi names a block that does not lead here, or one twice"))
            return false;
        if (!CHECK(available(v, x->src[i], x->preds[i], NULL), x,
                   "a phi's source does not reach its edge"))
            return false;
    }
    return true;
}

static bool check_instr(struct verify *v, struct ir_instr *x)
{
    const struct ir_op_info *info = &ir_ops[x->op];
    if (!CHECK(x->op < IR_OP_COUNT && type_valid(x->type), NULL,
               "an instruction without a valid type"))
        return false;
    for (uint32_t i = 0; i < x->src_count; i++)
        if (!CHECK(x->src[i], NULL, info->name) ||
            !CHECK(!x->src[i]->forward, x, "a source was replaced, not resolved"))
            return false;
    if (!CHECK(info->sources == 255 || info->sources == x->src_count, x,
               "wrong number of sources") ||
        !CHECK(rule_ok(v, x), x, "the types or immediates do not fit the operation"))
        return false;
    if (x->op == IR_OP_phi)
        return check_phi(v, x);
    for (uint32_t i = 0; i < x->src_count; i++)
        if (!CHECK(available(v, x->src[i], x->block, x), x,
                   "a source is not made on every way here"))
            return false;
    return true;
}

// ---- structure ----------------------------------------------------------------------------------

static bool check_jump(struct verify *v, const struct ir_block *b)
{
    const struct ir_instr *x = b->last;
    if (!CHECK(!b->node.next, x, "a jump must end its list"))
        return false;
    if (x->op == IR_OP_break &&
        !CHECK(ir_jump_target(b, false), x, "a break outside of loops and switches"))
        return false;
    if (x->op == IR_OP_continue &&
        !CHECK(ir_jump_target(b, true), x, "a continue outside of loops"))
        return false;
    // A jump in the continue list must not leave it.
    const struct ir_list *list = b->node.list;
    for (; list->owner; list = list->owner->list) {
        if (list->owner->kind == IR_LOOP && list == &((struct ir_loop *)list->owner)->cont)
            return bad(v, x, "a jump leaves a continue list");
        if ((list->owner->kind == IR_LOOP && x->op != IR_OP_return && x->op != IR_OP_unreachable) ||
            (list->owner->kind == IR_SWITCH && x->op == IR_OP_break))
            return true;
    }
    return true;
}

static bool check_links(struct verify *v, struct ir_block *b)
{
    struct ir_instr *prev = NULL;
    for (struct ir_instr *x = b->first; x; prev = x, x = x->next) {
        x->mark = 1;
        if (!CHECK(x->block == b && x->prev == prev, x, "broken links between instructions") ||
            !CHECK(!x->forward, x, "a replaced instruction is still in its block") ||
            !CHECK(!ir_has_flag(x, IR_FLAG_J) || !x->next, x, "a jump must end its block"))
            return false;
    }
    if (!CHECK(b->last == prev, prev, "broken link to the last instruction"))
        return false;
    return !ir_ends_in_jump(b) || check_jump(v, b);
}

static bool check_list(struct verify *v, const struct ir_list *list, const struct ir_node *owner);

static bool check_switch_shape(struct verify *v, const struct ir_switch *s)
{
    uint32_t defaults = 0;
    bool ok = CHECK(s->value && s->value->type.base == IR_INT && s->value->type.lanes == 1,
                    s->value, "a switch needs an integer");
    for (uint32_t i = 0; ok && i < s->case_count; i++) {
        defaults += s->cases[i].is_default;
        ok = check_list(v, &s->cases[i].list, &s->node);
    }
    return ok && CHECK(defaults == 1, s->value, "a switch needs exactly one default");
}

static bool check_node(struct verify *v, const struct ir_node *node)
{
    if (node->kind == IR_BLOCK)
        return check_links(v, (struct ir_block *)node);
    if (node->kind == IR_IF) {
        const struct ir_if *n = (const struct ir_if *)node;
        return CHECK(n->cond && ir_type_eq(n->cond->type, ir_bool()), n->cond,
                     "an if needs a bool") &&
               check_list(v, &n->then_list, node) && check_list(v, &n->else_list, node);
    }
    if (node->kind == IR_SWITCH)
        return check_switch_shape(v, (const struct ir_switch *)node);
    const struct ir_loop *n = (const struct ir_loop *)node;
    return CHECK(!n->cond || ir_type_eq(n->cond->type, ir_bool()), n->cond,
                 "a loop's condition must be a bool") &&
           check_list(v, &n->body, node) && check_list(v, &n->cont, node);
}

static bool check_list(struct verify *v, const struct ir_list *list, const struct ir_node *owner)
{
    stack_check();
    const struct ir_node *prev = NULL;
    if (!CHECK(list->owner == owner, NULL, "a list has lost its owner") ||
        !CHECK(list->first && list->first->kind == IR_BLOCK && list->last->kind == IR_BLOCK, NULL,
               "a list must start and end with a block"))
        return false;
    for (const struct ir_node *node = list->first; node; prev = node, node = node->next) {
        if (!CHECK(node->list == list && node->prev == prev, NULL, "broken links between nodes") ||
            !CHECK(!prev || (prev->kind == IR_BLOCK) != (node->kind == IR_BLOCK), NULL,
                   "blocks and structured nodes must alternate") ||
            !check_node(v, node))
            return false;
    }
    return CHECK(list->last == prev, NULL, "broken link to the last node");
}

static bool check_conditions(struct verify *v, const struct ir_block *b)
{
    const struct ir_node *next = b->node.next;
    const struct ir_loop *loop =
        b->node.list->owner && b->node.list->owner->kind == IR_LOOP && !next
            ? (const struct ir_loop *)b->node.list->owner
            : NULL;
    const struct ir_instr *used = NULL;
    if (next && next->kind == IR_IF)
        used = ((const struct ir_if *)next)->cond;
    else if (next && next->kind == IR_SWITCH)
        used = ((const struct ir_switch *)next)->value;
    else if (loop && b->node.list == &loop->cont)
        used = loop->cond;
    return !used ||
           (CHECK(!used->forward, used, "a condition was replaced, not resolved") &&
            CHECK(available(v, used, b, NULL), used, "a condition is not made on every way to it"));
}

static void check_body(struct verify *v)
{
    struct ir_function *f = v->f;
    if (!check_list(v, &f->body, NULL))
        return;
    ir_number(f);
    ir_dominance(f);
    for (struct ir_block *b = ir_first_block(f); b && !v->error; b = ir_next_block(b)) {
        for (struct ir_instr *x = b->first; x && !v->error; x = x->next)
            check_instr(v, x);
        check_conditions(v, b);
        bool end = !b->node.next && !b->node.list->owner && !ir_ends_in_jump(b) && reachable(v, b);
        if (!v->error && end && f->result.base != IR_VOID)
            bad(v, b->last, "the end of a function that gives a value is reached");
    }
}

static void clear_marks(struct ir_function *f)
{
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b))
        for (struct ir_instr *x = b->first; x; x = x->next)
            x->mark = 0;
}

const char *ir_verify_function(struct ir_function *f)
{
    struct verify v = {.m = f->module, .f = f};
    check_body(&v);
    if (!v.error)
        clear_marks(f);
    return v.error;
}

const char *ir_verify(const struct ir_module *m)
{
    const char *error = NULL;
    for (size_t i = 0; i < m->functions.count && !error; i++)
        if (m->functions.items[i]->has_body)
            error = ir_verify_function(m->functions.items[i]);
    return error;
}
