// SPDX-License-Identifier: Apache-2.0
// Programs: source or binary -> code per device, through include/pumice/kc.h.
//
// struct program_code is the counted result of one build for one device. Kernels hold it, so that a
// rebuild or a release of the program takes nothing away from them.
#ifndef PUMICE_OBJECT_PROGRAM_H
#define PUMICE_OBJECT_PROGRAM_H

#include "command/command.h"
#include "object/context.h"
#include "vulkan/memory.h"

struct program_code {
    atomic_uint uses;
    struct _cl_context *context; // keeps the device open
    struct vk_device *vk;
    struct kc_program *program;
    bool loaded;                 // from a binary: freed by program_binary_free()
    bool uniform;                // work-groups are all of one size (OpenCL C 1.x, or asked for)
    struct vk_buffer segment;    // program-scope data; zeroed: none
    struct cmd_kernel **kernels; // program->kernel_count, NULL until first used; under `lock`
    pthread_mutex_t lock;
};

void program_code_use(struct program_code *code);
void program_code_drop(struct program_code *code); // NULL allowed
// Index of a kernel by name, or -1. code may be NULL.
int program_code_find(const struct program_code *code, const char *name);
cl_int program_code_kernel(struct program_code *code, uint32_t index, struct cmd_kernel **kernel);

struct program_build {
    cl_build_status status;
    cl_program_binary_type type;
    char *options, *log; // never NULL
    struct program_code *code;
};

// A header that clCompileProgram was given, or the source of what clLinkProgram was given.
struct program_header {
    char *name, *text;
    size_t length;
};

struct _cl_program {
    struct object base;
    struct _cl_context *context;
    char *source; // NULL: made from a binary
    size_t source_length;
    struct program_header *headers;
    uint32_t header_count;
    struct program_build *builds; // one per device of the context
    bool *devices;                // which of the context's devices belong to the program
    atomic_uint kernels;          // kernel objects attached; no rebuild while there are any
    pthread_mutex_t lock;         // of builds and headers
};

cl_int program_create(struct _cl_context *context, struct _cl_program **out);
cl_int program_set_source(struct _cl_program *program, cl_uint count, const char **strings,
                          const size_t *lengths);

enum program_action { PROGRAM_BUILD, PROGRAM_COMPILE, PROGRAM_LINK };

// Compiles for the devices marked in `devices` (one bool per device of the context). Options are
// checked. CL_SUCCESS, CL_BUILD_PROGRAM_FAILURE and kin by action, or CL_OUT_OF_HOST_MEMORY.
cl_int program_compile(struct _cl_program *program, const bool *devices, const char *options,
                       enum program_action action);

// Copies source, headers and options of a compiled program for a link.
cl_int program_copy_source(struct _cl_program *program, const struct _cl_program *from);
cl_int program_set_headers(struct _cl_program *program, cl_uint count,
                           struct _cl_program *const *sources, const char *const *names);

// Takes over the code of a compiled program that was made from a binary.
void program_share_code(struct _cl_program *program, const struct _cl_program *from);

cl_int program_set_text(char **slot, const char *text);

// The first device of the program that has code with kernels, or -1.
int program_first_built(const struct _cl_program *program);

// ---- binaries (program_binary.c)
// ---------------------------------------------------------------------

// What a binary was compiled for; one for another target is not accepted.
uint64_t program_binary_target(const struct kc_target *target);

// Bytes that program_binary_read() takes. *data is malloc'ed; without code *size is 0 and *data
// NULL.
cl_int program_binary_write(const struct program_build *build, uint64_t target,
                            unsigned char **data, size_t *size);

// Checks everything; CL_INVALID_BINARY when anything is off. *options is malloc'ed.
cl_int program_binary_read(const unsigned char *data, size_t size, uint64_t target,
                           struct kc_program **program, cl_program_binary_type *type,
                           char **options);
void program_binary_free(struct kc_program *program);

cl_int program_set_binary(struct _cl_program *program, int device_index, const unsigned char *data,
                          size_t size);

#endif
