// SPDX-License-Identifier: Apache-2.0
// Plain buffer arguments under physical addressing: buffers that a kernel accesses only through the argument itself.
//
// An argument is plain if no pointer that may point to its buffer may point elsewhere, and if none of them escapes:
// converted to a number, stored in memory, or compared with a pointer to another buffer. Pointers are then 32-bit
// offsets from the argument (buffers.c), and the launch must supply the buffer's extent (kc_arg.bounded). Plain or
// not, buffer arguments are aligned (lower_args: kc_arg.aligned), and loads and stores are as wide as that allows.
//
// With offsets from an address, each argument is decided independently. With bindings, all used arguments must be
// plain and all pointers known: drivers assume that an access by address does not alias a bound buffer.
#include "passes/memory.h"
#include "passes/push.h"

static bool is_pointer(const struct ir_instr *x) { return x->type.base == IR_PTR; }

static bool is_null(const struct ir_instr *x) { return ir_is_const(x) && !x->lanes[0]; }

struct choice {
    struct memory *m;
    uint64_t refused; // bits of buffers that are not plain
    bool unknown;     // there are pointers that may point anywhere
};

static bool is_one(uint64_t set) { return set && !(set & (set - 1)); }

static uint64_t set_of(struct choice *c, const struct ir_instr *x)
{
    return is_pointer(x) && address_spaces(c->m, x) & 1u << IR_GLOBAL ? buffers_set(c->m, x) : 0;
}

static void see_pointer(struct choice *c, const struct ir_instr *x)
{
    uint64_t set = set_of(c, x);
    if (!is_one(set) || address_space(c->m, x) == IR_GENERIC)
        c->refused |= set;
}

static void refuse(struct choice *c, const struct ir_instr *x) { c->refused |= set_of(c, x); }

static void see_compare(struct choice *c, const struct ir_instr *x)
{
    uint64_t sets[2] = {set_of(c, x->src[0]), set_of(c, x->src[1])};
    bool with_null = is_null(x->src[0]) || is_null(x->src[1]);
    if (with_null && is_one(sets[0] | sets[1]))
        c->m->buffers.items[__builtin_ctzll(sets[0] | sets[1])].compared = true;
    else if (sets[0] != sets[1])
        c->refused |= sets[0] | sets[1];
}

// A pointer whose origin is neither an argument nor a variable.
static bool is_unknown(struct choice *c, const struct ir_instr *x)
{
    if (!is_pointer(x) || !(address_spaces(c->m, x) & 1u << IR_GLOBAL))
        return false;
    return x->op == IR_OP_load || x->op == IR_OP_call || (x->op == IR_OP_int_to_ptr && !buffers_name(x->src[0])) ||
           (ir_is_const(x) && !is_null(x));
}

static void see_user(struct choice *c, const struct ir_instr *x)
{
    see_pointer(c, x);
    c->unknown |= is_unknown(c, x);
    for (uint32_t i = 0; i < x->src_count; i++) {
        see_pointer(c, x->src[i]);
        c->unknown |= is_unknown(c, x->src[i]);
    }
    switch (x->op) {
    case IR_OP_ptr_to_int:
    case IR_OP_mat_load:
    case IR_OP_mat_store: refuse(c, x->src[0]); break;
    case IR_OP_int_to_ptr:
        if (!buffers_name(x->src[0]))
            refuse(c, x);
        break;
    case IR_OP_store:
    case IR_OP_atomic:
        for (uint32_t i = 1; i < x->src_count; i++)
            refuse(c, x->src[i]);
        break;
    default:
        if (ir_ops[x->op].rule == IR_RULE_COMPARE)
            see_compare(c, x);
        break;
    }
}

// Arguments whose pointers have already become integers.
static void see_numbers(struct choice *c, const struct ir_block *block)
{
    const struct ir_node *next = block->node.next;
    struct memory *m = c->m;
    for (size_t i = 1; i < m->buffers.count; i++) {
        const struct ir_instr *value = next && next->kind == IR_SWITCH ? ((const struct ir_switch *)next)->value : NULL;
        if (value && buffers_name(value) && value->dim == m->buffers.items[i].arg)
            c->refused |= UINT64_C(1) << i;
    }
    for (const struct ir_instr *x = block->first; x; x = x->next)
        for (uint32_t i = 0; x->op != IR_OP_int_to_ptr && i < x->src_count; i++)
            for (size_t k = 1; buffers_name(x->src[i]) && k < m->buffers.count; k++)
                if (m->buffers.items[k].arg == x->src[i]->dim)
                    c->refused |= UINT64_C(1) << k;
}

// The buffers whose starts are used as pointers.
static uint64_t named(const struct memory *m)
{
    uint64_t set = 0;
    for (size_t i = 0; i < m->users.count; i++)
        if (is_pointer(m->users.items[i]))
            set |= buffers_set(m, m->users.items[i]);
    return set & ~UINT64_C(1);
}

static bool may_be_plain(const struct choice *c, uint64_t plain, uint64_t used)
{
    enum kc_plain_arguments way = c->m->c->target->plain_arguments;
    if (way != KC_PLAIN_BINDINGS)
        return way == KC_PLAIN_OFFSETS;
    uint32_t most = c->m->c->target->max_storage_buffers;
    return !c->unknown && plain == used && (!most || (uint32_t)__builtin_popcountll(plain) <= most) &&
           !c->m->kernel->info.whole_sub_groups;
}

static struct kc_arg *own_args(struct memory *m)
{
    struct kc_kernel *info = &m->kernel->info;
    struct kc_arg *args = arena_copy(m->m->arena, info->args, info->arg_count * sizeof *args);
    info->args = args;
    return args;
}

void plain_choose(struct memory *m)
{
    struct choice c = {.m = m};
    if (m->logical || !m->buffers.count)
        return;
    for (size_t i = 0; i < m->users.count; i++)
        see_user(&c, m->users.items[i]);
    for (size_t i = 0; i < m->m->functions.count; i++)
        for (struct ir_block *b = ir_first_block(m->m->functions.items[i]); b; b = ir_next_block(b))
            see_numbers(&c, b);
    uint64_t used = named(m), plain = used & ~c.refused;
    m->some_plain = plain && may_be_plain(&c, plain, used);
    struct kc_arg *args = m->some_plain ? own_args(m) : NULL;
    for (size_t i = 1; i < m->buffers.count && args; i++) {
        struct buffer *buffer = &m->buffers.items[i];
        buffer->plain = plain >> i & 1;
        args[buffer->arg].bounded = buffer->plain;
    }
}

// ---- offsets from an address ---------------------------------------------------------------------------

static struct ir_instr *constant(const struct memory *m, unsigned bits, int64_t value)
{
    return ir_const_int(m->m, ir_int(bits), (uint64_t)value);
}

static struct ir_instr *add(const struct memory *m, struct ir_builder *b, struct ir_instr *x, int64_t value)
{
    return ir_op2(b, IR_OP_iadd, x, constant(m, x->type.bits, value));
}

// Offsets wrap at 2^32. A small constant offset is added to the 64-bit address instead, if the device's addressing
// mode has it for free; the 32-bit offset counts from BIAS bytes before the buffer, so that it does not wrap.
enum { BIAS = 4096 };

static int64_t small_constant(const struct ir_instr *units, uint32_t unit)
{
    bool sum = units->op == IR_OP_iadd && ir_is_const(units->src[1]);
    int64_t bytes = sum ? (int64_t)(int32_t)(uint32_t)units->src[1]->lanes[0] * unit : 0;
    return bytes >= -BIAS && bytes < BIAS ? bytes : 0;
}

// KC_BOUNDED_FRONT bytes before the address, without a carry: kc_arg.bounded.
static struct ir_instr *front_of(struct memory *m, struct ir_instr *base)
{
    struct ir_builder b = {.module = m->m, .function = m->f, .block = base->block, .before = base->next};
    struct ir_instr *words = ir_convert(&b, IR_OP_bitcast, ir_with_lanes(ir_int(32), 2), base);
    struct ir_instr *low = add(m, &b, ir_extract(&b, words, 0), -KC_BOUNDED_FRONT);
    return ir_convert(&b, IR_OP_bitcast, base->type, ir_vec(&b, (struct ir_instr *[]){low, ir_extract(&b, words, 1)}, 2));
}

// Splits the constant `bytes` into one of [0, KC_BOUNDED_FRONT), which is added to the address, and the rest, which is
// added to the offset: that counts from half as many bytes before the buffer.
static struct ir_instr *positive_address(struct memory *m, struct ir_builder *b, struct ir_instr *base, struct ir_instr *offset,
                                         int64_t bytes)
{
    const int64_t half = KC_BOUNDED_FRONT / 2, low = (bytes + half + 2 * BIAS * (int64_t)KC_BOUNDED_FRONT) % KC_BOUNDED_FRONT;
    offset = add(m, b, offset, bytes + KC_BOUNDED_FRONT - low);
    return add(m, b, ir_op2(b, IR_OP_iadd, front_of(m, base), ir_convert(b, IR_OP_zext, ir_int(64), offset)), low);
}

struct place plain_address(struct memory *m, struct ir_builder *b, const struct place *p)
{
    struct place q = *p;
    unsigned shift = (unsigned)__builtin_ctz(p->buffer->unit);
    int64_t byte_offset = small_constant(p->address, p->buffer->unit);
    struct ir_instr *base = push_value(b, KC_PUSH_ARG, 0, p->buffer->arg, ir_int(64));
    struct ir_instr *offset = ir_op2(b, IR_OP_shl, byte_offset ? p->address->src[0] : p->address, constant(m, 32, shift));
    q.buffer = NULL;
    q.unit = 0;
    if (byte_offset && m->c->target->positive_offsets) {
        p->buffer->front_in = m->f;
        q.address = positive_address(m, b, base, offset, byte_offset);
        return q;
    }
    if (byte_offset) {
        struct ir_builder head = {.module = m->m, .function = m->f, .block = base->block, .before = base->next};
        offset = add(m, b, offset, BIAS);
        base = add(m, &head, base, -BIAS);
    }
    q.address = ir_op2(b, IR_OP_iadd, base, ir_convert(b, IR_OP_zext, ir_int(64), offset));
    if (q.address->op == IR_OP_iadd && m->c->target->positive_offsets)
        vec_push(m->scratch, &m->plain_sums, ((struct plain_sum){q.address, p->buffer}));
    q.address = add(m, b, q.address, byte_offset);
    return q;
}

// If some accesses to a buffer need the address before its start, the others use it, too, so that only one is live.
void plain_leave(struct memory *m)
{
    for (size_t i = 0; i < m->plain_sums.count; i++) {
        struct ir_instr *sum = m->plain_sums.items[i].address;
        if (m->plain_sums.items[i].buffer->front_in != m->f)
            continue;
        struct ir_builder b = ir_before(m->f, sum);
        struct ir_instr *front = ir_op2(&b, IR_OP_iadd, front_of(m, sum->src[0]), sum->src[1]);
        ir_replace(sum, add(m, &b, front, KC_BOUNDED_FRONT));
    }
}
