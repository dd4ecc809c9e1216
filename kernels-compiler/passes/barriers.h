// SPDX-License-Identifier: Apache-2.0
// Barriers that only some work-items reach (lower_barriers.c).
#ifndef KC_PASSES_BARRIERS_H
#define KC_PASSES_BARRIERS_H

#include "passes/passes.h"

// Whether work-items may have to wait for others at the end of the module's kernels, which must then have a single end.
bool barriers_wait_at_end(const struct ir_module *m);

#endif
