// SPDX-License-Identifier: Apache-2.0
// Types and constants, each made once: SPIR-V 2.8 requires unique types, and sharing constants is free. One unsigned
// integer type for each width; operations determine the signedness.
#include "spirv/writer.h"
#include "util/hash.h"
#include "util/stack.h"

static size_t unique_slot(const struct spv *s, uint32_t hash)
{
    return hash & (s->unique_capacity - 1);
}

static void unique_grow(struct spv *s)
{
    struct spv_unique *old = s->unique;
    size_t old_capacity = s->unique_capacity;
    s->unique_capacity = old_capacity ? old_capacity * 2 : 256;
    s->unique = ARENA_ARRAY(s->arena, struct spv_unique, s->unique_capacity);
    for (size_t i = 0; i < old_capacity; i++) {
        if (!old[i].id)
            continue;
        size_t slot = unique_slot(s, old[i].hash);
        while (s->unique[slot].id)
            slot = (slot + 1) & (s->unique_capacity - 1);
        s->unique[slot] = old[i];
    }
}

static bool same_words(const struct spv *s, const struct spv_unique *u, SpvOp op, uint32_t type,
                       const uint32_t *words, size_t count)
{
    const uint32_t *at = s->sections[SPV_GLOBALS].items + u->at;
    size_t typed = type != 0;
    if (at[0] != ((uint32_t)(count + 2 + typed) << SpvWordCountShift | (uint32_t)op) ||
        (typed && at[1] != type))
        return false;
    return !count || !memcmp(at + 2 + typed, words, count * 4);
}

uint32_t spv_global(struct spv *s, SpvOp op, uint32_t type, const uint32_t *words, size_t count,
                    bool *is_new)
{
    if (s->unique_count * 2 >= s->unique_capacity)
        unique_grow(s);
    uint64_t mix = hash_combine(hash_u64((uint64_t)op << 32 | type), count);
    for (size_t i = 0; i < count; i++)
        mix = hash_combine(mix, words[i]);
    uint32_t hash = (uint32_t)mix;
    if (is_new)
        *is_new = false;
    size_t slot = unique_slot(s, hash);
    for (; s->unique[slot].id; slot = (slot + 1) & (s->unique_capacity - 1))
        if (s->unique[slot].hash == hash && same_words(s, &s->unique[slot], op, type, words, count))
            return s->unique[slot].id;
    uint32_t at = (uint32_t)s->sections[SPV_GLOBALS].count;
    uint32_t id = spv_put_result(s, SPV_GLOBALS, op, type, words, count);
    s->unique[slot] = (struct spv_unique){hash, at, id};
    s->unique_count++;
    if (is_new)
        *is_new = true;
    return id;
}

#define GLOBAL(s, op, type, ...) spv_global(s, op, type, SPV_WORDS(__VA_ARGS__), NULL)

// Whether the type is only stored, loaded and converted (passes/lower_small_ints.c): then the storage capability
// suffices.
bool spv_is_storage_only(const struct spv *s, struct ir_type type)
{
    if (type.base != IR_INT)
        return false;
    return type.bits == 8 ? !s->target->int8 : type.bits == 16 && !s->target->int16;
}

static uint32_t type_int(struct spv *s, unsigned bits)
{
    if (bits == 64 && !s->target->int64)
        spv_fail(s, "the device does not support %u-bit integers", bits);
    if (bits != 32 && !spv_is_storage_only(s, ir_int(bits)))
        spv_need(s, bits == 8 ? SPV_CAP_INT8 : bits == 16 ? SPV_CAP_INT16 : SPV_CAP_INT64);
    return GLOBAL(s, SpvOpTypeInt, 0, bits, 0);
}

static uint32_t type_float(struct spv *s, unsigned bits)
{
    s->float_modes |= bits / 16;
    if (bits != 32)
        spv_need(s, bits == 16 ? SPV_CAP_FLOAT16 : SPV_CAP_FLOAT64);
    return GLOBAL(s, SpvOpTypeFloat, 0, bits);
}

static uint32_t make_type(struct spv *s, struct ir_type type)
{
    if (type.lanes > 4)
        spv_fail(s, "a vector of %u reached the writer", type.lanes);
    if (type.lanes > 1)
        return GLOBAL(s, SpvOpTypeVector, 0, spv_type(s, ir_with_lanes(type, 1)), type.lanes);
    switch (type.base) {
    case IR_VOID:
        return spv_global(s, SpvOpTypeVoid, 0, NULL, 0, NULL);
    case IR_BOOL:
        return spv_global(s, SpvOpTypeBool, 0, NULL, 0, NULL);
    case IR_INT:
        return type_int(s, type.bits);
    case IR_FLOAT:
        return type_float(s, type.bits);
    default:
        spv_fail(s, "a pointer reached the writer");
        return type_int(s, 64);
    }
}

enum { OP_TYPE_MATRIX = 4456, BF16_ENCODING = 0, E4M3_ENCODING = 4214, E5M2_ENCODING = 4215 }; // Debian 12's header lacks them

uint32_t spv_type_component(struct spv *s, struct ir_type matrix)
{
    if (!ir_is_small_float(matrix))
        return spv_type(s, ir_component(matrix));
    bool bf16 = matrix.base == IR_BF16;
    spv_need(s, bf16 ? SPV_CAP_BFLOAT16 : SPV_CAP_FLOAT8);
    spv_need(s, bf16 ? SPV_CAP_BFLOAT16_MATRICES : SPV_CAP_FLOAT8_MATRICES);
    uint32_t encoding = bf16 ? BF16_ENCODING : matrix.base == IR_E4M3 ? E4M3_ENCODING : E5M2_ENCODING;
    return GLOBAL(s, SpvOpTypeFloat, 0, matrix.bits, encoding);
}

static uint32_t type_matrix(struct spv *s, struct ir_type type)
{
    spv_need(s, SPV_CAP_MATRICES);
    uint32_t component = spv_type_component(s, type);
    return spv_global(s, (SpvOp)OP_TYPE_MATRIX, 0,
                      SPV_WORDS(component, spv_u32(s, SpvScopeSubgroup), spv_u32(s, type.rows),
                                spv_u32(s, type.columns), spv_u32(s, type.space)),
                      NULL);
}

uint32_t spv_type(struct spv *s, struct ir_type type)
{
    stack_check();
    if (ir_is_matrix(type))
        return type_matrix(s, type);
    bool common = type.base < SPV_BASES && type.lanes <= 4;
    uint32_t made = 0, *known = common ? &s->types[type.base][type.bits / 16u][type.lanes] : &made;
    if (!*known)
        *known = make_type(s, type);
    return *known;
}

uint32_t spv_type_pointer(struct spv *s, SpvStorageClass storage, uint32_t pointee)
{
    return GLOBAL(s, SpvOpTypePointer, 0, storage, pointee);
}

uint32_t spv_type_pair(struct spv *s, uint32_t member)
{
    return GLOBAL(s, SpvOpTypeStruct, 0, member, member);
}

uint32_t spv_type_wrapper(struct spv *s, struct ir_type type, SpvDecoration decoration)
{
    const void *key =
        (const void *)(uintptr_t)(1u + type.base + 16u * type.bits + 4096u * type.lanes + 65536u * decoration);
    uintptr_t known = (uintptr_t)map_get(&s->wrappers, key);
    if (known)
        return (uint32_t)known;
    uint32_t id = spv_put_result(s, SPV_GLOBALS, SpvOpTypeStruct, 0, SPV_WORDS(spv_type(s, type)));
    SPV_PUT(s, SPV_DECORATIONS, SpvOpDecorate, id, SpvDecorationBlock);
    SPV_PUT(s, SPV_DECORATIONS, SpvOpMemberDecorate, id, 0, SpvDecorationOffset, 0);
    SPV_PUT(s, SPV_DECORATIONS, SpvOpMemberDecorate, id, 0, decoration);
    map_set(s->arena, &s->wrappers, key, (void *)(uintptr_t)id);
    return id;
}

static uint32_t scalar_constant(struct spv *s, struct ir_type type, uint64_t bits)
{
    struct ir_type scalar = ir_with_lanes(type, 1);
    uint32_t type_id = spv_type(s, scalar);
    if (type.base == IR_BOOL)
        return spv_global(s, bits & 1 ? SpvOpConstantTrue : SpvOpConstantFalse, type_id, NULL, 0,
                          NULL);
    if (type.bits == 64)
        return GLOBAL(s, SpvOpConstant, type_id, (uint32_t)bits, (uint32_t)(bits >> 32));
    uint32_t mask = type.bits == 32 ? ~0u : (1u << type.bits) - 1;
    return GLOBAL(s, SpvOpConstant, type_id, (uint32_t)bits & mask);
}

uint32_t spv_u32(struct spv *s, uint32_t value)
{
    return scalar_constant(s, ir_int(32), value);
}

static uint32_t vector_constant(struct spv *s, struct ir_type type, const uint64_t *lanes)
{
    uint32_t ids[4];
    if (type.lanes == 1)
        return scalar_constant(s, type, lanes[0]);
    uint32_t type_id = spv_type(s, type);
    for (unsigned i = 0; i < type.lanes && i < 4; i++)
        ids[i] = scalar_constant(s, type, lanes[i]);
    return spv_global(s, SpvOpConstantComposite, type_id, ids, type.lanes < 4 ? type.lanes : 4,
                      NULL);
}

uint32_t spv_const_int(struct spv *s, struct ir_type type, uint64_t value)
{
    return vector_constant(s, type, (uint64_t[4]){value, value, value, value});
}

uint32_t spv_undefined(struct spv *s, struct ir_type type)
{
    return spv_global(s, s->target->no_undef ? SpvOpConstantNull : SpvOpUndef, spv_type(s, type), NULL, 0, NULL);
}

uint32_t spv_constant(struct spv *s, const struct ir_instr *x)
{
    uintptr_t known = (uintptr_t)map_get(&s->constants, x);
    if (known)
        return (uint32_t)known;
    uint32_t id = x->op == IR_OP_undef ? spv_undefined(s, x->type) : vector_constant(s, x->type, x->lanes);
    map_set(s->arena, &s->constants, x, (void *)(uintptr_t)id);
    return id;
}
