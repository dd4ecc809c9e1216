// SPDX-License-Identifier: Apache-2.0
// Pages over VirtualAlloc(). See platform.h.
#include "platform/windows/windows_private.h"
#include "platform/platform.h"

#include <malloc.h>

enum { TRIES = 16 };

static void *map(void *at, size_t size, DWORD type, DWORD protection) { return VirtualAlloc(at, size, type, protection); }

// Parts of a mapping cannot be freed. So an aligned address is determined first, then mapped if no
// other thread was faster.
void *pages_map(size_t size, size_t alignment)
{
    size_t whole = size + alignment;
    if (!alignment)
        return map(NULL, size, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
    for (int i = 0; i < TRIES && whole > size; i++) {
        char *space = map(NULL, whole, MEM_RESERVE, PAGE_NOACCESS);
        if (!space)
            return NULL;
        uintptr_t before = -(uintptr_t)space & (alignment - 1);
        VirtualFree(space, 0, MEM_RELEASE);
        void *found = map(space + before, size, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
        if (found)
            return found;
    }
    return NULL;
}

void pages_unmap(void *at, size_t size)
{
    (void)size;
    VirtualFree(at, 0, MEM_RELEASE);
}

bool pages_map_at(void *at, size_t size, bool usable)
{
    void *got = map(at, size, usable ? MEM_RESERVE | MEM_COMMIT : MEM_RESERVE, usable ? PAGE_READWRITE : PAGE_NOACCESS);
    if (got && got != at) // begins at a multiple of 64 KiB
        VirtualFree(got, 0, MEM_RELEASE);
    return got == at;
}

bool pages_forbid(void *at, size_t size)
{
    DWORD before;
    return VirtualProtect(at, size, PAGE_NOACCESS, &before);
}

void pages_forget(void *at, size_t size) { map(at, size, MEM_RESET, PAGE_READWRITE); }

void pages_drop_shared(void *at, size_t size) { (void)at, (void)size; }

void pages_hint_large(void *at, size_t size, bool large) { (void)at, (void)size, (void)large; }

void *memory_aligned(size_t alignment, size_t size) { return _aligned_malloc(size, alignment); }

bool memory_of_machine(uint64_t *total, uint64_t *free)
{
    MEMORYSTATUSEX status = {.dwLength = sizeof status};
    if (!GlobalMemoryStatusEx(&status))
        return false;
    *total = status.ullTotalPhys;
    *free = status.ullAvailPhys;
    return true;
}
