// SPDX-License-Identifier: Apache-2.0
// Which matrices a device's own units take.
#ifndef KC_PASSES_NATIVE_MATRICES_H
#define KC_PASSES_NATIVE_MATRICES_H

#include "ir/ir.h"

// Whether the device does all that `f` does with matrices.
bool native_matrices(const struct kc_target *target, struct ir_function *f);

#endif
