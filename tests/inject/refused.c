// SPDX-License-Identifier: Apache-2.0
// A GPU that lacks a required feature is not offered, and one line on stderr says why, unless
// PUMICE_DEBUG=quiet. Run on a system with only such a device.
#include "test.h"

#include <fcntl.h>
#include <sys/wait.h>

static char said[4096];

// Queries the devices twice in a separate process; its stderr is in `said`.
static int ask(const char *debug)
{
    int ends[2], status = -1;
    size_t length = 0;
    CHECK(!pipe(ends));
    pid_t child = fork();
    if (!child) {
        cl_platform_id platform;
        cl_device_id device;
        cl_uint count = 7;
        dup2(ends[1], 2);
        if (debug)
            setenv("PUMICE_DEBUG", debug, 1);
        if (clGetPlatformIDs(1, &platform, NULL))
            _exit(2);
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, &count);
        _exit(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, &count) !=
              CL_DEVICE_NOT_FOUND);
    }
    close(ends[1]);
    for (ssize_t got; (got = read(ends[0], said + length, sizeof said - 1 - length)) > 0;)
        length += (size_t)got;
    said[length] = '\0';
    close(ends[0]);
    CHECK(waitpid(child, &status, 0) == child);
    return status;
}

int main(void)
{
    CHECK_EQ(ask(NULL), 0);
    const char *line = strstr(said, " is not used: ");
    CHECK(line && strstr(line, ": ") && strchr(said, '\n') == said + strlen(said) - 1);
    CHECK_EQ(ask("quiet"), 0);
    CHECK(!*said);
    CHECK_EQ(ask("vulkan"), 0);
    CHECK(strstr(said, "pumice: vulkan: ") && strstr(said, "older than Vulkan"));
    printf("%d checks, %d failures\n", test_checks, test_failures);
    return test_failures != 0;
}
