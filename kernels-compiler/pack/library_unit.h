// SPDX-License-Identifier: Apache-2.0
// Converts a source file of the built-in library to the texts that pack/library.h packs.
#ifndef KC_LIBRARY_UNIT_H
#define KC_LIBRARY_UNIT_H

#include "pack/library.h"

// Optimizes the module and adds its functions and variables as texts, in the arena.
void library_unit(struct ir_module *module, const struct kc_target *target, struct arena *arena, struct library_texts *texts);

#endif
