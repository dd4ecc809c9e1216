// SPDX-License-Identifier: Apache-2.0
// Devices that pumice-cc can compile for without access to them.
#ifndef KC_PRESETS_H
#define KC_PRESETS_H

#include "pumice/kc.h"
#include <stdio.h>

// Returns false if there is no preset of that name.
bool preset_find(const char *name, struct kc_target *target);

void preset_list(FILE *to); // one line for each

#endif
