// SPDX-License-Identifier: Apache-2.0
// What the scheduler's files share: lock.c, queues.c, complete.c, hold.c, start.c, enqueue.c.
#ifndef PUMICE_COMMAND_SCHEDULE_H
#define PUMICE_COMMAND_SCHEDULE_H

#include "command/internal.h"

#define ANY_THREAD UINT64_C(1) // in `untold`: nobody knows yet

extern struct cmd_schedule { // under the process's lock
    struct cmd_queue *queues;     // all
    struct command *to_clear;     // done; to be freed outside of the lock
    struct cmd_queue *to_destroy; // released and idle
    struct command *writers;      // unfinished commands that write host memory
    uint32_t held, orphans;
    uint32_t families; // that run, and nobody waits for
    uint32_t sleepers;       // in cmd_sleep(), since they were last told
    bool kernels_touch_host; // some kernel may have: whoever moves host memory must look out
} cmd_schedule;

// ---- lock.c: the inbox; taken under the queue's own lock ----------------------------------------

void cmd_inbox_put(struct cmd_queue *queue, struct command *command);
struct command *cmd_inbox_take(struct cmd_queue *queue); // the first first

// ---- complete.c ---------------------------------------------------------------------------------

void cmd_writer_add(struct command *command);
void cmd_writer_remove(struct command *command);

// ---- hold.c -------------------------------------------------------------------------------------

struct cmd_deps {
    struct cmd_dep *items; // counted
    uint32_t count, capacity;
    struct cmd_dep few[16];
};

void cmd_deps_init(struct cmd_deps *list);
void cmd_deps_finish(struct cmd_deps *list);
bool cmd_deps_collect(const struct cmd_request *request, const struct command *command, struct cmd_deps *list);
// The queue of one of `deps` that is not submitted yet: what waits for it must be submitted later.
struct cmd_queue *cmd_unsubmitted(const struct cmd_queue *queue, const struct cmd_dep *deps, uint32_t count);

enum ready { READY, HOLD, FAILED };

bool cmd_on_host(const struct command *command);
bool cmd_needs_complete(const struct command *command); // what it follows must be, not only on its way
// `first`: everything that was held before it in an in-order queue has started.
enum ready cmd_ready(const struct command *command, const struct cmd_dep *deps, uint32_t count, bool first);

VkResult cmd_hold_with(struct command *command, const struct cmd_deps *list);
void cmd_unhold(struct cmd_queue *queue, struct command **at); // out of its queue's list
// The first held command that can start; NULL: none, and the thread is told what only it may do.
struct command **cmd_find_startable(struct cmd_queue *queue, bool on_thread, enum ready *ready);

// ---- start.c ------------------------------------------------------------------------------------

// What to do once the queue's own lock is given back.
struct cmd_rest {
    bool run, flush, submitted;
};

// Under both locks.
VkResult cmd_start_or_hold(struct command *command, const struct cmd_deps *list, bool blocking, struct cmd_rest *rest);
// Out of the inbox, under both locks; may give the process's up.
void cmd_start_list(struct cmd_queue *queue, struct command *list);
void cmd_run_on_host(struct command *command); // one that has begun; gives the lock up meanwhile
// Under the queue's own lock. A full batch is worth it, or some commands that an idle device could work on (looking costs
// a call of the driver: not for each of them).
bool cmd_worth_submitting(struct cmd_queue *queue);
bool cmd_submit_if_worth(struct cmd_queue *queue);

#endif
