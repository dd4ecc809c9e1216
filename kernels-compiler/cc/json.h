// SPDX-License-Identifier: Apache-2.0
// Writes as JSON what a launch must pass to the kernels' modules, for programs without our headers. pumice-cc.1
// documents the names.
#ifndef KC_CC_JSON_H
#define KC_CC_JSON_H

#include "pumice/kc.h"
#include <stdio.h>

// `files`: file of each kernel's module; NULL if it was not written.
void json_write(FILE *to, const struct kc_program *program, const struct kc_target *target, const char *const *files);

#endif
