// SPDX-License-Identifier: Apache-2.0
// Launches without a local size, or with ever different ones, over hundreds of ranges: few pipelines are created, each
// work-item runs once, none runs outside the range, and the work-group functions are consistent.
#include "test.h"

enum { ITEMS = 1 << 18, FEW = 4, GIVEN = 64, MOST_GIVEN = 8, DIFFERENT = 100 };

static const char source[] =
    "kernel void alone(global int *p) { size_t n = get_global_size(0), m = get_global_size(1);\n"
    "    size_t x = get_global_id(0) - get_global_offset(0), y = get_global_id(1) - get_global_offset(1);\n"
    "    size_t z = get_global_id(2) - get_global_offset(2); atomic_add(&p[(z * m + y) * n + x], 1 + get_work_dim()); }\n"
    "kernel void line(global int *p) { atomic_inc(&p[get_global_id(0) - get_global_offset(0)]); }\n"
    "kernel void none(global int *p) { atomic_inc(p); }\n"
    "kernel void last(global int *p) { if (get_global_id(1) & 1) return; atomic_inc(&p[get_global_id(1)]); }\n"
    "kernel void seeing(global int *p) {\n"
    "    size_t n[3], i[3], at[3];\n"
    "    for (int d = 0; d < 3; d++) { n[d] = get_global_size(d); i[d] = get_global_id(d) - get_global_offset(d); }\n"
    "    int wrong = 0;\n"
    "    for (int d = 0; d < 3; d++) {\n"
    "        size_t s = get_local_size(d);\n"
    "        wrong |= get_group_id(d) * s + get_local_id(d) != i[d] || get_local_id(d) >= s;\n"
    "        wrong |= get_num_groups(d) * s != n[d]; }\n"
    "    atomic_add(&p[(i[2] * n[1] + i[1]) * n[0] + i[0]], wrong ? 100 : 1); }\n"
    "kernel void sharing(global int *p) { local int sum; if (get_local_id(0) + get_local_id(1) == 0) sum = 0;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE); atomic_inc(&sum); barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    size_t at = (get_global_id(1) - get_global_offset(1)) * get_global_size(0) + get_global_id(0) - get_global_offset(0);\n"
    "    atomic_add(&p[at], sum == get_local_size(0) * get_local_size(1) ? 1 : 100); }\n"
    "kernel void told(global size_t *p) { for (int d = 0; d < 3; d++) p[d] = get_local_size(d); }\n";

static FILE *log_file;
static clGetKernelSuggestedLocalWorkSizeKHR_fn suggest;
static cl_mem mem;
static int32_t *seen;

struct range {
    cl_uint dims;
    size_t size[3], offset[3];
};

static size_t items(const struct range *r)
{
    return r->size[0] * (r->dims > 1 ? r->size[1] : 1) * (r->dims > 2 ? r->size[2] : 1);
}

static void launch(cl_kernel kernel, const struct range *r, const size_t *local)
{
    const cl_int zero = 0;
    CHECK_OK(clEnqueueFillBuffer(test_queue, mem, &zero, sizeof zero, 0, ITEMS * sizeof *seen, 0, NULL, NULL));
    CHECK_OK(clEnqueueNDRangeKernel(test_queue, kernel, r->dims, r->offset, r->size, local, 0, NULL, NULL));
    CHECK_OK(clEnqueueReadBuffer(test_queue, mem, CL_TRUE, 0, ITEMS * sizeof *seen, seen, 0, NULL, NULL));
}

// The first `count` elements are `value`, the rest 0.
static void check_seen(const struct range *r, size_t count, int32_t value)
{
    size_t wrong = ITEMS;
    for (size_t i = 0; i < ITEMS && wrong == ITEMS; i++)
        if (seen[i] != (i < count ? value : 0))
            wrong = i;
    if (!CHECK_EQ(wrong, ITEMS))
        printf("  item %zu is %d, not %d: %u dimensions, %zu %zu %zu\n", wrong, seen[wrong], value, r->dims, r->size[0],
               r->size[1], r->size[2]);
}

static int pipelines_of(const char *name)
{
    char text[64];
    snprintf(text, sizeof text, "pipeline of %s:", name);
    return test_log_count(log_file, text, "");
}

static struct range line_of(int i)
{
    return (struct range){1, {1 + (size_t)i * 37}, {i % 3 ? (size_t)i : 0}};
}

// Most of them contain a prime.
static struct range plane_of(int i)
{
    static const size_t primes[] = {1, 2, 3, 7, 13, 31, 61, 127, 251, 509};
    return (struct range){2, {primes[i % 10], 1 + (size_t)i}, {i % 2 ? 5 : 0, i % 3 ? 7 : 0}};
}

static struct range space_of(int i)
{
    return (struct range){3, {1 + (size_t)(i * 7) % 61, 1 + (size_t)(i * 5) % 23, 1 + (size_t)(i * 3) % 17}, {1, 2, 3}};
}

static void many(cl_program program, const char *name, struct range (*range_of)(int i), int32_t value, bool of_dims)
{
    cl_int error;
    int before = pipelines_of(name);
    cl_kernel kernel = clCreateKernel(program, name, &error);
    CHECK_OK(error);
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    for (int i = 0; i < 200; i++) {
        struct range range = range_of(i);
        launch(kernel, &range, NULL);
        check_seen(&range, items(&range), value + (of_dims ? (int32_t)range.dims : 0));
    }
    int made = pipelines_of(name) - before;
    CHECK_PATH(made >= 1);
    if (!CHECK(made <= FEW))
        printf("  %d pipelines for %s\n", made, name);
    CHECK_OK(clReleaseKernel(kernel));
}

// One program per kernel, because the kernels of a program share pipelines.
static void each_many(const char *options)
{
    static const struct {
        const char *name;
        struct range (*range_of)(int i);
        bool of_dims;
    } rows[] = {{"alone", line_of, true},     {"alone", plane_of, true},    {"alone", space_of, true},
                {"line", line_of, false},     {"seeing", line_of, false},   {"seeing", plane_of, false},
                {"seeing", space_of, false},  {"sharing", line_of, false},  {"sharing", plane_of, false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cl_program program = test_build(source, options);
        many(program, rows[i].name, rows[i].range_of, 1, rows[i].of_dims);
        CHECK_OK(clReleaseProgram(program));
    }
}

// Kernels that do not query some or all dimensions.
static void unasked(cl_program program)
{
    static const struct range ranges[] = {{1, {1009}, {0}}, {2, {101, 13}, {3, 4}}, {3, {7, 11, 13}, {0, 0, 9}}};
    cl_kernel line = clCreateKernel(program, "line", NULL), none = clCreateKernel(program, "none", NULL);
    cl_kernel last = clCreateKernel(program, "last", NULL);
    CHECK_OK(clSetKernelArg(line, 0, sizeof mem, &mem));
    CHECK_OK(clSetKernelArg(none, 0, sizeof mem, &mem));
    CHECK_OK(clSetKernelArg(last, 0, sizeof mem, &mem));
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        const struct range *r = &ranges[i];
        launch(line, r, NULL);
        check_seen(r, r->size[0], (int32_t)(items(r) / r->size[0]));
        launch(none, r, NULL);
        check_seen(r, 1, (int32_t)items(r));
    }
    const struct range column = {2, {3, 1001}, {0}};
    launch(last, &column, NULL);
    for (int i = 0; i < 1100; i++)
        CHECK_EQ(seen[i], i <= 1000 && i % 2 == 0 ? 3 : 0);
    CHECK_OK(clReleaseKernel(line));
    CHECK_OK(clReleaseKernel(none));
    CHECK_OK(clReleaseKernel(last));
}

// Local sizes that do not divide the range: the smaller work-groups at the edge do not need their
// own pipelines.
static void given(void)
{
    static const size_t local[3] = {GIVEN, 1, 1};
    cl_program program = test_build(source, "-cl-std=CL3.0");
    cl_kernel edges = clCreateKernel(program, "alone", NULL),
              local_size = clCreateKernel(program, "told", NULL);
    CHECK_OK(clSetKernelArg(edges, 0, sizeof mem, &mem));
    CHECK_OK(clSetKernelArg(local_size, 0, sizeof mem, &mem));
    int before = pipelines_of("alone");
    for (int i = 0; i < 60; i++) {
        struct range range = line_of(i);
        launch(edges, &range, local);
        check_seen(&range, items(&range), 2);
    }
    CHECK_PATH(pipelines_of("alone") - before <= 2);
    const struct range odd = {1, {1000}, {0}};
    launch(local_size, &odd, local); // 15 full work-groups, and one of 40
    CHECK(seen[0] == GIVEN || seen[0] == 1000 % GIVEN);
    CHECK_OK(clReleaseKernel(edges));
    CHECK_OK(clReleaseKernel(local_size));
    CHECK_OK(clReleaseProgram(program));
}

// A local size for each range, as programs choose it that fit it to what is left to do. A kernel that sees it gets it.
static void different(const char *options)
{
    cl_program program = test_build(source, options);
    cl_kernel plane = clCreateKernel(program, "alone", NULL), local_size = clCreateKernel(program, "told", NULL);
    CHECK_OK(clSetKernelArg(plane, 0, sizeof mem, &mem));
    CHECK_OK(clSetKernelArg(local_size, 0, sizeof mem, &mem));
    int before = pipelines_of("alone");
    for (size_t i = 1; i <= DIFFERENT; i++) {
        const size_t local[3] = {i, 1 + i % 3, 1}, large[3] = {1 << 20, 1, 1};
        const struct range range = {2, {i * (1 + i * 7 % 5), (1 + i % 3) * 4}, {i, 0}};
        launch(plane, &range, local);
        check_seen(&range, items(&range), 3);
        launch(local_size, &range, local);
        CHECK_EQ(((size_t *)seen)[0], local[0]);
        CHECK_EQ(((size_t *)seen)[1], local[1]);
        CHECK(clEnqueueNDRangeKernel(test_queue, plane, 2, NULL, large, large, 0, NULL, NULL) != CL_SUCCESS);
    }
    int made = pipelines_of("alone") - before;
    CHECK_PATH(made >= MOST_GIVEN);
    if (!CHECK(made <= MOST_GIVEN + FEW))
        printf("  %d pipelines for %d sizes\n", made, DIFFERENT);
    CHECK_OK(clReleaseKernel(plane));
    CHECK_OK(clReleaseKernel(local_size));
    CHECK_OK(clReleaseProgram(program));
}

// The suggested local size is valid, and is the one that a launch without a local size uses.
static void suggested(const char *options)
{
    static const size_t sizes[] = {1, 64, 1000, 1009, 3 * 341, 4096, 65537};
    cl_program program = test_build(source, options);
    cl_kernel local_size = clCreateKernel(program, "told", NULL),
              line = clCreateKernel(program, "line", NULL);
    CHECK_OK(clSetKernelArg(local_size, 0, sizeof mem, &mem));
    CHECK_OK(clSetKernelArg(line, 0, sizeof mem, &mem));
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const struct range r = {1, {sizes[i]}, {0}};
        size_t local = 0, of_line = 0, size;
        CHECK_OK(suggest(test_queue, local_size, 1, NULL, &r.size[0], &local));
        launch(local_size, &r, NULL);
        memcpy(&size, seen, sizeof size);
        CHECK_EQ(size, local);
        CHECK_EQ(r.size[0] % local, 0);
        launch(local_size, &r, &local);
        memcpy(&size, seen, sizeof size);
        CHECK_EQ(size, local);
        CHECK_OK(suggest(test_queue, line, 1, NULL, &r.size[0], &of_line));
        launch(line, &r, &of_line);
        check_seen(&r, r.size[0], 1);
    }
    CHECK_OK(clReleaseKernel(local_size));
    CHECK_OK(clReleaseKernel(line));
    CHECK_OK(clReleaseProgram(program));
}

int main(void)
{
    cl_int error;
    setenv("PUMICE_DEBUG", "build", 1);
    setenv("PUMICE_AHEAD", "0", 1);
    log_file = test_log();
    if (!log_file)
        return 77;
    test_open();
    *(void **)&suggest = clGetExtensionFunctionAddressForPlatform(test_platform, "clGetKernelSuggestedLocalWorkSizeKHR");
    mem = clCreateBuffer(test_context, CL_MEM_READ_WRITE, ITEMS * sizeof *seen, NULL, &error);
    seen = malloc(ITEMS * sizeof *seen);
    CHECK_OK(error);
    each_many("-cl-std=CL1.2");
    each_many("-cl-std=CL3.0");
    cl_program program = test_build(source, "");
    unasked(program);
    CHECK_OK(clReleaseProgram(program));
    given();
    different("-cl-std=CL1.2");
    different("-cl-std=CL3.0");
    suggested("-cl-std=CL1.2");
    suggested("-cl-std=CL3.0 -cl-uniform-work-group-size");
    CHECK_OK(clReleaseMemObject(mem));
    free(seen);
    return test_close();
}
