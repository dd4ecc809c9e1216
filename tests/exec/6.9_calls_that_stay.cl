// SPDX-License-Identifier: Apache-2.0
// Large functions called from many places, each emitted once for drivers that inline every call: values of every
// type, pointers, early returns, loops around calls and in callees, divergent calls. Each kernel counts in arg0 the differences
// from the same source inlined.
// source: llvm-spirv 15 lacks some functions that clang generates for it
// options: -cl-std=CL2.0
// run: values global 64
// arg: buffer int 0
// expect: arg0 int 0
// run: pointers global 64 local 16
// arg: buffer int 0
// arg: local 64
// expect: arg0 int 0
// run: ways global 64
// arg: buffer int 0
// expect: arg0 int 0
// run: loops global 64
// arg: buffer int 0
// expect: arg0 int 0
// run: meeting global 64 local 32
// arg: buffer int 0
// arg: local 128
// expect: arg0 int 0
// run: deep global 64
// arg: buffer int 0
// expect: arg0 int 0
// run: many global 64
// arg: buffer int 0
// expect: arg0 int 0

// Each function twice: one that is called and one that is inlined.
#define BOTH(FUNCTION) FUNCTION(stay_, __attribute__((noinline))) FUNCTION(in_, __attribute__((always_inline)))

// ---- values --------------------------------------------------------------------------------------

struct pair {
    int number;
    float4 vector;
    uchar byte;
};

#define VALUES(WAY, ATTRIBUTE) \
    ATTRIBUTE uint WAY##mix(uint x, uint y) \
    { \
        x ^= y * 0x9e3779b9u; \
        x = rotate(x, 13u) + (y >> 3); \
        x ^= x >> 7; \
        x *= 0x85ebca6bu; \
        return x ^ (x >> 16); \
    } \
    ATTRIBUTE bool WAY##odd(long x) { return (WAY##mix((uint)x, (uint)(x >> 32)) & 1) != 0; } \
    ATTRIBUTE uchar WAY##byte(char2 x, short y) { return (uchar)(WAY##mix((uint)(uchar)x.x, (uint)(uchar)x.y) + (uint)y); } \
    ATTRIBUTE float4 WAY##vector(float4 x, int3 y) \
    { \
        float4 r = x * 2.0f + convert_float4(y.xyzx); \
        if (WAY##odd(y.x)) \
            r = r.wzyx; \
        return r + (float)(WAY##mix((uint)y.y, (uint)y.z) & 15); \
    } \
    ATTRIBUTE int8 WAY##wide(int8 x, uint16 y) { return x + as_int8(y.lo) - as_int8(y.hi) + (int)WAY##mix((uint)x.s0, y.sf); } \
    ATTRIBUTE struct pair WAY##struct(struct pair p, ulong x) \
    { \
        p.number += (int)WAY##mix((uint)x, (uint)p.byte); \
        p.vector = WAY##vector(p.vector, (int3)(p.number & 7, 2, 3)); \
        p.byte = WAY##byte((char2)((char)p.byte, 3), (short)x); \
        return p; \
    } \
    ATTRIBUTE ulong WAY##all(uint id) \
    { \
        struct pair p = {(int)id, (float4)(1, 2, 3, (float)id), (uchar)id}; \
        p = WAY##struct(p, (ulong)id << 30); \
        p = WAY##struct(p, 7); \
        int8 w = WAY##wide((int8)(p.number), (uint16)(id)); \
        w = WAY##wide(w, as_uint16((int16)(w, w))); \
        float4 v = WAY##vector(p.vector, w.s123 & 31); \
        return (ulong)(uint)p.number * 3 + p.byte + (uint)w.s5 + (WAY##odd((long)id) ? 1000 : 0) + as_uint(v.x) + as_uint(v.w); \
    }
BOTH(VALUES)

kernel void values(global int *wrong)
{
    uint id = (uint)get_global_id(0);
    if (stay_all(id) != in_all(id) || stay_all(id + 1) != in_all(id + 1))
        atomic_inc(wrong);
}

// ---- pointers ------------------------------------------------------------------------------------

constant int table[8] = {3, 1, 4, 1, 5, 9, 2, 6};

#define POINTERS(WAY, ATTRIBUTE) \
    ATTRIBUTE int WAY##sum(const int *values, int count) \
    { \
        int sum = 0; \
        for (int i = 0; i < count; i++) \
            sum = sum * 3 + values[i]; \
        return sum; \
    } \
    ATTRIBUTE void WAY##fill(int *to, int count, int seed) \
    { \
        for (int i = 0; i < count; i++) \
            to[i] = seed * (i + 1) + table[(seed + i) & 7]; \
        to[count - 1] += WAY##sum(to, count - 1); \
    } \
    ATTRIBUTE int WAY##local_sum(local int *values, int first) \
    { \
        return values[first & 15] * 5 + values[(first + 3) & 15] + WAY##sum((const int *)values, 4); \
    } \
    ATTRIBUTE int *WAY##largest(int *values, int count) \
    { \
        int *best = values; \
        for (int i = 1; i < count; i++) \
            if (values[i] > *best) \
                best = values + i; \
        return best; \
    } \
    ATTRIBUTE int WAY##walk(local int *shared, int id) \
    { \
        int mine[6], more[4]; \
        WAY##fill(mine, 6, id); \
        WAY##fill(more, 4, id + 2); \
        if (id & 1) \
            WAY##fill(mine + 2, 3, id * 5); \
        *WAY##largest(mine, 6) -= 7; \
        *WAY##largest(more, 4) += 11; \
        return WAY##sum(mine, 6) + WAY##sum(more, 4) + WAY##local_sum(shared, id) + WAY##local_sum(shared, more[1]); \
    }
BOTH(POINTERS)

kernel void pointers(global int *wrong, local int *shared)
{
    int id = (int)get_global_id(0);
    shared[get_local_id(0)] = id * 7;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (stay_walk(shared, id) != in_walk(shared, id) || stay_walk(shared, id + 9) != in_walk(shared, id + 9))
        atomic_inc(wrong);
}

// ---- paths through a function ------------------------------------------------------------------------

#define WAYS(WAY, ATTRIBUTE) \
    ATTRIBUTE int WAY##step(int x) \
    { \
        if (x < 3) \
            return x * 7; \
        if (x == 5) \
            return -1; \
        switch (x & 3) { \
        case 0: x += 10; \
        case 1: return x; \
        case 2: break; \
        default: x -= 3; \
        } \
        for (int i = 0; i < x; i++) \
            if (i * i > x) \
                return i - x; \
        return x + 1; \
    } \
    ATTRIBUTE int WAY##choose(int x) \
    { \
        if (x & 1) { \
            x = WAY##step(x); \
            if (x > 20) \
                return WAY##step(x >> 1); \
        } else if (x & 2) { \
            x = WAY##step(x + 1) + WAY##step(x + 2); \
        } \
        switch (x & 7) { \
        case 0: x += WAY##step(x & 31); \
        case 1: x -= 3; break; \
        case 4: return WAY##step(4); \
        case 5: x = WAY##step(WAY##step(x & 15) & 31); break; \
        default: x = x > 9 ? WAY##step(x & 63) : WAY##step(9) - x; \
        } \
        return x > 0 && WAY##step(x & 15) > 5 ? WAY##step(x & 7) : x; \
    }
BOTH(WAYS)

kernel void ways(global int *wrong)
{
    int id = (int)get_global_id(0);
    if (id == 13 && stay_choose(id) == in_choose(id))
        return;
    for (int i = 0; i < 4; i++)
        if (stay_choose(id + 64 * i) != in_choose(id + 64 * i))
            atomic_inc(wrong);
}

// ---- loops ---------------------------------------------------------------------------------------

#define LOOPS(WAY, ATTRIBUTE) \
    ATTRIBUTE uint WAY##next(uint x) { return x & 1 ? x * 3 + 1 : x >> 1; } \
    ATTRIBUTE uint WAY##length(uint x) \
    { \
        uint count = 0; \
        while (x > 1 && count < 40) { \
            x = WAY##next(x); \
            count++; \
        } \
        return count; \
    } \
    ATTRIBUTE uint WAY##longest(uint from, uint to) \
    { \
        uint best = 0, previous = 1, x = from; \
        do { \
            uint n = WAY##length(x); \
            if (n == 7) \
                continue; \
            if (n > 35) \
                break; \
            for (uint i = 0; i < (n & 3); i++) { \
                best += WAY##next(n + i) ^ previous; \
                if (best & 64) \
                    break; \
            } \
            uint swap = previous; \
            previous = best; \
            best = swap + n; \
        } while (++x < to); \
        return best * 31 + previous + x; \
    }
BOTH(LOOPS)

kernel void loops(global int *wrong)
{
    uint id = (uint)get_global_id(0);
    for (uint from = id; from < id + 100; from += 37)
        if (stay_longest(from + 1, from + 12) != in_longest(from + 1, from + 12))
            atomic_inc(wrong);
}

// ---- barriers ------------------------------------------------------------------------------------

// All work-items call it together, after different paths.
__attribute__((noinline)) int neighbours(local int *shared, int x)
{
    int id = (int)get_local_id(0);
    shared[id] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    int sum = shared[(id + 1) & 31] * 3 + shared[(id + 17) & 31];
    barrier(CLK_LOCAL_MEM_FENCE);
    return sum;
}

__attribute__((noinline)) int twice(local int *shared, int x)
{
    x = neighbours(shared, x + 1);
    if (x & 1)
        x += stay_choose(x & 63);
    return neighbours(shared, x);
}

static int expected(int id)
{
    return id * 5 + 2;
}

kernel void meeting(global int *wrong, local int *shared)
{
    int id = (int)get_local_id(0), x = expected(id);
    if (id % 3 == 0) // these work-items arrive later
        x += stay_choose(id) - in_choose(id);
    for (int i = 0; i < 3; i++)
        x = id & (1 << i) ? x + (int)stay_length((uint)id) - (int)in_length((uint)id) : x;
    x = neighbours(shared, x);
    int y = expected((id + 1) & 31) * 3 + expected((id + 17) & 31);
    if (x != y)
        atomic_inc(wrong);
    for (int i = 0; i < 5; i++) { // work-items diverge in these iterations
        if ((id + i) & 1)
            y = in_step(y & 63);
        x = neighbours(shared, y);
        int next = 0;
        for (int k = 0; k < 2; k++) {
            int other = (id + (k ? 17 : 1)) & 31, z = shared[other];
            next += k ? z : z * 3;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (x != next)
            atomic_inc(wrong);
        y = x;
    }
    int a = twice(shared, id), b = twice(shared, id + 1);
    int c = twice(shared, id), d = twice(shared, id + 1);
    if (a != c || b != d)
        atomic_inc(wrong);
}

// ---- levels --------------------------------------------------------------------------------------

#define LEVEL(WAY, ATTRIBUTE, N, BELOW) \
    ATTRIBUTE float WAY##f##N(float x) \
    { \
        float y = WAY##f##BELOW(x) * 0.5f; \
        if (y > 1.0f) \
            y = WAY##f##BELOW(y - 1.0f) + 0.25f; \
        return x < 0.0f ? y + WAY##f##BELOW(-x) : y; \
    }
#define DEEP(WAY, ATTRIBUTE) \
    ATTRIBUTE float WAY##f0(float x) \
    { \
        for (int i = 0; i < 3; i++) \
            x = x * 1.5f - floor(x * 1.25f) + 0.125f; \
        return x; \
    } \
    LEVEL(WAY, ATTRIBUTE, 1, 0) LEVEL(WAY, ATTRIBUTE, 2, 1) LEVEL(WAY, ATTRIBUTE, 3, 2)
BOTH(DEEP)
LEVEL(stay_, __attribute__((noinline)), 4, 3)
LEVEL(stay_, __attribute__((noinline)), 5, 4)
LEVEL(stay_, __attribute__((noinline)), 6, 5)
LEVEL(stay_, __attribute__((noinline)), 7, 6)
LEVEL(stay_, __attribute__((noinline)), 8, 7)
LEVEL(stay_, __attribute__((noinline)), 9, 8)

// Expected result of the calls, computed with an explicit work list.
static float level9(float x)
{
    float argument[10], y[10], result = 0.0f;
    int stage[10], level = 9;
    argument[9] = x;
    stage[9] = 0;
    while (level < 10) {
        int at = stage[level]++;
        float a = argument[level], call = a;
        bool done = level == 0;
        if (level == 0)
            result = in_f0(a);
        else if (at == 1)
            y[level] = result * 0.5f;
        else if (at == 2)
            y[level] = result + 0.25f;
        else if (at == 3)
            y[level] = y[level] + result;
        if (!done && at == 1) {
            if (y[level] > 1.0f)
                call = y[level] - 1.0f;
            else
                at = stage[level] = 2;
        }
        if (!done && at == 2) {
            stage[level] = 3;
            if (a < 0.0f)
                call = -a;
            else
                done = true;
        }
        done |= at == 3;
        if (done) {
            result = level ? y[level] : result;
            level++;
        } else {
            level--;
            argument[level] = call;
            stage[level] = 0;
        }
    }
    return result;
}

kernel void deep(global int *wrong)
{
    float x = (float)(int)get_global_id(0) * 0.125f - 2.0f;
    if (stay_f9(x) != level9(x) || stay_f3(x) != in_f3(x))
        atomic_inc(wrong);
}

// ---- many calls ----------------------------------------------------------------------------------

#define TIMES4(X) X X X X

kernel void many(global int *wrong)
{
    const uint item = (uint)get_global_id(0);
    uint x = item, y = item;
    for (uint i = 0; i < 2 + (item & 1); i++) {
        TIMES4(TIMES4(TIMES4(x = stay_mix(x, i); if (x & 1) x += stay_mix(x, item);)))
    }
    for (uint i = 0; i < 2 + (item & 1); i++)
        for (uint j = 0; j < 64; j++) {
            y = in_mix(y, i);
            if (y & 1)
                y += in_mix(y, item);
        }
    if (x != y)
        atomic_inc(wrong);
}
