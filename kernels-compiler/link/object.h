// SPDX-License-Identifier: Apache-2.0
// Objects: what separate compilation hands from kc_compile() to kc_link(), as bytes.
#ifndef KC_OBJECT_H
#define KC_OBJECT_H

#include "ir/ir.h"

enum {                      // flags of an object
    OBJECT_UNOPTIMIZED = 1, // -cl-opt-disable
    OBJECT_UNIFORM = 2,     // work-groups are all of one size
};

struct str object_write(const struct ir_module *module, unsigned flags);

// Adds what the object holds to an empty module. Believes nothing. NULL, or what is wrong with it.
const char *object_read(struct ir_module *module, const void *bytes, size_t size, unsigned *flags);

#endif
