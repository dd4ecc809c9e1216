// SPDX-License-Identifier: Apache-2.0
// Internal interface of the command layer: commands, batches, queues, and which lock guards what.
//
// One process-wide lock (cmd_lock) guards every queue, batch and command. It is held for less than
// a microsecond at a time, so host work (copies, callbacks, releases, waiting) and slow driver
// calls run outside of it: the owner of a queue's own lock alone may open, record into and submit
// that queue's batch. Data that is modified only under both locks may be read under either. A
// thread holds at most one queue lock and takes it before cmd_lock. Both come after all locks of
// other layers, except those of the Vulkan layer, which come last.
// If several threads enqueue on one queue, a command that nobody can reference yet may wait in the
// queue's inbox. The next thread that takes the queue's lock records the inbox first, so the order
// of enqueues is preserved.
//
// Life of a command: new -> held (a dependency has not been submitted yet) -> recorded (in a batch)
// or running (on the host) -> done. In an in-order queue a held command also holds everything
// behind it.
#ifndef PUMICE_COMMAND_INTERNAL_H
#define PUMICE_COMMAND_INTERNAL_H

#include "command/command.h"
#include "command/patience.h"
#include "vulkan/submit.h"

#include <stdatomic.h>

enum {
    BATCH_COMMANDS = 256, // the maximum in one batch
    IN_FLIGHT_MAX = 32,   // batches in flight at which an enqueue waits
    FIRST_THRESHOLD = 4,  // commands in the first batch after a wait
    BUSY_THRESHOLD = 20,  // while the device runs kernels behind a command that the host waited for
    EARLY_COMMANDS = 16,  // of a kind that end their batches, after the host has waited for one
    IDLE_CHECK_EVERY = 4, // commands between checks whether the device is idle; submission
                          // thresholds are multiples of it
    INBOX_MAX = 64,       // commands in the inbox at which an enqueue waits for the queue's lock
    QUERIES = 2 * BATCH_COMMANDS + 1, // two timestamps per command, and one at the end
    HAZARDS = 32,
    PRINTF_BUFFERS = 32, // in use at once; an enqueue waits if there are more
    COMMAND_BUFFERS = 4, // temporary buffers that a command may own
    COMMAND_ACCESSES = 4,
    PUSH_CACHED = 256, // largest push block, in bytes, that is compared with the last one pushed
};

enum cmd_state { CMD_NEW, CMD_HELD, CMD_RECORDED, CMD_RUNNING, CMD_DONE };
enum cmd_place { CMD_DEVICE, CMD_HOST, CMD_THREAD, CMD_ASYNC, CMD_NOTHING };
// COMPLETE: 0 if it equals END
enum { TIME_QUEUED, TIME_SUBMIT, TIME_START, TIME_END, TIME_COMPLETE, TIME_COUNT };

// A range of device memory that a command reads or writes.
struct cmd_access {
    uint64_t begin, end;
    bool write;
};

struct cmd_batch;

struct cmd_ops {
    const char *name;
    enum cmd_place place;
    void (*prepare)(struct command *command, struct cmd_batch *batch);
    VkResult (*record)(struct command *command, struct cmd_batch *batch);
    void (*after)(struct command *command);
    void (*run)(struct command *command);
    void (*clear)(struct command *command);
    void (*failed)(struct command *command);
};

enum cmd_id {
#define COMMAND(id, name, place, prepare, record, after, run, clear, failed) CMD_##id,
#include "command/commands.def"
#undef COMMAND
    CMD_COUNT
};
extern const struct cmd_ops cmd_ops[CMD_COUNT];

struct cmd_callback {
    struct cmd_callback *next;
    struct command *command; // counted until the callback has been called
    cl_int at, status;
    uint64_t ticket; // in the order in which callbacks became due
    void (*fn)(struct command *command, cl_int status, void *data);
    void *data;
    void (*drop)(void *data); // called instead of fn; NULL: nothing to free
};

struct cmd_dep {
    struct command *command; // counted
    bool complete;           // must be complete on the host; submitted is not enough
    bool ignore_failure;     // its failure does not fail this command
};

// Held commands: those that wait for one command, or those of a queue that must be checked.
struct cmd_waiting {
    struct command *first, **last; // last: valid unless the list is empty
};

struct command {
    const struct cmd_ops *ops; // NULL: a user event
    struct cmd_queue *queue;   // valid until the command is done
    struct cmd_queue *family_queue; // of a running family: the queue of its kernels
    uint64_t thread;           // thread_bit() of the thread that enqueued it
    struct command *next;      // in its batch, or in the list of held or running commands
    void *handle; // a released user event, freed with the command
    atomic_uint refs;
    _Atomic(cl_int) status;
    _Atomic(enum cmd_state) state; // set by cmd_set_state(); polls read it without the lock
    bool caller_driven;            // the enqueuing thread waits for it and does its host work
    bool profiled;     // the application may query its times
    bool timed;        // timestamps are recorded
    bool observed;     // an event, the trace or a log reports it, so the device's times are needed
    struct cmd_span *span; // its data for the trace; NULL: not traced
    bool is_barrier;
    bool waits_for_all; // a marker in an out-of-order queue: follows everything before it
    bool all_memory; // may touch any memory
    bool device_only; // writes no memory that is visible to the host
    bool shared_host; // commands on the device can also access the transfer's host memory
    bool skip_after;  // no host work after the device has finished, even if ops->after is set
    bool begins_batch, ends_batch; // first or last in its batch, which is submitted after the last
    bool may_be_early; // no kernel, and with an event, for which the host may wait
    bool any_host;   // a kernel that may access memory used by host copies of other commands
    bool abandoned;  // a user event without references
    bool replay_exclusive; // recorded once for all replays, it uses memory that only one replay at
                           // a time may use
    bool needs_barrier;           // always recorded behind a barrier
    bool long_copy; // between host memory and a buffer; a copy queue can do it
    struct vk_timeline *timeline; // of its batch; outlives the queue, as long as the device
    uint64_t value;  // of its batch on that timeline
    uint64_t epoch;  // out-of-order queues: number of barriers recorded before it
    int query;       // the first of its two; -1: none
    uint64_t times[TIME_COUNT];
    struct command *profiled_from; // counted: profiling times count from this command's start
    struct command *predecessor;   // counted: an additional dependency, whose failure is ignored;
                                 // must be complete if replay_exclusive. Released by clear()

    struct cmd_dep *deps; // while held
    uint32_t dep_count;
    uint32_t deps_done;    // the first ones, known to be complete
    bool dep_failed;       // one of those has failed
    struct command **link; // what points at it in the queue's list of held commands
    struct cmd_waiting dependents;                 // held commands to be checked when its state changes
    struct cmd_waiting *waits_in;                  // the list that it is in itself, and its
    struct command *waiting_next, **waiting_link;  // place there; under cmd_lock
    struct cmd_access accesses[COMMAND_ACCESSES];
    const struct cmd_access *access_list; // `accesses`, or a longer list
    uint32_t access_count;
    struct vk_buffer buffers[COMMAND_BUFFERS]; // destroyed when the command is done
    uintptr_t host_begin, host_end; // host memory that it writes (if in the writers' list) or reads
    bool host_writes;
    struct command *writer_next, *writer_prev; // list of unfinished commands that write host memory

    struct cmd_callback *callbacks;
    struct cmd_hold *holds;
    uint32_t hold_count;
};

struct cmd_batch {
    struct cmd_batch *next; // in the list of batches in flight or free
    VkCommandBuffer commands;
    uint64_t value;
    VkQueryPool queries;
    uint32_t query_count, queries_used; // used: since the last reset
    bool unstamped; // a profiled command has no timestamps, and none follow it
    int end_query;  // timestamp at the end for those commands; -1: none
    uint64_t sent; // when submission to the driver had finished; only for batches with timestamps
    uint32_t count;
    uint64_t kind; // of its commands: their types, pipelines and ranges (patience.h)
    bool apart;    // on the command queue's copy queue
    bool beside;   // it is, while the device computes
    bool for_host; // contains a command that writes memory visible to the host
    bool first_run; // a pipeline is used for the first time
    struct command *first, **last;
    struct vk_wait waits[VK_WAIT_MAX];
    uint32_t wait_count;
    const struct vk_binaries *binaries; // binary semaphores of a command in it; NULL: none

    // State of the command buffer: a launch skips what is already set.
    VkPipeline pipeline;
    uint32_t push_size; // size of the last block pushed; 0: none
    uint8_t push[PUSH_CACHED];
};

struct cmd_queue {
    struct cmd_queue *next, *prev; // all queues
    struct vk_device *device;
    const void *owner;
    struct vk_queue *vk, *copies; // `copies`: for batches of long copies; NULL: the device has none
    struct vk_timeline *timeline;
    VkCommandPool pool, copy_pool; // the latter is created with the first such batch
    bool in_order, profiling, timing;
    bool concurrent; // with the host: PUMICE_SYNC does not apply
    bool traced;
    unsigned row;     // in the trace; 0: not assigned yet
    bool app_released; // the application has released it: no more enqueues or finishes
    bool released;    // destroy it when idle
    bool runs_family; // a family is running on it
    uint32_t family_waiters;         // callers that wait for that family and do its host work
    struct cmd_recording *recording; // of a recording: commands are stored there and never run
    bool retiring;    // a thread is processing finished batches without the lock
    uint32_t waiters; // threads that use the queue without holding the lock
    pthread_mutex_t lock; // guards the open batch and the recording state: hazards, epoch, pool

    uint64_t next_value;
    cl_int error;        // of commands that could not be submitted
    _Atomic(uint64_t) unreported; // threads that enqueued them, to which the error must be reported
    struct cmd_batch *open;
    atomic_uint_least64_t open_threads; // thread_bit() of the threads whose commands it has
    uint64_t flush_at; // when the completion thread looks at the open batch; 0: never
    bool flush_asked;  // then it submits it in any case; else if nothing has been added since the last look
    uint32_t seen;     // commands in the open batch, and in the inbox, at the last look
    uint64_t quiet_ns; // until the first look at the next batch
    struct cmd_batch *in_flight, **in_flight_last;
    atomic_uint in_flight_count;
    struct cmd_batch *free_batches, *free_copy_batches;
    bool sent_apart;  // the last submission went to the copy queue
    bool mixed;       // it has had other commands than long copies
    struct cmd_batch *prepared; // free, with the command buffer already begun
    _Atomic(struct cmd_batch *) warm; // the first batch, unused: created by the completion
    VkCommandPool warm_pool;          // thread from this pool
    unsigned chores;                  // bits of enum chore: requests to the completion thread
    _Atomic(uint64_t) reached; // last known value of the timeline
    uint64_t busy_since;       // when the device became free for the oldest batch in flight
    struct durations durations;
    _Atomic(struct command *) inbox; // newest first; recorded by the next owner of the queue's lock
    atomic_uint inbox_count;         // includes those that are being recorded
    struct command *held, **held_last;
    struct cmd_waiting to_check; // out-of-order: held commands that may be able to start
    _Atomic(struct command *) running; // commands running on the host
    atomic_uint threshold; // commands in the open batch that justify a submission
    // Commands of this kind end their batches, because the host has waited for one while kernels were
    // behind it; NULL: none.
    _Atomic(const struct cmd_ops *) early_ops;
    unsigned early_left; // the number of such commands, unless the host waits for one of them

    struct cmd_access hazards[HAZARDS];
    uint32_t hazard_count;
    bool hazard_all;
    uint64_t epoch;
    struct command *last_barrier; // out-of-order; counted

    struct vk_buffer scratch; // memory for large private arrays
    atomic_uint_least64_t scratch_size; // its size
    uint64_t clock_ticks, clock_ns, clock_when; // one moment on both clocks
    uint64_t last_end; // end of the last command with known times
};

// Resets the tracked state: the next launch must bind everything.
static inline void cmd_batch_forget(struct cmd_batch *batch)
{
    batch->pipeline = VK_NULL_HANDLE;
    batch->push_size = 0;
}

// Needs cmd_lock or the queue's own lock.
static inline void cmd_set_state(struct command *command, enum cmd_state state)
{
    atomic_store_explicit(&command->state, state, memory_order_relaxed);
}

static inline void cmd_batch_add_kind(struct cmd_batch *batch, uint64_t part)
{
    batch->kind = (batch->kind ^ part) * UINT64_C(0x9e3779b97f4a7c15); // 2^64 / golden ratio
    batch->kind ^= batch->kind >> 32;
}

static inline uint64_t min_u64(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static inline uint64_t max_u64(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

// ---- command.c ----------------------------------------------------------------------------------

// Allocates a command of `size` bytes (its struct begins with struct command), including the holds.
// Not enqueued yet.
struct command *cmd_new(const struct cmd_request *request, enum cmd_id id, size_t size);
void cmd_drop(struct command *command); // frees one that was never enqueued; the caller keeps the
                                        // holds
void cmd_clear(struct command *command); // frees what a done command owns and holds. No lock held
                                         // (lock.c)

static inline void cmd_access_add(struct command *command, const struct vk_buffer *buffer,
                                  uint64_t offset, uint64_t size, bool write)
{
    uint64_t begin = buffer->address + offset;
    command->accesses[command->access_count++] = (struct cmd_access){begin, begin + size, write};
}

// Whether a write to the buffer by the device needs a barrier that makes it visible to the host.
// For a recorded command this is decided once, so it assumes the worst case.
static inline bool cmd_writes_for_host(const struct cmd_queue *queue, struct vk_buffer *buffer)
{
    if (queue->recording)
        return buffer->host || buffer->window;
    return buffer->window ? vk_window_written(&buffer->use) : buffer->host != NULL;
}

// ---- lock.c -------------------------------------------------------------------------------------

extern pthread_mutex_t cmd_mutex;
void cmd_lock(void);
void cmd_unlock(void); // also frees and releases what became free meanwhile
bool cmd_others_clear(void); // whether other threads are just doing so
void cmd_wake_sleepers(void); // some command changed its state
// Releases the lock until some command changes its state or, if `cancellable`, the thread is
// cancelled.
void cmd_sleep(bool cancellable);

// A queue's own lock. Call with cmd_lock held; cmd_queue_take() returns false if it had to release
// that temporarily. Taking the lock also records the commands in the inbox.
void cmd_queue_init_lock(struct cmd_queue *queue);
bool cmd_queue_take(struct cmd_queue *queue);
void cmd_queue_give(struct cmd_queue *queue);

// ---- queues.c: needs cmd_lock, which flushing may release temporarily ---------------------------

void cmd_queue_link(struct cmd_queue *queue);
bool cmd_queue_idle(struct cmd_queue *queue); // nothing is open, held, running or in flight
void cmd_queue_orphan(struct cmd_queue *queue);        // destroy it when it is idle
void cmd_queue_maybe_destroy(struct cmd_queue *queue); // if it is released and not in use
bool cmd_needs_watching(void); // the completion thread must watch the device
// Whether it has work in flight that no other thread will complete.
bool cmd_queue_needs_thread(const struct cmd_queue *queue);
struct cmd_queue *cmd_oldest_in_flight(void);
uint64_t cmd_in_flight_value(const struct cmd_queue *queue); // of the oldest submission
bool cmd_in_flight_on(const struct vk_device *device, struct cmd_queue **queue);
// Whether other threads are ending batches of this device, or freeing what commands have held.
bool cmd_others_free(const struct vk_device *device);
void cmd_flush_all(const struct vk_device *device);
// Submits the open batches that only the calling thread has filled: it is about to wait, so it adds
// nothing to them soon, and other devices would be idle meanwhile.
void cmd_flush_own(void);
uint64_t cmd_flush_due(void); // flushes overdue queues; returns the time of the next look, 0: none

void cmd_queue_destroy(struct cmd_queue *queue); // queue.c; not under the lock
// vk_buffer_create(), and the same after waiting for memory; not under a lock (memory.c).
typedef VkResult (*cmd_buffer_fn)(struct vk_device *device, enum vk_memory_kind kind, VkDeviceSize size,
                                  struct vk_buffer *buffer);
VkResult cmd_buffer_create(struct vk_device *device, enum vk_memory_kind kind, VkDeviceSize size,
                           struct vk_buffer *buffer);
bool cmd_flush_later(struct cmd_queue *queue);   // queue.c; false: the open batch should go now
// queue.c: a batch was opened. The completion thread submits it once nothing has been added for a while: programs rely
// on the device to start without a flush while the host does something else.
void cmd_flush_when_quiet(struct cmd_queue *queue);
void cmd_flush_if_due(struct cmd_queue *queue, uint64_t now); // the completion thread's look at it
void cmd_flush_idle(struct cmd_queue *queue);    // queue.c; the caller will be busy: an idle device begins

// ---- complete.c: under the lock -----------------------------------------------------------------

void cmd_complete(struct command *command, cl_int status); // wakes everyone who waits for it
void cmd_complete_list(struct command *list, cl_int status);
// Completes a list of commands that could not be submitted. Each thread that enqueued one gets the
// error from its next call; if another thread calls first, it gets the error.
void cmd_queue_fail(struct cmd_queue *queue, struct command *list, cl_int error);
// The error that must be reported to the calling thread; marks it as reported.
cl_int cmd_queue_take_error(struct cmd_queue *queue);

// ---- hold.c, start.c, enqueue.c -----------------------------------------------------------------

// The held commands that wait for this one must be checked: it was recorded, is complete, or can no
// longer be set.
void cmd_check_dependents(struct command *command);
void cmd_check_held(struct cmd_queue *queue); // all held commands of the queue must be checked
void cmd_unwait(struct command *command);     // it is no longer held
bool cmd_may_read_host(const struct cmd_request *request, const struct command *command);
void cmd_abort_held(struct command *command); // fails the command unless it has begun. Under the
                                              // lock, which it may release temporarily
void cmd_leave(struct command *command); // the caller no longer does its host work: the completion
                                         // thread must. Under the lock
// Starts all commands that can start. False: there were none, and the lock was held throughout.
// Under the lock.
bool cmd_progress(bool on_thread);
// Takes ownership of the command.
cl_int cmd_enqueue(const struct cmd_request *request, struct command *command);

// Ends the host work of a command. Under the lock.
void cmd_end_on_host(struct command *command);

// ---- record_ndrange.c, family.c -----------------------------------------------------------------

// cmd_ndrange_make() creates a launch without enqueuing it; cmd_ndrange_join() makes it the first
// launch of a family.
cl_int cmd_ndrange_make(const struct cmd_request *request, const struct cmd_ndrange *range, struct command **out);
void cmd_ndrange_join(struct command *command, struct cmd_queue *queue, uint64_t enqueued);
cl_int cmd_family_enqueue(const struct cmd_request *request, const struct cmd_ndrange *range);
// Count callers that wait for the family on the queue (+1 or -1), and mark the family as running or
// ended. Under the lock.
void cmd_family_count_waiters(struct cmd_queue *queue, int family_waiters);
void cmd_family_set_running(struct cmd_queue *queue, bool runs_family);

// ---- wait.c -------------------------------------------------------------------------------------

enum { CMD_SLICE_NS = 20000000 }; // of a wait for the device, after which the caller checks other
                                  // work

// Until when a wait may end because the calling thread was cancelled (util/gate.h). HELD: while the
// command is still held.
enum cmd_cancel { CMD_UNCANCELLED, CMD_CANCELLED_HELD, CMD_CANCELLED };

// Waits until the command is complete; false: the thread was cancelled first. Under the lock, which
// it releases temporarily.
bool cmd_wait_for(struct command *command, enum cmd_cancel cancel);
// The same for a command that may use its enqueuer's memory. If the thread is cancelled, a held
// command is aborted and a started one is waited for. False: the thread was cancelled.
bool cmd_wait_own(struct command *command);
// Waits at most `ns` for the device to reach `value`. `eager`: the caller continues immediately, so
// polling pays. Under the lock, which it releases temporarily.
void cmd_wait_in_flight(struct cmd_queue *queue, uint64_t value, uint64_t ns, bool eager);

// ---- watch.c: under the lock --------------------------------------------------------------------

// Waits for the device on the completion thread, for at most `ns` (0: no limit), with the lock
// released. False: there is no work in flight to watch.
bool cmd_watch(uint64_t ns);
void cmd_watch_interrupt(void); // ends that wait
void cmd_watch_forget(void);    // in a child process, which does not have the thread

// ---- host.c: the completion thread --------------------------------------------------------------

// Starts the thread if needed and wakes it. Under the lock.
void cmd_thread_wake(void);
// The thread must look at an open batch in `ns`. For some time from now on it looks by itself: waking it costs the caller
// microseconds.
void cmd_thread_attend(uint64_t now, uint64_t ns);

// Requests background work for the queue from the completion thread. Under the lock.
enum chore { CHORE_WARM_UP = 1, CHORE_COUNT_INTERRUPTS = 2 };
void cmd_request_chore(struct cmd_queue *queue, enum chore chore);
// Also ends its wait for the device, for work that this wait does not include.
void cmd_thread_interrupt(void);
bool cmd_on_thread(void); // the caller is that thread: a native function that waits. Under the lock
void cmd_device_exit(struct vk_device *device, void *state);
void cmd_process_ended(void);
void cmd_own_free(struct vk_device *device); // immediate.c: frees the internal objects of a device
                                             // that is being closed
void cmd_forget_thread(void); // in a forked child, where the thread does not exist

// ---- pipelines.c --------------------------------------------------------------------------------

enum cmd_fork { CMD_FORK_BEFORE, CMD_FORK_PARENT, CMD_FORK_CHILD };
void cmd_ahead_fork(enum cmd_fork when);

// ---- callbacks.c --------------------------------------------------------------------------------

extern uint32_t cmd_callbacks_waiting; // on unfinished commands; under the lock
void cmd_callbacks_fire(struct command *command, cl_int status); // under the lock
// Waits until callbacks that are due for the queue's commands have returned. Under the lock, which
// it may release temporarily.
void cmd_callbacks_settle(const struct cmd_queue *queue);
void cmd_callbacks_forget(void); // in a forked child, where the thread does not exist
// Detaches the callbacks of a command whose status can never be reached; free them without the
// lock.
struct cmd_callback *cmd_callbacks_take(struct command *command);
void cmd_callbacks_drop(struct cmd_callback *list);

// ---- profile.c ----------------------------------------------------------------------------------

VkResult cmd_profile_begin_batch(struct cmd_queue *queue, struct cmd_batch *batch);
void cmd_profile_start(struct cmd_batch *batch, struct command *command);
void cmd_profile_end(struct cmd_batch *batch, struct command *command);
// records the end timestamp; call before the batch ends
void cmd_profile_last(struct cmd_queue *queue, struct cmd_batch *batch);
// call when the batch is done; fills in the times
void cmd_profile_batch(struct cmd_queue *queue, struct cmd_batch *batch);
void cmd_profile_free(struct cmd_queue *queue, struct cmd_batch *batch);

// ---- trace.c ------------------------------------------------------------------------------------

bool cmd_trace_on(void);
void cmd_trace_quiet(bool ignore_failure); // excludes the calling thread's commands and builds from
                                           // the trace
// Creates the trace data of a command; NULL if there is no trace.
struct cmd_span *cmd_span_new(const struct cmd_request *request);
void cmd_span_free(struct cmd_span *span);
void cmd_span_bytes(struct command *command, uint64_t bytes);
void cmd_span_range(struct command *command, const char *kernel, const uint64_t global[3],
                    const uint32_t local[3]);
void cmd_trace(const struct command *command); // writes a completed command that has trace data

// ---- record_*.c ---------------------------------------------------------------------------------

VkResult record_write(struct command *command, struct cmd_batch *batch);
VkResult record_read(struct command *command, struct cmd_batch *batch);
void after_read(struct command *command);
void run_host_write(struct command *command);
void run_host_read(struct command *command);
void run_host_copy(struct command *command);
void run_host_fill(struct command *command);
VkResult record_copy(struct command *command, struct cmd_batch *batch);
VkResult record_fill(struct command *command, struct cmd_batch *batch);
void prepare_ndrange(struct command *command, struct cmd_batch *batch);
VkResult record_ndrange(struct command *command, struct cmd_batch *batch);
void after_ndrange(struct command *command);
void clear_ndrange(struct command *command);
void run_family(struct command *command);
void clear_family(struct command *command);
void after_step(struct command *command);
void clear_step(struct command *command);
void run_native(struct command *command);
void run_outside(struct command *command);
VkResult record_image_begin(struct command *command, struct cmd_batch *batch);
VkResult record_image_write(struct command *command, struct cmd_batch *batch);
VkResult record_image_read(struct command *command, struct cmd_batch *batch);
void after_image_read(struct command *command);
VkResult record_image_buffer(struct command *command, struct cmd_batch *batch);
VkResult record_image_copy(struct command *command, struct cmd_batch *batch);
VkResult record_image_fill(struct command *command, struct cmd_batch *batch);
VkResult record_replay(struct command *command, struct cmd_batch *batch);
void after_replay(struct command *command);
void clear_replay(struct command *command);
VkResult record_ownership(struct command *command, struct cmd_batch *batch);
VkResult record_semaphores(struct command *command, struct cmd_batch *batch);
void failed_semaphores(struct command *command);

// ---- record_transfer.c --------------------------------------------------------------------------

#define CMD_PIECE (UINT64_C(16) << 20) // bytes of one piece
// Splits a long blocking transfer into pieces: the host copies one while the device transfers
// another. The last piece is the command that the application sees; queue order makes it complete
// last. `first`: the first piece's command, where the application's profiling times begin, or NULL.
typedef cl_int (*cmd_piece)(const struct cmd_request *request, uint64_t n, struct command *first,
                            const void *data);
cl_int cmd_in_pieces(const struct cmd_request *request, uint64_t count, cmd_piece piece,
                     const void *data);

// Copies a region of bytes x rows x slices, with several threads if it is large enough.
void cmd_copy_rows(uint8_t *to, const struct cmd_rect *t, const uint8_t *from,
                   const struct cmd_rect *f, const uint64_t region[3]);

// Unfinished commands that write shared_host memory, in the whole process.
extern atomic_uint cmd_shared_writers;

// Printf buffers of incomplete commands, in the whole process.
extern atomic_uint cmd_printf_buffers;

#endif
