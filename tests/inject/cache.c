// SPDX-License-Identifier: Apache-2.0
// The pipeline cache on disk: pipelines compiled by two processes at the same time are available to
// the next; a full cache is not changed until it is old, then a new one is started. Run by
// inject_run --entry=4096.
#include "test.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "inject.h"
#include "vulkan/cache.h"

enum { MANY = 20 };

static struct inject *shared;
static char path[1024];
static uint8_t driver[VK_UUID_SIZE];

static void compile(int number)
{
    char source[128];
    size_t one = 1;
    snprintf(source, sizeof source, "kernel void k(global int *p) { p[0] = %d; }", number);
    cl_program program = test_build(source, "");
    cl_kernel kernel = test_kernel(program, "k");
    cl_mem mem = test_buffer(0, 64, NULL);
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    CHECK_OK(clEnqueueNDRangeKernel(test_queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
    CHECK_OK(clFinish(test_queue));
    CHECK_OK(clReleaseMemObject(mem));
    CHECK_OK(clReleaseKernel(kernel));
    CHECK_OK(clReleaseProgram(program));
}

static void pass(int end, bool in)
{
    char byte = 0;
    CHECK((in ? read(end, &byte, 1) : write(end, &byte, 1)) == 1);
}

// Starts a process that compiles kernels [first, end). With pipes, it reports when it is done, and
// ends on request.
static pid_t start(int first, int end, const int *ready, const int *go)
{
    pid_t child = fork();
    if (child)
        return child;
    test_open();
    for (int i = first; i < end; i++)
        compile(i);
    if (ready) {
        pass(ready[1], false);
        pass(go[0], true);
    }
    exit(test_close());
}

static void wait_for(pid_t child)
{
    int status = 1;
    CHECK(waitpid(child, &status, 0) == child && status == 0);
}

// The number of pipelines that are not in the cache for a process that uses kernels [first, end).
static unsigned missing(int first, int end)
{
    unsigned before = atomic_load(&shared->compiled);
    wait_for(start(first, end, NULL, NULL));
    return atomic_load(&shared->compiled) - before;
}

static void find_file(void)
{
    const char *name = getenv("PUMICE_CACHE_DIR");
    DIR *folder = opendir(name);
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        if (!strstr(entry->d_name, ".pipelines"))
            continue;
        snprintf(path, sizeof path, "%s/%s", name, entry->d_name);
        for (int i = 0; i < (int)VK_UUID_SIZE; i++) {
            unsigned byte = 0;
            CHECK(sscanf(entry->d_name + 2 * i, "%2x", &byte) == 1);
            driver[i] = (uint8_t)byte;
        }
    }
    if (folder)
        closedir(folder);
}

static void check_both_kept(void)
{
    int ready[2], go[2];
    CHECK(!pipe(ready) && !pipe(go));
    pid_t a = start(1, 2, ready, go), b = start(2, 3, ready, go);
    pass(ready[0], true), pass(ready[0], true);
    pass(go[1], false), pass(go[1], false);
    wait_for(a);
    wait_for(b);
    CHECK_EQ(missing(1, 3), 0);
    CHECK_EQ(missing(1, 4), 1);
    CHECK_EQ(missing(1, 4), 0);
}

static void check_full(void)
{
    static struct vk_cache_file before, after; // static, because children have copies
    find_file();
    CHECK(vk_cache_file_read(path, driver, &before));
    CHECK(missing(100, 100 + MANY) >= MANY); // too many to be stored
    CHECK(vk_cache_file_read(path, driver, &after) && after.checksum == before.checksum);
    free(after.data);
    CHECK_EQ(missing(1, 4), 0);
    CHECK(vk_cache_file_write(path, driver, before.data, before.size,
                              before.began - VK_CACHE_WEEK - 60));
    free(before.data);
    CHECK(missing(100, 100 + MANY) >= MANY);
    CHECK(access(path, F_OK) != 0);
    CHECK(missing(100, 104) >= 4);
    CHECK_EQ(missing(100, 104), 0);
}

int main(void)
{
    int fd = open(getenv("INJECT_FILE"), O_RDWR);
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    check_both_kept();
    check_full();
    printf("%d checks, %d failures\n", test_checks, test_failures);
    return test_failures != 0;
}
