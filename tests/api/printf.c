// SPDX-License-Identifier: Apache-2.0
// printf of OpenCL C (6.15.14): the output of kernels equals that of the host's printf(); expected
// vectors are written by hand.
//
// Standard output is redirected to a file while kernels run; its contents after clFinish (or an
// event, or a blocking call) are compared.
#include "test.h"

#include <pthread.h>
#include <unistd.h>

// ---- standard output in a file ------------------------------------------------------------------

enum { TEXT_MAX = 4 << 20 };
static char text[TEXT_MAX + 1];
static int saved;
static FILE *captured;

static void capture_begin(void)
{
    fflush(stdout);
    captured = tmpfile();
    saved = dup(1);
    dup2(fileno(captured), 1);
}

// The output since capture_begin(); the device's output must be there without a flush by the test.
static const char *capture_end(void)
{
    dup2(saved, 1);
    close(saved);
    rewind(captured);
    text[fread(text, 1, TEXT_MAX, captured)] = '\0';
    fclose(captured);
    return text;
}

static bool expect(const char *got, const char *want, const char *what)
{
    test_checks++;
    if (!strcmp(got, want))
        return true;
    test_failures++;
    printf("%s: printed \"%s\", not \"%s\"\n", what, got, want);
    return false;
}

// ---- single calls -------------------------------------------------------------------------------

static bool has(const char *extension)
{
    static char list[8192];
    clGetDeviceInfo(test_device, CL_DEVICE_EXTENSIONS, sizeof list, list, NULL);
    return strstr(list, extension) != NULL;
}

static void launch(cl_kernel kernel, size_t global)
{
    CHECK_OK(clEnqueueNDRangeKernel(test_queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
}

// Builds a kernel for each call, runs all, and compares each line.
struct call {
    const char *source, *want; // arguments of printf as written; expected output
};

static void run_calls(const struct call *calls, size_t count, const char *head, const char *options)
{
    static char source[65536];
    size_t at = (size_t)sprintf(source, "%s\n", head);
    for (size_t i = 0; i < count; i++)
        at += (size_t)sprintf(source + at, "kernel void k%zu(void) { printf(%s); }\n", i,
                              calls[i].source);
    cl_program program = test_build(source, options);
    for (size_t i = 0; i < count; i++) {
        char name[32];
        sprintf(name, "k%zu", i);
        cl_kernel kernel = test_kernel(program, name);
        capture_begin();
        launch(kernel, 1);
        CHECK_OK(clFinish(test_queue));
        expect(capture_end(), calls[i].want, calls[i].source);
        CHECK_OK(clReleaseKernel(kernel));
    }
    CHECK_OK(clReleaseProgram(program));
}

// The same call on the host: its format and arguments are also valid in C.
enum { HOST_MAX = 160 };
static struct call host_calls[HOST_MAX];
static char host_text[HOST_MAX][256];
static size_t host_count;

#pragma GCC diagnostic ignored "-Wformat"
#define HOST(...)                                                                                  \
    do {                                                                                           \
        snprintf(host_text[host_count], sizeof host_text[0], __VA_ARGS__);                         \
        host_calls[host_count] = (struct call){#__VA_ARGS__, host_text[host_count]};               \
        host_count++;                                                                              \
    } while (0)

static void integers_as_c(void)
{
    HOST("plain\n");
    HOST("%d %i %u\n", 10, -10, 4294967295u);
    HOST("[%5d] [%-5d] [%05d] [%+5d] [%-+5d] [% 10d]\n", 10, 10, 10, 10, 10, 42);
    HOST("[%.5i] [%6.5i] [%-06i] [%06.5i] [%.0d]\n", 100, 100, 100, 100, 0);
    HOST("[%o] [%.5o] [%#o] [%04.5o] [%010o] [%.0u]\n", 10, 10, 100000000, 10, 10, 0);
    HOST("[%#x] [%#X] [%#X] [%8x] [%04x]\n", 0xABCDEF, 0xABCDEF, 0, 399, 399);
    HOST("%hd %hhd %hx %hhx %ho %hho\n", -32767, -128, -32767, -128, -32767, 300);
    HOST("[%4c] [%-4c] [%c] %c%c\n", '1', '1', 66, 'a', 'b');
    if (sizeof(long) < sizeof(int64_t)) // the host's long has another size
        return;
    HOST("%ld %li %lu %lx %lo %lX\n", 9223372036854775807L, -9223372036854775807L,
         18446744073709551615UL, 81985529216486895L, 8L, 48879L);
    HOST("[%5ld] [%-15ld] [%015ld] [%+15ld] [%-+16.15li]\n", 10000000000L, -10000000000L,
         10000000000L, -10000000000L, -10000000000L);
    HOST("%zu %zd %5zx\n", sizeof(int), (long)-5, sizeof(int));
}

// OpenCL C 3.1: z and t have the size of the device's size_t.
static void sizes(void)
{
    const struct call both[] = {
        {"\"%zu %5zx %zo %zX\\n\", sizeof(int), sizeof(int), (size_t)9, (size_t)0xabcdef", "4     4 11 ABCDEF\n"},
        {"\"%zd %zi [%-8zd] %td %ti [%+6td]\\n\", (size_t)-5, (size_t)7, (size_t)-1, (ptrdiff_t)-3, (ptrdiff_t)9, (ptrdiff_t)11",
         "-5 7 [-1      ] -3 9 [   +11]\n"},
        {"\"%td %tu\\n\", (global int *)(uintptr_t)64 - (global int *)(uintptr_t)32, (ptrdiff_t)1", "8 1\n"},
    };
    const struct call narrow[] = {{"\"%zu %tx %to\\n\", (size_t)-1, (ptrdiff_t)-1, (ptrdiff_t)-8", "4294967295 ffffffff 37777777770\n"}};
    const struct call wide[] = {{"\"%zu %tx %zd\\n\", (size_t)-1, (ptrdiff_t)-1, (size_t)1 << 40",
                                 "18446744073709551615 ffffffffffffffff 1099511627776\n"}};
    run_calls(both, sizeof both / sizeof *both, "", "-cl-std=CL1.2 -Werror");
    run_calls(test_address_bits() == 32 ? narrow : wide, 1, "", "-cl-std=CL1.2 -Werror");
}

static void strings_as_c(void)
{
    HOST("%s|%s|%4s|%-4s|%.1s|%5.2s|\n", "", "foo", "foo", "foo", "foo", "foo");
    HOST("%s %s\n", "%%", "foo%%bar%d");
    HOST("%%%s%% %%s%s 100%%\n", "foo", "foo");
    HOST("%s\n", "foo\0foo");
    HOST("%s\n", "tab\tline\nquote\"\'");
    HOST("%%");
    HOST("%d%s%d\n", 1, "two", 3);
}

static void floats_as_c(void)
{
    HOST("%f %.1f %.2f %8.3f %08.2f [%-8.2f] %+8.2f\n", 10.3456f, 10.3456f, 10.3456f, 10.3456f,
         10.3456f, 10.3456f, -10.3456f);
    HOST("%.0f %.0f %0f %.0f %.0f %#.0f\n", 0.1f, 0.6f, 0.6f, 0.5f, 1.5f, 2.5f);
    HOST("%4g %4.2g %4G %4G %g %#g\n", 12345.6789f, 12345.6789f, 0.0000023f, 0.023f, 1e30f, 1.0f);
    HOST("[%-#20.15e] [%+#21.15E] %e\n", 789456128.f, 789456128.f, -1.5f);
    HOST("%.6a %10.2a %a %A %.0a\n", 0.5f, 1.5f, 10.3456f, -1.0f, 3.0f);
    HOST("[% 10.2f] [%08.2f] %f %f\n", 1.25f, 3.14f, 0.0f, -0.0f);
    HOST("%g %a\n", 1e-45f, 1e-45f);
    HOST("%.13f %.13a %.13F %.13A %F\n", 24295.671875f, -929.25f, 0.1f, 0.3f, 3.4e38f);
}

static void as_c(void)
{
    host_count = 0;
    integers_as_c();
    strings_as_c();
    floats_as_c();
    run_calls(host_calls, host_count, "", "-cl-std=CL1.2");
    host_count = 0;
    HOST("%f %.17g %a %e\n", 10.3456, 0.1, 0.1, 1e-300);
    HOST("%-#20.15e|%+#21.15E\n", 789456123.0, 789456123.0);
    if (has("cl_khr_fp64"))
        run_calls(host_calls, host_count, "", "-cl-std=CL1.2");
}

// ---- conversions that C does not have -----------------------------------------------------------

static const struct call vector_calls[] = {
    {"\"%2.2v4hlf\\n\", (float4)(1.0f, 2.0f, 3.0f, 4.0f)", "1.00,2.00,3.00,4.00\n"},
    {"\"%#v4hhx\\n\", (uchar4)(0xFA, 0xFB, 0xFC, 0xFD)", "0xfa,0xfb,0xfc,0xfd\n"},
    {"\"%#v2hx\\n\", (ushort2)(0x1234, 0x8765)", "0x1234,0x8765\n"},
    {"\"%#v2hlx\\n\", (uint2)(0x12345678, 0x87654321)", "0x12345678,0x87654321\n"},
    {"\"%v2ld\\n\", (long2)(12345678, -98765432)", "12345678,-98765432\n"},
    {"\"%.2v3hle\\n\", (float3)(1234.25f, 987654.5f, 0.0005f)", "1.23e+03,9.88e+05,5.00e-04\n"},
    {"\"%.1v4hla\\n\", (float4)(0.25f, 0.5f, 1.f, 1.5f)", "0x1.0p-2,0x1.0p-1,0x1.0p+0,0x1.8p+0\n"},
    {"\"%+v8hli\\n\", (int8)(1, -2, 3, -4, 5, -6, 7, -8)", "+1,-2,+3,-4,+5,-6,+7,-8\n"},
    {"\"%05v4hlu\\n\", (uint4)(512, 1024, 262144, 1048576)", "00512,01024,262144,1048576\n"},
    {"\"%v16hhd %d\\n\", (char16)(-1), 7", "-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1 7\n"},
    {"\"[%4v3hd] [%-4v3hu]\\n\", (short3)(1, -2, 3), (ushort3)(1, 65535, 3)",
     "[   1,  -2,   3] [1   ,65535,3   ]\n"},
    {"\"%v3lx %d %v2hld\\n\", (ulong3)(1, 2, 3), 4, (int2)(5, 6)", "1,2,3 4 5,6\n"},
    {"\"%v4f %v2x %v3d\\n\", (float4)(1, 2, 3, 4), (uchar2)(250), (short3)(-1)",
     "1.000000,2.000000,3.000000,4.000000 fa,fa -1,-1,-1\n"},
    {"\"%v2hlg %d\\n\", (float2)(1.5f, INFINITY), 1", "1.5,inf 1\n"},
};

static const struct call other_calls[] = {
    {"\"%f %e %g %a\\n\", INFINITY, -INFINITY, INFINITY, -INFINITY", "inf -inf inf -inf\n"},
    {"\"%F %E %G %A\\n\", INFINITY, -INFINITY, INFINITY, -INFINITY", "INF -INF INF -INF\n"},
    {"\"%f %F %e %G\\n\", nan(0u), nan(0u), NAN, NAN", "nan NAN nan NAN\n"},
    {"\"[%6f] [%-6f] [%06f] [%+f]\\n\", NAN, NAN, INFINITY, INFINITY",
     "[   nan] [nan   ] [   inf] [+inf]\n"},
    {"\"%d %s\\n\", 1 > 0 ? 5 : 6, get_global_id(0) == 0 ? \"yes\" : \"no\"", "5 yes\n"},
    {"\"%s %s\\n\", table[get_global_id(0)], table[get_global_id(0) + 1]", "zero one\n"},
    {"array, 1, 2", "array 1 2\n"},
    {"\"%p %p\\n\", (global int *)0, (void *)0x1234", "0x0 0x1234\n"},
    {"\"[%12p] [%-12p]\\n\", (global int *)0x10, (global int *)0x10",
     "[        0x10] [0x10        ]\n"},
    {"\"%s\\n\", (constant char *)0", "(null)\n"},
    {"\"excess %d\\n\", 1, 2, 3.0f", "excess 1\n"},
    {"\"%d %u\\n\", (char)-3, (uchar)253", "-3 253\n"},
    {"\"%d\\n\", true", "1\n"},
    {"\"a %y b\\n\"", "a %y b\n"},
    {"\"%d %d\\n\", printf(\"first \"), 2", "first 0 2\n"},
    {"\"\"", ""},
};

static const struct call half_calls[] = {
    {"\"%f %.2f %e\\n\", 10.5h, -1.25h, (half)0.5f", "10.500000 -1.25 5.000000e-01\n"},
    {"\"%2.2v4hf\\n\", (half4)(1.0h, 2.0h, 3.0h, 4.0h)", "1.00,2.00,3.00,4.00\n"},
    {"\"%f %F\\n\", 1.0h / 0.0h, nan((ushort)0)", "inf NAN\n"},
};

static const struct call double_calls[] = {
    {"\"%.3v2lf\\n\", (double2)(1.0, -0.125)", "1.000,-0.125\n"},
    {"\"%v3la\\n\", (double3)(1.0, 2.0, 3.0)", "0x1p+0,0x1p+1,0x1.8p+1\n"},
    {"\"%f %G\\n\", 1.0 / 0.0, nan(0ul)", "inf NAN\n"},
};

#define CALLS(table) table, sizeof table / sizeof *table

static void not_in_c(void)
{
    run_calls(CALLS(vector_calls), "", "-cl-std=CL1.2");
    run_calls(CALLS(other_calls), "constant char array[] = \"array %d %d\\n\";\n"
                                  "constant char *constant table[] = {\"zero\", \"one\"};\n", "-cl-std=CL1.2");
    if (has("cl_khr_fp16"))
        run_calls(CALLS(half_calls), "#pragma OPENCL EXTENSION cl_khr_fp16 : enable", "-cl-std=CL1.2");
    if (has("cl_khr_fp64"))
        run_calls(CALLS(double_calls), "", "-cl-std=CL1.2");
}

// ---- many work-items ----------------------------------------------------------------------------

static const char many_source[] =
    "void line(int x, int y) { printf(\"line %d of %d\\n\", x, y); }\n"
    "kernel void many(int n) { line(get_global_id(0), n); }\n"
    "kernel void pair(int n) { printf(\"<%d,\", n); printf(\"%d>\\n\", n); }\n"
    "kernel void fill(global int *failed) {\n"
    "    for (int i = 0; i < 1000; i++)\n"
    "        if (printf(\"%d %d %d %d\\n\", 1, 2, 3, 4) != 0) atomic_inc(failed);\n"
    "}\n";

static void set_int(cl_kernel kernel, cl_int value)
{
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof value, &value));
}

static void every_line_once(cl_program program)
{
    enum { COUNT = 10000 };
    static bool seen[COUNT];
    cl_kernel kernel = test_kernel(program, "many");
    set_int(kernel, COUNT);
    capture_begin();
    launch(kernel, COUNT);
    CHECK_OK(clFinish(test_queue));
    const char *at = capture_end();
    int lines = 0, wrong = 0;
    for (; *at; at = strchr(at, '\n') + 1, lines++) {
        int x = -1, y = -1, length = 0;
        sscanf(at, "line %d of %d%n", &x, &y, &length);
        bool fine = at[length] == '\n' && x >= 0 && x < COUNT && y == COUNT && !seen[x];
        wrong += !fine;
        if (fine)
            seen[x] = true;
        if (!strchr(at, '\n'))
            break;
    }
    CHECK_EQ(lines, COUNT);
    CHECK_EQ(wrong, 0);
    CHECK_OK(clReleaseKernel(kernel));
}

// Kernels in an in-order queue print in order, in one batch or in many.
static void in_order(cl_program program)
{
    enum { COUNT = 300 };
    static char want[16 * COUNT];
    cl_kernel kernel = test_kernel(program, "pair");
    size_t at = 0;
    capture_begin();
    for (int i = 0; i < COUNT; i++) {
        set_int(kernel, i);
        launch(kernel, 1);
        at += (size_t)sprintf(want + at, "<%d,%d>\n", i, i);
    }
    CHECK_OK(clFinish(test_queue));
    expect(capture_end(), want, "kernels in order");
    CHECK_OK(clReleaseKernel(kernel));
}

// More output than the buffer can hold: what fits is printed, and the failed calls return an error.
static void overflow(cl_program program)
{
    cl_int zero = 0, failed = 0;
    cl_kernel kernel = test_kernel(program, "fill");
    cl_mem mem = test_buffer(CL_MEM_COPY_HOST_PTR, sizeof zero, &zero);
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    capture_begin();
    launch(kernel, 200);
    cl_int error =
        clEnqueueReadBuffer(test_queue, mem, CL_TRUE, 0, sizeof failed, &failed, 0, NULL, NULL);
    const char *at = capture_end();
    CHECK_OK(error);
    int lines = 0, wrong = 0;
    for (; (at = strchr(at, '\n')) != NULL; at++)
        lines++;
    for (at = text; *at; at += 8)
        wrong += strncmp(at, "1 2 3 4\n", 8) != 0;
    CHECK_EQ(wrong, 0);
    CHECK_EQ(lines + failed, 200 * 1000);
    size_t size = 0;
    CHECK_OK(clGetDeviceInfo(test_device, CL_DEVICE_PRINTF_BUFFER_SIZE, sizeof size, &size, NULL));
    CHECK(size >= 1 << 20);
    CHECK(failed > 0 && (size_t)lines * 20 >= size && (size_t)lines * 20 < size + 8192);
    // The next launch is not affected.
    capture_begin();
    launch(kernel, 1);
    error = clFinish(test_queue);
    at = capture_end();
    CHECK_OK(error);
    CHECK_EQ(strlen(at), 8 * 1000);
    CHECK_OK(clReleaseMemObject(mem));
    CHECK_OK(clReleaseKernel(kernel));
}

// ---- ways to wait -------------------------------------------------------------------------------

static void waits(cl_program program)
{
    cl_kernel kernel = test_kernel(program, "pair");
    cl_event event = NULL;
    size_t one = 1;
    set_int(kernel, 5);
    capture_begin();
    cl_int error = clEnqueueNDRangeKernel(test_queue, kernel, 1, NULL, &one, NULL, 0, NULL, &event);
    cl_int waited = clWaitForEvents(1, &event);
    const char *got = capture_end();
    CHECK_OK(error);
    CHECK_OK(waited);
    expect(got, "<5,5>\n", "after waiting for the event");
    CHECK_OK(clReleaseEvent(event));
    // A program from a binary prints the same.
    size_t size;
    CHECK_OK(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL));
    unsigned char *binary = malloc(size);
    CHECK_OK(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL));
    cl_program again = clCreateProgramWithBinary(test_context, 1, &test_device, &size,
                                                 (const unsigned char **)&binary, NULL, &error);
    CHECK_OK(error);
    CHECK_OK(clBuildProgram(again, 1, &test_device, "", NULL, NULL));
    cl_kernel loaded = test_kernel(again, "pair");
    set_int(loaded, 7);
    capture_begin();
    launch(loaded, 1);
    CHECK_OK(clFinish(test_queue));
    expect(capture_end(), "<7,7>\n", "from a binary");
    free(binary);
    CHECK_OK(clReleaseKernel(loaded));
    CHECK_OK(clReleaseProgram(again));
    CHECK_OK(clReleaseKernel(kernel));
}

// Compiled separately and linked: the calls of each unit keep their formats.
static void linked(void)
{
    static const char *const sources[] = {
        "void other(int x) { printf(\"other %d %s\\n\", x, \"unit\"); }",
        "void other(int x); kernel void k(void) { printf(\"kernel\\n\"); other(3); "
        "printf(\"%v2hld\\n\", (int2)(1, 2)); }",
    };
    cl_program parts[2];
    cl_int error;
    for (int i = 0; i < 2; i++) {
        parts[i] =
            clCreateProgramWithSource(test_context, 1, (const char **)&sources[i], NULL, &error);
        CHECK_OK(error);
        CHECK_OK(clCompileProgram(parts[i], 1, &test_device, "", 0, NULL, NULL, NULL, NULL));
    }
    cl_program whole =
        clLinkProgram(test_context, 1, &test_device, "", 2, parts, NULL, NULL, &error);
    CHECK_OK(error);
    cl_kernel kernel = test_kernel(whole, "k");
    capture_begin();
    launch(kernel, 1);
    CHECK_OK(clFinish(test_queue));
    expect(capture_end(), "kernel\nother 3 unit\n1,2\n", "linked");
    CHECK_OK(clReleaseKernel(kernel));
    CHECK_OK(clReleaseProgram(whole));
    CHECK_OK(clReleaseProgram(parts[0]));
    CHECK_OK(clReleaseProgram(parts[1]));
}

// ---- threads ------------------------------------------------------------------------------------

enum { THREADS = 4, LAUNCHES = 50, ITEMS = 20 };
static cl_program threads_program;

static void *print_from_thread(void *data)
{
    cl_int error, id = (cl_int)(intptr_t)data;
    size_t items = ITEMS;
    cl_command_queue queue = clCreateCommandQueue(
        test_context, test_device, id % 2 ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0, &error);
    cl_kernel kernel = error ? NULL : clCreateKernel(threads_program, "many", &error);
    for (int i = 0; i < LAUNCHES && !error; i++) {
        cl_int n = id * 1000 + i;
        error = clSetKernelArg(kernel, 0, sizeof n, &n);
        if (!error)
            error = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL);
    }
    if (!error)
        error = clFinish(queue);
    clReleaseKernel(kernel);
    clReleaseCommandQueue(queue);
    return (void *)(intptr_t)error;
}

static void several_queues(cl_program program)
{
    static int seen[THREADS][LAUNCHES];
    pthread_t threads[THREADS];
    void *error;
    int failures = 0, wrong = 0;
    threads_program = program;
    capture_begin();
    for (intptr_t i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, print_from_thread, (void *)i);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], &error);
        failures += error != NULL;
    }
    for (char *line = strtok((char *)capture_end(), "\n"); line; line = strtok(NULL, "\n")) {
        int x = -1, n = -1;
        bool fine = sscanf(line, "line %d of %d", &x, &n) == 2 && x >= 0 && x < ITEMS && n >= 0 &&
                    n / 1000 < THREADS && n % 1000 < LAUNCHES;
        wrong += !fine;
        if (fine)
            seen[n / 1000][n % 1000]++;
    }
    CHECK_NONE(failures);
    CHECK_EQ(wrong, 0);
    for (int t = 0; t < THREADS; t++)
        for (int i = 0; i < LAUNCHES; i++)
            wrong += seen[t][i] != ITEMS;
    CHECK_EQ(wrong, 0);
}

// ---- refused ------------------------------------------------------------------------------------

static void refused(void)
{
    static const char *const sources[] = {
        "kernel void k(constant char *f) { printf(f, 1); }",
        "struct s { int x; }; kernel void k(void) { struct s v; printf(\"%d\", v); }",
        "kernel void k(void) { printf(); }",
    };
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        cl_int error;
        cl_program program =
            clCreateProgramWithSource(test_context, 1, (const char **)&sources[i], NULL, &error);
        CHECK_OK(error);
        CHECK_EQ(clBuildProgram(program, 1, &test_device, "-cl-std=CL1.2", NULL, NULL),
                 CL_BUILD_PROGRAM_FAILURE);
        CHECK_OK(clReleaseProgram(program));
    }
}

int main(void)
{
    test_open();
    cl_program program = test_build(many_source, "");
    as_c();
    not_in_c();
    sizes();
    every_line_once(program);
    in_order(program);
    overflow(program);
    waits(program);
    linked();
    several_queues(program);
    refused();
    CHECK_OK(clReleaseProgram(program));
    return test_close();
}
