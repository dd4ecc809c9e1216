// SPDX-License-Identifier: Apache-2.0
// Image arguments of a launch -> a descriptor set. For src/command only.
//
// A kernel keeps the sets that its launches have used. A binding for another class of texels than the
// image's gets a view of the same bits in that class. What the image has not at all - such a view, or
// storage - is a view of a dummy, of which each device has one per dimension and class. Rows in a buffer are copied to an image of the launch's own before it, and
// back after it.
#ifndef PUMICE_COMMAND_BINDINGS_H
#define PUMICE_COMMAND_BINDINGS_H

#include "command/image.h"
#include "command/internal.h"
#include "command/kernel.h"

struct cmd_set {
    struct cmd_set *next;
    struct vk_set set;
};

// An image that stands for rows in a buffer during one launch.
struct cmd_stand_in {
    const struct cmd_surface *surface;
    struct vk_image image;
    bool write_back;
};

struct cmd_bindings {
    struct cmd_kernel *kernel; // NULL: it has no images
    struct cmd_set *set;
    struct cmd_stand_in *stand_ins;
    uint32_t stand_in_count;
};

cl_int cmd_bindings_make(struct cmd_bindings *bindings, struct cmd_kernel *kernel,
                         const struct cmd_arg *args);
// The set and what comes before the dispatches; what comes after them.
void cmd_bindings_begin(const struct cmd_bindings *bindings, VkCommandBuffer commands);
void cmd_bindings_end(const struct cmd_bindings *bindings, VkCommandBuffer commands);
// The device is done.
void cmd_bindings_finish(struct cmd_bindings *bindings);

// What the launch reads and writes through argument `arg`.
struct cmd_access cmd_surface_access(const struct cmd_surface *surface, const struct kc_arg *arg);

// The dummies of a device that goes.
struct cmd_dummies;
void cmd_dummies_destroy(struct cmd_dummies *dummies);
// immediate.c: where the device keeps them; locked until cmd_own_dummies_done().
struct cmd_dummies **cmd_own_dummies(struct vk_device *device);
void cmd_own_dummies_done(void);

#endif
