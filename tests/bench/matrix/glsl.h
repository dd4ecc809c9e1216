// SPDX-License-Identifier: Apache-2.0
// The product on plain Vulkan by a GLSL shader, and the driver's tables of matrix shapes.
#ifndef PUMICE_MATRIX_GLSL_H
#define PUMICE_MATRIX_GLSL_H

#include "../bench_device.h"
#include "job.h"

struct shader {
    const char *form; // khr: matrices of sub-groups; khr_sets: the same with descriptors; nv2:
                      // matrices of work-groups
    const char *types;
    const uint32_t *words;
    size_t size;
};
// The shaders that the GLSL compiler supported when this was built.
extern const struct shader shaders[];
extern const unsigned shader_count;
const struct shader *shader_find(const char *form, const char *types); // NULL: not built

struct glsl {
    struct vk vk;
    bool matrices, bfloats, work_group_matrices, statistics;
    uint32_t sub_group, most_shared;
    double tick; // seconds
    VkPipelineLayout layout;
    VkQueryPool clock;
    struct vk_memory staging, a, b, c;
    size_t bytes; // of each
    VkDescriptorSet set;
};

// Opens the device whose name occurs in `name`. False: no such device, or a missing feature.
bool glsl_open(struct glsl *glsl, const char *name);
void glsl_close(struct glsl *glsl);
void glsl_tables(struct glsl *glsl);

// Copies A and B to the device's memory, which glsl_unload() frees.
void glsl_load(struct glsl *glsl, const struct job *job);
void glsl_unload(struct glsl *glsl);

// False: the driver refuses the shader. Work-groups have wm x wn sub-groups in all forms.
bool glsl_run(struct glsl *glsl, const struct job *job, const struct shader *shader,
              const struct shape *shape, unsigned rounds, struct timing *timing);
const void *glsl_result(struct glsl *glsl, const struct job *job); // valid until the next call

#endif
