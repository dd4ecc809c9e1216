// SPDX-License-Identifier: Apache-2.0
// What a launch of the kernels' own modules must hand over, for programs that have none of our headers. pumice-cc.1 says what
// each name means.
#ifndef KC_CC_JSON_H
#define KC_CC_JSON_H

#include "pumice/kc.h"
#include <stdio.h>

// `files`: of each kernel's module; NULL where it has not been written.
void json_write(FILE *to, const struct kc_program *program, const struct kc_target *target, const char *const *files);

#endif
