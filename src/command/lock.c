// SPDX-License-Identifier: Apache-2.0
// The locks: the process-wide one, with work deferred until it is released, and each queue's own,
// with its inbox. internal.h describes what they guard and the lock order.
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "command/batch.h"
#include "command/schedule.h"
#include "util/gate.h"
#include "util/thread.h"

struct cmd_schedule cmd_schedule;
pthread_mutex_t cmd_mutex = THREAD_SHORT_LOCK;
static const pthread_mutex_t queue_lock = THREAD_SHORT_LOCK;
static atomic_uint clearing; // how often threads are freeing what completed commands held
static _Thread_local unsigned clearing_here;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER; // some command has changed its state

// ---- the process's lock -------------------------------------------------------------------------

void cmd_clear(struct command *command)
{
    if (command->span)
        cmd_trace(command);
    if (command->ops && command->ops->clear)
        command->ops->clear(command);
    for (int i = 0; i < COMMAND_BUFFERS; i++)
        vk_buffer_destroy(&command->buffers[i]);
    for (uint32_t i = 0; i < command->dep_count; i++)
        cmd_release(command->deps[i].command);
    free(command->deps);
    command->deps = NULL;
    command->dep_count = 0;
    for (uint32_t i = 0; i < command->hold_count; i++)
        command->holds[i].release(command->holds[i].object);
    command->hold_count = 0;
}

void cmd_lock(void)
{
    thread_lock(&cmd_mutex);
}

static void count_clearing(int change)
{
    atomic_fetch_add(&clearing, (unsigned)change);
    clearing_here += (unsigned)change;
}

void cmd_unlock(void)
{
    struct command *list = cmd_schedule.to_clear;
    struct cmd_queue *queues = cmd_schedule.to_destroy;
    cmd_schedule.to_clear = NULL;
    cmd_schedule.to_destroy = NULL;
    bool some = list || queues;
    if (some)
        count_clearing(1);
    pthread_mutex_unlock(&cmd_mutex);
    while (list) {
        struct command *next = list->next;
        cmd_clear(list);
        cmd_release(list);
        list = next;
    }
    while (queues) {
        struct cmd_queue *next = queues->next;
        cmd_queue_destroy(queues);
        queues = next;
    }
    if (some)
        count_clearing(-1);
}

bool cmd_others_clear(void)
{
    return atomic_load(&clearing) > clearing_here;
}

void cmd_wake_sleepers(void)
{
    if (cmd_schedule.sleepers)
        pthread_cond_broadcast(&changed);
    cmd_schedule.sleepers = 0;
}

// A sleeping thread does not delay the end of the process.
void cmd_sleep(bool cancellable)
{
    cmd_schedule.sleepers++;
    gate_wait(&changed, &cmd_mutex, cancellable);
}

// ---- a queue's own lock -------------------------------------------------------------------------

void cmd_inbox_put(struct cmd_queue *queue, struct command *command)
{
    struct command *last = queue->inbox;
    queue->inbox_count++;
    do
        command->next = last;
    while (!atomic_compare_exchange_weak(&queue->inbox, &last, command));
}

struct command *cmd_inbox_take(struct cmd_queue *queue)
{
    struct command *list = queue->inbox ? atomic_exchange(&queue->inbox, NULL) : NULL;
    struct command *turned = NULL;
    while (list) {
        struct command *next = list->next;
        list->next = turned;
        turned = list;
        list = next;
    }
    return turned;
}

void cmd_queue_init_lock(struct cmd_queue *queue)
{
    queue->lock = queue_lock;
}

bool cmd_queue_take(struct cmd_queue *queue)
{
    queue->waiters++;
    bool at_once = !pthread_mutex_trylock(&queue->lock);
    if (!at_once) {
        pthread_mutex_unlock(&cmd_mutex);
        thread_lock(&queue->lock);
        cmd_lock();
    }
    struct command *list = cmd_inbox_take(queue);
    cmd_start_list(queue, list);
    return at_once && !list;
}

void cmd_queue_give(struct cmd_queue *queue)
{
    pthread_mutex_unlock(&queue->lock);
    if (queue->inbox_count && !queue->flush_at) // perhaps there is no next owner
        cmd_flush_when_quiet(queue);
    queue->waiters--;
    cmd_queue_maybe_destroy(queue);
}

// ---- forks --------------------------------------------------------------------------------------

static void lock_for_fork(void)
{
    batch_fork(CMD_FORK_BEFORE);
    pthread_mutex_lock(&cmd_mutex);
    cmd_ahead_fork(CMD_FORK_BEFORE);
}

static void unlock_in_parent(void)
{
    cmd_ahead_fork(CMD_FORK_PARENT);
    pthread_mutex_unlock(&cmd_mutex);
    batch_fork(CMD_FORK_PARENT);
}

// Threads that held a queue's lock or slept do not exist in the child, nor does their work in
// progress.
static void unlock_in_child(void)
{
    static const pthread_cond_t fresh = PTHREAD_COND_INITIALIZER;
    for (struct cmd_queue *queue = cmd_schedule.queues; queue; queue = queue->next) {
        cmd_queue_init_lock(queue);
        queue->retiring = false;
    }
    changed = fresh;
    memset(&cmd_schedule, 0, sizeof cmd_schedule);
    atomic_store(&clearing, clearing_here);
    atomic_store(&cmd_shared_writers, 0);
    atomic_store(&cmd_printf_buffers, 0);
    cmd_callbacks_waiting = 0;
    cmd_forget_thread();
    cmd_ahead_fork(CMD_FORK_CHILD);
    pthread_mutex_unlock(&cmd_mutex);
    batch_fork(CMD_FORK_CHILD);
}

static void watch_forks(void)
{
    pthread_atfork(lock_for_fork, unlock_in_parent, unlock_in_child);
}

void cmd_fork_watch(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, watch_forks);
}
