// SPDX-License-Identifier: Apache-2.0
// The pipeline cache, and notes about drivers. See cache.h.
#include "vulkan/cache.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "platform/platform.h"
#include "util/log.h"
#include "util/options.h"
#include "vulkan/quirks.h"

enum { PATH_SIZE = VK_CACHE_PATH, EMPTY_SIZE = 32 }; // a Vulkan cache with only a header

// ---- paths --------------------------------------------------------------------------------------

bool vk_cache_folder(char path[VK_CACHE_PATH])
{
    enum { REST = 64 }; // reserved for the file name
    const char *own = option_get(OPTION_CACHE_DIR);
    if (own && !strcmp(own, "none"))
        return false;
    if (own)
        return snprintf(path, PATH_SIZE, "%s", own) < PATH_SIZE - REST;
    if (!folder_of_caches(path, PATH_SIZE - REST - sizeof "/pumice"))
        return false;
    strcat(path, "/pumice");
    return true;
}

static bool cache_path(const struct vk_facts *facts, const char *name, char *path)
{
    const uint8_t *uuid = facts->props.pipelineCacheUUID;
    if (!vk_cache_folder(path))
        return false;
    char *at = path + strlen(path);
    at += sprintf(at, "/");
    for (int i = 0; i < (int)VK_UUID_SIZE; i++)
        at += sprintf(at, "%02x", uuid[i]);
    sprintf(at, ".%.16s", name);
    return true;
}

// ---- the cache ----------------------------------------------------------------------------------

static VkResult make_cache(struct vk_device *device, const struct vk_cache_file *file,
                           VkPipelineCache *cache)
{
    VkPipelineCacheCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO,
        .initialDataSize = file->size,
        .pInitialData = file->data,
    };
    return device->fn.CreatePipelineCache(device->handle, &info, NULL, cache);
}

VkResult vk_cache_open(struct vk_device *device)
{
    char path[PATH_SIZE];
    struct vk_cache_file file = {0};
    if (vk_quirks(device->facts)->cache_keeps_code)
        return VK_SUCCESS;
    if (cache_path(device->facts, "pipelines", path) &&
        vk_cache_file_read(path, device->facts->props.pipelineCacheUUID, &file))
        log_write(LOG_VULKAN, "pipeline cache: %zu bytes from %s", file.size, path);
    VkResult result = make_cache(device, &file, &device->cache);
    device->cache_size = file.size;
    device->cache_checksum = file.checksum;
    free(file.data);
    return result;
}

// malloc'ed; NULL: empty.
static void *contents(struct vk_device *device, VkPipelineCache cache, size_t *size)
{
    void *data = NULL;
    VkResult result = device->fn.GetPipelineCacheData(device->handle, cache, size, NULL);
    if (result == VK_SUCCESS)
        data = malloc(*size ? *size : 1);
    if (data)
        result = device->fn.GetPipelineCacheData(device->handle, cache, size, data);
    if (result != VK_SUCCESS) {
        free(data);
        return NULL;
    }
    return data;
}

// This process's cache merged with what another process has written since it was read. The device's
// own cache may be in use by other threads, which merging from it allows.
static void *merged_contents(struct vk_device *device, const struct vk_cache_file *other,
                             size_t *size)
{
    VkPipelineCache both = VK_NULL_HANDLE;
    void *data = NULL;
    if (make_cache(device, other, &both) != VK_SUCCESS)
        return NULL;
    if (device->fn.MergePipelineCaches(device->handle, both, 1, &device->cache) == VK_SUCCESS)
        data = contents(device, both, size);
    device->fn.DestroyPipelineCache(device->handle, both, NULL);
    return data;
}

// A full file is kept, because it is useful to its processes, but it expires.
static void log_full(const char *path, const struct vk_cache_file *old, size_t size)
{
    bool expired = old->data && system_seconds() - old->began > VK_CACHE_WEEK;
    log_write(LOG_VULKAN, "pipeline cache: %zu bytes exceed the limit of %s%s", size, path,
              expired ? ", which is started again" : "");
    if (expired)
        file_remove(path);
}

static void save_locked(struct vk_device *device, const char *path)
{
    const uint8_t *key = device->facts->props.pipelineCacheUUID;
    struct vk_cache_file old;
    size_t size = 0;
    vk_cache_file_read(path, key, &old);
    bool same = !old.data || old.checksum == device->cache_checksum;
    void *data =
        same ? contents(device, device->cache, &size) : merged_contents(device, &old, &size);
    if (data && size > VK_CACHE_MAX) {
        log_full(path, &old, size);
    } else if (data) {
        uint64_t began = old.data ? old.began : system_seconds();
        bool written = vk_cache_file_write(path, key, data, size, began);
        log_write(LOG_VULKAN, "pipeline cache: %zu bytes %s %s", size,
                  written ? "written to" : "cannot be written to", path);
    }
    free(old.data);
    free(data);
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
    vk_cache_make_folder(path);
    intptr_t lock = vk_cache_lock(path);
    save_locked(device, path);
    vk_cache_unlock(lock);
    vk_cache_sweep(path);
}

// ---- notes and other data -----------------------------------------------------------------------

void *vk_cache_load(const struct vk_facts *facts, const char *name, size_t *size)
{
    char path[PATH_SIZE];
    struct vk_cache_file file = {0};
    if (cache_path(facts, name, path))
        vk_cache_file_read(path, facts->props.pipelineCacheUUID, &file);
    *size = file.size;
    return file.data;
}

void vk_cache_store(const struct vk_facts *facts, const char *name, const void *data, size_t size)
{
    static atomic_bool swept; // once per process is enough
    char path[PATH_SIZE];
    if (!cache_path(facts, name, path))
        return;
    vk_cache_make_folder(path);
    vk_cache_file_write(path, facts->props.pipelineCacheUUID, data, size, system_seconds());
    if (!atomic_exchange(&swept, true))
        vk_cache_sweep(path);
}

bool vk_cache_load_note(const struct vk_facts *facts, const char *name, void *data, size_t size)
{
    size_t found;
    void *note = vk_cache_load(facts, name, &found);
    bool fits = note && found == size;
    if (fits)
        memcpy(data, note, size);
    free(note);
    return fits;
}

