// SPDX-License-Identifier: Apache-2.0
// Builds in the cache on disk. See program_cache.c.
#ifndef PUMICE_OBJECT_PROGRAM_KEPT_H
#define PUMICE_OBJECT_PROGRAM_KEPT_H

#include "object/program.h"

// One build, from the cache lookup until it is stored.
struct program_kept {
    const struct vk_facts *facts;
    const struct kc_target *target;
    unsigned char *key; // NULL: not to be cached
    size_t key_size;
    char name[16];
    uint64_t began;
};

// On failure, even out of memory, the other three treat the build as not cached.
void program_kept_begin(struct program_kept *kept, const struct vk_facts *facts, const struct kc_input *input,
                        const struct kc_target *target);
// Free by program_binary_free(). NULL: not cached.
struct kc_program *program_kept_load(const struct program_kept *kept);
// `build` is an executable that has just been compiled.
void program_kept_store(const struct program_kept *kept, const struct program_build *build);
void program_kept_end(struct program_kept *kept);

#endif
