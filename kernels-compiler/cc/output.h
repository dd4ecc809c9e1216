// SPDX-License-Identifier: Apache-2.0
// What pumice-cc writes: modules, what belongs to them, and what it shows.
#ifndef KC_CC_OUTPUT_H
#define KC_CC_OUTPUT_H

#include "cc/command.h"

void output_file(struct command *c, const char *name, const void *bytes, size_t size); // "-": standard output
void output_words(struct command *c, const char *name, const uint32_t *words, size_t count); // in the form asked for
void output_disassembly(const void *words, size_t size);
// struct driver's write; `data` is the command.
void output_dump(void *data, const char *what, const char *kernel, const void *bytes, size_t size);
// A module of all kernels, or one for each.
void output_module(struct command *c, const struct kc_program *program);
void output_kernels(struct command *c, const struct kc_program *program);
void output_times(const struct driver *driver);

#endif
