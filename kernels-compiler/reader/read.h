// SPDX-License-Identifier: Apache-2.0
// OpenCL SPIR-V (Kernel execution model) -> IR, in the same form that gen makes from source.
#ifndef KC_READER_READ_H
#define KC_READER_READ_H

#include "gen/gen.h"

struct reader_input {
    struct arena *arena; // for the IR
    struct arena *work;  // for everything else
    struct intern *intern;
    struct diag *diag;
    const struct kc_target *target;
    const struct gen_options *options;
    const void *il;
    size_t size; // bytes
    const struct kc_spec_value *spec_values;
    size_t spec_value_count;
};

// Returns a module with what its kernels reach, and with exported functions if the options say so. Errors and
// unsupported features are reported in the diag with their place and unwind to the diag's creator.
struct ir_module *reader_read(const struct reader_input *input);

#endif
