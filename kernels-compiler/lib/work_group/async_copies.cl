// SPDX-License-Identifier: Apache-2.0
// Asynchronous copies of lines and planes (cl_khr_extended_async_copies): the work-items divide the bytes, or the
// words if everything is word-aligned, among themselves; wait_group_events() is their barrier.
#include "lib.h"

struct shape {
    size_t unit, per_line, lines, planes; // unit: bytes per element
    size_t source_line, source_plane, target_line, target_plane; // distances from one to the next, in elements
};

// The offset of byte or word `i` of everything that is copied, in bytes or words; `line`: such units per line
static size_t place(size_t i, size_t line, size_t lines, size_t unit, size_t line_step, size_t plane_step)
{
    size_t at = i % line, number = i / line;
    return at + (number % lines * line_step + number / lines * plane_step) * unit;
}

#define COPY(TO, FROM)                                                                             \
    static __attribute__((overloadable)) void copy(TO uchar *to, const FROM uchar *from,           \
                                                   struct shape s)                                 \
    {                                                                                              \
        size_t first = get_local_linear_id(),                                                      \
               step = get_local_size(0) * get_local_size(1) * get_local_size(2);                   \
        size_t line = s.per_line * s.unit, all = line * s.lines * s.planes;                        \
        bool words = (((size_t)to | (size_t)from | s.unit) & 3) == 0;                              \
        for (size_t i = first; words && i < all / 4; i += step)                                    \
            ((TO uint *)to)[place(i, line / 4, s.lines, s.unit / 4, s.target_line,                 \
                                  s.target_plane)] =                                               \
                ((const FROM uint *)from)[place(i, line / 4, s.lines, s.unit / 4, s.source_line,   \
                                                s.source_plane)];                                  \
        for (size_t i = first; !words && i < all; i += step)                                       \
            to[place(i, line, s.lines, s.unit, s.target_line, s.target_plane)] =                   \
                from[place(i, line, s.lines, s.unit, s.source_line, s.source_plane)];              \
    }                                                                                              \
                                                                                                   \
    LIB event_t async_work_group_copy_2D2D(TO void *to, size_t to_offset, const FROM void *from,   \
                                           size_t from_offset, size_t unit, size_t per_line,       \
                                           size_t lines, size_t source_line, size_t target_line,   \
                                           event_t event)                                          \
    {                                                                                              \
        struct shape s = {unit, per_line, lines, 1, source_line, 0, target_line, 0};               \
        copy((TO uchar *)to + to_offset * unit, (const FROM uchar *)from + from_offset * unit, s); \
        return event;                                                                              \
    }                                                                                              \
                                                                                                   \
    LIB event_t async_work_group_copy_3D3D(                                                        \
        TO void *to, size_t to_offset, const FROM void *from, size_t from_offset, size_t unit,     \
        size_t per_line, size_t lines, size_t planes, size_t source_line, size_t source_plane,     \
        size_t target_line, size_t target_plane, event_t event)                                    \
    {                                                                                              \
        struct shape s = {unit,        per_line,     lines,       planes,                          \
                          source_line, source_plane, target_line, target_plane};                   \
        copy((TO uchar *)to + to_offset * unit, (const FROM uchar *)from + from_offset * unit, s); \
        return event;                                                                              \
    }

COPY(local, global)
COPY(global, local)
