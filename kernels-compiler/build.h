// SPDX-License-Identifier: Apache-2.0
// A build in progress; for kc.c and kernels.c only.
#ifndef KC_BUILD_H
#define KC_BUILD_H

#include "driver.h"

#include "gen/gen.h"
#include "passes/data_segment.h"
#include "passes/mapping.h"
#include "passes/passes.h"
#include "spirv/spirv.h"
#include "text/options.h"

#include <fenv.h>
#include <setjmp.h>

struct build {
    fenv_t host; // the application's rounding and denormal modes: constant folding needs the default ones
    struct arena arena;
    struct arena work; // used by the front end, then by one kernel at a time
    struct arena scratch; // used by one pass at a time
    struct intern intern;
    struct diag diag;
    jmp_buf unwound;
    const struct kc_input *input;
    const struct kc_target *target;
    struct driver *driver;
    struct kc_options options;
    char why[256];
    struct token_list tokens;
    const struct kc_file *files;
    size_t file_count;
    struct unit *unit;
    struct ir_module *module;
    struct data_segment data;
    VEC(struct kc_kernel) kernels;
    struct ir_mapping mapping;
    struct ir_debug debug;
    VEC(struct ir_module *) lowered; // with target.mapping: the kernels' modules, which become one SPIR-V module
    const uint32_t *words;           // of SPIR-V
    size_t word_count;
    const struct ir_kernel *kernel; // the kernel being lowered
    bool library, separate;
    bool apart;     // each kernel is compiled as if it were the only one
    bool too_large; // a kernel needs too many registers
    struct str general_object;  // becomes kc_program.object
    const char *general_kernel; // the kernel that kc_build_general() builds; NULL: build all
    uint64_t since;
    struct driver no_driver;
    enum kc_status (*task)(struct build *b); // runs on a separate stack
    enum kc_status status;                   // result of the task
    const struct kc_link_input *linked;      // input of tasks that link
    size_t input_count;                      // of build_all()
    const struct kc_program *from;           // of kc_build_general()
    struct str object;                       // output of tasks that write an object
    struct arena *library_arena;             // of driver_library()
    struct library_texts *library_texts;
};

bool build_failed(const struct build *b);
// An error of the IR; it has the place of the instruction that caused it. NULL: none.
void build_report(struct build *b, const char *error);
void build_report_in(struct build *b, const struct ir_module *module, const char *error);

// What `driver` asks for.
void build_add_time(struct build *b, enum driver_stage stage);
bool build_dumps(const struct build *b, unsigned what);
void build_dump(struct build *b, const char *what, const void *bytes, size_t size);
void build_dump_ir(struct build *b, const char *what, const struct ir_module *module);
void build_dump_pass(void *data, const char *pass, struct ir_module *module, struct ir_function *function);

// ---- kernels.c -----------------------------------------------------------------------------------

// Compiles the kernels of the build's module to SPIR-V.
void build_kernels(struct build *b);
bool build_has_matrices(const struct ir_module *module);
struct pipeline_options build_pass_options(struct build *b);

#endif
