// SPDX-License-Identifier: Apache-2.0
// Batches: recording commands into one, submitting it, detecting its completion. Call everything
// with the process-wide lock held; all but batch_backlog() may release it temporarily.
#ifndef PUMICE_COMMAND_BATCH_H
#define PUMICE_COMMAND_BATCH_H

#include "command/internal.h"

// Puts a ready command into the queue's open batch, with the waits and the barrier it needs. The
// caller also holds the queue's own lock. Dependencies in other queues (`deps`, counted) have
// already been submitted.
VkResult batch_record(struct command *command, const struct cmd_dep *deps, uint32_t dep_count);

// Fast path for a command that has no dependencies and that no other thread can reference yet:
// needs only the queue's own lock, and an open batch with space left. `recent`: in an out-of-order
// queue, the command depends on one recorded after the last barrier.
VkResult batch_append(struct command *command, bool recent);

// The host waits for this command or polls it, and its queue's open batch was submitted: while kernels are behind it
// in its batch, the wait lasts until they have ended too, and then the device is idle until the host has
// enqueued the next ones. The queue's next commands of the same kind with an event end their batches.
void batch_learn_wait(const struct command *command);
// Whether the command does. Needs no lock; may change until both locks are held.
bool batch_would_end_early(const struct command *command);

// Submits the open batch, if any; if that fails, its commands complete with an error.
// batch_submit() requires the queue's own lock, batch_flush() takes it.
VkResult batch_submit(struct cmd_queue *queue);
void batch_flush(struct cmd_queue *queue);
// The same for a thread or a queue that waits for its commands: they are likely to wait for the next ones, too, so
// an idle device gets the first few of these at once.
void batch_flush_awaited(struct cmd_queue *queue);

// Begins a command buffer in advance, while the caller waits for the device anyway: saves the next
// commands about a microsecond. Releases the lock temporarily.
void batch_prepare(struct cmd_queue *queue);

// Creates the first command buffer of a new queue, for which NVIDIA's driver needs 0.7 ms. Only for
// the completion thread. Releases the lock temporarily.
void batch_warm_up(struct cmd_queue *queue);
void batch_fork(enum cmd_fork when);

// True if the command is in a batch that has not been submitted yet.
bool batch_is_open(const struct command *command);

// Completes the commands of all batches that the device has finished; returns true if there were
// any.
bool batch_retire(struct cmd_queue *queue);

// Whether the queue's timeline has reached the value. May return VK_ERROR_DEVICE_LOST. No lock
// needed.
VkResult batch_reached(struct cmd_queue *queue, uint64_t value, bool *reached);

// Number of this queue's batches that are still in flight on the device; completes nothing. Needs the
// queue's own lock, or both.
uint32_t batch_backlog(struct cmd_queue *queue);

// Completes everything of the queue with an error: the device is lost.
void batch_fail_all(struct cmd_queue *queue);

void batch_destroy_all(struct cmd_queue *queue);

#endif
