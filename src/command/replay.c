// SPDX-License-Identifier: Apache-2.0
// Recordings and their replays. See replay.h.
//
// Points are grouped in chunks, each of which is recorded into a secondary command buffer, an
// instance of the chunk. Each but the first begins with a full barrier, so chunks are independent:
// a replaced point makes only its own chunk stale. A stale chunk is recorded again when the next
// replay is enqueued, into an instance that no replay uses. A small chunk costs some microseconds;
// the alternative, arguments in memory, would cost every kernel a load for each argument on every
// replay.
//
// The same secondary command buffer is never executed concurrently, although its usage flags allow
// it: NVIDIA's driver (580.159) hangs then. So a replay is recorded behind a barrier, and follows a
// replay on another queue.
//
// An instance counts the commands that it was recorded from, and a replay counts the instances that
// it executes until it is complete.
#include "command/replay.h"

#include <stdlib.h>
#include <string.h>

#include "command/batch.h"
#include "util/gate.h"
#include "util/log.h"
#include "util/thread.h"
#include "vulkan/secondary.h"

enum { CHUNK_CHANGING = 32, CHUNK_FIXED = 1024 };

struct point {
    struct command *command; // counted
    uint32_t *waits;         // numbers of earlier points
    uint32_t wait_count;
};

struct instance {
    struct instance *next; // in its chunk
    VkCommandBuffer handle;
    atomic_uint replays; // that are incomplete
    uint32_t count;
    struct command *commands[]; // counted
};

struct chunk {
    uint32_t first, count;
    bool stale;
    struct instance *instances; // the first is the current one
};

struct cmd_recording {
    struct cmd_queue queue; // commands are created for it and recorded under it
    struct cmd_batch batch; // open while a chunk is recorded
    VkCommandPool pool;
    struct point *points;
    uint32_t count, capacity;
    const uint32_t *waits; // of the next point
    uint32_t wait_count;
    struct command **captured;
    struct chunk *chunks;
    uint32_t chunk_count;
    bool stale; // some chunk is stale

    // Union over all commands that it has or had.
    struct cmd_access accesses[HAZARDS];
    uint32_t access_count;
    bool all_memory, any_host, for_host, replay_exclusive, has_after, first_run;

    struct vk_buffer *outgrown; // scratch buffers that points were recorded with
    uint32_t outgrown_count;
    struct command *last; // last replay, counted
};

struct replay {
    struct command base;
    bool has_after, first_run; // the recording's state when the replay was enqueued; it may have
                               // changed since
    uint32_t count;
    struct instance **instances;
    struct cmd_access accesses[]; // followed by the instances, then their handles
};

// ---- commands -----------------------------------------------------------------------------------

static void drop(struct command *command)
{
    if (command && atomic_load(&command->refs) == 1)
        cmd_clear(command);
    cmd_release(command);
}

void cmd_recording_discard(struct command *command)
{
    drop(command);
}

static void note_access(struct cmd_recording *recording, const struct cmd_access *access)
{
    for (uint32_t i = 0; i < recording->access_count; i++) {
        struct cmd_access *known = &recording->accesses[i];
        if (known->begin == access->begin && known->end == access->end) {
            known->write |= access->write;
            return;
        }
    }
    if (recording->access_count == HAZARDS)
        recording->all_memory = true;
    else
        recording->accesses[recording->access_count++] = *access;
}

static void note(struct cmd_recording *recording, const struct command *command)
{
    recording->all_memory |= command->all_memory || command->shared_host;
    recording->any_host |= command->any_host || command->shared_host;
    recording->for_host |= command->ops->record && !command->device_only;
    recording->replay_exclusive |= command->replay_exclusive;
    recording->has_after |= command->replay_exclusive && command->ops->after;
    for (uint32_t i = 0; i < command->access_count && !recording->all_memory; i++)
        note_access(recording, &command->access_list[i]);
}

static bool make_room(struct cmd_recording *recording)
{
    if (recording->count < recording->capacity)
        return true;
    uint32_t capacity = recording->capacity ? recording->capacity * 2 : 16;
    struct point *points = realloc(recording->points, capacity * sizeof *points);
    if (!points)
        return false;
    recording->points = points;
    recording->capacity = capacity;
    return true;
}

static bool add_point(struct cmd_recording *recording, struct command *command)
{
    struct point *point = &recording->points[recording->count];
    // an in-order recording waits for all
    uint32_t count = recording->queue.in_order ? 0 : recording->wait_count;
    *point = (struct point){.command = command, .wait_count = count};
    if (count && !(point->waits = malloc(count * sizeof *point->waits)))
        return false;
    if (count)
        memcpy(point->waits, recording->waits, count * sizeof *point->waits);
    recording->count++;
    note(recording, command);
    return true;
}

cl_int cmd_recording_add(struct cmd_recording *recording, struct command *command)
{
    cl_int error = CL_SUCCESS;
    if (command->ops->place != CMD_DEVICE && command->ops->place != CMD_NOTHING) {
        log_write(LOG_QUEUE, "'%s' cannot be recorded", command->ops->name);
        error = CL_OUT_OF_RESOURCES;
    } else if (recording->captured) {
        drop(*recording->captured);
        *recording->captured = command;
    } else if (!make_room(recording) || !add_point(recording, command)) {
        error = CL_OUT_OF_HOST_MEMORY;
    }
    if (error)
        cmd_drop(command);
    return error;
}

void cmd_recording_replace(struct cmd_recording *recording, uint32_t point, struct command *command)
{
    uint32_t at = point - 1;
    drop(recording->points[at].command);
    recording->points[at].command = command;
    note(recording, command);
    for (uint32_t i = 0; i < recording->chunk_count; i++)
        recording->chunks[i].stale |= at - recording->chunks[i].first < recording->chunks[i].count;
    recording->stale = true;
}

// ---- recording ----------------------------------------------------------------------------------

static void instance_clear(struct instance *instance)
{
    for (uint32_t i = 0; i < instance->count; i++)
        drop(instance->commands[i]);
    instance->count = 0;
}

// Gets an instance that no replay uses and moves it to the front of the chunk's list.
static VkResult instance_begin(struct cmd_recording *recording, struct chunk *chunk,
                               struct instance **out)
{
    struct vk_device *device = recording->queue.device;
    struct instance **at = &chunk->instances, *instance;
    while (*at && atomic_load(&(*at)->replays))
        at = &(*at)->next;
    instance = *at;
    if (instance) {
        *at = instance->next;
    } else {
        instance = calloc(1, sizeof *instance + chunk->count * sizeof *instance->commands);
        VkResult result = instance ? vk_secondary_create(device, recording->pool, &instance->handle)
                                   : VK_ERROR_OUT_OF_HOST_MEMORY;
        if (result != VK_SUCCESS) {
            free(instance);
            return result;
        }
    }
    instance->next = chunk->instances;
    *out = chunk->instances = instance;
    instance_clear(instance);
    return vk_secondary_begin(device, instance->handle);
}

// In an out-of-order recording: whether the point depends on one after the last barrier of this
// chunk.
static bool is_recent(const struct cmd_recording *recording, const struct chunk *chunk, const struct point *point)
{
    for (uint32_t i = 0; i < point->wait_count; i++) {
        uint32_t on = point->waits[i] - 1;
        if (on >= chunk->first && recording->points[on].command->epoch == recording->queue.epoch)
            return true;
    }
    return point->command->is_barrier;
}

// A scratch buffer that has become too small belongs to the recording, not to the command that
// needed a larger one.
static VkResult adopt_outgrown(struct cmd_recording *recording, struct command *command)
{
    struct vk_buffer *buffer = &command->buffers[COMMAND_BUFFERS - 1];
    if (!buffer->device)
        return VK_SUCCESS;
    struct vk_buffer *list = realloc(recording->outgrown, (recording->outgrown_count + 1) * sizeof *list);
    if (!list)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    recording->outgrown = list;
    list[recording->outgrown_count++] = *buffer;
    memset(buffer, 0, sizeof *buffer);
    return VK_SUCCESS;
}

static VkResult record_points(struct cmd_recording *recording, const struct chunk *chunk,
                              struct instance *instance)
{
    struct cmd_queue *queue = &recording->queue;
    VkResult result = VK_SUCCESS;
    if (chunk->first)
        vk_commands_barrier(queue->device, instance->handle);
    for (uint32_t i = 0; i < chunk->count && result == VK_SUCCESS; i++) {
        const struct point *point = &recording->points[chunk->first + i];
        result = batch_append(point->command, is_recent(recording, chunk, point));
        instance->commands[instance->count++] = cmd_retain(point->command);
        if (result == VK_SUCCESS)
            result = adopt_outgrown(recording, point->command);
    }
    return result;
}

static VkResult record_chunk(struct cmd_recording *recording, struct chunk *chunk)
{
    struct cmd_queue *queue = &recording->queue;
    struct cmd_batch *batch = &recording->batch;
    struct instance *instance = NULL;
    VkResult result = instance_begin(recording, chunk, &instance);
    if (result != VK_SUCCESS)
        return result;
    *batch = (struct cmd_batch){.commands = instance->handle, .last = &batch->first};
    queue->open = batch;
    queue->epoch++;
    queue->hazard_count = 0;
    queue->hazard_all = false;
    result = record_points(recording, chunk, instance);
    queue->open = NULL;
    recording->first_run |= batch->first_run;
    VkResult ended = vk_commands_end(queue->device, instance->handle);
    return result == VK_SUCCESS ? ended : result;
}

// Releases the commands of instances that no replay uses any more.
static void clear_unused_instances(struct chunk *chunk)
{
    for (struct instance *instance = chunk->instances ? chunk->instances->next : NULL; instance;
         instance = instance->next)
        if (!atomic_load(&instance->replays))
            instance_clear(instance);
}

static VkResult refresh(struct cmd_recording *recording)
{
    if (!recording->stale)
        return VK_SUCCESS;
    for (uint32_t i = 0; i < recording->chunk_count; i++) {
        struct chunk *chunk = &recording->chunks[i];
        VkResult result = chunk->stale ? record_chunk(recording, chunk) : VK_SUCCESS;
        if (result != VK_SUCCESS)
            return result;
        chunk->stale = false;
        clear_unused_instances(chunk);
    }
    recording->stale = false;
    return VK_SUCCESS;
}

cl_int cmd_recording_finish(struct cmd_recording *recording, bool changing)
{
    uint32_t size = changing ? CHUNK_CHANGING : CHUNK_FIXED, count = (recording->count + size - 1) / size;
    if (recording->chunks) // recording failed before
        return cmd_error(refresh(recording));
    recording->chunks = calloc(count ? count : 1, sizeof *recording->chunks);
    if (!recording->chunks)
        return CL_OUT_OF_HOST_MEMORY;
    recording->chunk_count = count;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t left = recording->count - i * size;
        recording->chunks[i] = (struct chunk){.first = i * size, .count = left < size ? left : size, .stale = true};
    }
    recording->stale = true;
    return cmd_error(refresh(recording));
}

// ---- replays ------------------------------------------------------------------------------------

static VkCommandBuffer *handles_of(const struct replay *replay)
{
    return (VkCommandBuffer *)(replay->instances + replay->count);
}

// Counts in its batch as the number of commands that it contains.
VkResult record_replay(struct command *command, struct cmd_batch *batch)
{
    struct replay *replay = (struct replay *)command;
    if (replay->count)
        command->queue->device->fn.CmdExecuteCommands(batch->commands, replay->count, handles_of(replay));
    cmd_batch_forget(batch); // after secondary command buffers all state is undefined (Vulkan 6.7)
    for (uint32_t i = 0; i < replay->count; i++)
        batch->count += replay->instances[i]->count;
    batch->first_run |= replay->first_run;
    return VK_SUCCESS;
}

void after_replay(struct command *command)
{
    const struct replay *replay = (const struct replay *)command;
    for (uint32_t i = 0; i < replay->count && replay->has_after; i++)
        for (uint32_t j = 0; j < replay->instances[i]->count; j++) {
            struct command *one = replay->instances[i]->commands[j];
            if (one->ops->after)
                one->ops->after(one);
        }
}

void clear_replay(struct command *command)
{
    struct replay *replay = (struct replay *)command;
    for (uint32_t i = 0; i < replay->count; i++)
        atomic_fetch_sub(&replay->instances[i]->replays, 1);
    replay->count = 0;
    cmd_release(command->predecessor);
    command->predecessor = NULL;
}

static struct replay *replay_new(const struct cmd_request *request, struct cmd_recording *recording)
{
    uint32_t instances = recording->chunk_count, accesses = recording->access_count;
    size_t size = sizeof(struct replay) + accesses * sizeof(struct cmd_access) +
                  instances * (sizeof(struct instance *) + sizeof(VkCommandBuffer));
    struct replay *replay = (struct replay *)cmd_new(request, CMD_REPLAY, size);
    if (!replay)
        return NULL;
    replay->instances = (struct instance **)(replay->accesses + accesses);
    replay->count = instances;
    for (uint32_t i = 0; i < instances; i++) {
        replay->instances[i] = recording->chunks[i].instances;
        handles_of(replay)[i] = replay->instances[i]->handle;
        atomic_fetch_add(&replay->instances[i]->replays, 1);
    }
    memcpy(replay->accesses, recording->accesses, accesses * sizeof *replay->accesses);
    replay->base.access_list = replay->accesses;
    replay->base.access_count = accesses;
    replay->base.all_memory = recording->all_memory || recording->replay_exclusive;
    replay->base.any_host = recording->any_host;
    replay->base.replay_exclusive = recording->replay_exclusive;
    replay->base.needs_barrier = true;
    replay->base.device_only = !recording->for_host;
    replay->has_after = recording->has_after;
    replay->first_run = recording->first_run;
    return replay;
}

cl_int cmd_replay(const struct cmd_request *request, struct cmd_recording *recording)
{
    cl_int error = cmd_error(refresh(recording));
    struct replay *replay = error ? NULL : replay_new(request, recording);
    if (!replay)
        return error ? error : CL_OUT_OF_HOST_MEMORY;
    struct command *kept = cmd_retain(&replay->base);
    if (recording->last &&
        (recording->replay_exclusive || recording->last->queue != request->queue))
        replay->base.predecessor = cmd_retain(recording->last);
    error = cmd_enqueue(request, &replay->base);
    if (error) {
        cmd_release(kept);
        return error;
    }
    recording->first_run = false;
    cmd_release(recording->last);
    recording->last = kept;
    return CL_SUCCESS;
}

// ---- life ---------------------------------------------------------------------------------------

cl_int cmd_recording_create(struct vk_device *device, bool in_order, struct cmd_recording **out)
{
    struct cmd_recording *recording = calloc(1, sizeof *recording);
    if (!recording)
        return CL_OUT_OF_HOST_MEMORY;
    cmd_queue_init_lock(&recording->queue);
    recording->queue.device = device;
    recording->queue.in_order = in_order;
    recording->queue.recording = recording;
    recording->queue.held_last = &recording->queue.held;
    recording->queue.in_flight_last = &recording->queue.in_flight;
    VkResult result = vk_device_check(device);
    if (result == VK_SUCCESS)
        result = vk_pool_create(device, device->facts->queue_family, &recording->pool);
    if (result != VK_SUCCESS) {
        free(recording);
        return cmd_error(result);
    }
    vk_device_retain(device); // the completion thread may be what destroys the recording
    *out = recording;
    return CL_SUCCESS;
}

static void free_chunk(struct chunk *chunk)
{
    while (chunk->instances) {
        struct instance *instance = chunk->instances;
        chunk->instances = instance->next;
        instance_clear(instance);
        free(instance);
    }
}

void cmd_recording_destroy(struct cmd_recording *recording)
{
    if (!recording || gate_ended())
        return;
    struct vk_device *device = recording->queue.device;
    device->fn.DestroyCommandPool(device->handle, recording->pool, NULL);
    for (uint32_t i = 0; i < recording->chunk_count; i++)
        free_chunk(&recording->chunks[i]);
    for (uint32_t i = 0; i < recording->count; i++) {
        drop(recording->points[i].command);
        free(recording->points[i].waits);
    }
    for (uint32_t i = 0; i < recording->outgrown_count; i++)
        vk_buffer_destroy(&recording->outgrown[i]);
    vk_buffer_destroy(&recording->queue.scratch);
    cmd_release(recording->last);
    pthread_mutex_destroy(&recording->queue.lock);
    free(recording->outgrown);
    free(recording->chunks);
    free(recording->points);
    free(recording);
    vk_device_close(device);
}

// ---- what the API calls -------------------------------------------------------------------------

struct cmd_queue *cmd_recording_queue(struct cmd_recording *recording)
{
    return &recording->queue;
}

uint32_t cmd_recording_count(const struct cmd_recording *recording)
{
    return recording->count;
}

void cmd_recording_wait(struct cmd_recording *recording, const uint32_t *points, uint32_t count)
{
    recording->waits = points;
    recording->wait_count = count;
}

void cmd_recording_capture(struct cmd_recording *recording, struct command **out)
{
    recording->captured = out;
}
