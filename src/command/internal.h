// SPDX-License-Identifier: Apache-2.0
// The command layer's inside: commands, batches, queues and who may touch what.
//
// One lock (cmd_lock) guards every queue, batch and command of the process; it is held for less
// than a microsecond. Work of the host (copies, callbacks, releases, waiting) happens outside of
// it, and so does what takes the driver its time: who holds a queue's own lock alone opens, records
// into and submits that queue's batch. What changes under both may be read under either. A thread
// holds one such lock at most and takes it before cmd_lock. All come before the locks of the Vulkan
// layer and after all others.
// Where threads share a queue, a command that nobody can name may wait in the queue's inbox for who
// takes its lock next: it comes before all that is done under it.
//
// A command's way: new -> held (something it needs is not on the device yet) -> recorded (in a
// batch) or running (on the host) -> done. In an in-order queue everything behind a held command is
// held.
#ifndef PUMICE_COMMAND_INTERNAL_H
#define PUMICE_COMMAND_INTERNAL_H

#include "command/command.h"
#include "vulkan/submit.h"

#include <stdatomic.h>

enum {
    BATCH_COMMANDS = 256, // a batch is full
    FLYING_MAX = 32,      // batches in flight before an enqueue waits
    LOOK_EVERY = 4,       // commands: whether the device is idle. Thresholds are multiples of it
    INBOX_MOST = 64,      // commands left to another thread before an enqueue waits for it
    QUERIES = 2 * BATCH_COMMANDS + 1, // each one's, and the end's
    HAZARDS = 32,
    PRINTF_BUFFERS = 32, // in use at which an enqueue waits
    COMMAND_BUFFERS = 4, // buffers of its own that a command may need
    COMMAND_ACCESSES = 4,
    PUSH_KEPT = 256, // bytes of a push block; larger ones are pushed each time
};

enum cmd_state { CMD_NEW, CMD_HELD, CMD_RECORDED, CMD_RUNNING, CMD_DONE };
enum cmd_place { CMD_DEVICE, CMD_HOST, CMD_THREAD, CMD_BEGUN, CMD_NOTHING };
enum { TIME_QUEUED, TIME_SUBMIT, TIME_START, TIME_END, TIME_COMPLETE, TIME_COUNT }; // COMPLETE: 0, if not later than END

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
    struct command *command; // counted while it waits for its turn
    cl_int at, status;
    uint64_t ticket; // counts those that fell due
    void (*fn)(struct command *command, cl_int status, void *data);
    void *data;
    void (*drop)(void *data); // instead of fn; NULL: nothing to do
};

struct cmd_dep {
    struct command *command; // counted
    bool complete;           // must be complete on the host, not only on its way
    bool quiet;              // its failure is not ours
};

struct command {
    const struct cmd_ops *ops; // NULL: a user event
    struct cmd_queue *queue;   // valid until done
    struct cmd_queue *works_on; // of a family that is running: where its kernels are
    uint64_t thread;           // that enqueued it: thread_bit()
    struct command *next;      // in its batch, among the held or the running
    atomic_uint refs;
    _Atomic(cl_int) status;
    _Atomic(enum cmd_state) state; // set by cmd_set_state(); polls read it without the lock
    bool driven;       // its enqueuer waits for it and does its host work
    bool profiled;     // the application may ask for its times
    bool timed;        // times are taken
    bool asked;        // somebody has an event of it, traces it or tells of it: the device's times, too
    struct cmd_span *span; // what the trace tells of it; NULL: nothing
    bool is_barrier;
    bool after_all;  // an out-of-order queue's marker: after all before it
    bool all_memory; // may touch any memory
    bool device_only; // writes no memory that the host sees
    bool shared_host; // the host memory of its transfer is also reached by commands of the device
    bool no_after;   // nothing is left for the host when the device is done, whatever ops->after
    bool begins_batch,
        ends_batch;  // is its batch's first command, its last; the batch is submitted then
    bool any_host;   // a kernel that may touch memory which the host's part of commands touches
    bool abandoned;  // a user event that nobody can set any more
    bool in_turn;    // recorded once, it has memory that one replay at a time can use
    bool apart;      // behind a barrier, whatever it does
    struct vk_timeline *timeline; // of its batch: lives as long as the device, unlike the queue
    uint64_t value;  // of its batch
    uint64_t epoch;  // out-of-order: barriers recorded before it
    int query;       // first of its two, -1: none
    uint64_t times[TIME_COUNT];
    struct command *begun_by; // counted: profiling counts from that command's start
    struct command *follows;  // counted: before this one, whatever became of it; complete, if in turn. Released by clear()

    struct cmd_dep *deps; // of a held command
    uint32_t dep_count;
    struct cmd_access accesses[COMMAND_ACCESSES];
    const struct cmd_access *access_list; // accesses, or more
    uint32_t access_count;
    struct vk_buffer buffers[COMMAND_BUFFERS]; // freed when done
    uintptr_t host_begin, host_end;            // host memory it writes (when listed) or reads
    bool host_writes;
    struct command *writer_next, *writer_prev; // in the list of unfinished host writers

    struct cmd_callback *callbacks;
    struct cmd_hold *holds;
    uint32_t hold_count;
};

struct cmd_batch {
    struct cmd_batch *next; // among those in flight or at rest
    VkCommandBuffer commands;
    uint64_t value;
    VkQueryPool queries;
    uint32_t query_count, queries_used; // used: since they were reset
    bool unstamped; // something that is timed has no queries, and nothing behind it has
    int end_query;  // of that; -1: none
    uint64_t sent; // when the driver had been told all of it; of batches with queries
    uint32_t count;
    bool for_host; // a command in it writes memory that the host sees
    bool first_run; // of a pipeline
    struct command *first, **last;
    struct vk_wait waits[VK_WAIT_MAX];
    uint32_t wait_count;
    const struct vk_binaries *binaries; // of a command in it; NULL: none

    // What its command buffer is at: the next launch need not say it again.
    VkPipeline pipeline;
    uint32_t push_size; // of the block that was pushed; 0: none
    uint8_t push[PUSH_KEPT];
};

struct cmd_queue {
    struct cmd_queue *next, *prev; // all queues
    struct vk_device *device;
    const void *owner;
    struct vk_queue *vk;
    struct vk_timeline *timeline;
    VkCommandPool pool;
    bool in_order, profiling, timing;
    bool concurrent; // with the host, whatever PUMICE_SYNC says
    bool traced;
    unsigned row;     // in the trace; 0: none yet
    bool let_go;      // by the application: nobody enqueues or finishes any more
    bool released;    // goes away when idle
    bool works;       // a family runs on it,
    uint32_t drivers; // for which so many callers wait, who see to it
    struct cmd_recording *recording; // none that runs: what is enqueued is kept there
    bool retiring;    // a thread is at it without the lock
    uint32_t waiters; // threads that need the queue and are without the lock
    pthread_mutex_t lock; // of the open batch and what is only recorded with: hazards, epoch, pool

    uint64_t next_value;
    cl_int error;        // of commands that could not be submitted
    _Atomic(uint64_t)
        untold;          // threads whose commands they were and that no call has returned it to
    struct cmd_batch *open;
    uint64_t flush_at; // by the thread, when nobody has before; 0: nobody asked
    struct cmd_batch *flying, **flying_last;
    atomic_uint flying_count;
    struct cmd_batch *resting; // free
    struct cmd_batch *prepared; // free, and begun
    _Atomic(uint64_t) reached; // by the timeline, when it was last asked
    uint64_t busy_since;       // the device was free for the first of those in flight
    uint64_t usual_ns;         // what batches took lately that somebody waited for
    _Atomic(struct command *) inbox; // the last first: left to who takes the queue's own lock
    atomic_uint inbox_count;         // until they are recorded
    struct command *held, **held_last;
    _Atomic(struct command *) running; // on the host, a list
    atomic_uint threshold; // commands in the open batch that are worth a submission of their own

    struct cmd_access hazards[HAZARDS];
    uint32_t hazard_count;
    bool hazard_all;
    uint64_t epoch;
    struct command *last_barrier; // out-of-order; counted

    struct vk_buffer scratch;
    uint64_t clock_ticks, clock_ns, clock_when; // a moment on both clocks
    uint64_t last_end; // of the last command whose times are known
};

// What is recorded next finds nothing bound.
static inline void cmd_batch_forget(struct cmd_batch *batch)
{
    batch->pipeline = VK_NULL_HANDLE;
    batch->push_size = 0;
}

// Under the lock, or the queue's own.
static inline void cmd_set_state(struct command *command, enum cmd_state state)
{
    atomic_store_explicit(&command->state, state, memory_order_relaxed);
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

// A command of `size` bytes (its struct begins with struct command), holds and all, not yet
// enqueued.
struct command *cmd_new(const struct cmd_request *request, enum cmd_id id, size_t size);
void cmd_drop(struct command *command); // one that was never enqueued; the holds stay the caller's
void cmd_clear(struct command *command); // one that is done: what it owns and holds. No lock held (lock.c)

static inline void cmd_access_add(struct command *command, const struct vk_buffer *buffer,
                                  uint64_t offset, uint64_t size, bool write)
{
    uint64_t begin = buffer->address + offset;
    command->accesses[command->access_count++] = (struct cmd_access){begin, begin + size, write};
}

// A command of the device writes there: whether the host sees that memory, and a barrier towards it must follow. What is
// recorded is asked once, and may be done at any time.
static inline bool cmd_writes_for_host(const struct cmd_queue *queue, struct vk_buffer *buffer)
{
    if (queue->recording)
        return buffer->host || buffer->window;
    return buffer->window ? vk_window_written(&buffer->use) : buffer->host != NULL;
}

// ---- lock.c -------------------------------------------------------------------------------------

extern pthread_mutex_t cmd_mutex;
void cmd_lock(void);
void cmd_unlock(void); // and then frees and releases what became free meanwhile
void cmd_tell_sleepers(void); // some command changed its state
// Gives the lock up until some command changes its state, or the thread is cancelled if that may be.
void cmd_sleep(bool cancellable);

// A queue's own lock; under the process's lock, which taking gives up for a while when false.
// Taking records what lies in the inbox.
void cmd_queue_init_lock(struct cmd_queue *queue);
bool cmd_queue_take(struct cmd_queue *queue);
void cmd_queue_give(struct cmd_queue *queue);

// ---- queues.c: under the lock, which flushing may give up for a while ---------------------------

void cmd_queue_link(struct cmd_queue *queue);
bool cmd_queue_idle(struct cmd_queue *queue);          // nothing is open, held, running or in flight
void cmd_queue_orphan(struct cmd_queue *queue);        // goes away when it is idle
void cmd_queue_maybe_destroy(struct cmd_queue *queue); // when it is released and nobody is at it
bool cmd_watched(void); // someone depends on the thread's looking at the device
struct cmd_queue *cmd_oldest_flying(void);
uint64_t cmd_flying_value(const struct cmd_queue *queue); // of its oldest submission
bool cmd_flying_on(const struct vk_device *device, struct cmd_queue **queue);
void cmd_flush_all(const struct vk_device *device);
uint64_t cmd_flush_due(void); // flushes what is due; when the next is, 0: none

void cmd_queue_destroy(struct cmd_queue *queue); // queue.c; not under the lock

// ---- complete.c: under the lock -----------------------------------------------------------------

void cmd_complete(struct command *command, cl_int status); // for all who wait for it
void cmd_complete_list(struct command *list, cl_int status);
// Of commands that could not be submitted, in a list: they are done, and some call tells it to each
// thread that enqueued one, or to the first that asks before any of those does.
void cmd_queue_fail(struct cmd_queue *queue, struct command *list, cl_int error);
// The error that the calling thread has not been told yet; from now on it has.
cl_int cmd_queue_take_error(struct cmd_queue *queue);

// ---- hold.c, start.c, enqueue.c -----------------------------------------------------------------

bool cmd_may_read_host(const struct cmd_request *request, const struct command *command);
void cmd_abort_held(struct command *command); // it fails, if it has not begun. Under the lock, which it may give up
void cmd_leave(struct command *command); // its caller drives it no more: the thread must. Under the lock
// Starts what can be. False: nothing to do, and the lock was not given up. Under the lock.
bool cmd_progress(bool on_thread);
// Takes the command over.
cl_int cmd_enqueue(const struct cmd_request *request, struct command *command);

// The host's part is over. Under the lock.
void cmd_end_on_host(struct command *command);

// ---- record_ndrange.c, family.c -----------------------------------------------------------------

// A launch as a command that is not enqueued yet; a family's first joins it later.
cl_int cmd_ndrange_make(const struct cmd_request *request, const struct cmd_ndrange *range, struct command **out);
void cmd_ndrange_join(struct command *command, struct cmd_queue *queue, uint64_t enqueued);
cl_int cmd_family_enqueue(const struct cmd_request *request, const struct cmd_ndrange *range);
// One more or one less waits for the family that works there, or it begins and ends. Under the lock.
void cmd_family_drive(struct cmd_queue *queue, int drivers);
void cmd_family_works(struct cmd_queue *queue, bool works);

// ---- wait.c -------------------------------------------------------------------------------------

enum { CMD_SLICE_NS = 20000000 }; // of a wait for the device: then another look around

// When a wait may end because the calling thread has been cancelled (util/gate.h).
enum cmd_cancel { CMD_UNCANCELLED, CMD_CANCELLED_HELD, CMD_CANCELLED }; // HELD: while the command has not begun

// Until the command is complete; false: the thread has been cancelled before. Under the lock, which it gives up for a
// while.
bool cmd_wait_for(struct command *command, enum cmd_cancel cancel);
// For a command that may use its enqueuer's memory. If the thread is cancelled, a held command never begins, and one that
// has begun is waited for to its end. False: the thread has been cancelled. Under the lock.
bool cmd_wait_own(struct command *command);
// Likewise: at most `ns` of a wait for the device. `eager`: the caller goes on as soon as it can.
void cmd_wait_flying(struct cmd_queue *queue, uint64_t value, uint64_t ns, bool eager);

// ---- host.c: the completion thread --------------------------------------------------------------

// Starts it if needed and wakes it. Under the lock.
void cmd_thread_wake(void);
bool cmd_on_thread(void); // the caller is the thread: a native function that waits. Under the lock
void cmd_device_exit(struct vk_device *device, void *state);
void cmd_process_ended(void);
void cmd_own_free(struct vk_device *device); // immediate.c: of a device that goes
void cmd_forget_thread(void); // in a child, which has none

// ---- pipelines.c --------------------------------------------------------------------------------

enum cmd_fork { CMD_FORK_BEFORE, CMD_FORK_PARENT, CMD_FORK_CHILD };
void cmd_ahead_fork(enum cmd_fork when);

// ---- callbacks.c --------------------------------------------------------------------------------

extern uint32_t cmd_callbacks_waiting; // on unfinished commands; under the lock
void cmd_callbacks_fire(struct command *command, cl_int status); // under the lock
// Lets the callbacks that the queue's commands owe return first. Under the lock, which it may give
// up for a while.
void cmd_callbacks_settle(const struct cmd_queue *queue);
void cmd_callbacks_forget(void); // in a child, which has no thread
// Takes those of a command that will never fire; to be freed without the lock.
struct cmd_callback *cmd_callbacks_take(struct command *command);
void cmd_callbacks_drop(struct cmd_callback *list);

// ---- profile.c ----------------------------------------------------------------------------------

VkResult cmd_profile_begin_batch(struct cmd_queue *queue, struct cmd_batch *batch);
void cmd_profile_start(struct cmd_batch *batch, struct command *command);
void cmd_profile_end(struct cmd_batch *batch, struct command *command);
void cmd_profile_last(struct cmd_queue *queue, struct cmd_batch *batch); // before its end
void cmd_profile_batch(struct cmd_queue *queue, struct cmd_batch *batch); // when done; fills times
void cmd_profile_free(struct cmd_queue *queue, struct cmd_batch *batch);

// ---- trace.c ------------------------------------------------------------------------------------

bool cmd_trace_on(void);
void cmd_trace_quiet(bool quiet); // the calling thread's commands and builds are not told
// What is told of a command; NULL without a trace.
struct cmd_span *cmd_span_new(const struct cmd_request *request);
void cmd_span_free(struct cmd_span *span);
void cmd_span_bytes(struct command *command, uint64_t bytes);
void cmd_span_range(struct command *command, const char *kernel, const uint64_t global[3],
                    const uint32_t local[3]);
void cmd_trace(const struct command *command); // a completed one that has a span

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
VkResult record_turn(struct command *command, struct cmd_batch *batch);
VkResult record_semaphores(struct command *command, struct cmd_batch *batch);
void failed_semaphores(struct command *command);

// ---- record_transfer.c --------------------------------------------------------------------------

#define CMD_PIECE (UINT64_C(16) << 20) // bytes of one piece
// A long blocking transfer in pieces: the host copies one while the device moves another. The last
// piece is the command that the application sees; the queue's order makes it the last to complete.
// `first`: the first piece's command, from whose start the application's times count, or NULL.
typedef cl_int (*cmd_piece)(const struct cmd_request *request, uint64_t n, struct command *first,
                            const void *data);
cl_int cmd_in_pieces(const struct cmd_request *request, uint64_t count, cmd_piece piece,
                     const void *data);

// A region of bytes x rows x slices, by several threads where that pays.
void cmd_copy_rows(uint8_t *to, const struct cmd_rect *t, const uint8_t *from,
                   const struct cmd_rect *f, const uint64_t region[3]);

// Unfinished commands that write shared_host memory, in the whole process.
extern atomic_uint cmd_shared_writers;

// Printf buffers of commands that are not complete, in the whole process.
extern atomic_uint cmd_printf_buffers;

#endif
