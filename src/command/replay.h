// SPDX-License-Identifier: Apache-2.0
// Recordings: commands that are recorded once and submitted any number of times.
//
// A recording has a queue of its own that never runs: a command enqueued there becomes the
// recording's next point. Points are numbered from 1. Their order is given by explicit
// dependencies; in an in-order recording also by the memory that they access. When the recording is
// finished, its points are in Vulkan command buffers, and a replay is one command on another queue
// that executes these. The cost of a replay does not depend on the kinds of its points. A point's
// command can be replaced later; replays in progress keep the old one.
//
// The caller must serialize all calls and destroy the recording only when no replay is left.
// The caller sees to it that one thread at a time is here, and that no replay is left when the recording goes.
#ifndef PUMICE_COMMAND_REPLAY_H
#define PUMICE_COMMAND_REPLAY_H

#include "command/command.h"

struct cmd_recording;

cl_int cmd_recording_create(struct vk_device *device, bool in_order, struct cmd_recording **out);
void cmd_recording_destroy(struct cmd_recording *recording); // NULL allowed

// For requests to record.
struct cmd_queue *cmd_recording_queue(struct cmd_recording *recording);
uint32_t cmd_recording_count(const struct cmd_recording *recording);

// Sets the dependencies of the next point. The caller keeps the list, which is read when that point
// is enqueued.
void cmd_recording_wait(struct cmd_recording *recording, const uint32_t *points, uint32_t count);

// Redirects the commands enqueued next to *out (only the last is kept) instead of adding points;
// NULL: add points again.
void cmd_recording_capture(struct cmd_recording *recording, struct command **out);
// Replaces a point's command from the next replay on. Takes ownership.
void cmd_recording_replace(struct cmd_recording *recording, uint32_t point,
                           struct command *command);
void cmd_recording_discard(struct command *command); // for a captured one; NULL allowed

// Ends the recording. `changing`: some points will be replaced.
cl_int cmd_recording_finish(struct cmd_recording *recording, bool changing);

// Enqueues a replay on a queue of the same device. It follows the previous replay, even on another
// queue, and is recorded behind a barrier. If points use memory that only one replay at a time may
// use, it waits until the previous replay is complete.
cl_int cmd_replay(const struct cmd_request *request, struct cmd_recording *recording);

// enqueue.c calls this for commands on a recording's queue. Takes ownership of the command.
cl_int cmd_recording_add(struct cmd_recording *recording, struct command *command);

#endif
