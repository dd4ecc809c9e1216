// SPDX-License-Identifier: Apache-2.0
// The little that API programs take of POSIX beside threads, for Windows. Included in front of each.
#ifndef TESTS_WINDOWS_POSIX_H
#define TESTS_WINDOWS_POSIX_H

#include <direct.h>
#include <io.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { _SC_PAGESIZE = 1, _SC_NPROCESSORS_ONLN };

static inline long sysconf(int name)
{
    const char *count = getenv("NUMBER_OF_PROCESSORS");
    return name == _SC_PAGESIZE ? 4096 : count ? atol(count) : 1;
}

static inline int setenv(const char *name, const char *value, int replace)
{
    return !replace && getenv(name) ? 0 : _putenv_s(name, value);
}

static inline int unsetenv(const char *name) { return _putenv_s(name, ""); }

static inline char *mkdtemp(char *name) { return _mktemp(name) && !_mkdir(name) ? name : NULL; }

// For blocks that are never freed.
static inline void *tests_aligned_alloc(size_t alignment, size_t size)
{
    char *block = malloc(size + alignment);
    return block ? block + (-(uintptr_t)block & (alignment - 1)) : NULL;
}

#define aligned_alloc tests_aligned_alloc
#define pause() exit(1)
#define mkdir(path, mode) _mkdir(path)

#endif
