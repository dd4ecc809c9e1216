// SPDX-License-Identifier: Apache-2.0
// Event callbacks: called one at a time, in the order in which they become due, with no lock held,
// on a thread of their own. The completion thread is not used because its copies and frees can take
// long.
//
// No specification guarantees that callbacks have returned when a wait returns. But programs rely
// on it: they read what a callback has written, or free its data after the wait. So waits let the
// callbacks that are due return first (cmd_callbacks_settle), however long that takes on a busy
// machine.
//
// The exception is a callback that needs its waiter, for a lock that it holds or a flag that it
// sets after the wait: waiting for it would deadlock. This cannot be detected, but such a callback
// sleeps or spins. So its time is counted only while its thread sleeps or uses a CPU, not while it
// waits for a CPU or for the disk, nor before it has started. A waiter gives up after PATIENCE_NS
// of that time. The time is taken from a budget that refills slowly: a program whose callbacks
// always need their waiter loses at most one hundredth of its time, and one that needs it once is
// waited for again later.
#include <stdlib.h>

#include "command/internal.h"
#include "util/gate.h"
#include "util/log.h"
#include "util/thread.h"

enum { PATIENCE_NS = 400000000, BUDGET_NS = 1000000000, BUDGET_SHARE = 100 };
enum { BUDGET_MIN_NS = 200000 }; // enough to write a flag
enum { SLICE_FIRST_NS = 100000, SLICE_MAX_NS = 5000000 };

uint32_t cmd_callbacks_waiting; // registered on unfinished commands
static struct cmd_callback *due, **due_last = &due;
static struct cmd_callback *calling;                     // the callback that is running
static uint64_t last_due, last_returned;                 // their tickets
static pthread_cond_t called = PTHREAD_COND_INITIALIZER; // a callback has returned
static uint32_t settlers;                                // threads that wait on `called`
static uint64_t budget = BUDGET_NS, budget_at; // its level, and the time of the last refill

static struct {
    pthread_t thread;
    struct thread_watch watch; // set by the thread itself when it starts
    pthread_cond_t cond;
    bool started;
    unsigned fork_generation;
} caller = {.cond = PTHREAD_COND_INITIALIZER};

// ---- the thread ---------------------------------------------------------------------------------

// Call with the lock held; releases it.
static void call_first(void)
{
    struct cmd_callback *callback = due;
    due = callback->next;
    if (!due)
        due_last = &due;
    calling = callback;
    cmd_unlock();
    unsigned depth = gate_step_out();
    callback->fn(callback->command, callback->status, callback->data);
    gate_step_in(depth);
    cmd_lock();
    calling = NULL;
    last_returned = callback->ticket;
    if (settlers)
        pthread_cond_broadcast(&called);
    cmd_unlock();
    cmd_release(callback->command);
    free(callback);
}

// Each call is a separate visit to the gate: at the end of the process this thread waits like all
// others.
static void *caller_main(void *unused)
{
    (void)unused;
    cmd_lock();
    thread_watch_self(&caller.watch);
    for (;;) {
        while (!due)
            pthread_cond_wait(&caller.cond, &cmd_mutex);
        cmd_unlock();
        struct gate_visitor *visitor = gate_enter();
        cmd_lock();
        call_first(); // no other thread removes entries
        gate_leave(&visitor);
        cmd_lock();
    }
    return NULL;
}

static bool caller_is_ours(void)
{
    return caller.started && caller.fork_generation == thread_fork_generation();
}

static bool on_caller(void)
{
    return caller_is_ours() && pthread_equal(pthread_self(), caller.thread);
}

// Starts the thread if needed and wakes it. Under the lock.
static void caller_wake(void)
{
    if (caller_is_ours()) {
        pthread_cond_signal(&caller.cond);
        return;
    }
    caller.fork_generation = thread_fork_generation();
    int error = thread_start(&caller.thread, "pumice-call", caller_main, NULL);
    caller.started = !error;
    if (error)
        log_warn("cannot start the callback thread (error %d): callbacks are delayed", error);
}

void cmd_callbacks_forget(void)
{
    static const pthread_cond_t fresh = PTHREAD_COND_INITIALIZER;
    caller.cond = called = fresh;
    caller.started = false;
    calling = due = NULL; // they belong to the parent
    due_last = &due;
    settlers = 0;
}

// ---- what falls due -----------------------------------------------------------------------------

void cmd_callbacks_fire(struct command *command, cl_int status)
{
    for (cl_int at = CL_SUBMITTED; at >= CL_COMPLETE && at >= status; at--)
        for (struct cmd_callback **link = &command->callbacks; *link;) {
            struct cmd_callback *callback = *link;
            if (callback->at != at) {
                link = &callback->next;
                continue;
            }
            *link = callback->next;
            callback->next = NULL;
            callback->status = status < 0 ? status : at;
            callback->ticket = ++last_due;
            *due_last = callback;
            due_last = &callback->next;
            cmd_callbacks_waiting--;
            caller_wake();
        }
}

cl_int cmd_on_status(struct command *command, cl_int status,
                     void (*fn)(struct command *command, cl_int status, void *data), void *data,
                     void (*drop)(void *data))
{
    struct cmd_callback *callback = malloc(sizeof *callback);
    if (!callback)
        return CL_OUT_OF_HOST_MEMORY;
    *callback =
        (struct cmd_callback){.command = cmd_retain(command), .at = status, .fn = fn, .data = data, .drop = drop};
    cmd_lock();
    struct cmd_callback **link = &command->callbacks;
    while (*link)
        link = &(*link)->next;
    *link = callback;
    cmd_callbacks_waiting++;
    cl_int now = atomic_load(&command->status);
    if (now <= status)
        cmd_callbacks_fire(command, now);
    else
        cmd_thread_wake(); // it must watch the device from now on
    cmd_unlock();
    return CL_SUCCESS;
}

struct cmd_callback *cmd_callbacks_take(struct command *command)
{
    struct cmd_callback *list = command->callbacks;
    command->callbacks = NULL;
    for (struct cmd_callback *c = list; c; c = c->next)
        cmd_callbacks_waiting--;
    return list;
}

void cmd_callbacks_drop(struct cmd_callback *list)
{
    while (list) {
        struct cmd_callback *callback = list;
        list = callback->next;
        if (callback->drop)
            callback->drop(callback->data);
        cmd_release(callback->command);
        free(callback);
    }
}

// ---- letting them return ------------------------------------------------------------------------

// The ticket of the last due callback of the queue's commands; 0: none.
static uint64_t last_of(const struct cmd_queue *queue)
{
    uint64_t ticket = calling && calling->command->queue == queue ? calling->ticket : 0;
    for (const struct cmd_callback *c = due; c; c = c->next)
        if (c->command->queue == queue)
            ticket = c->ticket;
    return ticket;
}

// Sleeps until a callback has returned, at most `ns`. Returns the time that the running callback
// has used meanwhile. Releases the lock temporarily.
static uint64_t watch_call(uint64_t ns)
{
    uint64_t at = calling ? calling->ticket : 0, spent = 0;
    uint64_t used = at ? thread_used_ns(&caller.watch) : 0;
    unsigned depth = gate_step_out();
    settlers++;
    bool over = !thread_wait_for(&called, &cmd_mutex, ns);
    settlers--;
    over = over && at && calling && calling->ticket == at;
    struct thread_watch watch = caller.watch;
    pthread_mutex_unlock(&cmd_mutex);
    if (over)
        spent = thread_wants_to_run(&watch) ? thread_used_ns(&watch) - used : ns;
    gate_step_in(depth);
    cmd_lock();
    return spent;
}

// The time that a waiter may spend now.
static uint64_t refill_budget(void)
{
    uint64_t now = thread_now_ns();
    if (budget_at)
        budget = min_u64(BUDGET_NS, budget + (now - budget_at) / BUDGET_SHARE);
    budget_at = now;
    return min_u64(budget, PATIENCE_NS);
}

void cmd_callbacks_settle(const struct cmd_queue *queue)
{
    uint64_t last = due || calling ? last_of(queue) : 0;
    if (!last || !caller_is_ours() || on_caller())
        return;
    uint64_t most = refill_budget(), spent = 0, look = SLICE_FIRST_NS;
    while (last_returned < last && spent <= most && !gate_ended()) {
        spent += watch_call(look);
        look = min_u64(look * 2, SLICE_MAX_NS);
    }
    if (last_returned >= last || gate_ended())
        return;
    budget = max_u64(BUDGET_MIN_NS, budget - min_u64(budget, spent));
    log_write(LOG_QUEUE, "a callback is slow: a wait returns before the callback");
}
