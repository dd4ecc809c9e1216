// SPDX-License-Identifier: Apache-2.0
// The developer's switches for builds inside an application: PUMICE_DUMP and its like.
#ifndef KC_ENVIRONMENT_H
#define KC_ENVIRONMENT_H

#include "driver.h"

// Sets what the environment asks for.
void environment_driver(struct driver *driver);

// The words of PUMICE_REPLACE_DIR/<kernel>.spv in the arena; NULL: no such file.
const uint32_t *environment_replacement(struct arena *arena, const char *kernel, size_t *words);

#endif
