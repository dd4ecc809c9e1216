// SPDX-License-Identifier: Apache-2.0
// A kernel's pipelines on one device, by specialization. For src/command only.
#ifndef PUMICE_COMMAND_KERNEL_H
#define PUMICE_COMMAND_KERNEL_H

#include "command/command.h"
#include "vulkan/descriptor.h"
#include "vulkan/pipeline.h"

struct cmd_set; // bindings.h
struct cmd_key;

// A local size. `guarded`: the range need not be a multiple of it (KC_SPEC_GUARD is 1).
struct cmd_groups {
    size_t local[3];
    bool guarded;
};

// Programs that try which local size is fastest try fewer than CMD_GIVEN_SIZES.
enum { CMD_PICKS = 64, CMD_SIZES = 4, CMD_GIVEN_SIZES = 8 };
// The local size chosen for a range.
struct cmd_pick {
    size_t global[3];
    struct cmd_groups groups;
};

struct cmd_kernel {
    struct vk_device *device;
    const struct kc_kernel *info;
    bool fixed_local; // no specialization constants for the local size
    struct cmd_pipeline *_Atomic recent; // checked by launches before taking a lock
    struct cmd_pipeline *pipelines;      // guarded by the lock of pipelines.c
    atomic_bool guessed, prioritized;    // its likely pipelines have been requested; requested
                                         // again when the kernel was created
    struct cmd_kernel *next_waiting;     // that lock also guards this and the next
    bool waiting, created;
    bool noted;                          // its first launch, for later processes
    atomic_uint_least64_t code;          // identifies its code; 0: not known
    uint32_t reguesses;
    bool uniform;                        // all work-groups must have the same size
    int guard;                           // row of KC_SPEC_GUARD; -1: none
    uint32_t guard_dims;                 // one bit for each dimension that has a KC_PUSH_ITEMS
    bool sees_groups;                    // the kernel can see the local size, which is one
                                         // work-item for guarded groups
    pthread_mutex_t lock;  // guards the following members
    struct cmd_pick *picks; // CMD_PICKS recent choices, each at its range's place; NULL: none
    struct cmd_groups sizes[CMD_SIZES + CMD_GIVEN_SIZES]; // sizes chosen so far, or requested by
                                                          // launches
    uint32_t size_count;
    atomic_uint given_count; // also read without the lock
    uint32_t size_pipelines; // number of pipelines for the chosen sizes
    VkShaderModule module; // created with the first pipeline
    VkDescriptorType *types;     // of kc_kernel.bindings; NULL: no bindings
    struct vk_set_layout layout; // created with the first pipeline
    struct cmd_set *sets;        // free sets
    struct cmd_set *written_set; // the last set that was written with keys
    struct cmd_set_pool *pools;
    uint32_t set_count; // in use or free
};

// What all of the kernel's pipelines share.
VkResult cmd_kernel_layout(struct cmd_kernel *kernel, VkPipelineLayout *layout);
VkResult cmd_kernel_module(struct cmd_kernel *kernel, VkShaderModule *module);
void cmd_kernel_free(struct cmd_kernel *kernel);

// ---- pipelines.c --------------------------------------------------------------------------------

// Gets the pipeline for these values, one per row of kc_kernel.specs; compiles it if needed. Sets
// *first if no launch has used it before.
VkResult cmd_kernel_pipeline(struct cmd_kernel *kernel, const uint32_t *values,
                             VkPipeline *pipeline, bool *first);
// True: a background thread is compiling one of the kernel's pipelines and will free the kernel.
bool cmd_kernel_orphan(struct cmd_kernel *kernel);
void cmd_pipelines_free(struct cmd_kernel *kernel, bool ours); // `ours`: false in a forked child,
                                                               // where the parent owns them

// ---- groups.c -----------------------------------------------------------------------------------

// The local size for a launch that does not specify one, or one that cmd_kernel_replaces().
struct cmd_groups cmd_kernel_pick(struct cmd_kernel *kernel, const size_t global[3]);
// Records that a launch specified that size, and that its pipeline (with `guarded`: the guarded one) exists.
void cmd_kernel_note_size(struct cmd_kernel *kernel, const uint32_t local[3], bool guarded);
// Whether a launch that specifies this size gets another one: the kernel cannot see it, and has been launched with
// several others already.
bool cmd_kernel_replaces(struct cmd_kernel *kernel, const uint32_t local[3]);
// Whether a guarded pipeline of this local size can handle a range that is not a multiple of it.
bool cmd_kernel_guards(const struct cmd_kernel *kernel, const size_t global[3], const size_t local[3]);

// ---- local_size.c -------------------------------------------------------------------------------

// The best size for one range, regardless of others: divides the range or, if allowed, leaves
// smaller groups at the edge.
void cmd_best_local(const struct cmd_kernel *kernel, const size_t global[3], size_t local[3]);
// The best power of two in each dimension, 1 where `dims` has no bit; the range is rounded up.
void cmd_best_guarded(const struct cmd_kernel *kernel, const size_t global[3], uint32_t dims, size_t local[3]);
// Estimated share of the device's peak throughput for a range with such groups.
float cmd_local_efficiency(const struct cmd_kernel *kernel, const size_t global[3],
                           const size_t local[3]);

enum { CMD_GUESSES = 2 };
// Predicts specialization values of future launches. False: no such guess.
bool cmd_kernel_guess(const struct cmd_kernel *kernel, int guess, uint32_t *values);
// Remembers the values of the kernel's first launch for later processes.
void cmd_kernel_note(struct cmd_kernel *kernel, const uint32_t *values);
// Remembers the local size of a launch as a prediction for other kernels. False: same as the last
// one.
bool cmd_kernel_learn(const struct cmd_kernel *kernel, const uint32_t *values);
// Makes a group smaller until the local memory of its work-items fits, if the kernel cannot see that; the size still divides
// what it divided before.
void cmd_fit_group(const struct cmd_kernel *kernel, uint32_t local[3]);
bool cmd_local_fits(const struct cmd_kernel *kernel, const uint32_t local[3]);
// Sets the rows that depend on the number of work-items (KC_SPEC_LOCAL_ITEMS).
void cmd_fill_items(const struct kc_kernel *info, const uint32_t local[3], uint32_t *values);
// Converts bytes of local memory to elements, as specialization constants specify them.
uint32_t cmd_local_elements(uint64_t bytes, uint32_t unit);

// Gets a descriptor set of a kernel with bindings; return it by cmd_kernel_give_set(). `keys`: its
// intended contents, `count` 0: unspecified. *written: the set already has them.
VkResult cmd_kernel_take_set(struct cmd_kernel *kernel, const struct cmd_key *keys, uint32_t count, struct cmd_set **set,
                             bool *written);
// Records the contents that the caller has written to a set that is not shared yet.
void cmd_kernel_set_written(struct cmd_kernel *kernel, struct cmd_set *set, const struct cmd_key *keys, uint32_t count);
void cmd_kernel_give_set(struct cmd_kernel *kernel, struct cmd_set *set);

#endif
