// SPDX-License-Identifier: Apache-2.0
// Data that the runtime passes to a kernel at launch: the push block's fields, the bindings and the specialization
// constants.
//
// A field or constant is created at its first use and then shared. The block is one IR_PUSH variable `uint[n]`, which
// is loaded at the start of the functions that use it. lower_push moves a block that is too large to memory.
//
// Kernel parameters as gen produces them: a scalar or vector has its own type; a struct is an IR_PRIVATE pointer to
// the kernel's copy; global, constant and local pointers are pointers.
#ifndef KC_PASSES_PUSH_H
#define KC_PASSES_PUSH_H

#include "ir/ir.h"

// The kernel of a module that holds one.
struct ir_kernel *push_kernel(struct ir_module *module);

// The field's value in the function that `b` builds in. `type`: an integer, float or vector of the field's size (i64
// and i32 as enum kc_push_kind says). The value dominates the whole function; the position of `b` does not change.
struct ir_instr *push_value(struct ir_builder *b, enum kc_push_kind kind, unsigned dim,
                            unsigned arg, struct ir_type type);

// 32-bit word `word` of a field of `size` bytes: for arguments that are structs.
struct ir_instr *push_word(struct ir_builder *b, enum kc_push_kind kind, unsigned dim, unsigned arg,
                           uint32_t size, uint32_t word);

// The SpecId of a specialization constant (0, 1, 2 are the local sizes).
uint32_t push_spec(struct ir_module *module, enum kc_spec_kind kind, unsigned dim, unsigned arg,
                   uint32_t unit);

// Removes a constant that is no longer used.
void push_drop_spec(struct ir_module *module, uint32_t id);

// The SpecId of a sampler's value; false: it is in the push block, because no ids are left or samplers have bindings.
bool push_sampler(struct ir_module *module, unsigned arg, uint32_t *id);

// The number of a binding, assigned at its first use.
uint32_t push_binding(struct ir_module *module, struct kc_binding binding);

#endif
