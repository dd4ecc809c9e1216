// SPDX-License-Identifier: Apache-2.0
// Replaced by the linker for devices whose own functions are accurate enough (device.h); for all others: no.
#include "lib.h"

LIB bool native_is_close(float of)
{
    return false;
}
