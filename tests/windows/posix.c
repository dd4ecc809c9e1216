// SPDX-License-Identifier: Apache-2.0
// Functions of posix.h that need windows.h.
#include "posix.h"

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

int sched_getaffinity(int thread, size_t size, cpu_set_t *set)
{
    DWORD_PTR own, all;
    (void)thread, (void)size;
    if (!GetProcessAffinityMask(GetCurrentProcess(), &own, &all))
        return -1;
    set->processors = own;
    return 0;
}

int sched_setaffinity(int thread, size_t size, const cpu_set_t *set)
{
    (void)thread, (void)size;
    return SetThreadAffinityMask(GetCurrentThread(), (DWORD_PTR)set->processors) ? 0 : -1;
}

int setpriority(int which, int thread, int nice)
{
    (void)which, (void)thread;
    return SetThreadPriority(GetCurrentThread(), nice > 0 ? THREAD_PRIORITY_IDLE : THREAD_PRIORITY_NORMAL) ? 0 : -1;
}

struct mallinfo2 mallinfo2(void)
{
    struct mallinfo2 all = {0};
    HANDLE heap = (HANDLE)_get_heap_handle();
    PROCESS_HEAP_ENTRY entry = {.lpData = NULL};
    HeapLock(heap);
    while (HeapWalk(heap, &entry))
        if (entry.wFlags & PROCESS_HEAP_ENTRY_BUSY)
            all.uordblks += entry.cbData;
    HeapUnlock(heap);
    return all;
}

// The library of the platform, if `path` is a name of Linux's.
void *dlopen(const char *path, int flags)
{
    (void)flags;
    return LoadLibraryA(strstr(path, ".so") ? "OpenCL.dll" : path);
}

void *dlsym(void *library, const char *name) { return (void *)(uintptr_t)GetProcAddress(library, name); }

int dlclose(void *library) { return FreeLibrary(library) ? 0 : -1; }

int tests_raise(int signal)
{
    TerminateProcess(GetCurrentProcess(), (UINT)signal);
    return -1;
}
