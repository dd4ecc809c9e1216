// SPDX-License-Identifier: Apache-2.0
// A kernel that would take the driver's compiler more than ten minutes is refused in seconds, and the build log names the
// function that is too large; other programs of the process build. With PUMICE_LIMIT=none (a test of its own), it is built.
// Only on Mesa's CPU driver, whose compile times are known.
#include "test.h"

#include <time.h>

enum { IFS = 16000, LONGEST = 80, MOST_SECONDS = 60 };

// A function of `count` ifs, which a division keeps from becoming selects, and its kernel.
static char *program_of(int count)
{
    char *text = malloc((size_t)count * LONGEST + 1000), *at = text + sprintf(text, "int heavy(int x) {\n");
    for (int i = 0; i < count; i++)
        at += sprintf(at, "if (x & %d) x = 1000000 / (x + %d);\n", 1 << i % 16, i);
    sprintf(at, "return x; }\n"
                "kernel void small(global int *p) { p[get_global_id(0)]++; }\n"
                "kernel void large(global int *p) { p[get_global_id(0)] = heavy(p[get_global_id(0)]); }\n");
    return text;
}

static cl_program build(char *text, cl_int want)
{
    cl_int error;
    cl_program program = clCreateProgramWithSource(test_context, 1, (const char **)&text, NULL, &error);
    CHECK_OK(error);
    CHECK_EQ(clBuildProgram(program, 1, &test_device, "", NULL, NULL), want);
    free(text);
    return program;
}

static void check_log(cl_program program)
{
    static char log[65536];
    CHECK_OK(clGetProgramBuildInfo(program, test_device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL));
    if (!CHECK(strstr(log, "most of them in 'heavy'") && strstr(log, "minutes") && strstr(log, "PUMICE_LIMIT=none")))
        printf("%s\n", log);
}

int main(void)
{
    test_open();
    char name[256];
    CHECK_OK(clGetDeviceInfo(test_device, CL_DEVICE_NAME, sizeof name, name, NULL));
    if (!strstr(name, "llvmpipe"))
        return 77;
    const bool unlimited = getenv("PUMICE_LIMIT");
    const clock_t begin = clock();
    cl_program large = build(program_of(IFS), unlimited ? CL_SUCCESS : CL_BUILD_PROGRAM_FAILURE);
    CHECK(clock() - begin < (clock_t)MOST_SECONDS * CLOCKS_PER_SEC);
    if (!unlimited)
        check_log(large);
    CHECK_OK(clReleaseProgram(large));
    CHECK_OK(clReleaseProgram(build(program_of(50), CL_SUCCESS)));
    return test_close();
}
