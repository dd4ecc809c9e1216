// SPDX-License-Identifier: Apache-2.0
// Launch arguments that share one binding (KC_BINDING_CLUSTER), for devices without buffer device
// addresses that can bind as few as four buffers. For src/command only.
//
// One range of one VkBuffer is bound. If all arguments are within such a range, it is bound
// directly; memory.c allocates so that most are. Otherwise the arguments are copied to a temporary
// buffer before the launch, and copied back after it if the kernel writes them. Aliasing is
// preserved: another argument that overlaps copied memory, in the cluster or with a binding of its
// own, uses the copy too.
//
// Arguments are passed as cmd_span() returns them.
#ifndef PUMICE_COMMAND_CLUSTER_H
#define PUMICE_COMMAND_CLUSTER_H

#include "command/internal.h"

// A byte range of a VkBuffer, and its offset in the copy.
struct cmd_moved {
    VkBuffer handle;
    VkDeviceSize begin, end, at;
    bool written;
};

struct cmd_cluster {
    VkDescriptorBufferInfo range; // the bound range; no buffer: all arguments are null
    struct vk_buffer copy;        // device NULL: nothing is copied
    struct cmd_moved *moved;
    uint32_t moved_count;
};

// CL_OUT_OF_RESOURCES if the arguments do not fit in one range. `cluster` is zeroed first and must
// be finished whatever the result.
cl_int cmd_cluster_make(struct cmd_cluster *cluster, struct vk_device *device,
                        const struct kc_kernel *info, const struct cmd_arg *args);
void cmd_cluster_finish(struct cmd_cluster *cluster);

// Argument `index` of a launch without buffer device addresses, as it is bound. If the kernel
// represents pointers as numbers (kc_arg.numbered), the result spans all such arguments with the
// same buffer, so that each of their bindings works for a pointer into any of them.
struct cmd_arg cmd_span(const struct kc_kernel *info, const struct cmd_arg *args, uint32_t index);

// The buffer and offset that an argument's memory (not NULL) has in this launch.
const struct vk_buffer *cmd_cluster_place(const struct cmd_cluster *cluster,
                                          const struct cmd_arg *arg, VkDeviceSize *offset);
// For an argument in the cluster: the bytes from the start of the bound range to it.
uint32_t cmd_cluster_rest(const struct cmd_cluster *cluster, const struct cmd_arg *arg);

// Records the copies before and after the dispatches.
void cmd_cluster_begin(const struct cmd_cluster *cluster, VkCommandBuffer commands);
void cmd_cluster_end(const struct cmd_cluster *cluster, VkCommandBuffer commands);

#endif
