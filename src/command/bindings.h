// SPDX-License-Identifier: Apache-2.0
// Descriptors of a launch: image arguments -> a descriptor set. On devices without buffer device
// addresses the set binds all memory that the kernel reaches. For src/command only.
//
// A kernel caches the sets that its launches have used. If a binding expects another texel class
// (float, int, uint) than the image has, it gets a view of the same bits in that class. If the
// image does not support such a view or storage access, the binding gets a dummy image; each device
// has one per dimension and class. An image whose texels are rows in a buffer is copied to a
// temporary image before the launch and back after it.
// back after it.
#ifndef PUMICE_COMMAND_BINDINGS_H
#define PUMICE_COMMAND_BINDINGS_H

#include "command/cluster.h"
#include "command/image.h"
#include "command/internal.h"
#include "command/kernel.h"

// Launches can share a set if keys describe its whole contents.
enum { CMD_SET_KEYS = 8 };
struct cmd_key { // one binding: the buffer's number and the offset in it
    uint64_t number, offset;
};
struct cmd_set {
    struct cmd_set *next;
    VkDescriptorSet handle;
    uint32_t uses, key_count; // keys are written at most once and stay valid
    struct cmd_key keys[CMD_SET_KEYS];
};

// A temporary image that replaces rows in a buffer during one launch.
struct cmd_stand_in {
    const struct cmd_surface *surface;
    struct vk_image image;
    bool write_back;
};

struct cmd_bindings {
    struct cmd_kernel *kernel; // NULL: the kernel has no bindings
    struct cmd_set *set;
    union vk_descriptor *list; // one per binding of the kernel
    bool late;                  // some descriptors are known only when the launch is recorded
    struct cmd_cluster *cluster; // NULL: each argument has a binding of its own
    bool block;                 // the push block is a buffer, bound again for each dispatch
    struct cmd_stand_in *stand_ins;
    uint32_t stand_in_count;
};

// Buffers that a launch binds in addition to its arguments. `data` and `block` are known when it is
// enqueued.
struct cmd_bound {
    const struct vk_buffer *data, *block, *printf, *scratch;
};

// `list`: space for kc_kernel.binding_count descriptors; must live as long as `bindings`.
cl_int cmd_bindings_make(struct cmd_bindings *bindings, struct cmd_kernel *kernel,
                         const struct cmd_arg *args, const struct cmd_bound *bound,
                         union vk_descriptor *list);
// begin: binds the set and records what precedes the dispatches; end: what follows them.
void cmd_bindings_begin(const struct cmd_bindings *bindings, const struct cmd_bound *bound,
                        VkCommandBuffer commands);
// Call before a dispatch: its push block begins at `offset` in the block buffer.
void cmd_bindings_block(const struct cmd_bindings *bindings, VkCommandBuffer commands,
                        uint64_t offset);
void cmd_bindings_end(const struct cmd_bindings *bindings, VkCommandBuffer commands);
// Call when the device has finished the launch.
void cmd_bindings_finish(struct cmd_bindings *bindings);

// The format name that a kernel with named image formats (KC_SPEC_IMAGE_FORMAT) must use for what
// `surface` binds here.
uint32_t cmd_binding_format(const struct vk_device *device, const struct kc_binding *binding,
                            const struct cmd_surface *surface);

// For a bound buffer argument `index`: the byte offset from the start of the binding, as pushed to
// the kernel; and the number that represents a pointer to that start (KC_PUSH_BUFFER_NUMBER with
// `bits` bits).
uint32_t cmd_bindings_rest(const struct cmd_bindings *bindings, const struct kc_kernel *info,
                           const struct cmd_arg *args, uint32_t index);
uint64_t cmd_bindings_number(const struct cmd_bindings *bindings, const struct kc_kernel *info,
                             const struct cmd_arg *args, uint32_t index, unsigned bits);

// The memory that the launch reads and writes through argument `arg`.
struct cmd_access cmd_surface_access(const struct cmd_surface *surface, const struct kc_arg *arg);

// Frees the dummy images of a device that is being closed.
struct cmd_dummies;
void cmd_dummies_destroy(struct cmd_dummies *dummies);
// immediate.c: the device's dummies, locked until cmd_own_dummies_done().
struct cmd_dummies **cmd_own_dummies(struct vk_device *device);
void cmd_own_dummies_done(void);

#endif
