// SPDX-License-Identifier: Apache-2.0
// The application's rounding mode is its own: a build folds constants with rounding to nearest, and
// restores the mode.
#include "pumice/kc.h"

#include <fenv.h>
#include <stdio.h>
#include <string.h>

static const struct kc_target target = {.spirv_version = 0x00010500, .local_size_id = true,
                                        .int64 = true,
                                        .physical_addressing = true,
                                        .max_push_bytes = 128,
                                        .max_local_size = {64, 64, 64},
                                        .max_local_invocations = 64,
                                        .max_local_memory = 16384,
                                        .subgroup_size = 32};

static struct kc_program *build(void)
{
    static const char text[] = "__kernel void k(__global float *x) { x[0] = 0.1f + 0.7f; x[1] = 1.0f / 3.0f; x[2] = 0.123456789f; }";
    struct kc_input input = {.source = text, .length = sizeof text - 1};
    return kc_build(&input, &target);
}

int main(void)
{
    static const int modes[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    int failed = 0;
    struct kc_program *expected = build();
    size_t size = expected->kernel_count ? expected->kernels[0].spirv_words * 4 : 0;
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        fesetround(modes[i]);
        struct kc_program *program = build();
        if (fegetround() != modes[i])
            failed += printf("mode %d was changed\n", modes[i]) > 0;
        fesetround(FE_TONEAREST);
        if (!size || program->kernel_count != 1 || program->kernels[0].spirv_words * 4 != size ||
            memcmp(program->kernels[0].spirv, expected->kernels[0].spirv, size))
            failed += printf("mode %d gives other code\n", modes[i]) > 0;
        kc_program_destroy(program);
    }
    kc_program_destroy(expected);
    return failed != 0;
}
