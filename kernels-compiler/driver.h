// SPDX-License-Identifier: Apache-2.0
// What kc.c offers pumice-cc in addition to kc_build(): dumps, timing, the choice of passes, the build of the
// library.
#ifndef KC_DRIVER_H
#define KC_DRIVER_H

#include "pack/library.h"
#include "pumice/kc.h"
#include "util/str.h"

enum driver_stage {
    DRIVER_PREPROCESS, DRIVER_PARSE, DRIVER_GEN, DRIVER_LINK, DRIVER_PASSES, DRIVER_SPIRV, DRIVER_RESULT,
    DRIVER_STAGE_COUNT
};

enum { // what to dump
    DRIVER_DUMP_SOURCE = 1, // after preprocessing
    DRIVER_DUMP_TOKENS = 2,
    DRIVER_DUMP_AST = 4,
    DRIVER_DUMP_IR = 8,     // as generated
    DRIVER_DUMP_PASSES = 16,
    DRIVER_DUMP_LOWERED = 32, // after the last pass
    DRIVER_DUMP_SPIRV = 64,
};

struct driver {
    unsigned dump;
    // Writes one dump. `what` is "source", "tokens", "ast", "ir", a pass or "spirv" (words); for the program,
    // `kernel` is NULL.
    void (*write)(void *data, const char *what, const char *kernel, const void *bytes, size_t size);
    void *data;
    bool preprocess_only;
    bool verify;            // verify the IR after each pass
    const char *kernel;     // kernels to build, separated by commas; NULL: all
    const char *skip;       // passes to skip, separated by commas
    const char *stop_after; // name of a pass
    uint64_t ns[DRIVER_STAGE_COUNT]; // accumulated time
};

// kc_build() with the options of `driver`, which may be NULL.
struct kc_program *driver_build(const struct kc_input *input, const struct kc_target *target, struct driver *driver);

// Builds several sources or modules as one program.
struct kc_program *driver_build_all(const struct kc_input *inputs, size_t count, const struct kc_target *target, struct driver *driver);

// kc_link() with the options of `driver`.
struct kc_program *driver_link(const struct kc_link_input *input, const struct kc_target *target, struct driver *driver);

// One source of the built-in library -> its functions, for library_pack(). Their texts are in `arena`. If it returns
// false, the log says why.
bool driver_library(const struct kc_input *input, const struct kc_target *target, struct arena *arena,
                    struct library_texts *texts, const char **log);

// Whether the first `length` bytes of `name` name a pass; whether that pass may be skipped.
bool driver_has_pass(const char *name, size_t length);
bool driver_may_skip(const char *name, size_t length);

// The DRIVER_DUMP_ bit of the stage with this name; 0 if there is none.
unsigned driver_dump_bit(const char *word, size_t length);

// Whether PUMICE_LIMIT asks for kernels that the driver's compiler may be unable to compile.
bool driver_ignores_cost(void);

// Parses IR text, runs the passes in order and prints the result as IR or as SPIR-V words. Returns NULL or an error.
const char *driver_ir(const struct kc_target *target, struct arena *arena, const char *text, size_t length,
                      const char *const *passes, size_t pass_count, struct str *out, const uint32_t **words,
                      size_t *word_count);

#endif
