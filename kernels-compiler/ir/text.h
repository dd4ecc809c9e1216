// SPDX-License-Identifier: Apache-2.0
// Names of the text form, shared by printer and parser.
#ifndef KC_IR_TEXT_H
#define KC_IR_TEXT_H

#include "ir/internal.h"

// Each array ends with NULL and is indexed by its enum.
extern const char *const ir_linkage_names[], *const ir_space_names[], *const ir_effective_names[],
    *const ir_atomic_names[], *const ir_subgroup_names[], *const ir_group_names[], *const ir_scope_names[],
                                  *const ir_order_names[],
                                      *const ir_sys_names[], *const ir_arg_kind_names[],
                                                                 *const ir_address_names[],
                                                                     *const ir_access_names[],
                                                                         *const ir_push_names[],
                                                                             *const ir_spec_names[];
extern const char *const ir_use_names[], *const ir_matrix_flag_names[];
extern const char *const ir_image_dim_names[], *const ir_texel_names[], *const ir_image_info_names[],
    *const ir_binding_names[];

// The numeric fields of a kernel's line.
#define IR_KERNEL_NUMBERS                                                                          \
    NUMBER(push_size)                                                                              \
    NUMBER(push_indirect) NUMBER(local_memory) NUMBER(local_per_item) NUMBER(local_static_shared) NUMBER(private_memory)  \
        NUMBER(scratch_bytes) NUMBER(scratch_lanes) NUMBER(uses_barrier) NUMBER(uses_printf) NUMBER(block) NUMBER(partial_groups) \
        NUMBER(uses_subgroups) NUMBER(lockstep) NUMBER(whole_sub_groups) NUMBER(matrix_units) NUMBER(reqd_sub_groups) NUMBER(reqd_sub_group_size)

#endif
