// SPDX-License-Identifier: Apache-2.0
// One source of the builtin library as what pack/library.h packs.
#ifndef KC_LIBRARY_UNIT_H
#define KC_LIBRARY_UNIT_H

#include "pack/library.h"

// Shortens what the module holds and adds its functions and variables as texts, which live in the arena.
void library_unit(struct ir_module *module, const struct kc_target *target, struct arena *arena, struct library_texts *texts);

#endif
