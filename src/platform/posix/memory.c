// SPDX-License-Identifier: Apache-2.0
// Pages over mmap(). See platform.h.
#define _GNU_SOURCE
#include "platform/platform.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef MAP_NORESERVE
#define MAP_NORESERVE 0
#endif
#ifndef MAP_ANONYMOUS
#define MAP_ANONYMOUS MAP_ANON
#endif
#ifdef MAP_FIXED_NOREPLACE
#define ONLY_HERE MAP_FIXED_NOREPLACE
#else
#define ONLY_HERE 0 // a hint, checked afterwards
#endif

void *pages_map(size_t size, size_t alignment)
{
    size_t whole = size + alignment;
    if (whole < size)
        return NULL;
    char *space = mmap(NULL, whole, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (space == MAP_FAILED)
        return NULL;
    if (!alignment)
        return space;
    size_t before = -(uintptr_t)space & (alignment - 1);
    if (before)
        munmap(space, before);
    if (alignment - before)
        munmap(space + before + size, alignment - before);
    return space + before;
}

void pages_unmap(void *at, size_t size) { munmap(at, size); }

bool pages_map_at(void *at, size_t size, bool usable)
{
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | ONLY_HERE;
    void *got = mmap(at, size, usable ? PROT_READ | PROT_WRITE : PROT_NONE, flags, -1, 0);
    if (got != MAP_FAILED && got != at)
        munmap(got, size);
    return got == at;
}

bool pages_forbid(void *at, size_t size) { return !mprotect(at, size, PROT_NONE); }

void pages_forget(void *at, size_t size) { madvise(at, size, MADV_DONTNEED); }

void pages_drop_shared(void *at, size_t size)
{
#ifdef MADV_REMOVE
    madvise(at, size, MADV_REMOVE);
#else
    (void)at, (void)size;
#endif
}

void pages_hint_large(void *at, size_t size, bool large)
{
#ifdef MADV_HUGEPAGE
    madvise(at, size, large ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
#else
    (void)at, (void)size, (void)large;
#endif
}

void *memory_aligned(size_t alignment, size_t size)
{
    void *memory;
    return posix_memalign(&memory, alignment, size) ? NULL : memory;
}

bool memory_of_machine(uint64_t *total, uint64_t *free)
{
    long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    if (pages <= 0 || size <= 0)
        return false;
    *total = *free = (uint64_t)pages * (uint64_t)size;
    return true;
}
