// SPDX-License-Identifier: Apache-2.0
#ifndef KC_PASSES_LATE_BARRIER_H
#define KC_PASSES_LATE_BARRIER_H

#include "passes/passes.h"

// Whether it shortens the driver's compilation, and the device can do it: the store has an address.
bool late_barrier_helps(const struct kc_target *target);
// Adds a barrier to the end of a kernel, and a loop after it that stores `var` until it has the value `end`. All
// work-items arrive there with this value, which the driver does not know. See opt_late_barrier.c for the purpose.
void late_barrier_add(struct ir_builder *b, struct ir_var *var, struct ir_instr *end);

#endif
