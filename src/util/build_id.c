// SPDX-License-Identifier: Apache-2.0
// The note of type NT_GNU_BUILD_ID in the file's own segments. See build_id.h.
#define _GNU_SOURCE
#include "util/build_id.h"

#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

struct search {
    const void *id;
    size_t size;
};

static size_t padded(size_t size)
{
    return (size + 3) / 4 * 4;
}

static void look_through(struct search *search, const uint8_t *at, size_t left)
{
    static const char owner[] = "GNU";
    while (left > sizeof(ElfW(Nhdr))) {
        const ElfW(Nhdr) *note = (const void *)at;
        size_t name = sizeof *note, text = name + padded(note->n_namesz), size = text + padded(note->n_descsz);
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

static bool holds(const struct dl_phdr_info *file, uintptr_t address)
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
    if (!holds(file, (uintptr_t)&here))
        return 0;
    for (int i = 0; i < file->dlpi_phnum; i++)
        if (file->dlpi_phdr[i].p_type == PT_NOTE)
            look_through(data, (const uint8_t *)(file->dlpi_addr + file->dlpi_phdr[i].p_vaddr), file->dlpi_phdr[i].p_memsz);
    return 1;
}

const void *build_id(size_t *size)
{
    struct search search = {0};
    dl_iterate_phdr(visit, &search);
    *size = search.size;
    return search.id;
}
