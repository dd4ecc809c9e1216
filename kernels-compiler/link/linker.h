// SPDX-License-Identifier: Apache-2.0
// Units of a program -> one module.
#ifndef KC_LINK_H
#define KC_LINK_H

#include "common/diag.h"
#include "ir/ir.h"

// Moves all that the units hold into `into`, which shares arena and names with them. What does not
// fit is reported by name. A library may leave names undefined.
void link_units(struct ir_module *into, struct ir_module *const *units, size_t count, bool library,
                struct diag *diag);

#endif
