// SPDX-License-Identifier: Apache-2.0
// Units of a program -> one module.
#ifndef KC_LINK_H
#define KC_LINK_H

#include "common/diag.h"
#include "ir/ir.h"

// Moves the contents of all units into `into`, which shares arena and interned names with them. Conflicts are
// reported by name. For a library, undefined names are allowed.
void link_units(struct ir_module *into, struct ir_module *const *units, size_t count, bool library,
                struct diag *diag);

#endif
