// SPDX-License-Identifier: Apache-2.0
// Completion of commands: their status, waking waiters, errors that later calls return; and the
// list of unfinished commands that write host memory.
#include <assert.h>

#include "command/schedule.h"
#include "util/thread.h"

atomic_uint cmd_shared_writers;

void cmd_writer_add(struct command *command)
{
    if (command->shared_host)
        atomic_fetch_add(&cmd_shared_writers, 1);
    command->writer_next = cmd_schedule.writers;
    if (cmd_schedule.writers)
        cmd_schedule.writers->writer_prev = command;
    cmd_schedule.writers = command;
}

void cmd_writer_remove(struct command *command)
{
    if (command->writer_prev)
        command->writer_prev->writer_next = command->writer_next;
    else
        cmd_schedule.writers = command->writer_next;
    if (command->writer_next)
        command->writer_next->writer_prev = command->writer_prev;
    command->writer_next = command->writer_prev = NULL;
    if (command->shared_host)
        atomic_fetch_sub(&cmd_shared_writers, 1);
}

void cmd_complete(struct command *command, cl_int status)
{
    assert(command->state != CMD_DONE);
    if (command->state == CMD_HELD) {
        cmd_unwait(command);
        cmd_schedule.held -= !command->caller_driven;
    }
    if (command->host_writes)
        cmd_writer_remove(command);
    if (command->timed && !command->times[TIME_END]) {
        uint64_t now = thread_now_ns();
        if (!command->times[TIME_START])
            command->times[TIME_START] = now;
        command->times[TIME_END] = now;
    }
    cmd_set_state(command, CMD_DONE);
    cmd_check_dependents(command);
    if (status < 0 && command->ops && command->ops->failed && atomic_load(&command->status) > CL_SUBMITTED)
        command->ops->failed(command);
    atomic_store(&command->status, status);
    if (command->callbacks)
        cmd_callbacks_fire(command, status);
    if (command->ops) { // a user event owns nothing
        command->next = cmd_schedule.to_clear;
        cmd_schedule.to_clear = command;
    }
    cmd_wake_sleepers();
    // A held command of any queue may be able to start now. The setter of a user event starts it.
    if (cmd_schedule.held && command->ops)
        cmd_thread_interrupt();
    else if (cmd_schedule.held)
        cmd_thread_wake();
}

void cmd_complete_list(struct command *list, cl_int status)
{
    while (list) {
        struct command *next = list->next;
        cmd_complete(list, status);
        list = next;
    }
}

void cmd_queue_fail(struct cmd_queue *queue, struct command *list, cl_int error)
{
    queue->error = error;
    queue->unreported |= ANY_THREAD;
    for (struct command *c = list; c; c = c->next)
        queue->unreported |= c->thread;
    cmd_complete_list(list, error);
}

cl_int cmd_queue_take_error(struct cmd_queue *queue)
{
    uint64_t asking = ANY_THREAD | thread_bit();
    bool tell = queue->unreported & asking;
    queue->unreported &= ~asking;
    return tell ? queue->error : CL_SUCCESS;
}
