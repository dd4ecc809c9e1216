// SPDX-License-Identifier: Apache-2.0
// Names of functions as C++ mangles them (Itanium), as far as built-in functions have them.
#ifndef KC_READER_MANGLED_H
#define KC_READER_MANGLED_H

#include "ast/types.h"

// "_Z3maxDv2_iS_" -> "max", interned, and the types of the first `room` parameters; one without a type there is not told. A name that is
// not mangled is its own. NULL: this is no such name.
const char *reader_demangle(struct ast *ast, const char *name, struct qtype *types, uint32_t room);

#endif
