// SPDX-License-Identifier: Apache-2.0
// Files that a parent has opened -> /dev/null, in its child. See inherited.h.
#define _GNU_SOURCE
#include "vulkan/inherited.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_meant(int folder, const char *name, const char *prefix)
{
    char path[PATH_MAX];
    ssize_t length = readlinkat(folder, name, path, sizeof path);
    return length >= (ssize_t)strlen(prefix) && !memcmp(path, prefix, strlen(prefix));
}

bool vk_inherited_drop(const char *prefix)
{
    DIR *folder = opendir("/proc/self/fd");
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    bool all = folder && nothing >= 0;
    for (struct dirent *entry; all && (entry = readdir(folder));)
        if (is_meant(dirfd(folder), entry->d_name, prefix))
            all = dup3(nothing, atoi(entry->d_name), O_CLOEXEC) >= 0;
    if (nothing >= 0)
        close(nothing);
    if (folder)
        closedir(folder);
    return all;
}
