// SPDX-License-Identifier: Apache-2.0
// The files of the cache. See cache.h.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "platform/platform.h"
#include "util/log.h"
#include "vulkan/cache.h"

enum {
    PATH_SIZE = 4096,
    NAME_MIN = 2 * VK_UUID_SIZE + 1, // of our files: the driver in hexadecimal, a dot, and more
    SIDE_LENGTH = 7,                 // length of the suffix of file_create_beside()
    HOUR = 3600,
    DAY = 24 * HOUR,
};

struct file_head {
    char magic[8];
    uint8_t key[VK_UUID_SIZE];
    uint64_t size, began, checksum;
};

static const char file_magic[8] = "pumice2";

// FNV-1a, eight bytes at a time: detects damage, not manipulation.
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

static bool head_fits(const struct file_head *head, const uint8_t *key, const struct file_facts *found)
{
    return !memcmp(head->magic, file_magic, sizeof file_magic) &&
           !memcmp(head->key, key, VK_UUID_SIZE) && head->size <= VK_CACHE_MAX &&
           found->size == sizeof *head + head->size;
}

// Marks the file as used, so that it is not removed.
static void mark_used(FILE *file, const struct file_facts *found)
{
    if (system_seconds() > found->modified + DAY)
        file_mark_used(file);
}

bool vk_cache_file_read(const char *path, const uint8_t *key, struct vk_cache_file *out)
{
    struct file_head head;
    struct file_facts found;
    FILE *file = file_open_plain(path, &found);
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
        mark_used(file, &found);
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
    FILE *file = size > VK_CACHE_MAX ? NULL : file_create_beside(path, side, sizeof side);
    if (!file)
        return false;
    bool written = fwrite(&head, sizeof head, 1, file) == 1 && fwrite(data, 1, size, file) == size;
    written &= fclose(file) == 0;
    if (written && file_replace(side, path))
        return true;
    file_remove(side);
    return false;
}

// ---- the folder ---------------------------------------------------------------------------------

static bool folder_of(const char *path, char *folder)
{
    const char *slash = path_last_separator(path);
    if (!slash || slash == path || slash - path >= PATH_SIZE)
        return false;
    memcpy(folder, path, (size_t)(slash - path));
    folder[slash - path] = '\0';
    return true;
}

void vk_cache_make_folder(const char *path)
{
    char folder[PATH_SIZE];
    for (const char *at = path + 1; *at; at++) {
        if (!path_separates(*at))
            continue;
        memcpy(folder, path, (size_t)(at - path));
        folder[at - path] = '\0';
        if (!folder_create(folder, true))
            return;
    }
}

intptr_t vk_cache_lock(const char *path)
{
    char folder[PATH_SIZE];
    return folder_of(path, folder) ? folder_lock(folder) : -1;
}

void vk_cache_unlock(intptr_t lock)
{
    folder_unlock(lock);
}

static bool is_ours(const char *name)
{
    size_t digits = strspn(name, "0123456789abcdef");
    return digits == NAME_MIN - 1 && name[digits] == '.';
}

// Whether it is a temporary file; if it is old, its writer has been killed.
static bool is_side_file(const char *name)
{
    const char *dot = strrchr(name, '.');
    return strlen(dot) == SIDE_LENGTH && dot - name > NAME_MIN;
}

static void sweep_file(void *data, const char *name, const struct file_facts *found)
{
    const char *folder = data;
    char path[PATH_SIZE];
    uint64_t now = system_seconds(), most = !is_ours(name) ? UINT64_MAX : is_side_file(name) ? HOUR : VK_CACHE_UNUSED_DAYS * DAY;
    if (now < found->modified || now - found->modified < most || snprintf(path, sizeof path, "%s/%s", folder, name) >= PATH_SIZE)
        return;
    if (file_remove(path))
        log_write(LOG_VULKAN, "cache: removed %s", name);
}

void vk_cache_sweep(const char *path)
{
    char folder[PATH_SIZE];
    if (folder_of(path, folder))
        folder_visit(folder, sweep_file, folder);
}
