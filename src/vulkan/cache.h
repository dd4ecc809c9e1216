// SPDX-License-Identifier: Apache-2.0
// The cache on disk: what a driver compiled, and what was found out about it, kept for the next
// process.
//
// One file each per driver (its pipeline cache UUID) in PUMICE_CACHE_DIR, else in the user's cache
// folder. Written to the side and renamed, so that processes never see half a file; a file that is
// not exactly what was written (length, checksum, driver) is ignored.
#ifndef PUMICE_VULKAN_CACHE_H
#define PUMICE_VULKAN_CACHE_H

#include "vulkan/device.h"

// Makes device->cache, with what the disk holds.
VkResult vk_cache_open(struct vk_device *device);
// Writes it back where it has grown since.
void vk_cache_save(struct vk_device *device);

// What was found out about a driver by trying, under a name: `size` bytes, exactly as stored.
// False: there is nothing. Storing may fail in silence.
bool vk_cache_load_note(const struct vk_facts *facts, const char *name, void *data, size_t size);
void vk_cache_store_note(const struct vk_facts *facts, const char *name, const void *data,
                         size_t size);

// The file itself. read: malloc'ed contents, or NULL. `key` has VK_UUID_SIZE bytes.
void *vk_cache_file_read(const char *path, const uint8_t *key, size_t *size);
bool vk_cache_file_write(const char *path, const uint8_t *key, const void *data, size_t size);

#endif
