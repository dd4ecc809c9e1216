// SPDX-License-Identifier: Apache-2.0
// Kernels: a name, code per device, and argument values as last set.
//
// Setting an argument is a copy. Memory objects that arguments name are not counted until an
// enqueue.
#ifndef PUMICE_OBJECT_KERNEL_H
#define PUMICE_OBJECT_KERNEL_H

#include "object/memobj.h"
#include "object/program.h"

struct kernel_device {
    struct program_code *code; // NULL: the program is not built for this device
    struct cmd_kernel *commands;
    const struct kc_kernel *info;
};

struct kernel_arg {
    bool set;
    size_t size;         // LOCAL: bytes
    size_t at;           // VALUE: its place in kernel->values
    struct _cl_mem *mem; // GLOBAL, CONSTANT; NULL for a null pointer
};

struct _cl_kernel {
    struct object base;
    struct _cl_program *program;
    const struct kc_kernel *info;  // of the first device that has it; arguments are the same on all
    struct kernel_device *devices; // one per device of the context
    struct kernel_arg *args;
    unsigned char *values;
    size_t values_size;
};

// CL_INVALID_KERNEL_NAME, CL_INVALID_PROGRAM_EXECUTABLE, CL_INVALID_KERNEL_DEFINITION.
cl_int kernel_create(struct _cl_program *program, const char *name, struct _cl_kernel **out);
cl_int kernel_clone(const struct _cl_kernel *from, struct _cl_kernel **out);

#endif
