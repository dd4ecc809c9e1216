// SPDX-License-Identifier: Apache-2.0
// Expressions -> values and places. Sema has made everything explicit, so each kind of node has a small function in a
// table. Records are never values: gen_record() returns the memory that holds one.
#include "gen/gen_internal.h"
#include "util/stack.h"

typedef struct ir_instr *value_function(struct gen *gen, const struct expr *expr);

// ---- lvalues -------------------------------------------------------------------------------------

static uint32_t least(uint32_t a, uint32_t b)
{
    return b && b < a ? b : a;
}

// A guaranteed alignment of the pointee; the type's own one if that is less. An array element in a packed record may
// be aligned less than its type.
static uint32_t pointee_align(const struct expr *pointer)
{
    uint32_t align = UINT32_MAX;
    for (const struct expr *at = pointer;; at = at->a) {
        uint64_t offset = at->kind == EXPR_MEMBER ? at->field->offset : 0;
        if (at->lvalue && at->kind != EXPR_MEMBER)
            align = least(align, qtype_align(at->type));
        align = least(align, (uint32_t)(offset & (~offset + 1)));
        if (at->kind != EXPR_PTR_ADD && at->kind != EXPR_DECAY && at->kind != EXPR_DEREF && at->kind != EXPR_MEMBER)
            return align;
    }
}

// Whether `pointer` points to or into a union member, whose memory may be accessed through the other members' types.
static bool is_in_union(const struct expr *pointer)
{
    for (const struct expr *at = pointer; at; at = at->a) {
        if (at->kind == EXPR_MEMBER && at->a->type.type->kind == TYPE_UNION)
            return true;
        if (at->kind != EXPR_PTR_ADD && at->kind != EXPR_DECAY && at->kind != EXPR_DEREF && at->kind != EXPR_MEMBER)
            return false;
    }
    return false;
}

static struct gen_place place_deref(struct gen *gen, const struct expr *expr)
{
    struct ir_instr *address = gen_value(gen, expr->a);
    struct gen_place place =
        gen_place_at(gen, address, expr->type, least(qtype_align(expr->type), pointee_align(expr->a)));
    place.any_type |= is_in_union(expr->a);
    return place;
}

static struct gen_place place_object(struct gen *gen, const struct expr *expr)
{
    uint32_t align = expr->decl->attributes.aligned;
    uint32_t natural = expr->type.type->align;
    return gen_place_at(gen, gen_variable_address(gen, expr->decl), expr->type, align > natural ? align : natural);
}

static struct gen_place place_compound(struct gen *gen, const struct expr *expr)
{
    struct ir_instr *address = gen_temporary(gen, expr->type.type, "literal");
    struct gen_place place = gen_place_at(gen, address, expr->type, 0);
    gen_init(gen, expr->init, place);
    return place;
}

static struct gen_place place_base(struct gen *gen, const struct expr *base)
{
    return base->lvalue ? gen_lvalue(gen, base) : gen_record(gen, base);
}

static struct gen_place place_member(struct gen *gen, const struct expr *expr)
{
    struct gen_place base = place_base(gen, expr->a);
    base.any_type |= expr->a->type.type->kind == TYPE_UNION;
    return gen_place_field(gen, base, expr->field->offset, expr->type);
}

static struct gen_place place_swizzle(struct gen *gen, const struct expr *expr)
{
    struct gen_place place = gen_lvalue(gen, expr->a);
    uint8_t chosen[16];
    uint16_t absent = 0;
    for (unsigned i = 0; i < expr->lane_count; i++) { // a swizzle of a swizzle
        unsigned lane = expr->lane[i] & ~(unsigned)LANE_ABSENT;
        bool none = expr->lane[i] & LANE_ABSENT || (place.vector && place.absent >> lane & 1);
        chosen[i] = place.vector ? place.lane[lane] : (uint8_t)lane;
        absent |= (uint16_t)(none << i);
    }
    struct type *vector = place.vector ? place.vector : expr->a->type.type;
    place.type = expr->type;
    place.absent = absent;
    if (expr->lane_count == 1 && !absent) {
        struct gen_place whole = place;
        whole.any_type = true;
        return gen_place_field(gen, whole, chosen[0] * type_scalar(vector)->size, expr->type);
    }
    place.vector = vector;
    place.lane_count = expr->lane_count;
    memcpy(place.lane, chosen, expr->lane_count);
    return place;
}

static struct gen_place place_lane(struct gen *gen, const struct expr *expr)
{
    struct gen_place vector = gen_lvalue(gen, expr->a);
    if (type_is_matrix(expr->a->type.type)) {
        vector.component = gen_convert(gen, gen_value(gen, expr->b), expr->b->type.type, type_basic(gen->ast->types, TYPE_INT));
        vector.matrix = expr->a->type.type;
        vector.type = expr->type;
        return vector;
    }
    struct type *scalar = type_scalar(expr->a->type.type);
    struct ir_instr *index = gen_value(gen, expr->b);
    index = gen_convert(gen, index, expr->b->type.type, type_basic(gen->ast->types, TYPE_LONG));
    struct gen_place lane = gen_place_field(gen, vector, 0, expr->type);
    lane.address = ir_ptr_index(&gen->b, vector.address, index, (int64_t)scalar->size, 0);
    lane.any_type = true;
    lane.align = scalar->align < vector.align ? scalar->align : vector.align;
    return lane;
}

struct gen_place gen_lvalue(struct gen *gen, const struct expr *expr)
{
    stack_check();
    switch (expr->kind) {
    case EXPR_OBJECT:
        return place_object(gen, expr);
    case EXPR_DEREF:
        return place_deref(gen, expr);
    case EXPR_MEMBER:
        return place_member(gen, expr);
    case EXPR_SWIZZLE:
        return place_swizzle(gen, expr);
    case EXPR_LANE:
        return place_lane(gen, expr);
    case EXPR_STRING:
        return gen_place_at(gen, gen_string(gen, expr), expr->type, 1);
    case EXPR_COMPOUND:
        return place_compound(gen, expr);
    default:
        assert(!"not an lvalue");
        return (struct gen_place){0};
    }
}

// ---- records -------------------------------------------------------------------------------------

static struct gen_place record_cond(struct gen *gen, const struct expr *expr)
{
    struct gen_place result = gen_place_at(gen, gen_temporary(gen, expr->type.type, "choice"), expr->type, 0);
    struct ir_if *choice = ir_add_if(&gen->b, gen_bool(gen, expr->a));
    const struct expr *arms[2] = {expr->b, expr->c};
    struct ir_list *lists[2] = {&choice->then_list, &choice->else_list};
    for (int i = 0; i < 2; i++) {
        ir_place_end(&gen->b, lists[i]);
        struct gen_place from = gen_record(gen, arms[i]);
        gen_copy_record(gen, &result, &from);
    }
    ir_place_after(&gen->b, &choice->node);
    return result;
}

static struct gen_place record_assign(struct gen *gen, const struct expr *expr)
{
    struct gen_place to = gen_lvalue(gen, expr->a);
    struct gen_place from = gen_record(gen, expr->b);
    gen_copy_record(gen, &to, &from);
    return to;
}

struct gen_place gen_record(struct gen *gen, const struct expr *expr)
{
    stack_check();
    struct gen_place place = {0};
    switch (expr->kind) {
    case EXPR_LOAD:
        return gen_lvalue(gen, expr->a);
    case EXPR_CAST:
        return gen_record(gen, expr->a);
    case EXPR_COMMA:
        gen_effect(gen, expr->a);
        return gen_record(gen, expr->b);
    case EXPR_COND:
        return record_cond(gen, expr);
    case EXPR_ASSIGN:
        return record_assign(gen, expr);
    case EXPR_MEMBER:
        return place_member(gen, expr);
    case EXPR_CALL:
        gen_call(gen, expr, &place);
        return place;
    case EXPR_STATEMENT:
        gen_statement_expr(gen, expr, &place);
        return place;
    case EXPR_ENQUEUE:
        return gen_range(gen, expr);
    default:
        return gen_lvalue(gen, expr);
    }
}

// ---- values --------------------------------------------------------------------------------------

static struct ir_instr *value_const(struct gen *gen, const struct expr *expr)
{
    struct ir_type type = gen_type(expr->type.type);
    if (type.base != IR_PTR)
        return ir_const(gen->module, type, expr->lanes);
    uint64_t mask = UINT64_MAX >> (64 - type.bits);
    struct ir_instr *bits = ir_const_int(gen->module, ir_int(64), expr->lanes[0] & mask);
    return ir_convert(&gen->b, IR_OP_int_to_ptr, type, bits);
}

// One lane of a vector in local memory, extracted from a load of the vector, so that an array is accessed with one
// type. NULL for any other expression.
static struct ir_instr *lane_of_local(struct gen *gen, const struct expr *expr)
{
    if (expr->kind != EXPR_SWIZZLE || expr->lane_count != 1 || !expr->lvalue || expr->a->type.type->size > 16 ||
        (enum ir_space)expr->a->type.space != IR_LOCAL)
        return NULL;
    struct gen_place place = gen_lvalue(gen, expr->a);
    struct ir_instr *whole = gen_load(gen, &place);
    return ir_extract(&gen->b, whole, expr->lane[0] & ~(unsigned)LANE_ABSENT);
}

static struct ir_instr *value_load(struct gen *gen, const struct expr *expr)
{
    const struct expr *a = expr->a;
    if (a->kind == EXPR_OBJECT && gen_is_handle(a->decl->type.type)) {
        struct ir_instr *known = gen_handle(gen, a->decl);
        if (known)
            return known;
    }
    if (a->kind == EXPR_SWIZZLE && !a->lvalue)
        return gen_value(gen, a);
    struct ir_instr *lane = lane_of_local(gen, a);
    if (lane)
        return lane;
    struct gen_place place = gen_lvalue(gen, a);
    return gen_load(gen, &place);
}

static struct ir_instr *value_address(struct gen *gen, const struct expr *expr)
{
    return gen_lvalue(gen, expr->a).address;
}

static struct ir_instr *value_decay(struct gen *gen, const struct expr *expr)
{
    const struct expr *array = expr->a;
    if (array->lvalue)
        return gen_lvalue(gen, array).address;
    struct gen_place from = gen_record(gen, array);
    struct gen_place own = gen_place_at(gen, gen_temporary(gen, array->type.type, "value"), array->type, 0);
    gen_copy_record(gen, &own, &from); // the assigned object may be anywhere and change later
    return own.address;
}

static struct ir_instr *value_member(struct gen *gen, const struct expr *expr)
{
    struct gen_place place = gen_record(gen, expr);
    return expr->type.type->kind == TYPE_ARRAY ? NULL : gen_load(gen, &place); // an array whose value is not used
}

static struct ir_instr *value_swizzle(struct gen *gen, const struct expr *expr)
{
    struct ir_instr *vector = gen_value(gen, expr->a);
    return ir_shuffle(&gen->b, vector, vector, expr->lane, expr->lane_count);
}

static struct ir_instr *value_lane(struct gen *gen, const struct expr *expr)
{
    struct ir_instr *vector = gen_value(gen, expr->a);
    struct ir_instr *index = gen_value(gen, expr->b);
    index = gen_convert(gen, index, expr->b->type.type, type_basic(gen->ast->types, TYPE_INT));
    struct ir_instr *src[2] = {vector, index};
    if (ir_is_matrix(vector->type))
        return ir_build(&gen->b, IR_OP_mat_get, ir_component(vector->type), src, 2);
    return ir_build(&gen->b, IR_OP_extract_dyn, gen_type(expr->type.type), src, 2);
}

static struct ir_instr *value_unary(struct gen *gen, const struct expr *expr)
{
    if (expr->op == EXPR_OP_LNOT && !type_is_vector(expr->a->type.type))
        return gen_from_bool(gen, ir_op1(&gen->b, IR_OP_not, gen_bool(gen, expr->a)), expr->type.type);
    struct ir_instr *x = gen_value(gen, expr->a);
    if (expr->op == EXPR_OP_LNOT) {
        struct ir_instr *truth = gen_truth(gen, x);
        return gen_from_bool(gen, ir_op1(&gen->b, IR_OP_not, truth), expr->type.type);
    }
    if (expr->op == EXPR_OP_NOT)
        return ir_op1(&gen->b, IR_OP_not, x);
    return ir_op1(&gen->b, x->type.base == IR_FLOAT ? IR_OP_fneg : IR_OP_ineg, x);
}

static struct ir_instr *value_logical(struct gen *gen, const struct expr *expr)
{
    return gen_from_bool(gen, gen_bool(gen, expr), expr->type.type);
}

static struct ir_instr *value_ptr_add(struct gen *gen, const struct expr *expr)
{
    struct ir_instr *pointer = gen_value(gen, expr->a), *index = gen_value(gen, expr->b);
    return gen_pointer_add(gen, pointer, index, expr->a->type.type, false);
}

static struct ir_instr *value_ptr_diff(struct gen *gen, const struct expr *expr)
{
    struct ir_builder *b = &gen->b;
    struct ir_type type = gen_type(expr->type.type);
    struct ir_instr *side[2] = {gen_value(gen, expr->a), gen_value(gen, expr->b)};
    for (unsigned i = 0; i < 2; i++) {
        side[i] = ir_convert(b, IR_OP_ptr_to_int, ir_int(64), side[i]);
        side[i] = type.bits == 64 ? side[i] : ir_convert(b, IR_OP_trunc, type, side[i]);
    }
    uint64_t size = expr->a->type.type->elem.type->size;
    struct ir_instr *bytes = ir_op2(b, IR_OP_isub, side[0], side[1]);
    return ir_op2(b, IR_OP_sdiv, bytes, ir_const_int(gen->module, type, size ? size : 1));
}

static struct ir_instr *value_assign(struct gen *gen, const struct expr *expr)
{
    struct gen_place place = gen_lvalue(gen, expr->a);
    struct ir_instr *value = gen_value(gen, expr->b);
    gen_store(gen, &place, value);
    return value;
}

static struct ir_instr *assigned_op(struct gen *gen, const struct expr *expr, const struct gen_place *place)
{
    struct ir_instr *fused = gen_contracted_assign(gen, expr, place);
    if (fused)
        return fused;
    struct ir_instr *right = gen_value(gen, expr->b);
    struct ir_instr *old = gen_load(gen, place);
    const struct type *type = expr->a->type.type, *compute = expr->compute.type;
    if (type->kind == TYPE_POINTER)
        return gen_pointer_add(gen, old, right, type, expr->op == EXPR_OP_SUB);
    struct ir_instr *value = gen_arithmetic(gen, expr->op, gen_convert(gen, old, type, compute), right, compute);
    return gen_convert(gen, value, compute, type);
}

static struct ir_instr *value_assign_op(struct gen *gen, const struct expr *expr)
{
    struct gen_place place = gen_lvalue(gen, expr->a);
    struct ir_instr *value = assigned_op(gen, expr, &place);
    gen_store(gen, &place, value);
    return value;
}

static struct ir_instr *stepped(struct gen *gen, const struct expr *expr, struct ir_instr *old)
{
    const struct type *type = expr->a->type.type;
    struct ir_module *m = gen->module;
    if (type->kind == TYPE_POINTER)
        return gen_pointer_add(gen, old, ir_const_int(m, ir_int(64), 1), type, expr->increment < 0);
    if (old->type.base == IR_BOOL) // ++ sets true; -- inverts
        return expr->increment > 0 ? ir_const_int(m, ir_bool(), 1) : ir_op1(&gen->b, IR_OP_not, old);
    if (old->type.base == IR_FLOAT)
        return ir_op2(&gen->b, IR_OP_fadd, old, ir_const_float(m, old->type, expr->increment));
    struct ir_instr *by = ir_const_int(m, old->type, (uint64_t)(int64_t)expr->increment);
    if (old->type.bits < 32) // computed as an int and converted
        return ir_op2(&gen->b, IR_OP_iadd, old, by);
    return gen_arithmetic(gen, EXPR_OP_ADD, old, by, type);
}

static struct ir_instr *value_incdec(struct gen *gen, const struct expr *expr)
{
    struct gen_place place = gen_lvalue(gen, expr->a);
    struct ir_instr *old = gen_load(gen, &place);
    struct ir_instr *value = stepped(gen, expr, old);
    gen_store(gen, &place, value);
    return expr->prefix ? value : old;
}

// The value of `expr` (as a condition if `truth`), generated at the end of `list`. *end is the block where it is
// available, NULL if control does not reach the end.
static struct ir_instr *arm_value(struct gen *gen, struct ir_list *list, const struct expr *expr, bool truth,
                                  struct ir_block **end)
{
    ir_place_end(&gen->b, list);
    struct ir_instr *value = truth ? gen_bool(gen, expr) : gen_value(gen, expr);
    *end = gen->b.dead ? NULL : gen->b.block;
    return value;
}

static struct ir_instr *merge(struct gen *gen, struct ir_instr *const value[2], struct ir_block *const from[2])
{
    if (!value[0])
        return NULL;
    if (!from[0] || !from[1])
        return from[0] ? value[0] : from[1] ? value[1] : ir_undef(gen->module, value[0]->type);
    if (value[0] == value[1])
        return value[0];
    struct ir_instr *phi = ir_phi(&gen->b, value[0]->type, 2);
    for (int i = 0; i < 2; i++) {
        phi->src[i] = value[i];
        phi->preds[i] = from[i];
    }
    return phi;
}

static struct ir_instr *value_cond(struct gen *gen, const struct expr *expr)
{
    struct ir_instr *cond = gen_bool(gen, expr->a);
    if (ir_is_const(cond))
        return gen_value(gen, cond->lanes[0] ? expr->b : expr->c);
    if (gen->b.dead)
        return ir_undef(gen->module, gen_type(expr->type.type));
    struct ir_if *choice = ir_add_if(&gen->b, cond);
    struct ir_block *from[2];
    struct ir_instr *value[2];
    value[0] = arm_value(gen, &choice->then_list, expr->b, false, &from[0]);
    value[1] = arm_value(gen, &choice->else_list, expr->c, false, &from[1]);
    ir_place_after(&gen->b, &choice->node);
    return merge(gen, value, from);
}

static struct ir_instr *value_vector_cond(struct gen *gen, const struct expr *expr)
{
    struct ir_builder *b = &gen->b;
    struct ir_instr *a = gen_value(gen, expr->a), *x = gen_value(gen, expr->b), *y = gen_value(gen, expr->c);
    struct ir_type bits = ir_with_lanes(ir_int(a->type.bits), a->type.lanes);
    struct ir_instr *negative = ir_op2(b, IR_OP_slt, gen_as(gen, a, bits), ir_const_int(gen->module, bits, 0));
    return ir_select(b, negative, x, y);
}

static struct ir_instr *value_comma(struct gen *gen, const struct expr *expr)
{
    gen_effect(gen, expr->a);
    return gen_value(gen, expr->b);
}

static struct ir_instr *value_cast(struct gen *gen, const struct expr *expr)
{
    const struct type *from = expr->a->type.type, *to = expr->type.type;
    if (to->kind == TYPE_VOID) {
        gen_effect(gen, expr->a);
        return NULL;
    }
    if (to->kind == TYPE_BOOL)
        return gen_bool(gen, expr->a);
    if (type_is_opaque(from, OPAQUE_PIPE) || type_is_opaque(from, OPAQUE_RESERVE_ID) || type_is_opaque(to, OPAQUE_RESERVE_ID))
        return gen_value(gen, expr->a); // pipes are addresses, reservations numbers
    return gen_convert(gen, gen_value(gen, expr->a), from, to);
}

static struct ir_instr *value_call(struct gen *gen, const struct expr *expr)
{
    return gen_call(gen, expr, NULL);
}

static struct ir_instr *value_vector(struct gen *gen, const struct expr *expr)
{
    struct ir_instr *lanes[16];
    unsigned count = 0, want = type_lanes(expr->type.type);
    for (uint32_t i = 0; i < expr->arg_count; i++) {
        struct ir_instr *part = gen_value(gen, expr->args[i]);
        for (unsigned lane = 0; lane < part->type.lanes && count < want; lane++)
            lanes[count++] = ir_extract(&gen->b, part, lane);
    }
    if (count == 1)
        return ir_splat(&gen->b, lanes[0], want);
    assert(count == want);
    return ir_vec(&gen->b, lanes, want);
}

static struct ir_instr *value_statement(struct gen *gen, const struct expr *expr)
{
    return gen_statement_expr(gen, expr, NULL);
}

static struct ir_instr *value_shuffle(struct gen *gen, const struct expr *expr)
{
    struct ir_instr *x = gen_value(gen, expr->a), *y = gen_value(gen, expr->b);
    return ir_shuffle(&gen->b, x, y, expr->lane, expr->lane_count);
}

struct gen_once {
    const struct expr *expr;
    struct ir_instr *value;
    struct gen_once *outer;
};

static struct ir_instr *value_with(struct gen *gen, const struct expr *expr)
{
    struct gen_once once = {.expr = expr->a, .value = gen_value(gen, expr->a->a), .outer = gen->once};
    gen->once = &once;
    struct ir_instr *value = gen_value(gen, expr->b);
    gen->once = once.outer;
    return value;
}

static struct ir_instr *value_once(struct gen *gen, const struct expr *expr)
{
    const struct gen_once *once = gen->once;
    while (once->expr != expr)
        once = once->outer;
    return once->value;
}

static struct ir_instr *value_given(struct gen *gen, const struct expr *expr)
{
    (void)gen;
    return expr->given;
}

static value_function *const value_functions[] = {
    [EXPR_CONST] = value_const,
    [EXPR_LOAD] = value_load,
    [EXPR_DECAY] = value_decay,
    [EXPR_ADDRESS] = value_address,
    [EXPR_MEMBER] = value_member,
    [EXPR_SWIZZLE] = value_swizzle,
    [EXPR_LANE] = value_lane,
    [EXPR_UNARY] = value_unary,
    [EXPR_BINARY] = gen_binary,
    [EXPR_LOGICAL] = value_logical,
    [EXPR_PTR_ADD] = value_ptr_add,
    [EXPR_PTR_DIFF] = value_ptr_diff,
    [EXPR_ASSIGN] = value_assign,
    [EXPR_ASSIGN_OP] = value_assign_op,
    [EXPR_INCDEC] = value_incdec,
    [EXPR_COND] = value_cond,
    [EXPR_VECTOR_COND] = value_vector_cond,
    [EXPR_COMMA] = value_comma,
    [EXPR_CAST] = value_cast,
    [EXPR_CALL] = value_call,
    [EXPR_BUILTIN] = gen_builtin,
    [EXPR_VECTOR] = value_vector,
    [EXPR_STATEMENT] = value_statement,
    [EXPR_SHUFFLE] = value_shuffle,
    [EXPR_WITH] = value_with,
    [EXPR_ONCE] = value_once,
    [EXPR_GIVEN] = value_given,
    [EXPR_MATRIX] = gen_matrix,
    [EXPR_BLOCK] = gen_block,
    [EXPR_ENQUEUE] = gen_enqueue,
};

struct ir_instr *gen_value(struct gen *gen, const struct expr *expr)
{
    stack_check();
    if (type_is_record(expr->type.type)) {
        gen_record(gen, expr);
        return NULL;
    }
    if (expr->type.type->kind == TYPE_BLOCK && expr->kind != EXPR_BLOCK) // blocks have no value: their literal is known
        return expr->a && !expr->a->lvalue ? gen_value(gen, expr->a) : NULL;
    assert(expr->kind < sizeof value_functions / sizeof *value_functions && value_functions[expr->kind]);
    if (expr->kind == EXPR_CONST || expr->kind == EXPR_CAST) // keeps the source location of the enclosing expression
        return value_functions[expr->kind](gen, expr);
    uint32_t around = gen_at(gen, expr->loc);
    struct ir_instr *value = value_functions[expr->kind](gen, expr);
    gen->b.origin = around;
    return value;
}

void gen_effect(struct gen *gen, const struct expr *expr)
{
    stack_check();
    if (expr->lvalue) {
        if (expr->kind == EXPR_DEREF || expr->kind == EXPR_MEMBER || expr->kind == EXPR_LANE)
            gen_lvalue(gen, expr);
        return;
    }
    gen_value(gen, expr);
}

// ---- conditions ----------------------------------------------------------------------------------

static struct ir_instr *bool_logical(struct gen *gen, const struct expr *expr)
{
    bool is_and = expr->op == EXPR_OP_LAND || expr->op == EXPR_OP_AND;
    struct ir_instr *first = gen_bool(gen, expr->a);
    if (ir_is_const(first))
        return (first->lanes[0] != 0) == is_and ? gen_bool(gen, expr->b) : first;
    if (gen->b.dead)
        return first;
    struct ir_if *choice = ir_add_if(&gen->b, first);
    struct ir_block *from[2];
    struct ir_instr *value[2];
    struct ir_list *second_list = is_and ? &choice->then_list : &choice->else_list;
    struct ir_list *known = is_and ? &choice->else_list : &choice->then_list;
    value[0] = arm_value(gen, second_list, expr->b, true, &from[0]);
    value[1] = ir_const_int(gen->module, ir_bool(), !is_and);
    from[1] = ir_list_last(known);
    ir_place_after(&gen->b, &choice->node);
    return merge(gen, value, from);
}

static bool is_scalar_comparison(const struct expr *expr)
{
    return expr->kind == EXPR_BINARY && expr->op >= EXPR_OP_EQ && expr->op <= EXPR_OP_GE &&
           !type_is_vector(expr->type.type);
}

struct ir_instr *gen_bool(struct gen *gen, const struct expr *expr)
{
    stack_check();
    if (expr->kind == EXPR_CAST && expr->type.type->kind == TYPE_BOOL)
        return gen_bool(gen, expr->a);
    if (expr->kind == EXPR_LOGICAL)
        return bool_logical(gen, expr);
    if (expr->kind == EXPR_UNARY && expr->op == EXPR_OP_LNOT && !type_is_vector(expr->type.type))
        return ir_op1(&gen->b, IR_OP_not, gen_bool(gen, expr->a));
    if (is_scalar_comparison(expr)) {
        struct ir_instr *x = gen_value(gen, expr->a), *y = gen_value(gen, expr->b);
        gen_at(gen, expr->loc);
        return gen_compare(gen, expr->op, x, y, expr->a->type.type);
    }
    return gen_truth(gen, gen_value(gen, expr));
}
