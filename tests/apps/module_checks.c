// SPDX-License-Identifier: Apache-2.0
// Runs the kernels of the modules with vulkan_module.c and checks their results.
//
// vulkan_module MODULE.spv   of module_kernels.cl, module_cases.cl or an example of tests/mapping
#include "module_cases.h"
#include "vulkan_module.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { COUNT = 64, GROUP = 16 };

static int failures;

static void expect(const char *what, const float *got, uint32_t i, float wanted)
{
    if (fabsf(got[i] - wanted) < 1e-4f)
        return;
    fprintf(stderr, "%s: element %u is %g, not %g\n", what, i, (double)got[i], (double)wanted);
    failures++;
}

static void try_scale(struct buffer out, struct buffer in)
{
    struct launch l = begin("scale", GROUP);
    uint32_t range[2] = {4, 40};
    float factor = 0.5f;
    set_buffer(&l, 0, out);
    set_value(&l, 1, &factor, sizeof factor);
    set_buffer(&l, 2, in);
    set_value(&l, 3, range, sizeof range);
    memset(out.bytes, 0, COUNT * 4);
    run(&l, COUNT / GROUP);
    for (uint32_t i = 0; i < COUNT; i++)
        expect("scale", out.bytes, i, i >= 4 && i < 44 ? (float)i * 0.5f + GROUP + COUNT : 0);
}

static void try_reverse(struct buffer out, struct buffer in)
{
    struct launch l = begin("reverse", GROUP);
    float add = 100;
    short more = -3;
    set_buffer(&l, 0, out);
    set_local(&l, 1, GROUP * 8);
    set_buffer(&l, 2, in);
    set_value(&l, 3, &add, sizeof add);
    set_value(&l, 4, &more, sizeof more);
    run(&l, COUNT / GROUP);
    for (uint32_t i = 0; i < COUNT; i++)
        expect("reverse", out.bytes, i, (float)(i / GROUP * GROUP + GROUP - 1 - i % GROUP) + 97);
}

static void try_choose(struct buffer out, struct buffer in)
{
    struct launch l = begin("choose", GROUP);
    int which = 1;
    for (uint32_t i = 0; i < COUNT; i++)
        ((float *)out.bytes)[i] = 1000;
    set_buffer(&l, 0, out);
    set_buffer(&l, 1, in);
    set_value(&l, 2, &which, sizeof which);
    run(&l, COUNT / GROUP);
    for (uint32_t i = 0; i < COUNT; i++)
        expect("choose", out.bytes, i, i & 1 ? (float)i + 1 : 1001);
}

static void try_high(struct buffer out)
{
    struct launch l = begin("high", GROUP);
    uint32_t by = 0x89abcdef;
    set_buffer(&l, 0, out);
    set_value(&l, 1, &by, sizeof by);
    run(&l, COUNT / GROUP);
    for (uint32_t i = 0; i < COUNT; i++) {
        uint32_t x = i * 0x4ccccccdu, high = (uint32_t)((uint64_t)x * by >> 32);
        uint32_t wanted = high ^ (high - (x >> 31 ? by : 0) - x) << 1; // the divisor is negative
        if ((int32_t)x < (int32_t)by)
            wanted = i;
        uint32_t got = ((uint32_t *)out.bytes)[i];
        if (got != wanted)
            fprintf(stderr, "high: element %u is %x, not %x\n", i, got, wanted);
        failures += got != wanted;
    }
}

// The range that the launch reports; it differs from the dispatched one, so that the difference
// shows.
static void try_where(struct buffer out)
{
    const uint32_t offset[3] = {1000}, region[3] = {1064}, size[3] = {4096}, groups[3] = {77}, first[3] = {5}, local[3] = {32};
    const uint32_t dim[3] = {2};
    struct launch l = begin("where", GROUP);
    uint32_t by = tell(&l, GLOBAL_OFFSET, offset) | tell(&l, GLOBAL_OFFSET_SPEC, offset) ? 1000 : 0;
    uint32_t base = tell(&l, REGION_OFFSET, region) ? 1064 : by, wanted = 3 * by;
    wanted += 7 * (tell(&l, GLOBAL_SIZE, size) ? 4096 : COUNT);
    wanted += 100000 * (tell(&l, NUM_GROUPS, groups) ? 77 : COUNT / GROUP);
    wanted += 13 * (tell(&l, ENQUEUED_LOCAL, local) ? 32 : GROUP);
    wanted += 17 * (tell(&l, WORK_DIM, dim) ? 2 : 3);
    uint32_t group = tell(&l, REGION_GROUP, first) ? 5 : 0, add = 12345;
    set_buffer(&l, 0, out);
    set_value(&l, 1, &base, sizeof base);
    set_value(&l, 2, &add, sizeof add);
    run(&l, COUNT / GROUP);
    for (uint32_t i = 0; i < COUNT; i++) {
        uint32_t got = ((uint32_t *)out.bytes)[i], all = wanted + add + base + i + 31 * (group + i / GROUP);
        if (got != all)
            fprintf(stderr, "where: element %u is %u, not %u\n", i, got, all);
        failures += got != all;
    }
}

static void expect_int(const char *what, uint32_t i, int got, int wanted)
{
    if (got == wanted)
        return;
    fprintf(stderr, "%s: element %u is %d, not %d\n", what, i, got, wanted);
    failures++;
}

// Program-scope constants and a constant argument, through one pointer.
static void try_look_up(struct buffer out)
{
    struct launch l = begin("look_up", GROUP);
    struct buffer given = make_buffer(CONSTANT_BYTES);
    for (int i = 0; i < COUNT; i++)
        ((int *)given.bytes)[i] = 1000 + i;
    set_buffer(&l, 0, out);
    set_buffer(&l, 1, given);
    run(&l, COUNT / GROUP);
    for (uint32_t i = 0; i < COUNT; i++)
        expect_int("look_up", i, ((int *)out.bytes)[i], i % 3 ? 1000 + (int)i : (int)(i % 8 * (i % 8) + 1));
}

// A program-scope variable that is 7 at first and keeps its value between launches.
static void try_count(struct buffer out)
{
    for (int launch = 0; launch < 2; launch++) {
        struct launch l = begin("count", GROUP);
        set_buffer(&l, 0, out);
        run(&l, COUNT / GROUP);
        int sum = 0, first = 7 + launch * 3 * COUNT;
        for (uint32_t i = 0; i < COUNT; i++)
            sum += ((int *)out.bytes)[i];
        expect_int("count", 0, sum, first * COUNT + 3 * COUNT * (COUNT - 1) / 2);
    }
}

// Records of four words: the call, a value, a string, a value. The buffer has 128 words, the first
// of which is a counter.
static void try_tell(struct buffer out)
{
    enum { TOLD = 31 };
    struct launch l = begin("tell", GROUP);
    uint32_t seen = 0, failed = 0, *record = printed_buffer.bytes;
    set_buffer(&l, 0, out);
    run(&l, COUNT / GROUP);
    failures += record[0] < 4 * TOLD || record[0] > 4 * COUNT;
    for (uint32_t i = 0; i < COUNT; i++)
        failed += ((int *)out.bytes)[i] == -1;
    expect_int("tell: failed", 0, (int)failed, COUNT - TOLD);
    for (uint32_t i = 0; i < TOLD; i++) {
        uint32_t *at = record + 1 + 4 * i;
        const char *format = at[0] < MOST_FORMATS ? formats[at[0]] : NULL, *text = at[2] < MOST_FORMATS ? formats[at[2]] : NULL;
        failures += !format || strcmp(format, "%d %s %d\n") || !text || strcmp(text, "times");
        expect_int("tell: a record", i, (int)at[3], -5 * (int)at[1]);
        seen += at[1] < COUNT;
    }
    expect_int("tell: records", 0, (int)seen, TOLD);
}

// A 2D and a 3D image with the buffer's numbers; the second launch reads what the first one writes.
static void try_images(struct buffer out, struct buffer in)
{
    // nearest, clamped to the edge; normalized, repeated
    enum { SIDE = 8, VOLUME_SIDE = 4, TEXELS = 2 | 0x10, SHARES = 1 | 6 | 0x10 };
    const VkExtent3D flat = {SIDE, SIDE, 1}, cube = {VOLUME_SIDE, VOLUME_SIDE, VOLUME_SIDE};
    VkImageView plane = make_view(VK_IMAGE_TYPE_2D, flat, in), kept = make_view(VK_IMAGE_TYPE_2D, flat, in);
    struct launch l = begin("sample", GROUP), next = begin("again", GROUP);
    set_image(&l, 0, plane);
    set_image(&l, 1, make_view(VK_IMAGE_TYPE_3D, cube, in));
    set_sampler(&l, 2, TEXELS);
    set_image(&l, 3, kept);
    run(&l, COUNT / GROUP);
    set_buffer(&next, 0, out);
    set_image(&next, 1, kept);
    set_sampler(&next, 2, SHARES);
    run(&next, COUNT / GROUP);
    for (uint32_t i = 0; i < COUNT; i++) {
        uint32_t clamped = i % SIDE ? i - 1 : i, other = (i + 1) % COUNT;
        expect("images", out.bytes, i, (float)(clamped + 100 * i + 10000 * other + 1000000 * SIDE));
    }
}

// ---- features that descriptors cannot provide: module_cases.cl
// ---------------------------------------

static int given(int i) { return (i * 37 + 11) % 101; }

#define ALIKE(name) \
    static int wanted_##name(int i) { return name(i, given(i)); }
ALIKE(seen_otherwise)
ALIKE(tagged_values)
ALIKE(into_the_loop)
ALIKE(two_doors)
ALIKE(some_at_once)
ALIKE(here_and_there)
ALIKE(turned_list)
ALIKE(by_several_hands)

enum { ADDED = 0x1200 };

static int wanted_given_union(int i)
{
    union word w = {.i = given(i)}, turned;
    turned.halves.low = (short)(w.halves.high + (ADDED >> 8));
    turned.halves.high = w.halves.low;
    return turned.i;
}

// The arguments after the buffers: those named a to f in small_structs_case.
static void set_small(struct launch *l)
{
    static const struct {
        unsigned char bytes[4], size;
    } values[] = {{{7}, 1}, {{1, 2, 3}, 3}, {{0x34, 0x12}, 2}, {{0xfe, 0xff, 9, 0}, 4}, {{200}, 1}, {{4, 5, 250}, 3}};
    for (uint32_t i = 0; i < sizeof values / sizeof *values; i++)
        set_value(l, 2 + i, values[i].bytes, values[i].size);
}

static int wanted_small_structs(int i)
{
    static const int numbers[] = {7, 1, 2, 3, 0x1234, -2, 9, 200, 4, 5, -6};
    return numbers[i % 11] + given(i);
}

static int wanted_local_union(int i)
{
    int l = i % CASE_GROUP, other = i - l + (l ^ 1);
    return given(i - l + 15 - l) * 1000 + (short)(given(other) << 8 | (l ^ 1));
}

static int wanted_group_goto(int i)
{
    int sum = 0, first = i / CASE_GROUP * CASE_GROUP;
    for (int k = 0; k < (first / CASE_GROUP & 1 ? 8 : CASE_GROUP); k++)
        sum += given(first + k);
    return sum;
}

static int wanted_chosen(int i)
{
    int out = 7 * i, in = given(i), other = given(i ^ 1), *p = &in, *q = &out;
    for (int k = 0; k < 5; k++) {
        int *next = (i + k) & 1 ? p : q;
        *q = *next + k;
        p = k == 3 ? &other : next;
    }
    return out;
}

static int wanted_spans(int i)
{
    int first = i % 3 ? i & ~3 : i / 2, count = i % 3 ? 4 : 2, l = i % CASE_GROUP, sum = 0;
    for (int k = 0; k < count; k++)
        sum += given(first + k) + (i % 3 ? l : 15 - l);
    return sum;
}

static int wanted_kept(int i)
{
    return given(i) * 100 + given(i & 2 ? i : i / CASE_GROUP * CASE_GROUP) * 10 + (i & 4 ? i : i * ((i & 3) + 1));
}

static int wanted_local_table(int i)
{
    int l = i % CASE_GROUP, to = i - l + (l ^ 1);
    return (15 - l) * (15 - l) + (to & 4 ? given(to) : 1000 + to);
}

static int wanted_global_list(int i)
{
    int l = i % CASE_GROUP, sum = 0;
    for (int left = 3; left; left--) {
        sum = sum * 10 + (i / CASE_GROUP * CASE_GROUP + l) * 3;
        if (l == 15)
            break;
        l = (l * 7 + 7) % CASE_GROUP;
    }
    return sum;
}

static int wanted_numbers(int i)
{
    int odd = i & 1, at = i == 63 ? 0 : i + odd;
    return given(at) * 100 + (i & 7) * i + (2 + odd) + (i + odd > 0) + ((i & 7) == 3);
}

static int own_sum(int i, int more) { return ((i + more) * 3 + i + 1) * 9 + (i + 2) * 3 + i + 3; }

static int wanted_generic(int i)
{
    int any = i % 3 == 0 ? i : i % 3 == 1 ? i % CASE_GROUP * 2 : given(i);
    return own_sum(i, i % 3 ? 0 : 5) + any + 5;
}

static int wanted_generic_kept(int i)
{
    int value = i % 3 == 0 ? 3 * i : i % 3 == 1 ? given(i) : i % CASE_GROUP ^ 3;
    return value * 10 + (i % 3 == 0 ? 4 : i % 3 == 1 ? 1 : 2);
}

static const struct {
    const char *name;
    int (*wanted)(int i);
} cases[] = {
    {"seen_otherwise_case", wanted_seen_otherwise}, {"tagged_values_case", wanted_tagged_values},
    {"into_the_loop_case", wanted_into_the_loop},   {"two_doors_case", wanted_two_doors},
    {"some_at_once_case", wanted_some_at_once},     {"here_and_there_case", wanted_here_and_there},
    {"turned_list_case", wanted_turned_list},       {"by_several_hands_case", wanted_by_several_hands},
    {"given_union_case", wanted_given_union},       {"local_union_case", wanted_local_union},
    {"group_goto_case", wanted_group_goto},         {"chosen_case", wanted_chosen},
    {"small_structs_case", wanted_small_structs},
    {"spans_case", wanted_spans},                   {"kept_case", wanted_kept},
    {"local_table_case", wanted_local_table},       {"global_list_case", wanted_global_list},
    {"numbers_case", wanted_numbers},               {"generic_case", wanted_generic},
    {"generic_kept_case", wanted_generic_kept},
};

static void try_case(size_t which, struct buffer out, struct buffer in)
{
    const char *name = cases[which].name;
    struct launch l = begin(name, CASE_GROUP);
    int added = ADDED;
    for (int i = 0; i < CASE_COUNT; i++)
        ((int *)in.bytes)[i] = given(i);
    set_buffer(&l, 0, out);
    set_buffer(&l, 1, in);
    if (!strcmp(name, "given_union_case"))
        set_value(&l, 2, &added, sizeof added);
    if (!strcmp(name, "small_structs_case"))
        set_small(&l);
    run(&l, CASE_COUNT / CASE_GROUP);
    for (int i = 0; i < CASE_COUNT; i++)
        expect_int(name, (uint32_t)i, ((int *)out.bytes)[i], cases[which].wanted(i));
}

// ---- the examples of tests/mapping, whose kernels are all named foo
// ----------------------------------

static void fill(struct buffer buffer, float add)
{
    for (int i = 0; i < COUNT; i++)
        ((float *)buffer.bytes)[i] = (float)i + add;
}

static void try_plain_example(struct buffer a, struct buffer b)
{
    struct launch l = begin("foo", GROUP);
    float f = 2.5f;
    uint32_t c = 7;
    set_buffer(&l, 0, a);
    set_value(&l, 1, &f, sizeof f);
    set_buffer(&l, 2, b);
    set_value(&l, 3, &c, sizeof c);
    fill(b, 1);
    run(&l, COUNT / GROUP);
    for (uint32_t i = 0; i < COUNT; i++)
        expect_int("foo", i, ((int *)a.bytes)[i], (int)(2.5f * (float)(i + 1) + 7));
}

// foo(local float *L, global float *A, local float4 *L2)
static void try_local_example(struct buffer a)
{
    struct launch l = begin("foo", GROUP);
    set_local(&l, 0, GROUP * 4);
    set_buffer(&l, 1, a);
    set_local(&l, 2, GROUP * 16);
    fill(a, 3);
    run(&l, COUNT / GROUP);
    for (uint32_t i = 0; i < COUNT; i++) {
        uint32_t other = GROUP - 1 - i % GROUP;
        expect("foo", a.bytes, i, (float)(i / GROUP * GROUP + other + 3 + 100 * other));
    }
}

// foo(global int *a, global float *b, uint c, float2 local *d)
static void try_kernel_example(struct buffer a, struct buffer b)
{
    struct launch l = begin("foo", GROUP);
    uint32_t c = 1000;
    set_buffer(&l, 0, a);
    set_buffer(&l, 1, b);
    set_value(&l, 2, &c, sizeof c);
    set_local(&l, 3, GROUP * 8);
    fill(b, 2);
    run(&l, COUNT / GROUP);
    for (uint32_t i = 0; i < COUNT; i++)
        expect_int("foo", i, ((int *)a.bytes)[i], (int)(i ^ 1) + 2 + 1000);
}

// foo(global uint *A, uint i), with constants that the program stores in a buffer
static void try_constants_example(struct buffer a)
{
    static const uint32_t wanted[] = {0x1234abcd, 0xffffffff, 0};
    for (uint32_t i = 0; i < 3; i++) {
        struct launch l = begin("foo", 1);
        set_buffer(&l, 0, a);
        set_value(&l, 1, &i, sizeof i);
        run(&l, 1);
        expect_int("foo", i, ((int *)a.bytes)[0], (int)wanted[i]);
    }
}

static void try_examples(void)
{
    struct kernel foo = look_for_kernel("foo");
    struct buffer a = make_buffer(COUNT * 4), b = make_buffer(COUNT * 4);
    if (foo.args[0].kind == WORKGROUP)
        try_local_example(a);
    else if (foo.args[3].kind == WORKGROUP)
        try_kernel_example(a, b);
    else if (foo.args[3].kind)
        try_plain_example(a, b);
    else
        try_constants_example(a);
}

static int has_kernel(const char *name) { return look_for_kernel(name).name != NULL; }

static void try_cases(void)
{
    // pointers and numbers
    struct buffer out = make_buffer(CASE_COUNT * 4), in = make_buffer(CASE_COUNT * 16);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        // those need OpenCL C 2.0
        if (strncmp(cases[i].name, "generic", 7) || has_kernel(cases[i].name))
            try_case(i, out, in);
}

static void try_kernels(void)
{
    struct buffer in = make_buffer(COUNT * 4), out = make_buffer(COUNT * 4);
    for (uint32_t i = 0; i < COUNT; i++)
        ((float *)in.bytes)[i] = (float)i;
    try_scale(out, in);
    try_reverse(out, in);
    try_choose(out, in);
    try_high(out);
    if (has_kernel("look_up"))
        try_look_up(out);
    if (has_kernel("count"))
        try_count(out);
    if (has_kernel("tell"))
        try_tell(out);
    if (has_kernel("sample"))
        try_images(out, in);
    if (has_kernel("where"))
        try_where(out);
}

int main(int argc, char **argv)
{
    if (argc != 2)
        fail("the module's name is wanted");
    read_module(argv[1]);
    open_device();
    if (has_kernel("foo"))
        try_examples();
    else if (has_kernel(cases[0].name))
        try_cases();
    else
        try_kernels();
    printf("%s: %d wrong\n", argv[1], failures);
    return failures != 0;
}
