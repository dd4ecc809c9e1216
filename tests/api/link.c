// SPDX-License-Identifier: Apache-2.0
// Separate compilation: references between units, mismatches, libraries, binaries of all kinds, and
// the error codes of clCompileProgram and clLinkProgram.
#include "test.h"

#include "util/hash.h"

// ---- helpers ------------------------------------------------------------------------------------

static cl_program from_source(const char *source)
{
    cl_int error;
    cl_program program = clCreateProgramWithSource(test_context, 1, &source, NULL, &error);
    CHECK_OK(error);
    return program;
}

static const char *log_of(cl_program program)
{
    static char log[65536];
    CHECK_OK(
        clGetProgramBuildInfo(program, test_device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL));
    return log;
}

static cl_program compiled_with(const char *source, const char *options)
{
    cl_program program = from_source(source);
    cl_int error = clCompileProgram(program, 1, &test_device, options, 0, NULL, NULL, NULL, NULL);
    if (!CHECK_OK(error))
        printf("%s\n", log_of(program));
    return program;
}

static cl_program compiled(const char *source)
{
    return compiled_with(source, NULL);
}

static cl_uint type_of(cl_program program)
{
    cl_uint type = 99;
    CHECK_OK(clGetProgramBuildInfo(program, test_device, CL_PROGRAM_BINARY_TYPE, sizeof type, &type,
                                   NULL));
    return type;
}

static cl_int status_of(cl_program program)
{
    cl_int status = 99;
    CHECK_OK(clGetProgramBuildInfo(program, test_device, CL_PROGRAM_BUILD_STATUS, sizeof status,
                                   &status, NULL));
    return status;
}

static cl_program linked_with(const char *options, cl_uint count, const cl_program *programs)
{
    cl_int error;
    cl_program linked =
        clLinkProgram(test_context, 1, &test_device, options, count, programs, NULL, NULL, &error);
    if (!CHECK_OK(error))
        printf("%s\n", linked ? log_of(linked) : "");
    return linked;
}

static void release(cl_uint count, const cl_program *programs)
{
    for (cl_uint i = 0; i < count; i++)
        CHECK_OK(clReleaseProgram(programs[i]));
}

// Checks the first four results of kernel `name`, which takes a global int *.
static void expect_results(cl_program program, const char *name, int a, int b, int c, int d)
{
    int got[4] = {0}, want[4] = {a, b, c, d};
    size_t global = 4;
    cl_mem mem = test_buffer(0, sizeof got, NULL);
    cl_kernel kernel = test_kernel(program, name);
    if (!kernel)
        return;
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    CHECK_OK(clEnqueueNDRangeKernel(test_queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
    CHECK_OK(clEnqueueReadBuffer(test_queue, mem, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
    for (int i = 0; i < 4; i++)
        CHECK_EQ(got[i], want[i]);
    CHECK_OK(clReleaseKernel(kernel));
    CHECK_OK(clReleaseMemObject(mem));
}

// Compiles the sources, links them, runs k and releases everything.
static void expect_linked(cl_uint count, const char *const *sources, const char *options, int a,
                          int b, int c, int d)
{
    cl_program programs[8];
    for (cl_uint i = 0; i < count; i++)
        programs[i] = compiled_with(sources[i], options);
    cl_program linked = linked_with(NULL, count, programs);
    release(count, programs);
    CHECK_EQ(type_of(linked), CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
    CHECK_EQ(status_of(linked), CL_BUILD_SUCCESS);
    expect_results(linked, "k", a, b, c, d);
    release(1, &linked);
}

// The link must fail with a log that contains `words`.
static void expect_refused(const char *first, const char *second, const char *words)
{
    cl_program programs[2] = {compiled(first), second ? compiled(second) : NULL};
    cl_uint count = second ? 2 : 1;
    cl_int code;
    cl_program linked =
        clLinkProgram(test_context, 1, &test_device, NULL, count, programs, NULL, NULL, &code);
    CHECK_EQ(code, CL_LINK_PROGRAM_FAILURE);
    if (CHECK(linked != NULL)) {
        CHECK_EQ(status_of(linked), CL_BUILD_ERROR);
        CHECK_EQ(type_of(linked), CL_PROGRAM_BINARY_TYPE_NONE);
        if (!CHECK(strstr(log_of(linked), words)))
            printf("want: %s\ngot: %s\n", words, log_of(linked));
        CHECK_CREATE(clCreateKernel(linked, "k", &error), CL_INVALID_PROGRAM_EXECUTABLE);
        release(1, &linked);
    }
    release(count, programs);
}

#define ID "get_global_id(0)"
#define COUNT(sources) (cl_uint)(sizeof(sources) / sizeof *(sources))

// ---- units that match ---------------------------------------------------------------------------

static void check_functions(void)
{
    static const char *const three[] = {
        "int second(int x); kernel void k(global int *p) { p[" ID "] = second(" ID ") + 1; }",
        "int third(int x); int second(int x) { return third(x) * 10; }",
        "int third(int x) { return x + 2; }",
    };
    static const char *const statics[] = {
        "static int help(int x) { return x + 1; } int other(int x);"
        "kernel void k(global int *p) { p[" ID "] = help(" ID ") * 1000 + other(" ID "); }",
        "static int help(int x) { return x * 2; } int other(int x) { return help(x) + 5; }",
    };
    static const char *const structs[] = {
        "struct pair { int a; float4 b; }; struct pair swap(struct pair p, global int *q);"
        "kernel void k(global int *p) { struct pair x = {1, (float4)(2, 3, 4, 5)}; x = swap(x, p);"
        " p[" ID "] = x.a * 10 + (int)x.b.y; }",
        "struct pair { int a; float4 b; };"
        "struct pair swap(struct pair p, global int *q) { struct pair r = {(int)p.b.w, "
        "(float4)(p.a)}; return r; }",
    };
    static const char *const overloads[] = {
        "int __attribute__((overloadable)) f(int x); int __attribute__((overloadable)) f(float x);"
        "kernel void k(global int *p) { p[" ID "] = f((int)" ID ") + f(1.0f) + max((int)" ID
        ", 2); }",
        "int __attribute__((overloadable)) f(int x) { return x; }"
        "int __attribute__((overloadable)) f(float x) { return (int)x * 100; }",
    };
    static const char *const builtins[] = {
        "float g(float x); kernel void k(global int *p) { p[" ID "] = (int)(fmod((float)" ID
        ", 2.0f) + g(4.0f)); }",
        "float g(float x) { return sqrt(x) + fmod(9.0f, 5.0f); }",
    };
    static const char *const inlines[] = {
        "inline int twice(int x) { return x * 2; } int other(int x);"
        "kernel void k(global int *p) { p[" ID "] = twice(" ID ") + other(" ID "); }",
        "inline int twice(int x) { return x * 2; } int other(int x) { return twice(x) + 1; }",
    };
    static const char *const kernels[] = {
        "kernel void part(global int *p); kernel void k(global int *p) { part(p); p[" ID
        "] += 1; }",
        "kernel void part(global int *p) { p[" ID "] = 5 + " ID
        "; } kernel void other(global int *p) { part(p); }",
    };
    expect_linked(COUNT(three), three, "", 21, 31, 41, 51);
    expect_linked(COUNT(statics), statics, "", 1005, 2007, 3009, 4011);
    expect_linked(COUNT(structs), structs, "", 51, 51, 51, 51);
    expect_linked(COUNT(overloads), overloads, "", 102, 103, 104, 106);
    expect_linked(COUNT(builtins), builtins, "", 6, 7, 6, 7);
    expect_linked(COUNT(inlines), inlines, "", 1, 5, 9, 13);
    expect_linked(COUNT(kernels), kernels, "", 6, 7, 8, 9);
}

static void check_data(void)
{
    static const char *const constants[] = {
        "extern constant int table[]; constant int own[2] = {7, 8}; constant int unused = 3;"
        "kernel void k(global int *p) { local int scratch[4]; scratch[" ID " & 3] = own[1];"
        " p[" ID "] = table[" ID "] + scratch[" ID " & 3]; }",
        "constant int table[4] = {10, 20, 30, 40}; static constant int own[2] = {1, 2};"
        "int sum(void) { return own[0] + own[1]; }",
    };
    static const char *const strings[] = {
        "int length(void); static constant char *constant s = \"abc\"; constant char t[] = \"xy\";"
        "kernel void k(global int *p) { constant char *q = \"hello\"; p[" ID
        "] = q[1] * 1000 + length() + s[0] - t[0]; }",
        "static constant char *constant s = \"wxyz\"; int length(void) { int n = 0; while (s[n]) "
        "n++; return n; }",
    };
    static const char *const globals[] = {
        "int next(int x); extern global int counter[4]; global int *global where = &counter[1];"
        "kernel void k(global int *p) { p[" ID "] = next(" ID "); } "
        "kernel void look(global int *p) { p[" ID "] = *where; }",
        "global int counter[4] = {1, 2, 3, 4}; int next(int x) { return counter[x] += 10; }",
    };
    expect_linked(COUNT(constants), constants, "", 18, 28, 38, 48);
    expect_linked(COUNT(strings), strings, "", 101004 + 97 - 120, 101004 + 97 - 120,
                  101004 + 97 - 120, 101004 + 97 - 120);
    expect_linked(COUNT(globals), globals, "-cl-std=CL2.0", 11, 12, 13, 14);

    // Program-scope variables of the linked program keep their values between kernels.
    cl_program programs[2] = {compiled_with(globals[0], "-cl-std=CL2.0"),
                              compiled_with(globals[1], "-cl-std=CL2.0")};
    cl_program linked = linked_with("", 2, programs);
    expect_results(linked, "k", 11, 12, 13, 14);
    expect_results(linked, "k", 21, 22, 23, 24);
    expect_results(linked, "look", 22, 22, 22, 22);
    release(2, programs);
    release(1, &linked);
}

static void check_headers(void)
{
    const char *names[2] = {"first.h", "deep/second.h"};
    cl_program headers[2] = {from_source("#include \"deep/second.h\"\n#define A (B + 1)\n"),
                             from_source("#define B 5\n")};
    cl_program program =
        from_source("#include <first.h>\nkernel void k(global int *p) { p[" ID "] = A; }");
    CHECK_EQ(clCompileProgram(program, 1, &test_device, "", 1, &headers[1], &names[1], NULL, NULL),
             CL_COMPILE_PROGRAM_FAILURE);
    CHECK_EQ(status_of(program), CL_BUILD_ERROR);
    CHECK_EQ(type_of(program), CL_PROGRAM_BINARY_TYPE_NONE);
    CHECK(strstr(log_of(program), "first.h"));
    CHECK_OK(clCompileProgram(program, 1, &test_device, "", 2, headers, names, NULL, NULL));
    release(2, headers);
    cl_program linked = linked_with("", 1, &program);
    expect_results(linked, "k", 6, 6, 6, 6);
    release(1, &program);
    release(1, &linked);
}

// ---- units that do not match --------------------------------------------------------------------

static void check_mismatches(void)
{
    expect_refused("int f(int x); kernel void k(global int *p) { p[0] = f(1); }", NULL,
                   "undefined reference to 'f'");
    expect_refused("extern constant int t[]; kernel void k(global int *p) { p[0] = t[0]; }",
                   "constant int other = 1;", "undefined reference to 't'");
    expect_refused("int f(int x); kernel void k(global int *p) { p[0] = f(1); }",
                   "static int f(int x) { return x; } int g(int x) { return f(x); }",
                   "undefined reference to 'f'");
    expect_refused("int f(int x); kernel void k(global int *p) { p[0] = f(1); }",
                   "float f(int x) { return x; }",
                   "'f' has type 'int(int)' in program 1, but 'float(int)' in program 2");
    expect_refused("int f(int x); kernel void k(global int *p) { p[0] = f(1); }",
                   "int f(uint x) { return x; }", "'f' has type");
    expect_refused("int f(global int *x); kernel void k(global int *p) { p[0] = f(p); }",
                   "int f(local int *x) { return *x; }", "'f' has type");
    expect_refused("struct s { int a, b; }; int f(struct s x); kernel void k(global int *p) { "
                   "struct s x = {1, 2}; p[0] = f(x); }",
                   "struct s { float a, b; }; int f(struct s x) { return x.a; }", "'f' has type");
    expect_refused("extern constant int t[4]; kernel void k(global int *p) { p[0] = t[0]; }",
                   "constant float t[4] = {1, 2, 3, 4};", "'t' has type");
    expect_refused("extern constant int t[4]; kernel void k(global int *p) { p[0] = t[0]; }",
                   "constant int t[3] = {1, 2, 3};", "'t' has type");
    expect_refused("int f(int x); kernel void k(global int *p) { p[0] = f(1); }",
                   "constant int f = 1;", "'f' is a function");
    expect_refused("int f(int x) { return 1; } kernel void k(global int *p) { p[0] = f(1); }",
                   "int f(int x) { return 2; }", "'f' is defined in programs 1 and 2");
    expect_refused("constant int t = 1; kernel void k(global int *p) { p[0] = t; }",
                   "constant int t = 1;", "'t' is defined in programs 1 and 2");
    expect_refused("kernel void k(global int *p) { p[0] = 1; }",
                   "kernel void k(global int *p) { p[0] = 2; }",
                   "'k' is defined in programs 1 and 2");
    expect_refused(
        "int g(int x); int f(int x) { return g(x); } kernel void k(global int *p) { p[0] = f(1); }",
        "int f(int x); int g(int x) { return x ? f(x - 1) : 0; }", "recursion");
}

// An undefined name is an error of a build but not of a compilation; an undefined static one always
// is.
static void check_undefined(void)
{
    cl_program program =
        from_source("int f(int x);\nkernel void k(global int *p) { p[0] = f(1); }");
    CHECK_EQ(clBuildProgram(program, 1, &test_device, "", NULL, NULL), CL_BUILD_PROGRAM_FAILURE);
    CHECK(strstr(log_of(program), ":1:5: error: undefined reference to 'f'"));
    CHECK_OK(clCompileProgram(program, 1, &test_device, "", 0, NULL, NULL, NULL, NULL));
    CHECK(!*log_of(program));
    release(1, &program);
    program = from_source("static int f(int x); kernel void k(global int *p) { p[0] = f(1); }");
    CHECK_EQ(clCompileProgram(program, 1, &test_device, "", 0, NULL, NULL, NULL, NULL),
             CL_COMPILE_PROGRAM_FAILURE);
    CHECK(strstr(log_of(program), "'f'"));
    release(1, &program);
}

// ---- libraries and binaries ---------------------------------------------------------------------

static const char lib_a[] =
    "static int help(int x) { return x + 1; } int fa(int x) { return help(x); }";
static const char lib_b[] = "static int help(int x) { return x * 3; } int later(int x); int fb(int "
                            "x) { return help(later(x)); }";
static const char user[] =
    "int fa(int x); int fb(int x); int later(int x) { return x + 1; } static int help(int x) { "
    "return 7; }"
    "kernel void k(global int *p) { p[" ID "] = fa(" ID ") * 100 + fb(" ID ") * 1000 + help(1); }"
    "kernel void other(global int *p) { p[0] = 1; }";

static unsigned char *get_binary(cl_program program, size_t *size)
{
    *size = 0;
    CHECK_OK(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof *size, size, NULL));
    unsigned char *data = malloc(*size);
    CHECK_OK(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof data, &data, NULL));
    return data;
}

static cl_program load(const unsigned char *data, size_t size, cl_int *error)
{
    return clCreateProgramWithBinary(test_context, 1, &test_device, &size, &data, NULL, error);
}

// Creates the program from its binary; it must be of the same kind and return the same binary.
static cl_program reloaded(cl_program program)
{
    size_t size, again_size;
    cl_int error;
    unsigned char *data = get_binary(program, &size);
    cl_program again = load(data, size, &error);
    CHECK_OK(error);
    CHECK_EQ(type_of(again), type_of(program));
    CHECK_EQ(status_of(again), CL_BUILD_NONE);
    unsigned char *copy = get_binary(again, &again_size);
    CHECK(size == again_size && !memcmp(copy, data, size));
    free(copy);
    free(data);
    release(1, &program);
    return again;
}

static void expect_invalid(const unsigned char *data, size_t size)
{
    cl_int error = 0;
    cl_program program = load(data, size, &error);
    CHECK_EQ(error, CL_INVALID_BINARY);
    if (!CHECK(program == NULL))
        release(1, &program);
}

enum { CHECKSUM_AT = 8, HEADER = 16 };

// Wrong contents behind a correct checksum: there must be no crash.
static void check_hostile(const unsigned char *data, size_t size)
{
    unsigned char *copy = malloc(size);
    unsigned seed = 5, refused = 0;
    for (int round = 0; round < 500; round++) {
        memcpy(copy, data, size);
        seed = seed * 1664525 + 1013904223;
        copy[HEADER + (seed >> 8) % (size - HEADER)] ^= (unsigned char)(seed >> 24 | 1);
        uint64_t sum = hash_bytes64(copy + HEADER, size - HEADER);
        for (int i = 0; i < 8; i++)
            copy[CHECKSUM_AT + i] = (unsigned char)(sum >> (8 * i));
        cl_int error;
        cl_program program = load(copy, size, &error);
        refused += program == NULL;
        if (program)
            release(1, &program);
    }
    CHECK(refused > 400); // the object inside has its own checksum
    free(copy);
}

static void check_damage(cl_program program)
{
    size_t size;
    unsigned char *data = get_binary(program, &size);
    int before = test_failures; // stops at the first failure
    for (size_t cut = 1; cut < size && test_failures == before; cut++)
        expect_invalid(data, cut);
    for (size_t i = 0; i < size && test_failures == before; i++) {
        data[i] ^= (unsigned char)(1 << i % 8);
        expect_invalid(data, size);
        data[i] ^= (unsigned char)(1 << i % 8);
    }
    check_hostile(data, size);
    free(data);
}

static void check_libraries(void)
{
    cl_program parts[2] = {compiled(lib_a), compiled(lib_b)};
    cl_program library = linked_with("-create-library -enable-link-options", 2, parts);
    release(2, parts);
    CHECK_EQ(type_of(library), CL_PROGRAM_BINARY_TYPE_LIBRARY);
    CHECK_EQ(status_of(library), CL_BUILD_SUCCESS);
    CHECK_CREATE(clCreateKernel(library, "k", &error), CL_INVALID_PROGRAM_EXECUTABLE);
    library = reloaded(library);
    check_damage(library);
    CHECK_EQ(clBuildProgram(library, 1, &test_device, NULL, NULL, NULL), CL_INVALID_BINARY);
    cl_program object = reloaded(compiled(user));
    CHECK_EQ(type_of(object), CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT);
    check_damage(object);
    CHECK_CREATE(clCreateKernel(object, "k", &error), CL_INVALID_PROGRAM_EXECUTABLE);
    CHECK_EQ(clCompileProgram(object, 1, &test_device, NULL, 0, NULL, NULL, NULL, NULL),
             CL_INVALID_OPERATION);
    cl_program inputs[2] = {object, library};
    cl_program linked = linked_with("-cl-fast-relaxed-math", 2, inputs);
    expect_results(linked, "k", 3107, 6207, 9307, 12407);
    // A library from a library and an object, and a program from that library only.
    cl_program outer = linked_with("-create-library", 2, inputs);
    cl_program again = linked_with(NULL, 1, &outer);
    expect_results(again, "k", 3107, 6207, 9307, 12407);
    release(2, inputs);
    release(1, &outer);
    release(1, &again);

    CHECK_EQ(clBuildProgram(linked, 1, &test_device, NULL, NULL, NULL), CL_INVALID_OPERATION);
    linked = reloaded(linked);
    CHECK_OK(clBuildProgram(linked, 1, &test_device, NULL, NULL, NULL));
    expect_results(linked, "k", 3107, 6207, 9307, 12407);
    char names[64];
    size_t count = 0;
    CHECK_OK(clGetProgramInfo(linked, CL_PROGRAM_NUM_KERNELS, sizeof count, &count, NULL));
    CHECK_EQ(count, 2);
    CHECK_OK(clGetProgramInfo(linked, CL_PROGRAM_KERNEL_NAMES, sizeof names, names, NULL));
    CHECK(!strcmp(names, "k;other"));
    release(1, &linked);
}

// Non-uniform work-groups are allowed if every unit allows them; a binary stores that.
static void check_uniform(void)
{
    const char *sources[2] = {"int f(int x); kernel void k(global int *p) { p[" ID "] = f(" ID
                              "); }",
                              "int f(int x) { return x; }"};
    for (int old = 0; old < 2; old++) {
        cl_program parts[2] = {compiled_with(sources[0], "-cl-std=CL2.0"),
                               compiled_with(sources[1], old ? "" : "-cl-std=CL2.0")};
        cl_program linked = reloaded(linked_with("", 2, parts));
        CHECK_OK(clBuildProgram(linked, 0, NULL, NULL, NULL, NULL));
        size_t global = 3, group = 2;
        cl_mem mem = test_buffer(0, 16, NULL);
        cl_kernel kernel = test_kernel(linked, "k");
        CHECK_OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
        CHECK_EQ(
            clEnqueueNDRangeKernel(test_queue, kernel, 1, NULL, &global, &group, 0, NULL, NULL),
            old ? CL_INVALID_WORK_GROUP_SIZE : CL_SUCCESS);
        CHECK_OK(clFinish(test_queue));
        CHECK_OK(clReleaseKernel(kernel));
        CHECK_OK(clReleaseMemObject(mem));
        release(2, parts);
        release(1, &linked);
    }
}

// ---- error codes --------------------------------------------------------------------------------

struct note {
    cl_program program;
    int times;
};

static void CL_CALLBACK notify(cl_program program, void *data)
{
    struct note *note = data;
    note->program = program;
    note->times++;
}

static void check_callbacks(void)
{
    struct note note = {0};
    cl_int code;
    cl_program program =
        from_source("int f(int x); kernel void k(global int *p) { p[" ID "] = f(1); }");
    CHECK_OK(clCompileProgram(program, 0, NULL, NULL, 0, NULL, NULL, notify, &note));
    CHECK(note.times == 1 && note.program == program);
    cl_program linked =
        clLinkProgram(test_context, 0, NULL, NULL, 1, &program, notify, &note, &code);
    CHECK_EQ(code, CL_LINK_PROGRAM_FAILURE);
    CHECK(linked && note.times == 2 && note.program == linked);
    release(1, &linked);
    release(1, &program);
}

static void check_compile_codes(void)
{
    cl_program program = from_source("kernel void k(global int *p) { p[" ID "] = 1; }");
    const char *name = "a.h";
    CHECK_EQ(clCompileProgram(NULL, 0, NULL, NULL, 0, NULL, NULL, NULL, NULL), CL_INVALID_PROGRAM);
    CHECK_EQ(clCompileProgram(program, 1, NULL, NULL, 0, NULL, NULL, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clCompileProgram(program, 0, &test_device, NULL, 0, NULL, NULL, NULL, NULL),
             CL_INVALID_VALUE);
    CHECK_EQ(clCompileProgram(program, 0, NULL, NULL, 1, NULL, &name, NULL, NULL),
             CL_INVALID_VALUE);
    CHECK_EQ(clCompileProgram(program, 0, NULL, NULL, 1, &program, NULL, NULL, NULL),
             CL_INVALID_VALUE);
    CHECK_EQ(clCompileProgram(program, 0, NULL, NULL, 0, NULL, &name, NULL, NULL),
             CL_INVALID_VALUE);
    CHECK_EQ(clCompileProgram(program, 0, NULL, NULL, 0, NULL, NULL, NULL, program),
             CL_INVALID_VALUE);
    CHECK_EQ(clCompileProgram(program, 0, NULL, "-frobnicate", 0, NULL, NULL, NULL, NULL),
             CL_INVALID_COMPILER_OPTIONS);
    CHECK_EQ(clCompileProgram(program, 0, NULL, "-create-library", 0, NULL, NULL, NULL, NULL),
             CL_INVALID_COMPILER_OPTIONS);
    CHECK_OK(clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
    cl_kernel kernel = test_kernel(program, "k");
    CHECK_EQ(clCompileProgram(program, 0, NULL, NULL, 0, NULL, NULL, NULL, NULL),
             CL_INVALID_OPERATION);
    CHECK_OK(clReleaseKernel(kernel));
    CHECK_OK(clCompileProgram(program, 0, NULL, NULL, 0, NULL, NULL, NULL, NULL));
    CHECK_EQ(type_of(program), CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT);
    release(1, &program);
}

static void check_link_codes(void)
{
    cl_program program = compiled("kernel void k(global int *p) { p[" ID "] = 1; }"), none = NULL;
    cl_program built = test_build("kernel void k(global int *p) { p[" ID "] = 1; }", "");
    cl_program both[2] = {program, built};
#define LINK(devices, list, options, count, programs, data)                                        \
    clLinkProgram(test_context, devices, list, options, count, programs, NULL, data, &error)
    CHECK_CREATE(clLinkProgram(NULL, 0, NULL, NULL, 1, &program, NULL, NULL, &error),
                 CL_INVALID_CONTEXT);
    CHECK_CREATE(LINK(1, NULL, NULL, 1, &program, NULL), CL_INVALID_VALUE);
    CHECK_CREATE(LINK(0, &test_device, NULL, 1, &program, NULL), CL_INVALID_VALUE);
    CHECK_CREATE(LINK(0, NULL, NULL, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_CREATE(LINK(0, NULL, NULL, 0, &program, NULL), CL_INVALID_VALUE);
    CHECK_CREATE(LINK(0, NULL, NULL, 1, NULL, NULL), CL_INVALID_VALUE);
    CHECK_CREATE(LINK(0, NULL, NULL, 1, &none, NULL), CL_INVALID_PROGRAM);
    CHECK_CREATE(LINK(0, NULL, NULL, 1, &program, &none), CL_INVALID_VALUE);
    CHECK_CREATE(LINK(0, NULL, "-I.", 1, &program, NULL), CL_INVALID_LINKER_OPTIONS);
    CHECK_CREATE(LINK(0, NULL, "-enable-link-options", 1, &program, NULL),
                 CL_INVALID_LINKER_OPTIONS);
    CHECK_CREATE(LINK(0, NULL, NULL, 1, &built, NULL), CL_INVALID_OPERATION);
    CHECK_CREATE(LINK(0, NULL, NULL, 2, both, NULL), CL_INVALID_OPERATION);
    cl_device_id wrong = (cl_device_id)test_context;
    CHECK_CREATE(LINK(1, &wrong, NULL, 1, &program, NULL), CL_INVALID_DEVICE);
    cl_program linked = linked_with("-cl-denorms-are-zero", 1, &program);
    char options[64];
    CHECK_OK(clGetProgramBuildInfo(linked, test_device, CL_PROGRAM_BUILD_OPTIONS, sizeof options,
                                   options, NULL));
    CHECK(!strcmp(options, "-cl-denorms-are-zero"));
    CHECK_EQ(clCompileProgram(linked, 0, NULL, NULL, 0, NULL, NULL, NULL, NULL),
             CL_INVALID_OPERATION);
    release(1, &linked);
    release(2, both);
}

int main(void)
{
    test_open();
    check_functions();
    check_data();
    check_headers();
    check_mismatches();
    check_undefined();
    check_libraries();
    check_uniform();
    check_callbacks();
    check_compile_codes();
    check_link_codes();
    return test_close();
}
