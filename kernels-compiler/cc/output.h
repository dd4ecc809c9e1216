// SPDX-License-Identifier: Apache-2.0
// Output of pumice-cc: modules, their descriptions, and information for the user.
#ifndef KC_CC_OUTPUT_H
#define KC_CC_OUTPUT_H

#include "cc/command.h"

void output_file(struct command *c, const char *name, const void *bytes, size_t size); // "-": standard output
void output_words(struct command *c, const char *name, const uint32_t *words, size_t count); // in the requested form
void output_disassembly(const void *words, size_t size);
// For struct driver's write; `data` is the command.
void output_dump(void *data, const char *what, const char *kernel, const void *bytes, size_t size);
// One module of all kernels, or one for each.
void output_module(struct command *c, const struct kc_program *program);
void output_kernels(struct command *c, const struct kc_program *program);
void output_times(const struct driver *driver);

#endif
