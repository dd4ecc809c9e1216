// SPDX-License-Identifier: Apache-2.0
// Reads /proc and the files of control groups. See host_memory.h.
#include "util/host_memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "platform/platform.h"

enum { PATH_SIZE = 4096, LINE_SIZE = 4096, KIB = 1024 };

// The two versions of control groups: folder and file names of the memory controller.
static const struct group_kind {
    const char *folder, *limit, *usage, *reclaimable;
} group_kinds[] = {
    {"/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes",
     "total_inactive_file"},
    {"/sys/fs/cgroup", "memory.max", "memory.current", "inactive_file"},
};

static FILE *open_file(const char *folder, const char *name)
{
    char path[PATH_SIZE];
    if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path)
        return NULL;
    return file_open(path, "r");
}

// The number after `key` and blanks at the start of a line; with an empty key, the number at the
// start of the first line.
static bool read_number(const char *folder, const char *name, const char *key, uint64_t *value)
{
    char line[LINE_SIZE];
    size_t length = strlen(key);
    bool found = false;
    FILE *file = open_file(folder, name);
    while (file && !found && fgets(line, sizeof line, file))
        found = !strncmp(line, key, length) && sscanf(line + length, "%" SCNu64, value) == 1;
    if (file)
        fclose(file);
    return found;
}

static void lower(uint64_t *value, uint64_t most)
{
    if (most < *value)
        *value = most;
}

// A group without a limit has "max", or an impossibly large number.
static void apply_group(const struct group_kind *kind, const char *folder,
                        struct host_memory *memory)
{
    uint64_t limit, usage = 0, reclaimable = 0;
    if (!read_number(folder, kind->limit, "", &limit) || limit >= INT64_MAX / 2)
        return;
    lower(&memory->total, limit);
    read_number(folder, kind->usage, "", &usage);
    read_number(folder, "memory.stat", kind->reclaimable, &reclaimable);
    usage -= reclaimable < usage ? reclaimable : usage;
    lower(&memory->free, limit > usage ? limit - usage : 0);
}

// Applies the limits of the group and its parents. Inside a container its own group may appear as
// the outermost.
static void apply_groups(const char *root, const struct group_kind *kind, const char *group,
                         struct host_memory *memory)
{
    char folder[PATH_SIZE];
    int base = snprintf(folder, sizeof folder, "%s%s", root, kind->folder);
    int length = base + snprintf(folder + base, sizeof folder - (size_t)base, "%s", group);
    if (length >= (int)sizeof folder)
        return;
    for (char *end = folder + length; end; end = strrchr(folder + base, '/')) {
        *end = '\0';
        apply_group(kind, folder, memory);
        if (end == folder + base)
            break;
    }
}

// Lines of /proc/self/cgroup: number:controllers:group; no controllers for version 2.
static void read_groups(const char *root, struct host_memory *memory)
{
    char line[LINE_SIZE];
    FILE *file = open_file(root, "proc/self/cgroup");
    while (file && fgets(line, sizeof line, file)) {
        char *controllers = strchr(line, ':');
        char *group = controllers ? strchr(controllers + 1, ':') : NULL;
        if (!group)
            continue;
        controllers++;
        *group++ = '\0';
        group[strcspn(group, "\n")] = '\0';
        if (!strcmp(controllers, "memory"))
            apply_groups(root, &group_kinds[0], group, memory);
        else if (!*controllers)
            apply_groups(root, &group_kinds[1], group, memory);
    }
    if (file)
        fclose(file);
}

bool host_memory_read(const char *root, struct host_memory *memory)
{
    memset(memory, 0, sizeof *memory);
    if (!read_number(root, "proc/meminfo", "MemTotal:", &memory->total) ||
        !read_number(root, "proc/meminfo", "MemAvailable:", &memory->free))
        return !*root && memory_of_machine(&memory->total, &memory->free);
    read_number(root, "proc/self/status", "RssShmem:", &memory->shared);
    memory->total *= KIB;
    memory->free *= KIB;
    memory->shared *= KIB;
    read_groups(root, memory);
    return true;
}
