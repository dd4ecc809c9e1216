// SPDX-License-Identifier: Apache-2.0
// Program-scope constants and variables -> one block of bytes, and the places in it that contain addresses.
#include "passes/data_segment.h"
#include "util/hash.h"

#include <inttypes.h>
#include <string.h>

static uint64_t end_of(const struct ir_module *m)
{
    uint64_t end = 0;
    for (size_t i = 0; i < m->vars.count; i++) {
        const struct ir_var *var = m->vars.items[i];
        if (var->placed && var->data_offset + var->size > end)
            end = var->data_offset + var->size;
    }
    return end;
}

void data_segment_layout(struct ir_module *m)
{
    uint64_t end = end_of(m);
    for (size_t i = 0; i < m->vars.count; i++) {
        struct ir_var *var = m->vars.items[i];
        if (!ir_is_data(var) || var->placed)
            continue;
        uint64_t align = var->align ? var->align : 1;
        var->data_offset = (end + align - 1) & ~(align - 1);
        var->placed = true;
        end = var->data_offset + var->size;
    }
    if (end > UINT32_MAX && !m->error)
        m->error = arena_printf(m->arena, "program-scope data is %" PRIu64 " bytes large, more than 4 GiB", end);
}

static uint32_t count_relocations(const struct ir_module *m)
{
    uint32_t count = 0;
    for (size_t i = 0; i < m->vars.count; i++)
        count += ir_is_data(m->vars.items[i]) ? m->vars.items[i]->reloc_count : 0;
    return count;
}

// Without device addresses, pointers are known numbers (buffers.c): the segment is buffer 1. (Hosts are
// little-endian.)
static void put_numbers(const struct kc_target *target, uint8_t *data, const struct ir_var *var)
{
    for (uint32_t i = 0; i < var->reloc_count; i++) {
        const struct ir_reloc *reloc = &var->relocs[i];
        uint64_t number = (UINT64_C(1) << ir_offset_bits(target)) + reloc->var->data_offset + (uint64_t)reloc->addend;
        memcpy(data + var->data_offset + reloc->offset, &number, kc_pointer_bytes(target));
    }
}

static struct kc_relocation *add_relocations(struct kc_relocation *at, const struct ir_var *var)
{
    for (uint32_t i = 0; i < var->reloc_count; i++) {
        const struct ir_reloc *reloc = &var->relocs[i];
        uint64_t addend = reloc->var->data_offset + (uint64_t)reloc->addend;
        *at++ = (struct kc_relocation){(uint32_t)(var->data_offset + reloc->offset), addend};
    }
    return at;
}

static uint64_t layout_of(const struct ir_module *m)
{
    uint64_t layout = 0;
    for (size_t i = 0; i < m->vars.count; i++) {
        const struct ir_var *var = m->vars.items[i];
        if (!ir_is_data(var))
            continue;
        layout = hash_combine(layout, hash_bytes64(var->name, strlen(var->name)));
        layout = hash_combine(layout, hash_combine(var->data_offset, var->size));
    }
    return layout;
}

void data_segment_build(struct ir_module *m, struct data_segment *segment)
{
    *segment = (struct data_segment){0};
    data_segment_layout(m);
    segment->layout = layout_of(m);
    uint64_t end = end_of(m);
    if (end > UINT32_MAX || !end)
        return;
    uint8_t *data = arena_zalloc(m->arena, end);
    struct kc_relocation *relocations = ARENA_ARRAY(m->arena, struct kc_relocation, count_relocations(m)), *at = relocations;
    for (size_t i = 0; i < m->vars.count; i++) {
        const struct ir_var *var = m->vars.items[i];
        if (!ir_is_data(var))
            continue;
        if (var->init)
            memcpy(data + var->data_offset, var->init, var->size);
        segment->writable |= var->space == IR_GLOBAL;
        if (m->target->physical_addressing)
            at = add_relocations(at, var);
        else
            put_numbers(m->target, data, var);
    }
    segment->data = data;
    segment->size = (uint32_t)end;
    segment->relocations = relocations;
    segment->relocation_count = (uint32_t)(at - relocations);
}
