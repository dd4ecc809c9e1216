// SPDX-License-Identifier: Apache-2.0
// The library blob that the build embedded.
#include "pack/library.h"

extern const unsigned char kc_library[], kc_library_end[];

const unsigned char *library_blob(size_t *size)
{
    *size = (size_t)(kc_library_end - kc_library);
    return kc_library;
}
