// SPDX-License-Identifier: Apache-2.0
// Copies a kernel and the functions it reaches from the program's module into a new one.
#ifndef KC_EXTRACT_H
#define KC_EXTRACT_H

#include "ir/ir.h"

// The copy is in `arena`; it shares the program's constants and names.
struct ir_module *extract_kernel(struct ir_module *program, struct ir_function *kernel, struct arena *arena);

#endif
