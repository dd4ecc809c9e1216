// SPDX-License-Identifier: Apache-2.0
// Constants that RADV keeps in scalar registers.
//
// An instruction contains a constant of 32 bits only if the constant has few uses; a constant with more is loaded into a
// scalar register before the first use and kept until the last one. So hashes that are computed several times occupy
// more scalar registers with their constants than with all other values.
#ifndef KC_PASSES_LITERALS_H
#define KC_PASSES_LITERALS_H

#include "passes/pressure.h"

// By position of `pressure`: bytes of such constants.
uint32_t *literals_live(const struct pressure *pressure, const struct ir_function *function, struct arena *arena);

#endif
