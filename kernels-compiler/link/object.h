// SPDX-License-Identifier: Apache-2.0
// Objects: the result of separate compilation, as bytes that kc_compile() returns and kc_link() takes.
#ifndef KC_OBJECT_H
#define KC_OBJECT_H

#include "ir/ir.h"

enum {                      // flags of an object
    OBJECT_UNOPTIMIZED = 1, // -cl-opt-disable
    OBJECT_UNIFORM = 2,     // all work-groups have the same size
};

struct str object_write(const struct ir_module *module, unsigned flags);

// Adds the object's contents to an empty module. The bytes are untrusted. Returns NULL or an error.
const char *object_read(struct ir_module *module, const void *bytes, size_t size, unsigned *flags);

#endif
