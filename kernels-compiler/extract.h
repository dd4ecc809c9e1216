// SPDX-License-Identifier: Apache-2.0
// One kernel and what it reaches, copied out of the program's module into one of its own.
#ifndef KC_EXTRACT_H
#define KC_EXTRACT_H

#include "ir/ir.h"

struct ir_module *extract_kernel(struct ir_module *program, struct ir_function *kernel);

// A module of this one function and the variables it names; callees stay declarations. For the library.
struct ir_module *extract_function(struct ir_module *program, struct ir_function *function);

#endif
