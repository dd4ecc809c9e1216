// SPDX-License-Identifier: Apache-2.0
// Image arguments of a launch -> a descriptor set; on devices without addresses all of the memory
// that it reaches. For src/command only.
//
// A kernel keeps the sets that its launches have used. A binding for another class of texels than the
// image's gets a view of the same bits in that class. What the image has not at all - such a view, or
// storage - is a view of a dummy, of which each device has one per dimension and class. Rows in a buffer are copied to an image of the launch's own before it, and
// back after it.
#ifndef PUMICE_COMMAND_BINDINGS_H
#define PUMICE_COMMAND_BINDINGS_H

#include "command/cluster.h"
#include "command/image.h"
#include "command/internal.h"
#include "command/kernel.h"

// A set may serve several launches at a time, if what it has is told by keys.
enum { CMD_SET_KEYS = 8 };
struct cmd_key { // of a binding: a buffer's number, and from where on
    uint64_t number, offset;
};
struct cmd_set {
    struct cmd_set *next;
    VkDescriptorSet handle;
    uint32_t uses, key_count; // keys are written when there are any, and stay then
    struct cmd_key keys[CMD_SET_KEYS];
};

// An image that stands for rows in a buffer during one launch.
struct cmd_stand_in {
    const struct cmd_surface *surface;
    struct vk_image image;
    bool write_back;
};

struct cmd_bindings {
    struct cmd_kernel *kernel; // NULL: it has none
    struct cmd_set *set;
    union vk_descriptor *list; // one for each of the kernel's
    bool late;                  // some are known when the launch is recorded
    struct cmd_cluster *cluster; // NULL: each argument has its own
    bool block;                 // the push block is among them: bound with each dispatch
    struct cmd_stand_in *stand_ins;
    uint32_t stand_in_count;
};

// Memory that a launch binds beside its arguments'; the first two are known when it is enqueued.
struct cmd_bound {
    const struct vk_buffer *data, *block, *printf, *scratch;
};

// `list`: room for kc_kernel.binding_count, which lives as long as `bindings`.
cl_int cmd_bindings_make(struct cmd_bindings *bindings, struct cmd_kernel *kernel,
                         const struct cmd_arg *args, const struct cmd_bound *bound,
                         union vk_descriptor *list);
// The set and what comes before the dispatches; what comes after them.
void cmd_bindings_begin(const struct cmd_bindings *bindings, const struct cmd_bound *bound,
                        VkCommandBuffer commands);
// Before a dispatch: its push block begins at `offset` in the block buffer.
void cmd_bindings_block(const struct cmd_bindings *bindings, VkCommandBuffer commands,
                        uint64_t offset);
void cmd_bindings_end(const struct cmd_bindings *bindings, VkCommandBuffer commands);
// The device is done.
void cmd_bindings_finish(struct cmd_bindings *bindings);

// What a kernel that names formats (KC_SPEC_IMAGE_FORMAT) must call what `surface` gives this binding.
uint32_t cmd_binding_format(const struct vk_device *device, const struct kc_binding *binding,
                            const struct cmd_surface *surface);

// What is pushed of buffer argument `index` that is bound: the bytes between the binding's start and it; and the number that
// a pointer to that start is (KC_PUSH_BUFFER_NUMBER of so many bits).
uint32_t cmd_bindings_rest(const struct cmd_bindings *bindings, const struct kc_kernel *info,
                           const struct cmd_arg *args, uint32_t index);
uint64_t cmd_bindings_number(const struct cmd_bindings *bindings, const struct kc_kernel *info,
                             const struct cmd_arg *args, uint32_t index, unsigned bits);

// What the launch reads and writes through argument `arg`.
struct cmd_access cmd_surface_access(const struct cmd_surface *surface, const struct kc_arg *arg);

// The dummies of a device that goes.
struct cmd_dummies;
void cmd_dummies_destroy(struct cmd_dummies *dummies);
// immediate.c: where the device keeps them; locked until cmd_own_dummies_done().
struct cmd_dummies **cmd_own_dummies(struct vk_device *device);
void cmd_own_dummies_done(void);

#endif
