// SPDX-License-Identifier: Apache-2.0
// Files, folders and streams on Windows, with UTF-8 names. See platform.h.
#include "platform/windows/windows_private.h"
#include "platform/platform.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <share.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { LOCK_MS = 2000, COMMAND_SIZE = 8192, NAMES_TRIED = 100 };
#define UNIX_EPOCH_S UINT64_C(11644473600) // seconds since 1601

// ---- names ---------------------------------------------------------------------------------------

bool wide_of(const char *text, wchar_t *wide, size_t count)
{
    return MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text, -1, wide, (int)count) > 0;
}

bool text_of(const wchar_t *wide, char *text, size_t size)
{
    return WideCharToMultiByte(CP_UTF8, 0, wide, -1, text, (int)size, NULL, NULL) > 0;
}

bool path_separates(char c) { return c == '/' || c == '\\'; }

bool path_is_absolute(const char *path) { return path_separates(*path) || (*path && path[1] == ':'); }

const char *path_last_separator(const char *path)
{
    const char *found = NULL;
    for (; *path; path++)
        if (path_separates(*path))
            found = path;
    return found;
}

// ---- files ---------------------------------------------------------------------------------------

// Always in binary mode, so that files are the same on all systems. N: not inherited by child
// programs.
FILE *file_open(const char *path, const char *mode)
{
    wchar_t wide[WIDE_PATH], how[8];
    if (!wide_of(path, wide, WIDE_PATH))
        return NULL;
    swprintf(how, sizeof how / sizeof *how, L"%hs%lsN", mode, strchr(mode, 'b') ? L"" : L"b");
    return _wfopen(wide, how);
}

FILE *file_open_plain(const char *path, struct file_facts *facts)
{
    wchar_t wide[WIDE_PATH];
    WIN32_FILE_ATTRIBUTE_DATA found;
    if (!wide_of(path, wide, WIDE_PATH) || !GetFileAttributesExW(wide, GetFileExInfoStandard, &found) ||
        found.dwFileAttributes & (FILE_ATTRIBUTE_DIRECTORY | FILE_ATTRIBUTE_DEVICE))
        return NULL;
    facts->size = (uint64_t)found.nFileSizeHigh << 32 | found.nFileSizeLow;
    facts->modified = ((uint64_t)found.ftLastWriteTime.dwHighDateTime << 32 | found.ftLastWriteTime.dwLowDateTime) / 10000000 -
                      UNIX_EPOCH_S;
    return _wfopen(wide, L"rbN");
}

void file_mark_used(FILE *file)
{
    HANDLE handle = ReOpenFile((HANDLE)_get_osfhandle(_fileno(file)), FILE_WRITE_ATTRIBUTES,
                               FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, 0);
    FILETIME now;
    if (handle == INVALID_HANDLE_VALUE)
        return;
    GetSystemTimeAsFileTime(&now);
    SetFileTime(handle, NULL, NULL, &now);
    CloseHandle(handle);
}

FILE *file_create_beside(const char *path, char *name, size_t size)
{
    wchar_t wide[WIDE_PATH];
    for (unsigned i = 0; i < NAMES_TRIED; i++) {
        unsigned number = (unsigned)(thread_now_ns() / 100 + i * 7919) ^ GetCurrentProcessId() << 8;
        if (snprintf(name, size, "%s.%06x", path, number & 0xffffff) >= (int)size || !wide_of(name, wide, WIDE_PATH))
            return NULL;
        int fd = _wopen(wide, _O_WRONLY | _O_CREAT | _O_EXCL | _O_BINARY | _O_NOINHERIT, _S_IREAD | _S_IWRITE);
        if (fd >= 0)
            return _fdopen(fd, "wb");
        if (errno != EEXIST)
            return NULL;
    }
    return NULL;
}

bool file_replace(const char *from, const char *to)
{
    wchar_t wide_from[WIDE_PATH], wide_to[WIDE_PATH];
    return wide_of(from, wide_from, WIDE_PATH) && wide_of(to, wide_to, WIDE_PATH) &&
           MoveFileExW(wide_from, wide_to, MOVEFILE_REPLACE_EXISTING);
}

bool file_remove(const char *path)
{
    wchar_t wide[WIDE_PATH];
    return wide_of(path, wide, WIDE_PATH) && DeleteFileW(wide);
}

// ---- folders -------------------------------------------------------------------------------------

static bool is_folder(const wchar_t *path)
{
    DWORD attributes = GetFileAttributesW(path);
    return attributes != INVALID_FILE_ATTRIBUTES && attributes & FILE_ATTRIBUTE_DIRECTORY;
}

// A profile's folders already belong to its user only.
bool folder_create(const char *path, bool only_ours)
{
    wchar_t wide[WIDE_PATH];
    (void)only_ours;
    return wide_of(path, wide, WIDE_PATH) && (CreateDirectoryW(wide, NULL) || is_folder(wide));
}

bool folder_remove(const char *path)
{
    wchar_t wide[WIDE_PATH];
    return wide_of(path, wide, WIDE_PATH) && RemoveDirectoryW(wide);
}

bool folder_writable(const char *path) { return folder_exists(path); }

bool folder_exists(const char *path)
{
    wchar_t wide[WIDE_PATH];
    return wide_of(path, wide, WIDE_PATH) && is_folder(wide);
}

bool folder_visit(const char *path, void (*visit)(void *data, const char *name, const struct file_facts *facts), void *data)
{
    char pattern[WIDE_PATH], name[4 * MAX_PATH];
    wchar_t wide[WIDE_PATH];
    WIN32_FIND_DATAW found;
    if (snprintf(pattern, sizeof pattern, "%s\\*", path) >= (int)sizeof pattern || !wide_of(pattern, wide, WIDE_PATH))
        return false;
    HANDLE search = FindFirstFileW(wide, &found);
    if (search == INVALID_HANDLE_VALUE)
        return false;
    do {
        if (found.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY || !text_of(found.cFileName, name, sizeof name))
            continue;
        uint64_t time = (uint64_t)found.ftLastWriteTime.dwHighDateTime << 32 | found.ftLastWriteTime.dwLowDateTime;
        struct file_facts facts = {(uint64_t)found.nFileSizeHigh << 32 | found.nFileSizeLow, time / 10000000 - UNIX_EPOCH_S};
        visit(data, name, &facts);
    } while (FindNextFileW(search, &found));
    FindClose(search);
    return true;
}

// A mutex whose name is derived from the path; it is released when its process ends.
intptr_t folder_lock(const char *path)
{
    wchar_t name[40];
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (; *path; path++)
        hash = (hash ^ (uint8_t)(*path == '\\' ? '/' : *path)) * UINT64_C(0x100000001b3);
    swprintf(name, sizeof name / sizeof *name, L"Local\\pumice-%08lx%08lx", (unsigned long)(hash >> 32), (unsigned long)(hash & UINT32_MAX));
    HANDLE mutex = CreateMutexW(NULL, FALSE, name);
    if (!mutex)
        return -1;
    DWORD got = WaitForSingleObject(mutex, LOCK_MS);
    if (got == WAIT_OBJECT_0 || got == WAIT_ABANDONED)
        return (intptr_t)mutex;
    CloseHandle(mutex);
    return -1;
}

void folder_unlock(intptr_t lock)
{
    if (lock == -1)
        return;
    ReleaseMutex((HANDLE)lock);
    CloseHandle((HANDLE)lock);
}

bool folder_of_caches(char *path, size_t size)
{
    char *local = process_variable("LOCALAPPDATA");
    bool found = local && path_is_absolute(local) && snprintf(path, size, "%s", local) < (int)size;
    free(local);
    return found;
}

intptr_t file_create(const char *path, bool *seekable)
{
    wchar_t wide[WIDE_PATH];
    int fd = wide_of(path, wide, WIDE_PATH)
                 ? _wsopen(wide, _O_WRONLY | _O_CREAT | _O_TRUNC | _O_BINARY | _O_NOINHERIT, _SH_DENYWR, _S_IREAD | _S_IWRITE)
                 : -1;
    if (fd < 0 && GetLastError() == ERROR_SHARING_VIOLATION)
        return FILE_IN_USE;
    *seekable = fd >= 0 && _lseeki64(fd, 0, SEEK_SET) == 0;
    return fd;
}

bool file_write(intptr_t file, const void *bytes, size_t size, bool seekable, uint64_t at)
{
    if (seekable)
        _lseeki64((int)file, (int64_t)at, SEEK_SET);
    while (size) {
        int done = _write((int)file, bytes, (unsigned)(size < 1 << 20 ? size : 1 << 20));
        if (done <= 0)
            return false;
        bytes = (const char *)bytes + done, size -= (size_t)done;
    }
    return true;
}

// ---- streams -------------------------------------------------------------------------------------

void stream_lock(FILE *stream) { _lock_file(stream); }

void stream_unlock(FILE *stream) { _unlock_file(stream); }

void stream_in_bytes(FILE *stream) { _setmode(_fileno(stream), _O_BINARY); }

bool stream_is_terminal(FILE *stream) { return _isatty(_fileno(stream)); }

FILE *stream_to_program(const char *const *words)
{
    char command[COMMAND_SIZE];
    wchar_t wide[COMMAND_SIZE];
    size_t at = 0;
    for (; *words; words++) { // names cannot contain quotation marks here
        bool plain = !strpbrk(*words, " \t&()[]{}^=;!'+,`~%");
        int length = snprintf(command + at, sizeof command - at, plain ? "%s " : "\"%s\" ", *words);
        if (length < 0 || (size_t)length >= sizeof command - at - 8 || strchr(*words, '"'))
            return NULL;
        at += (size_t)length;
    }
    strcpy(command + at, "2>NUL");
    return wide_of(command, wide, COMMAND_SIZE) ? _wpopen(wide, L"wb") : NULL;
}

bool stream_end_program(FILE *stream) { return _pclose(stream) == 0; }

// ---- descriptors: what other APIs give and take here are handles ----------------------------------

int descriptor_copy(int descriptor)
{
    (void)descriptor;
    return -1;
}

void descriptor_close(int descriptor) { (void)descriptor; }

bool descriptor_is_open(int descriptor)
{
    (void)descriptor;
    return false;
}

bool descriptor_is_ready(int descriptor)
{
    (void)descriptor;
    return false;
}

int64_t descriptor_size(int descriptor)
{
    (void)descriptor;
    return -1;
}

enum descriptor_kind descriptor_kind(int descriptor, struct descriptor_identity *identity)
{
    (void)descriptor, (void)identity;
    return DESCRIPTOR_BAD;
}
