// SPDX-License-Identifier: Apache-2.0
// Lowers a load, store or atomic at a lowered address to accesses that its memory supports.
//
// Typed arrays are accessed by elements. Otherwise an access is split into the widest pieces that its alignment and
// the memory allow: words of an array (32 bits; 64 if atomics need them) or aligned integers of device memory. Pieces
// are combined with shifts and bitcasts. Stores narrower than the memory's words mask the word: in private memory by
// reading it first, elsewhere with atomic and/or, so that another work-item's store to the same word is never lost.
// vec3 is always three elements.
#include "passes/memory.h"
#include "passes/alias.h"
#include "util/stack.h"

static uint32_t low_bit(uint32_t x) { return x & (0 - x); }

static struct ir_instr *i32(struct ir_builder *b, uint64_t value) { return ir_const_int(b->module, ir_int(32), value); }

static struct ir_instr *add_const(struct ir_builder *b, struct ir_instr *x, uint64_t value)
{
    return ir_op2(b, IR_OP_iadd, x, ir_const_int(b->module, x->type, value));
}

static struct ir_instr *cast(struct ir_builder *b, struct ir_type type, struct ir_instr *x)
{
    return ir_type_eq(type, x->type) ? x : ir_convert(b, IR_OP_bitcast, type, x);
}

// `count` lanes of a vector, at most four.
static struct ir_instr *lanes_from(struct ir_builder *b, struct ir_instr *x, unsigned first, unsigned count)
{
    struct ir_instr *lanes[4];
    if (count == x->type.lanes)
        return x;
    for (unsigned i = 0; i < count; i++)
        lanes[i] = ir_extract(b, x, first + i);
    return count == 1 ? lanes[0] : ir_vec(b, lanes, count);
}

// ---- array elements ------------------------------------------------------------------------------

static struct ir_instr *elem(struct ir_builder *b, enum ir_op op, const struct place *p, struct ir_type type,
                             struct ir_instr *const *src, uint32_t count, uint8_t atomic_op)
{
    struct ir_instr like = {0};
    like.var = p->region->array;
    like.mem = p->mem;
    like.mem.space = (uint8_t)p->space;
    like.mem.align = 0;
    like.mem.effective = IR_AS_ANY; // may be part of a wider element
    like.atomic_op = atomic_op;
    return ir_build_like(b, op, type, src, count, &like);
}

// The accessed part of an array: an element, or one of its lanes (ir_mem.lane).
struct spot {
    struct ir_instr *index;
    uint8_t lane;
};

static struct ir_type spot_type(const struct place *p, const struct spot *at)
{
    return at->lane ? ir_with_lanes(p->region->elem, 1) : p->region->elem;
}

// Whether an index is outside of an array of known length: undefined in C, invalid in SPIR-V.
static bool is_outside(const struct place *p, const struct spot *at)
{
    const struct ir_var *array = p->region->array;
    uint64_t count = at->lane == IR_LANE_COUNTED ? array->count * array->elem.lanes : array->count;
    return ir_is_const(at->index) && !array->spec_id && at->index->lanes[0] >= count;
}

// An array with a single element is always accessed at index 0; else NVIDIA's driver (580) loses stores to it.
static struct ir_instr *number_of(struct ir_builder *b, const struct place *p, const struct spot *at)
{
    const struct ir_var *array = p->region->array;
    bool one = array->count == 1 && !array->spec_id && at->lane != IR_LANE_COUNTED;
    return one ? ir_const_int(b->module, at->index->type, 0) : at->index;
}

static struct ir_instr *spot_load(struct ir_builder *b, const struct place *p, struct spot at)
{
    struct place q = *p;
    q.mem.lane = at.lane;
    if (is_outside(p, &at))
        return ir_undef(b->module, spot_type(p, &at));
    at.index = number_of(b, p, &at);
    return elem(b, IR_OP_elem_load, &q, spot_type(p, &at), &at.index, 1, 0);
}

static void spot_store(struct ir_builder *b, const struct place *p, struct spot at, struct ir_instr *value)
{
    struct place q = *p;
    q.mem.lane = at.lane;
    if (is_outside(p, &at))
        return;
    struct ir_instr *src[2] = {number_of(b, p, &at), cast(b, spot_type(p, &at), value)};
    elem(b, IR_OP_elem_store, &q, ir_void(), src, 2, 0);
}

static struct ir_instr *elem_load(struct ir_builder *b, const struct place *p, struct ir_instr *index)
{
    return spot_load(b, p, (struct spot){index, 0});
}

static void elem_store(struct ir_builder *b, const struct place *p, struct ir_instr *index, struct ir_instr *value)
{
    spot_store(b, p, (struct spot){index, 0}, value);
}

// ---- typed arrays: elements of the accessed type, or vectors of it -----------------------------------

// x / 2^shift, distributed over a sum; x is a multiple of 2^shift. Offsets in local memory do not overflow, but terms
// of the sum may.
static struct ir_instr *divided(struct ir_builder *b, struct ir_instr *x, unsigned shift, unsigned depth)
{
    stack_check();
    enum { MAX_DEPTH = 4 };
    if (x->op == IR_OP_iadd && depth < MAX_DEPTH && opt_zero_bits(x->src[1]) >= shift) {
        struct ir_instr *second = divided(b, x->src[1], shift, depth + 1);
        return ir_op2(b, IR_OP_iadd, divided(b, x->src[0], shift, depth + 1), second);
    }
    bool fits = x->op == IR_OP_shl && (x->flags & IR_NO_WRAP || opt_max(b->module->target, x) < UINT32_MAX >> 1);
    uint64_t by = x->op == IR_OP_shl && ir_is_const(x->src[1]) ? x->src[1]->lanes[0] & 31 : 0;
    if (fits && by >= shift)
        return ir_op2(b, IR_OP_shl, x->src[0], ir_const_int(b->module, x->type, by - shift));
    return ir_op2(b, IR_OP_ashr, x, ir_const_int(b->module, x->type, shift));
}

// Number of lanes that one access covers.
static unsigned typed_lanes(const struct place *p, struct ir_type type)
{
    unsigned lanes_per_elem = p->region->elem.lanes;
    bool aligned = !region_is_split(p->region) || p->mem.align >= ir_elem_bytes(p->region->elem);
    return aligned && type.lanes % lanes_per_elem == 0 ? lanes_per_elem : 1;
}

// 1 + the lane of an element that the place is at; 0: unknown.
static uint8_t known_lane(const struct ir_builder *b, const struct place *p)
{
    const struct region *r = p->region;
    struct ir_instr *address = p->address;
    struct ir_instr x = {.op = IR_OP_elem_load, .type = ir_with_lanes(r->elem, 1), .src = &address, .src_count = 1, .var = r->array};
    uint32_t bytes = ir_elem_bytes(r->elem);
    x.mem = (struct ir_mem){.space = IR_LOCAL, .lane = IR_LANE_COUNTED};
    struct alias_place at = alias_place(b->function, &x);
    bool known = alias_align(&at, b->module->target, bytes) >= bytes;
    return known ? (uint8_t)(1 + (uint64_t)at.offset % bytes / r->unit) : 0;
}

// The array elements or lanes for `n` lanes of an access, from lane `first`.
static struct spot typed_spot(struct ir_builder *b, const struct place *p, unsigned first, unsigned n)
{
    unsigned lanes = p->region->elem.lanes, shift = (unsigned)__builtin_ctz(lanes);
    if (!region_is_split(p->region))
        return (struct spot){add_const(b, p->address, first / n), 0};
    if (n == lanes)
        return (struct spot){add_const(b, divided(b, p->address, shift, 0), first / n), 0};
    uint8_t lane = known_lane(b, p);
    if (!lane--)
        return (struct spot){add_const(b, p->address, first), IR_LANE_COUNTED};
    // Subtract the constant part of the address, or else the lane: the rest is a whole number of elements.
    bool sum = p->address->op == IR_OP_iadd && ir_is_const(p->address->src[1]) && p->address->src[1]->lanes[0] % lanes == lane;
    struct ir_instr *start = sum ? p->address->src[0] : add_const(b, p->address, 0 - (uint64_t)lane);
    uint32_t lane_offset = (sum ? (uint32_t)p->address->src[1]->lanes[0] : lane) + first;
    uint64_t elements = (uint64_t)((int64_t)(int32_t)lane_offset >> shift);
    return (struct spot){add_const(b, divided(b, start, shift, 0), elements), (uint8_t)(1 + lane_offset % lanes)};
}

static struct ir_instr *typed_load(struct ir_builder *b, const struct place *p, struct ir_type type)
{
    struct ir_instr *lanes[16];
    unsigned n = typed_lanes(p, type);
    for (unsigned i = 0; i < type.lanes; i += n) {
        struct ir_instr *x = cast(b, ir_with_lanes(type, n), spot_load(b, p, typed_spot(b, p, i, n)));
        if (n == type.lanes)
            return x;
        for (unsigned k = 0; k < n; k++)
            lanes[i + k] = ir_extract(b, x, k);
    }
    return ir_vec(b, lanes, type.lanes);
}

static void typed_store(struct ir_builder *b, const struct place *p, struct ir_instr *value)
{
    unsigned n = typed_lanes(p, value->type);
    for (unsigned i = 0; i < value->type.lanes; i += n) {
        struct ir_instr *part = lanes_from(b, value, i, n);
        spot_store(b, p, typed_spot(b, p, i, n), part);
    }
}

// ---- words of an array, or of device memory without narrower accesses --------------------------------

// A word, and the bit in it where an access `k` bytes after the place begins.
struct word {
    struct ir_instr *at;    // element index or device address
    struct ir_instr *shift; // in bits, of the word's type; NULL: 0
};

static uint32_t word_bytes(const struct place *p) { return p->region ? p->region->word : 4; }

static struct ir_instr *word_const(struct ir_builder *b, const struct place *p, uint64_t value)
{
    return ir_const_int(b->module, ir_int(word_bytes(p) * 8), value);
}

// Index of the word that contains byte `at` of an array.
static struct ir_instr *word_index(struct ir_builder *b, const struct place *p, struct ir_instr *at)
{
    return ir_op2(b, IR_OP_lshr, at, i32(b, word_bytes(p) == 8 ? 3 : 2));
}

static struct word word_of_buffer(struct memory *m, struct ir_builder *b, const struct place *p, uint32_t k)
{
    struct ir_instr *at = buffer_byte(m, b, p, k);
    struct ir_instr *bit_offset = ir_op2(b, IR_OP_shl, ir_op2(b, IR_OP_and, at, i32(b, 3)), i32(b, 3));
    if (p->mem.align >= 4)
        bit_offset = k % 4 ? i32(b, k % 4 * 8) : NULL;
    return (struct word){ir_op2(b, IR_OP_lshr, at, i32(b, 2)), bit_offset};
}

static struct word word_at(struct memory *m, struct ir_builder *b, const struct place *p, uint32_t k)
{
    const struct region *r = p->region;
    struct ir_instr *at = p->address;
    uint32_t unit = r ? r->unit : 1, bytes = word_bytes(p);
    if (p->buffer)
        return word_of_buffer(m, b, p, k);
    if (unit == bytes || p->mem.align >= bytes) { // the offset in the word is constant
        if (r && unit == 1)
            at = word_index(b, p, at);
        at = add_const(b, at, r ? k / bytes : k & ~(bytes - 1));
        return (struct word){at, k % bytes ? word_const(b, p, k % bytes * 8) : NULL};
    }
    at = add_const(b, at, k);
    struct ir_instr *bit_offset = at->type.bits == 64 ? ir_convert(b, IR_OP_trunc, ir_int(32), at) : at;
    bit_offset = ir_op2(b, IR_OP_shl, ir_op2(b, IR_OP_and, bit_offset, i32(b, bytes - 1)), i32(b, 3));
    if (r)
        return (struct word){word_index(b, p, at), bytes == 8 ? ir_convert(b, IR_OP_zext, ir_int(64), bit_offset) : bit_offset};
    return (struct word){ir_op2(b, IR_OP_and, at, ir_const_int(b->module, at->type, ~UINT64_C(3))), bit_offset};
}

static struct ir_mem word_mem(const struct place *p)
{
    struct ir_mem mem = p->mem;
    mem.space = IR_GLOBAL;
    mem.align = 4;
    mem.effective = IR_AS_ANY;
    return mem;
}

static struct ir_instr *word_load(struct memory *m, struct ir_builder *b, const struct place *p, struct ir_instr *at)
{
    if (p->buffer)
        return buffer_load(m, b, (struct place[]){buffer_word(p, at)}, ir_int(32), 0);
    return p->region ? elem_load(b, p, at) : ir_load(b, ir_int(32), at, word_mem(p));
}

static void word_store(struct memory *m, struct ir_builder *b, const struct place *p, struct ir_instr *at,
                       struct ir_instr *value)
{
    if (p->buffer)
        buffer_store(m, b, (struct place[]){buffer_word(p, at)}, 0, value);
    else if (p->region)
        elem_store(b, p, at, value);
    else
        ir_store(b, at, value, word_mem(p));
}

static void word_atomic(struct memory *m, struct ir_builder *b, const struct place *p, enum ir_atomic_op op, struct ir_instr *at,
                        struct ir_instr *value)
{
    struct place q = *p;
    q.mem.scope = p->space == IR_LOCAL ? IR_SCOPE_WORK_GROUP : IR_SCOPE_DEVICE;
    q.mem.order = IR_ORDER_RELAXED;
    q.mem.is_volatile = false;
    if (p->region && is_outside(p, &(struct spot){at, 0}))
        return;
    if (p->buffer)
        buffer_atomic(m, b, (struct place[]){buffer_word(&q, at)}, op, value->type, value->type, value, NULL);
    else if (p->region)
        elem(b, IR_OP_elem_atomic, &q, value->type, (struct ir_instr *[]){at, value}, 2, (uint8_t)op);
    else
        ir_atomic(b, op, ir_int(32), at, value, NULL, word_mem(&q));
}

static struct ir_instr *shifted(struct ir_builder *b, enum ir_op op, struct ir_instr *x, struct ir_instr *shift)
{
    return shift ? ir_op2(b, op, x, shift) : x;
}

static struct ir_instr *part_load(struct memory *m, struct ir_builder *b, const struct place *p, uint32_t k, uint32_t bytes)
{
    struct word w = word_at(m, b, p, k);
    struct ir_instr *x = word_load(m, b, p, w.at);
    if (bytes == word_bytes(p))
        return x;
    return ir_convert(b, IR_OP_trunc, ir_int(bytes * 8), shifted(b, IR_OP_lshr, x, w.shift));
}

static void part_store(struct memory *m, struct ir_builder *b, const struct place *p, uint32_t k, uint32_t bytes,
                       struct ir_instr *value)
{
    struct word w = word_at(m, b, p, k);
    if (bytes == word_bytes(p)) {
        word_store(m, b, p, w.at, value);
        return;
    }
    value = shifted(b, IR_OP_shl, ir_convert(b, IR_OP_zext, ir_int(word_bytes(p) * 8), value), w.shift);
    struct ir_instr *mask = shifted(b, IR_OP_shl, word_const(b, p, (UINT64_C(1) << bytes * 8) - 1), w.shift);
    mask = ir_op1(b, IR_OP_not, mask);
    if (p->space == IR_PRIVATE) {
        struct ir_instr *others = ir_op2(b, IR_OP_and, word_load(m, b, p, w.at), mask);
        word_store(m, b, p, w.at, ir_op2(b, IR_OP_or, others, value));
        return;
    }
    // Between the two atomics only changed bits are missing, so a store of the present value is invisible.
    if (!p->region || !m->c->target->local_by_items)
        mask = ir_op2(b, IR_OP_or, mask, value);
    word_atomic(m, b, p, IR_ATOMIC_AND, w.at, mask);
    word_atomic(m, b, p, IR_ATOMIC_OR, w.at, value);
}

// ---- pieces --------------------------------------------------------------------------------------

static bool is_device(const struct place *p) { return !p->region; }

static bool is_uniform(const struct place *p) { return p->buffer && p->buffer->uniform; }

// Whether the place has accesses of this width. Embedded constants need types that the device computes in.
static bool device_has(const struct memory *m, const struct place *p, uint32_t bytes)
{
    if (is_uniform(p))
        return bytes == 4;
    if (p->buffer && p->buffer->embedded && bytes < 4 && !(bytes == 2 ? m->c->target->int16 : m->c->target->int8))
        return false;
    return bytes >= 4 || (bytes == 2 ? m->c->target->storage16 : m->c->target->storage8);
}

// Size of the widest integer that one access at the place can cover.
static uint32_t piece_bytes(const struct place *p)
{
    uint32_t align = p->mem.align ? p->mem.align : 1, most = is_uniform(p) ? 4 : is_device(p) ? 8 : word_bytes(p);
    return align < most ? align : most;
}

static struct ir_mem device_mem(const struct place *p, uint32_t k)
{
    struct ir_mem mem = p->mem;
    uint32_t align = mem.align ? mem.align : 1;
    mem.space = IR_GLOBAL;
    mem.align = k && low_bit(k) < align ? low_bit(k) : align;
    return mem;
}

static struct ir_instr *device_load(struct memory *m, struct ir_builder *b, const struct place *p, struct ir_type type,
                                    uint32_t k)
{
    return p->buffer ? buffer_load(m, b, p, type, k) : ir_load(b, type, add_const(b, p->address, k), device_mem(p, k));
}

static void device_store(struct memory *m, struct ir_builder *b, const struct place *p, uint32_t k, struct ir_instr *value)
{
    if (p->buffer)
        buffer_store(m, b, p, k, value);
    else
        ir_store(b, add_const(b, p->address, k), value, device_mem(p, k));
}

static struct ir_instr *piece_load(struct memory *m, struct ir_builder *b, const struct place *p, uint32_t k,
                                   uint32_t bytes)
{
    if (!is_device(p) || !device_has(m, p, bytes))
        return part_load(m, b, p, k, bytes);
    return device_load(m, b, p, ir_int(bytes * 8), k);
}

static void piece_store(struct memory *m, struct ir_builder *b, const struct place *p, uint32_t k, uint32_t bytes,
                        struct ir_instr *value)
{
    if (!is_device(p) || !device_has(m, p, bytes))
        part_store(m, b, p, k, bytes, value);
    else
        device_store(m, b, p, k, value);
}

// Loads an integer of `bytes` bytes from pieces, by halves.
static struct ir_instr *integer_load(struct memory *m, struct ir_builder *b, const struct place *p, uint32_t k,
                                     uint32_t bytes)
{
    stack_check();
    if (bytes <= piece_bytes(p))
        return piece_load(m, b, p, k, bytes);
    uint32_t half = bytes / 2;
    struct ir_instr *parts[2] = {integer_load(m, b, p, k, half), integer_load(m, b, p, k + half, half)};
    if (bytes == 8)
        return ir_convert(b, IR_OP_bitcast, ir_int(64), ir_vec(b, parts, 2));
    struct ir_type type = ir_int(bytes * 8);
    struct ir_instr *high = ir_convert(b, IR_OP_zext, type, parts[1]);
    high = ir_op2(b, IR_OP_shl, high, ir_const_int(b->module, type, half * 8));
    return ir_op2(b, IR_OP_or, ir_convert(b, IR_OP_zext, type, parts[0]), high);
}

static void integer_store(struct memory *m, struct ir_builder *b, const struct place *p, uint32_t k, uint32_t bytes,
                          struct ir_instr *value)
{
    stack_check();
    if (bytes <= piece_bytes(p)) {
        piece_store(m, b, p, k, bytes, value);
        return;
    }
    uint32_t half = bytes / 2;
    struct ir_instr *low, *high;
    if (bytes == 8) {
        struct ir_instr *pair = ir_convert(b, IR_OP_bitcast, ir_with_lanes(ir_int(32), 2), value);
        low = ir_extract(b, pair, 0);
        high = ir_extract(b, pair, 1);
    } else {
        struct ir_instr *shift = ir_const_int(b->module, value->type, half * 8);
        low = ir_convert(b, IR_OP_trunc, ir_int(half * 8), value);
        high = ir_convert(b, IR_OP_trunc, ir_int(half * 8), ir_op2(b, IR_OP_lshr, value, shift));
    }
    integer_store(m, b, p, k, half, low);
    integer_store(m, b, p, k + half, half, high);
}

// ---- whole values: at most four lanes ------------------------------------------------------------

// The type to access instead if narrow lanes are better grouped into words.
static struct ir_type grouped(const struct place *p, struct ir_type type)
{
    uint32_t total = ir_type_bytes(type), width = type.bits / 8u;
    if (type.lanes == 1 || width >= 4)
        return type;
    uint32_t group = low_bit(total) < 4 ? low_bit(total) : 4;
    group = group < piece_bytes(p) ? group : piece_bytes(p);
    return group <= width ? type : ir_with_lanes(ir_int(group * 8), total / group);
}

// Number of lanes of `type`, from lane `first`, that one device access covers.
static unsigned lanes_at_once(struct memory *m, const struct place *p, struct ir_type type, unsigned first, bool load)
{
    uint32_t width = type.bits / 8u, align = p->mem.align ? p->mem.align : 1;
    unsigned left = type.lanes - first, lanes = left >= 4 ? 4 : left >= 2 ? 2 : 1;
    if (!is_device(p) || !device_has(m, p, width) || align < width)
        return 0;
    if (is_uniform(p)) // words, or a whole element
        return left >= 3 && align >= BUFFER_WIDEST ? (left < 4 ? left : 4) : 1;
    bool together = !p->buffer || (load && 4 * width <= BUFFER_WIDEST);
    if (p->buffer && align > BUFFER_WIDEST)
        align = BUFFER_WIDEST;
    if (type.lanes == 3 && align >= 4 * width && (together || buffer_has_threes(m->c->target, type)))
        return 3;
    while (lanes > 1 && lanes * width > align)
        lanes /= 2;
    return lanes;
}

static struct ir_instr *value_load(struct memory *m, struct ir_builder *b, const struct place *p, struct ir_type type)
{
    struct ir_instr *lanes[4];
    uint32_t width = type.bits / 8u;
    for (unsigned i = 0, n; i < type.lanes; i += n) {
        struct ir_type scalar = ir_with_lanes(type, 1);
        n = lanes_at_once(m, p, type, i, true);
        if (!n) {
            n = 1;
            lanes[i] = cast(b, scalar, integer_load(m, b, p, i * width, width));
            continue;
        }
        struct ir_instr *x = device_load(m, b, p, ir_with_lanes(type, n), i * width);
        if (n == type.lanes)
            return x;
        for (unsigned k = 0; k < n; k++)
            lanes[i + k] = ir_extract(b, x, k);
    }
    return type.lanes == 1 ? lanes[0] : ir_vec(b, lanes, type.lanes);
}

static void value_store(struct memory *m, struct ir_builder *b, const struct place *p, struct ir_instr *value)
{
    struct ir_type type = value->type;
    uint32_t width = type.bits / 8u;
    for (unsigned i = 0, n; i < type.lanes; i += n) {
        n = lanes_at_once(m, p, type, i, false);
        if (!n) {
            n = 1;
            integer_store(m, b, p, i * width, width, cast(b, ir_int(width * 8), ir_extract(b, value, i)));
            continue;
        }
        device_store(m, b, p, i * width, lanes_from(b, value, i, n));
    }
}

// ---- entry points --------------------------------------------------------------------------------

// The place advanced by `bytes`, which is a multiple of the region's unit unless units are bytes.
static struct place advanced(struct ir_builder *b, const struct place *p, uint32_t bytes)
{
    struct place q = *p;
    uint32_t unit = p->region ? p->region->unit : 1;
    if (p->buffer)
        q.byte_offset += bytes;
    else
        q.address = add_const(b, p->address, bytes / unit);
    if (bytes && p->mem.align > low_bit(bytes))
        q.mem.align = low_bit(bytes);
    return q;
}

// Maps a place in scratch memory to device memory: `offset` bytes behind the start of its region; NULL: its address is that
// of device memory already.
static void put_in_device(struct memory *m, struct ir_builder *b, struct place *p, struct ir_instr *offset)
{
    if (offset)
        p->address = ir_op2(b, IR_OP_iadd, p->region->scratch, m->logical ? offset : ir_convert(b, IR_OP_zext, ir_int(64), offset));
    p->buffer = m->logical ? buffer_of_scratch(m) : NULL;
    p->unit = 1;
    p->region = NULL;
    p->space = IR_GLOBAL;
    p->mem.coherent = p->mem.is_volatile = p->mem.readonly = false;
}

static bool same_rest(const struct ir_instr *x, const struct ir_instr *y)
{
    return x == y || (x->op == y->op && (x->op == IR_OP_imul || x->op == IR_OP_shl) && x->src[0] == y->src[0] && x->src[1] == y->src[1]);
}

// The device memory of an access whose byte k is k * `lanes` bytes behind the start of the region. If the previous access in
// the block is at a constant distance, so are both device addresses: neither offset wraps, as both are in the region.
// Drivers fold such distances into their instructions, but not constants in offsets of 32 bits, which might wrap.
static void scratch_start(struct memory *m, struct ir_builder *b, struct place *p, uint32_t lanes)
{
    struct scratch_start *start = &p->region->start, now = {b->block, p->address, 0, NULL};
    for (; now.rest->op == IR_OP_iadd && ir_is_const(now.rest->src[1]); now.rest = now.rest->src[0])
        now.ahead += (uint32_t)now.rest->src[1]->lanes[0];
    if (!m->logical && start->block == b->block && same_rest(start->rest, now.rest)) {
        p->address = add_const(b, start->address, (uint64_t)((int64_t)(int32_t)(now.ahead - start->ahead) * lanes));
        put_in_device(m, b, p, NULL);
        return;
    }
    put_in_device(m, b, p, ir_op2(b, IR_OP_imul, p->address, i32(b, lanes)));
    now.address = p->address;
    *start = now;
}

static bool is_interleaved(const struct place *p) { return p->region && p->region->granule; }

// Maps contiguous scratch memory to device memory.
static struct place resolve_scratch(struct memory *m, struct ir_builder *b, const struct place *p)
{
    bool contiguous = p->region && p->region->shape == SHAPE_SCRATCH && !is_interleaved(p);
    struct place q = *p;
    if (contiguous)
        scratch_start(m, b, &q, 1);
    return q;
}

static bool is_typed(const struct place *p) { return p->region && p->region->shape == SHAPE_TYPED; }

// Wide vectors are accessed four lanes at a time: a quarter is a multiple of four bytes or of the unit.
static unsigned quarters(struct ir_type type) { return type.lanes > 4 ? type.lanes / 4 : 1; }

// Many narrow lanes in device memory are accessed as words, so that one access covers 16 bytes. Returns IR_VOID if
// not applicable.
static struct ir_type words_of(const struct place *p, struct ir_type type)
{
    if (type.lanes <= 4 || type.bits >= 32 || !is_device(p) || p->mem.align < 4)
        return ir_void();
    return ir_with_lanes(ir_int(32), ir_type_bytes(type) / 4);
}

// ---- interleaved scratch memory ------------------------------------------------------------------

// The place `ahead` bytes behind the start of an access. Granule i of a work-item is i * scratch_lanes granules behind its first.
static struct place interleaved(struct memory *m, struct ir_builder *b, const struct place *p, uint32_t ahead)
{
    uint32_t granule = p->region->granule, within = ahead % granule;
    struct place q = *p;
    struct ir_instr *lanes = i32(b, m->scratch_lanes);
    if (p->mem.align >= granule) {
        scratch_start(m, b, &q, m->scratch_lanes);
        q.mem.align = granule;
        return advanced(b, &q, (ahead - within) * m->scratch_lanes + within);
    }
    struct ir_instr *offset = add_const(b, p->address, ahead);
    struct ir_instr *low = ir_op2(b, IR_OP_and, offset, i32(b, granule - 1));
    struct ir_instr *start = ir_op2(b, IR_OP_imul, ir_op2(b, IR_OP_and, offset, i32(b, 0 - granule)), lanes);
    put_in_device(m, b, &q, ir_op2(b, IR_OP_or, start, low));
    if (ahead && q.mem.align > low_bit(ahead))
        q.mem.align = low_bit(ahead);
    return q;
}

// The number of lanes from `first` on that are in one granule. A scalar never crosses the end of a granule: see granule_of().
static unsigned lanes_in_granule(const struct place *p, struct ir_type type, unsigned first)
{
    uint32_t unit = p->mem.align < p->region->granule ? p->mem.align : p->region->granule;
    unsigned lanes = unit / (type.bits / 8u), left = type.lanes - first;
    lanes = lanes > 4 ? 4 : lanes ? lanes : 1;
    return lanes < left ? lanes : left;
}

static struct ir_instr *interleaved_load(struct memory *m, struct ir_builder *b, const struct place *p, struct ir_type type)
{
    struct ir_instr *lanes[16];
    for (unsigned i = 0, n; i < type.lanes; i += n) {
        n = lanes_in_granule(p, type, i);
        struct ir_type part = ir_with_lanes(type, n);
        struct place q = interleaved(m, b, p, i * type.bits / 8u);
        struct ir_instr *x = cast(b, part, value_load(m, b, &q, grouped(&q, part)));
        if (n == type.lanes)
            return x;
        for (unsigned k = 0; k < n; k++)
            lanes[i + k] = ir_extract(b, x, k);
    }
    return ir_vec(b, lanes, type.lanes);
}

static void interleaved_store(struct memory *m, struct ir_builder *b, const struct place *p, struct ir_instr *value)
{
    struct ir_type type = value->type;
    for (unsigned i = 0, n; i < type.lanes; i += n) {
        n = lanes_in_granule(p, type, i);
        struct place q = interleaved(m, b, p, i * type.bits / 8u);
        struct ir_instr *part = lanes_from(b, value, i, n);
        value_store(m, b, &q, cast(b, grouped(&q, part->type), part));
    }
}

struct ir_instr *access_load(struct memory *m, struct ir_builder *b, const struct place *at, struct ir_type type)
{
    stack_check();
    if (is_interleaved(at))
        return interleaved_load(m, b, at, type);
    struct place p = resolve_scratch(m, b, at);
    if (is_typed(&p))
        return typed_load(b, &p, type);
    if (words_of(&p, type).lanes)
        return cast(b, type, access_load(m, b, &p, words_of(&p, type)));
    unsigned count = quarters(type);
    struct ir_type chunk = ir_with_lanes(type, type.lanes / count);
    struct ir_instr *lanes[16];
    for (unsigned i = 0; i < count; i++) {
        struct place q = advanced(b, &p, i * ir_type_bytes(chunk));
        struct ir_instr *x = cast(b, chunk, value_load(m, b, &q, grouped(&q, chunk)));
        if (count == 1)
            return x;
        for (unsigned k = 0; k < 4; k++)
            lanes[4 * i + k] = ir_extract(b, x, k);
    }
    return ir_vec(b, lanes, type.lanes);
}

void access_store(struct memory *m, struct ir_builder *b, const struct place *at, struct ir_instr *value)
{
    stack_check();
    if (is_interleaved(at)) {
        interleaved_store(m, b, at, value);
        return;
    }
    struct place p = resolve_scratch(m, b, at);
    struct ir_type type = value->type;
    if (is_typed(&p)) {
        typed_store(b, &p, value);
        return;
    }
    if (words_of(&p, type).lanes) {
        access_store(m, b, &p, cast(b, words_of(&p, type), value));
        return;
    }
    unsigned count = quarters(type);
    struct ir_type chunk = ir_with_lanes(type, type.lanes / count);
    for (unsigned i = 0; i < count; i++) {
        struct place q = advanced(b, &p, i * ir_type_bytes(chunk));
        struct ir_instr *lanes[4], *x = value;
        if (count > 1) {
            for (unsigned k = 0; k < 4; k++)
                lanes[k] = ir_extract(b, value, 4 * i + k);
            x = ir_vec(b, lanes, 4);
        }
        value_store(m, b, &q, cast(b, grouped(&q, chunk), x));
    }
}

// ---- atomics -------------------------------------------------------------------------------------

// Private memory needs no atomicity.
static struct ir_instr *private_result(struct ir_builder *b, const struct ir_instr *x, struct ir_instr *old,
                                       struct ir_instr *value, struct ir_instr *comparand)
{
    static const uint16_t ops[IR_ATOMIC_COUNT] = {
        [IR_ATOMIC_ADD] = IR_OP_iadd,  [IR_ATOMIC_SUB] = IR_OP_isub,  [IR_ATOMIC_AND] = IR_OP_and,
        [IR_ATOMIC_OR] = IR_OP_or,     [IR_ATOMIC_XOR] = IR_OP_xor,   [IR_ATOMIC_SMIN] = IR_OP_smin,
        [IR_ATOMIC_SMAX] = IR_OP_smax, [IR_ATOMIC_UMIN] = IR_OP_umin, [IR_ATOMIC_UMAX] = IR_OP_umax,
        [IR_ATOMIC_FADD] = IR_OP_fadd, [IR_ATOMIC_FMIN] = IR_OP_fmin, [IR_ATOMIC_FMAX] = IR_OP_fmax,
    };
    if (x->atomic_op == IR_ATOMIC_CMPXCHG) {
        struct ir_type bits = ir_int(old->type.bits);
        struct ir_instr *expected = cast(b, bits, comparand), *same = ir_op2(b, IR_OP_ieq, cast(b, bits, old), expected);
        return ir_select(b, same, value, old);
    }
    return ops[x->atomic_op] ? ir_op2(b, (enum ir_op)ops[x->atomic_op], old, value) : value;
}

static struct ir_instr *private_atomic(struct memory *m, struct ir_builder *b, const struct place *p,
                                       const struct ir_instr *x, struct ir_instr *value, struct ir_instr *comparand)
{
    struct ir_type type = value ? value->type : x->type;
    struct ir_instr *old = x->atomic_op == IR_ATOMIC_STORE ? NULL : access_load(m, b, p, type);
    if (x->atomic_op != IR_ATOMIC_LOAD)
        access_store(m, b, p, old ? private_result(b, x, old, value, comparand) : value);
    return old;
}

static bool is_float_arithmetic(unsigned op)
{
    return op == IR_ATOMIC_FADD || op == IR_ATOMIC_FMIN || op == IR_ATOMIC_FMAX;
}

static struct ir_instr *word_exchange(struct ir_builder *b, const struct place *p, struct ir_instr *at,
                                      struct ir_instr *value, struct ir_instr *comparand)
{
    return elem(b, IR_OP_elem_atomic, p, value->type, (struct ir_instr *[]){at, value, comparand}, 3, IR_ATOMIC_CMPXCHG);
}

static struct ir_instr *half_of(struct ir_builder *b, struct ir_instr *word, struct ir_instr *shift, struct ir_type type)
{
    return cast(b, type, ir_convert(b, IR_OP_trunc, ir_int(32), shifted(b, IR_OP_lshr, word, shift)));
}

// A 32-bit atomic on 64-bit words (other accesses need those): a compare-and-exchange loop on the word.
static struct ir_instr *half_atomic(struct memory *m, struct ir_builder *b, const struct place *p,
                                    const struct ir_instr *x, struct ir_instr *value, struct ir_instr *comparand)
{
    struct word w = word_at(m, b, p, 0);
    struct ir_type type = value ? value->type : x->type;
    struct place q = *p;
    q.mem.order = x->atomic_op == IR_ATOMIC_LOAD ? p->mem.order : IR_ORDER_RELAXED;
    if (is_outside(p, &(struct spot){w.at, 0}))
        w.at = i32(b, 0);
    struct ir_instr *first = elem(b, IR_OP_elem_atomic, &q, p->region->elem, &w.at, 1, IR_ATOMIC_LOAD);
    if (x->atomic_op == IR_ATOMIC_LOAD)
        return half_of(b, first, w.shift, type);
    struct ir_instr *others = ir_op1(b, IR_OP_not, shifted(b, IR_OP_shl, word_const(b, p, UINT32_MAX), w.shift));
    struct ir_loop *loop = ir_add_loop(b);
    struct ir_builder in = *b;
    ir_place_end(&in, &loop->body);
    struct ir_instr *seen = ir_phi(&in, first->type, 2);
    struct ir_instr *old = half_of(&in, seen, w.shift, type);
    struct ir_instr *made = cast(&in, ir_int(32), private_result(&in, x, old, value, comparand));
    made = shifted(&in, IR_OP_shl, ir_convert(&in, IR_OP_zext, first->type, made), w.shift);
    made = ir_op2(&in, IR_OP_or, ir_op2(&in, IR_OP_and, seen, others), made);
    struct ir_instr *found = word_exchange(&in, p, w.at, made, seen);
    struct ir_if *done = ir_add_if(&in, ir_op2(&in, IR_OP_ieq, found, seen));
    ir_place_end(&in, &done->then_list);
    ir_jump(&in, IR_OP_break, NULL);
    seen->src[0] = first;
    seen->preds[0] = (struct ir_block *)loop->node.prev;
    seen->src[1] = found;
    seen->preds[1] = ir_list_last(&loop->cont);
    return x->atomic_op == IR_ATOMIC_STORE ? NULL : old;
}

static struct ir_instr *region_atomic(struct ir_builder *b, const struct place *p, const struct ir_instr *x,
                                      struct ir_type result, struct ir_instr *src[3])
{
    if (p->region->shape == SHAPE_WORDS && p->region->unit == 1)
        src[0] = word_index(b, p, src[0]);
    if (is_outside(p, &(struct spot){src[0], 0}))
        src[0] = i32(b, 0);
    return elem(b, IR_OP_elem_atomic, p, result, src, x->src_count, x->atomic_op);
}

struct ir_instr *access_atomic(struct memory *m, struct ir_builder *b, const struct place *p, const struct ir_instr *x,
                               struct ir_instr *value, struct ir_instr *comparand)
{
    if (p->space == IR_PRIVATE)
        return private_atomic(m, b, p, x, value, comparand);
    struct ir_type type = value ? value->type : x->type;
    struct place q = *p;
    if (p->region && p->mem.scope > IR_SCOPE_WORK_GROUP)
        q.mem.scope = IR_SCOPE_WORK_GROUP; // no other work-items can see it
    if (p->region && p->region->shape == SHAPE_WORDS && type.bits < word_bytes(p) * 8)
        return half_atomic(m, b, &q, x, value, comparand);
    struct ir_type bits = is_float_arithmetic(x->atomic_op) ? type : ir_int(type.bits); // also for exchanges of floats
    struct ir_type result = x->atomic_op == IR_ATOMIC_STORE ? ir_void() : bits;
    struct ir_instr *src[3] = {p->address, value ? cast(b, bits, value) : NULL, comparand ? cast(b, bits, comparand) : NULL};
    struct ir_instr *old;
    if (p->buffer)
        old = buffer_atomic(m, b, p, (enum ir_atomic_op)x->atomic_op, bits, result, src[1], src[2]);
    else if (p->region)
        old = region_atomic(b, &q, x, result, src);
    else
        old = ir_atomic(b, (enum ir_atomic_op)x->atomic_op, result, src[0], src[1], src[2], device_mem(p, 0));
    return result.base == IR_VOID ? NULL : cast(b, type, old);
}
