// SPDX-License-Identifier: Apache-2.0
// Environment switches for developers (PUMICE_DUMP and others) that affect builds inside an application.
#ifndef KC_ENVIRONMENT_H
#define KC_ENVIRONMENT_H

#include "driver.h"

// Fills in the driver's options from the environment.
void environment_driver(struct driver *driver);

// Reads the words of PUMICE_REPLACE_DIR/<kernel>.spv into the arena; NULL if there is no such file.
const uint32_t *environment_replacement(struct arena *arena, const char *kernel, size_t *words);

#endif
