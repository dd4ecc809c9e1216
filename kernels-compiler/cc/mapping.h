// SPDX-License-Identifier: Apache-2.0
// Modules for programs other than our runtime: their options, with the names that build scripts use, and the
// descriptor map.
#ifndef KC_CC_MAPPING_H
#define KC_CC_MAPPING_H

#include "pumice/kc.h"
#include <stdio.h>

// Settings of these options besides the target.
struct mapping_request {
    bool on;
    const char *map_file;      // file for the descriptor map; NULL: none
    const char *renamed;       // equivalent option of the compiler proper; NULL: none
    bool features;             // features of OpenCL C 3.0 were listed
    bool uniform, push, separate; // were specified, to detect conflicts
};

// Whether the value of an option is the next word.
bool mapping_wants_value(const char *word);
// Applies an option to `target`. Returns false if it is another option. Sets `why` if its value is invalid.
bool mapping_option(const char *word, struct kc_target *target, struct mapping_request *request, const char **why);
// After all options: removes extensions and features whose requirements the target lacks; addresses go to push
// constants, or to uniform buffers if those were requested or plain arguments are separate.
void mapping_finish(struct kc_target *target);
// NULL, or the options that exclude each other.
const char *mapping_check(const struct mapping_request *request, const struct kc_target *target);

void mapping_write(FILE *to, const struct kc_program *program, const struct kc_mapping *mapping);
// Writes words as `{0x07230203, ...}`.
void mapping_write_list(FILE *to, const uint32_t *words, size_t count);

#endif
