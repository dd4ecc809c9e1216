// SPDX-License-Identifier: Apache-2.0
// Waiting for commands.
//
// A waiting caller does the work itself: it submits what it waits for, starts held commands, polls
// the device and completes what has finished. It sleeps only while another thread does that, or has
// to act first.
#define _GNU_SOURCE

#include "command/batch.h"
#include "util/gate.h"
#include "util/thread.h"
#include "vulkan/interrupts.h"

enum { RECHECK_US = 100 };

// A semaphore wakes its waiter about 50 us late, which is too much for short commands, and polling
// uses a full CPU core. So a wait polls briefly at first, and again when it may end by the
// durations of the queue's earlier batches (patience.h); in between it sleeps in the driver.
enum {
    POLL_NS = 50000, // at the start
    BUSY_NS = 5000,    // if a yield takes longer, other threads than the device's needed the core
    POLLS_BEFORE_REST = 16,
    POLL_AGAIN_NS = 5000, // a longer pause between two polls: the thread does something else, too
    POLL_REST_NS = 50000,
    BUSY_FACTOR = 100, // then do not yield for this multiple of that time: at most one
                       // hundredth of the time is lost
};

// ---- polling ------------------------------------------------------------------------------------

static atomic_uint pollers;
static _Atomic uint64_t busy_until; // no yields until then

// Under the lock.
static struct patience patience_for(const struct cmd_queue *queue, uint64_t value)
{
    bool cpu = queue->device->facts->props.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
    // A CPU device needs the cores itself, and so do other waits.
    if (cpu || (atomic_load(&pollers) + 1) * 2 > thread_processors())
        return (struct patience){.count = 0};
    return patience_after(&queue->durations, queue->in_flight->kind, queue->busy_since, value - queue->in_flight->value + 1);
}

// Yields the core to the device's threads. False: other threads use it, which may cost milliseconds
// each time.
static bool yield_core(void)
{
    uint64_t before = thread_now_ns();
    if (before < atomic_load_explicit(&busy_until, memory_order_relaxed))
        return false;
    thread_yield();
    uint64_t took = thread_now_ns() - before;
    if (took > BUSY_NS)
        atomic_store_explicit(&busy_until, before + took * BUSY_FACTOR, memory_order_relaxed);
    return took <= BUSY_NS;
}

// True if the value is reached.
static bool poll(struct cmd_queue *queue, uint64_t value, uint64_t until)
{
    bool cpu = queue->device->facts->props.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
    bool reached = false;
    atomic_fetch_add(&pollers, 1);
    while (batch_reached(queue, value, &reached) == VK_SUCCESS && !reached &&
           thread_now_ns() < until)
        if (!cpu)
            thread_relax();
        else if (!yield_core())
            break;
    atomic_fetch_sub(&pollers, 1);
    return reached;
}

static void sleep_for(struct cmd_queue *queue, uint64_t value, uint64_t ns)
{
    if (vk_timeline_wait(queue->device, queue->timeline, value, ns) == VK_SUCCESS)
        queue->reached = max_u64(queue->reached, value);
}

// Sleeps until `end`. True if the value is reached.
static bool sleep_until(struct cmd_queue *queue, uint64_t value, uint64_t end)
{
    uint64_t now = thread_now_ns();
    if (now < end)
        sleep_for(queue, value, end - now);
    return queue->reached >= value;
}

// The same before a poll: a short sleep would end after it.
static bool sleep_before(struct cmd_queue *queue, uint64_t value, uint64_t end)
{
    return end < thread_now_ns() + 2 * PATIENCE_MARGIN_NS ? poll(queue, value, end) : sleep_until(queue, value, end);
}

// Takes about `ns` at most.
static void wait_eagerly(struct cmd_queue *queue, uint64_t value, uint64_t ns,
                         const struct patience *patience)
{
    vk_interrupts_avoid(queue->device);
    uint64_t now = thread_now_ns(), end = now + ns;
    bool reached = poll(queue, value, now + POLL_NS);
    for (unsigned i = 0; i < patience->count && !reached; i++)
        reached = sleep_before(queue, value, min_u64(patience->spans[i].from, end)) ||
                  poll(queue, value, min_u64(patience->spans[i].until, end));
    if (!reached)
        sleep_until(queue, value, end);
}

// Remembers how long the batches took if they ended while this thread watched. Under the lock.
static void remember_duration(struct cmd_queue *queue, uint64_t value)
{
    if (!queue->in_flight || queue->in_flight->value > value || queue->reached < value)
        return;
    uint64_t batches = value - queue->in_flight->value + 1;
    durations_add(&queue->durations, batches == 1 ? queue->in_flight->kind : 0, (thread_now_ns() - queue->busy_since) / batches);
}

void cmd_wait_in_flight(struct cmd_queue *queue, uint64_t value, uint64_t ns, bool eager)
{
    struct patience patience = patience_for(queue, value);
    queue->waiters++;
    if (eager) {
        cmd_flush_own();
        batch_prepare(queue);
        if (vk_interrupts_due(queue->device))
            cmd_request_chore(queue, CHORE_COUNT_INTERRUPTS);
    }
    pthread_mutex_unlock(&cmd_mutex);
    if (eager)
        wait_eagerly(queue, value, ns, &patience);
    else
        sleep_for(queue, value, ns);
    pthread_mutex_lock(&cmd_mutex);
    remember_duration(queue, value);
    queue->waiters--;
}

// ---- commands -----------------------------------------------------------------------------------

// The first incomplete dependency of a held command; NULL: only the queue's order holds it.
static struct command *open_dep(const struct command *command)
{
    for (uint32_t i = 0; i < command->dep_count; i++)
        if (command->deps[i].command->state != CMD_DONE)
            return command->deps[i].command;
    return NULL;
}

// Another thread must act first: the completion thread watches the device meanwhile.
static void wait_changed(struct command *command, bool cancellable)
{
    cmd_leave(command);
    if (cmd_on_thread()) { // no other thread polls: check again soon
        pthread_mutex_unlock(&cmd_mutex);
        unsigned depth = gate_step_out();
        thread_sleep_us(RECHECK_US);
        gate_step_in(depth);
        pthread_mutex_lock(&cmd_mutex);
        return;
    }
    cmd_thread_wake();
    cmd_sleep(cancellable);
}

static void wait_recorded(struct command *command)
{
    struct cmd_queue *queue = command->queue;
    if (queue->open && queue->open->value == command->value) {
        batch_flush_awaited(queue);
    } else if (queue->retiring) {
        cmd_sleep(false);
    } else if (!batch_retire(queue)) {
        cmd_wait_in_flight(queue, command->value, CMD_SLICE_NS, true);
        batch_retire(queue);
    }
}

// Waits for a running family and does the host work between its generations. False: it is no such
// command.
static bool wait_family(struct command *command)
{
    struct cmd_queue *queue =
        command && command->state == CMD_RUNNING ? command->family_queue : NULL;
    if (!queue || (!queue->retiring && !queue->in_flight))
        return false;
    cmd_retain(command);
    queue->waiters++;
    cmd_family_count_waiters(queue, 1);
    if (queue->retiring) {
        cmd_sleep(false);
    } else if (!batch_retire(queue)) {
        cmd_wait_in_flight(queue, queue->next_value - 1, CMD_SLICE_NS, true);
        batch_retire(queue);
    }
    cmd_family_count_waiters(queue, -1);
    if (queue->runs_family && command->state == CMD_DONE)
        cmd_thread_wake(); // another family, which may have no waiter
    cmd_release(command);
    queue->waiters--;
    cmd_queue_maybe_destroy(queue);
    return true;
}

static void wait_held(struct command *command, bool cancellable)
{
    struct cmd_queue *queue = command->queue;
    if (wait_family(command) || cmd_progress(cmd_on_thread()))
        return;
    bool front = queue && command->state == CMD_HELD && queue->held == command &&
                 command->ops->place != CMD_THREAD;
    struct command *dep = front ? open_dep(command) : NULL;
    if (dep && dep->state == CMD_RECORDED) {
        struct cmd_queue *other = dep->queue;
        other->waiters++;
        wait_recorded(dep);
        other->waiters--;
        cmd_queue_maybe_destroy(other);
    } else if (front && !dep && queue->in_flight && !queue->retiring)
        cmd_wait_in_flight(queue, queue->in_flight->value, CMD_SLICE_NS, true);
    else if (!front || !wait_family(dep ? dep : queue->running))
        wait_changed(command, cancellable);
}

static bool may_be_cancelled(const struct command *command, enum cmd_cancel cancel)
{
    return cancel == CMD_CANCELLED || (cancel == CMD_CANCELLED_HELD && command->state == CMD_HELD);
}

bool cmd_wait_for(struct command *command, enum cmd_cancel cancel)
{
    while (command->state != CMD_DONE && !gate_ended()) {
        struct cmd_queue *queue = command->queue;
        bool cancellable = may_be_cancelled(command, cancel);
        if (cancellable && gate_cancelled())
            return false;
        if (queue)
            queue->waiters++;
        if (command->state == CMD_RECORDED)
            wait_recorded(command);
        else
            wait_held(command, cancellable);
        if (queue) {
            queue->waiters--;
            cmd_queue_maybe_destroy(queue);
        }
    }
    return true;
}

bool cmd_wait_own(struct command *command)
{
    bool moves = command->ops->place != CMD_NOTHING;
    if (cmd_wait_for(command, moves ? CMD_CANCELLED_HELD : CMD_CANCELLED))
        return true;
    if (command->state == CMD_HELD)
        cmd_abort_held(command);
    if (moves)
        cmd_wait_for(command, CMD_UNCANCELLED);
    return false;
}

static cl_int wait_all(struct command *const *commands, uint32_t count, enum cmd_cancel cancel)
{
    cl_int result = CL_SUCCESS;
    for (uint32_t i = 0; i < count; i++) // submit everything before the first wait
        if (commands[i]->state == CMD_RECORDED)
            batch_flush_awaited(commands[i]->queue);
    if (count == 1)
        batch_learn_wait(commands[0]);
    for (uint32_t i = 0; i < count; i++) {
        if (!cmd_wait_for(commands[i], cancel))
            return CL_OUT_OF_RESOURCES; // nobody sees this: the thread is ending
        if (atomic_load(&commands[i]->status) < 0)
            result = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
    }
    return result;
}

cl_int cmd_wait(struct command *const *commands, uint32_t count)
{
    cmd_lock();
    cl_int result = wait_all(commands, count, CMD_UNCANCELLED);
    cmd_unlock();
    return result;
}

cl_int cmd_wait_settled(struct command *const *commands, uint32_t count)
{
    cmd_lock();
    cl_int result = wait_all(commands, count, CMD_CANCELLED);
    for (uint32_t i = 0; i < count && result != CL_OUT_OF_RESOURCES; i++)
        if (!i || commands[i]->queue != commands[i - 1]->queue)
            cmd_callbacks_settle(commands[i]->queue);
    cmd_unlock();
    return result;
}

// Whether the device has finished a command while another thread does the remaining host work, for
// it or for earlier ones.
static bool has_ended_while_retiring(const struct command *command)
{
    bool reached = false;
    return command->state == CMD_RECORDED && command->queue->retiring &&
           batch_reached(command->queue, command->value, &reached) == VK_SUCCESS && reached;
}

// Whether a poll has nothing to do: the device is still running it, or other threads advance the
// command. Takes no lock, because pollers must not delay threads that enqueue or complete commands.
// `status`: the command's status as read before.
static bool is_under_way(const struct command *command, cl_int status)
{
    uint64_t at = 0;
    switch (atomic_load_explicit(&command->state, memory_order_relaxed)) {
    case CMD_HELD: // the thread that starts it also submits it
        return true;
    case CMD_RUNNING: // a command that is only begun may have kernels on the device
        return command->ops->place != CMD_ASYNC;
    case CMD_RECORDED: // CL_SUBMITTED is stored after the timeline and the value
        return status == CL_SUBMITTED &&
               vk_timeline_value(command->timeline->device, command->timeline, &at) == VK_SUCCESS && at < command->value;
    default:
        return false;
    }
}

// A thread that does nothing but poll commands of a CPU device takes the processor that the device needs.
// From then on each poll sleeps until a batch of the command's queue has ended, or for a moment.
static void rest_from_polling(const struct command *command)
{
    static _Thread_local struct {
        uint64_t at; // the last one
        unsigned count;
    } polls;
    struct vk_timeline *timeline = command->timeline;
    uint64_t now = thread_now_ns(), reached = 0;
    polls.count = now - polls.at < POLL_AGAIN_NS ? polls.count + 1 : 0;
    polls.at = now;
    if (polls.count <= POLLS_BEFORE_REST ||
        vk_timeline_value(timeline->device, timeline, &reached) != VK_SUCCESS ||
        reached >= command->value)
        return;
    vk_timeline_wait(timeline->device, timeline, reached + 1, POLL_REST_NS);
    polls.at = thread_now_ns();
}

static bool on_cpu_device(const struct command *command)
{
    return atomic_load_explicit(&command->state, memory_order_relaxed) == CMD_RECORDED &&
           command->timeline->device->facts->props.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
}

cl_int cmd_status(struct command *command)
{
    cl_int status = atomic_load(&command->status);
    if (status <= CL_COMPLETE || !command->ops)
        return status;
    if (is_under_way(command, status)) {
        if (status == CL_SUBMITTED && on_cpu_device(command))
            rest_from_polling(command);
        return status;
    }
    bool deferred = false;
    cmd_lock();
    if (command->state == CMD_RECORDED) {
        struct cmd_queue *queue = command->queue;
        queue->waiters++;
        bool open = queue->open && queue->open->value == command->value;
        deferred = open && on_cpu_device(command) && cmd_flush_later(queue);
        if (open && !deferred) {
            batch_flush(queue); // repeated polling must make it complete
            batch_learn_wait(command);
        }
        while (has_ended_while_retiring(command)) // others may already know that it ended, e.g. by
                                                  // a read that waited for it
            cmd_sleep(false);
        if (command->state == CMD_RECORDED)
            batch_retire(queue);
        queue->waiters--;
        cmd_queue_maybe_destroy(queue);
    } else if (command->state == CMD_RUNNING && command->family_queue) {
        struct cmd_queue *queue = command->family_queue;
        queue->waiters++;
        batch_retire(queue);
        queue->waiters--;
        cmd_queue_maybe_destroy(queue);
    }
    status = atomic_load(&command->status);
    cmd_unlock();
    if (deferred)
        rest_from_polling(command);
    return status;
}
