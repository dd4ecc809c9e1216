// SPDX-License-Identifier: Apache-2.0
// Pointers -> integers; memory -> device addresses and arrays.
//
// A global or constant pointer becomes its 64-bit device address; a private or local one a 32-bit index in units of
// its region's array. As a number (cast, compared, stored) it is pointer * unit + the region's bias, so that distinct
// variables have distinct addresses and none is null. If there are generic pointers, numbers have the address space
// in their top two bits; generic pointers to several spaces are such numbers. Program-scope variables are in the data
// segment, whose address the launch pushes; loads of constants at known offsets fold.
//
// Without device addresses, buffers.c determines the form of global and constant pointers.
#include "passes/memory.h"
#include "passes/data_segment.h"
#include "passes/opt.h"
#include "passes/push.h"
#include "util/stack.h"

static struct ir_instr *latest(struct ir_instr *x)
{
    while (x->forward)
        x = x->forward;
    return x;
}

static bool is_pointer(const struct ir_instr *x) { return x->type.base == IR_PTR; }

static bool is_offset(enum ir_space space) { return space == IR_PRIVATE || space == IR_LOCAL; }

// The lowered form of a pointer: an offset in its region or buffer; if both are NULL: a device address, a number, or
// a null offset.
struct form {
    enum ir_space space;
    const struct region *region;
    struct buffer *buffer;
};

static struct form form_of(struct memory *m, const struct ir_instr *x)
{
    return (struct form){address_space(m, x), address_region(m, x), buffers_only(m, x)};
}

static struct ir_type form_type(const struct form *f) { return ir_int(is_offset(f->space) || f->buffer ? 32 : 64); }

static unsigned tag_shift(const struct memory *m) { return kc_pointer_bytes(m->c->target) * 8 - 2; }

static unsigned log2_of(uint32_t x)
{
    unsigned bits = 0;
    while (x >>= 1)
        bits++;
    return bits;
}

// ---- pointers and numbers ------------------------------------------------------------------------

static struct ir_instr *offset_const(struct memory *m, const struct region *r, uint64_t number)
{
    uint32_t distance = (uint32_t)number - (r ? r->bias : 0);
    int32_t units = (int32_t)distance / (int32_t)(r && r->unit ? r->unit : 1); // 0: never accessed
    return ir_const_int(m->m, ir_int(32), (uint32_t)units);
}

static struct ir_instr *data_address(struct memory *m, struct ir_builder *b, const struct ir_var *var)
{
    if (m->logical)
        return buffer_data_number(m, var->data_offset);
    struct ir_type i64 = ir_int(64);
    if (!m->data_base)
        m->data_base = push_value(b, KC_PUSH_DATA, 0, 0, i64);
    return ir_op2(b, IR_OP_iadd, m->data_base, ir_const_int(m->m, i64, var->data_offset));
}

static struct ir_instr *lowered_const(struct memory *m, struct ir_builder *b, const struct ir_instr *x, const struct form *f)
{
    struct ir_instr *number = ir_const_int(m->m, ir_int(64), x->lanes[0]);
    if (is_offset(f->space))
        return offset_const(m, f->region, x->lanes[0]);
    if (m->some_plain && f->buffer) // if numbers are not observed, null is the only constant
        return buffer_null(m, f->buffer);
    return f->buffer ? buffer_from_number(m, b, f->buffer, number) : number;
}

static struct ir_instr *lowered_addr(struct memory *m, struct ir_builder *b, const struct ir_var *var, const struct form *f)
{
    if (is_offset(var->space))
        return m->var_start[var->id];
    return f->buffer ? buffer_at(m, f->buffer, var->data_offset) : data_address(m, b, var);
}

// The integer that represents pointer `x` in the form `f`.
static struct ir_instr *lowered(struct memory *m, struct ir_builder *b, struct ir_instr *x, const struct form *f)
{
    if (!x->forward && is_pointer(x)) {
        if (ir_is_const(x))
            return lowered_const(m, b, x, f);
        if (x->op == IR_OP_undef)
            return ir_undef(m->m, form_type(f));
        if (x->op == IR_OP_addr)
            return lowered_addr(m, b, x->var, f);
    }
    struct buffer *from = m->logical || m->some_plain ? buffers_only(m, x) : NULL;
    if (is_offset(f->space) || from == f->buffer)
        return latest(x);
    if (m->some_plain) // only made from null
        return f->buffer ? buffer_null(m, f->buffer) : ir_const_int(m->m, ir_int(64), 0);
    return from ? buffer_to_number(m, b, from, latest(x)) : buffer_from_number(m, b, f->buffer, latest(x));
}

// A pointer of the original function, in its own form.
static struct ir_instr *own(struct memory *m, struct ir_builder *b, struct ir_instr *x)
{
    struct form f = form_of(m, x);
    return lowered(m, b, x, &f);
}

// The address as a number: i32 for private and local, else i64.
static struct ir_instr *number(struct memory *m, struct ir_builder *b, struct ir_instr *x)
{
    const struct region *r = address_region(m, x);
    const struct buffer *buffer = buffers_only(m, x);
    struct ir_instr *value = own(m, b, x);
    if (buffer)
        return buffer_to_number(m, b, buffer, value);
    if (!r)
        return value;
    value = ir_op2(b, IR_OP_shl, value, ir_const_int(m->m, ir_int(32), log2_of(r->unit)));
    return ir_op2(b, IR_OP_iadd, value, ir_const_int(m->m, ir_int(32), r->bias));
}

// Null has no tag.
static struct ir_instr *tagged(struct memory *m, struct ir_builder *b, struct ir_instr *offset, enum ir_space space)
{
    uint64_t tag = space == IR_LOCAL ? TAG_LOCAL : TAG_PRIVATE;
    struct ir_instr *null = ir_const_int(m->m, ir_int(64), 0);
    struct ir_instr *is_null = ir_op2(b, IR_OP_ieq, offset, ir_const_int(m->m, ir_int(32), 0));
    struct ir_instr *value = ir_convert(b, IR_OP_zext, ir_int(64), offset);
    value = ir_op2(b, IR_OP_or, value, ir_const_int(m->m, ir_int(64), tag << tag_shift(m)));
    return ir_select(b, is_null, null, value);
}

static struct ir_instr *wide_number(struct memory *m, struct ir_builder *b, struct ir_instr *x)
{
    struct ir_instr *value = number(m, b, x);
    if (value->type.bits == 64)
        return value;
    if (m->has_generic)
        return tagged(m, b, value, address_space(m, x));
    return ir_convert(b, IR_OP_zext, ir_int(64), value);
}

// The pointer `like` from its i64 number.
static struct ir_instr *from_number(struct memory *m, struct ir_builder *b, const struct ir_instr *like,
                                    struct ir_instr *value)
{
    const struct region *r = address_region(m, like);
    const struct buffer *buffer = buffers_only(m, like);
    if (buffer)
        return buffer_from_number(m, b, buffer, value);
    if (!is_offset(address_space(m, like)))
        return value;
    value = ir_convert(b, IR_OP_trunc, ir_int(32), value);
    if (m->has_generic && tag_shift(m) < 32)
        value = ir_op2(b, IR_OP_and, value, ir_const_int(m->m, ir_int(32), (UINT64_C(1) << tag_shift(m)) - 1));
    if (!r)
        return value;
    value = ir_op2(b, IR_OP_isub, value, ir_const_int(m->m, ir_int(32), r->bias));
    return ir_op2(b, IR_OP_lshr, value, ir_const_int(m->m, ir_int(32), log2_of(r->unit)));
}

static struct ir_instr *lower_int_to_ptr(struct memory *m, struct ir_builder *b, struct ir_instr *x)
{
    struct buffer *buffer = buffer_named_by(m, x);
    if (buffer)
        return buffer_start(m, buffer);
    return from_number(m, b, x, latest(x->src[0]));
}

static struct ir_instr *lower_cast(struct memory *m, struct ir_builder *b, struct ir_instr *x)
{
    struct ir_instr *from = x->src[0];
    struct form f = form_of(m, x);
    enum ir_space space = f.space, old = address_space(m, from);
    if (space == old || (ir_is_const(from) && !from->lanes[0]))
        return lowered(m, b, from, &f);
    if (space == IR_GENERIC)
        return wide_number(m, b, from);
    if (old == IR_GENERIC)
        return from_number(m, b, x, own(m, b, from));
    if (!is_offset(space) && !is_offset(old))
        return lowered(m, b, from, &f);
    return ir_undef(m->m, form_type(&f)); // the pointer is never in that space
}

static struct ir_instr *lower_ptr_space(struct memory *m, struct ir_builder *b, struct ir_instr *x)
{
    enum ir_space space = address_space(m, x->src[0]);
    struct ir_type i32 = ir_int(32);
    if (space != IR_GENERIC)
        return ir_const_int(m->m, i32, space == IR_CONSTANT ? IR_GLOBAL : space);
    struct ir_instr *tag = ir_op2(b, IR_OP_lshr, own(m, b, x->src[0]), ir_const_int(m->m, ir_int(64), tag_shift(m)));
    tag = ir_convert(b, IR_OP_trunc, i32, tag);
    struct ir_instr *is_local = ir_op2(b, IR_OP_ieq, tag, ir_const_int(m->m, i32, TAG_LOCAL));
    struct ir_instr *is_private = ir_op2(b, IR_OP_ieq, tag, ir_const_int(m->m, i32, TAG_PRIVATE));
    struct ir_instr *other = ir_select(b, is_private, ir_const_int(m->m, i32, IR_PRIVATE),
                                       ir_const_int(m->m, i32, IR_GLOBAL));
    return ir_select(b, is_local, ir_const_int(m->m, i32, IR_LOCAL), other);
}

// ---- address arithmetic --------------------------------------------------------------------------

static struct ir_instr *scaled(struct memory *m, struct ir_builder *b, struct ir_instr *index, int64_t by)
{
    uint64_t size = (uint64_t)by;
    if (by > 0 && !(size & (size - 1))) {
        unsigned shift = 0;
        while (size >>= 1)
            shift++;
        return ir_op2(b, IR_OP_shl, index, ir_const_int(m->m, index->type, shift));
    }
    return ir_op2(b, IR_OP_imul, index, ir_const_int(m->m, index->type, size));
}

// index * stride in units. If the unit is a multiple of the stride, the low bits of the index are 0.
static struct ir_instr *in_units(struct memory *m, struct ir_builder *b, struct ir_instr *index,
                                 uint64_t stride, uint64_t unit)
{
    uint64_t common = address_divisor(stride, unit);
    index = common == unit ? index
                           : ir_op2(b, IR_OP_ashr, index,
                                    ir_const_int(m->m, index->type, log2_of((uint32_t)(unit / common))));
    return scaled(m, b, index, (int64_t)(stride / common));
}

static struct ir_instr *lower_index(struct memory *m, struct ir_builder *b, struct ir_instr *x)
{
    struct form f = form_of(m, x);
    struct ir_type type = form_type(&f);
    int64_t unit = f.region ? f.region->unit : f.buffer ? f.buffer->unit : 1;
    struct ir_instr *at = lowered(m, b, x->src[0], &f);
    if (x->src_count > 1) {
        struct ir_instr *index = latest(x->src[1]);
        if (index->type.bits != type.bits)
            index = ir_convert(b, index->type.bits > type.bits ? IR_OP_trunc : IR_OP_sext, type, index);
        bool back = x->stride < 0 && x->stride > INT64_MIN;
        struct ir_instr *distance = in_units(m, b, index, (uint64_t)(back ? -x->stride : x->stride), (uint64_t)unit);
        at = ir_op2(b, back ? IR_OP_isub : IR_OP_iadd, at, distance);
    }
    return ir_op2(b, IR_OP_iadd, at, ir_const_int(m->m, type, (uint64_t)(x->offset / unit)));
}

static bool is_null(const struct ir_instr *x) { return ir_is_const(x) && !x->lanes[0]; }

// Compares with null in the form of the other pointer.
static struct ir_instr *compare_null(struct memory *m, struct ir_builder *b, struct ir_instr *x)
{
    struct form f = form_of(m, x->src[is_null(x->src[0])]);
    struct ir_instr *second = lowered(m, b, x->src[1], &f);
    return ir_op2(b, (enum ir_op)x->op, lowered(m, b, x->src[0], &f), second);
}

static struct ir_instr *lower_compare(struct memory *m, struct ir_builder *b, struct ir_instr *x)
{
    struct form f = form_of(m, x->src[0]), g = form_of(m, x->src[1]);
    bool raw = (f.region && f.region == g.region) || (f.buffer && f.buffer == g.buffer);
    if ((m->logical || m->some_plain) && (is_null(x->src[0]) || is_null(x->src[1])))
        return compare_null(m, b, x);
    struct ir_instr *left = raw ? own(m, b, x->src[0]) : number(m, b, x->src[0]);
    struct ir_instr *right = raw ? own(m, b, x->src[1]) : number(m, b, x->src[1]);
    if (left->type.bits != right->type.bits) {
        left = wide_number(m, b, x->src[0]);
        right = wide_number(m, b, x->src[1]);
    }
    return ir_op2(b, (enum ir_op)x->op, left, right);
}

static struct ir_instr *lower_select(struct memory *m, struct ir_builder *b, struct ir_instr *x)
{
    struct form f = form_of(m, x);
    struct ir_instr *otherwise = lowered(m, b, x->src[2], &f);
    return ir_select(b, latest(x->src[0]), lowered(m, b, x->src[1], &f), otherwise);
}

// ---- constants at known offsets ------------------------------------------------------------------

// The address that a constant contains at a known offset; NULL if there is none.
static struct ir_instr *address_in_constant(struct memory *m, struct ir_builder *b,
                                            const struct ir_instr *x)
{
    int64_t at;
    const struct ir_var *var = opt_var_at(x->src[0], &at);
    if (!var || var->space != IR_CONSTANT || !var->init || x->type.lanes != 1 ||
        ir_type_bytes(x->type) != kc_pointer_bytes(m->c->target))
        return NULL;
    for (uint32_t i = 0; i < var->reloc_count; i++) {
        const struct ir_reloc *reloc = &var->relocs[i];
        if (at >= 0 && reloc->offset == (uint64_t)at)
            return ir_op2(b, IR_OP_iadd, data_address(m, b, reloc->var),
                          ir_const_int(m->m, ir_int(64), (uint64_t)reloc->addend));
    }
    return NULL;
}

static struct ir_instr *fold_load(struct memory *m, struct ir_builder *b, const struct ir_instr *x)
{
    struct ir_instr number = *x, *address = address_in_constant(m, b, x);
    if (is_pointer(x))
        number.type = ir_int(x->type.bits);
    return address ? address : opt_constant_load(m->m, &number);
}

// ---- accesses ------------------------------------------------------------------------------------

// An address that is a multiple of an index in its buffer: elements of vectors are then counted without a division.
static void find_index(struct memory *m, struct ir_builder *b, struct place *p, struct ir_instr *pointer)
{
    if (!p->buffer || pointer->op != IR_OP_ptr_index || pointer->src_count < 2 || pointer->stride <= 0 || pointer->offset < 0)
        return;
    const struct ir_instr *start = own(m, b, pointer->src[0]);
    if (!ir_is_const(start) || start->lanes[0])
        return;
    struct ir_instr *index = latest(pointer->src[1]);
    if (index->type.bits != 32)
        index = ir_convert(b, index->type.bits > 32 ? IR_OP_trunc : IR_OP_sext, ir_int(32), index);
    p->index = index;
    p->stride = (uint64_t)pointer->stride;
    p->offset = (uint64_t)pointer->offset;
}

static struct place place_of(struct memory *m, struct ir_builder *b, struct ir_instr *x)
{
    struct place p = {.region = address_region(m, x->src[0]), .space = address_space(m, x->src[0]), .mem = x->mem};
    p.address = own(m, b, x->src[0]);
    p.buffer = buffers_only(m, x->src[0]);
    p.unit = p.buffer ? p.buffer->unit : 0;
    p.reached = p.buffer || is_offset(p.space) ? 0 : buffers_reached(m, x->src[0]);
    p.mem.space = (uint8_t)p.space;
    p.mem.readonly |= x->op == IR_OP_load && x->mem.space == IR_CONSTANT;
    p.mem.coherent = p.space == IR_LOCAL || (p.space == IR_GLOBAL && !p.mem.readonly &&
                                             (m->coherent_global || x->mem.is_volatile));
    if (m->some_plain && p.buffer && m->c->target->plain_arguments == KC_PLAIN_OFFSETS)
        return plain_address(m, b, &p);
    find_index(m, b, &p, x->src[0]);
    return p;
}

// Whether the place is an offset that belongs to no variable, i.e. null.
static bool is_null_place(const struct memory *m, const struct place *p)
{
    return is_offset(p->space) ? !p->region : m->logical && !p->buffer && !p->reached;
}

static struct ir_instr *one_access(struct memory *m, struct ir_builder *b, const struct place *p, const struct ir_instr *x,
                                   struct ir_type type, struct ir_instr *const *src)
{
    if (x->op == IR_OP_load)
        return access_load(m, b, p, type);
    if (x->op == IR_OP_atomic)
        return access_atomic(m, b, p, x, src[0], src[1]);
    access_store(m, b, p, src[0]);
    return NULL;
}

static struct ir_instr *merged(struct ir_builder *b, struct ir_instr *const values[2], struct ir_block *const from[2])
{
    struct ir_builder head = *b;
    ir_place_after_phis(&head, b->block);
    struct ir_instr *phi = ir_phi(&head, values[0]->type, 2);
    for (unsigned i = 0; i < 2; i++) {
        phi->src[i] = values[i];
        phi->preds[i] = from[i];
    }
    return phi;
}

// Accesses the buffer that contains the place: tests the candidates in order; the last one needs no test. Returns the
// result of `x`.
static struct ir_instr *access_any(struct memory *m, struct ir_builder *b, const struct place *p, const struct ir_instr *x,
                               struct ir_type type, struct ir_instr *const *src)
{
    stack_check();
    if (!p->reached)
        return one_access(m, b, p, x, type, src);
    size_t first = (size_t)__builtin_ctzll(p->reached);
    struct place others = *p, candidate = buffer_candidate(m, b, p, first);
    others.reached &= others.reached - 1;
    if (!others.reached)
        return one_access(m, b, &candidate, x, type, src);
    struct ir_if *node = ir_add_if(b, buffer_is(m, b, p, first));
    struct ir_instr *values[2];
    struct ir_block *from[2];
    struct ir_builder in = *b;
    ir_place_end(&in, &node->then_list);
    values[0] = one_access(m, &in, &candidate, x, type, src);
    from[0] = in.block;
    ir_place_end(&in, &node->else_list);
    values[1] = access_any(m, &in, &others, x, type, src);
    from[1] = in.block;
    ir_place_after(b, &node->node);
    return values[0] ? merged(b, values, from) : NULL;
}

static struct ir_instr *lower_load(struct memory *m, struct ir_builder *b, struct ir_instr *x)
{
    struct place p = place_of(m, b, x);
    struct ir_type type = is_pointer(x) ? ir_int(x->type.bits) : x->type;
    struct ir_instr *value = is_null_place(m, &p) ? ir_undef(m->m, type) : fold_load(m, b, x);
    if (!value)
        value = access_any(m, b, &p, x, type, NULL);
    if (is_pointer(x) && value->type.bits < 64)
        value = ir_convert(b, IR_OP_zext, ir_int(64), value);
    return is_pointer(x) ? from_number(m, b, x, value) : value;
}

static void lower_store(struct memory *m, struct ir_builder *b, struct ir_instr *x)
{
    struct place p = place_of(m, b, x);
    struct ir_instr *value = is_pointer(x->src[1]) ? wide_number(m, b, x->src[1]) : latest(x->src[1]);
    if (is_pointer(x->src[1]) && x->src[1]->type.bits < 64)
        value = ir_convert(b, IR_OP_trunc, ir_int(x->src[1]->type.bits), value);
    if (!is_null_place(m, &p))
        access_any(m, b, &p, x, value->type, &value);
    ir_remove(x);
}

// The distance of a matrix's rows: from components to elements of the array.
static struct ir_instr *lower_stride(struct memory *m, struct ir_builder *b, const struct ir_instr *x,
                                     const struct region *r, struct ir_type component)
{
    struct ir_instr *stride = latest(x->src[x->src_count - 1]);
    if (stride->type.bits != 32)
        stride = ir_convert(b, IR_OP_trunc, ir_int(32), stride);
    return r ? in_units(m, b, stride, component.bits / 8u, r->unit) : stride;
}

static struct ir_instr *lower_matrix(struct memory *m, struct ir_builder *b, struct ir_instr *x)
{
    bool load = x->op == IR_OP_mat_load;
    struct place p = place_of(m, b, x);
    if (p.space == IR_CONSTANT)
        p.space = IR_GLOBAL;
    p.mem.space = (uint8_t)p.space;
    struct ir_instr like = {.mem = p.mem}, *value = load ? NULL : latest(x->src[1]);
    struct ir_type type = load ? x->type : value->type;
    struct ir_instr *stride = lower_stride(m, b, x, p.region, ir_component(type));
    struct ir_instr *src[3] = {p.address, load ? stride : value, stride};
    like.by_columns = x->by_columns;
    like.var = p.region ? p.region->array : NULL;
    enum ir_op op = load ? (p.region ? IR_OP_mat_elem_load : IR_OP_mat_load)
                         : (p.region ? IR_OP_mat_elem_store : IR_OP_mat_store);
    if (is_null_place(m, &p))
        return load ? ir_undef(m->m, type) : NULL;
    if (m->logical && !p.region) {
        m->m->matrix_units_failed = true;
        ir_fail(m->m, x->origin, "matrix units cannot access matrices in storage buffers");
    }
    if (!p.region && p.space != IR_GLOBAL)
        ir_fail(m->m, x->origin, "internal: a cooperative matrix in memory of an unknown kind");
    return ir_build_like(b, op, load ? type : ir_void(), src, load ? 2 : 3, &like);
}

static struct ir_instr *lower_atomic(struct memory *m, struct ir_builder *b, struct ir_instr *x)
{
    struct place p = place_of(m, b, x);
    if (is_null_place(m, &p))
        return ir_undef(m->m, x->type);
    struct ir_instr *src[2] = {x->src_count > 1 ? latest(x->src[1]) : NULL, x->src_count > 2 ? latest(x->src[2]) : NULL};
    return access_any(m, b, &p, x, x->type, src);
}

// ---- phis: sources may be lowered later -----------------------------------------------------------

static struct ir_instr *begin_phi(struct memory *m, struct ir_instr *phi)
{
    struct ir_builder b = {.module = m->m, .function = m->f, .block = phi->block};
    struct form f = form_of(m, phi);
    struct ir_type type = form_type(&f);
    struct ir_instr *made = ir_phi(&b, type, phi->src_count);
    for (uint32_t i = 0; i < phi->src_count; i++) {
        made->src[i] = ir_undef(m->m, type); // placeholder
        made->preds[i] = phi->preds[i];
    }
    vec_push(m->scratch, &m->phis, phi);
    vec_push(m->scratch, &m->new_phis, made);
    return made;
}

static void finish_phi(struct memory *m, struct ir_instr *phi, struct ir_instr *made)
{
    struct form f = form_of(m, phi);
    for (uint32_t i = 0; i < phi->src_count; i++) {
        struct ir_block *from = made->preds[i]; // the original phi's block may have been split
        struct ir_builder b = {.module = m->m, .function = m->f, .block = from};
        b.before = ir_ends_in_jump(from) ? from->last : NULL;
        made->src[i] = lowered(m, &b, phi->src[i], &f);
    }
}

static void finish_phis(struct memory *m)
{
    for (size_t i = 0; i < m->phis.count; i++)
        finish_phi(m, m->phis.items[i], m->new_phis.items[i]);
}

// ---- instructions --------------------------------------------------------------------------------

// Arguments get the form of the parameters: both are in one region.
static void lower_call(struct memory *m, struct ir_builder *b, struct ir_instr *x)
{
    if (!x->callee->has_body || is_pointer(x)) {
        ir_fail(m->m, x->origin, "a call of an undefined function passes pointers");
        return;
    }
    for (uint32_t i = 0; i < x->src_count; i++) {
        const struct ir_instr *param = m->params[x->callee->id][i];
        struct form f = is_pointer(param) ? form_of(m, param) : (struct form){0};
        if (is_pointer(x->src[i]))
            x->src[i] = lowered(m, b, x->src[i], &f);
    }
}

// The replacement for x; NULL if it remains or is removed already.
static struct ir_instr *lower_instr(struct memory *m, struct ir_builder *b, struct ir_instr *x)
{
    switch (x->op) {
    case IR_OP_ptr_index: return lower_index(m, b, x);
    case IR_OP_ptr_cast: return lower_cast(m, b, x);
    case IR_OP_ptr_space: return lower_ptr_space(m, b, x);
    case IR_OP_int_to_ptr: return lower_int_to_ptr(m, b, x);
    case IR_OP_ptr_to_int: return wide_number(m, b, x->src[0]);
    case IR_OP_select: return lower_select(m, b, x);
    case IR_OP_load: return lower_load(m, b, x);
    case IR_OP_atomic: return lower_atomic(m, b, x);
    case IR_OP_mat_load: return lower_matrix(m, b, x);
    case IR_OP_mat_store:
        lower_matrix(m, b, x);
        ir_remove(x);
        return NULL;
    case IR_OP_store: lower_store(m, b, x); return NULL;
    case IR_OP_phi: return begin_phi(m, x);
    case IR_OP_call: lower_call(m, b, x); return NULL;
    case IR_OP_copy:
    case IR_OP_zero: ir_fail(m->m, x->origin, "internal: a copy reached lower_memory"); return NULL;
    case IR_OP_return: ir_fail(m->m, x->origin, "internal: a pointer is returned"); return NULL;
    default: break;
    }
    if (ir_ops[x->op].rule == IR_RULE_COMPARE)
        return lower_compare(m, b, x);
    ir_fail(m->m, x->origin, arena_printf(m->m->arena, "internal: '%s' of pointers", ir_ops[x->op].name));
    return NULL;
}

static void lower_instrs(struct memory *m)
{
    for (size_t i = m->users_of[m->f->id].first; i < m->users_of[m->f->id].end && !m->m->error; i++) {
        struct ir_instr *x = m->users.items[i];
        struct ir_builder b = ir_before(m->f, x);
        struct ir_instr *value = lower_instr(m, &b, x);
        if (value)
            ir_replace(x, value);
        else if (x->op == IR_OP_atomic)
            ir_remove(x);
    }
}

static void lower_params(struct memory *m)
{
    struct ir_function *f = m->f;
    struct ir_instr **params = ARENA_ARRAY(m->m->arena, struct ir_instr *, f->param_count + 1);
    m->params[f->id] = f->params; // needed for calls of it
    for (uint32_t i = 0; i < f->param_count; i++) {
        params[i] = f->params[i];
        if (!is_pointer(params[i]))
            continue;
        params[i] = ARENA_NEW(m->m->arena, struct ir_instr);
        *params[i] = *f->params[i];
        struct form form = form_of(m, f->params[i]);
        params[i]->type = form_type(&form);
        ir_replace(f->params[i], params[i]);
    }
    f->params = params;
}

// ---- the function and the module -----------------------------------------------------------------

static bool is_array(const struct ir_var *var) { return var->elem.base != IR_VOID; }

static void drop_vars(struct ir_function *f)
{
    size_t remaining = 0;
    for (size_t i = 0; i < f->vars.count; i++)
        if (is_array(f->vars.items[i]))
            f->vars.items[remaining++] = f->vars.items[i];
    f->vars.count = remaining;
}


static void drop_local_vars(struct ir_module *module)
{
    size_t remaining = 0;
    for (size_t i = 0; i < module->vars.count; i++)
        if (module->vars.items[i]->space != IR_LOCAL || is_array(module->vars.items[i]))
            module->vars.items[remaining++] = module->vars.items[i];
    module->vars.count = remaining;
}

static void lower_function(struct memory *m, struct ir_function *f)
{
    m->f = f;
    f->converged = false; // enables the repeated passes again
    m->data_base = NULL;
    m->phis.count = m->new_phis.count = m->plain_sums.count = 0;
    lower_params(m);
    buffers_enter(m);
    private_enter(m);
    lower_instrs(m);
    if (m->m->error)
        return;
    finish_phis(m);
    plain_leave(m);
    ir_resolve(m->f);
    buffers_leave(m);
}

static void place(struct memory *m)
{
    address_analyse(m);
    buffers_find(m);
    plain_choose(m);
    buffers_analyse(m);
    m->coherent_global = memory_is_shared(m->m);
    m->params = ARENA_ARRAY(m->scratch, struct ir_instr **, m->m->functions.count + 1);
    for (size_t i = 0; i < m->m->functions.count; i++)
        m->params[i] = m->m->functions.items[i]->params;
    private_place(m);
    for (size_t i = 0; i < m->m->functions.count; i++)
        if (m->m->functions.items[i]->kernel)
            m->f = m->m->functions.items[i];
    if (m->f && !m->m->error)
        local_place(m);
}

// Requires: no function returns a pointer, no copy or zero, kernels without parameters. Keeps: everything else.
// Removes: IR_PTR, addr, ptr_*, int_to_ptr. Remaining accesses: load, store and atomic at i64 device addresses that
// are aligned to their scalars, and elem_* on arrays and views of buffers.
bool lower_memory(struct pass_context *c)
{
    struct memory m = {.c = c, .m = c->module, .scratch = c->scratch, .next_bias = 256};
    struct ir_module *module = c->module;
    data_segment_layout(module);
    place(&m);
    for (size_t i = 0; i < module->functions.count && !module->error; i++)
        if (module->functions.items[i]->has_body)
            lower_function(&m, module->functions.items[i]);
    for (size_t i = 0; i < module->functions.count && !module->error; i++)
        if (module->functions.items[i]->has_body)
            drop_vars(module->functions.items[i]);
    if (!module->error)
        drop_local_vars(module);
    return true;
}
