// SPDX-License-Identifier: Apache-2.0
// What an enqueue means: a command is recorded into its queue's open batch, or held back until it
// may be.
//
// The API layer calls cmd_<what>() with a struct cmd_request and plain arguments that it has
// checked; the return value is the cl_int of the enqueue. A struct command is the device side of an
// event: counted by cmd_retain()/cmd_release(), handed out through request.out, waited for, asked
// for its status. User events are commands too. Objects that a command needs (memory, kernels) are
// handed in as holds: counts that the caller has taken, released by the command when the device is
// done.
//
// A batch is one Vulkan command buffer, submitted at a flush, at a blocking call, when the device
// would idle, or when full. Nothing here takes a lock of the object layer; callbacks and releases
// run with no lock held. Sizes and offsets are bytes. A vk_buffer must be of the queue's device.
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
// Queues that something has in common; waits for all that was enqueued on those of an owner.
void cmd_queue_set_owner(struct cmd_queue *queue, const void *owner);
void cmd_finish_all(const void *owner);
// Flushes, never waits: the queue goes away when its last command is complete.
void cmd_queue_release(struct cmd_queue *queue);
cl_int cmd_flush(struct cmd_queue *queue);
// The application has no reference any more (though its events may keep the queue), or has one again.
void cmd_queue_let_go(struct cmd_queue *queue, bool gone);
// Within a millisecond, if nothing else does: wrappers release a queue after each of their calls.
void cmd_flush_soon(struct cmd_queue *queue);
cl_int cmd_finish(struct cmd_queue *queue);

// Forks wait for the layer's locks from now on. Locks that come before those have their handlers registered later, which
// run earlier.
void cmd_fork_watch(void);

// ---- commands as events -------------------------------------------------------------------------

struct command *cmd_retain(struct command *command);
void cmd_release(struct command *command); // NULL allowed

// A user event: CL_SUBMITTED until set to CL_COMPLETE or an error (negative). The second set is
// refused with CL_INVALID_OPERATION.
cl_int cmd_user_create(struct command **command);
cl_int cmd_user_set(struct command *command, cl_int status);
// Nobody can set it any more: callbacks that wait for it are dropped, and commands on queues that the
// application has let go of fail. Other commands wait for ever, as the specification has it.
void cmd_user_abandon(struct command *command);

// CL_QUEUED, CL_SUBMITTED, CL_RUNNING, CL_COMPLETE or an error. Looks at the device; never waits. The caller keeps the device,
// as an event does by its context.
cl_int cmd_status(struct command *command);

// Waits for all. CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST when one has failed.
cl_int cmd_wait(struct command *const *commands, uint32_t count);
// And then for the callbacks that their queues owe: as cmd_finish() and what blocks do.
cl_int cmd_wait_settled(struct command *const *commands, uint32_t count);

// QUEUED, SUBMIT, START, END and COMPLETE (= END) in nanoseconds of the host's monotonic clock.
// CL_PROFILING_INFO_NOT_AVAILABLE before completion, after an error, without profiling, for user
// events.
cl_int cmd_profile(struct command *command, cl_ulong times[5]);

// Runs `fn` once when the status reaches `status` (CL_SUBMITTED, CL_RUNNING, CL_COMPLETE; an error
// counts as CL_COMPLETE and is passed on), also when it has already. Never from inside this call:
// from a thread for callbacks. The command is alive during the call. If the status can never be
// reached, `drop` frees the data instead (NULL: it owns nothing).
cl_int cmd_on_status(struct command *command, cl_int status,
                     void (*fn)(struct command *command, cl_int status, void *data), void *data,
                     void (*drop)(void *data));

// ---- what all enqueues take ---------------------------------------------------------------------

struct cmd_hold {
    void *object;
    void (*release)(void *object); // may run on any thread, no lock held
};

struct cmd_request {
    struct cmd_queue *queue;
    struct command *const *waits;
    uint32_t wait_count;
    const struct cmd_hold
        *holds; // taken over when the command is enqueued, else still the caller's
    uint32_t hold_count;
    const struct vk_buffer *pinned; // that a transfer's host memory is in, held by the caller and
                                    // by a hold; NULL: none, or not known
    bool shared_host;     // a transfer's host memory is such as commands of the device reach too
    bool blocking;        // return when complete
    struct command **out; // a count for the caller; NULL: not wanted. Set exactly when the command
                          // was enqueued, also where a blocking one then fails and that is returned
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

// Maps [offset, offset + size). Where the buffer's memory is mapped already the pointer is into it
// (unless the buffer must show the application's own memory), else into memory that the contents
// are copied to. `host_ptr`, when not NULL, is where byte 0 of the buffer must appear
// (CL_MEM_USE_HOST_PTR without import). The mapping stays until cmd_unmap(), which takes it over.
// *mapping and *pointer are set on success.
cl_int cmd_map(const struct cmd_request *request, struct vk_buffer *buffer, uint64_t offset,
               uint64_t size, void *host_ptr, cl_map_flags flags, struct cmd_mapping **mapping,
               void **pointer);
cl_int cmd_unmap(const struct cmd_request *request, struct cmd_mapping *mapping);
// What was mapped is to be written back to another device's copy of it.
void cmd_mapping_move(struct cmd_mapping *mapping, struct vk_buffer *buffer,
                      const struct cmd_surface *surface);
// For a mapping whose buffer goes away without an unmap.
void cmd_mapping_destroy(struct cmd_mapping *mapping);

// ---- order and host functions -------------------------------------------------------------------

// With an empty wait list: after everything enqueued before. Migration is a marker.
cl_int cmd_marker(const struct cmd_request *request);
// After its wait list, and in an in-order queue its turn.
cl_int cmd_nothing(const struct cmd_request *request);
cl_int cmd_barrier(const struct cmd_request *request);

// Runs fn(data) on the completion thread in its turn; the caller owns `data` (release it by a
// hold). The function may enqueue and wait, on other queues.
cl_int cmd_native(const struct cmd_request *request, void (*fn)(void *), void *data);

// Calls begin(command, data) in its turn, on some thread and with no lock held, for what ends by cmd_outside_end(), on any
// thread; the caller owns `data` as above.
cl_int cmd_outside(const struct cmd_request *request, void (*begin)(struct command *command, void *data), void *data);
void cmd_outside_end(struct command *command, cl_int status); // an error is told like that of what could not be submitted
// Whether it cannot go on before a user event is set. For short waits only: it may be wrong about many commands.
bool cmd_waits_for_user(const struct command *command);

// By the host, in their turn; `to` and `from` do not overlap. The pattern is copied at once.
cl_int cmd_host_copy(const struct cmd_request *request, void *to, const void *from, size_t size);
cl_int cmd_host_fill(const struct cmd_request *request, void *to, size_t size, const void *pattern,
                     size_t pattern_size);

// ---- what is shared with other APIs -------------------------------------------------------------

// Memory becomes ours, or theirs again; `shared` is copied, what it points at is held.
cl_int cmd_turn(const struct cmd_request *request, const struct vk_shared *shared, uint32_t count,
                bool ours);
// A semaphore of the device, and what has become of it where submissions failed.
struct cmd_binary {
    VkSemaphore handle;
    atomic_bool left;    // signalled, for a wait that has failed
    atomic_bool missing; // not signalled, although one was asked to do so
};
enum { CMD_BINARIES = 32 };

// The device waits for all of them, or signals them, in the command's turn. A signal that a failed
// wait has left there is taken away by the next, which waits for it. It is on its way
// to the device when this returns, but for one that is held. VkQueues are shared: other command
// queues of the device may wait too, so that what signals must be on its way, or at least not need
// them.
cl_int cmd_semaphores(const struct cmd_request *request, struct cmd_binary *const *list, uint32_t count,
                      bool waits);

// ---- kernels ------------------------------------------------------------------------------------

// The pipelines of one kernel on one device, made as sizes turn up and kept. `kernel` must outlive
// it. Uniform: all work-groups of a launch must have one size.
cl_int cmd_kernel_create(struct vk_device *device, const struct kc_kernel *kernel, bool uniform,
                         struct cmd_kernel **out);
void cmd_kernel_destroy(struct cmd_kernel *kernel); // NULL allowed; no command may be in flight
// Has pipelines made that its first launches will probably need, while the caller goes on. Once for each kernel of a program that
// has been built, and once more when it is created.
void cmd_kernel_ahead(struct cmd_kernel *kernel, bool created);

// What a work-group can have at most, CL_KERNEL_WORK_GROUP_SIZE and CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE.
size_t cmd_kernel_max_group(const struct cmd_kernel *kernel);
size_t cmd_kernel_told_group(const struct cmd_kernel *kernel);
size_t cmd_told_group(const struct vk_facts *facts); // of one that requires none
size_t cmd_kernel_preferred_multiple(const struct cmd_kernel *kernel); // work-items of a sub-group
uint32_t cmd_kernel_lanes(const struct cmd_kernel *kernel); // that its pipelines ask for; 0: they take the driver's
// The local size that an enqueue without one gets, as the kernel sees it; where it does not, one that is good for the range.
void cmd_kernel_pick_local(struct cmd_kernel *kernel, uint32_t dims, const size_t global[3], size_t local[3]);

// One kernel argument, by its kc_arg.kind.
struct cmd_arg {
    const void *value;        // VALUE: kc_arg.size bytes
    size_t size;              // LOCAL: bytes; GLOBAL, CONSTANT with a buffer: that are the argument's
    struct vk_buffer *buffer; // GLOBAL, CONSTANT: NULL for a null pointer or a plain address
    uint64_t offset;          // added to the buffer's address; with no buffer the address itself
    const struct cmd_surface *surface; // IMAGE: lives for as long as the command's holds
    uint32_t sampler;                  // SAMPLER: KC_SAMPLER_* bits
};

// Each launch of a kernel that prints may fill this many bytes (CL_DEVICE_PRINTF_BUFFER_SIZE).
enum { CMD_PRINTF_BYTES = 1 << 20 };

enum { CMD_DEVICE_EVENTS = 16384 }; // in use by one launch and all its children

// For a kernel that enqueues others: whose they are, and what they need. `code` outlives a use of it.
struct cmd_enqueuer {
    void *code;
    void (*use)(void *code), (*drop)(void *code);
    cl_int (*kernel)(void *code, uint32_t index, struct cmd_kernel **kernel); // of kc_program.kernels
    uint64_t default_queue; // its number; 0: there is none
    uint32_t bytes;         // of records that a kernel may leave
    bool timed;             // times of children may be asked for
};

struct cmd_ndrange {
    struct cmd_kernel *kernel;
    const struct cmd_arg *args; // kc_kernel.arg_count; copied at once
    uint32_t dims;
    size_t offset[3], global[3];
    size_t local[3];         // all zero: one is picked
    const struct vk_buffer *data; // the program's data segment; NULL: it has none
    const struct kc_program *program; // of a kernel that uses printf or enqueues; the kernel keeps it alive
    const struct cmd_enqueuer *enqueuer; // of a kernel with kc_kernel.enqueues; copied
    uint64_t enqueued; // where such a kernel leaves its records, as one of those that it or another enqueued,
    uint32_t launch;   // and its number among them
    bool any_memory; // reaches memory that no argument names (device pointers, SVM, program scope)
    bool any_host;   // among it such as other commands read or write by the host's pointers
    void (*finish)(
        void *data); // runs when the device is done, before the command is complete; or NULL
    void *finish_data;
};

// Errors: CL_INVALID_WORK_GROUP_SIZE, CL_INVALID_WORK_ITEM_SIZE, CL_OUT_OF_RESOURCES (too much
// local memory, no memory, pipeline refused), CL_OUT_OF_HOST_MEMORY. A
// global size of zero in any dimension is a marker.
cl_int cmd_ndrange(const struct cmd_request *request, const struct cmd_ndrange *range);

// ---- shared virtual memory ----------------------------------------------------------------------

// What the device and the host are seen to share, tried out: memory at one address that commands
// copy (COARSE_GRAIN_BUFFER), that both see (FINE_GRAIN_BUFFER), any memory of the process
// (FINE_GRAIN_SYSTEM), atomically and while kernels run (ATOMICS). CMD_SHARED_HOST, which is not
// OpenCL's: memory that both see at one address, whether or not memory can be copied at one.
#define CMD_SHARED_HOST ((cl_device_svm_capabilities)1 << 32)
cl_device_svm_capabilities cmd_probe_svm(struct vk_device *device);

// ---- the trace ----------------------------------------------------------------------------------

// Tells that the calling thread has built something from `begin` (thread_now_ns()) until now.
void cmd_trace_build(const char *what, const char *of, uint64_t begin);

// ---- outside of queues --------------------------------------------------------------------------

// The layer's own in-order queue of a device, for blocking requests.
cl_int cmd_own_queue(struct vk_device *device, struct cmd_queue **queue);

// Writes and reads at once, on a queue of the layer's own; returns when done. For buffers that no
// unfinished command uses.
cl_int cmd_upload(struct vk_device *device, struct vk_buffer *buffer, uint64_t offset,
                  const void *data, uint64_t size);
cl_int cmd_download(struct vk_device *device, struct vk_buffer *buffer, uint64_t offset, void *data,
                    uint64_t size);

// A program's data segment: contents uploaded, relocations applied. The owner destroys the buffer.
cl_int cmd_segment_create(struct vk_device *device, const struct kc_program *program,
                          struct vk_buffer *segment);

// The cl_int for a failure of the Vulkan layer.
cl_int cmd_error(VkResult result);

#endif
