// SPDX-License-Identifier: Apache-2.0
// Scalar replacement of aggregates: splits structs, unions and arrays in private memory that are accessed only at
// constant offsets.
//
//   var $s size 8; store ($s + 4), f32 %1; copy $t, $s size 8   ->   var $s.4 size 4; store $s.4, %1; load/store pieces
//
// Every access splits the bytes of its variable: at its ends, and between its lanes unless all accesses to these
// bytes agree on one vector type. Copies propagate the splits between variables. What is between two splits becomes a
// variable that is always accessed as a whole, so that mem2reg can promote it; an access that spans several pieces is
// assembled from them. A vector of halfs of which single lanes are only read is not split: devices compute with two
// halfs at a time. Not changed are variables that are accessed at a dynamic offset, whose address escapes, or that
// are too large.
#include "passes/opt.h"
#include <assert.h>

enum { MAX_SIZE = 2048, MAX_SIZE_MATRICES = 1 << 17, MAX_ROUNDS = 8, MAX_PIECE = 4 };

struct access {
    struct ir_instr *instr;
    struct bytes *bytes;
    uint32_t offset;
    struct ir_type type;
    bool unsplit; // its lanes are not split
};

struct bytes { // a variable and where it is split
    struct ir_var *var;
    bool rejected, wanted;
    struct ir_type seen; // the type of all accesses, unless
    bool mixed;          // they differ
    struct ir_type covering; // the type of all accesses to the whole variable, unless
    bool parts;              // they differ, or parts are stored, or parts are read that are not lanes of halfs
    uint8_t *cut;         // size + 1 entries: whether a piece starts here
    struct ir_type *type; // type of the piece that starts here
    struct ir_var **piece;
};

struct transfer { // a copy; one side may be something else (NULL)
    struct ir_instr *instr;
    struct bytes *to, *from;
    uint32_t to_offset, from_offset;
};

struct split {
    struct ir_module *m;
    struct arena *scratch;
    struct ir_function *f;
    struct bytes *all;
    size_t count;
    VEC(struct access) accesses;
    VEC(struct transfer) transfers;
    VEC(struct access) zeros; // type: unused
    VEC(struct ir_instr *) addresses;
};

// ---- analysis -----------------------------------------------------------------------------------

static struct bytes *bytes_of(struct split *s, const struct ir_var *var)
{
    uint32_t id = var->id;
    return !var->in_module && id && id <= s->count && s->all[id - 1].var == var ? &s->all[id - 1]
                                                                                : NULL;
}

static struct bytes *bytes_at(struct split *s, const struct ir_instr *address, uint64_t size,
                              uint32_t *offset)
{
    int64_t at;
    struct ir_var *var = opt_var_at(address, &at);
    struct bytes *bytes = var ? bytes_of(s, var) : NULL;
    if (!bytes)
        return NULL;
    if (at < 0 || (uint64_t)at > var->size || size > var->size - (uint64_t)at)
        bytes->rejected = true; // out of bounds
    if (bytes->rejected)
        return NULL;
    *offset = (uint32_t)at;
    return bytes;
}

static void note_extent(const struct access *a)
{
    struct bytes *b = a->bytes;
    bool covers = ir_type_bytes(a->type) == b->var->size, known = b->covering.base != IR_VOID;
    if (covers) {
        b->parts |= known && !ir_type_eq(b->covering, a->type);
        b->covering = a->type;
    } else {
        bool half = a->type.base == IR_FLOAT && a->type.bits == 16 && a->type.lanes == 1;
        b->parts |= !half || a->instr->op != IR_OP_load;
    }
}

// Whether it reads one lane of halfs that have not been split so far.
static bool reads_lane(const struct access *a)
{
    const struct bytes *b = a->bytes;
    bool halfs = b->covering.base == IR_FLOAT && b->covering.bits == 16 && b->covering.lanes > 1 && !b->parts;
    uint32_t end = a->offset + ir_type_bytes(a->type);
    return halfs && a->type.lanes == 1 && !(b->cut[a->offset] && b->cut[end]);
}

static void note_access(struct split *s, struct ir_instr *x, struct ir_type type)
{
    struct access a = {.instr = x, .type = type};
    a.bytes = bytes_at(s, x->src[0], ir_type_bytes(type), &a.offset);
    if (!a.bytes)
        return;
    a.bytes->rejected |= x->mem.is_volatile;
    bool other = a.bytes->seen.base != IR_VOID && !ir_type_eq(a.bytes->seen, type);
    a.bytes->mixed |= other;
    a.bytes->rejected |= other && (ir_is_matrix(a.bytes->seen) || ir_is_matrix(type)); // the layout of matrices is opaque
    a.bytes->seen = type;
    a.bytes->wanted |= x->src[0]->op != IR_OP_addr || ir_type_bytes(type) != a.bytes->var->size;
    note_extent(&a);
    vec_push(s->scratch, &s->accesses, a);
}

static void note_copy(struct split *s, struct ir_instr *x)
{
    struct transfer t = {.instr = x};
    t.to = bytes_at(s, x->src[0], x->size, &t.to_offset);
    t.from = bytes_at(s, x->src[1], x->size, &t.from_offset);
    bool is_volatile = x->mem.is_volatile || x->mem_from.is_volatile;
    if (t.to)
        t.to->rejected |= is_volatile, t.to->wanted = true;
    if (t.from)
        t.from->rejected |= is_volatile, t.from->wanted = true;
    if (t.to || t.from)
        vec_push(s->scratch, &s->transfers, t);
}

static void note_zero(struct split *s, struct ir_instr *x)
{
    struct access a = {.instr = x};
    a.bytes = bytes_at(s, x->src[0], x->size, &a.offset);
    if (!a.bytes)
        return;
    a.bytes->wanted = true;
    a.bytes->rejected |= x->mem.is_volatile;
    vec_push(s->scratch, &s->zeros, a);
}

// Any other use of an address keeps its variable in memory.
static void reject(struct split *s, const struct ir_instr *x)
{
    int64_t offset;
    if (x->type.base != IR_PTR)
        return;
    struct ir_var *var = opt_var_at(x, &offset);
    struct bytes *bytes = var ? bytes_of(s, var) : NULL;
    if (bytes)
        bytes->rejected = true;
}

static void note_instr(struct split *s, struct ir_instr *x)
{
    uint32_t from = 0;
    if (x->op == IR_OP_load) {
        note_access(s, x, x->type);
        from = 1;
    } else if (x->op == IR_OP_store) {
        note_access(s, x, x->src[1]->type);
        from = 1;
    } else if (x->op == IR_OP_copy) {
        note_copy(s, x);
        from = 2;
    } else if (x->op == IR_OP_zero) {
        note_zero(s, x);
        from = 1;
    } else if (x->op == IR_OP_ptr_index && x->src_count == 1) {
        from = 1;
        vec_push(s->scratch, &s->addresses, x);
    }
    for (uint32_t i = from; i < x->src_count; i++)
        reject(s, x->src[i]);
}

// Variables that hold only matrices, each of which is one piece, may be larger.
static void allow_matrices(struct split *s)
{
    int64_t offset;
    for (struct ir_block *b = ir_first_block(s->f); b; b = ir_next_block(b))
        for (struct ir_instr *x = b->first; x; x = x->next) {
            bool matrix = (x->op == IR_OP_load && ir_is_matrix(x->type)) ||
                          (x->op == IR_OP_store && ir_is_matrix(x->src[1]->type));
            struct ir_var *var = matrix ? opt_var_at(x->src[0], &offset) : NULL;
            struct bytes *bytes = var ? bytes_of(s, var) : NULL;
            if (bytes && var->size <= MAX_SIZE_MATRICES && var->elem.base == IR_VOID)
                bytes->rejected = false;
        }
}

static void collect(struct split *s)
{
    s->count = s->f->vars.count;
    s->all = ARENA_ARRAY(s->scratch, struct bytes, s->count);
    bool large = false;
    for (size_t i = 0; i < s->count; i++) {
        struct ir_var *var = s->all[i].var = s->f->vars.items[i];
        var->id = (uint32_t)i + 1;
        s->all[i].rejected = var->size > MAX_SIZE || !var->size || var->elem.base != IR_VOID;
        large |= var->size > MAX_SIZE;
    }
    if (large)
        allow_matrices(s);
    for (struct ir_block *b = ir_first_block(s->f); b; b = ir_next_block(b))
        for (struct ir_instr *x = b->first; x; x = x->next)
            note_instr(s, x);
}

// Drops everything about rejected variables; a copy keeps its other side.
static void drop_rejected(struct split *s)
{
    size_t count = 0;
    for (size_t i = 0; i < s->accesses.count; i++)
        if (!s->accesses.items[i].bytes->rejected)
            s->accesses.items[count++] = s->accesses.items[i];
    s->accesses.count = count;
    count = 0;
    for (size_t i = 0; i < s->zeros.count; i++)
        if (!s->zeros.items[i].bytes->rejected)
            s->zeros.items[count++] = s->zeros.items[i];
    s->zeros.count = count;
    count = 0;
    for (size_t i = 0; i < s->transfers.count; i++) {
        struct transfer t = s->transfers.items[i];
        t.to = t.to && t.to->rejected ? NULL : t.to;
        t.from = t.from && t.from->rejected ? NULL : t.from;
        if (t.to || t.from)
            s->transfers.items[count++] = t;
    }
    s->transfers.count = count;
}

// ---- splitting ----------------------------------------------------------------------------------

static void prepare_bytes(struct split *s, struct bytes *b)
{
    size_t size = b->var->size;
    b->cut = ARENA_ARRAY(s->scratch, uint8_t, size + 1);
    b->type = ARENA_ARRAY(s->scratch, struct ir_type, size + 1);
    b->piece = ARENA_ARRAY(s->scratch, struct ir_var *, size + 1);
    b->cut[0] = b->cut[size] = 1;
}

static void cut_range(struct bytes *b, uint32_t offset, uint64_t size)
{
    b->cut[offset] = b->cut[offset + size] = 1;
}

static bool cut_inside(const struct bytes *b, uint32_t offset, uint32_t size)
{
    return memchr(b->cut + offset + 1, 1, size - 1) != NULL;
}

// A scalar of 3 or 6 bytes that is also accessed with another type: it can only be assembled from lanes.
static bool odd_piece(const struct access *a)
{
    uint32_t size = ir_type_bytes(a->type);
    return (size == 3 || size == 6) && a->bytes->mixed;
}

static void cut_lanes(struct access *a)
{
    uint32_t width = a->type.bits / 8;
    for (unsigned i = 0; i <= a->type.lanes; i++)
        a->bytes->cut[a->offset + i * width] = 1;
    a->unsplit = false;
}

// Splits on one side of a copy are applied to the other side.
static bool share_cuts(const struct transfer *t)
{
    bool changed = false;
    if (!t->to || !t->from)
        return false;
    uint8_t *to = t->to->cut + t->to_offset, *from = t->from->cut + t->from_offset;
    for (uint64_t i = 0; i <= t->instr->size; i++) {
        changed |= to[i] != from[i];
        to[i] = from[i] = to[i] | from[i];
    }
    return changed;
}

// If one side of a copy is a matrix, the other side is too, and is not split.
static void share_matrices(const struct transfer *t)
{
    if (!t->to || !t->from)
        return;
    struct ir_type *to = t->to->type + t->to_offset, *from = t->from->type + t->from_offset;
    for (uint64_t i = 0; i < t->instr->size; i++)
        if (ir_is_matrix(to[i]) != ir_is_matrix(from[i]))
            to[i] = from[i] = ir_is_matrix(to[i]) ? to[i] : from[i];
}

// Splits long pieces into naturally aligned ones of at most MAX_PIECE bytes, unless one access covers them.
static bool fill_gaps(struct bytes *b)
{
    bool changed = false;
    uint32_t size = (uint32_t)b->var->size;
    for (uint32_t at = 0, end; at < size; at = end) {
        for (end = at + 1; !b->cut[end]; end++)
            ;
        if (b->type[at].base != IR_VOID && ir_type_bytes(b->type[at]) == end - at)
            continue;
        for (uint32_t i = at; i < end;) {
            uint32_t width = MAX_PIECE;
            while (i % width || i + width > end)
                width /= 2;
            changed |= !b->cut[i];
            b->cut[i] = 1;
            i += width;
        }
    }
    return changed;
}

static void set_type(struct bytes *b, uint32_t at, struct ir_type type)
{
    if (b->type[at].base == IR_VOID ||
        (b->type[at].base == IR_INT && type.base == IR_FLOAT && b->type[at].lanes == 1 &&
         type.lanes == 1 && b->type[at].bits == type.bits))
        b->type[at] = type;
}

// Sets the types of pieces that are accessed exactly.
static void note_types(struct split *s)
{
    for (size_t i = 0; i < s->accesses.count; i++) {
        struct access *a = &s->accesses.items[i];
        uint32_t width = a->type.bits / 8;
        if (reads_lane(a))
            continue;
        if (a->unsplit) {
            set_type(a->bytes, a->offset, a->type);
            continue;
        }
        for (unsigned k = 0; k < a->type.lanes; k++)
            if (!cut_inside(a->bytes, a->offset + k * width, width))
                set_type(a->bytes, a->offset + k * width, ir_with_lanes(a->type, 1));
    }
}

static bool split_until_stable(struct split *s)
{
    for (int round = 0; round < MAX_ROUNDS; round++) {
        bool changed = false;
        for (size_t i = 0; i < s->transfers.count; i++)
            changed |= share_cuts(&s->transfers.items[i]);
        for (size_t i = s->transfers.count; i-- > 0;)
            changed |= share_cuts(&s->transfers.items[i]);
        for (size_t i = 0; i < s->accesses.count; i++) {
            struct access *a = &s->accesses.items[i];
            if (ir_is_matrix(a->type) && cut_inside(a->bytes, a->offset, ir_type_bytes(a->type)))
                return false;
            if (a->unsplit && (odd_piece(a) || cut_inside(a->bytes, a->offset, ir_type_bytes(a->type)))) {
                cut_lanes(a);
                changed = true;
            }
        }
        if (!changed)
            return true;
    }
    return false;
}

static bool cut_all(struct split *s)
{
    for (size_t i = 0; i < s->count; i++)
        if (!s->all[i].rejected)
            prepare_bytes(s, &s->all[i]);
    for (size_t i = 0; i < s->accesses.count; i++) {
        struct access *a = &s->accesses.items[i];
        a->unsplit = true;
        if (!reads_lane(a))
            cut_range(a->bytes, a->offset, ir_type_bytes(a->type));
    }
    for (size_t i = 0; i < s->zeros.count; i++)
        cut_range(s->zeros.items[i].bytes, s->zeros.items[i].offset, s->zeros.items[i].instr->size);
    for (size_t i = 0; i < s->transfers.count; i++) {
        struct transfer *t = &s->transfers.items[i];
        if (t->to)
            cut_range(t->to, t->to_offset, t->instr->size);
        if (t->from)
            cut_range(t->from, t->from_offset, t->instr->size);
    }
    if (!split_until_stable(s))
        return false;
    note_types(s);
    for (int round = 0; round < MAX_ROUNDS; round++)
        for (size_t i = 0; i < s->transfers.count; i++)
            share_matrices(&s->transfers.items[i]);
    for (int round = 0; round < MAX_ROUNDS; round++) {
        bool changed = false;
        for (size_t i = 0; i < s->count; i++)
            changed |= !s->all[i].rejected && fill_gaps(&s->all[i]);
        if (!changed)
            return true;
        if (!split_until_stable(s)) // the two sides of a copy may have been split differently
            return false;
    }
    return false;
}

// ---- rewriting ----------------------------------------------------------------------------------

static uint32_t piece_size(const struct bytes *b, uint32_t at)
{
    uint32_t end = at + 1;
    while (!b->cut[end])
        end++;
    return end - at;
}

static struct ir_instr *piece(struct split *s, struct bytes *b, uint32_t at)
{
    if (!b->piece[at]) {
        uint32_t size = piece_size(b, at);
        const char *name = arena_printf(s->m->arena, "%s.%u", b->var->name, at);
        b->piece[at] = ir_var_add(s->m, s->f, name, IR_PRIVATE, size, opt_align_at(16, at));
        if (b->type[at].base == IR_VOID || ir_type_bytes(b->type[at]) != size)
            b->type[at] = ir_int(size * 8);
    }
    return ir_addr(s->m, b->piece[at]);
}

static struct ir_mem piece_mem(const struct bytes *b, uint32_t at)
{
    return (struct ir_mem){.space = IR_PRIVATE, .align = b->piece[at]->align};
}

static struct ir_instr *load_piece(struct split *s, struct ir_builder *at, struct bytes *b,
                                   uint32_t offset)
{
    struct ir_instr *address = piece(s, b, offset);
    return ir_load(at, b->type[offset], address, piece_mem(b, offset));
}

static void store_piece(struct split *s, struct ir_builder *at, struct bytes *b, uint32_t offset,
                        struct ir_instr *x)
{
    struct ir_instr *address = piece(s, b, offset);
    ir_store(at, address, opt_recast(at, x, b->type[offset]), piece_mem(b, offset));
}

// A scalar that consists of several pieces, lowest bytes first.
static struct ir_instr *load_lane(struct split *s, struct ir_builder *at, struct bytes *b,
                                  uint32_t offset, struct ir_type type)
{
    uint32_t size = type.bits / 8, done = piece_size(b, offset);
    if (done == size)
        return opt_recast(at, load_piece(s, at, b, offset), type);
    struct ir_type as_int = ir_int(type.bits);
    struct ir_instr *sum = NULL;
    for (uint32_t i = 0; i < size; i += done) {
        done = piece_size(b, offset + i);
        struct ir_instr *part = opt_recast(at, load_piece(s, at, b, offset + i), ir_int(done * 8));
        part = ir_convert(at, IR_OP_zext, as_int, part);
        part = ir_op2(at, IR_OP_shl, part, ir_const_int(s->m, as_int, i * 8));
        sum = sum ? ir_op2(at, IR_OP_or, sum, part) : part;
    }
    return opt_recast(at, sum, type);
}

static void store_lane(struct split *s, struct ir_builder *at, struct bytes *b, uint32_t offset,
                       struct ir_instr *x)
{
    uint32_t size = x->type.bits / 8, done = piece_size(b, offset);
    if (done == size) {
        store_piece(s, at, b, offset, x);
        return;
    }
    struct ir_type as_int = ir_int(x->type.bits);
    x = opt_recast(at, x, as_int);
    for (uint32_t i = 0; i < size; i += done) {
        done = piece_size(b, offset + i);
        struct ir_instr *part = ir_op2(at, IR_OP_lshr, x, ir_const_int(s->m, as_int, i * 8));
        store_piece(s, at, b, offset + i, ir_convert(at, IR_OP_trunc, ir_int(done * 8), part));
    }
}

static void rewrite_access(struct split *s, struct access *a)
{
    struct ir_builder at = {.module = s->m, .function = s->f};
    struct ir_instr *x = a->instr, *lanes[16];
    struct ir_type one = ir_with_lanes(a->type, 1);
    uint32_t width = a->type.bits / 8;
    bool is_load = x->op == IR_OP_load;
    ir_place_before(&at, x);
    if (reads_lane(a)) {
        ir_replace(x, ir_extract(&at, load_piece(s, &at, a->bytes, 0), a->offset / width));
    } else if (a->unsplit) {
        if (is_load)
            ir_replace(x, opt_recast(&at, load_piece(s, &at, a->bytes, a->offset), a->type));
        else
            store_piece(s, &at, a->bytes, a->offset, opt_resolved(x->src[1]));
    } else {
        for (unsigned i = 0; i < a->type.lanes; i++) {
            if (is_load)
                lanes[i] = load_lane(s, &at, a->bytes, a->offset + i * width, one);
            else
                store_lane(s, &at, a->bytes, a->offset + i * width,
                           ir_extract(&at, opt_resolved(x->src[1]), i));
        }
        if (is_load)
            ir_replace(x, a->type.lanes == 1 ? lanes[0] : ir_vec(&at, lanes, a->type.lanes));
    }
    if (!is_load)
        ir_remove(x);
}

// The number of words from `at` on that are accessed as one vector: 4 or 2 if each is a piece and they are aligned,
// else 1.
static unsigned vector_words(const struct bytes *b, uint32_t at, uint64_t left, uint32_t align)
{
    unsigned words = 0;
    while (words < 4 && (words + 1) * 4 <= left && piece_size(b, at + words * 4) == 4)
        words++;
    return words == 4 && align >= 16 ? 4 : words >= 2 && align >= 8 ? 2 : 1;
}

static void load_outside(struct split *s, struct ir_builder *at, const struct transfer *t,
                         uint32_t i, unsigned count, struct ir_instr **values)
{
    struct ir_mem mem = t->instr->mem_from;
    struct bytes *b = t->to;
    uint32_t offset = t->to_offset + i;
    for (unsigned k = 0; k < count; k++)
        piece(s, b, offset + 4 * k);
    struct ir_type type = count > 1 ? ir_with_lanes(ir_int(32), count) : b->type[offset];
    bool floats = count > 1;
    for (unsigned k = 0; k < count; k++)
        floats = floats && b->type[offset + 4 * k].base == IR_FLOAT;
    type.base = floats ? IR_FLOAT : type.base;
    mem.align = opt_align_at(mem.align, i);
    struct ir_instr *address = ir_ptr_index(at, opt_resolved(t->instr->src[1]), NULL, 0, i);
    struct ir_instr *all = ir_load(at, type, address, mem);
    for (unsigned k = 0; k < count; k++)
        values[k] = count > 1 ? ir_extract(at, all, k) : all; // a single piece may itself be a vector
}

static void store_outside(struct ir_builder *at, const struct transfer *t, uint32_t i,
                          unsigned count, struct ir_instr **values)
{
    struct ir_mem mem = t->instr->mem;
    struct ir_instr *lanes[4], *value = values[0];
    bool floats = true;
    for (unsigned k = 0; k < count; k++)
        floats = floats && values[k]->type.base == IR_FLOAT;
    for (unsigned k = 0; k < count && count > 1; k++)
        lanes[k] = opt_recast(at, values[k], floats ? ir_float(32) : ir_int(32));
    if (count > 1)
        value = ir_vec(at, lanes, count);
    mem.align = opt_align_at(mem.align, i);
    ir_store(at, ir_ptr_index(at, opt_resolved(t->instr->src[0]), NULL, 0, i), value, mem);
}

// All loads are placed before all stores: source and destination may be the same variable.
static void rewrite_transfer(struct split *s, struct transfer *t)
{
    struct ir_builder at = {.module = s->m, .function = s->f};
    struct ir_instr *x = t->instr;
    struct bytes *cuts = t->to ? t->to : t->from;
    uint32_t base = t->to ? t->to_offset : t->from_offset, next = 0;
    struct ir_instr **values = ARENA_ARRAY(s->scratch, struct ir_instr *, x->size + 1);
    ir_place_before(&at, x);
    for (uint32_t i = 0, count;
         i<x->size; next += count, i += count> 1 ? 4 * count : piece_size(cuts, base + i)) {
        count = t->from ? 1
                        : vector_words(cuts, base + i, x->size - i,
                                       opt_align_at(x->mem_from.align, i));
        if (t->from)
            values[next] = load_piece(s, &at, t->from, t->from_offset + i);
        else
            load_outside(s, &at, t, i, count, &values[next]);
    }
    next = 0;
    for (uint32_t i = 0, count;
         i<x->size; next += count, i += count> 1 ? 4 * count : piece_size(cuts, base + i)) {
        count =
            t->to ? 1 : vector_words(cuts, base + i, x->size - i, opt_align_at(x->mem.align, i));
        if (t->to)
            store_piece(s, &at, t->to, t->to_offset + i, values[next]);
        else
            store_outside(&at, t, i, count, &values[next]);
    }
    ir_remove(x);
}

static struct ir_instr *zero_of(struct ir_builder *at, struct ir_type type)
{
    struct ir_instr *zero = ir_const_int(at->module, ir_is_matrix(type) ? ir_component(type) : type, 0);
    return ir_is_matrix(type) ? ir_build(at, IR_OP_mat_splat, type, &zero, 1) : zero;
}

static void rewrite_zero(struct split *s, struct access *a)
{
    struct ir_builder at = {.module = s->m, .function = s->f};
    ir_place_before(&at, a->instr);
    for (uint32_t i = 0; i < a->instr->size; i += piece_size(a->bytes, a->offset + i)) {
        piece(s, a->bytes, a->offset + i);
        store_piece(s, &at, a->bytes, a->offset + i,
                    zero_of(&at, a->bytes->type[a->offset + i]));
    }
    ir_remove(a->instr);
}

// Addresses within split variables have no uses left.
static void drop_addresses(struct split *s)
{
    int64_t offset;
    for (size_t i = s->addresses.count; i-- > 0;) {
        struct ir_var *var = opt_var_at(s->addresses.items[i], &offset);
        struct bytes *bytes = var ? bytes_of(s, var) : NULL;
        if (bytes && !bytes->rejected)
            ir_remove(s->addresses.items[i]);
    }
}

static void drop_vars(struct split *s)
{
    size_t count = 0;
    for (size_t i = 0; i < s->f->vars.count; i++) {
        struct ir_var *var = s->f->vars.items[i];
        if (i >= s->count || s->all[i].rejected)
            s->f->vars.items[count++] = var;
    }
    s->f->vars.count = count;
}

// Variables that need no splitting are not changed, unless a copy relates them to one that does.
static void reject_unwanted(struct split *s)
{
    for (size_t i = 0; i < s->count; i++)
        s->all[i].rejected |= !s->all[i].wanted;
}

static bool any_left(const struct split *s)
{
    for (size_t i = 0; i < s->count; i++)
        if (!s->all[i].rejected)
            return true;
    return false;
}

// Requires: ptr_index chains folded to constants by the builder. Keeps: control flow. Removes: copies and zeroing of
// the variables it splits.
bool opt_split_vars(struct pass_context *context, struct ir_function *f)
{
    struct split s = {.m = context->module, .scratch = context->scratch, .f = f};
    if (!f->vars.count)
        return false;
    collect(&s);
    reject_unwanted(&s);
    drop_rejected(&s);
    if (!any_left(&s) || !cut_all(&s))
        return false;
    for (size_t i = 0; i < s.transfers.count; i++)
        rewrite_transfer(&s, &s.transfers.items[i]);
    for (size_t i = 0; i < s.zeros.count; i++)
        rewrite_zero(&s, &s.zeros.items[i]);
    for (size_t i = 0; i < s.accesses.count; i++)
        rewrite_access(&s, &s.accesses.items[i]);
    ir_resolve(f);
    drop_addresses(&s);
    drop_vars(&s);
    return true;
}
