// SPDX-License-Identifier: Apache-2.0
// The pipeline cache on disk. See cache.h.
#include "vulkan/cache.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/log.h"
#include "util/options.h"

enum { PATH_SIZE = 4096, EMPTY_SIZE = 32 }; // a Vulkan cache that is nothing but its header
#define DATA_MAX (UINT64_C(64) << 20)

struct file_head {
    char magic[8];
    uint8_t key[VK_UUID_SIZE];
    uint64_t size, checksum;
};

static const char file_magic[8] = "pumice1";

// ---- the file -----------------------------------------------------------------------------------

// FNV-1a, eight bytes at a time: against damage, not against malice.
static uint64_t checksum(const void *data, size_t size)
{
    const uint8_t *bytes = data;
    uint64_t hash = UINT64_C(0xcbf29ce484222325), word;
    for (; size >= sizeof word; size -= sizeof word, bytes += sizeof word) {
        memcpy(&word, bytes, sizeof word);
        hash = (hash ^ word) * UINT64_C(0x100000001b3);
        hash ^= hash >> 32;
    }
    for (; size; size--, bytes++)
        hash = (hash ^ *bytes) * UINT64_C(0x100000001b3);
    return hash;
}

static bool head_fits(const struct file_head *head, const uint8_t *key)
{
    return !memcmp(head->magic, file_magic, sizeof file_magic) &&
           !memcmp(head->key, key, VK_UUID_SIZE) && head->size <= DATA_MAX;
}

void *vk_cache_file_read(const char *path, const uint8_t *key, size_t *size)
{
    struct file_head head;
    FILE *file = fopen(path, "rbe");
    void *data = NULL;
    if (!file)
        return NULL;
    if (fread(&head, sizeof head, 1, file) == 1 && head_fits(&head, key))
        data = malloc(head.size + 1);
    // One byte more than there should be must not be there.
    if (data && (fread(data, 1, head.size + 1, file) != head.size ||
                 checksum(data, head.size) != head.checksum)) {
        free(data);
        data = NULL;
    }
    fclose(file);
    if (data)
        *size = head.size;
    return data;
}

bool vk_cache_file_write(const char *path, const uint8_t *key, const void *data, size_t size)
{
    char side[PATH_SIZE];
    struct file_head head = {.size = size, .checksum = checksum(data, size)};
    memcpy(head.magic, file_magic, sizeof file_magic);
    memcpy(head.key, key, VK_UUID_SIZE);
    if (size > DATA_MAX || snprintf(side, sizeof side, "%s.XXXXXX", path) >= (int)sizeof side)
        return false;
    int fd = mkstemp(side);
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

// ---- where it lies ------------------------------------------------------------------------------

static bool cache_folder(char *path)
{
    const char *own = option_get(OPTION_CACHE_DIR), *home = getenv("HOME");
    const char *base = getenv("XDG_CACHE_HOME");
    int length;
    if (own && !strcmp(own, "none"))
        return false;
    if (own)
        length = snprintf(path, PATH_SIZE, "%s", own);
    else if (base && *base == '/')
        length = snprintf(path, PATH_SIZE, "%s/pumice", base);
    else if (home && *home == '/')
        length = snprintf(path, PATH_SIZE, "%s/.cache/pumice", home);
    else
        return false;
    return length < PATH_SIZE - 64; // room for the file's name
}

static bool cache_path(const struct vk_facts *facts, const char *name, char *path)
{
    const uint8_t *uuid = facts->props.pipelineCacheUUID;
    if (!cache_folder(path))
        return false;
    char *at = path + strlen(path);
    at += sprintf(at, "/");
    for (int i = 0; i < (int)VK_UUID_SIZE; i++)
        at += sprintf(at, "%02x", uuid[i]);
    sprintf(at, ".%.16s", name);
    return true;
}

// Makes the folders above the file.
static void make_folders(const char *path)
{
    char folder[PATH_SIZE];
    for (const char *at = strchr(path + 1, '/'); at; at = strchr(at + 1, '/')) {
        memcpy(folder, path, (size_t)(at - path));
        folder[at - path] = '\0';
        if (mkdir(folder, 0700) && errno != EEXIST)
            return;
    }
}

// ---- the cache ----------------------------------------------------------------------------------

VkResult vk_cache_open(struct vk_device *device)
{
    char path[PATH_SIZE];
    size_t size = 0;
    void *data = NULL;
    if (cache_path(device->facts, "pipelines", path))
        data = vk_cache_file_read(path, device->facts->props.pipelineCacheUUID, &size);
    VkPipelineCacheCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO,
        .initialDataSize = size,
        .pInitialData = data,
    };
    VkResult result = device->fn.CreatePipelineCache(device->handle, &info, NULL, &device->cache);
    if (data)
        log_write(LOG_VULKAN, "pipeline cache: %zu bytes from %s", size, path);
    device->cache_size = size;
    free(data);
    return result;
}

void vk_cache_save(struct vk_device *device)
{
    char path[PATH_SIZE];
    size_t size = 0;
    if (!device->cache || vk_device_check(device) != VK_SUCCESS ||
        !cache_path(device->facts, "pipelines", path))
        return;
    VkResult result = device->fn.GetPipelineCacheData(device->handle, device->cache, &size, NULL);
    if (result != VK_SUCCESS || size <= EMPTY_SIZE || size <= device->cache_size)
        return;
    void *data = malloc(size);
    if (data)
        result = device->fn.GetPipelineCacheData(device->handle, device->cache, &size, data);
    if (data && result == VK_SUCCESS) {
        make_folders(path);
        bool written =
            vk_cache_file_write(path, device->facts->props.pipelineCacheUUID, data, size);
        log_write(LOG_VULKAN, "pipeline cache: %zu bytes %s %s", size,
                  written ? "written to" : "cannot be written to", path);
    }
    free(data);
}

// ---- notes --------------------------------------------------------------------------------------

bool vk_cache_load_note(const struct vk_facts *facts, const char *name, void *data, size_t size)
{
    char path[PATH_SIZE];
    size_t found = 0;
    if (!cache_path(facts, name, path))
        return false;
    void *note = vk_cache_file_read(path, facts->props.pipelineCacheUUID, &found);
    bool fits = note && found == size;
    if (fits)
        memcpy(data, note, size);
    free(note);
    return fits;
}

void vk_cache_store_note(const struct vk_facts *facts, const char *name, const void *data,
                         size_t size)
{
    char path[PATH_SIZE];
    if (!cache_path(facts, name, path))
        return;
    make_folders(path);
    vk_cache_file_write(path, facts->props.pipelineCacheUUID, data, size);
}
