// SPDX-License-Identifier: Apache-2.0
// kc_target.mapping: places of arguments and launch values for programs launched by something other than our runtime.
//
// The plan is made once per program, before its kernels are lowered: each argument gets its place, and so do the
// values that kernels share. push.c asks here first: a launch value is a Vulkan built-in or a specialization
// constant, or a field of a block of plain data.
#ifndef KC_PASSES_MAPPING_H
#define KC_PASSES_MAPPING_H

#include "ir/ir.h"

// A field of a block of plain data, which is in push constants or in a bound buffer.
struct mapping_field {
    bool bound;
    struct kc_binding binding;
    uint32_t offset, end; // bytes; the block has at least `end` bytes
};

struct data_segment;

// Removes constants and variables that nothing references, so that they are not part of the program's data.
void mapping_drop_unused(struct ir_module *program);

// Fills in kc_kernel.places of every kernel, and numbers the printf format strings. Returns NULL, or a message that
// says what is not supported. `uniform`: all work-groups have the same size.
const char *mapping_plan(struct ir_module *program, bool uniform, const struct data_segment *data, struct ir_mapping *mapping);

// To be called when the kernels have been lowered: adds the buffers that kernels bind in addition to their arguments.
void mapping_share_bound(struct ir_mapping *mapping, struct ir_module *const *modules, size_t count);

// A launch value that is not in a block, built at the start of the function; NULL: see mapping_field_of().
struct ir_instr *mapping_value(struct ir_builder *head, const struct ir_kernel *kernel, enum kc_push_kind kind, unsigned dim,
                               unsigned arg, struct ir_type type);
struct mapping_field mapping_field_of(struct ir_module *module, struct kc_kernel *info, enum kc_push_kind kind, unsigned dim,
                                      unsigned arg);

// Sets descriptor set and binding of a buffer, image or sampler.
void mapping_bind(struct ir_module *module, const struct kc_kernel *info, struct kc_binding *binding);

#endif
