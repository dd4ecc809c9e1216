// SPDX-License-Identifier: Apache-2.0
// What the scheduler's files share: lock.c, queues.c, complete.c, hold.c, start.c, enqueue.c.
#ifndef PUMICE_COMMAND_SCHEDULE_H
#define PUMICE_COMMAND_SCHEDULE_H

#include "command/internal.h"

#define ANY_THREAD UINT64_C(1) // in `unreported`: to be reported to the first thread that asks

extern struct cmd_schedule { // under the process's lock
    struct cmd_queue *queues;     // all queues
    struct command *to_clear;     // done; to be freed outside of the lock
    struct cmd_queue *to_destroy; // released and idle
    struct command *writers;      // unfinished commands that write host memory
    uint32_t held, orphans;
    uint32_t families; // running families that no caller waits for
    uint32_t sleepers;       // threads in cmd_sleep() since the last wake-up
    bool kernels_touch_host; // some kernel may access host memory: host copies must check
                             // dependencies
} cmd_schedule;

// ---- lock.c: the inbox; taking needs the queue's own lock ---------------------------------------

void cmd_inbox_put(struct cmd_queue *queue, struct command *command);
struct command *cmd_inbox_take(struct cmd_queue *queue); // oldest first

// ---- complete.c ---------------------------------------------------------------------------------

void cmd_writer_add(struct command *command);
void cmd_writer_remove(struct command *command);

// ---- hold.c -------------------------------------------------------------------------------------

struct cmd_deps {
    struct cmd_dep *items; // counted
    uint32_t count, capacity;
    struct cmd_dep inline_items[16];
};

void cmd_deps_init(struct cmd_deps *list);
void cmd_deps_finish(struct cmd_deps *list);
bool cmd_deps_collect(const struct cmd_request *request, const struct command *command, struct cmd_deps *list);
// A queue that still has to submit one of `deps`; a command that waits for it must be submitted
// later.
struct cmd_queue *cmd_unsubmitted(const struct cmd_queue *queue, const struct cmd_dep *deps, uint32_t count);

enum ready { READY, HOLD, FAILED };

bool cmd_on_host(const struct command *command);
bool cmd_needs_complete(const struct command *command); // its dependencies must be complete;
                                                        // submitted is not enough
// `first`: all held commands before it in an in-order queue have started. Each call with the same
// dependencies.
enum ready cmd_ready(struct command *command, const struct cmd_dep *deps, uint32_t count, bool first);

VkResult cmd_hold_with(struct command *command, const struct cmd_deps *list);
void cmd_unhold(struct command *command); // removes it from its queue's list
// A held command that can start, of an in-order queue the first. NULL: none; wakes the completion
// thread if only that may start one.
struct command *cmd_find_startable(struct cmd_queue *queue, bool on_thread, enum ready *ready);

// ---- start.c ------------------------------------------------------------------------------------

// Work left for when the queue's own lock has been released.
struct cmd_followup {
    bool run, flush, submitted;
};

// Under both locks.
VkResult cmd_start_or_hold(struct command *command, const struct cmd_deps *list, bool blocking,
                           struct cmd_followup *rest);
// Records commands from the inbox. Needs both locks; may release cmd_lock temporarily.
void cmd_start_list(struct cmd_queue *queue, struct command *list);
void cmd_run_on_host(struct command *command); // for a started command; releases the lock meanwhile
// Whether the open batch is full, or has enough commands for an idle device. Asking the device is a
// driver call, so this is done only every few commands. Needs the queue's own lock.
bool cmd_worth_submitting(struct cmd_queue *queue);
bool cmd_submit_if_worth(struct cmd_queue *queue);

#endif
