// SPDX-License-Identifier: Apache-2.0
// The collective functions of a work-group: work-items exchange values through local memory.
//
// A scan doubles its range with each step: after step k, a work-item has the sum of the 2^k values up to its own. The
// shared values must not be overwritten before all work-items have read them: the last barrier of each function
// ensures that. Halfs are exchanged as floats.
#include "lib.h"

enum { MOST_WORK_ITEMS = 1024 }; // these functions are not available on devices with larger work-groups

static uint size_of_group(void)
{
    return (uint)(get_local_size(0) * get_local_size(1) * get_local_size(2));
}

static uint place(size_t x, size_t y, size_t z)
{
    return (uint)((z * get_local_size(1) + y) * get_local_size(0) + x);
}

static uint local_index(void)
{
    return place(get_local_id(0), get_local_id(1), get_local_id(2));
}

// Shared by all functions with values of one width.
static local uint *words(void)
{
    local uint shown[MOST_WORK_ITEMS];
    return shown;
}

static local ulong *wide_words(void)
{
    local ulong shown[MOST_WORK_ITEMS];
    return shown;
}

#define MEET() barrier(CLK_LOCAL_MEM_FENCE)

// ---- votes ---------------------------------------------------------------------------------------

static int any_true(bool yes)
{
    local uint *shown = words();
    if (local_index() == 0)
        shown[0] = 0;
    MEET();
    if (yes)
        shown[0] = 1;
    MEET();
    int result = (int)shown[0];
    MEET();
    return result;
}

LIB int work_group_any(int x)
{
    return any_true(x != 0);
}

LIB int work_group_all(int x)
{
    return !any_true(x == 0);
}

// ---- values --------------------------------------------------------------------------------------

// S: type that a T is exchanged as; AS_S, AS_T: conversions to and from it.
#define BROADCAST(T, S, WORDS, AS_S, AS_T)                                                         \
    static LIB T from_work_item(T x, uint at)                                                      \
    {                                                                                              \
        local S *shown = WORDS();                                                                  \
        if (local_index() == at)                                                                     \
            shown[0] = AS_S(x);                                                                    \
        MEET();                                                                                    \
        T result = AS_T(shown[0]);                                                                 \
        MEET();                                                                                    \
        return result;                                                                             \
    }                                                                                              \
    LIB T work_group_broadcast(T x, size_t a) { return from_work_item(x, place(a, 0, 0)); }        \
    LIB T work_group_broadcast(T x, size_t a, size_t b) { return from_work_item(x, place(a, b, 0)); } \
    LIB T work_group_broadcast(T x, size_t a, size_t b, size_t c)                                  \
    {                                                                                              \
        return from_work_item(x, place(a, b, c));                                                  \
    }

#define SCAN(T, S, WORDS, AS_S, AS_T, NAME, JOIN, IDENTITY)                                        \
    static LIB void scan_##NAME(T x)                                                               \
    {                                                                                              \
        local S *shown = WORDS();                                                                  \
        uint own = local_index(), size = size_of_group();                                            \
        shown[own] = AS_S(x);                                                                      \
        MEET();                                                                                    \
        for (uint reach = 1; reach < size; reach *= 2) {                                           \
            if (own >= reach)                                                                      \
                x = JOIN(AS_T(shown[own - reach]), x);                                             \
            MEET();                                                                                \
            shown[own] = AS_S(x);                                                                  \
            MEET();                                                                                \
        }                                                                                          \
    }                                                                                              \
    static LIB T scanned_##NAME(T x, uint at, bool none)                                           \
    {                                                                                              \
        local S *shown = WORDS();                                                                  \
        scan_##NAME(x);                                                                            \
        T result = none ? IDENTITY : AS_T(shown[at]);                                              \
        MEET();                                                                                    \
        return result;                                                                             \
    }                                                                                              \
    LIB T work_group_reduce_##NAME(T x) { return scanned_##NAME(x, size_of_group() - 1, false); }  \
    LIB T work_group_scan_inclusive_##NAME(T x) { return scanned_##NAME(x, local_index(), false); }  \
    LIB T work_group_scan_exclusive_##NAME(T x)                                                    \
    {                                                                                              \
        uint own = local_index();                                                                    \
        return scanned_##NAME(x, own ? own - 1 : 0, own == 0);                                     \
    }

#define ADD(a, b) ((a) + (b))
#define MUL(a, b) ((a) * (b))
#define AND(a, b) ((a) & (b))
#define OR(a, b) ((a) | (b))
#define XOR(a, b) ((a) ^ (b))
#define AS_HALF(x) ((half)as_float(x))
#define HALF_WORD(x) as_uint((float)(x))

#define COLLECTIVES(T, S, WORDS, AS_S, AS_T, MIN, MAX, LEAST, MOST)                                \
    BROADCAST(T, S, WORDS, AS_S, AS_T)                                                             \
    SCAN(T, S, WORDS, AS_S, AS_T, add, ADD, (T)0)                                                  \
    SCAN(T, S, WORDS, AS_S, AS_T, mul, MUL, (T)1)                                                  \
    SCAN(T, S, WORDS, AS_S, AS_T, min, MIN, (T)MOST)                                               \
    SCAN(T, S, WORDS, AS_S, AS_T, max, MAX, (T)LEAST)

#define BITWISE(T, S, WORDS, AS_S, AS_T)                                                           \
    SCAN(T, S, WORDS, AS_S, AS_T, and, AND, ~(T)0)                                                 \
    SCAN(T, S, WORDS, AS_S, AS_T, or, OR, (T)0)                                                    \
    SCAN(T, S, WORDS, AS_S, AS_T, xor, XOR, (T)0)

COLLECTIVES(int, uint, words, as_uint, as_int, min, max, INT_MIN, INT_MAX)
COLLECTIVES(uint, uint, words, as_uint, as_uint, min, max, 0, UINT_MAX)
COLLECTIVES(long, ulong, wide_words, as_ulong, as_long, min, max, LONG_MIN, LONG_MAX)
COLLECTIVES(ulong, ulong, wide_words, as_ulong, as_ulong, min, max, 0, ULONG_MAX)
COLLECTIVES(float, uint, words, as_uint, as_float, fmin, fmax, -INFINITY, INFINITY)
#ifdef cl_khr_fp16
COLLECTIVES(half, uint, words, HALF_WORD, AS_HALF, fmin, fmax, -INFINITY, INFINITY)
#endif
#ifdef cl_khr_fp64
COLLECTIVES(double, ulong, wide_words, as_ulong, as_double, fmin, fmax, -INFINITY, INFINITY)
#endif

BITWISE(int, uint, words, as_uint, as_int)
BITWISE(uint, uint, words, as_uint, as_uint)
BITWISE(long, ulong, wide_words, as_ulong, as_long)
BITWISE(ulong, ulong, wide_words, as_ulong, as_ulong)

// For truth values: operands and results are zero or one.
#define LOGICAL(way, op)                                                                           \
    LIB int work_group_##way##_logical_##op(int x)                                                 \
    {                                                                                              \
        return work_group_##way##_##op((int)(x != 0)) & 1;                                         \
    }
#define LOGICALS(way) LOGICAL(way, and) LOGICAL(way, or) LOGICAL(way, xor)
LOGICALS(reduce)
LOGICALS(scan_inclusive)
LOGICALS(scan_exclusive)
