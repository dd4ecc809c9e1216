// SPDX-License-Identifier: Apache-2.0
// Run by vulkan_module.c after module_kernels.cl: features of C that descriptors cannot express. Each kernel is
// NAME(out, in), and the program knows out[i].
#include "module_cases.h"

#define CASE(name)                                        \
    kernel void name##_case(global int *out, global int *in) \
    {                                                     \
        int i = get_global_id(0);                         \
        out[i] = name(i, in[i]);                          \
    }

CASE(seen_otherwise)
CASE(tagged_values)
CASE(into_the_loop)
CASE(two_doors)
CASE(some_at_once)
CASE(here_and_there)
CASE(turned_list)
CASE(by_several_hands)

// ---- unions in memory and as arguments ---------------------------------------------------------------

kernel void given_union_case(global union word *out, global const union word *in, union word add)
{
    int i = get_global_id(0);
    union word w = in[i];
    w.halves.high += add.bytes[1];
    out[i].halves.low = w.halves.high;
    out[i].halves.high = w.halves.low;
}

kernel void local_union_case(global int *out, global const int *in)
{
    local union word shared_words[16];
    int i = get_global_id(0), l = get_local_id(0);
    shared_words[l].i = in[i] << 8 | l;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = shared_words[15 - l].bytes[1] * 1000 + shared_words[l ^ 1].halves.low;
}

// ---- unaligned structs among plain data ---------------------------------------------------------------

struct three { char at[3]; };
struct two { short x; uchar y; };

kernel void small_structs_case(global int *out, global const int *in, char a, struct three b, short c, struct two d, uchar e, struct three f)
{
    int i = get_global_id(0), numbers[] = {a, b.at[0], b.at[1], b.at[2], c, d.x, d.y, e, f.at[0], f.at[1], f.at[2]};
    out[i] = numbers[i % 11] + in[i];
}

// ---- loops that begin in the middle, with shared memory ------------------------------------------------

// A goto into a loop that the whole work-group executes, with barriers in it.
kernel void group_goto_case(global int *out, global const int *in)
{
    local int sums[16];
    int l = get_local_id(0), step = 8, start = get_group_id(0) & 1;
    sums[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (start)
        goto half_way;
    while (step > 0) {
        if (l < step)
            sums[l] += sums[l + step];
        barrier(CLK_LOCAL_MEM_FENCE);
    half_way:
        step >>= 1;
    }
    out[get_global_id(0)] = sums[0];
}

// ---- pointers selected at run time -------------------------------------------------------------------

static global int *side(global int *a, global int *b, int which) { return which & 1 ? a : b; }

// One of two buffers, or an offset in one of them; it changes in each iteration.
kernel void chosen_case(global int *out, global int *in)
{
    int i = get_global_id(0);
    global int *p = in + i, *q = out + i;
    *q = 7 * i;
    for (int k = 0; k < 5; k++) {
        global int *next = side(p, q, i + k);
        *q = *next + k;
        p = k == 3 ? in + (i ^ 1) : next;
    }
}

struct span {
    global const int *first;
    uint count;
    local int *kept;
};

static int sum_of(struct span s)
{
    int sum = 0;
    for (uint k = 0; k < s.count; k++)
        sum += s.first[k] + *s.kept;
    return sum;
}

// In a struct that is passed by value.
kernel void spans_case(global int *out, global int *in)
{
    local int kept[16];
    int i = get_global_id(0), l = get_local_id(0);
    kept[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    struct span spans[2] = {{in + (i & ~3), 4, kept + l}, {in + i / 2, 2, &kept[15 - l]}};
    out[i] = sum_of(spans[i % 3 == 0]);
}

// ---- pointers in memory ------------------------------------------------------------------------------

// Arrays of pointers to three kinds of memory.
kernel void kept_case(global int *out, global int *in)
{
    local int part[16];
    int i = get_global_id(0), l = get_local_id(0), own[4] = {i, 2 * i, 3 * i, 4 * i};
    global int *far[3] = {in, in + i, out};
    local int *near[2] = {part, part + l};
    int *mine[2] = {own + (i & 3), own};
    part[l] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    int x = far[i & 1][i & 1 ? 0 : i] * 100 + *near[i >> 1 & 1] * 10 + *mine[i >> 2 & 1];
    far[2] += i;
    *far[2] = x;
}

// Each work-item stores pointers in local memory, and another one dereferences them.
kernel void local_table_case(global int *out, global int *in)
{
    local int part[16];
    local int *local to_part[16];
    global int *local to_global[16];
    int i = get_global_id(0), l = get_local_id(0);
    part[l] = l * l;
    to_part[15 - l] = &part[l];
    to_global[l ^ 1] = l & 4 ? in + i : out + i;
    out[i] = 1000 + i;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    int x = *to_part[l] + *to_global[l];
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    out[i] = x;
}

struct link {
    global struct link *next;
    int value;
};

// A list in a buffer: pointers in global memory, dereferenced by the work-item that stored them and by others.
kernel void global_list_case(global int *out, global int *in)
{
    global struct link *all = (global struct link *)in;
    int i = get_global_id(0), l = get_local_id(0), first = i - l;
    all[i].next = l == 15 ? 0 : &all[first + (l * 7 + 7) % 16];
    all[i].value = i * 3;
    barrier(CLK_GLOBAL_MEM_FENCE);
    int sum = 0, left = 3;
    for (global struct link *at = &all[i]; at && left; at = at->next, left--)
        sum = sum * 10 + at->value;
    out[i] = sum;
}

// Converted to integers and back, compared, subtracted.
kernel void numbers_case(global int *out, global int *in)
{
    int i = get_global_id(0), own[8];
    for (int k = 0; k < 8; k++)
        own[k] = k * i;
    uintptr_t to = (uintptr_t)(in + i), mine = (uintptr_t)own;
    global int *p = (global int *)(to + 4 * (i & 1));
    int *q = (int *)(mine + 4 * (i & 7));
    out[i] = *(i == 63 ? in : p) * 100 + *q + (int)((p + 2) - (in + i)) + (p > in) + (q == own + 3);
}

#if __OPENCL_C_VERSION__ >= 200
// ---- generic pointers --------------------------------------------------------------------------------

static int sum_any(const int *p, int count)
{
    int sum = 0;
    for (int k = 0; k < count; k++)
        sum = sum * 3 + p[k];
    return sum;
}

static void add_any(int *p, int x) { *p += x; }

kernel void generic_case(global int *out, global int *in)
{
    local int part[16];
    int i = get_global_id(0), l = get_local_id(0), own[4] = {i, i + 1, i + 2, i + 3};
    part[l] = 2 * l;
    out[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    int *any = i % 3 == 0 ? own : i % 3 == 1 ? (int *)(part + l) : in + i;
    add_any(any, 5);
    add_any(out + i, sum_any(own, 4));
    add_any(out + i, *any);
}

// Stored in an array and in local memory; their address spaces are queried.
kernel void generic_kept_case(global int *out, global int *in)
{
    local int part[16];
    local int *local table[16];
    int i = get_global_id(0), l = get_local_id(0), own = 3 * i;
    part[l] = l;
    table[l] = part + (l ^ 3);
    barrier(CLK_LOCAL_MEM_FENCE);
    int *any[3] = {&own, in + i, table[l]}, *p = any[i % 3];
    out[i] = *p * 10 + (to_global(p) != 0) + 2 * (to_local(p) != 0) + 4 * (to_private(p) != 0);
}
#endif
