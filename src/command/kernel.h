// SPDX-License-Identifier: Apache-2.0
// A kernel's pipelines on one device, by specialization. For src/command only.
#ifndef PUMICE_COMMAND_KERNEL_H
#define PUMICE_COMMAND_KERNEL_H

#include "command/command.h"
#include "vulkan/descriptor.h"
#include "vulkan/pipeline.h"

struct cmd_set; // bindings.h
struct cmd_key;

// A local size; guarded: the range need not be whole groups of it (KC_SPEC_GUARD is 1).
struct cmd_groups {
    size_t local[3];
    bool guarded;
};

enum { CMD_PICKS = 4, CMD_SIZES = 4, CMD_GIVEN_SIZES = 4 };
// The local size that launches over a range get which leave it to us.
struct cmd_pick {
    size_t global[3];
    struct cmd_groups groups;
};

struct cmd_kernel {
    struct vk_device *device;
    const struct kc_kernel *info;
    bool fixed_local; // no specialization constants for the local size
    struct cmd_pipeline *_Atomic recent; // what a launch looks at before it takes a lock
    struct cmd_pipeline *pipelines;      // under pipelines.c's lock
    atomic_bool guessed, hurried;        // its likely pipelines have been asked for, again when the program created it
    struct cmd_kernel *next_waiting;     // under that lock, as the next
    bool waiting, created;
    uint32_t reguesses;
    bool uniform;                        // work-groups must all be of one size
    int guard;                           // the row of KC_SPEC_GUARD; -1: none
    uint32_t guard_dims;                 // a bit for each dimension that has a KC_PUSH_ITEMS
    bool sees_groups;                    // guarded groups are of one work-item, as the kernel sees it
    pthread_mutex_t lock;  // of the next
    struct cmd_pick picks[CMD_PICKS]; // the last ones
    uint32_t pick_count;
    struct cmd_groups sizes[CMD_SIZES + CMD_GIVEN_SIZES]; // chosen so far, or given by launches
    uint32_t size_count, given_count;
    uint32_t size_pipelines; // that those chosen need
    VkShaderModule module; // made with the first pipeline
    VkDescriptorType *types;     // of kc_kernel.bindings; NULL: it has none
    struct vk_set_layout layout; // made with the first pipeline
    struct cmd_set *sets;        // not in use
    struct cmd_set *written_set; // the last that was written with keys
    struct cmd_set_pool *pools;
    uint32_t set_count; // in use or not
};

// What all of its pipelines are made with.
VkResult cmd_kernel_layout(struct cmd_kernel *kernel, VkPipelineLayout *layout);
VkResult cmd_kernel_module(struct cmd_kernel *kernel, VkShaderModule *module);
void cmd_kernel_free(struct cmd_kernel *kernel);

// ---- pipelines.c --------------------------------------------------------------------------------

// The pipeline for these values, one per row of kc_kernel.specs, made if it is new; *first set where no launch had it before.
VkResult cmd_kernel_pipeline(struct cmd_kernel *kernel, const uint32_t *values,
                             VkPipeline *pipeline, bool *first);
// True: the thread is at one of the kernel's pipelines, and will free the kernel.
bool cmd_kernel_orphan(struct cmd_kernel *kernel);
void cmd_pipelines_free(struct cmd_kernel *kernel, bool ours); // `ours`: not a parent process's

// ---- groups.c -----------------------------------------------------------------------------------

// What a launch that is given no local size gets.
struct cmd_groups cmd_kernel_pick(struct cmd_kernel *kernel, const size_t global[3]);
// A launch was given that size, and has its pipeline.
void cmd_kernel_note_size(struct cmd_kernel *kernel, const uint32_t local[3]);
// Whether one pipeline of this local size, guarded, does what is no whole groups of it.
bool cmd_kernel_guards(const struct cmd_kernel *kernel, const size_t global[3], const size_t local[3]);

// ---- local_size.c -------------------------------------------------------------------------------

// The best size for a range whatever other ranges there are: divides it, or leaves smaller groups at the edge where that may be.
void cmd_best_local(const struct cmd_kernel *kernel, const size_t global[3], size_t local[3]);
// The best power of two in each dimension, 1 where `dims` has no bit; the range is rounded up.
void cmd_best_guarded(const struct cmd_kernel *kernel, const size_t global[3], uint32_t dims, size_t local[3]);
// What share of the device's speed a range in such groups gets.
float cmd_local_worth(const struct cmd_kernel *kernel, const size_t global[3], const size_t local[3]);

enum { CMD_GUESSES = 2 };
// The values that launches of the kernel may well have. False: there is no such guess.
bool cmd_kernel_guess(const struct cmd_kernel *kernel, int guess, uint32_t *values);
// A launch has these: others may well have the same local size. False: as the last one.
bool cmd_kernel_learn(const struct cmd_kernel *kernel, const uint32_t *values);
// Bytes of local memory as specialization constants tell them.
uint32_t cmd_local_elements(uint64_t bytes, uint32_t unit);

// A descriptor set of a kernel with bindings, to be given back.
// `keys`: what is to be in it, `count` 0: not told. *written: it is in it already.
VkResult cmd_kernel_take_set(struct cmd_kernel *kernel, const struct cmd_key *keys, uint32_t count, struct cmd_set **set,
                             bool *written);
// What the caller has written into a set that is not shared yet.
void cmd_kernel_set_written(struct cmd_kernel *kernel, struct cmd_set *set, const struct cmd_key *keys, uint32_t count);
void cmd_kernel_give_set(struct cmd_kernel *kernel, struct cmd_set *set);

#endif
