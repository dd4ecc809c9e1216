// SPDX-License-Identifier: Apache-2.0
// The program's data segment: where its program-scope constants and variables lie, and their first contents.
#ifndef KC_PASSES_DATA_SEGMENT_H
#define KC_PASSES_DATA_SEGMENT_H

#include "ir/ir.h"

struct data_segment {
    const uint8_t *data;
    uint32_t size;
    bool writable; // it holds variables
    const struct kc_relocation *relocations;
    uint32_t relocation_count;
    uint64_t layout; // names and their places, as one number
};

// Gives every constant and global variable its data_offset (var.placed). Call it once for the whole program, before its
// kernels get modules of their own: the offsets must be the same in all of them. What is placed already keeps its offset.
void data_segment_layout(struct ir_module *module);

// The contents, in the module's arena; lays out first.
void data_segment_build(struct ir_module *module, struct data_segment *segment);

#endif
