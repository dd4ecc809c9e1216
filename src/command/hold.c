// SPDX-License-Identifier: Apache-2.0
// Dependencies: what a command must follow, whether it can start yet, and the list of held
// commands.
//
// A device command can be recorded when each dependency is complete, or recorded on the same
// device. A host command, or one that reads host memory that another command will write, needs its
// dependencies complete. In-order queues hold everything behind a held command.
#include <stdlib.h>
#include <string.h>

#include "command/batch.h"
#include "command/schedule.h"

// ---- dependencies -------------------------------------------------------------------------------

void cmd_deps_init(struct cmd_deps *list)
{
    list->items = list->inline_items;
    list->count = 0;
    list->capacity = sizeof list->inline_items / sizeof list->inline_items[0];
}

void cmd_deps_finish(struct cmd_deps *list)
{
    for (uint32_t i = 0; i < list->count; i++)
        cmd_release(list->items[i].command);
    if (list->items != list->inline_items)
        free(list->items);
}

static bool dep_add(struct cmd_deps *list, struct command *command, bool complete,
                    bool ignore_failure)
{
    if (list->count == list->capacity) {
        uint32_t capacity = list->capacity * 2;
        struct cmd_dep *grown = malloc(capacity * sizeof *grown);
        if (!grown)
            return false;
        memcpy(grown, list->items, list->count * sizeof *grown);
        if (list->items != list->inline_items)
            free(list->items);
        list->items = grown;
        list->capacity = capacity;
    }
    list->items[list->count++] = (struct cmd_dep){cmd_retain(command), complete, ignore_failure};
    return true;
}

// Collects everything that the command must follow: its wait list, unfinished writers of the host
// memory that it reads, and, for a marker in an out-of-order queue, the commands held there.
bool cmd_deps_collect(const struct cmd_request *request, const struct command *command,
                      struct cmd_deps *list)
{
    struct cmd_queue *queue = command->queue;
    for (uint32_t i = 0; i < request->wait_count; i++)
        if (!dep_add(list, request->waits[i], false, false))
            return false;
    if (command->predecessor &&
        !dep_add(list, command->predecessor, command->replay_exclusive, true))
        return false;
    for (struct command *w = command->host_end ? cmd_schedule.writers : NULL; w; w = w->writer_next)
        if (w->host_begin < command->host_end && command->host_begin < w->host_end &&
            (!command->host_writes || w->queue != queue))
            if (!dep_add(list, w, true, true))
                return false;
    if (queue->in_order)
        return true;
    if (queue->last_barrier && queue->last_barrier->state != CMD_DONE &&
        !dep_add(list, queue->last_barrier, false, true))
        return false;
    if (!command->waits_for_all)
        return true;
    for (struct command *c = queue->held; c; c = c->next)
        if (!dep_add(list, c, false, true))
            return false;
    for (struct command *c = queue->running; c; c = c->next)
        if (!dep_add(list, c, false, true))
            return false;
    return true;
}

struct cmd_queue *cmd_unsubmitted(const struct cmd_queue *queue, const struct cmd_dep *deps,
                                  uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (deps[i].command->queue != queue && batch_is_open(deps[i].command))
            return deps[i].command->queue;
    return NULL;
}

// ---- readiness ----------------------------------------------------------------------------------

bool cmd_on_host(const struct command *command)
{
    enum cmd_place place = command->ops->place;
    return place == CMD_HOST || place == CMD_THREAD || place == CMD_ASYNC;
}

// If host copies and kernels may access the same memory, a dependency must be complete; submitted
// is not enough.
static bool may_be_touched(const struct command *command)
{
    return cmd_schedule.kernels_touch_host || command->shared_host;
}

static bool depends_on_host(const struct command *command)
{
    if (atomic_load(&cmd_shared_writers))
        return true;
    if (command->any_host)
        return cmd_schedule.writers != NULL;
    return may_be_touched(command) && command->host_end && !command->host_writes;
}

bool cmd_needs_complete(const struct command *command)
{
    return cmd_on_host(command) || depends_on_host(command);
}

static enum ready dep_ready(const struct command *command, const struct cmd_dep *dep)
{
    const struct command *on = dep->command;
    if (on->state == CMD_DONE)
        return atomic_load(&on->status) < 0 && !dep->ignore_failure ? FAILED : READY;
    if (on->abandoned && command->queue->app_released)
        return dep->ignore_failure ? READY : FAILED;
    if (on->state != CMD_RECORDED || dep->complete || cmd_needs_complete(command))
        return HOLD;
    return on->queue->device == command->queue->device ? READY : HOLD;
}

// The first dependency that holds the command. NULL: none, and *failed tells whether one has
// failed; if one has failed, the command fails when all are done.
static struct command *find_holding(struct command *command, const struct cmd_dep *deps,
                                    uint32_t count, bool *failed)
{
    *failed = command->dep_failed;
    for (uint32_t i = command->deps_done; i < count; i++) {
        enum ready ready = dep_ready(command, &deps[i]);
        if (ready == HOLD)
            return deps[i].command;
        *failed |= ready == FAILED;
        if (i == command->deps_done && deps[i].command->state == CMD_DONE) {
            command->deps_done++;
            command->dep_failed = *failed;
        }
    }
    return NULL;
}

enum ready cmd_ready(struct command *command, const struct cmd_dep *deps, uint32_t count, bool first)
{
    struct cmd_queue *queue = command->queue;
    bool failed;
    if (find_holding(command, deps, count, &failed))
        return HOLD;
    if (queue->in_order) {
        if (!first || queue->running)
            return HOLD;
        if (cmd_needs_complete(command) && (queue->open || queue->in_flight || queue->retiring))
            return HOLD;
    }
    return failed ? FAILED : READY;
}

// True if the host memory that `command` reads may be read immediately: no earlier command can
// still change it.
bool cmd_may_read_host(const struct cmd_request *request, const struct command *command)
{
    struct cmd_queue *queue = request->queue;
    cmd_lock();
    bool may = !queue->held && !queue->running, touched = may_be_touched(command);
    if (touched && queue->in_order)
        may = cmd_queue_idle(queue);
    for (uint32_t i = 0; i < request->wait_count; i++)
        may &= request->waits[i]->state == CMD_DONE ||
               (request->waits[i]->state == CMD_RECORDED && !touched);
    for (struct command *w = cmd_schedule.writers; w && may; w = w->writer_next)
        may = w->host_end <= command->host_begin || command->host_end <= w->host_begin;
    cmd_unlock();
    return may;
}

// ---- what held commands wait for ----------------------------------------------------------------

// A held command of an out-of-order queue waits in one list: in that of the first dependency that
// holds it, or in its queue's, if it must be checked. So a change of one command costs no check of
// all held ones. All lists are under cmd_lock.

static void wait_in(struct cmd_waiting *list, struct command *command)
{
    if (!list->first)
        list->last = &list->first;
    command->waits_in = list;
    command->waiting_link = list->last;
    command->waiting_next = NULL;
    *list->last = command;
    list->last = &command->waiting_next;
}

void cmd_unwait(struct command *command)
{
    struct cmd_waiting *list = command->waits_in;
    if (!list)
        return;
    *command->waiting_link = command->waiting_next;
    if (command->waiting_next)
        command->waiting_next->waiting_link = command->waiting_link;
    else
        list->last = command->waiting_link;
    command->waits_in = NULL;
}

static void check_later(struct command *command)
{
    cmd_unwait(command);
    wait_in(&command->queue->to_check, command);
}

void cmd_check_dependents(struct command *command)
{
    while (command->dependents.first)
        check_later(command->dependents.first);
}

void cmd_check_held(struct cmd_queue *queue)
{
    if (queue->in_order)
        return; // its first one is always checked
    for (struct command *c = queue->held; c; c = c->next)
        check_later(c);
}

// ---- held commands ------------------------------------------------------------------------------

// Needs the queue's own lock.
static void hold(struct command *command)
{
    struct cmd_queue *queue = command->queue;
    cmd_set_state(command, CMD_HELD);
    cmd_schedule.held += !command->caller_driven;
    if (!queue->held)
        queue->held_last = &queue->held;
    command->link = queue->held_last;
    *queue->held_last = command;
    queue->held_last = &command->next;
    command->next = NULL;
    if (!queue->in_order)
        check_later(command);
    if (!command->caller_driven)
        cmd_thread_wake();
}

VkResult cmd_hold_with(struct command *command, const struct cmd_deps *list)
{
    command->deps = list->count ? malloc(list->count * sizeof *command->deps) : NULL;
    if (list->count && !command->deps)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    for (uint32_t i = 0; i < list->count; i++) {
        command->deps[i] = list->items[i];
        cmd_retain(list->items[i].command);
    }
    command->dep_count = list->count;
    hold(command);
    return VK_SUCCESS;
}

void cmd_leave(struct command *command)
{
    if (command->caller_driven && command->state == CMD_HELD)
        cmd_schedule.held++;
    command->caller_driven = false;
}

void cmd_unhold(struct command *command)
{
    cmd_unwait(command);
    *command->link = command->next;
    if (command->next)
        command->next->link = command->link;
    else
        command->queue->held_last = command->link;
    command->next = NULL;
    cmd_set_state(command, CMD_NEW);
    cmd_schedule.held -= !command->caller_driven;
}

void cmd_abort_held(struct command *command)
{
    struct cmd_queue *queue = command->queue;
    cmd_queue_take(queue);
    if (command->state == CMD_HELD) {
        cmd_unhold(command);
        cmd_complete(command, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    }
    cmd_queue_give(queue);
}

static bool may_start(const struct command *command, bool on_thread, enum ready ready)
{
    if (ready == HOLD)
        return false;
    if (on_thread || ready == FAILED || command->ops->place != CMD_THREAD)
        return true;
    cmd_thread_interrupt();
    return false;
}

struct command *cmd_find_startable(struct cmd_queue *queue, bool on_thread, enum ready *ready)
{
    struct command *first = queue->held;
    if (queue->in_order) {
        *ready = first ? cmd_ready(first, first->deps, first->dep_count, true) : HOLD;
        return first && may_start(first, on_thread, *ready) ? first : NULL;
    }
    for (struct command *c = queue->to_check.first, *next; c; c = next) {
        bool failed;
        struct command *holding = find_holding(c, c->deps, c->dep_count, &failed);
        *ready = holding ? HOLD : failed ? FAILED : READY;
        next = c->waiting_next;
        if (may_start(c, on_thread, *ready))
            return c;
        if (holding) {
            cmd_unwait(c);
            wait_in(&holding->dependents, c);
        }
    }
    return NULL;
}
