// SPDX-License-Identifier: Apache-2.0
// The list of all queues of the process: which of them are orphaned, and what the completion thread
// does to each.
#include "command/batch.h"
#include "command/schedule.h"
#include "util/thread.h"

void cmd_queue_link(struct cmd_queue *queue)
{
    queue->next = cmd_schedule.queues;
    if (cmd_schedule.queues)
        cmd_schedule.queues->prev = queue;
    cmd_schedule.queues = queue;
}

static void queue_unlink(struct cmd_queue *queue)
{
    if (queue->prev)
        queue->prev->next = queue->next;
    else
        cmd_schedule.queues = queue->next;
    if (queue->next)
        queue->next->prev = queue->prev;
}

bool cmd_queue_idle(struct cmd_queue *queue)
{
    return !queue->open && !queue->in_flight && !queue->held && !queue->running &&
           !queue->retiring && !queue->inbox_count;
}

void cmd_queue_maybe_destroy(struct cmd_queue *queue)
{
    if (!queue->released || !cmd_queue_idle(queue) || queue->waiters)
        return;
    queue_unlink(queue);
    cmd_schedule.orphans--;
    queue->next = cmd_schedule.to_destroy;
    cmd_schedule.to_destroy = queue;
}

void cmd_queue_orphan(struct cmd_queue *queue)
{
    queue->released = true;
    cmd_schedule.orphans++;
    cmd_queue_maybe_destroy(queue);
    if (cmd_schedule.orphans)
        cmd_thread_wake();
}

bool cmd_needs_watching(void)
{
    return cmd_schedule.held || cmd_schedule.orphans || cmd_schedule.families || cmd_callbacks_waiting;
}

static bool is_left_to_thread(const struct cmd_queue *queue)
{
    return queue->runs_family && !queue->family_waiters;
}

void cmd_family_count_waiters(struct cmd_queue *queue, int family_waiters)
{
    bool before = is_left_to_thread(queue);
    queue->family_waiters += (uint32_t)family_waiters;
    cmd_schedule.families += (uint32_t)is_left_to_thread(queue) - (uint32_t)before;
}

void cmd_family_set_running(struct cmd_queue *queue, bool runs_family)
{
    bool before = is_left_to_thread(queue);
    queue->runs_family = runs_family;
    cmd_schedule.families += (uint32_t)is_left_to_thread(queue) - (uint32_t)before;
}

bool cmd_queue_needs_thread(const struct cmd_queue *queue)
{
    return queue->in_flight && !queue->retiring && !queue->family_waiters;
}

struct cmd_queue *cmd_oldest_in_flight(void)
{
    struct cmd_queue *best = NULL;
    for (struct cmd_queue *queue = cmd_schedule.queues; queue; queue = queue->next)
        if (cmd_queue_needs_thread(queue) && (!best || !best->runs_family || queue->runs_family))
            best = queue; // a family needs more host work when a step ends
    return best;
}

uint64_t cmd_in_flight_value(const struct cmd_queue *queue)
{
    return queue->in_flight->value;
}

bool cmd_in_flight_on(const struct vk_device *device, struct cmd_queue **out)
{
    for (struct cmd_queue *queue = cmd_schedule.queues; queue; queue = queue->next)
        if (queue->device == device && queue->in_flight && !queue->retiring) {
            *out = queue;
            return true;
        }
    return false;
}

bool cmd_others_free(const struct vk_device *device)
{
    for (struct cmd_queue *queue = cmd_schedule.queues; queue; queue = queue->next)
        if (queue->device == device && queue->retiring)
            return true;
    return cmd_others_clear();
}

void cmd_flush_all(const struct vk_device *device)
{
    for (struct cmd_queue *queue = cmd_schedule.queues, *next; queue; queue = next) {
        queue->waiters++;
        if (queue->device == device)
            batch_flush(queue);
        queue->waiters--;
        next = queue->next;
        cmd_queue_maybe_destroy(queue);
    }
}

void cmd_flush_own(void)
{
    uint64_t own = thread_bit();
    for (struct cmd_queue *queue = cmd_schedule.queues, *next; queue; queue = next) {
        next = queue->next;
        if (atomic_load_explicit(&queue->open_threads, memory_order_relaxed) != own)
            continue;
        queue->waiters++;
        atomic_store_explicit(&queue->open_threads, 0, memory_order_relaxed);
        batch_flush(queue);
        queue->waiters--;
        next = queue->next;
        cmd_queue_maybe_destroy(queue);
    }
}

uint64_t cmd_flush_due(void)
{
    uint64_t first = 0, now = thread_now_ns();
    for (struct cmd_queue *queue = cmd_schedule.queues, *next; queue; queue = next) {
        queue->waiters++;
        if (queue->flush_at && queue->flush_at <= now)
            cmd_flush_if_due(queue, now);
        if (queue->flush_at && (!first || queue->flush_at < first))
            first = queue->flush_at;
        queue->waiters--;
        next = queue->next;
        cmd_queue_maybe_destroy(queue);
    }
    return first;
}
