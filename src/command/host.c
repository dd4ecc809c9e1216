// SPDX-License-Identifier: Apache-2.0
// The completion thread: runs native functions, and watches the device for commands that no caller
// waits for.
//
// The process has one such thread. It starts when first needed and sleeps unless something depends
// on it: it watches the device only while there are held commands, pending callbacks, or released
// queues with unfinished work. While batches are being filled it looks at them, and submits those that are not added
// to any more. Native functions run only here, one at a time, with no lock held.
#include <stdlib.h>

#include "command/batch.h"
#include "util/gate.h"
#include "util/log.h"
#include "util/thread.h"

enum { WATCH_NS = 1000000, LOCK_TRIES = 1000, LOCK_STEP_US = 1000, LOOKS = 20 };

static struct {
    pthread_t thread;
    pthread_cond_t cond;
    bool started, awake;
    uint64_t attentive_until, look_ns; // until then it sleeps for look_ns at most; 0: until it is woken
    unsigned fork_generation;
} worker = {.cond = PTHREAD_COND_INITIALIZER};

// ---- the thread ---------------------------------------------------------------------------------

// Sleeps for at most `ns` or until woken; 0: no limit. Under the lock.
static void sleep_until_woken(uint64_t ns)
{
    if (ns)
        thread_wait_for(&worker.cond, &cmd_mutex, ns);
    else
        pthread_cond_wait(&worker.cond, &cmd_mutex);
}

// Flushes what is due. The time until the next look at the open batches; 0: none is needed.
static uint64_t flush_due(void)
{
    uint64_t flush_at = cmd_flush_due(), now = thread_now_ns();
    if (flush_at)
        return flush_at > now ? flush_at - now : 1;
    if (now < worker.attentive_until)
        return worker.look_ns;
    worker.attentive_until = 0;
    return 0;
}

// Sleeps, or waits for the device, until there may be work. Call with the lock held; releases it.
static void wait_for_work(void)
{
    uint64_t ns = flush_due();
    unsigned depth = 0;
    if (!worker.awake && !cmd_watch(ns)) { // awake: new work has arrived meanwhile
        depth = gate_step_out();
        sleep_until_woken(ns);
    }
    pthread_mutex_unlock(&cmd_mutex);
    gate_step_in(depth);
}

// Each step is a separate visit to the gate: at the end of the process this thread waits like all
// others.
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
        busy = cmd_progress(true);
        cmd_unlock(); // frees what the steps above have completed
        gate_leave(&visitor);
    }
    return NULL;
}

void cmd_thread_wake(void)
{
    if (worker.fork_generation != thread_fork_generation()) {
        worker.started = false; // it was the parent's
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
        log_warn("cannot start the completion thread (error %d): commands may be delayed", error);
}

void cmd_thread_attend(uint64_t now, uint64_t ns)
{
    bool attentive = worker.attentive_until && worker.look_ns <= ns;
    worker.attentive_until = now + LOOKS * ns;
    worker.look_ns = ns;
    if (!attentive)
        cmd_thread_wake();
}

void cmd_thread_interrupt(void)
{
    cmd_thread_wake();
    cmd_watch_interrupt();
}

void cmd_request_chore(struct cmd_queue *queue, enum chore chore)
{
    queue->chores |= chore;
    cmd_thread_wake();
}

void cmd_forget_thread(void)
{
    static const pthread_cond_t fresh = PTHREAD_COND_INITIALIZER;
    worker.cond = fresh;
    worker.started = false;
    worker.attentive_until = 0;
    cmd_watch_forget();
    cmd_callbacks_forget();
}

bool cmd_on_thread(void)
{
    return worker.started && worker.fork_generation == thread_fork_generation() &&
           pthread_equal(pthread_self(), worker.thread);
}

// ---- the end of the process ---------------------------------------------------------------------

// Finishes work in progress, in bounded time; no other thread is inside the library.
void cmd_device_exit(struct vk_device *device, void *state)
{
    struct cmd_queue *queue;
    bool computes = device->facts->props.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
    (void)state;
    if (vk_device_check(device) != VK_SUCCESS) {
        cmd_own_free(device); // a lost device is closed before the process ends
        return;
    }
    cmd_lock();
    cmd_flush_all(device);
    while (!gate_work_over(computes)) {
        if (cmd_progress(false))
            continue;
        if (!cmd_in_flight_on(device, &queue))
            break;
        cmd_wait_in_flight(queue, cmd_in_flight_value(queue), WATCH_NS, false);
    }
    pthread_mutex_unlock(&cmd_mutex); // completed commands are not freed: the process is ending
}

// Wakes all waiters, since nothing completes any more. A stuck call may hold the lock.
void cmd_process_ended(void)
{
    for (int i = 0; i < LOCK_TRIES; i++) {
        if (!pthread_mutex_trylock(&cmd_mutex)) {
            cmd_wake_sleepers();
            pthread_mutex_unlock(&cmd_mutex);
            return;
        }
        thread_sleep_us(LOCK_STEP_US);
    }
}
