// SPDX-License-Identifier: Apache-2.0
// The implementation of all clGet*Info functions: a table for each object, with a row for each
// query.
//
// A row copies a field of the object, returns a string or a number, or calls a getter that appends
// bytes. The size rules of all queries are implemented only here.
//  static const struct info_row rows[] = {INFO_FIELD(CL_X, struct _cl_x, member),
//                                         INFO_CALL(CL_Y, y_get)};
//  return info_get(rows, INFO_COUNT(rows), object, name, size, value, size_ret);
#ifndef PUMICE_API_INFO_H
#define PUMICE_API_INFO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "object/cl.h"

// The result of a query; getters append to it, possibly several times.
struct info {
    unsigned char *value; // NULL: only the size is wanted
    size_t capacity, size;
};

void info_put(struct info *info, const void *data, size_t size);
void info_string(struct info *info, const char *text);
void info_uint(struct info *info, cl_uint value);
void info_ulong(struct info *info, cl_ulong value);
void info_size(struct info *info, size_t value);
void info_bool(struct info *info, cl_bool value);
void info_handle(struct info *info, const void *handle);

// Returns CL_SUCCESS or an error of the query.
typedef cl_int (*info_getter)(const void *object, struct info *info);

enum info_kind { INFO_COPY, INFO_TEXT, INFO_POINTED_TEXT, INFO_LITERAL, INFO_NUMBER, INFO_GETTER };

struct info_row {
    cl_uint query;
    enum info_kind kind;
    size_t offset, size;
    info_getter get;
    const char *text;
    uint64_t number;
};

#define INFO_FIELD(query, type, member)                                                            \
    {                                                                                              \
        query, INFO_COPY, offsetof(type, member), sizeof(((type *)0)->member), NULL, NULL, 0       \
    }
#define INFO_STRING(query, type, member)                                                           \
    {                                                                                              \
        query, INFO_TEXT, offsetof(type, member), 0, NULL, NULL, 0                                 \
    } // char[]
#define INFO_STRING_AT(query, type, member)                                                        \
    {                                                                                              \
        query, INFO_POINTED_TEXT, offsetof(type, member), 0, NULL, NULL, 0                         \
    } // char *
#define INFO_CALL(query, getter)                                                                   \
    {                                                                                              \
        query, INFO_GETTER, 0, 0, getter, NULL, 0                                                  \
    }
#define INFO_SAY(query, text)                                                                      \
    {                                                                                              \
        query, INFO_LITERAL, 0, 0, NULL, text, 0                                                   \
    }
#define INFO_VALUE(query, type, value)                                                             \
    {                                                                                              \
        query, INFO_NUMBER, 0, sizeof(type), NULL, NULL, value                                     \
    }
#define INFO_NOTHING(query)                                                                        \
    {                                                                                              \
        query, INFO_NUMBER, 0, 0, NULL, NULL, 0                                                    \
    } // no bytes: an empty list
#define INFO_COUNT(rows) (sizeof(rows) / sizeof *(rows))

// CL_INVALID_VALUE if the query is not in the table or the value is too small.
cl_int info_get(const struct info_row *rows, size_t count, const void *object, cl_uint query,
                size_t size, void *value, size_t *size_ret);

#endif
