// SPDX-License-Identifier: Apache-2.0
// GNU's memory functions, byte by byte; the return value of memcpy and the like is generated at the call.
#include "lib.h"

#define COPY(TO, FROM)                                                                             \
    LIB void __builtin_memcpy(TO uchar *to, const FROM uchar *from, size_t count)                  \
    {                                                                                              \
        for (size_t i = 0; i < count; i++)                                                         \
            to[i] = from[i];                                                                       \
    }

#define COMPARE(A, B)                                                                              \
    LIB int __builtin_memcmp(const A uchar *a, const B uchar *b, size_t count)                     \
    {                                                                                              \
        for (size_t i = 0; i < count; i++)                                                         \
            if (a[i] != b[i])                                                                      \
                return (int)a[i] - (int)b[i];                                                      \
        return 0;                                                                                  \
    }

// Memory in different address spaces cannot overlap.
#define MOVE(TO, FROM)                                                                             \
    LIB void __builtin_memmove(TO uchar *to, const FROM uchar *from, size_t count)                 \
    {                                                                                              \
        __builtin_memcpy(to, from, count);                                                         \
    }

#define MOVE_GENERIC(TO, FROM)                                                                     \
    LIB void __builtin_memmove(TO uchar *to, const FROM uchar *from, size_t count)                 \
    {                                                                                              \
        __builtin_memmove((generic uchar *)to, (const generic uchar *)from, count);                \
    }

#define MOVE_WITHIN(SPACE)                                                                         \
    LIB void __builtin_memmove(SPACE uchar *to, const SPACE uchar *from, size_t count)             \
    {                                                                                              \
        if ((size_t)to <= (size_t)from)                                                            \
            __builtin_memcpy(to, from, count);                                                     \
        else                                                                                       \
            for (size_t i = count; i-- > 0;)                                                       \
                to[i] = from[i];                                                                   \
    }

#define SET(SPACE)                                                                                 \
    LIB void __builtin_memset(SPACE uchar *to, int value, size_t count)                            \
    {                                                                                              \
        for (size_t i = 0; i < count; i++)                                                         \
            to[i] = (uchar)value;                                                                  \
    }

#define LENGTH(SPACE)                                                                              \
    LIB size_t __builtin_strlen(const SPACE uchar *text)                                           \
    {                                                                                              \
        size_t length = 0;                                                                         \
        while (text[length])                                                                       \
            length++;                                                                              \
        return length;                                                                             \
    }

#define WITH_ALL(MACRO, A)                                                                         \
    MACRO(A, private)                                                                              \
    MACRO(A, local)                                                                                \
    MACRO(A, global)                                                                               \
    MACRO(A, constant)                                                                             \
    MACRO(A, generic)

WITH_ALL(COPY, private)
WITH_ALL(COPY, local)
WITH_ALL(COPY, global)
WITH_ALL(COPY, generic)
WITH_ALL(COMPARE, private)
WITH_ALL(COMPARE, local)
WITH_ALL(COMPARE, global)
WITH_ALL(COMPARE, constant)
WITH_ALL(COMPARE, generic)
SET(private)
SET(local)
SET(global)
SET(generic)
LENGTH(private)
LENGTH(local)
LENGTH(global)
LENGTH(constant)
LENGTH(generic)
MOVE_WITHIN(private)
MOVE_WITHIN(local)
MOVE_WITHIN(global)
MOVE_WITHIN(generic)
MOVE_GENERIC(private, generic)
MOVE_GENERIC(local, generic)
MOVE_GENERIC(global, generic)
MOVE_GENERIC(generic, private)
MOVE_GENERIC(generic, local)
MOVE_GENERIC(generic, global)
MOVE(private, local)
MOVE(private, global)
MOVE(private, constant)
MOVE(local, private)
MOVE(local, global)
MOVE(local, constant)
MOVE(global, private)
MOVE(global, local)
MOVE(global, constant)
MOVE(generic, constant)
