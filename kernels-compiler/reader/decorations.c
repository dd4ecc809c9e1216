// SPDX-License-Identifier: Apache-2.0
// Names and decorations: stored with their id and looked up when needed. Unused ones are hints.
#include "reader/reader.h"

static void add(struct reader *r, uint32_t id, struct spv_decoration decoration)
{
    struct spv_id *entry = reader_id(r, id);
    decoration.next = entry->decorations;
    entry->decorations = arena_copy(r->work, &decoration, sizeof decoration);
}

void reader_name(struct reader *r, const struct spv_inst *inst)
{
    uint32_t used;
    reader_id(r, inst->words[0])->name = reader_string(r, inst->words + 1, inst->count - 1, &used);
}

void reader_decorate(struct reader *r, const struct spv_inst *inst)
{
    const uint32_t *w = inst->words;
    add(r, w[0], (struct spv_decoration){.kind = w[1], .member = SPV_WHOLE, .words = w + 2, .count = inst->count - 2});
}

void reader_member_decorate(struct reader *r, const struct spv_inst *inst)
{
    const uint32_t *w = inst->words;
    add(r, w[0], (struct spv_decoration){.kind = w[2], .member = w[1], .words = w + 3, .count = inst->count - 3});
}

void reader_decoration_group(struct reader *r, const struct spv_inst *inst)
{
    reader_id(r, inst->result)->kind = SPV_ID_GROUP;
}

void reader_group_decorate(struct reader *r, const struct spv_inst *inst)
{
    reader_id_of(r, inst->words[0], SPV_ID_GROUP);
    for (uint32_t i = 1; i < inst->count; i++)
        add(r, inst->words[i], (struct spv_decoration){.member = SPV_WHOLE, .group = inst->words[0]});
}

void reader_group_member_decorate(struct reader *r, const struct spv_inst *inst)
{
    reader_id_of(r, inst->words[0], SPV_ID_GROUP);
    for (uint32_t i = 1; i + 1 < inst->count; i += 2)
        add(r, inst->words[i], (struct spv_decoration){.member = inst->words[i + 1], .group = inst->words[0]});
}

// ---- queries -------------------------------------------------------------------------------------

static const struct spv_decoration *find(const struct spv_decoration *d, uint32_t member, uint32_t kind)
{
    while (d && (d->group || d->member != member || d->kind != kind))
        d = d->next;
    return d;
}

const struct spv_decoration *reader_member_decoration(struct reader *r, uint32_t id, uint32_t member, SpvDecoration kind)
{
    const struct spv_decoration *own = reader_id(r, id)->decorations, *found = find(own, member, kind);
    for (; own && !found; own = own->next)
        if (own->group && own->member == member)
            found = find(reader_id(r, own->group)->decorations, SPV_WHOLE, kind);
    return found;
}

const struct spv_decoration *reader_decoration(struct reader *r, uint32_t id, SpvDecoration kind)
{
    return reader_member_decoration(r, id, SPV_WHOLE, kind);
}

static bool has_attribute(const struct spv_decoration *d, SpvFunctionParameterAttribute attribute)
{
    for (; d; d = d->next)
        if (d->kind == SpvDecorationFuncParamAttr && !d->group && d->count && d->words[0] == attribute)
            return true;
    return false;
}

bool reader_has_parameter_attribute(struct reader *r, uint32_t id, SpvFunctionParameterAttribute attribute)
{
    const struct spv_decoration *d = reader_id(r, id)->decorations;
    bool found = has_attribute(d, attribute);
    for (; d && !found; d = d->next)
        found = d->group && has_attribute(reader_id(r, d->group)->decorations, attribute);
    return found;
}

const char *reader_link_name(struct reader *r, uint32_t id, uint32_t *linkage)
{
    const struct spv_decoration *d = reader_decoration(r, id, SpvDecorationLinkageAttributes);
    uint32_t used;
    if (!d)
        return NULL;
    const char *name = reader_string(r, d->words, d->count, &used);
    if (used >= d->count)
        reader_fail(r, "the linkage type of id %u is missing", id);
    *linkage = d->words[used];
    return name;
}
