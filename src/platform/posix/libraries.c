// SPDX-License-Identifier: Apache-2.0
// Dynamic libraries on POSIX systems, and the NT_GNU_BUILD_ID note of this library. See platform.h.
#define _GNU_SOURCE
#include "platform/platform.h"

#include <dlfcn.h>

void *library_open(const char *name) { return dlopen(name, RTLD_NOW | RTLD_LOCAL); }

void *library_loaded(const char *name) { return dlopen(name, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD); }

void library_close(void *library) { dlclose(library); }

const char *library_error(void) { return dlerror(); }

void *library_find(void *library, const char *name) { return dlsym(library, name); }

void *library_find_program(const char *name) { return dlsym(RTLD_DEFAULT, name); }

void library_make_global(const char *name)
{
    dlopen(name, RTLD_LAZY | RTLD_GLOBAL);
}

#ifdef __APPLE__ // a different file format

unsigned long long library_loads(void) { return 0; }

const void *library_build_id(size_t *size)
{
    *size = 0;
    return NULL;
}

#else

#include <link.h>
#include <string.h>

#ifndef NT_GNU_BUILD_ID
#define NT_GNU_BUILD_ID 3
#endif

static int read_loads(struct dl_phdr_info *info, size_t size, void *loads)
{
    (void)size;
    *(unsigned long long *)loads = info->dlpi_adds;
    return 1; // the same for all entries
}

unsigned long long library_loads(void)
{
    unsigned long long loads = 0;
    dl_iterate_phdr(read_loads, &loads);
    return loads;
}

struct search {
    const void *id;
    size_t size;
};

static size_t align_note(size_t size)
{
    return (size + 3) / 4 * 4;
}

static void search_notes(struct search *search, const uint8_t *at, size_t left)
{
    static const char owner[] = "GNU";
    while (left > sizeof(ElfW(Nhdr))) {
        const ElfW(Nhdr) *note = (const void *)at;
        size_t name = sizeof *note, text = name + align_note(note->n_namesz),
               size = text + align_note(note->n_descsz);
        if (size > left)
            return;
        if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == sizeof owner && !memcmp(at + name, owner, sizeof owner)) {
            search->id = at + text;
            search->size = note->n_descsz;
        }
        at += size;
        left -= size;
    }
}

static bool contains_address(const struct dl_phdr_info *file, uintptr_t address)
{
    for (int i = 0; i < file->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &file->dlpi_phdr[i];
        if (part->p_type == PT_LOAD && address - file->dlpi_addr - part->p_vaddr < part->p_memsz)
            return true;
    }
    return false;
}

static int visit(struct dl_phdr_info *file, size_t size, void *data)
{
    static const char here;
    (void)size;
    if (!contains_address(file, (uintptr_t)&here))
        return 0;
    for (int i = 0; i < file->dlpi_phnum; i++)
        if (file->dlpi_phdr[i].p_type == PT_NOTE)
            search_notes(data, (const uint8_t *)(file->dlpi_addr + file->dlpi_phdr[i].p_vaddr),
                         file->dlpi_phdr[i].p_memsz);
    return 1;
}

const void *library_build_id(size_t *size)
{
    struct search search = {0};
    dl_iterate_phdr(visit, &search);
    *size = search.size;
    return search.id;
}
#endif
