// SPDX-License-Identifier: Apache-2.0
// A build that failed because a pass broke the intermediate form is no error of the input's.
#ifndef TESTS_FUZZ_BROKEN_H
#define TESTS_FUZZ_BROKEN_H

#include <stdlib.h>
#include <string.h>

#include "pumice/kc.h"

// Such messages name no place, but the kernel where it is one's; the log's other lines may hold whatever the input does.
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

// What every build owes: kernels of SPIR-V, or a log that says why there are none.
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
