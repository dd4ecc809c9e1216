// SPDX-License-Identifier: Apache-2.0
// The cache on disk: what a driver compiled, what was found out about it, and what we compiled for it
// (object/program_kept.c), kept for the next process.
//
// Files are named by their driver (its pipeline cache UUID), in PUMICE_CACHE_DIR, else in the user's cache
// folder. Written to the side and renamed, so that processes never see half a file; a file that is
// not exactly what was written (length, checksum, driver), or no plain file, is ignored. Processes
// add to what others have written meanwhile. A cache that is full stays as it is for a week, then
// a new one begins; what nobody has used for months goes when another file is written.
#ifndef PUMICE_VULKAN_CACHE_H
#define PUMICE_VULKAN_CACHE_H

#include "vulkan/device.h"

#define VK_CACHE_MAX (UINT64_C(64) << 20)
enum { VK_CACHE_PATH = 4096 };

// The folder of the cache, whether it exists or not. False: there is to be no cache.
bool vk_cache_folder(char path[VK_CACHE_PATH]);

enum { VK_CACHE_WEEK = 7 * 24 * 3600, VK_CACHE_UNUSED_DAYS = 90 };

// Makes device->cache, with what the disk holds.
VkResult vk_cache_open(struct vk_device *device);
// Writes it back where it has grown since.
void vk_cache_save(struct vk_device *device);

// What is kept for a driver under a name of 15 letters at most, exactly as stored: malloc'ed, NULL where there is nothing.
// Storing replaces it, and may fail in silence.
void *vk_cache_load(const struct vk_facts *facts, const char *name, size_t *size);
void vk_cache_store(const struct vk_facts *facts, const char *name, const void *data, size_t size);

// The same for notes: what was found out about a driver by trying, in `size` bytes. False: there is nothing of that size.
bool vk_cache_load_note(const struct vk_facts *facts, const char *name, void *data, size_t size);

// ---- cache_file.c -------------------------------------------------------------------------------

struct vk_cache_file {
    void *data; // malloc'ed
    size_t size;
    uint64_t began;    // when the first of it was written, in seconds since 1970
    uint64_t checksum; // tells it from others
};

// `key` has VK_UUID_SIZE bytes. False: there is no such file, and *file is zeroed.
bool vk_cache_file_read(const char *path, const uint8_t *key, struct vk_cache_file *file);
bool vk_cache_file_write(const char *path, const uint8_t *key, const void *data, size_t size,
                         uint64_t began);

// The folder of the file and those above it.
void vk_cache_make_folder(const char *path);
// Keeps other writers out of the file's folder: some tenths of a second are waited for them at
// most.
intptr_t vk_cache_lock(const char *path);
void vk_cache_unlock(intptr_t lock);
// Removes from the folder what ended processes have left and what nobody uses.
void vk_cache_sweep(const char *path);

#endif
