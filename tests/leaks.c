// SPDX-License-Identifier: Apache-2.0
// Leak detection for Pumice under AddressSanitizer: finds blocks that our code has allocated and to
// which nothing in it points.
//
// LeakSanitizer stops all threads at the end of the process and sometimes crashes, because the
// driver's threads and generated code go away meanwhile. Here nothing is stopped: a test calls this
// after releasing everything, with idle threads. Blocks belong to us if the caller of malloc is a
// library under test or the test. Roots are their variables; stacks are not. Blocks to which only
// the driver's memory points count as leaks; there should be none.
//
// A program that includes this does not use LeakSanitizer. Without AddressSanitizer no leaks are
// found.
#define _GNU_SOURCE
#include "leaks.h"

#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__ 1
#endif
#endif

void leaks_watch(void)
{
}

#ifndef __SANITIZE_ADDRESS__

unsigned leaks_count(bool patient)
{
    (void)patient;
    return 0;
}

#else

#include <link.h>
#include <pthread.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// From the sanitizer, whose headers are not always installed.
int __sanitizer_install_malloc_and_free_hooks(void (*made)(const volatile void *, size_t),
                                              void (*gone)(const volatile void *));
size_t __sanitizer_get_allocated_size(const volatile void *at);
size_t __asan_get_alloc_stack(void *at, void **trace, size_t size, int *thread);
void __sanitizer_symbolize_pc(void *pc, const char *format, char *out, size_t size);

enum { SLOTS = 1 << 24, PART = 1 << 12, STRIP = 1 << 9 };
enum { DEPTH = 8, MODULES = 8, SEGMENTS = 32, TOLD = 5 };

struct block {
    uintptr_t at, size;
    bool seen;
};

struct range {
    uintptr_t begin, end;
};

// Hash table of all live blocks of the process by address; 0: free slot.
static uintptr_t *table;
static bool touched[SLOTS / STRIP]; // strips that have ever been used: most are not backed by
                                    // memory
static unsigned used;
static volatile char lock;
static struct range code[MODULES * 4], variables[SEGMENTS];
static unsigned code_count, variable_count;

__attribute__((visibility("default"))) const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "detect_leaks=0:quarantine_size_mb=64"; // instead of 256: a third less memory for a test
}

#define UNCHECKED __attribute__((no_sanitize("address", "undefined")))

// Adjacent addresses have adjacent slots.
static UNCHECKED unsigned slot_of(uintptr_t at)
{
    unsigned part = (unsigned)((at >> 16) * UINT64_C(0x9E3779B97F4A7C15) >> 52) * PART;
    return part + (at >> 4) % PART;
}

static UNCHECKED void take(void)
{
    while (__atomic_test_and_set(&lock, __ATOMIC_ACQUIRE))
        sched_yield(); // the lock's owner may be waiting for this processor
}

static UNCHECKED void give(void)
{
    __atomic_clear(&lock, __ATOMIC_RELEASE);
}

static UNCHECKED unsigned find(uintptr_t at)
{
    unsigned slot = slot_of(at);
    while (table[slot] && table[slot] != at)
        slot = (slot + 1) & (SLOTS - 1);
    return slot;
}

static UNCHECKED void on_malloc(const volatile void *at, size_t size)
{
    (void)size;
    take();
    unsigned slot = find((uintptr_t)at);
    used += !table[slot];
    if (used > SLOTS / 2)
        abort();
    table[slot] = (uintptr_t)at;
    touched[slot / STRIP] = true;
    give();
}

// Moves later entries of the same run of slots into the gap if possible.
static UNCHECKED void close_gap(unsigned gap)
{
    for (unsigned next = (gap + 1) & (SLOTS - 1); table[next]; next = (next + 1) & (SLOTS - 1)) {
        unsigned home = slot_of(table[next]);
        if (((next - home) & (SLOTS - 1)) < ((next - gap) & (SLOTS - 1)))
            continue;
        table[gap] = table[next];
        gap = next;
    }
    table[gap] = 0;
    used--;
}

static UNCHECKED void on_free(const volatile void *at)
{
    take();
    unsigned slot = find((uintptr_t)at);
    if (at && table[slot])
        close_gap(slot);
    give();
}

__attribute__((constructor)) static void begin_watching(void)
{
    table = mmap(NULL, SLOTS * sizeof *table, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    // The lock must be free in a child.
    if (table == MAP_FAILED || pthread_atfork(take, give, give) ||
        !__sanitizer_install_malloc_and_free_hooks(on_malloc, on_free))
        abort();
}

// ---- ownership ----------------------------------------------------------------------------------

static int add_module(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size, (void)data;
    if (*info->dlpi_name && !strstr(info->dlpi_name, "/libpumice.so") &&
        !strstr(info->dlpi_name, "/dropin/libOpenCL.so"))
        return 0;
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        struct range range = {info->dlpi_addr + p->p_vaddr,
                              info->dlpi_addr + p->p_vaddr + p->p_memsz};
        if (p->p_type != PT_LOAD)
            continue;
        if (p->p_flags & PF_X && code_count < sizeof code / sizeof *code)
            code[code_count++] = range;
        if (p->p_flags & PF_W && variable_count < SEGMENTS)
            variables[variable_count++] = range;
    }
    return 0;
}

// Determined by the first caller outside the sanitizer's malloc.
static bool is_ours(uintptr_t at)
{
    void *trace[DEPTH];
    size_t depth = __asan_get_alloc_stack((void *)at, trace, DEPTH, NULL);
    for (unsigned i = 0; depth > 1 && i < code_count; i++)
        if ((uintptr_t)trace[1] >= code[i].begin && (uintptr_t)trace[1] < code[i].end)
            return true;
    return false;
}

static size_t size_of(uintptr_t at)
{
    return __sanitizer_get_allocated_size((void *)at);
}

static int compare_blocks(const void *a, const void *b)
{
    const struct block *x = a, *y = b;
    return (x->at > y->at) - (x->at < y->at);
}

// ---- the search ---------------------------------------------------------------------------------

struct search {
    struct block *blocks; // those that belong to us, by address
    size_t count, todo_count;
    size_t *todo; // found but not scanned yet
};

static UNCHECKED void look_at(struct search *s, uintptr_t word)
{
    size_t low = 0, high = s->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (s->blocks[middle].at <= word)
            low = middle + 1;
        else
            high = middle;
    }
    struct block *block = low ? &s->blocks[low - 1] : NULL;
    if (!block || block->seen || word - block->at >= (block->size ? block->size : 1))
        return;
    block->seen = true;
    s->todo[s->todo_count++] = low - 1;
}

static UNCHECKED void look_in(struct search *s, uintptr_t begin, uintptr_t end)
{
    begin = (begin + sizeof(uintptr_t) - 1) / sizeof(uintptr_t) * sizeof(uintptr_t);
    for (; begin + sizeof(uintptr_t) <= end; begin += sizeof(uintptr_t))
        look_at(s, *(volatile uintptr_t *)begin);
}

static bool list_ours(struct search *s)
{
    struct block *blocks = mmap(NULL, SLOTS * sizeof *blocks, PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    size_t *todo = mmap(NULL, SLOTS * sizeof *todo, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (blocks == MAP_FAILED || todo == MAP_FAILED)
        return false;
    *s = (struct search){blocks, 0, 0, todo};
    take(); // a block is removed from the table before it is freed
    for (unsigned strip = 0; strip < SLOTS / STRIP; strip++)
        for (unsigned i = strip * STRIP; touched[strip] && i < (strip + 1) * STRIP; i++)
            if (table[i] && is_ours(table[i]))
                blocks[s->count++] = (struct block){table[i], size_of(table[i]), false};
    give();
    qsort(blocks, s->count, sizeof *blocks, compare_blocks);
    return true;
}

static void tell_block(const struct block *block)
{
    void *trace[DEPTH];
    char where[512];
    size_t depth = __asan_get_alloc_stack((void *)block->at, trace, DEPTH, NULL);
    printf("leaked: %zu bytes, allocated\n", (size_t)block->size);
    for (size_t i = 1; i < depth; i++) {
        __sanitizer_symbolize_pc(trace[i], "%f %S", where, sizeof where);
        printf("    in %s\n", where);
    }
}

static unsigned count_lost(bool tell)
{
    struct search s;
    unsigned lost = 0;
    code_count = variable_count = 0;
    dl_iterate_phdr(add_module, NULL);
    if (!list_ours(&s))
        return 1;
    for (unsigned i = 0; i < variable_count; i++)
        look_in(&s, variables[i].begin, variables[i].end);
    while (s.todo_count) {
        const struct block *block = &s.blocks[s.todo[--s.todo_count]];
        look_in(&s, block->at, block->at + block->size);
    }
    for (size_t i = 0; i < s.count; i++)
        if (!s.blocks[i].seen && ++lost <= TOLD && tell)
            tell_block(&s.blocks[i]);
    munmap(s.blocks, SLOTS * sizeof *s.blocks);
    munmap(s.todo, SLOTS * sizeof *s.todo);
    return lost;
}

unsigned leaks_count(bool patient)
{
    for (int i = 0; patient && i < 100; i++) {
        if (!count_lost(false))
            return 0;
        usleep(20000);
    }
    return count_lost(patient);
}

#endif
