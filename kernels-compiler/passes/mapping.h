// SPDX-License-Identifier: Apache-2.0
// kc_target.mapping: what other programs than our runtime hand over at a launch, and where.
//
// The plan is made once for a program, before its kernels are lowered: each argument gets its place, and so does what the
// kernels share. push.c asks here first: a value of a launch is one that Vulkan or a specialization constant tells, or a
// field of a block of plain data.
#ifndef KC_PASSES_MAPPING_H
#define KC_PASSES_MAPPING_H

#include "ir/ir.h"

// A field of a block of plain data: of the push constants, or bound.
struct mapping_field {
    bool bound;
    struct kc_binding binding;
    uint32_t offset, end; // bytes; the block has `end` at least
};

struct data_segment;

// Constants and variables that nothing names are no part of the program's data.
void mapping_forget_unused(struct ir_module *program);

// Fills in kc_kernel.places of every kernel, and numbers what is printed. NULL, or what cannot be and why. `uniform`: all
// work-groups have one size.
const char *mapping_plan(struct ir_module *program, bool uniform, const struct data_segment *data, struct ir_mapping *mapping);

// When the kernels are lowered: the buffers that they bind beside their own.
void mapping_share_bound(struct ir_mapping *mapping, struct ir_module *const *modules, size_t count);

// A value of the launch that lies in no block, at the head of the function; NULL: see mapping_field_of().
struct ir_instr *mapping_value(struct ir_builder *head, const struct ir_kernel *kernel, enum kc_push_kind kind, unsigned dim,
                               unsigned arg, struct ir_type type);
struct mapping_field mapping_field_of(struct ir_module *module, struct kc_kernel *info, enum kc_push_kind kind, unsigned dim,
                                      unsigned arg);

// Set and binding of what a kernel binds.
void mapping_bind(struct ir_module *module, const struct kc_kernel *info, struct kc_binding *binding);

#endif
