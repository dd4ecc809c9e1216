// SPDX-License-Identifier: Apache-2.0
// The completion thread: callbacks, native functions, and commands that wait for the device and for
// which no caller waits.
//
// One thread serves the process. It starts when first needed and sleeps unless someone depends on
// it: it watches the device only while there are held commands, callbacks to come, or released
// queues that still work. Callbacks run here alone, one at a time, with no lock held.
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "command/batch.h"
#include "util/gate.h"
#include "util/log.h"
#include "util/thread.h"

enum { WATCH_NS = 1000000, LOCK_TRIES = 1000, LOCK_STEP_US = 1000 };
enum { CALLBACK_NS = 200000000, STRIKES = 3 };

uint32_t cmd_callbacks_waiting; // on unfinished commands
static struct cmd_callback *due, **due_last = &due;
static struct cmd_callback *calling; // the one that the thread is at
static pthread_cond_t called = PTHREAD_COND_INITIALIZER; // one has returned
static uint32_t settlers, strikes;                       // on it; those that gave up

static struct {
    pthread_t thread;
    pthread_cond_t cond;
    bool started, awake;
    unsigned fork_generation;
} worker = {.cond = PTHREAD_COND_INITIALIZER};

// ---- callbacks ----------------------------------------------------------------------------------

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
            *due_last = callback;
            due_last = &callback->next;
            cmd_callbacks_waiting--;
            cmd_thread_wake();
        }
}

cl_int cmd_on_status(struct command *command, cl_int status,
                     void (*fn)(struct command *command, cl_int status, void *data), void *data)
{
    struct cmd_callback *callback = malloc(sizeof *callback);
    if (!callback)
        return CL_OUT_OF_HOST_MEMORY;
    *callback =
        (struct cmd_callback){.command = cmd_retain(command), .at = status, .fn = fn, .data = data};
    cmd_lock();
    struct cmd_callback **link = &command->callbacks;
    while (*link)
        link = &(*link)->next;
    *link = callback;
    cmd_callbacks_waiting++;
    cl_int now = atomic_load(&command->status);
    if (now <= status)
        cmd_callbacks_fire(command, now);
    cmd_thread_wake();
    cmd_unlock();
    return CL_SUCCESS;
}

static bool run_due(void)
{
    struct cmd_callback *callback = due;
    if (!callback)
        return false;
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
    if (settlers)
        pthread_cond_broadcast(&called);
    cmd_unlock();
    cmd_release(callback->command);
    free(callback);
    cmd_lock();
    return true;
}

static bool any_of(const struct cmd_queue *queue)
{
    if (calling && calling->command->queue == queue)
        return true;
    for (const struct cmd_callback *c = due; c; c = c->next)
        if (c->command->queue == queue)
            return true;
    return false;
}

// No specification promises it, but programs read what callbacks write once a wait has returned.
// A callback may wait for a lock that the caller holds: so not for long, and not again and again.
void cmd_callbacks_settle(const struct cmd_queue *queue)
{
    struct timespec until;
    if ((!due && !calling) || strikes >= STRIKES || cmd_on_thread())
        return;
    thread_deadline(CALLBACK_NS, &until);
    settlers++;
    int error = 0;
    while (!error && !gate_ended() && any_of(queue))
        error = pthread_cond_timedwait(&called, &cmd_mutex, &until);
    settlers--;
    if (error)
        strikes++;
    if (error && strikes == STRIKES)
        log_write(LOG_QUEUE, "callbacks take long: who waits for events goes on before them");
}

// ---- the thread ---------------------------------------------------------------------------------

// At most `ns` of the wait for a wake; 0: without end. Under the lock.
static void doze(uint64_t ns)
{
    struct timespec until;
    if (!ns) {
        pthread_cond_wait(&worker.cond, &cmd_mutex);
        return;
    }
    thread_deadline(ns, &until);
    pthread_cond_timedwait(&worker.cond, &cmd_mutex, &until);
}

// Sleeps, or waits for the device, until there may be something to do. Under the lock, which it
// gives back.
static void wait_for_work(void)
{
    uint64_t flush_at = cmd_flush_due(), now = thread_now_ns();
    uint64_t ns = flush_at > now ? flush_at - now : flush_at ? 1 : 0;
    struct cmd_queue *queue = !gate_ended() && cmd_watched() ? cmd_oldest_flying() : NULL;
    unsigned depth = 0;
    if (worker.awake) {
        // something came up meanwhile
    } else if (queue) {
        cmd_wait_flying(queue, cmd_flying_value(queue), ns && ns < WATCH_NS ? ns : WATCH_NS, false);
    } else {
        depth = gate_step_out();
        doze(ns);
    }
    pthread_mutex_unlock(&cmd_mutex);
    gate_step_in(depth);
}

// Each step is a visit of its own: at the end of the process the thread waits like all others.
static void *thread_main(void *unused)
{
    (void)unused;
    for (bool busy = false;;) {
        struct gate_visitor *visitor = gate_enter();
        cmd_lock();
        if (!busy && !worker.awake) {
            wait_for_work();
            cmd_lock();
        }
        worker.awake = false;
        busy = run_due() || cmd_progress(true);
        cmd_unlock(); // frees what the steps above have completed
        gate_leave(&visitor);
    }
    return NULL;
}

void cmd_thread_wake(void)
{
    if (worker.fork_generation != thread_fork_generation()) {
        worker.started = false; // it is the parent's
        worker.fork_generation = thread_fork_generation();
    }
    worker.awake = true;
    if (worker.started)
        pthread_cond_signal(&worker.cond);
    if (worker.started)
        return;
    int error = thread_start(&worker.thread, "pumice", thread_main, NULL);
    worker.started = !error;
    if (error)
        log_warn("the completion thread does not start (error %d): callbacks wait", error);
}

void cmd_forget_thread(void)
{
    static const pthread_cond_t fresh = PTHREAD_COND_INITIALIZER;
    worker.cond = called = fresh;
    worker.started = false;
    calling = NULL;
    settlers = 0;
}

bool cmd_on_thread(void)
{
    return worker.started && worker.fork_generation == thread_fork_generation() &&
           pthread_equal(pthread_self(), worker.thread);
}

// ---- the end of the process ---------------------------------------------------------------------

// Finishes what is under way, in a bounded time; nobody else is inside.
void cmd_device_exit(struct vk_device *device, void *state)
{
    struct cmd_queue *queue;
    bool computes = device->facts->props.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
    (void)state;
    if (vk_device_check(device) != VK_SUCCESS) {
        cmd_own_free(device); // a lost device goes before the process ends
        return;
    }
    cmd_lock();
    cmd_flush_all(device);
    while (!gate_work_over(computes)) {
        if (cmd_progress(false))
            continue;
        if (!cmd_flying_on(device, &queue))
            break;
        cmd_wait_flying(queue, cmd_flying_value(queue), WATCH_NS, false);
    }
    pthread_mutex_unlock(&cmd_mutex); // what is done stays: the process ends
}

// Whoever waits for a command need not any more. A stuck call may hold the lock.
void cmd_process_ended(void)
{
    for (int i = 0; i < LOCK_TRIES; i++) {
        if (!pthread_mutex_trylock(&cmd_mutex)) {
            cmd_tell_sleepers();
            pthread_mutex_unlock(&cmd_mutex);
            return;
        }
        usleep(LOCK_STEP_US);
    }
}
