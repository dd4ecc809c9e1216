// SPDX-License-Identifier: Apache-2.0
// Recordings: commands made once, submitted as often as wanted.
//
// A recording has a queue of its own that runs nothing: a command that is enqueued there becomes the recording's next
// point. Points are numbered from 1. They follow each other by number, in a recording that is in order also by what they touch. Finished, its points
// lie in Vulkan command buffers, and a replay is one command of some other queue that executes those: its cost does not
// depend on what each point is. A point may be given another command later; replays under way keep the one they have.
//
// The caller sees to it that one thread at a time is here, and that no replay is left when the recording goes.
#ifndef PUMICE_COMMAND_REPLAY_H
#define PUMICE_COMMAND_REPLAY_H

#include "command/command.h"

struct cmd_recording;

cl_int cmd_recording_create(struct vk_device *device, bool in_order, struct cmd_recording **out);
void cmd_recording_destroy(struct cmd_recording *recording); // NULL allowed

// For the requests of what is recorded.
struct cmd_queue *cmd_recording_queue(struct cmd_recording *recording);
uint32_t cmd_recording_count(const struct cmd_recording *recording);

// What the next point waits for. The list stays the caller's and is read when that is enqueued.
void cmd_recording_wait(struct cmd_recording *recording, const uint32_t *points, uint32_t count);

// From now on commands go to *out (the last one alone) and make no point; NULL: they do again.
void cmd_recording_catch(struct cmd_recording *recording, struct command **out);
// Another command for a point, from the next replay on. Takes it over.
void cmd_recording_put(struct cmd_recording *recording, uint32_t point, struct command *command);
void cmd_recording_discard(struct command *command); // one that was caught; NULL allowed

// No more points. `changing`: some will be given other commands.
cl_int cmd_recording_finish(struct cmd_recording *recording, bool changing);

// Enqueues a replay on a queue of the same device. It comes after the one before where that is on another queue, and behind a
// barrier in its own; where the points have memory that one replay at a time can use, when the one before is complete.
cl_int cmd_replay(const struct cmd_request *request, struct cmd_recording *recording);

// enqueue.c: what is enqueued on a recording's queue. Takes the command over.
cl_int cmd_recording_add(struct cmd_recording *recording, struct command *command);

#endif
