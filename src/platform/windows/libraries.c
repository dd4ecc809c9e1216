// SPDX-License-Identifier: Apache-2.0
// Dynamic libraries on Windows, and the build ID of this library. See platform.h.
#include "platform/windows/windows_private.h"
#include "platform/platform.h"

#include <stdio.h>
#include <string.h>

static _Thread_local char opened[256]; // the library that library_error() reports

void *library_open(const char *name)
{
    wchar_t wide[WIDE_PATH];
    snprintf(opened, sizeof opened, "%s", name);
    if (!wide_of(name, wide, WIDE_PATH)) {
        SetLastError(ERROR_INVALID_NAME);
        return NULL;
    }
    return LoadLibraryW(wide);
}

void *library_loaded(const char *name)
{
    wchar_t wide[WIDE_PATH];
    HMODULE module;
    return wide_of(name, wide, WIDE_PATH) && GetModuleHandleExW(0, wide, &module) ? module : NULL;
}

void library_close(void *library) { FreeLibrary(library); }

const char *library_error(void)
{
    static _Thread_local char text[1024];
    char reason[768];
    wchar_t wide[256];
    DWORD length = FormatMessageW(FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_IGNORE_INSERTS, NULL, GetLastError(), 0, wide,
                                  sizeof wide / sizeof *wide, NULL);
    while (length && wide[length - 1] <= L' ')
        wide[--length] = 0;
    bool known = length && text_of(wide, reason, sizeof reason);
    snprintf(text, sizeof text, "%s: %s", opened, known ? reason : "the library cannot be loaded");
    return text;
}

void *library_find(void *library, const char *name) { return (void *)(uintptr_t)GetProcAddress(library, name); }

// References name the library of a symbol.
void *library_find_program(const char *name)
{
    (void)name;
    return NULL;
}

void library_make_global(const char *name)
{
    (void)name;
}

unsigned long long library_loads(void) { return 0; }

// The linker's debug information record, which --build-id writes: "RSDS", then a 16-byte hash of
// the contents.
static const void *find_record(const uint8_t *base, size_t *size)
{
    const IMAGE_DOS_HEADER *dos = (const void *)base;
    const IMAGE_NT_HEADERS *headers = (const void *)(base + dos->e_lfanew);
    const IMAGE_DATA_DIRECTORY *place = &headers->OptionalHeader.DataDirectory[IMAGE_DIRECTORY_ENTRY_DEBUG];
    const IMAGE_DEBUG_DIRECTORY *entries = (const void *)(base + place->VirtualAddress);
    for (size_t i = 0; i < place->Size / sizeof *entries; i++) {
        const uint8_t *record = base + entries[i].AddressOfRawData;
        if (entries[i].Type != IMAGE_DEBUG_TYPE_CODEVIEW || entries[i].SizeOfData < 20 || memcmp(record, "RSDS", 4))
            continue;
        *size = 16;
        return record + 4;
    }
    return NULL;
}

const void *library_build_id(size_t *size)
{
    static const char here;
    HMODULE self;
    *size = 0;
    if (!GetModuleHandleExW(GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT,
                            (LPCWSTR)&here, &self))
        return NULL;
    return find_record((const uint8_t *)self, size);
}
