// SPDX-License-Identifier: Apache-2.0
// The result of a build, copied out of the build's arena and freed by one call.
#ifndef KC_RESULT_H
#define KC_RESULT_H

#include "pumice/kc.h"
#include "util/arena.h"

struct result_source {
    enum kc_status status;
    const char *log; // may be NULL
    const struct kc_kernel *kernels;
    uint32_t kernel_count;
    const uint8_t *data;
    uint32_t data_size;
    bool data_writable;
    bool uniform_work_groups;
    const struct kc_file *files;
    uint32_t file_count;
    const struct kc_relocation *relocations;
    uint32_t relocation_count;
    uint64_t data_layout;
    const uint32_t *spirv; // one module of all kernels, with target.mapping
    size_t spirv_words;
    const uint32_t *samplers;
    uint32_t sampler_count;
    const struct kc_shared *shared;
    uint32_t shared_count;
    const char *object; // the program as an object, for kc_build_general(); may be NULL
    size_t object_size;
};

struct kc_kernel result_copy_kernel(struct arena *arena, const struct kc_kernel *from);

// Returns NULL only if there is no memory for the result itself.
struct kc_program *result_create(const struct result_source *source);
struct kc_object *result_object(enum kc_status status, const char *log, const void *bytes, size_t size);

#endif
