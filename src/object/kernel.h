// SPDX-License-Identifier: Apache-2.0
// Kernels: a name, code for each device, and the current argument values.
//
// Setting an argument copies it. Memory objects in arguments are not reference counted until an
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

enum kernel_pointer {
    KERNEL_POINTER_MEM,
    KERNEL_POINTER_SVM,
    KERNEL_POINTER_DEVICE,
    KERNEL_POINTER_USM,
};

// Unified shared memory that no argument refers to: all of a type, or listed. The application is
// responsible for its lifetime, so the list itself is not needed.
enum kernel_indirect {
    KERNEL_INDIRECT_HOST = 1,
    KERNEL_INDIRECT_DEVICE = 2,
    KERNEL_INDIRECT_SHARED = 4,
    KERNEL_INDIRECT_LISTED = 8,
    KERNEL_INDIRECT_SVM = 16, // any SVM allocation
};

struct kernel_arg {
    bool set;
    size_t size; // LOCAL: bytes
    size_t at;   // VALUE: offset in kernel->values
    // GLOBAL, CONSTANT: one of these, selected by `pointer`; NULL and 0 for a null pointer
    enum kernel_pointer pointer;
    struct _cl_mem *mem; // IMAGE too
    uint64_t address;
    cl_uint sampler; // SAMPLER: KC_SAMPLER_* bits
};

// Addresses of one kind that no argument refers to.
struct kernel_extra {
    uint64_t *addresses;
    size_t count;
};

struct _cl_kernel {
    struct object base;
    struct _cl_program *program;
    const struct kc_kernel *info;  // of the first device that has it; the arguments are the same on
                                   // all
    struct kernel_device *devices; // one per device of the context
    struct kernel_arg *args;
    unsigned char *values;
    size_t values_size;
    struct kernel_extra extras[KERNEL_POINTER_DEVICE + 1]; // by enum kernel_pointer
    unsigned indirect; // enum kernel_indirect
    bool no_system; // the application has declared that it uses no system memory
    bool system;    // it may use system memory without a shared pointer among its arguments
};

// CL_INVALID_KERNEL_NAME, CL_INVALID_PROGRAM_EXECUTABLE, CL_INVALID_KERNEL_DEFINITION.
cl_int kernel_create(struct _cl_program *program, const char *name, struct _cl_kernel **out);
// Replaces the extra addresses of a kind. CL_OUT_OF_HOST_MEMORY.
cl_int kernel_set_extras(struct _cl_kernel *kernel, enum kernel_pointer kind,
                         const uint64_t *addresses, size_t count);
cl_int kernel_clone(const struct _cl_kernel *from, struct _cl_kernel **out);

#endif
