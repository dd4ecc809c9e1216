// SPDX-License-Identifier: Apache-2.0
// Builds that the cache on disk keeps. See program_kept.c.
#ifndef PUMICE_OBJECT_PROGRAM_KEPT_H
#define PUMICE_OBJECT_PROGRAM_KEPT_H

#include "object/program.h"

// One build, from before it is looked for until it is stored.
struct program_kept {
    const struct vk_facts *facts;
    const struct kc_target *target;
    unsigned char *key; // NULL: it is not to be kept
    size_t key_size;
    char name[16];
    uint64_t began;
};

// Whatever is missing, memory too, the other three take for nothing kept.
void program_kept_begin(struct program_kept *kept, const struct vk_facts *facts, const struct kc_input *input,
                        const struct kc_target *target);
// Freed by program_binary_free(). NULL: there is none.
struct kc_program *program_kept_load(const struct program_kept *kept);
// `build` is an executable that has just been compiled.
void program_kept_store(const struct program_kept *kept, const struct program_build *build);
void program_kept_end(struct program_kept *kept);

#endif
