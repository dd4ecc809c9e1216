// SPDX-License-Identifier: Apache-2.0
// Logical addressing: determines which storage buffers a global pointer can reach, and how the pointer is
// represented.
//
// Buffers propagate with pointers from arguments and the program's data through ptr_index, phi, select, cast and
// calls. If a pointer can reach only one buffer, it is a 32-bit index in that buffer's units, and accesses name the
// buffer. Else it is a number: the buffer in the upper half (the upper 5 bits of 32-bit pointers), the byte offset in
// the lower; an access selects among the buffers. Pointers loaded from memory or made from unknown integers may reach
// any argument or the program's data. Null is number 0, or the last index.
//
// A buffer is accessed through views, which are variables of its binding: integers of 1 to 8 bytes, and vectors of
// i32 with 8 and 16 bytes. Accessed values are cast. All views of a buffer overlap.
//
// The buffers' numbers matter only if the kernel observes them: if it compares pointers, converts them to integers or
// stores them in memory. Then the launch passes each argument's number, so that arguments with the same buffer have
// equal numbers. Else the numbers are constants, by position in the list.
//
// With physical addressing and plain arguments (plain.c), only these arguments are buffers; everything else, numbers
// included, is an address.
#include "passes/memory.h"
#include "passes/push.h"
#include "util/stack.h"

enum { MAX_BUFFERS = 64 }; // bits of a set

static bool is_pointer(const struct ir_instr *x) { return x->type.base == IR_PTR; }

static uint64_t bit(size_t buffer) { return UINT64_C(1) << buffer; }

static unsigned log2_of(uint32_t x) { return (unsigned)__builtin_ctz(x); }

static struct ir_instr *i32(struct memory *m, uint64_t value) { return ir_const_int(m->m, ir_int(32), value); }

// ---- the kernel's buffers --------------------------------------------------------------------------

// Number of bits of the offset in a number.
static unsigned offset_bits(const struct memory *m) { return ir_offset_bits(m->c->target); }

static const char too_many[] = "the kernel has too many global pointers for a device without buffer addresses";

static bool has_data(const struct ir_module *m)
{
    for (size_t i = 0; i < m->vars.count; i++)
        if (ir_is_data(m->vars.items[i]))
            return true;
    return false;
}

static void add_buffer(struct memory *m, enum kc_binding_kind kind, uint32_t arg)
{
    const struct kc_place *places = m->kernel->info.places;
    struct buffer buffer = {.kind = kind, .arg = arg, .unit = 1};
    buffer.uniform = kind == KC_BINDING_BUFFER && places && places[arg].kind == KC_PLACE_UNIFORM;
    buffer.embedded = kind == KC_BINDING_DATA && m->m->mapping && m->m->mapping->data_embedded;
    vec_push(m->scratch, &m->buffers, buffer);
}

static bool is_global(const struct kc_arg *arg) { return arg->kind == KC_ARG_GLOBAL || arg->kind == KC_ARG_CONSTANT; }

static size_t count_global(const struct kc_kernel *info)
{
    size_t count = 0;
    for (uint32_t i = 0; i < info->arg_count; i++)
        count += is_global(&info->args[i]);
    return count;
}

static bool *find_named(const struct memory *m)
{
    bool *named = ARENA_ARRAY(m->scratch, bool, m->kernel->info.arg_count + 1);
    for (size_t i = 0; i < m->m->functions.count; i++)
        for (struct ir_block *b = ir_first_block(m->m->functions.items[i]); b; b = ir_next_block(b))
            for (struct ir_instr *x = b->first; x; x = x->next)
                if (x->op == IR_OP_sys && x->sys == IR_SYS_BUFFER)
                    named[x->dim] = true;
    return named;
}

// The program's data come first, because the program's constants contain their number. If there are too many
// arguments, only those that the kernel uses are listed; no pointer can reach the others.
static void list_buffers(struct memory *m)
{
    enum { OTHERS = 3 };
    const struct kc_kernel *info = &m->kernel->info;
    const bool *named = count_global(info) + OTHERS <= MAX_BUFFERS ? NULL : find_named(m);
    add_buffer(m, KC_BINDING_DATA, 0);
    for (uint32_t i = 0; i < info->arg_count; i++)
        if (is_global(&info->args[i]) && (!named || named[i]))
            add_buffer(m, KC_BINDING_BUFFER, i);
    m->every = (bit(m->buffers.count) - 1) & (has_data(m->m) ? ~UINT64_C(0) : ~bit(0));
    add_buffer(m, KC_BINDING_PRINTF, 0);
    add_buffer(m, KC_BINDING_SCRATCH, 0);
    if (m->buffers.count > MAX_BUFFERS)
        ir_fail(m->m, 0, too_many);
}

// The first entry represents everything that has an address.
static void list_arguments(struct memory *m)
{
    const struct kc_kernel *info = &m->kernel->info;
    const bool *named = count_global(info) < MAX_BUFFERS ? NULL : find_named(m);
    size_t count = 1;
    m->every = bit(0);
    for (uint32_t i = 0; named && i < info->arg_count; i++)
        count += is_global(&info->args[i]) && named[i];
    if (count > MAX_BUFFERS)
        return;
    add_buffer(m, KC_BINDING_DATA, 0);
    for (uint32_t i = 0; i < info->arg_count && i <= UINT16_MAX; i++)
        if (is_global(&info->args[i]) && (!named || named[i]))
            add_buffer(m, KC_BINDING_BUFFER, i);
}

static size_t find_buffer(const struct memory *m, enum kc_binding_kind kind, uint32_t arg)
{
    for (size_t i = 0; i < m->buffers.count; i++)
        if (m->buffers.items[i].kind == kind && m->buffers.items[i].arg == arg)
            return i;
    return 0;
}

// ---- sets ------------------------------------------------------------------------------------------

static bool is_buffer(const struct ir_instr *x)
{
    return x->op == IR_OP_sys && (x->sys == IR_SYS_BUFFER || x->sys == IR_SYS_PRINTF);
}

static size_t named_buffer(const struct memory *m, const struct ir_instr *x)
{
    return x->sys == IR_SYS_PRINTF ? find_buffer(m, KC_BINDING_PRINTF, 0) : find_buffer(m, KC_BINDING_BUFFER, x->dim);
}

static uint64_t set_of(const struct memory *m, const struct ir_instr *x)
{
    if (x->op == IR_OP_addr)
        return x->var->space == IR_CONSTANT || x->var->space == IR_GLOBAL ? bit(0) : 0;
    if (x->op == IR_OP_undef || (ir_is_const(x) && !x->lanes[0]))
        return 0;
    return ir_is_const(x) ? m->every : m->sets[x->id];
}

// The buffers that an integer may have been derived from. Integers below the smallest buffer number are derived from
// none.
static uint64_t set_of_number(const struct memory *m, const struct ir_instr *x, unsigned depth)
{
    stack_check();
    enum { MAX_DEPTH = 8 };
    uint64_t set = 0;
    unsigned pointer = kc_pointer_bytes(m->c->target) * 8;
    if (depth > MAX_DEPTH)
        return m->every;
    switch (x->op) {
    case IR_OP_ptr_to_int: return set_of(m, x->src[0]);
    case IR_OP_sys: return is_buffer(x) ? bit(named_buffer(m, x)) : 0;
    case IR_OP_zext:
    case IR_OP_sext:
    case IR_OP_trunc:
        if (x->type.bits < pointer || x->src[0]->type.base != IR_INT || x->src[0]->type.bits < pointer)
            return 0;
        return set_of_number(m, x->src[0], depth + 1);
    case IR_OP_imul:
    case IR_OP_undef: return 0;
    case IR_OP_const: return x->lanes[0] >> offset_bits(m) && ~x->lanes[0] >> offset_bits(m) ? m->every : 0;
    case IR_OP_shl:
        if (x->src[0]->op != IR_OP_lshr && x->src[0]->op != IR_OP_ashr)
            return 0;
        return set_of_number(m, x->src[0]->src[0], depth + 1);
    case IR_OP_iadd:
    case IR_OP_isub:
    case IR_OP_and:
    case IR_OP_or:
    case IR_OP_phi:
    case IR_OP_select:
        for (uint32_t i = x->op == IR_OP_select; i < x->src_count; i++)
            set |= set_of_number(m, x->src[i], depth + 1);
        return set;
    default: return m->every;
    }
}

static bool grow(struct memory *m, uint32_t id, uint64_t set)
{
    uint64_t old = m->sets[id];
    m->sets[id] |= set;
    return m->sets[id] != old;
}

static uint64_t set_of_int_to_ptr(const struct memory *m, const struct ir_instr *x)
{
    uint64_t set = set_of_number(m, x->src[0], 0);
    return set ? set : m->every;
}

static bool visit_set(struct memory *m, const struct ir_instr *x)
{
    uint64_t set = 0;
    bool changed = false;
    if (x->op == IR_OP_call)
        for (uint32_t i = 0; x->callee->has_body && i < x->src_count; i++)
            if (is_pointer(x->src[i]))
                changed |= grow(m, x->callee->params[i]->id, set_of(m, x->src[i]));
    if (!is_pointer(x))
        return changed;
    switch (x->op) {
    case IR_OP_ptr_index:
    case IR_OP_ptr_cast:
    case IR_OP_phi:
    case IR_OP_select:
        for (uint32_t i = 0; i < x->src_count; i++)
            if (is_pointer(x->src[i]))
                set |= set_of(m, x->src[i]);
        break;
    case IR_OP_int_to_ptr: set = set_of_int_to_ptr(m, x); break;
    default: set = m->every; break;
    }
    return changed | grow(m, x->id, set);
}

static void find_sets(struct memory *m)
{
    bool changed = true;
    m->sets = ARENA_ARRAY(m->scratch, uint64_t, m->value_count + 1);
    while (changed) {
        changed = false;
        for (size_t i = 0; i < m->users.count; i++)
            changed |= visit_set(m, m->users.items[i]);
    }
}

uint64_t buffers_set(const struct memory *m, const struct ir_instr *x) { return set_of(m, x); }

bool buffers_name(const struct ir_instr *x) { return is_buffer(x); }

uint64_t buffers_reached(struct memory *m, const struct ir_instr *x)
{
    return m->logical ? set_of(m, x) : 0;
}

struct buffer *buffers_only(struct memory *m, const struct ir_instr *x)
{
    enum ir_space space = m->logical || m->some_plain ? address_space(m, x) : IR_PRIVATE;
    uint64_t set = space == IR_GLOBAL || space == IR_CONSTANT ? set_of(m, x) : 0;
    if (!set || set & (set - 1))
        return NULL;
    struct buffer *buffer = &m->buffers.items[__builtin_ctzll(set)];
    return m->logical || buffer->plain ? buffer : NULL;
}

// ---- units -------------------------------------------------------------------------------------------

// Size of the accessed unit: a scalar, or all lanes if they form an element of a view.
static uint32_t access_bytes(struct ir_type type, uint32_t align)
{
    uint32_t scalar = type.bits / 8u, all = ir_elem_bytes(type);
    return all <= BUFFER_WIDEST && all <= align && !(all & (all - 1)) ? all : scalar;
}

// The only buffer that the pointer can reach, whether the pointer is an index or an address.
static struct buffer *origin_of(struct memory *m, const struct ir_instr *x)
{
    enum ir_space space = address_space(m, x);
    uint64_t set = space == IR_GLOBAL || space == IR_CONSTANT ? set_of(m, x) : 0;
    bool one = set && !(set & (set - 1)) && (m->logical || set != bit(0));
    return one ? &m->buffers.items[__builtin_ctzll(set)] : NULL;
}

static void note_access(struct memory *m, const struct ir_instr *x)
{
    struct buffer *buffer = buffers_only(m, x->src[0]);
    struct ir_type type = x->op == IR_OP_store || (x->op == IR_OP_atomic && x->src_count > 1) ? x->src[1]->type : x->type;
    if (type.base == IR_PTR)
        type = ir_int(type.bits);
    if (buffer)
        buffer->sizes |= access_bytes(type, x->mem.align);
}

// ---- observed numbers --------------------------------------------------------------------------------

static bool may_be_argument(struct memory *m, const struct ir_instr *pointer)
{
    uint64_t others = bit(0) | bit(find_buffer(m, KC_BINDING_PRINTF, 0));
    return address_spaces(m, pointer) & 1u << IR_GLOBAL && set_of(m, pointer) & ~others;
}

// Whether the place is an array that only holds pointers: these may have any numbers.
static bool contains_pointers_only(struct memory *m, const struct ir_instr *place)
{
    const struct region *region = address_region(m, place);
    return region && region->base == IR_PTR;
}

static bool is_constant_data(struct memory *m, const struct ir_instr *place)
{
    return address_space(m, place) == IR_CONSTANT && set_of(m, place) == bit(0);
}

static bool is_null_pointer(const struct ir_instr *x) { return ir_is_const(x) && !x->lanes[0]; }

static bool compares_numbers(struct memory *m, const struct ir_instr *x)
{
    const struct ir_instr *left = x->src[0], *right = x->src[1];
    const struct buffer *buffer = is_pointer(left) ? buffers_only(m, left) : NULL;
    if (!is_pointer(left) || is_null_pointer(left) || is_null_pointer(right) || (buffer && buffer == buffers_only(m, right)))
        return false;
    return may_be_argument(m, left) || may_be_argument(m, right);
}

static bool observes_number(struct memory *m, const struct ir_instr *x)
{
    switch (x->op) {
    case IR_OP_ptr_to_int: return may_be_argument(m, x->src[0]);
    case IR_OP_int_to_ptr: return !is_buffer(x->src[0]) && !ir_is_const(x->src[0]) && may_be_argument(m, x);
    case IR_OP_store: return is_pointer(x->src[1]) && may_be_argument(m, x->src[1]) && !contains_pointers_only(m, x->src[0]);
    case IR_OP_load:
        return is_pointer(x) && may_be_argument(m, x) && !contains_pointers_only(m, x->src[0]) && !is_constant_data(m, x->src[0]);
    default: return ir_ops[x->op].rule == IR_RULE_COMPARE && compares_numbers(m, x);
    }
}

// Arguments whose pointers were converted to integers earlier.
static bool is_observed_buffer(const struct ir_instr *x) { return x->op == IR_OP_sys && x->sys == IR_SYS_BUFFER; }

static bool uses_buffer_as_number(const struct ir_block *block)
{
    const struct ir_node *next = block->node.next;
    if (next && next->kind == IR_SWITCH && is_observed_buffer(((const struct ir_switch *)next)->value))
        return true;
    for (const struct ir_instr *x = block->first; x; x = x->next)
        for (uint32_t i = 0; x->op != IR_OP_int_to_ptr && i < x->src_count; i++)
            if (is_observed_buffer(x->src[i]))
                return true;
    return false;
}

static bool observes_numbers(struct memory *m)
{
    for (size_t i = 0; i < m->users.count; i++)
        if (observes_number(m, m->users.items[i]))
            return true;
    for (size_t i = 0; i < m->m->functions.count; i++)
        for (struct ir_block *b = ir_first_block(m->m->functions.items[i]); b; b = ir_next_block(b))
            if (uses_buffer_as_number(b))
                return true;
    return false;
}

// ---- steps --------------------------------------------------------------------------------------------

// Integers may be anything.
static bool is_from_number(struct memory *m, const struct ir_instr *x)
{
    if (x->op == IR_OP_int_to_ptr)
        return !is_buffer(x->src[0]);
    return x->op == IR_OP_load || (x->op == IR_OP_ptr_cast && !origin_of(m, x->src[0]));
}

static void note_step(struct memory *m, const struct ir_instr *x)
{
    for (uint32_t i = 0; i < x->src_count; i++)
        if (x->src[i]->op == IR_OP_addr && set_of(m, x->src[i]))
            m->buffers.items[0].step = address_divisor(m->buffers.items[0].step, x->src[i]->var->data_offset);
    struct buffer *buffer = is_pointer(x) ? origin_of(m, x) : NULL;
    if (!buffer)
        return;
    if (x->op == IR_OP_ptr_index)
        buffer->step = address_step(buffer->step, x);
    else if (is_from_number(m, x))
        buffer->step = 1;
}

static uint32_t low_bit(uint64_t x) { return x & 0xff ? (uint32_t)(x & (0 - x)) : 0x100; }

// Places in a buffer are multiples of its step, because buffers are aligned to 16 bytes and the data's step includes
// its variables.
static void raise_align(struct memory *m, struct ir_instr *x)
{
    const struct buffer *buffer = origin_of(m, x->src[0]);
    uint32_t known = buffer ? low_bit(buffer->step | BUFFER_WIDEST) : 0;
    if (known > x->mem.align)
        x->mem.align = known;
}

static bool is_access(const struct ir_instr *x)
{
    return x->op == IR_OP_load || x->op == IR_OP_store || x->op == IR_OP_atomic;
}

static void choose_unit(struct buffer *buffer)
{
    uint32_t widest = BUFFER_WIDEST;
    while (widest > 1 && !(buffer->sizes & widest))
        widest /= 2;
    buffer->unit = low_bit(buffer->step) < widest ? low_bit(buffer->step) : widest;
}

void buffers_find(struct memory *m)
{
    m->logical = !m->c->target->physical_addressing && m->kernel;
    bool plain = m->c->target->physical_addressing && m->kernel && m->c->target->plain_arguments && !m->m->mapping;
    if (m->logical)
        list_buffers(m);
    else if (plain)
        list_arguments(m);
    if (!m->m->error && m->buffers.count)
        find_sets(m);
}

void buffers_analyse(struct memory *m)
{
    if (m->m->error || !m->buffers.count)
        return;
    m->numbers_observed = m->logical && !m->m->mapping && observes_numbers(m);
    for (size_t i = 0; i < m->users.count; i++)
        note_step(m, m->users.items[i]);
    for (size_t i = 0; i < m->users.count; i++)
        if (is_access(m->users.items[i])) {
            raise_align(m, m->users.items[i]);
            note_access(m, m->users.items[i]);
        }
    for (size_t i = 0; i < m->buffers.count; i++)
        choose_unit(&m->buffers.items[i]);
}

// ---- pointers and numbers ----------------------------------------------------------------------------

static void check_room(struct memory *m, uint64_t number)
{
    unsigned room = kc_pointer_bytes(m->c->target) * 8 - offset_bits(m) - (m->has_generic ? 2 : 0);
    if (number >> room)
        ir_fail(m->m, 0, too_many);
}

static bool has_launch_number(const struct memory *m, const struct buffer *buffer)
{
    return m->numbers_observed && buffer->kind == KC_BINDING_BUFFER;
}

// Argument numbers must fit above that of the program's data.
static struct ir_instr *launch_number(struct memory *m, const struct buffer *buffer)
{
    unsigned bits = kc_pointer_bytes(m->c->target) * 8;
    struct ir_builder b = memory_at_head(m);
    struct ir_instr *number = push_value(&b, KC_PUSH_BUFFER_NUMBER, 0, buffer->arg, ir_int(bits));
    uint64_t count = 1;
    for (uint32_t i = 0; i < m->kernel->info.push_count; i++)
        count += m->kernel->info.push[i].kind == KC_PUSH_BUFFER_NUMBER;
    check_room(m, count);
    b = memory_at_head(m);
    return bits == 64 ? number : ir_convert(&b, IR_OP_zext, ir_int(64), number);
}

// The number of a buffer's first byte.
static struct ir_instr *buffer_number(struct memory *m, const struct buffer *buffer)
{
    if (has_launch_number(m, buffer))
        return launch_number(m, buffer);
    uint64_t number = (uint64_t)(buffer - m->buffers.items + 1);
    check_room(m, number);
    return ir_const_int(m->m, ir_int(64), number << offset_bits(m));
}

struct ir_instr *buffer_null(struct memory *m, const struct buffer *buffer)
{
    return i32(m, KC_NULL_BUFFER >> log2_of(buffer->unit));
}

struct ir_instr *buffer_start(struct memory *m, struct buffer *buffer)
{
    if (buffer->kind != KC_BINDING_BUFFER)
        return i32(m, 0);
    if (buffer->start_in == m->f)
        return buffer->start;
    if (m->some_plain && !buffer->compared)
        return i32(m, 0);
    struct ir_builder b = memory_at_head(m);
    if (m->c->target->plain_arguments == KC_PLAIN_OFFSETS) {
        struct ir_instr *address = push_value(&b, KC_PUSH_ARG, 0, buffer->arg, ir_int(64));
        b.before = address->next;
        struct ir_instr *is_null = ir_op2(&b, IR_OP_ieq, address, ir_const_int(m->m, ir_int(64), 0));
        buffer->start = ir_select(&b, is_null, buffer_null(m, buffer), i32(m, 0));
        buffer->start_in = m->f;
        return buffer->start;
    }
    struct ir_instr *bytes = push_value(&b, KC_PUSH_ARG, 0, buffer->arg, ir_int(32));
    b = memory_at_head(m);
    buffer->start = ir_op2(&b, IR_OP_lshr, bytes, i32(m, log2_of(buffer->unit)));
    buffer->start_in = m->f;
    return buffer->start;
}

struct ir_instr *buffer_at(struct memory *m, const struct buffer *buffer, uint64_t offset)
{
    return i32(m, offset / buffer->unit);
}

struct ir_instr *buffer_to_number(struct memory *m, struct ir_builder *b, const struct buffer *buffer, struct ir_instr *units)
{
    // A pointer before the buffer must survive the conversion: sign-extend if offsets fit 31 bits.
    uint64_t range = m->c->target->storage_buffer_range;
    bool sign = range && range <= UINT64_C(1) << 31;
    struct ir_instr *is_null = ir_op2(b, IR_OP_ieq, units, buffer_null(m, buffer));
    struct ir_instr *bytes = ir_op2(b, IR_OP_shl, units, i32(m, log2_of(buffer->unit)));
    bytes = ir_convert(b, sign ? IR_OP_sext : IR_OP_zext, ir_int(64), bytes);
    bytes = ir_op2(b, IR_OP_iadd, bytes, buffer_number(m, buffer));
    return ir_select(b, is_null, ir_const_int(m->m, ir_int(64), 0), bytes);
}

// The offset of a number in its buffer.
static struct ir_instr *offset_in(struct memory *m, struct ir_builder *b, const struct buffer *buffer, struct ir_instr *number)
{
    struct ir_instr *low = ir_convert(b, IR_OP_trunc, ir_int(32), number);
    return ir_op2(b, IR_OP_isub, low, ir_convert(b, IR_OP_trunc, ir_int(32), buffer_number(m, buffer)));
}

struct ir_instr *buffer_from_number(struct memory *m, struct ir_builder *b, const struct buffer *buffer,
                                    struct ir_instr *number)
{
    struct ir_instr *is_null = ir_op2(b, IR_OP_ieq, number, ir_const_int(m->m, ir_int(64), 0));
    struct ir_instr *bytes = offset_in(m, b, buffer, number);
    bytes = ir_op2(b, IR_OP_lshr, bytes, i32(m, log2_of(buffer->unit)));
    return ir_select(b, is_null, buffer_null(m, buffer), bytes);
}

struct ir_instr *buffer_data_number(struct memory *m, uint64_t offset)
{
    return ir_const_int(m->m, ir_int(64), buffer_number(m, &m->buffers.items[0])->lanes[0] + offset);
}

struct buffer *buffer_named_by(struct memory *m, const struct ir_instr *x)
{
    struct ir_instr *from = (m->logical || m->some_plain) && x->op == IR_OP_int_to_ptr ? x->src[0] : NULL;
    struct buffer *buffer = from && is_buffer(from) ? &m->buffers.items[named_buffer(m, from)] : NULL;
    return buffer == buffers_only(m, x) ? buffer : NULL;
}

static void mark_numbers(struct memory *m, const struct ir_instr *x)
{
    for (uint32_t i = 0; i < x->src_count; i++)
        if (is_buffer(x->src[i]) && !(is_pointer(x) && buffer_named_by(m, x)))
            x->src[i]->mark = 1;
}

static void mark_numbers_of(struct memory *m, const struct ir_block *block)
{
    const struct ir_node *next = block->node.next;
    for (const struct ir_instr *x = block->first; x; x = x->next)
        mark_numbers(m, x);
    if (next && next->kind == IR_SWITCH && is_buffer(((const struct ir_switch *)next)->value))
        ((const struct ir_switch *)next)->value->mark = 1;
}

// Buffers that are not plain arguments become addresses.
static void enter_addresses(struct memory *m)
{
    for (struct ir_block *block = ir_first_block(m->f); block; block = ir_next_block(block))
        for (struct ir_instr *x = block->first, *next; x; x = next) {
            next = x->next;
            if (!is_observed_buffer(x) || (m->some_plain && m->buffers.items[named_buffer(m, x)].plain))
                continue;
            struct ir_builder b = ir_before(m->f, x);
            ir_replace(x, push_value(&b, KC_PUSH_ARG, 0, x->dim, ir_int(64)));
        }
}

void buffers_enter(struct memory *m)
{
    if (!m->logical) {
        enter_addresses(m);
        return;
    }
    for (struct ir_block *block = ir_first_block(m->f); block; block = ir_next_block(block))
        mark_numbers_of(m, block);
    for (struct ir_block *block = ir_first_block(m->f); block; block = ir_next_block(block))
        for (struct ir_instr *x = block->first, *next; x; x = next) {
            next = x->next;
            if (!is_buffer(x) || !x->mark)
                continue;
            struct buffer *buffer = &m->buffers.items[named_buffer(m, x)];
            struct ir_builder b = ir_before(m->f, x);
            x->mark = 0;
            ir_replace(x, buffer_to_number(m, &b, buffer, buffer_start(m, buffer)));
        }
}

void buffers_leave(struct memory *m)
{
    if (!m->logical && !m->some_plain)
        return;
    for (struct ir_block *block = ir_first_block(m->f); block; block = ir_next_block(block))
        for (struct ir_instr *x = block->first, *next; x; x = next) {
            next = x->next;
            if (is_buffer(x))
                ir_remove(x);
        }
}

struct buffer *buffer_of_scratch(struct memory *m)
{
    return &m->buffers.items[find_buffer(m, KC_BINDING_SCRATCH, 0)];
}

// ---- accesses ----------------------------------------------------------------------------------------

static const char *view_name(const struct memory *m, const struct buffer *buffer)
{
    static const char *const names[] = {[KC_BINDING_DATA] = "data", [KC_BINDING_PRINTF] = "printed", [KC_BINDING_SCRATCH] = "scratch"};
    return buffer->kind == KC_BINDING_BUFFER ? m->kernel->info.args[buffer->arg].name : names[buffer->kind];
}

// The program's data as a constant array in the module.
static struct ir_var *embedded_view(struct memory *m, struct ir_type elem, uint32_t origin)
{
    enum { MOST = UINT16_MAX - 3 }; // limit of an instruction's operands
    const struct ir_mapping *mapping = m->m->mapping;
    for (size_t i = 0; i < m->m->vars.count; i++) {
        struct ir_var *var = m->m->vars.items[i];
        if (var->space == IR_PRIVATE && var->init == mapping->data && ir_type_eq(var->elem, elem))
            return var;
    }
    struct ir_var *var = ir_var_add(m->m, NULL, "data", IR_PRIVATE, mapping->data_size, ir_type_bytes(elem));
    var->elem = elem;
    var->init = mapping->data;
    var->count = (mapping->data_size + ir_type_bytes(elem) - 1) / ir_type_bytes(elem);
    if (var->count > MOST)
        ir_fail(m->m, origin, "the program's constants are too large for the module; use -module-constants-in-storage-buffer");
    return var;
}

static struct ir_var *view_of(struct memory *m, const struct buffer *buffer, struct ir_type elem, uint32_t origin)
{
    if (buffer->embedded)
        return embedded_view(m, elem, origin);
    enum kc_binding_kind kind = buffer->uniform ? KC_BINDING_UNIFORM : buffer->kind;
    uint32_t binding = push_binding(m->m, (struct kc_binding){.kind = kind, .arg = buffer->arg});
    for (size_t i = 0; i < m->m->vars.count; i++) {
        struct ir_var *var = m->m->vars.items[i];
        if (var->space == IR_BUFFER && var->binding == binding && ir_type_eq(var->elem, elem))
            return var;
    }
    const char *name = view_name(m, buffer);
    struct ir_var *var = ir_var_add(m->m, NULL, name && *name ? name : "buffer", IR_BUFFER, 0, ir_elem_bytes(elem));
    var->elem = elem;
    var->binding = binding;
    if (buffer->uniform)
        var->count = m->c->target->mapping.max_uniform / BUFFER_WIDEST;
    return var;
}

static bool is_constant(const struct buffer *buffer) { return buffer->uniform || buffer->embedded; }

// The index of the element `k` bytes after the place, which is aligned to elements.
static struct ir_instr *element(struct memory *m, struct ir_builder *b, const struct place *p, uint32_t k, uint32_t bytes)
{
    struct ir_instr *at = p->address;
    k += p->byte_offset;
    if (p->unit >= bytes) {
        at = ir_op2(b, IR_OP_shl, at, i32(m, log2_of(p->unit / bytes)));
        return ir_op2(b, IR_OP_iadd, at, i32(m, k / bytes));
    }
    if (p->index && p->stride % bytes == 0 && (p->offset + k) % bytes == 0) {
        at = ir_op2(b, IR_OP_imul, p->index, i32(m, p->stride / bytes));
        return ir_op2(b, IR_OP_iadd, at, i32(m, (p->offset + k) / bytes));
    }
    if (k % bytes)
        at = ir_op2(b, IR_OP_iadd, at, i32(m, k / p->unit));
    at = ir_op2(b, IR_OP_lshr, at, i32(m, log2_of(bytes / p->unit)));
    return ir_op2(b, IR_OP_iadd, at, i32(m, k % bytes ? 0 : k / bytes));
}

static struct ir_instr *on_view(struct memory *m, struct ir_builder *b, enum ir_op op, const struct place *p,
                                struct ir_type elem, struct ir_type result, struct ir_instr *const *src, uint32_t count,
                                uint8_t atomic_op)
{
    struct ir_instr like = {.mem = p->mem, .var = view_of(m, p->buffer, elem, b->origin), .atomic_op = atomic_op};
    like.mem.space = IR_GLOBAL;
    like.mem.align = 0;
    like.mem.effective = IR_AS_ANY; // see above
    like.mem.coherent &= !is_constant(p->buffer);
    return ir_build_like(b, op, result, src, count, &like);
}

// Vectors of 3 are accessed as 4 lanes.
static struct ir_type view_type(const struct memory *m, struct ir_type type)
{
    uint32_t bytes = ir_elem_bytes(type);
    if (buffer_has_threes(m->c->target, type))
        return ir_with_lanes(ir_int(type.bits), 3);
    if (bytes < 8)
        return ir_int(bytes * 8);
    return bytes == 8 && type.lanes == 1 && m->c->target->int64 ? ir_int(64) : ir_with_lanes(ir_int(32), bytes / 4);
}

static struct ir_instr *cast(struct ir_builder *b, struct ir_type type, struct ir_instr *x)
{
    return ir_type_eq(type, x->type) ? x : ir_convert(b, IR_OP_bitcast, type, x);
}

struct ir_instr *buffer_load(struct memory *m, struct ir_builder *b, const struct place *p, struct ir_type type, uint32_t k)
{
    struct ir_type elem = view_type(m, type);
    struct ir_instr *at = element(m, b, p, k, ir_elem_bytes(elem));
    struct ir_instr *x = on_view(m, b, IR_OP_elem_load, p, elem, elem, &at, 1, 0);
    if (type.lanes != 3 || elem.lanes == 3)
        return cast(b, type, x);
    x = cast(b, ir_with_lanes(type, 4), x);
    return ir_vec(b, (struct ir_instr *[]){ir_extract(b, x, 0), ir_extract(b, x, 1), ir_extract(b, x, 2)}, 3);
}

// Stores to constant memory are undefined: they are dropped.
void buffer_store(struct memory *m, struct ir_builder *b, const struct place *p, uint32_t k, struct ir_instr *value)
{
    if (is_constant(p->buffer))
        return;
    struct ir_type elem = view_type(m, value->type);
    struct ir_instr *src[2] = {element(m, b, p, k, ir_elem_bytes(elem)), cast(b, elem, value)};
    on_view(m, b, IR_OP_elem_store, p, elem, ir_void(), src, 2, 0);
}

struct ir_instr *buffer_atomic(struct memory *m, struct ir_builder *b, const struct place *p, enum ir_atomic_op op,
                               struct ir_type type, struct ir_type result, struct ir_instr *value,
                               struct ir_instr *comparand)
{
    if (is_constant(p->buffer))
        return result.base == IR_VOID ? NULL : ir_undef(m->m, result);
    struct ir_instr *src[3] = {element(m, b, p, 0, type.bits / 8u), value, comparand};
    uint32_t count = comparand ? 3 : value ? 2 : 1;
    return on_view(m, b, IR_OP_elem_atomic, p, type, result, src, count, (uint8_t)op);
}

// ---- words: the device lacks narrower accesses ---------------------------------------------------------

struct ir_instr *buffer_byte(struct memory *m, struct ir_builder *b, const struct place *p, uint32_t k)
{
    struct ir_instr *at = ir_op2(b, IR_OP_shl, p->address, i32(m, log2_of(p->unit)));
    return ir_op2(b, IR_OP_iadd, at, i32(m, k + p->byte_offset));
}

struct place buffer_word(const struct place *p, struct ir_instr *word)
{
    struct place q = *p;
    q.address = word;
    q.index = NULL;
    q.unit = 4;
    q.byte_offset = 0;
    return q;
}

// ---- several buffers -----------------------------------------------------------------------------------

struct place buffer_candidate(struct memory *m, struct ir_builder *b, const struct place *p, size_t buffer)
{
    struct place q = *p;
    q.buffer = &m->buffers.items[buffer];
    q.address = offset_in(m, b, q.buffer, p->address);
    q.unit = 1;
    q.reached = 0;
    return q;
}

struct ir_instr *buffer_is(struct memory *m, struct ir_builder *b, const struct place *p, size_t buffer)
{
    bool launched = has_launch_number(m, &m->buffers.items[buffer]);
    struct ir_instr *which = p->address;
    if (launched)
        which = ir_op2(b, IR_OP_isub, which, buffer_number(m, &m->buffers.items[buffer]));
    which = ir_op2(b, IR_OP_lshr, which, ir_const_int(m->m, ir_int(64), offset_bits(m)));
    which = ir_convert(b, IR_OP_trunc, ir_int(32), which);
    return ir_op2(b, IR_OP_ieq, which, i32(m, launched ? 0 : buffer + 1));
}
