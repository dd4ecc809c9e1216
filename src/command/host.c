// SPDX-License-Identifier: Apache-2.0
// The completion thread: callbacks, native functions, and commands that wait for the device and for
// which no caller waits.
//
// One thread serves the process. It starts when first needed and sleeps unless someone depends on
// it: it watches the device only while there are held commands, callbacks to come, or released
// queues that still work. Callbacks run here alone, one at a time, with no lock held.
#define _GNU_SOURCE
#include <stdlib.h>
#include <time.h>

#include "command/batch.h"
#include "util/log.h"
#include "util/thread.h"

enum { WATCH_NS = 1000000 };
#define EXIT_WAIT_NS UINT64_C(5000000000)

uint32_t cmd_callbacks_waiting; // on unfinished commands
static struct cmd_callback *due, **due_last = &due;

static struct {
    pthread_t thread;
    pthread_cond_t cond;
    bool started, awake, stop;
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
    cmd_unlock();
    callback->fn(callback->command, callback->status, callback->data);
    cmd_release(callback->command);
    free(callback);
    cmd_lock();
    return true;
}

// ---- the thread ---------------------------------------------------------------------------------

static void *thread_main(void *unused)
{
    (void)unused;
    cmd_lock();
    while (!worker.stop) {
        worker.awake = false;
        if (run_due() || cmd_progress(true))
            continue;
        cmd_unlock(); // frees what the steps above have completed
        cmd_lock();
        if (worker.awake || worker.stop)
            continue;
        struct cmd_queue *queue = cmd_watched() ? cmd_oldest_flying() : NULL;
        if (queue)
            cmd_wait_flying(queue, cmd_flying_value(queue), WATCH_NS, false);
        else
            pthread_cond_wait(&worker.cond, &cmd_mutex);
    }
    cmd_unlock();
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
    if (worker.started || worker.stop) // the process ends
        return;
    int error = thread_start(&worker.thread, "pumice", thread_main, NULL);
    worker.started = !error;
    if (error)
        log_warn("the completion thread does not start (error %d): callbacks wait", error);
}

void cmd_forget_thread(void)
{
    static const pthread_cond_t fresh = PTHREAD_COND_INITIALIZER;
    worker.cond = fresh;
    worker.started = worker.stop = false;
}

bool cmd_on_thread(void)
{
    return worker.started && worker.fork_generation == thread_fork_generation() &&
           pthread_equal(pthread_self(), worker.thread);
}

// ---- the end of the process ---------------------------------------------------------------------

static void stop_thread(void)
{
    cmd_lock();
    bool started = worker.started && worker.fork_generation == thread_fork_generation();
    worker.stop = true;
    worker.started = false;
    pthread_cond_signal(&worker.cond);
    cmd_unlock();
    if (!started || pthread_equal(pthread_self(), worker.thread))
        return;
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 1; // a callback may be stuck in the application
    pthread_timedjoin_np(worker.thread, NULL, &until);
}

// Waits for what the device works on, a bounded time: taking memory away under it would be worse.
void cmd_device_exit(struct vk_device *device, void *state)
{
    struct cmd_queue *queue;
    uint64_t end = thread_now_ns() + EXIT_WAIT_NS;
    (void)state;
    if (vk_device_check(device) != VK_SUCCESS) {
        cmd_own_free(device); // a lost device goes before the process ends
        return;
    }
    stop_thread();
    cmd_lock();
    cmd_mark_exit(device);
    while (cmd_flying_on(device, &queue) && thread_now_ns() < end) {
        cmd_wait_flying(queue, cmd_flying_value(queue), WATCH_NS, false);
        if (!batch_retire(queue) && vk_device_check(device) != VK_SUCCESS)
            break;
    }
    pthread_mutex_unlock(&cmd_mutex); // what is done stays: the process ends
}
