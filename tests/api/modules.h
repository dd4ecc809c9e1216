// SPDX-License-Identifier: Apache-2.0
// Loads and builds the SPIR-V modules of il/*.spvasm by name.
#ifndef PUMICE_TESTS_API_MODULES_H
#define PUMICE_TESTS_API_MODULES_H

#include "test.h"

struct module {
    unsigned char bytes[8192];
    size_t size;
};

static inline struct module load(const char *name)
{
    struct module module = {.size = 0};
    char path[512];
    snprintf(path, sizeof path, "%s/%s.spv", IL_DIR, name);
    FILE *file = fopen(path, "rb");
    if (file) {
        module.size = fread(module.bytes, 1, sizeof module.bytes, file);
        fclose(file);
    }
    CHECK(module.size > 20 && module.size < sizeof module.bytes);
    return module;
}

static inline const char *log_of(cl_program program)
{
    static char log[65536];
    CHECK_OK(clGetProgramBuildInfo(program, test_device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL));
    return log;
}

static inline cl_int build(cl_program program)
{
    cl_int error = clBuildProgram(program, 1, &test_device, NULL, NULL, NULL);
    if (error)
        printf("%s\n", log_of(program));
    return error;
}

#endif
