// SPDX-License-Identifier: Apache-2.0
// No library blob: for the compiler that compiles the library.
#include "pack/library.h"

const unsigned char *library_blob(size_t *size)
{
    *size = 0;
    return NULL;
}
