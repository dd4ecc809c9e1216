// SPDX-License-Identifier: Apache-2.0
// Memory limits of the machine and of its control groups, read from generated file trees.
#define _GNU_SOURCE
#include "check.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/host_memory.h"

#define MIB (UINT64_C(1) << 20)

static char root[] = "/tmp/pumice_host_memory_XXXXXX";

static void put(const char *name, const char *text)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", root, name);
    for (char *at = strchr(path + sizeof root, '/'); at; at = strchr(at + 1, '/')) {
        *at = '\0';
        mkdir(path, 0700);
        *at = '/';
    }
    FILE *file = fopen(path, "w");
    CHECK(file != NULL);
    if (file) {
        fputs(text, file);
        fclose(file);
    }
}

static bool says(uint64_t total, uint64_t free_bytes)
{
    struct host_memory memory;
    if (!host_memory_read(root, &memory))
        return false;
    if (memory.total != total * MIB || memory.free != free_bytes * MIB)
        printf("total %llu MiB, free %llu MiB\n", (unsigned long long)(memory.total / MIB),
               (unsigned long long)(memory.free / MIB));
    return memory.total == total * MIB && memory.free == free_bytes * MIB;
}

int main(void)
{
    char command[128];
    struct host_memory memory;
    CHECK(mkdtemp(root) != NULL);
    CHECK(!host_memory_read(root, &memory));
    put("proc/meminfo", "MemTotal:       8388608 kB\nMemFree:  1024 kB\n"
                        "MemAvailable:    6291456 kB\nBuffers: 1 kB\n");
    CHECK(says(8192, 6144));
    put("proc/self/status", "Name:\ta\nRssAnon:\t   8 kB\nRssShmem:\t    2048 kB\n");
    CHECK(host_memory_read(root, &memory) && memory.shared == 2 * MIB);

    // Version 2 of control groups; the smallest limit of a group and its ancestors.
    put("proc/self/cgroup", "0::/outer/inner\n");
    CHECK(says(8192, 6144));
    put("sys/fs/cgroup/outer/inner/memory.max", "max\n");
    put("sys/fs/cgroup/outer/memory.max", "1073741824\n");
    put("sys/fs/cgroup/outer/memory.current", "536870912\n");
    CHECK(says(1024, 512));
    put("sys/fs/cgroup/outer/memory.stat", "anon 1\ninactive_file 134217728\nfile 2\n");
    CHECK(says(1024, 640));
    put("sys/fs/cgroup/outer/memory.current", "2147483648\n"); // above its limit for a moment
    CHECK(says(1024, 0));
    put("sys/fs/cgroup/outer/memory.max", "9223372036854771712\n");
    CHECK(says(8192, 6144));

    // Version 1, with the container's own group as its root: the path is that outside the container
    // and does not exist.
    put("proc/self/cgroup", "3:cpu,cpuacct:/x\n4:memory:/docker/abc\n0::/\n");
    put("sys/fs/cgroup/memory/memory.limit_in_bytes", "2147483648\n");
    put("sys/fs/cgroup/memory/memory.usage_in_bytes", "1073741824\n");
    put("sys/fs/cgroup/memory/memory.stat", "inactive_file 5\ntotal_inactive_file 1048576\n");
    CHECK(says(2048, 1025));
    put("sys/fs/cgroup/memory/docker/abc/memory.limit_in_bytes", "1073741824\n");
    put("sys/fs/cgroup/memory/docker/abc/memory.usage_in_bytes", "1048576\n");
    CHECK(says(1024, 1023));

    // The real files.
    CHECK(host_memory_read("", &memory) && memory.free && memory.free <= memory.total);
    snprintf(command, sizeof command, "rm -r %s", root);
    CHECK(system(command) == 0);
    return check_result();
}
