// SPDX-License-Identifier: Apache-2.0
// Pointer values in kernels: kernels compare, subtract and order pointers, convert them to
// integers, store them in memory and load them. A buffer passed as two arguments has one address,
// its parts have addresses inside it, other buffers do not overlap it, and null is 0. The same on
// devices with buffer addresses and on those where arguments are bound.
#include "test.h"

enum { ARGS = 6, OBJECTS = 4, PARTS = 5, PLACES = OBJECTS + PARTS, WORDS = 4096, PART = 512 };

static const char source[] =
    "#define SIX global int *a, global int *b, global int *c, global int *d, global int *e, global int *f\n"
    "#define GLOBALS global int *p[6] = {a, b, c, d, e, f};\n"
    "#define NUMBER(i, x) n[i] = (ulong)(size_t)(x)\n"
    "kernel void numbers(SIX, global ulong *n) {\n"
    "    NUMBER(0, a); NUMBER(1, b); NUMBER(2, c); NUMBER(3, d); NUMBER(4, e); NUMBER(5, f); }\n"
    // Bits: equal, unequal, less, less or equal, the next element is greater, equal as integers.
    "#define SEE(i, j, x, y) o[(i) * 6 + (j)] = ((x) == (y)) | ((x) != (y)) << 1 | ((x) < (y)) << 2 | ((x) <= (y)) << 3 |\\\n"
    "    ((x) + 1 > (y)) << 4 | ((size_t)(x) == (size_t)(y)) << 5;\n"
    "#define ROW(i, x) SEE(i, 0, x, a) SEE(i, 1, x, b) SEE(i, 2, x, c) SEE(i, 3, x, d) SEE(i, 4, x, e) SEE(i, 5, x, f)\n"
    "kernel void compare(SIX, global int *o) { ROW(0, a) ROW(1, b) ROW(2, c) ROW(3, d) ROW(4, e) ROW(5, f) }\n"
    // Accesses through pointers that may be any of the arguments.
    "kernel void reach(SIX, global int *o, int from, int to, int word) {\n"
    "    GLOBALS\n"
    "    for (int i = 0; i < 6; i++) o[i] = p[i] == p[from] ? 1 : 0;\n"
    "    if (p[from]) p[from][word] += 1000;\n"
    "    if (p[to]) { global int *q = p[to] + word + 1; *q = *(q - 1) + 7; o[6] = (int)(q - p[to]); } }\n"
    // Through memory that the kernel writes: the difference of two pointers leads from one buffer
    // to the other.
    "kernel void keep(global int *a, constant int *b, global int *c, global ulong *n, global int *o) {\n"
    "    global int *volatile kept[2]; global int *global *in = (global int *global *)n;\n"
    "    in[0] = a; in[1] = c; kept[0] = in[1]; kept[1] = in[0];\n"
    "    o[0] = in[0] == a; o[1] = kept[0] == c; o[2] = (size_t)in[0] == (size_t)b; o[3] = (int)(c - a);\n"
    "    o[4] = a[(size_t)(c - a)]; *kept[0] += 5; o[5] = *in[1];\n"
    "    union { global int *p; size_t n; } u; u.p = c; o[6] = u.n == (size_t)c && u.n - (size_t)a == (size_t)(c - a) * sizeof(int);\n"
    "    o[7] = *(global int *)((size_t)a + ((size_t)c - (size_t)a)); }\n"
    // A linked list that one kernel creates and another one walks, with the buffers as other
    // arguments.
    "struct node { global struct node *next; int value; };\n"
    "kernel void link(global struct node *nodes, global struct node *more, int count) {\n"
    "    for (int i = 0; i < count; i++) {\n"
    "        nodes[i].value = i; more[i].value = 100 * i;\n"
    "        nodes[i].next = more + i; more[i].next = i + 1 < count ? nodes + i + 1 : 0; } }\n"
    "kernel void walk(global int *o, global struct node *more, int first, global struct node *nodes) {\n"
    "    int sum = 0;\n"
    "    for (global struct node *p = nodes + first; p; p = p->next) sum += p->value;\n"
    "    *o = sum; }\n";

static const char generic_source[] =
    "int same(int *a, const int *b) { return (a == b) | (a > b) << 1 | ((size_t)a == (size_t)b) << 2; }\n"
    "kernel void generic_pointers(global int *a, global int *b, global int *o, int shift) {\n"
    "    local int l[4]; int m[4];\n"
    "    int *p[4] = {a + shift, b, l, m};\n"
    "    for (int i = 0; i < 4; i++) for (int j = 0; j < 4; j++) o[i * 4 + j] = same(p[i], p[j]) & (i < 2 && j < 2 ? 7 : 5);\n"
    "    *p[0] = 12; o[16] = b[0]; o[17] = (int)(p[1] - p[0]); }\n";

static const char held_source[] =
    "global int *global held;\n"
    "kernel void hold(global int *a) { held = a + 5; }\n"
    "kernel void find(global int *o, global int *none, global int *a) {\n"
    "    o[0] = held == a + 5; o[1] = (int)(held - a); o[2] = held != none; o[3] = *held; *held = 3; }\n";

static cl_program program;

// Objects, and parts of objects 0 and 1.
static struct place {
    cl_mem mem; // NULL: the null pointer
    int object;
    size_t at, words;
} places[PLACES + 1];
static int *contents[OBJECTS];

static unsigned next_random(void)
{
    static unsigned state = 7;
    state = state * 1664525 + 1013904223;
    return state >> 8;
}

static void make_places(void)
{
    for (int i = 0; i < OBJECTS; i++) {
        contents[i] = malloc(WORDS * sizeof(int));
        for (int k = 0; k < WORDS; k++)
            contents[i][k] = (int)next_random() % 1000;
        cl_mem mem = test_buffer(CL_MEM_COPY_HOST_PTR, WORDS * sizeof(int), contents[i]);
        places[i] = (struct place){mem, i, 0, WORDS};
    }
    for (int i = 0; i < PARTS; i++) {
        cl_int error;
        int object = i % 2;
        cl_buffer_region region = {(size_t)(i + 1) * PART * sizeof(int), PART * sizeof(int)};
        cl_mem mem = clCreateSubBuffer(places[object].mem, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
        CHECK_OK(error);
        places[OBJECTS + i] = (struct place){mem, object, (size_t)(i + 1) * PART, PART};
    }
    places[PLACES] = (struct place){NULL, -1, 0, 0};
}

static void drop_places(void)
{
    for (int i = PLACES - 1; i >= 0; i--)
        CHECK_OK(clReleaseMemObject(places[i].mem));
    for (int i = 0; i < OBJECTS; i++)
        free(contents[i]);
}

static void run(cl_kernel kernel)
{
    const size_t one = 1;
    CHECK_OK(clEnqueueNDRangeKernel(test_queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
}

static void set_place(cl_kernel kernel, cl_uint index, const struct place *place)
{
    CHECK_OK(clSetKernelArg(kernel, index, sizeof(cl_mem), place->mem ? (const void *)&place->mem : NULL));
}

static void read_into(cl_mem mem, void *to, size_t size)
{
    CHECK_OK(clEnqueueReadBuffer(test_queue, mem, CL_TRUE, 0, size, to, 0, NULL, NULL));
}

// The expected result of comparing pointers with these values.
static int seen(cl_ulong x, cl_ulong y, cl_ulong next)
{
    return (x == y) | (x != y) << 1 | (x < y) << 2 | (x <= y) << 3 | (next > y) << 4 | (x == y) << 5;
}

static void check_numbers(const struct place *const p[ARGS], const cl_ulong n[ARGS])
{
    for (int i = 0; i < ARGS; i++) {
        CHECK_EQ(n[i] == 0, !p[i]->mem);
        CHECK_EQ(n[i] % 128, 0);
        for (int j = 0; j < ARGS; j++) {
            cl_long words = (cl_long)(n[j] - n[i]) / (cl_long)sizeof(int);
            if (p[i]->object == p[j]->object)
                CHECK_EQ(words, (cl_long)p[j]->at - (cl_long)p[i]->at);
            else
                CHECK_EQ(words >= (cl_long)p[i]->words || -words >= (cl_long)p[j]->words, 1);
        }
    }
}

static void draw(const struct place *p[ARGS], bool null)
{
    for (int i = 0; i < ARGS; i++)
        p[i] = &places[next_random() % (unsigned)(PLACES + null)];
}

static void check_compare(void)
{
    cl_kernel numbers = test_kernel(program, "numbers"), compare = test_kernel(program, "compare");
    cl_mem out = test_buffer(0, 64 * sizeof(cl_ulong), NULL);
    CHECK_OK(clSetKernelArg(numbers, ARGS, sizeof out, &out));
    CHECK_OK(clSetKernelArg(compare, ARGS, sizeof out, &out));
    for (int round = 0; round < 24; round++) {
        const struct place *p[ARGS];
        cl_ulong n[ARGS];
        int got[ARGS * ARGS], wrong = 0;
        draw(p, true);
        for (cl_uint i = 0; i < ARGS; i++) {
            set_place(numbers, i, p[i]);
            set_place(compare, i, p[i]);
        }
        run(numbers);
        read_into(out, n, sizeof n);
        check_numbers(p, n);
        run(compare);
        read_into(out, got, sizeof got);
        for (int i = 0; i < ARGS; i++)
            for (int j = 0; j < ARGS; j++) {
                // The order of null and a pointer, and of pointers to two buffers, is undefined.
                int mask = p[i]->object == p[j]->object && p[i]->mem ? 63 : 35;
                wrong += (got[i * ARGS + j] & mask) != (seen(n[i], n[j], n[i] + sizeof(int)) & mask);
            }
        CHECK_EQ(wrong, 0);
    }
    CHECK_OK(clReleaseKernel(numbers));
    CHECK_OK(clReleaseKernel(compare));
    CHECK_OK(clReleaseMemObject(out));
}

static void check_contents(int round)
{
    static int got[WORDS];
    for (int i = 0; i < OBJECTS; i++) {
        read_into(places[i].mem, got, sizeof got);
        if (!CHECK_EQ(memcmp(got, contents[i], sizeof got), 0))
            printf("  in object %d, round %d\n", i, round);
    }
}

static int *words_of(const struct place *place)
{
    return place->mem ? contents[place->object] + place->at : NULL;
}

static void check_reach(void)
{
    cl_kernel kernel = test_kernel(program, "reach");
    cl_mem out = test_buffer(0, 64, NULL);
    CHECK_OK(clSetKernelArg(kernel, ARGS, sizeof out, &out));
    for (int round = 0; round < 30; round++) {
        const struct place *p[ARGS];
        int values[3] = {(int)(next_random() % ARGS), (int)(next_random() % ARGS), (int)(next_random() % (PART - 1))};
        int got[7] = {0}, wrong = 0;
        draw(p, round % 3 == 0);
        for (cl_uint i = 0; i < ARGS; i++)
            set_place(kernel, i, p[i]);
        for (cl_uint i = 0; i < 3; i++)
            CHECK_OK(clSetKernelArg(kernel, ARGS + 1 + i, sizeof(int), &values[i]));
        run(kernel);
        int *from = words_of(p[values[0]]), *to = words_of(p[values[1]]), word = values[2];
        if (from)
            from[word] += 1000;
        if (to)
            to[word + 1] = to[word] + 7;
        read_into(out, got, sizeof got);
        for (int i = 0; i < ARGS; i++)
            wrong += got[i] != (words_of(p[i]) == from);
        CHECK_EQ(wrong, 0);
        if (to)
            CHECK_EQ(got[6], word + 1);
        check_contents(round);
    }
    CHECK_OK(clReleaseKernel(kernel));
    CHECK_OK(clReleaseMemObject(out));
}

static void check_keep(void)
{
    cl_kernel kernel = test_kernel(program, "keep");
    cl_mem kept = test_buffer(0, 64, NULL), out = test_buffer(0, 64, NULL);
    for (int k = 0; k < 6; k++) {
        const struct place *a = &places[k % 2 ? OBJECTS + k % 4 : k % 2], *c = &places[OBJECTS + k % 4 / 2 * 2 + k % 2];
        if (a->object != c->object)
            continue;
        int got[8], *first = words_of(a), *last = words_of(c), distance = (int)c->at - (int)a->at;
        set_place(kernel, 0, a);
        set_place(kernel, 1, k % 3 ? a : &places[2]);
        set_place(kernel, 2, c);
        CHECK_OK(clSetKernelArg(kernel, 3, sizeof kept, &kept));
        CHECK_OK(clSetKernelArg(kernel, 4, sizeof out, &out));
        run(kernel);
        read_into(out, got, sizeof got);
        const int want[8] = {1, 1, k % 3 != 0, distance, first[distance], *last + 5, 1, *last + 5};
        *last += 5;
        for (int i = 0; i < 8; i++)
            if (!CHECK_EQ(got[i], want[i]))
                printf("  value %d of case %d\n", i, k);
        check_contents(k);
    }
    CHECK_OK(clReleaseKernel(kernel));
    CHECK_OK(clReleaseMemObject(kept));
    CHECK_OK(clReleaseMemObject(out));
}

// 32-bit pointers cannot identify every buffer: they are only valid for one launch.
static void check_lists(void)
{
    enum { COUNT = 9 };
    cl_kernel link = test_kernel(program, "link"), walk = test_kernel(program, "walk");
    cl_uint bits = 0;
    CHECK_OK(clGetDeviceInfo(test_device, CL_DEVICE_ADDRESS_BITS, sizeof bits, &bits, NULL));
    cl_mem nodes = test_buffer(0, 16 * COUNT, NULL), more = test_buffer(0, 16 * COUNT, NULL), out = test_buffer(0, 64, NULL);
    int count = COUNT, sum = 0, got = 0;
    CHECK_OK(clSetKernelArg(link, 0, sizeof nodes, &nodes));
    CHECK_OK(clSetKernelArg(link, 1, sizeof more, &more));
    CHECK_OK(clSetKernelArg(link, 2, sizeof count, &count));
    CHECK_OK(clSetKernelArg(walk, 0, sizeof out, &out));
    CHECK_OK(clSetKernelArg(walk, 1, sizeof more, &more));
    CHECK_OK(clSetKernelArg(walk, 3, sizeof nodes, &nodes));
    run(link);
    for (int first = COUNT - 1; bits == 64 && first >= 0; first--) {
        sum += 101 * first;
        CHECK_OK(clSetKernelArg(walk, 2, sizeof first, &first));
        run(walk);
        read_into(out, &got, sizeof got);
        CHECK_EQ(got, sum);
    }
    CHECK_OK(clReleaseKernel(link));
    CHECK_OK(clReleaseKernel(walk));
    CHECK_OK(clReleaseMemObject(nodes));
    CHECK_OK(clReleaseMemObject(more));
    CHECK_OK(clReleaseMemObject(out));
}

// Whether the device can bind all buffers at once: the kernel has two and one for results.
static void check_generic(void)
{
    cl_program generic = test_build(generic_source, "-cl-std=CL3.0");
    cl_kernel kernel = test_kernel(generic, "generic_pointers");
    cl_mem out = test_buffer(0, 128, NULL);
    CHECK_OK(clSetKernelArg(kernel, 2, sizeof out, &out));
    for (int k = 0; k < 4; k++) {
        const struct place *a = &places[k < 3 ? 0 : 2], *b = &places[k == 0 ? 0 : k == 1 ? OBJECTS : k == 2 ? 1 : 0];
        int shift = k == 1 ? PART : 0, got[18];
        bool same = k < 2;
        set_place(kernel, 0, a);
        set_place(kernel, 1, b);
        CHECK_OK(clSetKernelArg(kernel, 3, sizeof shift, &shift));
        int before = words_of(b)[0];
        run(kernel);
        words_of(a)[shift] = 12;
        read_into(out, got, sizeof got);
        for (int i = 0; i < 16; i++) {
            int first = i / 4, second = i % 4, want = first == second || (same && i != 0 && (i == 1 || i == 4)) ? 5 : 0;
            CHECK_EQ(got[i] & 5, want);
        }
        CHECK_EQ(got[16], same ? 12 : before);
        if (same)
            CHECK_EQ(got[17], 0);
    }
    check_contents(0);
    CHECK_OK(clReleaseKernel(kernel));
    CHECK_OK(clReleaseMemObject(out));
    CHECK_OK(clReleaseProgram(generic));
}

// A program-scope variable keeps a pointer between launches.
static void check_held(void)
{
    cl_uint bits = 0;
    size_t most = 0;
    CHECK_OK(clGetDeviceInfo(test_device, CL_DEVICE_ADDRESS_BITS, sizeof bits, &bits, NULL));
    CHECK_OK(clGetDeviceInfo(test_device, CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE, sizeof most, &most, NULL));
    if (bits != 64 || !most)
        return;
    cl_program holder = test_build(held_source, "-cl-std=CL3.0");
    cl_kernel hold = test_kernel(holder, "hold"), find = test_kernel(holder, "find");
    cl_mem out = test_buffer(0, 64, NULL);
    int got[4], before = contents[2][5];
    set_place(hold, 0, &places[2]);
    CHECK_OK(clSetKernelArg(find, 0, sizeof out, &out));
    set_place(find, 1, &places[3]);
    set_place(find, 2, &places[2]);
    run(hold);
    run(find);
    read_into(out, got, sizeof got);
    const int want[4] = {1, 5, 1, before};
    for (int i = 0; i < 4; i++)
        CHECK_EQ(got[i], want[i]);
    contents[2][5] = 3;
    check_contents(0);
    CHECK_OK(clReleaseKernel(hold));
    CHECK_OK(clReleaseKernel(find));
    CHECK_OK(clReleaseMemObject(out));
    CHECK_OK(clReleaseProgram(holder));
}

static bool has_generic(void)
{
    cl_bool generic = CL_FALSE;
    return clGetDeviceInfo(test_device, CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT, sizeof generic, &generic, NULL) == CL_SUCCESS && generic;
}

int main(void)
{
    test_open();
    program = test_build(source, "-cl-std=CL1.2");
    make_places();
    check_compare();
    check_reach();
    check_keep();
    check_lists();
    check_held();
    if (has_generic())
        check_generic();
    drop_places();
    CHECK_OK(clReleaseProgram(program));
    return test_close();
}
