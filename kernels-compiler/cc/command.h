// SPDX-License-Identifier: Apache-2.0
// What the command line of pumice-cc asks for.
#ifndef KC_CC_COMMAND_H
#define KC_CC_COMMAND_H

#include "cc/mapping.h"
#include "driver.h"

struct command {
    struct arena arena;
    jmp_buf full;
    struct kc_target target;
    struct str options; // for the compiler
    VEC(const char *) files;
    VEC(const char *) passes;
    VEC(const char *) mapping_words; // options that ask for modules for other programs
    struct mapping_request mapping;
    VEC(struct kc_spec_value) spec_values; // sizes still unknown
    struct str first_lines; // of a source: what is included before it
    const char *out, *kernel, *target_name, *json;
    bool target_chosen, list_targets, physical, all, time, info, show, library, keep_going, object, verified, unverified;
    bool create_library, enable_link_options;
    enum form { FORM_SPIRV, FORM_C, FORM_TEXT } form;
    enum input { INPUT_BY_NAME, INPUT_SOURCE, INPUT_SPIRV } input;
    unsigned repeat;
    struct driver driver;
    int status;
};

// Fills in what the words say, from argv[1] on, into a zeroed command with an arena; `status` tells whether they are right.
void command_read(struct command *c, int count, char **words);
// On standard error; the status is 2 from then on.
int complain(struct command *c, const char *what, const char *name);
bool ends_in(const char *name, const char *end);
bool all_end_in(const struct command *c, const char *end); // all files

#endif
