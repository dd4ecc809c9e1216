// SPDX-License-Identifier: Apache-2.0
// The command line of pumice-cc.
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
    VEC(const char *) mapping_words; // options for modules for other programs
    struct mapping_request mapping;
    VEC(struct kc_spec_value) spec_values; // sizes are not known yet
    struct str first_lines; // #include lines added before a source
    const char *out, *kernel, *target_name, *json;
    bool target_chosen, list_targets, physical, all, time, info, show, library, keep_going, object, verified, unverified;
    bool create_library, enable_link_options;
    enum form { FORM_SPIRV, FORM_C, FORM_TEXT } form;
    enum input { INPUT_BY_NAME, INPUT_SOURCE, INPUT_SPIRV } input;
    unsigned repeat;
    struct driver driver;
    int status;
};

// Parses the words from argv[1] on into a zeroed command with an arena; `status` says whether they are valid.
void command_read(struct command *c, int count, char **words);
// Prints an error to standard error and sets the status to 2.
int complain(struct command *c, const char *what, const char *name);
bool ends_in(const char *name, const char *end);
bool all_end_in(const struct command *c, const char *end); // tests all files

#endif
