// SPDX-License-Identifier: Apache-2.0
// Programs: source, SPIR-V or binary -> code for each device, through include/pumice/kc.h.
//
// struct program_code is the reference-counted result of one build for one device. Kernels hold a
// reference, so they keep working when the program is rebuilt or released.
#ifndef PUMICE_OBJECT_PROGRAM_H
#define PUMICE_OBJECT_PROGRAM_H

#include "command/command.h"
#include "object/context.h"
#include "vulkan/memory.h"

// A kernel for arbitrary launches (kc_build_general()), compiled when first needed.
struct general_form {
    bool tried;
    struct kc_program *program; // NULL: not available
    struct cmd_kernel *commands;
};

struct program_code {
    atomic_uint uses;
    struct _cl_context *context; // keeps the device open
    struct vk_device *vk;
    struct kc_program *program;
    bool loaded;                 // from a binary: freed by program_binary_free()
    bool uniform;                // all work-groups have the same size (OpenCL C 1.x, or requested)
    struct vk_buffer segment;    // program-scope data; zeroed: none
    struct cmd_kernel **kernels; // program->kernel_count entries, NULL until first used; under
                                 // `lock`
    struct general_form *general; // the same
    pthread_mutex_t lock;
};

void program_code_use(struct program_code *code);
void program_code_drop(struct program_code *code); // NULL allowed
// The number of kernels visible to the application, which excludes those of blocks.
uint32_t program_kernel_count(const struct kc_program *program);
// The index of one of those by name, or -1. code may be NULL.
int program_code_find(const struct program_code *code, const char *name);
cl_int program_code_kernel(struct program_code *code, uint32_t index, struct cmd_kernel **kernel);
// The same kernel for arbitrary launches; *kernel and *info are unchanged if it is not available.
cl_int program_code_general(struct program_code *code, const struct kc_target *target, const struct kc_kernel **info,
                            struct cmd_kernel **kernel);
bool program_same_args(const struct kc_kernel *a, const struct kc_kernel *b);

struct program_text {
    const char *text; // NULL: not known
    size_t length;
};

struct program_build {
    cl_build_status status;
    cl_program_binary_type type;
    char *options, *log;       // never NULL
    struct program_code *code; // of an executable
    unsigned char *object;     // of a compiled program or library; see kc.h
    size_t object_size;
    struct program_text source; // of a binary; malloc'ed
};

// A header passed to clCompileProgram.
struct program_header {
    char *name, *text;
    size_t length;
};

struct _cl_program {
    struct object base;
    struct _cl_context *context;
    char *source; // NULL: created from SPIR-V or a binary, or linked
    size_t source_length;
    void *il; // the SPIR-V module that the program was created from; NULL: none
    size_t il_size;
    struct kc_il_spec *specs; // its specialization constants
    size_t spec_count;
    struct kc_spec_value *spec_values; // those that are set; space for spec_count
    size_t spec_value_count;
    struct program_header *headers;
    uint32_t header_count;
    struct program_build *builds; // one per device of the context
    bool linked;                  // created by clLinkProgram: cannot be built
    bool *devices;                // the context's devices that belong to the program
    atomic_uint kernels;          // attached kernel objects; the program cannot be rebuilt while
                                  // there are any
    pthread_mutex_t lock;         // guards builds, headers and spec_values
};

cl_int program_create(struct _cl_context *context, struct _cl_program **out);
cl_int program_set_source(struct _cl_program *program, cl_uint count, const char **strings,
                          const size_t *lengths);
// Copies a SPIR-V module. CL_INVALID_VALUE: it is not valid; the log contains the reason.
cl_int program_set_il(struct _cl_program *program, const void *il, size_t size);
// For future builds. CL_INVALID_SPEC_ID: the module has no such constant; CL_INVALID_VALUE: it has
// a different size.
cl_int program_set_spec(struct _cl_program *program, cl_uint id, size_t size, const void *value);

enum program_action { PROGRAM_BUILD, PROGRAM_COMPILE, PROGRAM_LINK };

// Compiles for the devices marked in `devices` (one bool per device of the context). Options are
// already checked. Returns CL_SUCCESS, CL_BUILD_PROGRAM_FAILURE or the equivalent for the action,
// or CL_OUT_OF_HOST_MEMORY.
cl_int program_compile(struct _cl_program *program, const bool *devices, const char *options,
                       enum program_action action);
// The result of program_compile() for invalid options; writes the reason to the build logs.
cl_int program_refuse_options(struct _cl_program *program, const bool *devices, const char *options,
                              const char *why, enum program_action action);

cl_int program_set_headers(struct _cl_program *program, cl_uint count,
                           struct _cl_program *const *sources, const char *const *names);

cl_int program_set_text(char **slot, const char *text);

// Ends a build or link: sets log, status and code; takes over `built`. NULL: out of memory.
cl_int program_set_code(struct _cl_program *program, int device_index, struct kc_program *built,
                        enum program_action action);
// Sets the log, and returns what the status means for the action.
cl_int program_set_log(struct program_build *build, enum kc_status status, const char *log,
                       enum program_action action);

// ---- separate compilation (program_link.c) ------------------------------------------------------

bool program_linkable(struct _cl_program *program, cl_uint device); // it has an object
void program_build_clear(struct program_build *build);              // no code, no object
cl_int program_set_object(struct program_build *build, const void *bytes, size_t size); // a copy
cl_int program_compile_object(struct program_build *build, const struct kc_input *input,
                              const struct kc_target *target);
// Links the inputs' objects into a new program for the marked devices. All inputs must have an
// object for these.
cl_int program_link(struct _cl_program *program, const bool *devices, const char *options,
                    cl_uint count, struct _cl_program *const *inputs);

// The first device of the program with code that contains kernels, or -1.
int program_first_built(const struct _cl_program *program);

// ---- binaries (program_binary.c) ----------------------------------------------------------------

// The bytes that program_binary_read() reads. *data is malloc'ed; if there is neither code nor an
// object, *size is 0 and *data NULL.
cl_int program_binary_write(const struct program_build *build, const struct program_text *source,
                            const struct kc_target *target, unsigned char **data, size_t *size);
// The source of a build that needs nothing else but its options.
struct program_text program_build_source(const struct _cl_program *program, cl_uint device_index);

struct program_binary {
    cl_program_binary_type type;
    char *options;              // malloc'ed
    struct kc_program *program; // of an executable; freed by program_binary_free()
    const void *object;         // otherwise; points into the data
    size_t object_size;
    struct program_text source; // points into the data
};

// Validates everything; CL_INVALID_BINARY if anything is wrong. With neither program nor object: only the source is of
// use here.
cl_int program_binary_read(const unsigned char *data, size_t size, const struct kc_target *target,
                           struct program_binary *binary);
void program_binary_free(struct kc_program *program);

cl_int program_set_binary(struct _cl_program *program, int device_index, const unsigned char *data,
                          size_t size);

#endif
