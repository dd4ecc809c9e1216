// SPDX-License-Identifier: Apache-2.0
// The program cache on disk: builds use it if all inputs are the same, and only then.
#include "test.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

enum { STATEMENTS = 900 };

static FILE *log_file;
static char folder[] = "/tmp/pumice_kept_XXXXXX";

// The number of builds that the log reports as read from the cache.
static int cache_hits(void)
{
    return test_log_count(log_file, "comes from the cache", "");
}

// Takes some milliseconds to compile; contains code that causes a warning in the build log.
static const char *long_source(int number)
{
    static char text[128 * 1024];
    char *at = text + sprintf(text,
                              "#warning unknown\n%s\n"
                              "constant int table[4] = {1, 2, 3, N};\n"
                              "kernel void k(global int *p, int n) {\n    int v = %d;\n",
                              number < 0 ? "#include \"kept.h\"" : "#define N 4", number);
    for (int i = 0; i < STATEMENTS; i++)
        at += sprintf(at, "    v = v * %d + (n >> (v & 7));\n", 2 * i + 3);
    sprintf(at, "    p[0] = v + table[n];\n    printf(\"%%d\", n);\n}\n");
    return text;
}

static int run(cl_program program)
{
    cl_kernel kernel = test_kernel(program, "k");
    cl_mem mem = test_buffer(0, 64, NULL);
    int n = 3, value = 0;
    size_t one = 1;
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    CHECK_OK(clSetKernelArg(kernel, 1, sizeof n, &n));
    CHECK_OK(clEnqueueNDRangeKernel(test_queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
    CHECK_OK(clEnqueueReadBuffer(test_queue, mem, CL_TRUE, 0, sizeof value, &value, 0, NULL, NULL));
    CHECK_OK(clReleaseMemObject(mem));
    CHECK_OK(clReleaseKernel(kernel));
    return value;
}

struct made {
    int value;
    size_t size;
    unsigned char *binary;
    char log[1024];
};

static struct made build(const char *source, const char *options)
{
    struct made made = {0};
    cl_program program = test_build(source, options);
    made.value = run(program);
    CHECK_OK(
        clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof made.size, &made.size, NULL));
    made.binary = malloc(made.size);
    CHECK_OK(
        clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof made.binary, &made.binary, NULL));
    CHECK_OK(clGetProgramBuildInfo(program, test_device, CL_PROGRAM_BUILD_LOG, sizeof made.log,
                                   made.log, NULL));
    CHECK_OK(clReleaseProgram(program));
    return made;
}

// Builds again: the program must be the same whether it was compiled or read from the cache.
static void again(const struct made *first, const char *source, const char *options, int expected)
{
    struct made second = build(source, options);
    CHECK_PATH(cache_hits() == expected);
    CHECK_EQ(second.value, first->value);
    CHECK(second.size == first->size && !memcmp(second.binary, first->binary, first->size));
    CHECK(!strcmp(second.log, first->log));
    free(second.binary);
}

// Changes one byte of each cached program, counted from the end.
static void damage(long back)
{
    char path[512];
    DIR *files = opendir(folder);
    for (struct dirent *entry; files && (entry = readdir(files));) {
        char byte = 0;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        int fd = strstr(entry->d_name, ".program") ? open(path, O_RDWR) : -1;
        if (fd < 0)
            continue;
        CHECK(lseek(fd, -back, SEEK_END) >= 0 && read(fd, &byte, 1) == 1);
        byte ^= 1;
        CHECK(lseek(fd, -back, SEEK_END) >= 0 && write(fd, &byte, 1) == 1);
        close(fd);
    }
    if (files)
        closedir(files);
}

static void put_header(const char *name, const char *text)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    CHECK(file && fputs(text, file) >= 0);
    if (file)
        fclose(file);
}

// A cached build is used only if included files are unchanged and missing ones are still missing.
static void check_files(void)
{
    char options[512], path[128];
    int before = cache_hits();
    snprintf(path, sizeof path, "%s/before", folder);
    snprintf(options, sizeof options, "-I %s -I %s", path, folder);
    put_header("kept.h", "#define N 4\n");
    struct made first = build(long_source(-1), options);
    again(&first, long_source(-1), options, before + 1);
    put_header("kept.h", "#define N 5\n");
    struct made second = build(long_source(-1), options);
    CHECK_EQ(second.value, first.value + 1);
    CHECK_EQ(cache_hits(), before + 1);
    CHECK(!mkdir(path, 0700));
    put_header("before/kept.h", "#define N 6\n");
    struct made third = build(long_source(-1), options);
    CHECK_EQ(third.value, first.value + 2);
    again(&third, long_source(-1), options, before + 2);
    free(first.binary);
    free(second.binary);
    free(third.binary);
}

int main(void)
{
    char command[64];
    CHECK(mkdtemp(folder) && !setenv("PUMICE_CACHE_DIR", folder, 1) &&
          !setenv("PUMICE_DEBUG", "build", 1));
    log_file = test_log();
    if (!log_file)
        return 77;
    test_open();
    struct made first = build(long_source(1), "");
    CHECK_EQ(cache_hits(), 0);
    CHECK(strstr(first.log, "unknown") != NULL);
    again(&first, long_source(1), "", 1);
    struct made other = build(long_source(2), ""),
                optioned = build(long_source(1), "-cl-opt-disable -DM");
    CHECK_EQ(cache_hits(), 1);
    CHECK(other.value != first.value);
    CHECK_EQ(optioned.value, first.value);
    again(&first, long_source(1), "", 2);
    damage(9);
    again(&first, long_source(1), "", 2);
    again(&first, long_source(1), "", 3);
    free(first.binary);
    free(other.binary);
    free(optioned.binary);
    check_files();
    snprintf(command, sizeof command, "rm -r %s", folder);
    CHECK(system(command) == 0);
    return test_close();
}
