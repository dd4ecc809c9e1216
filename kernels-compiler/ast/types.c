// SPDX-License-Identifier: Apache-2.0
// Makes types, each once: equal types have equal pointers.
//
// Vectors and unqualified pointers are cached in the type they derive from. Other derived types (qualified pointers,
// arrays, functions) are found by hash in types.derived, whose values are chains. Each call makes a new record or
// enum. Qualifiers of an array belong to its elements. Array elements have no address space: the object that contains
// the array has one.
#include "ast/types.h"
#include "util/hash.h"
#include "util/stack.h"

struct link {
    struct type *type;
    struct link *next;
};

static const uint8_t basic_size[TYPE_KIND_COUNT] = {
    [TYPE_VOID] = 1, [TYPE_BOOL] = 1, [TYPE_CHAR] = 1, [TYPE_UCHAR] = 1, [TYPE_SHORT] = 2,
    [TYPE_USHORT] = 2, [TYPE_INT] = 4, [TYPE_UINT] = 4, [TYPE_LONG] = 8, [TYPE_ULONG] = 8,
    [TYPE_HALF] = 2, [TYPE_FLOAT] = 4, [TYPE_DOUBLE] = 8, [TYPE_BF16] = 2, [TYPE_E4M3] = 1, [TYPE_E5M2] = 1,
};

void types_init(struct types *types, struct arena *arena, struct intern *intern, uint32_t pointer_bytes)
{
    *types = (struct types){.arena = arena, .intern = intern, .pointer_bytes = pointer_bytes};
    for (int i = 0; i <= TYPE_E5M2; i++) {
        struct type *type = &types->basic[i];
        type->kind = (enum type_kind)i;
        type->size = basic_size[i];
        type->align = basic_size[i] ? basic_size[i] : 1;
    }
    for (int i = 0; i < OPAQUE_COUNT; i++)
        types->opaque[i] =
            (struct type){.kind = TYPE_OPAQUE, .opaque = (enum type_opaque)i, .size = 8, .align = 8};
}

struct type *type_basic(struct types *types, enum type_kind kind)
{
    return &types->basic[kind];
}

static struct type *type_new(struct types *types, enum type_kind kind)
{
    struct type *type = ARENA_NEW(types->arena, struct type);
    type->kind = kind;
    type->align = 1;
    return type;
}

struct type *type_vector(struct types *types, struct type *elem, unsigned lanes)
{
    unsigned slot = lanes == 2 ? 0 : lanes == 3 ? 1 : lanes == 4 ? 2 : lanes == 8 ? 3 : 4;
    if (elem->vectors[slot])
        return elem->vectors[slot];
    struct type *type = type_new(types, TYPE_VECTOR);
    type->elem = qtype_of(elem);
    type->count = lanes;
    type->size = elem->size * (lanes == 3 ? 4 : lanes);
    type->align = (uint32_t)type->size;
    return elem->vectors[slot] = type;
}

// ---- uniquing --------------------------------------------------------------------------------------

static bool qtype_equal(struct qtype a, struct qtype b)
{
    return a.type == b.type && a.quals == b.quals && a.space == b.space && a.access == b.access &&
           a.low_align == b.low_align;
}

static uint64_t qtype_hash(uint64_t seed, struct qtype q)
{
    uint64_t attributes = (uint64_t)q.quals | (uint64_t)q.space << 8 | (uint64_t)q.access << 16 | (uint64_t)q.low_align << 24;
    return hash_combine(hash_combine(seed, (uint64_t)(uintptr_t)q.type), attributes);
}

static bool derived_equal(const struct type *a, const struct type *b)
{
    if (a->kind != b->kind || !qtype_equal(a->elem, b->elem) || a->count != b->count ||
        a->incomplete != b->incomplete || a->variadic != b->variadic || a->rows != b->rows || a->use != b->use)
        return false;
    for (uint64_t i = 0; a->params && i < a->count; i++)
        if (!qtype_equal(a->params[i], b->params[i]))
            return false;
    return true;
}

// The type equal to `wanted`, made if it does not exist yet.
static struct type *derived(struct types *types, const struct type *wanted)
{
    uint64_t hash = qtype_hash((uint64_t)wanted->kind, wanted->elem);
    hash = hash_combine(hash, wanted->count * 4 + wanted->incomplete * 2u + wanted->variadic);
    hash = wanted->rows ? hash_combine(hash, wanted->rows * 4u + wanted->use) : hash;
    for (uint64_t i = 0; wanted->params && i < wanted->count; i++)
        hash = qtype_hash(hash, wanted->params[i]);

    const void *key = (const void *)(uintptr_t)(hash | 1);
    struct link *first = map_get(&types->derived, key);
    for (struct link *link = first; link; link = link->next)
        if (derived_equal(link->type, wanted))
            return link->type;
    struct link *link = ARENA_NEW(types->arena, struct link);
    link->type = arena_copy(types->arena, wanted, sizeof *wanted);
    link->next = first;
    if (wanted->params)
        link->type->params =
            arena_copy(types->arena, wanted->params, sizeof *wanted->params * (size_t)wanted->count);
    map_set(types->arena, &types->derived, key, link);
    return link->type;
}

struct type *type_pointer(struct types *types, struct qtype pointee)
{
    bool plain = !pointee.quals && !pointee.access && !pointee.low_align;
    if (plain && pointee.type->pointers[pointee.space])
        return pointee.type->pointers[pointee.space];
    uint32_t bytes = types->pointer_bytes;
    struct type wanted = {.kind = TYPE_POINTER, .size = bytes, .align = bytes, .elem = pointee};
    wanted.depth = (uint16_t)(pointee.type->depth + 1);
    struct type *type = derived(types, &wanted);
    if (plain)
        pointee.type->pointers[pointee.space] = type;
    return type;
}

// ndrange_t is a record whose member names cannot occur in source.
struct type *type_ndrange(struct types *types)
{
    static const char *const names[] = {"work_dim.", "offset.", "size.", "local."};
    if (types->ndrange)
        return types->ndrange;
    struct type *type = type_record(types, TYPE_STRUCT, NULL, (struct loc){0});
    struct field *fields = ARENA_ARRAY(types->arena, struct field, 4);
    for (unsigned i = 0; i < 4; i++) {
        struct type *word = type_basic(types, i ? TYPE_ULONG : TYPE_UINT);
        fields[i] = (struct field){.name = names[i], .type = qtype_of(i ? type_array(types, qtype_of(word), 3, false) : word)};
        fields[i].offset = i ? 8 + (i - 1) * 24 : 0;
    }
    type->record->fields = fields;
    type->record->field_count = 4;
    type->record->complete = true;
    type->incomplete = false;
    type->size = 80;
    type->align = 8;
    type->name = "ndrange_t";
    return types->ndrange = type;
}

struct type *type_block(struct types *types, struct type *function)
{
    struct type wanted = {.kind = TYPE_BLOCK, .size = 8, .align = 8, .elem = qtype_of(function)};
    wanted.depth = (uint16_t)(function->depth + 1);
    return derived(types, &wanted);
}

struct type *type_pipe(struct types *types, struct type *packet)
{
    struct type wanted = types->opaque[OPAQUE_PIPE];
    wanted.elem = qtype_of(packet);
    wanted.size = wanted.align = types->pointer_bytes;
    return derived(types, &wanted);
}

struct type *type_matrix(struct types *types, struct type *elem, unsigned rows, unsigned columns, enum type_use use)
{
    struct type wanted = {.kind = TYPE_MATRIX, .elem = qtype_of(elem), .align = elem->align, .matrices = true};
    wanted.rows = (uint16_t)rows;
    wanted.columns = (uint16_t)columns;
    wanted.use = (uint8_t)use;
    wanted.count = (uint64_t)rows * columns;
    wanted.size = wanted.count * elem->size;
    return derived(types, &wanted);
}

struct type *type_array(struct types *types, struct qtype elem, uint64_t count, bool incomplete)
{
    struct type wanted = {.kind = TYPE_ARRAY, .elem = elem, .align = elem.type->align};
    wanted.elem.space = SPACE_PRIVATE;
    wanted.matrices = elem.type->matrices;
    wanted.incomplete = incomplete;
    wanted.depth = (uint16_t)(elem.type->depth + 1);
    if (!incomplete) {
        wanted.count = count;
        if (__builtin_mul_overflow(count, elem.type->size, &wanted.size))
            wanted.size = UINT64_MAX;
    }
    return derived(types, &wanted);
}

struct type *type_function(struct types *types, struct qtype result, const struct qtype *params, uint32_t count,
                           bool variadic)
{
    struct qtype *plain = ARENA_ARRAY(types->arena, struct qtype, count ? count : 1);
    for (uint32_t i = 0; i < count; i++) {
        plain[i] = params[i];
        plain[i].quals = 0;
        plain[i].space = SPACE_PRIVATE;
        plain[i].low_align = 0;
    }
    result.quals = 0;
    result.space = SPACE_PRIVATE;
    result.low_align = 0;
    struct type wanted = {.kind = TYPE_FUNCTION, .elem = result, .align = 1, .count = count, .variadic = variadic};
    wanted.params = count ? plain : NULL;
    wanted.depth = (uint16_t)(result.type->depth + 1);
    return derived(types, &wanted);
}

struct type *type_record(struct types *types, enum type_kind kind, const char *tag, struct loc loc)
{
    struct type *type = type_new(types, kind);
    type->incomplete = true;
    type->record = ARENA_NEW(types->arena, struct record);
    type->record->tag = tag;
    type->record->loc = loc;
    return type;
}

struct type *type_enum(struct types *types, const char *tag, struct type *representation)
{
    struct type *type = type_new(types, TYPE_ENUM);
    type->tag = tag;
    type->elem = qtype_of(representation);
    type->size = representation->size;
    type->align = representation->align;
    return type;
}

struct qtype type_qualify(struct types *types, struct qtype type, unsigned quals)
{
    stack_check();
    if (type.type->kind != TYPE_ARRAY) {
        type.quals |= (uint8_t)quals;
        return type;
    }
    quals |= type.quals;
    type.quals = 0;
    struct qtype elem = type_qualify(types, type.type->elem, quals);
    if (!qtype_equal(elem, type.type->elem))
        type.type = type_array(types, elem, type.type->count, type.type->incomplete);
    return type;
}

struct qtype type_underaligned(struct qtype type, uint64_t align)
{
    if (align && align < qtype_align(type)) {
        type.low_align = 1;
        while (align >>= 1)
            type.low_align++;
    }
    return type;
}

// ---- predicates ------------------------------------------------------------------------------------

struct type *type_scalar(struct type *type)
{
    if (type->kind == TYPE_VECTOR)
        type = type->elem.type;
    return type->kind == TYPE_ENUM ? type->elem.type : type;
}

static enum type_kind scalar_kind(const struct type *type)
{
    if (type->kind == TYPE_VECTOR)
        type = type->elem.type;
    return type->kind == TYPE_ENUM ? type->elem.type->kind : type->kind;
}

unsigned type_lanes(const struct type *type)
{
    return type->kind == TYPE_VECTOR ? (unsigned)type->count : 1;
}

bool type_is_integer(const struct type *type)
{
    return (type->kind >= TYPE_BOOL && type->kind <= TYPE_ULONG) || type->kind == TYPE_ENUM;
}

bool type_is_signed(const struct type *type)
{
    switch (scalar_kind(type)) {
    case TYPE_CHAR: case TYPE_SHORT: case TYPE_INT: case TYPE_LONG:
    case TYPE_HALF: case TYPE_FLOAT: case TYPE_DOUBLE:
        return true;
    default:
        return false;
    }
}

bool type_is_float(const struct type *type)
{
    return type->kind >= TYPE_HALF && type->kind <= TYPE_DOUBLE;
}

bool type_is_small_float(const struct type *type)
{
    return type->kind >= TYPE_BF16 && type->kind <= TYPE_E5M2;
}

bool type_is_arithmetic(const struct type *type)
{
    return type_is_integer(type) || type_is_float(type);
}

bool type_is_scalar(const struct type *type)
{
    return type_is_arithmetic(type) || type->kind == TYPE_POINTER;
}

bool type_is_vector(const struct type *type)
{
    return type->kind == TYPE_VECTOR;
}

bool type_is_record(const struct type *type)
{
    return type->kind == TYPE_STRUCT || type->kind == TYPE_UNION;
}

unsigned type_bits(const struct type *type)
{
    enum type_kind kind = scalar_kind(type);
    return kind == TYPE_BOOL ? 1 : kind == TYPE_POINTER ? (unsigned)type->size * 8 : basic_size[kind] * 8u;
}

bool type_complete(const struct type *type)
{
    while (type->kind == TYPE_ARRAY && !type->incomplete)
        type = type->elem.type;
    return type->kind != TYPE_VOID && type->kind != TYPE_FUNCTION && !type->incomplete;
}

bool type_same(struct qtype a, struct qtype b)
{
    return qtype_equal(a, b);
}
