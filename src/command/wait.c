// SPDX-License-Identifier: Apache-2.0
// Waiting for commands.
//
// A waiting caller does the work itself: it submits what it waits for, starts what is held, looks
// at the device and completes what is done there. It sleeps only while another thread does that, or
// has to act first.
#define _GNU_SOURCE
#include <sched.h>
#include <unistd.h>

#include "command/batch.h"
#include "util/gate.h"
#include "util/log.h"
#include "util/thread.h"

enum { SPIN_NS = 50000, LOOK_AGAIN = 64, LOOK_AGAIN_US = 100 };

static bool spin_for_word(struct cmd_queue *queue, uint64_t value)
{
    bool cpu = queue->device->facts->props.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
    uint64_t end = thread_now_ns() + SPIN_NS;
    const uint32_t *word = queue->word.host;
    for (unsigned i = 1;; i++) {
        if ((int32_t)(__atomic_load_n(word, __ATOMIC_ACQUIRE) - (uint32_t)value) >= 0)
            return true;
        if (cpu)
            sched_yield(); // the device needs this core
        else
            thread_relax();
        if (i % LOOK_AGAIN == 0 && thread_now_ns() > end)
            return false;
    }
}

void cmd_wait_flying(struct cmd_queue *queue, uint64_t value, uint64_t ns, bool spin)
{
    bool look = queue->use_word && spin;
    queue->waiters++;
    pthread_mutex_unlock(&cmd_mutex);
    bool seen = look && spin_for_word(queue, value);
    VkResult result = VK_SUCCESS;
    if (!seen)
        result = vk_timeline_wait(queue->device, queue->timeline, value, ns);
    pthread_mutex_lock(&cmd_mutex);
    if (look && !seen && result == VK_SUCCESS && !gate_ended() &&
        (int32_t)(__atomic_load_n((uint32_t *)queue->word.host, __ATOMIC_ACQUIRE) -
                  (uint32_t)value) < 0) {
        log_write(LOG_QUEUE, "the completion word lags behind the semaphore: not used any more");
        queue->use_word = false;
    }
    queue->waiters--;
}

// The first thing that a held command still waits for; NULL: nothing but its queue's order.
static struct command *open_dep(const struct command *command)
{
    for (uint32_t i = 0; i < command->dep_count; i++)
        if (command->deps[i].command->state != CMD_DONE)
            return command->deps[i].command;
    return NULL;
}

// Somebody else must act first: the thread looks after the device meanwhile.
static void wait_changed(struct command *command)
{
    cmd_leave(command);
    if (cmd_on_thread()) { // nobody else would look: look again soon
        pthread_mutex_unlock(&cmd_mutex);
        unsigned depth = gate_step_out();
        usleep(LOOK_AGAIN_US);
        gate_step_in(depth);
        pthread_mutex_lock(&cmd_mutex);
        return;
    }
    cmd_thread_wake();
    cmd_sleep();
}

static void wait_recorded(struct command *command)
{
    struct cmd_queue *queue = command->queue;
    if (queue->open && queue->open->value == command->value) {
        queue->threshold = 4;
        batch_flush(queue);
    } else if (queue->retiring) {
        cmd_sleep();
    } else if (!batch_retire(queue)) {
        cmd_wait_flying(queue, command->value, CMD_SLICE_NS, true);
        batch_retire(queue);
    }
}

static void wait_held(struct command *command)
{
    struct cmd_queue *queue = command->queue;
    if (cmd_progress(cmd_on_thread()))
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
    } else if (front && !dep && queue->flying && !queue->retiring)
        cmd_wait_flying(queue, queue->flying->value, CMD_SLICE_NS, true);
    else
        wait_changed(command);
}

void cmd_wait_for(struct command *command)
{
    while (command->state != CMD_DONE && !gate_ended()) {
        struct cmd_queue *queue = command->queue;
        if (queue)
            queue->waiters++;
        if (command->state == CMD_RECORDED)
            wait_recorded(command);
        else
            wait_held(command);
        if (queue) {
            queue->waiters--;
            cmd_queue_maybe_destroy(queue);
        }
    }
}

cl_int cmd_wait(struct command *const *commands, uint32_t count)
{
    cl_int result = CL_SUCCESS;
    cmd_lock();
    for (uint32_t i = 0; i < count; i++) // everything on its way before the first wait
        if (commands[i]->state == CMD_RECORDED)
            batch_flush(commands[i]->queue);
    for (uint32_t i = 0; i < count; i++) {
        cmd_wait_for(commands[i]);
        if (atomic_load(&commands[i]->status) < 0)
            result = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
    }
    cmd_unlock();
    return result;
}

cl_int cmd_status(struct command *command)
{
    cl_int status = atomic_load(&command->status);
    if (status <= CL_COMPLETE || !command->ops)
        return status;
    cmd_lock();
    if (command->state == CMD_RECORDED) {
        struct cmd_queue *queue = command->queue;
        queue->waiters++;
        if (queue->open && queue->open->value == command->value)
            batch_flush(queue); // who asks again and again must see it end
        else
            batch_retire(queue);
        queue->waiters--;
        cmd_queue_maybe_destroy(queue);
    }
    status = atomic_load(&command->status);
    cmd_unlock();
    return status;
}
