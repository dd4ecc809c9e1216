// SPDX-License-Identifier: Apache-2.0
// The product in OpenCL C on the first platform.
#ifndef PUMICE_MATRIX_OPENCL_H
#define PUMICE_MATRIX_OPENCL_H

#include "../bench_cl.h"
#include "job.h"

struct opencl {
    struct bench_cl base;
    const char *folder; // of the kernels' sources
    uint32_t sub_group; // sub-group size; 0: no sub-groups
    uint32_t most_local;
    bool matrices, halves, bfloats;
    cl_mem a, b, c;
    void *result;
};

// False: no platform, or no device.
bool opencl_open(struct opencl *cl, const char *folder);
void opencl_close(struct opencl *cl);

void opencl_load(struct opencl *cl, const struct job *job);
void opencl_unload(struct opencl *cl);

// Runs kernel `name` of NAME.cl. False: it does not build; the log is on stderr.
bool opencl_run(struct opencl *cl, const struct job *job, const char *name,
                const struct shape *shape, unsigned rounds, struct timing *timing);
const void *opencl_result(struct opencl *cl, const struct job *job); // valid until unload

#endif
