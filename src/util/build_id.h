// SPDX-License-Identifier: Apache-2.0
// What tells this build of the library from all others: the number that the linker makes of its contents.
#ifndef PUMICE_UTIL_BUILD_ID_H
#define PUMICE_UTIL_BUILD_ID_H

#include <stddef.h>

// Of the library or program that this is linked into. NULL: it was linked without one.
const void *build_id(size_t *size);

#endif
