// SPDX-License-Identifier: Apache-2.0
// Batches: recording into one, submitting it, seeing it complete. All under the lock, which all but
// batch_backlog() may give up for a while.
#ifndef PUMICE_COMMAND_BATCH_H
#define PUMICE_COMMAND_BATCH_H

#include "command/internal.h"

// Puts a ready command into the queue's open batch, with the waits and the barrier it needs. Under the
// queue's own lock too. What `deps` (counted) name in other queues has been submitted.
VkResult batch_record(struct command *command, const struct cmd_dep *deps, uint32_t dep_count);

// The same for a command that waits for nothing and nobody knows yet, where a batch is open and has
// room: needs the queue's own lock alone. `recent`: behind one that came after the last barrier, in a queue that is
// out of order.
VkResult batch_append(struct command *command, bool recent);

// Submits the open batch, if any; when that fails its commands complete with an error. Under the
// queue's own lock too, or taking it.
VkResult batch_submit(struct cmd_queue *queue);
void batch_flush(struct cmd_queue *queue);

// Lets a batch begin for commands to come, which then have a microsecond less to wait: for who waits
// for the device anyway. Gives the lock up meanwhile.
void batch_prepare(struct cmd_queue *queue);

// True where the command lies in a batch that is not submitted yet.
bool batch_is_open(const struct command *command);

// Completes the commands of all batches that the device has finished; true when there were some.
bool batch_retire(struct cmd_queue *queue);

// Whether the queue's timeline has reached the value. VK_ERROR_DEVICE_LOST. No lock needed.
VkResult batch_reached(struct cmd_queue *queue, uint64_t value, bool *reached);

// How many of this queue's batches the device has not finished (a look, nothing is completed). Under
// the queue's own lock, or both.
uint32_t batch_backlog(struct cmd_queue *queue);

// Completes everything of the queue with an error: the device is lost.
void batch_fail_all(struct cmd_queue *queue);

void batch_destroy_all(struct cmd_queue *queue);

#endif
