// SPDX-License-Identifier: Apache-2.0
// What kernels print: records in a printf buffer (kc.h: KC_PRINTF_HEADER) -> text.
#ifndef PUMICE_COMMAND_PRINTF_H
#define PUMICE_COMMAND_PRINTF_H

#include <stdio.h>

#include "pumice/kc.h"

struct printf_source {
    const struct kc_program *program; // whose kernel filled the buffer
    uint64_t data_address;            // of its data segment
    uint32_t call_address;            // what descriptions of calls count from: its low half, or 0
    const uint8_t *buffer;            // as the device left it
    uint32_t size;                    // of the buffer
};

// Writes all records in their order; what makes no sense ends the output. Holds the lock of `out`.
void printf_write(const struct printf_source *source, FILE *out);

#endif
