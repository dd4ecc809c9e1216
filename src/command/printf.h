// SPDX-License-Identifier: Apache-2.0
// Output of kernels: records in a printf buffer (kc.h: KC_PRINTF_HEADER) -> text.
#ifndef PUMICE_COMMAND_PRINTF_H
#define PUMICE_COMMAND_PRINTF_H

#include <stdio.h>

#include "pumice/kc.h"

struct printf_source {
    const struct kc_program *program; // of the kernel that filled the buffer
    uint64_t data_address;            // of the program's data segment
    uint32_t call_address;            // base of the call descriptions: its low 32 bits, or 0
    const uint8_t *buffer;            // as written by the device
    uint32_t size;                    // of the buffer
};

// Writes all records in order; output ends at the first invalid record. Holds the lock of `out`.
void printf_write(const struct printf_source *source, FILE *out);

#endif
