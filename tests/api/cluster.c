// SPDX-License-Identifier: Apache-2.0
// Kernels with more buffers than small devices can bind: eight arguments, which are small and large
// objects, parts of one another, the application's memory, the same one twice, or null; results are
// compared with the host's. Launches that no such device can run are refused: FEW_BUFFERS says that
// this device binds four.
#include "test.h"

enum { ARGS = 8, USED = 48, OBJECTS = 6, PARTS = 4, PLACES = OBJECTS + PARTS, STEP = 4096 };
#define MIB ((size_t)1 << 20)

static const char source[] =
    "kernel void mix(global const int *a, constant int *b, global int *c, global const int *d,\n"
    "                global int *e, global int *f, global const int *g, global int *h, int n) {\n"
    "    for (int i = 0; i < n; i++) {\n"
    "        c[i] += a[i] + 10 * b[i]; e[i] = e[i] * 3 + d[i] - g[i];\n"
    "        f[i] = c[i] ^ e[i]; h[n - 1 - i] += f[i]; } }\n"
    "kernel void maybe(global int *out, global int *p, global int *q, global int *r, global int *s,\n"
    "                  global int *t) {\n"
    "    int set = (p ? p[0] : 0) + (q ? q[0] : 0) + (r ? r[0] : 0) + (s ? s[0] : 0) + (t ? t[0] : 0);\n"
    "    if (p) p[0] = 0;\n"
    "    if (t) t[0] = set;\n"
    "    out[0] = set; }\n"
    "kernel void sum(global int *out, global const int *p, global const int *q, global const int *r,\n"
    "                global const int *s, global const int *t, global const int *u) {\n"
    "    out[0] = p[1] + q[1] + r[1] + s[1] + t[1] + u[1]; }\n"
    // Uses all other bindings as well: constants, printf, private arrays, a long list of arguments.
    "constant int table[64] = {3, 1, 4, 1, 5, 9, 2, 6};\n"
    "typedef struct { int values[40]; } many;\n"
    "kernel void all_kinds(many m, global int *out, global const int *p, global const int *q, global const int *r,\n"
    "                      global int *s, int n) {\n"
    "    int large[1500];\n"
    "    for (int i = 0; i < 1500; i++) large[i] = i * n;\n"
    "    for (int i = 0; i < 1500; i++) large[(i * 7 + n) % 1500] += table[(i + n) % 64];\n"
    "    if (n < 0) printf(\"%d\\n\", n);\n"
    "    s[0] = p[0] + q[0] + r[0];\n"
    "    for (int i = 0; i < 40; i++) out[i] = large[i * n] + m.values[(i + n) % 40] + s[0]; }\n"
    // Accesses through a pointer that may be any of the arguments.
    "kernel void one_of(global int *p, global int *q, global int *r, global int *s, global int *t, int which) {\n"
    "    global int *all[5] = {p, q, r, s, t};\n"
    "    all[which % 5][1] = 70 + which; }\n";

static cl_program program;

// Objects, and parts of objects 2 and 3, with the expected values of their first bytes.
static struct place {
    cl_mem mem;
    size_t size, at; // bytes; of a part in its object
    int object;
} places[PLACES];
static int *contents[OBJECTS]; // STEP * 4 ints
static void *pages;

static unsigned next_random(void)
{
    static unsigned state = 1;
    state = state * 1664525 + 1013904223;
    return state >> 8;
}

static int *words_of(int place)
{
    return contents[places[place].object] + places[place].at / sizeof(int);
}

static void make_objects(void)
{
    // In MiB, and in parts of the largest possible object; the sum is at most that size.
    static const struct { size_t mib, parts; } sizes[OBJECTS] = {[2] = {65, 9}, [3] = {9, 2}, [5] = {40, 4}};
    cl_ulong most = 0;
    CHECK_OK(clGetDeviceInfo(test_device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof most, &most, NULL));
    pages = aligned_alloc(65536, 65536);
    for (int i = 0; i < OBJECTS; i++) {
        cl_int error;
        size_t known = 4 * STEP * sizeof(int), part = (size_t)(most / 16 * sizes[i].parts);
        size_t size = sizes[i].mib * MIB < part ? sizes[i].mib * MIB : part;
        if (!sizes[i].mib)
            size = known + (i == 1 ? 4 : 0);
        contents[i] = malloc(known);
        for (int k = 0; k < 4 * STEP; k++)
            contents[i][k] = (int)next_random() % 1000;
        if (i == 4)
            memcpy(pages, contents[i], known);
        cl_mem mem = clCreateBuffer(test_context, i == 4 ? CL_MEM_USE_HOST_PTR : 0, size, i == 4 ? pages : NULL, &error);
        CHECK_OK(error);
        if (i != 4)
            CHECK_OK(clEnqueueWriteBuffer(test_queue, mem, CL_TRUE, 0, known, contents[i], 0, NULL, NULL));
        places[i] = (struct place){mem, size, 0, i};
    }
    for (int i = 0; i < PARTS; i++) {
        cl_int error;
        int object = 2 + i % 2;
        cl_buffer_region region = {(size_t)(i + 1) * 512, 1024};
        cl_mem mem = clCreateSubBuffer(places[object].mem, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
        CHECK_OK(error);
        places[OBJECTS + i] = (struct place){mem, region.size, region.origin, object};
    }
}

static void drop_objects(void)
{
    for (int i = PLACES - 1; i >= 0; i--)
        CHECK_OK(clReleaseMemObject(places[i].mem));
    for (int i = 0; i < OBJECTS; i++)
        free(contents[i]);
    free(pages);
}

static void on_host(int *const p[ARGS], int n)
{
    for (int i = 0; i < n; i++) {
        p[2][i] = (int)((unsigned)p[2][i] + (unsigned)p[0][i] + 10u * (unsigned)p[1][i]);
        p[4][i] = (int)((unsigned)p[4][i] * 3u + (unsigned)p[3][i] - (unsigned)p[6][i]);
        p[5][i] = p[2][i] ^ p[4][i];
        p[7][n - 1 - i] = (int)((unsigned)p[7][n - 1 - i] + (unsigned)p[5][i]);
    }
}

static void check_contents(int round)
{
    static int got[4 * STEP];
    for (int i = 0; i < OBJECTS; i++) {
        int wrong = 0;
        CHECK_OK(clEnqueueReadBuffer(test_queue, places[i].mem, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
        for (int k = 0; k < 4 * STEP; k++)
            wrong += got[k] != contents[i][k];
        if (!CHECK_EQ(wrong, 0))
            printf("  in object %d, round %d\n", i, round);
    }
}

// Several launches in sequence, with random arguments.
static void check_random(void)
{
    const size_t one = 1;
    cl_kernel kernel = test_kernel(program, "mix");
    int n = USED;
    CHECK_OK(clSetKernelArg(kernel, ARGS, sizeof n, &n));
    for (int round = 0; round < 12; round++) {
        for (int launch = 0; launch < 4; launch++) {
            int *p[ARGS];
            for (cl_uint i = 0; i < ARGS; i++) {
                int place = (int)(next_random() % (round % 3 ? PLACES : OBJECTS));
                p[i] = words_of(place);
                CHECK_OK(clSetKernelArg(kernel, i, sizeof(cl_mem), &places[place].mem));
            }
            CHECK_OK(clEnqueueNDRangeKernel(test_queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
            on_host(p, n);
        }
        check_contents(round);
    }
    CHECK_OK(clReleaseKernel(kernel));
}

// All parts of one object, and all small: nothing has to be moved.
static void check_near(void)
{
    const size_t one = 1;
    cl_kernel kernel = test_kernel(program, "mix");
    int n = USED, *p[ARGS];
    CHECK_OK(clSetKernelArg(kernel, ARGS, sizeof n, &n));
    for (int near = 0; near < 3; near++) {
        for (cl_uint i = 0; i < ARGS; i++) {
            int place = near == 2 ? 2 : near == 1 ? 0 : (int)i % 2;
            p[i] = words_of(place);
            CHECK_OK(clSetKernelArg(kernel, i, sizeof(cl_mem), &places[place].mem));
        }
        CHECK_OK(clEnqueueNDRangeKernel(test_queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
        on_host(p, n);
    }
    check_contents(-1);
    CHECK_OK(clReleaseKernel(kernel));
}

static void set_int(cl_mem mem, int value)
{
    CHECK_OK(clEnqueueWriteBuffer(test_queue, mem, CL_TRUE, 0, sizeof value, &value, 0, NULL, NULL));
}

static int get_int(cl_mem mem, size_t at)
{
    int value = 0;
    CHECK_OK(clEnqueueReadBuffer(test_queue, mem, CL_TRUE, at * sizeof value, sizeof value, &value, 0, NULL, NULL));
    return value;
}

static void check_null(void)
{
    const size_t one = 1;
    cl_kernel kernel = test_kernel(program, "maybe");
    cl_mem mems[6];
    for (int i = 0; i < 6; i++)
        mems[i] = test_buffer(0, 64, NULL);
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof(cl_mem), &mems[0]));
    for (unsigned set = 0; set < 32; set++) {
        int sum = 0;
        for (cl_uint i = 0; i < 5; i++) {
            int value = 1 << i;
            set_int(mems[i + 1], value);
            sum += set >> i & 1 ? value : 0;
            CHECK_OK(clSetKernelArg(kernel, i + 1, sizeof(cl_mem), set >> i & 1 ? (void *)&mems[i + 1] : NULL));
        }
        CHECK_OK(clEnqueueNDRangeKernel(test_queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
        CHECK_EQ(get_int(mems[0], 0), sum);
        CHECK_EQ(get_int(mems[1], 0), set & 1 ? 0 : 1);
        CHECK_EQ(get_int(mems[5], 0), set & 16 ? sum : 16);
    }
    CHECK_OK(clReleaseKernel(kernel));
    for (int i = 0; i < 6; i++)
        CHECK_OK(clReleaseMemObject(mems[i]));
}

static void check_one_of(void)
{
    const size_t one = 1;
    cl_kernel kernel = test_kernel(program, "one_of");
    for (cl_uint i = 0; i < 5; i++)
        CHECK_OK(clSetKernelArg(kernel, i, sizeof(cl_mem), &places[i].mem));
    for (int which = 0; which < 5; which++) {
        CHECK_OK(clSetKernelArg(kernel, 5, sizeof which, &which));
        CHECK_OK(clEnqueueNDRangeKernel(test_queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
        contents[which][1] = 70 + which;
    }
    check_contents(-2);
    CHECK_OK(clReleaseKernel(kernel));
}

static void check_all_kinds(void)
{
    static int large[1500];
    static const int table[64] = {3, 1, 4, 1, 5, 9, 2, 6};
    const size_t one = 1;
    int list[40], got[40], n = 3, wrong = 0;
    cl_kernel kernel = test_kernel(program, "all_kinds");
    cl_mem mems[5];
    for (int i = 0; i < 40; i++)
        list[i] = 5000 + i;
    for (int i = 0; i < 1500; i++)
        large[i] = i * n;
    for (int i = 0; i < 1500; i++)
        large[(i * 7 + n) % 1500] += table[(i + n) % 64];
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof list, list));
    for (cl_uint i = 0; i < 5; i++) {
        mems[i] = test_buffer(0, 1024, NULL);
        set_int(mems[i], 1 << i);
        CHECK_OK(clSetKernelArg(kernel, i + 1, sizeof(cl_mem), &mems[i]));
    }
    CHECK_OK(clSetKernelArg(kernel, 6, sizeof n, &n));
    CHECK_OK(clEnqueueNDRangeKernel(test_queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
    CHECK_OK(clEnqueueReadBuffer(test_queue, mems[0], CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
    for (int i = 0; i < 40; i++)
        wrong += got[i] != large[i * n] + list[(i + n) % 40] + 14;
    CHECK_EQ(wrong, 0);
    CHECK_OK(clReleaseKernel(kernel));
    for (int i = 0; i < 5; i++)
        CHECK_OK(clReleaseMemObject(mems[i]));
}

// Six arguments that are read and that cannot be copied into one buffer, where that would be
// necessary.
static void check_too_large(void)
{
    const size_t one = 1;
    cl_ulong most = 0;
    cl_mem mems[6], out = test_buffer(0, 64, NULL);
    CHECK_OK(clGetDeviceInfo(test_device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof most, &most, NULL));
    size_t size = most < 128 * MIB ? (size_t)most / 5 * 2 : 48 * MIB;
    bool few = getenv("FEW_BUFFERS") && 4 * size > most; // four share a binding
    cl_kernel kernel = test_kernel(program, "sum");
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof(cl_mem), &out));
    for (cl_uint i = 0; i < 6; i++) {
        int values[2] = {0, 1 << i};
        mems[i] = test_buffer(0, size, NULL);
        CHECK_OK(clEnqueueWriteBuffer(test_queue, mems[i], CL_TRUE, 0, sizeof values, values, 0, NULL, NULL));
        CHECK_OK(clSetKernelArg(kernel, i + 1, sizeof(cl_mem), &mems[i]));
    }
    cl_int error = clEnqueueNDRangeKernel(test_queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL);
    CHECK_EQ(error, few ? CL_OUT_OF_RESOURCES : CL_SUCCESS);
    if (!few)
        CHECK_EQ(get_int(out, 0), 63);
    for (cl_uint i = 1; i < 7; i++) // and the same with smaller ones
        CHECK_OK(clSetKernelArg(kernel, i, sizeof(cl_mem), &mems[1]));
    CHECK_OK(clEnqueueNDRangeKernel(test_queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
    CHECK_EQ(get_int(out, 0), 12);
    CHECK_OK(clReleaseKernel(kernel));
    for (int i = 0; i < 6; i++)
        CHECK_OK(clReleaseMemObject(mems[i]));
    CHECK_OK(clReleaseMemObject(out));
}

int main(void)
{
    test_open();
    program = test_build(source, "-cl-std=CL3.0");
    make_objects();
    check_near();
    check_random();
    check_one_of();
    check_null();
    check_all_kinds();
    drop_objects();
    check_too_large();
    CHECK_OK(clReleaseProgram(program));
    return test_close();
}
