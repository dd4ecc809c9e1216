// SPDX-License-Identifier: Apache-2.0
// Builds in the cache on disk. See program_cache.c.
#ifndef PUMICE_OBJECT_PROGRAM_CACHE_H
#define PUMICE_OBJECT_PROGRAM_CACHE_H

#include "object/program.h"

// One build, from the cache lookup until it is stored.
struct program_cache {
    const struct vk_facts *facts;
    const struct kc_target *target;
    unsigned char *key; // NULL: not to be cached
    size_t key_size;
    char name[16];
    uint64_t began;
};

// On failure, even out of memory, the other three treat the build as not cached.
void program_cache_begin(struct program_cache *entry, const struct vk_facts *facts,
                         const struct kc_input *input, const struct kc_target *target);
// Free by program_binary_free(). NULL: not cached.
struct kc_program *program_cache_load(const struct program_cache *entry);
// `build` is an executable that has just been compiled.
void program_cache_store(const struct program_cache *entry, const struct program_build *build);
void program_cache_end(struct program_cache *entry);

#endif
