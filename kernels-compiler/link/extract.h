// SPDX-License-Identifier: Apache-2.0
// One kernel and what it reaches, copied out of the program's module into one of its own.
#ifndef KC_EXTRACT_H
#define KC_EXTRACT_H

#include "ir/ir.h"

// The copy is in `arena`; it goes on using the program's constants and names.
struct ir_module *extract_kernel(struct ir_module *program, struct ir_function *kernel, struct arena *arena);

#endif
