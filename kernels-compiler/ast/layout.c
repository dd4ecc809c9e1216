// SPDX-License-Identifier: Apache-2.0
// Layout of structs and unions (C 6.7.2.1, OpenCL C 6.2.5).
//
// Each field is placed at the next multiple of its alignment. `packed` removes the type's own alignment. An `aligned`
// attribute of the field or record can only raise it. OpenCL C has no bit-fields.
#include "ast/types.h"

static uint32_t field_align(const struct record *record, const struct field *field)
{
    uint32_t align = field->type_align ? field->type_align : field->type.type->align;
    if (record->packed || field->packed)
        align = 1;
    return align > field->aligned ? align : field->aligned;
}

static bool align_up(uint64_t *value, uint32_t align)
{
    uint64_t up;
    if (__builtin_add_overflow(*value, align - 1, &up))
        return false;
    *value = up & ~(uint64_t)(align - 1);
    return true;
}

bool type_record_layout(struct type *type, uint32_t aligned)
{
    struct record *record = type->record;
    uint64_t at = 0, size = 0;
    uint32_t align = aligned ? aligned : 1;
    for (uint32_t i = 0; i < record->field_count; i++) {
        struct field *field = &record->fields[i];
        uint32_t own = field_align(record, field);
        align = own > align ? own : align;
        if (!align_up(&at, own))
            return false;
        field->offset = at;
        if (field->type.type->depth >= type->depth)
            type->depth = (uint16_t)(field->type.type->depth + 1);
        uint64_t end;
        if (__builtin_add_overflow(at, field->type.type->size, &end))
            return false;
        size = end > size ? end : size;
        at = type->kind == TYPE_UNION ? 0 : end;
    }
    if (!align_up(&size, align))
        return false;
    for (uint32_t i = 0; i < record->field_count; i++) {
        struct field *field = &record->fields[i];
        type->matrices |= field->type.type->matrices;
        uint64_t low_bit = field->offset & (~field->offset + 1);
        field->type = type_underaligned(field->type, low_bit && low_bit < align ? low_bit : align);
    }
    type->size = size;
    type->align = align;
    type->incomplete = false;
    record->complete = true;
    return size <= INT64_MAX;
}

// Compiler-generated records have no name map.
static const struct field *search(const struct record *record, const char *name)
{
    for (uint32_t i = 0; i < record->field_count; i++)
        if (record->fields[i].name == name)
            return &record->fields[i];
    return NULL;
}

const struct field *type_find_member(const struct record *record, const char *name)
{
    const struct member *member = map_get(&record->names, name);
    return member ? &record->fields[member->index] : record->names.count ? NULL : search(record, name);
}

const struct field *type_find_field(const struct type *type, const char *name, uint64_t *offset)
{
    const struct field *field = type_find_member(type->record, name);
    for (*offset = 0; field; field = type_find_member(field->type.type->record, name)) {
        *offset += field->offset;
        if (field->name)
            return field;
    }
    return NULL;
}
