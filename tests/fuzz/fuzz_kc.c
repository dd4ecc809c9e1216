// SPDX-License-Identifier: Apache-2.0
// Fuzzing the whole compiler: any bytes -> a program or an error with a log, for a device that can
// do everything.
#include "pumice/kc.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct kc_target target = {
    .spirv_version = 0x00010500,
    .extensions = ~UINT64_C(0),
    .int8 = true,
    .int16 = true,
    .int64 = true,
    .float16 = true,
    .float64 = true,
    .storage8 = true,
    .storage16 = true,
    .physical_addressing = true,
    .workgroup_explicit_layout = true,
    .workgroup_storage8 = true,
    .workgroup_storage16 = true,
    .vulkan_memory_model = true,
    .vulkan_memory_model_device_scope = true,
    .int64_atomics = true,
    .int64_shared_atomics = true,
    .max_push_bytes = 128,
    .max_local_size = {1024, 1024, 64},
    .max_local_invocations = 1024,
    .max_local_memory = 32768,
    .max_function_array = 1024,
    .subgroup_size = 8,
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    memcpy(text, data, size);
    struct kc_input input = {.source = text, .length = size};
    struct kc_program *program = kc_build(&input, &target);
    if (program && program->status != KC_OK && (!program->log || !*program->log))
        abort();
    for (uint32_t i = 0; program && program->status == KC_OK && i < program->kernel_count; i++)
        if (!program->kernels[i].spirv_words || program->kernels[i].spirv[0] != 0x07230203)
            abort();
    kc_program_destroy(program);
    free(text);
    return 0;
}
