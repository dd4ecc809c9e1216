// SPDX-License-Identifier: Apache-2.0
// The program's data segment: layout and initial contents of program-scope constants and variables.
#ifndef KC_PASSES_DATA_SEGMENT_H
#define KC_PASSES_DATA_SEGMENT_H

#include "ir/ir.h"

struct data_segment {
    const uint8_t *data;
    uint32_t size;
    bool writable; // contains variables
    const struct kc_relocation *relocations;
    uint32_t relocation_count;
    uint64_t layout; // hash of names and offsets
};

// Sets data_offset of every constant and global variable (var.placed). Call it once for the whole program before
// kernels get modules of their own, because offsets must agree in all of them. Variables that are placed already keep
// their offset.
void data_segment_layout(struct ir_module *module);

// Builds the contents, in the module's arena, after the layout.
void data_segment_build(struct ir_module *module, struct data_segment *segment);

#endif
