// SPDX-License-Identifier: Apache-2.0
// The implementation of clGet*Info queries; see info.h.
#include "api/info.h"

#include <string.h>

#include "api/api.h"

void info_put(struct info *info, const void *data, size_t size)
{
    if (info->value && size && info->size + size <= info->capacity)
        memcpy(info->value + info->size, data, size);
    info->size += size;
}

void info_string(struct info *info, const char *text)
{
    info_put(info, text ? text : "", text ? strlen(text) + 1 : 1);
}

void info_uint(struct info *info, cl_uint value)
{
    info_put(info, &value, sizeof value);
}

void info_ulong(struct info *info, cl_ulong value)
{
    info_put(info, &value, sizeof value);
}

void info_size(struct info *info, size_t value)
{
    info_put(info, &value, sizeof value);
}

void info_bool(struct info *info, cl_bool value)
{
    info_put(info, &value, sizeof value);
}

void info_handle(struct info *info, const void *handle)
{
    info_put(info, &handle, sizeof handle);
}

static cl_int info_answer(const struct info_row *row, const void *object, struct info *info)
{
    const char *field = (const char *)object + row->offset;
    switch (row->kind) {
    case INFO_COPY:
        info_put(info, field, row->size);
        return CL_SUCCESS;
    case INFO_TEXT:
        info_string(info, field);
        return CL_SUCCESS;
    case INFO_POINTED_TEXT:
        info_string(info, *(const char *const *)field);
        return CL_SUCCESS;
    case INFO_LITERAL:
        info_string(info, row->text);
        return CL_SUCCESS;
    case INFO_NUMBER: // integers of any width: little-endian
        info_put(info, &row->number, row->size);
        return CL_SUCCESS;
    case INFO_GETTER:
        break;
    }
    return row->get(object, info);
}

cl_int info_get(const struct info_row *rows, size_t count, const void *object, cl_uint query,
                size_t size, void *value, size_t *size_ret)
{
    const struct info_row *row = rows;
    while (row < rows + count && row->query != query)
        row++;
    if (row == rows + count)
        return REFUSE(CL_INVALID_VALUE, "unknown query 0x%x", query);
    struct info info = {.value = value, .capacity = value ? size : 0};
    TRY(info_answer(row, object, &info));
    if (value && info.size > size)
        return REFUSE(CL_INVALID_VALUE, "query 0x%x needs %zu bytes, not %zu", query, info.size,
                      size);
    if (size_ret)
        *size_ret = info.size;
    return CL_SUCCESS;
}
