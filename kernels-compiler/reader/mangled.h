// SPDX-License-Identifier: Apache-2.0
// Demangles the C++ function names (Itanium ABI) of built-in functions.
#ifndef KC_READER_MANGLED_H
#define KC_READER_MANGLED_H

#include "ast/types.h"

// "_Z3maxDv2_iS_" -> "max", interned, and the types of the first `room` parameters; unknown types stay unset. A name
// that is not mangled is returned as it is. NULL: the mangled name is invalid.
const char *reader_demangle(struct ast *ast, const char *name, struct qtype *types, uint32_t room);

#endif
