// SPDX-License-Identifier: Apache-2.0
// Detects builds that failed because a pass produced invalid IR, which is not an error of the
// input.
#ifndef TESTS_FUZZ_BROKEN_H
#define TESTS_FUZZ_BROKEN_H

#include <stdlib.h>
#include <string.h>

#include "pumice/kc.h"

// Such messages have no source position but may name the kernel; other lines of the log may contain
// any input.
static inline void stop_if_broken(const char *log)
{
    static const char start[] = "error: kernel '", whole[] = "error: after p"; // a pass, preparation
    for (const char *line = log; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        const char *end = strchr(line, '\n'), *found = strstr(line, "': after pass ");
        if (!strncmp(line, whole, sizeof whole - 1) ||
            (!strncmp(line, start, sizeof start - 1) && found && (!end || found < end)))
            abort();
    }
}

// Every build must give SPIR-V kernels, or a log with the reason of the failure.
static inline void build_and_check(const struct kc_input *input, const struct kc_target *target)
{
    struct kc_program *program = kc_build(input, target);
    if (program && program->status != KC_OK && (!program->log || !*program->log))
        abort();
    if (program && program->status != KC_OK)
        stop_if_broken(program->log);
    for (uint32_t i = 0; program && program->status == KC_OK && i < program->kernel_count; i++)
        if (!program->kernels[i].spirv_words || program->kernels[i].spirv[0] != 0x07230203)
            abort();
    kc_program_destroy(program);
}

#endif
