// SPDX-License-Identifier: Apache-2.0
// The files of the cache. See cache.h.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "util/log.h"
#include "vulkan/cache.h"

enum {
    PATH_SIZE = 4096,
    NAME_LEAST = 2 * VK_UUID_SIZE + 1, // of our files: the driver in hexadecimal, a dot, and more
    SIDE_LENGTH = 7,                   // of what mkstemp() makes of ".XXXXXX"
    HOUR = 3600,
    DAY = 24 * HOUR,
    LOCK_STEPS = 500,
    LOCK_STEP_US = 4000,
};

struct file_head {
    char magic[8];
    uint8_t key[VK_UUID_SIZE];
    uint64_t size, began, checksum;
};

static const char file_magic[8] = "pumice2";

// FNV-1a, eight bytes at a time: against damage, not against malice.
static uint64_t checksum(const void *data, size_t size, uint64_t began)
{
    const uint8_t *bytes = data;
    uint64_t hash = UINT64_C(0xcbf29ce484222325) ^ began, word;
    for (; size >= sizeof word; size -= sizeof word, bytes += sizeof word) {
        memcpy(&word, bytes, sizeof word);
        hash = (hash ^ word) * UINT64_C(0x100000001b3);
        hash ^= hash >> 32;
    }
    for (; size; size--, bytes++)
        hash = (hash ^ *bytes) * UINT64_C(0x100000001b3);
    return hash;
}

// ---- reading ------------------------------------------------------------------------------------

// A plain file, opened without waiting for anybody: a pipe of that name would have us wait forever.
static FILE *open_plain(const char *path, struct stat *found)
{
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    FILE *file = NULL;
    if (fd >= 0 && !fstat(fd, found) && S_ISREG(found->st_mode))
        file = fdopen(fd, "rb");
    if (!file && fd >= 0)
        close(fd);
    return file;
}

static bool head_fits(const struct file_head *head, const uint8_t *key, const struct stat *found)
{
    return !memcmp(head->magic, file_magic, sizeof file_magic) &&
           !memcmp(head->key, key, VK_UUID_SIZE) && head->size <= VK_CACHE_MAX &&
           (uint64_t)found->st_size == sizeof *head + head->size;
}

// Shows those who sweep that the file is in use.
static void mark_used(int fd, const struct stat *found)
{
    if (time(NULL) - found->st_mtime > DAY)
        futimens(fd, NULL);
}

bool vk_cache_file_read(const char *path, const uint8_t *key, struct vk_cache_file *out)
{
    struct file_head head;
    struct stat found;
    FILE *file = open_plain(path, &found);
    void *data = NULL;
    *out = (struct vk_cache_file){0};
    if (!file)
        return false;
    if (fread(&head, sizeof head, 1, file) == 1 && head_fits(&head, key, &found))
        data = malloc(head.size + 1);
    if (data && (fread(data, 1, head.size, file) != head.size ||
                 checksum(data, head.size, head.began) != head.checksum)) {
        free(data);
        data = NULL;
    }
    if (data) {
        mark_used(fileno(file), &found);
        *out = (struct vk_cache_file){data, head.size, head.began, head.checksum};
    }
    fclose(file);
    return data != NULL;
}

// ---- writing ------------------------------------------------------------------------------------

bool vk_cache_file_write(const char *path, const uint8_t *key, const void *data, size_t size,
                         uint64_t began)
{
    char side[PATH_SIZE];
    struct file_head head = {.size = size, .began = began, .checksum = checksum(data, size, began)};
    memcpy(head.magic, file_magic, sizeof file_magic);
    memcpy(head.key, key, VK_UUID_SIZE);
    if (size > VK_CACHE_MAX || snprintf(side, sizeof side, "%s.XXXXXX", path) >= (int)sizeof side)
        return false;
    int fd = mkostemp(side, O_CLOEXEC);
    FILE *file = fd >= 0 ? fdopen(fd, "wb") : NULL;
    if (!file) {
        if (fd >= 0)
            close(fd);
        return false;
    }
    bool written = fwrite(&head, sizeof head, 1, file) == 1 && fwrite(data, 1, size, file) == size;
    written &= fclose(file) == 0;
    if (written && rename(side, path) == 0)
        return true;
    unlink(side);
    return false;
}

// ---- the folder ---------------------------------------------------------------------------------

static bool folder_of(const char *path, char *folder)
{
    const char *slash = strrchr(path, '/');
    if (!slash || slash == path || slash - path >= PATH_SIZE)
        return false;
    memcpy(folder, path, (size_t)(slash - path));
    folder[slash - path] = '\0';
    return true;
}

void vk_cache_make_folder(const char *path)
{
    char folder[PATH_SIZE];
    for (const char *at = strchr(path + 1, '/'); at; at = strchr(at + 1, '/')) {
        memcpy(folder, path, (size_t)(at - path));
        folder[at - path] = '\0';
        if (mkdir(folder, 0700) && errno != EEXIST)
            return;
    }
}

int vk_cache_lock(const char *path)
{
    char folder[PATH_SIZE];
    int fd = folder_of(path, folder) ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    for (int i = 0; fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) && i < LOCK_STEPS; i++)
        usleep(LOCK_STEP_US);
    return fd;
}

void vk_cache_unlock(int lock)
{
    if (lock >= 0)
        close(lock);
}

static bool is_ours(const char *name)
{
    size_t digits = strspn(name, "0123456789abcdef");
    return digits == NAME_LEAST - 1 && name[digits] == '.';
}

// Whether it was only to become a file: who wrote it has been ended, if that was long ago.
static bool is_side_file(const char *name)
{
    const char *dot = strrchr(name, '.');
    return strlen(dot) == SIDE_LENGTH && dot - name > NAME_LEAST;
}

static void sweep_file(int folder, const char *name)
{
    struct stat found;
    if (!is_ours(name) || fstatat(folder, name, &found, AT_SYMLINK_NOFOLLOW) ||
        !S_ISREG(found.st_mode))
        return;
    time_t unused = time(NULL) - found.st_mtime;
    if (unused < (is_side_file(name) ? HOUR : VK_CACHE_UNUSED_DAYS * DAY))
        return;
    if (!unlinkat(folder, name, 0))
        log_write(LOG_VULKAN, "cache: %s is swept", name);
}

void vk_cache_sweep(const char *path)
{
    char name[PATH_SIZE];
    DIR *folder = folder_of(path, name) ? opendir(name) : NULL;
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        sweep_file(dirfd(folder), entry->d_name);
    if (folder)
        closedir(folder);
}
