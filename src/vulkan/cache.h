// SPDX-License-Identifier: Apache-2.0
// The cache on disk: compiled pipelines, results of probing a driver, and our own compiled code for
// it (object/program_cache.c), for the next process.
//
// Files are named by their driver (its pipeline cache UUID) and are in PUMICE_CACHE_DIR or the
// user's cache folder. They are written to a temporary name and renamed, so other processes never
// see a partial file. A file that is damaged (length, checksum, driver) or not a regular file is
// ignored. A process merges its data with what others have written meanwhile. A full cache stays
// unchanged for a week and is then started again; files that have not been used for months are
// removed when another file is written.
#ifndef PUMICE_VULKAN_CACHE_H
#define PUMICE_VULKAN_CACHE_H

#include "vulkan/device.h"

#define VK_CACHE_MAX (UINT64_C(64) << 20)
enum { VK_CACHE_PATH = 4096 };

// The folder of the cache, which may not exist yet. False: the cache is disabled.
bool vk_cache_folder(char path[VK_CACHE_PATH]);

enum { VK_CACHE_WEEK = 7 * 24 * 3600, VK_CACHE_UNUSED_DAYS = 90 };

// Creates device->cache with the contents on disk.
VkResult vk_cache_open(struct vk_device *device);
// Writes the cache back if it has grown.
void vk_cache_save(struct vk_device *device);

// Data stored for a driver under a name of at most 15 letters; malloc'ed, NULL if there is none.
// Storing replaces the data, and failures are ignored.
void *vk_cache_load(const struct vk_facts *facts, const char *name, size_t *size);
void vk_cache_store(const struct vk_facts *facts, const char *name, const void *data, size_t size);

// The same for notes: results of probing a driver, `size` bytes. False: no data of that size.
bool vk_cache_load_note(const struct vk_facts *facts, const char *name, void *data, size_t size);

// ---- cache_file.c -------------------------------------------------------------------------------

struct vk_cache_file {
    void *data; // malloc'ed
    size_t size;
    uint64_t began;    // when the file was first created, in seconds since 1970
    uint64_t checksum; // identifies the contents
};

// `key` has VK_UUID_SIZE bytes. False: no valid file; *file is zeroed.
bool vk_cache_file_read(const char *path, const uint8_t *key, struct vk_cache_file *file);
bool vk_cache_file_write(const char *path, const uint8_t *key, const void *data, size_t size,
                         uint64_t began);

// Creates the folder of the file and its parents.
void vk_cache_make_folder(const char *path);
// Locks the file's folder against other writers; waits at most some tenths of a second.
intptr_t vk_cache_lock(const char *path);
void vk_cache_unlock(intptr_t lock);
// Removes temporary files of ended processes and unused files from the folder.
void vk_cache_sweep(const char *path);

#endif
