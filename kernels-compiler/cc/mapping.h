// SPDX-License-Identifier: Apache-2.0
// Modules for other programs than our runtime: the options that ask for them, by the names that build scripts know, and the
// descriptor map.
#ifndef KC_CC_MAPPING_H
#define KC_CC_MAPPING_H

#include "pumice/kc.h"
#include <stdio.h>

// What such an option says beside the target.
struct mapping_request {
    bool on;
    const char *map_file;      // for the descriptor map; NULL: none
    const char *meant;         // what the compiler proper calls it; NULL: the option is not for that
    bool features;             // of OpenCL C 3.0 are named
    bool uniform, push, apart; // told, to see what excludes what
};

// Whether the value of an option is the next word.
bool mapping_wants_value(const char *word);
// Takes an option for `target`. False: it is none of these. `why` is set where its value is wrong.
bool mapping_option(const char *word, struct kc_target *target, struct mapping_request *request, const char **why);
// After all options: extensions and features that need what the target does not have are not offered to programs; addresses lie
// in push constants, unless uniform buffers were asked for, or plain data apart.
void mapping_settle(struct kc_target *target);
// NULL, or which options exclude each other.
const char *mapping_check(const struct mapping_request *request, const struct kc_target *target);

void mapping_write(FILE *to, const struct kc_program *program, const struct kc_mapping *mapping);
// As `{0x07230203, ...}`
void mapping_write_list(FILE *to, const uint32_t *words, size_t count);

#endif
