// SPDX-License-Identifier: Apache-2.0
// The command layer's interface: an enqueue creates a command, which is recorded into its queue's
// open batch or held back until its dependencies allow that.
//
// The API layer calls cmd_<what>() with a struct cmd_request and arguments that it has already
// checked; the result is the cl_int of the enqueue. A struct command is also the device side of an
// event: it is reference counted by cmd_retain()/cmd_release(), returned through request.out,
// waited for, and queried for its status. User events are commands too. Objects that a command
// needs (memory, kernels) are passed as holds: references taken by the caller and released by the
// command when the device has finished.
//
// A batch is one Vulkan command buffer. It is submitted at a flush, at a blocking call, when the
// device would become idle, or when it is full. Nothing here takes a lock of the object layer;
// callbacks and releases run with no lock held. Sizes and offsets are bytes. A vk_buffer must
// belong to the queue's device.
#ifndef PUMICE_COMMAND_COMMAND_H
#define PUMICE_COMMAND_COMMAND_H

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

#include <stdbool.h>
#include <stdint.h>

#include "pumice/kc.h"
#include "vulkan/device.h"
#include "vulkan/memory.h"

struct command;
struct cmd_queue;
struct cmd_kernel;
struct cmd_mapping;
struct cmd_surface; // image.h
struct vk_shared;   // vulkan/external.h

// ---- queues -------------------------------------------------------------------------------------

// properties: CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, CL_QUEUE_PROFILING_ENABLE.
cl_int cmd_queue_create(struct vk_device *device, cl_command_queue_properties properties,
                        struct cmd_queue **queue);
// Prepares for the first commands in the background. Not for internal queues: it keeps the device
// open for a moment.
void cmd_queue_warm_up(struct cmd_queue *queue);
// The owner groups queues: cmd_finish_all() waits for everything enqueued on the queues of that
// owner.
void cmd_queue_set_owner(struct cmd_queue *queue, const void *owner);
void cmd_finish_all(const void *owner);
// Waits until the device's commands have freed memory. False: none has become free. `end`: when the caller gives up, set
// by the first call (to some seconds later) if it is 0.
bool cmd_wait_for_memory(struct vk_device *device, uint64_t *end);
// Flushes without waiting: the queue is destroyed when its last command is complete.
void cmd_queue_release(struct cmd_queue *queue);
cl_int cmd_flush(struct cmd_queue *queue);
// The application has released its last reference (`gone`; events may still keep the queue alive),
// or has one again.
void cmd_queue_set_app_released(struct cmd_queue *queue, bool gone);
// Flushes within a millisecond, unless something else does before: for wrappers that release a
// queue after each of their calls.
void cmd_flush_soon(struct cmd_queue *queue);
cl_int cmd_finish(struct cmd_queue *queue);

// Makes fork() wait for this layer's locks from now on. Locks that are taken before these must
// register their fork handlers later, because those run earlier.
void cmd_fork_watch(void);

// ---- commands as events -------------------------------------------------------------------------

struct command *cmd_retain(struct command *command);
void cmd_release(struct command *command); // NULL allowed

// A user event: CL_SUBMITTED until set to CL_COMPLETE or an error (negative). Setting it twice
// returns CL_INVALID_OPERATION.
cl_int cmd_user_create(struct command **command);
cl_int cmd_user_set(struct command *command, cl_int status);
// The event should not be set any more: callbacks that wait for it are dropped, and dependent commands
// fail if the application has released their queue. Other dependent commands wait until it is set all the same.
void cmd_user_abandon(struct command *command);
// Releases the command. The memory at `handle` is freed with it, when no other command depends on it either.
void cmd_user_leave(struct command *command, void *handle);

// CL_QUEUED, CL_SUBMITTED, CL_RUNNING, CL_COMPLETE or an error. Polls the device; never waits. The
// caller must keep the device alive, as an event does through its context.
cl_int cmd_status(struct command *command);

// Waits for all. CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST if one has failed.
cl_int cmd_wait(struct command *const *commands, uint32_t count);
// Also waits for the callbacks that are due on their queues, as cmd_finish() and blocking enqueues
// do.
cl_int cmd_wait_settled(struct command *const *commands, uint32_t count);

// QUEUED, SUBMIT, START, END and COMPLETE (= END) in nanoseconds of the host's monotonic clock.
// CL_PROFILING_INFO_NOT_AVAILABLE before completion, after an error, without profiling, for user
// events.
cl_int cmd_profile(struct command *command, cl_ulong times[5]);

// Runs `fn` once when the status reaches `status` (CL_SUBMITTED, CL_RUNNING, CL_COMPLETE; an error
// counts as CL_COMPLETE and is passed on), also if it already has. `fn` always runs on the callback
// thread, never inside this call. The command stays alive during `fn`. If the status can never be
// reached, `drop` frees the data instead (NULL: nothing to free).
cl_int cmd_on_status(struct command *command, cl_int status,
                     void (*fn)(struct command *command, cl_int status, void *data), void *data,
                     void (*drop)(void *data));

// ---- arguments common to all enqueues -----------------------------------------------------------

struct cmd_hold {
    void *object;
    void (*release)(void *object); // may run on any thread, with no lock held
};

struct cmd_request {
    struct cmd_queue *queue;
    struct command *const *waits;
    uint32_t wait_count;
    const struct cmd_hold
        *holds; // owned by the command if the enqueue succeeds, else still by the caller
    uint32_t hold_count;
    const struct vk_buffer *pinned; // the buffer that a transfer's host memory is part of, kept
                                    // alive by the caller and by a hold; NULL: none, or unknown
    bool shared_host;     // commands on the device can also access the transfer's host memory
    bool blocking;        // return when complete
    struct command **out; // returns a reference; NULL: not wanted. Set if and only if the command
                          // was enqueued, even if a blocking one then fails and the error is
                          // returned
};

// ---- memory -------------------------------------------------------------------------------------

struct cmd_rect {
    uint64_t offset; // of the first byte of the region, origin included
    uint64_t row_pitch, slice_pitch;
};

cl_int cmd_write(const struct cmd_request *request, struct vk_buffer *buffer, uint64_t offset,
                 const void *data, uint64_t size);
cl_int cmd_read(const struct cmd_request *request, struct vk_buffer *buffer, uint64_t offset,
                void *data, uint64_t size);
cl_int cmd_copy(const struct cmd_request *request, struct vk_buffer *src, uint64_t src_offset,
                struct vk_buffer *dst, uint64_t dst_offset, uint64_t size);
// pattern_size 1, 2, 4 ... 128; offset and size multiples of it.
cl_int cmd_fill(const struct cmd_request *request, struct vk_buffer *buffer, uint64_t offset,
                uint64_t size, const void *pattern, size_t pattern_size);

// region: bytes, rows, slices. `data` points at the base that host->offset counts from.
cl_int cmd_write_rect(const struct cmd_request *request, struct vk_buffer *buffer,
                      const struct cmd_rect *device, const void *data, const struct cmd_rect *host,
                      const size_t region[3]);
cl_int cmd_read_rect(const struct cmd_request *request, struct vk_buffer *buffer,
                     const struct cmd_rect *device, void *data, const struct cmd_rect *host,
                     const size_t region[3]);
cl_int cmd_copy_rect(const struct cmd_request *request, struct vk_buffer *src,
                     const struct cmd_rect *from, struct vk_buffer *dst, const struct cmd_rect *to,
                     const size_t region[3]);

// Maps [offset, offset + size). If the buffer's memory is already mapped, the pointer refers to it
// directly (unless the buffer must appear at the application's own pointer); otherwise to memory
// that the contents are copied to. `host_ptr`, if not NULL, is where byte 0 of the buffer must
// appear (CL_MEM_USE_HOST_PTR without import). The mapping lives until cmd_unmap(), which takes
// ownership. *mapping and *pointer are set on success.
cl_int cmd_map(const struct cmd_request *request, struct vk_buffer *buffer, uint64_t offset,
               uint64_t size, void *host_ptr, cl_map_flags flags, struct cmd_mapping **mapping,
               void **pointer);
cl_int cmd_unmap(const struct cmd_request *request, struct cmd_mapping *mapping);
// Redirects the write-back of a mapping to another device's copy of the buffer.
void cmd_mapping_move(struct cmd_mapping *mapping, struct vk_buffer *buffer,
                      const struct cmd_surface *surface);
// For a mapping whose buffer is destroyed without an unmap.
void cmd_mapping_destroy(struct cmd_mapping *mapping);

// ---- order and host functions -------------------------------------------------------------------

// With an empty wait list: follows everything enqueued before. Migration is a marker too.
cl_int cmd_marker(const struct cmd_request *request);
// Follows its wait list and, in an in-order queue, the commands before it.
cl_int cmd_nothing(const struct cmd_request *request);
cl_int cmd_barrier(const struct cmd_request *request);

// Runs fn(data) on the completion thread when its dependencies are complete; the caller owns `data`
// (free it by a hold). The function may enqueue and wait on other queues.
cl_int cmd_native(const struct cmd_request *request, void (*fn)(void *), void *data);

// Calls begin(command, data) when its dependencies are complete, on any thread and with no lock
// held, to start work outside of the device. cmd_outside_end() ends it, on any thread. The caller
// owns `data` as above.
cl_int cmd_outside(const struct cmd_request *request, void (*begin)(struct command *command, void *data), void *data);
void cmd_outside_end(struct command *command, cl_int status); // an error is reported like that of a
                                                              // failed submission
// Whether the command depends on an unset user event. Only a heuristic for short waits: it may
// return true wrongly if there are many commands.
bool cmd_waits_for_user(const struct command *command);

// The host copies or fills when the dependencies are complete; `to` and `from` must not overlap.
// The pattern is copied by the call.
cl_int cmd_host_copy(const struct cmd_request *request, void *to, const void *from, size_t size);
cl_int cmd_host_fill(const struct cmd_request *request, void *to, size_t size, const void *pattern,
                     size_t pattern_size);

// ---- memory and semaphores shared with other APIs -----------------------------------------------

// Acquires ownership of the memory (`ours`) or releases it; `shared` is copied, the holds keep what
// it refers to.
cl_int cmd_transfer_ownership(const struct cmd_request *request, const struct vk_shared *shared,
                              uint32_t count, bool ours);
// A binary semaphore of the device, and its state after failed submissions.
struct cmd_binary {
    VkSemaphore handle;
    atomic_bool left;    // signalled, but the wait for it has failed
    atomic_bool missing; // not signalled, although a signal was requested
};
enum { CMD_BINARIES = 32 };

// The device waits for all of the semaphores or signals them, in the command's place in the queue.
// If a failed wait has left one signalled, the next signal first waits for it. The operation has
// been submitted when this returns, unless the command is held. Command queues share VkQueues, so a
// wait can block other command queues of the device: whatever signals the semaphore must already be
// submitted, or must not depend on those.
cl_int cmd_semaphores(const struct cmd_request *request, struct cmd_binary *const *list, uint32_t count,
                      bool waits);

// ---- kernels ------------------------------------------------------------------------------------

// The pipelines of one kernel on one device, created per specialization and cached. `kernel` must
// outlive it. `uniform`: all work-groups of a launch must have the same size.
cl_int cmd_kernel_create(struct vk_device *device, const struct kc_kernel *kernel, bool uniform,
                         struct cmd_kernel **out);
void cmd_kernel_destroy(struct cmd_kernel *kernel); // NULL allowed; no command may be in flight
// Starts compiling the pipelines that the first launches will probably need, in the background.
// Call it once for each kernel of a built program, and again when the kernel is created.
void cmd_kernel_ahead(struct cmd_kernel *kernel, bool created);

// Whether the device has enough local memory for a group, or for a smaller one that takes its place: the kernel's own, and
// that of each work-item.
bool cmd_group_fits(const struct cmd_kernel *kernel, const uint32_t local[3]);
// The largest possible work-group; then the values of CL_KERNEL_WORK_GROUP_SIZE and
// CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE.
size_t cmd_kernel_max_group(const struct cmd_kernel *kernel);
size_t cmd_kernel_reported_group(const struct cmd_kernel *kernel);
size_t cmd_reported_group(const struct vk_facts *facts); // of a kernel without a required size
size_t cmd_kernel_preferred_multiple(const struct cmd_kernel *kernel); // the sub-group size
uint32_t cmd_kernel_lanes(const struct cmd_kernel *kernel); // the sub-group size that its pipelines
                                                            // require; 0: the driver chooses
// The local size for an enqueue without one, as the kernel sees it; if the kernel cannot see it,
// one that suits the range.
void cmd_kernel_pick_local(struct cmd_kernel *kernel, uint32_t dims, const size_t global[3], size_t local[3]);

// One kernel argument, by its kc_arg.kind.
struct cmd_arg {
    const void *value;        // VALUE: kc_arg.size bytes
    size_t size; // LOCAL: bytes; GLOBAL, CONSTANT with a buffer: bytes that belong to the argument
    struct vk_buffer *buffer; // GLOBAL, CONSTANT: NULL for a null pointer or a raw address
    uint64_t offset;          // added to the buffer's address; without a buffer: the address itself
    const struct cmd_surface *surface; // IMAGE: lives for as long as the command's holds
    uint32_t sampler;                  // SAMPLER: KC_SAMPLER_* bits
};

// Space for the output of one launch of a kernel that uses printf (CL_DEVICE_PRINTF_BUFFER_SIZE).
enum { CMD_PRINTF_BYTES = 1 << 20 };

enum { CMD_DEVICE_EVENTS = 16384 }; // in use at once by one launch and all its children

// For a kernel that enqueues kernels: the code object that owns them, and what they need. `code`
// outlives a use of it.
struct cmd_enqueuer {
    void *code;
    void (*use)(void *code), (*drop)(void *code);
    cl_int (*kernel)(void *code, uint32_t index, struct cmd_kernel **kernel); // of kc_program.kernels
    uint64_t default_queue; // number of the default device queue; 0: none
    uint32_t bytes;         // space for the records of enqueued kernels
    bool timed;             // children may query profiling times
};

struct cmd_ndrange {
    struct cmd_kernel *kernel;
    const struct cmd_arg *args; // kc_kernel.arg_count entries; copied by the call
    uint32_t dims;
    size_t offset[3], global[3];
    size_t local[3];         // all zero: Pumice chooses one
    const struct vk_buffer *data; // the program's data segment; NULL: none
    const struct kc_program *program; // for a kernel that uses printf or enqueues kernels; kept
                                      // alive by the kernel
    const struct cmd_enqueuer *enqueuer; // for a kernel with kc_kernel.enqueues; copied
    uint64_t enqueued; // for kernels of a family: address of the records of enqueued kernels,
    uint32_t launch;   // and the number of this launch in them
    bool any_memory; // accesses memory that no argument names (device pointers, SVM, program scope)
    bool any_host;   // some of that memory is also accessed by host copies of other commands
    void (*finish)(void *data); // called when the device has finished, before completion; or NULL
    void *finish_data;
};

// Errors: CL_INVALID_WORK_GROUP_SIZE, CL_INVALID_WORK_ITEM_SIZE, CL_OUT_OF_RESOURCES (too much
// local memory, no memory, pipeline creation failed), CL_OUT_OF_HOST_MEMORY. A global size of zero
// in any dimension makes the command a marker.
cl_int cmd_ndrange(const struct cmd_request *request, const struct cmd_ndrange *range);

// ---- shared virtual memory ----------------------------------------------------------------------

// The kinds of memory that the device and the host can share, found by running small tests: memory
// at the same address on both sides that is kept consistent by copies (COARSE_GRAIN_BUFFER),
// directly shared memory (FINE_GRAIN_BUFFER), any host allocation (FINE_GRAIN_SYSTEM), atomics
// while kernels run (ATOMICS). CMD_SHARED_HOST is not an OpenCL bit: directly shared memory at one
// address, whether or not copies to such addresses work.
#define CMD_SHARED_HOST ((cl_device_svm_capabilities)1 << 32)
cl_device_svm_capabilities cmd_probe_svm(struct vk_device *device);

// ---- the trace ----------------------------------------------------------------------------------

// Traces that the calling thread has built something from `begin` (thread_now_ns()) until now.
void cmd_trace_build(const char *what, const char *of, uint64_t begin);

// ---- outside of queues --------------------------------------------------------------------------

// The internal in-order queue of a device, for blocking requests.
cl_int cmd_own_queue(struct vk_device *device, struct cmd_queue **queue);

// Writes and reads immediately on an internal queue; returns when done. No unfinished command may
// use the buffer.
cl_int cmd_upload(struct vk_device *device, struct vk_buffer *buffer, uint64_t offset,
                  const void *data, uint64_t size);
cl_int cmd_download(struct vk_device *device, struct vk_buffer *buffer, uint64_t offset, void *data,
                    uint64_t size);

// Creates a program's data segment: contents uploaded, relocations applied. The owner destroys the
// buffer.
cl_int cmd_segment_create(struct vk_device *device, const struct kc_program *program,
                          struct vk_buffer *segment);

// Converts a result of the Vulkan layer to a cl_int.
cl_int cmd_error(VkResult result);

#endif
