// SPDX-License-Identifier: Apache-2.0
// Files, folders, streams and descriptors of a POSIX system. See platform.h.
#define _GNU_SOURCE
#include "platform/platform.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LOCK_STEPS = 4000, LOCK_STEP_US = 500, COMMAND_SIZE = 8192 };

// ---- files ---------------------------------------------------------------------------------------

FILE *file_open(const char *path, const char *mode)
{
    FILE *file = fopen(path, mode);
    if (file)
        fcntl(fileno(file), F_SETFD, FD_CLOEXEC);
    return file;
}

static struct file_facts facts_of(const struct stat *found)
{
    return (struct file_facts){.size = (uint64_t)found->st_size, .modified = (uint64_t)found->st_mtime};
}

FILE *file_open_plain(const char *path, struct file_facts *facts)
{
    struct stat found;
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    FILE *file = NULL;
    if (fd >= 0 && !fstat(fd, &found) && S_ISREG(found.st_mode))
        file = fdopen(fd, "rb");
    if (!file && fd >= 0)
        close(fd);
    if (file)
        *facts = facts_of(&found);
    return file;
}

void file_mark_used(FILE *file) { futimens(fileno(file), NULL); }

FILE *file_create_beside(const char *path, char *name, size_t size)
{
    if (snprintf(name, size, "%s.XXXXXX", path) >= (int)size)
        return NULL;
    int fd = mkstemp(name);
    FILE *file = fd >= 0 ? fdopen(fd, "wb") : NULL;
    if (!file && fd >= 0)
        close(fd);
    if (file)
        fcntl(fd, F_SETFD, FD_CLOEXEC);
    return file;
}

bool file_replace(const char *from, const char *to) { return !rename(from, to); }

bool file_remove(const char *path) { return !unlink(path); }

bool folder_create(const char *path, bool only_ours)
{
    return !mkdir(path, only_ours ? 0700 : 0777) || errno == EEXIST;
}

bool folder_remove(const char *path) { return !rmdir(path); }

bool folder_writable(const char *path) { return !access(path, W_OK); }

bool folder_exists(const char *path)
{
    struct stat found;
    return !stat(path, &found) && S_ISDIR(found.st_mode);
}

bool folder_visit(const char *path, void (*visit)(void *data, const char *name, const struct file_facts *facts), void *data)
{
    DIR *folder = opendir(path);
    if (!folder)
        return false;
    for (struct dirent *entry; (entry = readdir(folder));) {
        struct stat found;
        if (fstatat(dirfd(folder), entry->d_name, &found, AT_SYMLINK_NOFOLLOW) || !S_ISREG(found.st_mode))
            continue;
        struct file_facts facts = facts_of(&found);
        visit(data, entry->d_name, &facts);
    }
    closedir(folder);
    return true;
}

intptr_t folder_lock(const char *path)
{
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    for (int i = 0; fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) && i < LOCK_STEPS; i++)
        thread_sleep_us(LOCK_STEP_US);
    return fd;
}

void folder_unlock(intptr_t lock)
{
    if (lock >= 0)
        close((int)lock);
}

bool folder_of_caches(char *path, size_t size)
{
    char *base = process_variable("XDG_CACHE_HOME"), *home = process_variable("HOME");
    int length = -1;
    if (base && *base == '/')
        length = snprintf(path, size, "%s", base);
    else if (home && *home == '/')
        length = snprintf(path, size, "%s/.cache", home);
    free(base);
    free(home);
    return length >= 0 && (size_t)length < size;
}

intptr_t file_create(const char *path, bool *seekable)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    *seekable = fd >= 0 && lseek(fd, 0, SEEK_SET) == 0;
    if (*seekable && flock(fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK) {
        close(fd);
        return FILE_IN_USE;
    }
    if (*seekable && ftruncate(fd, 0)) {
        close(fd);
        return -1;
    }
    return fd;
}

bool file_write(intptr_t file, const void *bytes, size_t size, bool seekable, uint64_t at)
{
    while (size) {
        ssize_t done = seekable ? pwrite((int)file, bytes, size, (off_t)at) : write((int)file, bytes, size);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return false;
        bytes = (const char *)bytes + done, size -= (size_t)done, at += (uint64_t)done;
    }
    return true;
}

bool path_separates(char c) { return c == '/'; }

bool path_is_absolute(const char *path) { return *path == '/'; }

const char *path_last_separator(const char *path) { return strrchr(path, '/'); }

// ---- streams -------------------------------------------------------------------------------------

void stream_lock(FILE *stream) { flockfile(stream); }

void stream_unlock(FILE *stream) { funlockfile(stream); }

void stream_in_bytes(FILE *stream) { (void)stream; }

bool stream_is_terminal(FILE *stream) { return isatty(fileno(stream)); }

static size_t quote(char *to, size_t size, const char *word)
{
    size_t at = 0;
    if (size < 4 * strlen(word) + 4)
        return 0;
    to[at++] = '\'';
    for (; *word; word++) {
        if (*word == '\'')
            at += (size_t)sprintf(to + at, "'\\'");
        to[at++] = *word;
    }
    at += (size_t)sprintf(to + at, "' ");
    return at;
}

FILE *stream_to_program(const char *const *words)
{
    static const char quiet[] = "2>/dev/null";
    char command[COMMAND_SIZE];
    size_t at = 0;
    for (; *words; words++) {
        size_t length = quote(command + at, sizeof command - sizeof quiet - at, *words);
        if (!length)
            return NULL;
        at += length;
    }
    memcpy(command + at, quiet, sizeof quiet);
    return popen(command, "w");
}

bool stream_end_program(FILE *stream) { return pclose(stream) == 0; }

// ---- descriptors ---------------------------------------------------------------------------------

int descriptor_copy(int descriptor) { return fcntl(descriptor, F_DUPFD_CLOEXEC, 0); }

void descriptor_close(int descriptor) { close(descriptor); }

bool descriptor_is_open(int descriptor) { return fcntl(descriptor, F_GETFD) >= 0; }

bool descriptor_is_ready(int descriptor)
{
    struct pollfd look = {.fd = descriptor, .events = POLLIN};
    return poll(&look, 1, 0) == 1;
}

int64_t descriptor_size(int descriptor)
{
    off_t end = lseek(descriptor, 0, SEEK_END);
    lseek(descriptor, 0, SEEK_SET);
    return end;
}

enum descriptor_kind descriptor_kind(int descriptor, struct descriptor_identity *identity)
{
    struct stat found;
    if (fstat(descriptor, &found))
        return DESCRIPTOR_BAD;
    *identity = (struct descriptor_identity){(uint64_t)found.st_dev, (uint64_t)found.st_ino};
    if (S_ISREG(found.st_mode))
        return DESCRIPTOR_FILE;
    bool stream = S_ISFIFO(found.st_mode) || S_ISSOCK(found.st_mode) || S_ISDIR(found.st_mode);
    return stream ? DESCRIPTOR_STREAM : DESCRIPTOR_OTHER;
}
