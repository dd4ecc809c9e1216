// SPDX-License-Identifier: Apache-2.0
// Arguments of a launch that lie behind one binding (KC_BINDING_CLUSTER): devices without addresses
// may bind only four buffers. For src/command only.
//
// What is bound is one range of one VkBuffer. Where the arguments lie in such a range it is that, and
// memory.c sees to it that most do. Else they are copied to memory of the launch's own before it,
// and back after it where the kernel writes. Memory stays one memory: what another argument has of
// it, with a binding of its own or in the cluster, is meant to be the copy then.
//
// Arguments are given as cmd_span() has them.
#ifndef PUMICE_COMMAND_CLUSTER_H
#define PUMICE_COMMAND_CLUSTER_H

#include "command/internal.h"

// Bytes of a VkBuffer, and where they are in the copy.
struct cmd_moved {
    VkBuffer handle;
    VkDeviceSize begin, end, at;
    bool written;
};

struct cmd_cluster {
    VkDescriptorBufferInfo range; // that is bound; no buffer: all arguments are null
    struct vk_buffer copy;        // device NULL: nothing is copied
    struct cmd_moved *moved;
    uint32_t moved_count;
};

// CL_OUT_OF_RESOURCES where the arguments do not fit in one range. `cluster` is zeroed, and to be
// finished whatever the result.
cl_int cmd_cluster_make(struct cmd_cluster *cluster, struct vk_device *device,
                        const struct kc_kernel *info, const struct cmd_arg *args);
void cmd_cluster_finish(struct cmd_cluster *cluster);

// Argument `index` of a launch without addresses, as it is bound: where the kernel sees pointers as numbers
// (kc_arg.numbered) the bytes from the first to the last of such arguments with the same buffer, so that any of their
// bindings will do for a pointer into one of them.
struct cmd_arg cmd_span(const struct kc_kernel *info, const struct cmd_arg *args, uint32_t index);

// The buffer and the offset in it that an argument's memory (not NULL) has in this launch.
const struct vk_buffer *cmd_cluster_place(const struct cmd_cluster *cluster,
                                          const struct cmd_arg *arg, VkDeviceSize *offset);
// Of one that is in the cluster: the bytes from the start of the range to it.
uint32_t cmd_cluster_rest(const struct cmd_cluster *cluster, const struct cmd_arg *arg);

// Before the dispatches and after them.
void cmd_cluster_begin(const struct cmd_cluster *cluster, VkCommandBuffer commands);
void cmd_cluster_end(const struct cmd_cluster *cluster, VkCommandBuffer commands);

#endif
