// SPDX-License-Identifier: Apache-2.0
// The POSIX functions that API programs need, other than threads, for Windows. Included before each
// source file.
#ifndef TESTS_WINDOWS_POSIX_H
#define TESTS_WINDOWS_POSIX_H

#include <direct.h>
#include <fcntl.h>
#include <io.h>
#include <malloc.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
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

// A temporary file that is deleted when closed, because Windows cannot delete an open file.
// Replaces the path in test.h.
static inline int tests_mkstemp(char *path)
{
    strcpy(path, "test_log_XXXXXX");
    return _mktemp(path) ? _open(path, _O_CREAT | _O_EXCL | _O_RDWR, _S_IREAD | _S_IWRITE) : -1;
}

// The only shell command that programs use.
static inline int tests_system(const char *command)
{
    char text[256] = "rmdir /s /q ";
    const char *folder = strrchr(command, ' ');
    for (size_t at = strlen(text); folder && *++folder && at < sizeof text - 1; at++)
        text[at] = *folder == '/' ? '\\' : *folder;
    return system(text);
}

// posix.c: sched.h and sys/resource.h for the calling thread
typedef struct {
    uint64_t processors;
} cpu_set_t;
#define CPU_ZERO(set) ((set)->processors = 0)
#define CPU_SET(one, set) ((set)->processors |= 1ull << (one))
#define CPU_ISSET(one, set) ((set)->processors >> (one)&1)
enum { PRIO_PROCESS };
int sched_getaffinity(int thread, size_t size, cpu_set_t *set);
int sched_setaffinity(int thread, size_t size, const cpu_set_t *set);
int setpriority(int which, int thread, int nice);

// posix.c: malloc.h, dlfcn.h
struct mallinfo2 {
    size_t uordblks;
};
struct mallinfo2 mallinfo2(void);
enum { RTLD_LOCAL, RTLD_NOW };
void *dlopen(const char *path, int flags);
void *dlsym(void *library, const char *name);
int dlclose(void *library);

// posix.c: ends the process as SIGKILL does, with this exit status
enum { SIGKILL = 9 };
int tests_raise(int signal);

#define raise(signal) tests_raise(signal)
#define system(command) tests_system(command)
#define mkstemp tests_mkstemp
#define aligned_alloc tests_aligned_alloc
#define pause() exit(1)
#define alarm(seconds) ((void)(seconds)) // run.sh ends programs that hang
#undef signbit
#define signbit(x) __builtin_signbit(x)
#define mkdir(path, mode) _mkdir(path)

#endif
