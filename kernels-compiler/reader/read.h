// SPDX-License-Identifier: Apache-2.0
// OpenCL SPIR-V (the Kernel execution model) -> IR, the same that gen makes of source: nothing behind it knows the difference.
#ifndef KC_READER_READ_H
#define KC_READER_READ_H

#include "gen/gen.h"

struct reader_input {
    struct arena *arena; // of the IR
    struct arena *work;  // of all else
    struct intern *intern;
    struct diag *diag;
    const struct kc_target *target;
    const struct gen_options *options;
    const void *il;
    size_t size; // bytes
    const struct kc_spec_value *spec_values;
    size_t spec_value_count;
};

// The module with what its kernels reach, or what others may use where options say so. What is wrong with the words, or not
// taken, is reported in the diag with its place, and unwinds to who made the diag.
struct ir_module *reader_read(const struct reader_input *input);

#endif
