// SPDX-License-Identifier: Apache-2.0
// Programs: source, SPIR-V or binary -> code per device, through include/pumice/kc.h.
//
// struct program_code is the counted result of one build for one device. Kernels hold it, so that a
// rebuild or a release of the program takes nothing away from them.
#ifndef PUMICE_OBJECT_PROGRAM_H
#define PUMICE_OBJECT_PROGRAM_H

#include "command/command.h"
#include "object/context.h"
#include "vulkan/memory.h"

// A kernel for any launch (kc_build_general()), compiled when it is first needed.
struct general_form {
    bool tried;
    struct kc_program *program; // NULL: there is none
    struct cmd_kernel *commands;
};

struct program_code {
    atomic_uint uses;
    struct _cl_context *context; // keeps the device open
    struct vk_device *vk;
    struct kc_program *program;
    bool loaded;                 // from a binary: freed by program_binary_free()
    bool uniform;                // work-groups are all of one size (OpenCL C 1.x, or asked for)
    struct vk_buffer segment;    // program-scope data; zeroed: none
    struct cmd_kernel **kernels; // program->kernel_count, NULL until first used; under `lock`
    struct general_form *general; // likewise; under `lock`
    pthread_mutex_t lock;
};

void program_code_use(struct program_code *code);
void program_code_drop(struct program_code *code); // NULL allowed
// How many kernels the application sees: those of blocks it does not.
uint32_t program_kernel_count(const struct kc_program *program);
// Index of one of those by name, or -1. code may be NULL.
int program_code_find(const struct program_code *code, const char *name);
cl_int program_code_kernel(struct program_code *code, uint32_t index, struct cmd_kernel **kernel);
// The same kernel for any launch; *kernel and *info stay as they are where there is none.
cl_int program_code_general(struct program_code *code, const struct kc_target *target, const struct kc_kernel **info,
                            struct cmd_kernel **kernel);
bool program_same_args(const struct kc_kernel *a, const struct kc_kernel *b);

struct program_build {
    cl_build_status status;
    cl_program_binary_type type;
    char *options, *log;       // never NULL
    struct program_code *code; // of an executable
    unsigned char *object;     // of a compiled program or library; see kc.h
    size_t object_size;
};

// A header that clCompileProgram was given.
struct program_header {
    char *name, *text;
    size_t length;
};

struct _cl_program {
    struct object base;
    struct _cl_context *context;
    char *source; // NULL: made from SPIR-V or a binary, or linked
    size_t source_length;
    void *il; // the module that the program was made from; NULL: from none
    size_t il_size;
    struct kc_il_spec *specs; // its specialization constants
    size_t spec_count;
    struct kc_spec_value *spec_values; // those that are set; room for spec_count
    size_t spec_value_count;
    struct program_header *headers;
    uint32_t header_count;
    struct program_build *builds; // one per device of the context
    bool linked;                  // made by clLinkProgram: it is not built
    bool *devices;                // which of the context's devices belong to the program
    atomic_uint kernels;          // kernel objects attached; no rebuild while there are any
    pthread_mutex_t lock;         // of builds, headers and spec_values
};

cl_int program_create(struct _cl_context *context, struct _cl_program **out);
cl_int program_set_source(struct _cl_program *program, cl_uint count, const char **strings,
                          const size_t *lengths);
// A copy of a module of SPIR-V. CL_INVALID_VALUE: it is none; why is in the log.
cl_int program_set_il(struct _cl_program *program, const void *il, size_t size);
// For the builds from now on. CL_INVALID_SPEC_ID: the module has no such constant; CL_INVALID_VALUE: one of another size.
cl_int program_set_spec(struct _cl_program *program, cl_uint id, size_t size, const void *value);

enum program_action { PROGRAM_BUILD, PROGRAM_COMPILE, PROGRAM_LINK };

// Compiles for the devices marked in `devices` (one bool per device of the context). Options are
// checked. CL_SUCCESS, CL_BUILD_PROGRAM_FAILURE and kin by action, or CL_OUT_OF_HOST_MEMORY.
cl_int program_compile(struct _cl_program *program, const bool *devices, const char *options,
                       enum program_action action);
// What program_compile() would end with for options that are wrong: the reason in the builds' logs.
cl_int program_refuse_options(struct _cl_program *program, const bool *devices, const char *options,
                              const char *why, enum program_action action);

cl_int program_set_headers(struct _cl_program *program, cl_uint count,
                           struct _cl_program *const *sources, const char *const *names);

cl_int program_set_text(char **slot, const char *text);

// The end of a build or link: log, status and code; `built` is taken over. NULL: no memory.
cl_int program_take_code(struct _cl_program *program, int device_index, struct kc_program *built,
                         enum program_action action);
// The log and what the status means for the action.
cl_int program_take_log(struct program_build *build, enum kc_status status, const char *log,
                        enum program_action action);

// ---- separate compilation (program_link.c) ------------------------------------------------------

bool program_linkable(struct _cl_program *program, cl_uint device); // it has an object
void program_build_clear(struct program_build *build);              // no code, no object
cl_int program_set_object(struct program_build *build, const void *bytes, size_t size); // a copy
cl_int program_compile_object(struct program_build *build, const struct kc_input *input,
                              const struct kc_target *target);
// Links the inputs' objects into a new program for the devices marked, for which all of them have
// one.
cl_int program_link(struct _cl_program *program, const bool *devices, const char *options,
                    cl_uint count, struct _cl_program *const *inputs);

// The first device of the program that has code with kernels, or -1.
int program_first_built(const struct _cl_program *program);

// ---- binaries (program_binary.c) ----------------------------------------------------------------

// Bytes that program_binary_read() takes. *data is malloc'ed; without code and object *size is 0
// and *data NULL.
cl_int program_binary_write(const struct program_build *build, const struct kc_target *target,
                            unsigned char **data, size_t *size);

struct program_binary {
    cl_program_binary_type type;
    char *options;              // malloc'ed
    struct kc_program *program; // an executable's; freed by program_binary_free()
    const void *object;         // else: within the data
    size_t object_size;
};

// Checks everything; CL_INVALID_BINARY when anything is off.
cl_int program_binary_read(const unsigned char *data, size_t size, const struct kc_target *target,
                           struct program_binary *binary);
void program_binary_free(struct kc_program *program);

cl_int program_set_binary(struct _cl_program *program, int device_index, const unsigned char *data,
                          size_t size);

#endif
