// SPDX-License-Identifier: Apache-2.0
// Pools of launch families (kernels that enqueue kernels), one pool per device. For src/command
// only.
#ifndef PUMICE_COMMAND_FAMILY_H
#define PUMICE_COMMAND_FAMILY_H

#include "command/internal.h"

struct cmd_family;
struct cmd_families { // idle ones
    struct cmd_family *first;
    uint32_t count;
};

struct cmd_families *cmd_own_families(struct vk_device *device); // immediate.c; NULL: no memory
void cmd_families_free(struct cmd_families *families);

#endif
