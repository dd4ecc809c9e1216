// SPDX-License-Identifier: Apache-2.0
// Device timestamps -> nanoseconds of the host's monotonic clock.
//
// Each command of a profiling queue that has an event uses two timestamp queries of its batch's
// pool. Others use none, because a query costs device time (1 us on an H200, 15 us on lavapipe). If
// such commands are the last of a batch, one query at its end serves the markers that join it
// later. The device's clock is related to the host's by calibrated timestamps, renewed because the
// clocks drift; without those by the tightest pair so far of (end of a batch, its completion as
// seen by the host). If the queue family has no timestamps, the host's clock is used: the time
// until commands were seen complete, in equal shares. QUEUED <= SUBMIT <= START <= END always
// holds, and START < END for commands that ran on the device. SUBMIT is when the submission to the
// driver returned, or START if the command began earlier.
#include <stdlib.h>

#include "command/internal.h"
#include "util/thread.h"

enum { RENEW_NS = 100000000 };

// Resets only the queries that were used, as each costs time. The host resets them if possible: a
// reset on the device would be recorded at the start of the batch, before it is known whether any
// query is needed.
static void reset(struct vk_device *device, struct cmd_batch *batch)
{
    if (batch->queries_used < batch->query_count)
        batch->queries_used = batch->query_count;
    if (!batch->queries_used)
        return;
    if (!device->facts->features.host_query_reset) {
        device->fn.CmdResetQueryPool(batch->commands, batch->queries, 0, batch->queries_used);
        return;
    }
    device->fn.ResetQueryPool(device->handle, batch->queries, 0, batch->queries_used);
    batch->queries_used = batch->query_count = 0;
}

VkResult cmd_profile_begin_batch(struct cmd_queue *queue, struct cmd_batch *batch)
{
    struct vk_device *device = queue->device;
    if (!device->facts->timestamp_bits)
        return VK_SUCCESS;
    if (!batch->queries) {
        VkQueryPoolCreateInfo info = {
            .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
            .queryType = VK_QUERY_TYPE_TIMESTAMP,
            .queryCount = QUERIES,
        };
        VkResult result = device->fn.CreateQueryPool(device->handle, &info, NULL, &batch->queries);
        if (result != VK_SUCCESS)
            return vk_device_note(device, result, "creating a query pool");
        batch->queries_used = QUERIES; // new queries must be reset, too
    }
    reset(device, batch);
    return VK_SUCCESS;
}

static bool has_stamps(const struct cmd_batch *batch, const struct vk_device *device)
{
    return !device->facts->timestamp_bits || batch->queries;
}

static void write_stamp(struct cmd_batch *batch, struct vk_device *device)
{
    if (batch->queries)
        vk_commands_stamp(device, batch->commands, batch->queries, batch->query_count);
    batch->query_count++;
}

// Without queries nothing needs to be skipped.
void cmd_profile_start(struct cmd_batch *batch, struct command *command)
{
    if (!has_stamps(batch, command->queue->device))
        return;
    batch->unstamped = batch->queries && !command->observed;
    if (batch->unstamped)
        return;
    command->query = (int)batch->query_count;
    write_stamp(batch, command->queue->device);
}

void cmd_profile_end(struct cmd_batch *batch, struct command *command)
{
    if (command->query >= 0)
        write_stamp(batch, command->queue->device);
}

void cmd_profile_last(struct cmd_queue *queue, struct cmd_batch *batch)
{
    if (!batch->unstamped)
        return;
    batch->end_query = (int)batch->query_count;
    write_stamp(batch, queue->device);
}

static uint64_t device_ns(const struct vk_device *device, uint64_t ticks)
{
    return (uint64_t)((double)ticks * device->facts->timestamp_ns);
}

// Extends a timestamp with few valid bits, which wraps around (some in a minute): the missing high
// bits are those closest to the current host time, with a margin for error.
static uint64_t extend(const struct cmd_queue *queue, uint64_t ticks)
{
    const struct vk_facts *facts = queue->device->facts;
    uint32_t missing = 64 - facts->timestamp_bits;
    if (!missing || !queue->clock_when)
        return missing ? ticks << missing >> missing : ticks;
    double since = (double)(int64_t)(thread_now_ns() - queue->clock_ns) / facts->timestamp_ns;
    uint64_t expected = queue->clock_ticks + (uint64_t)(int64_t)since;
    expected -= (UINT64_C(1) << facts->timestamp_bits) / 16 * 7;
    return expected + (uint64_t)((int64_t)((ticks - expected) << missing) >> missing);
}

static void tie_clocks(struct cmd_queue *queue, uint64_t last_tick)
{
    struct vk_device *device = queue->device;
    uint64_t now = thread_now_ns();
    if (device->facts->features.calibrated_timestamps) {
        uint64_t ticks, ns;
        if (queue->clock_when && now - queue->clock_when < RENEW_NS)
            return;
        if (vk_calibrate(device, &ticks, &ns) == VK_SUCCESS) {
            queue->clock_ticks = extend(queue, ticks);
            queue->clock_ns = ns;
            queue->clock_when = now;
            return;
        }
    }
    // now - device time: the smallest difference has the least delay in it.
    uint64_t difference = now - device_ns(device, last_tick);
    uint64_t known = queue->clock_ns - device_ns(device, queue->clock_ticks);
    if (!queue->clock_when || (int64_t)(difference - known) < 0) {
        queue->clock_ticks = last_tick;
        queue->clock_ns = now;
        queue->clock_when = now;
    }
}

static uint64_t host_ns(const struct cmd_queue *queue, uint64_t ticks)
{
    const struct vk_device *device = queue->device;
    int64_t since = (int64_t)(ticks - queue->clock_ticks);
    double ns = (double)since * device->facts->timestamp_ns;
    return queue->clock_ns + (uint64_t)(int64_t)ns;
}

static bool read_stamps(const struct cmd_queue *queue, const struct cmd_batch *batch,
                        uint64_t *stamps)
{
    struct vk_device *device = queue->device;
    VkResult result = device->fn.GetQueryPoolResults(
        device->handle, batch->queries, 0, batch->query_count, QUERIES * sizeof *stamps, stamps,
        sizeof *stamps, VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT);
    if (vk_device_note(device, result, "reading timestamps"))
        return false;
    for (uint32_t i = 0; i < batch->query_count; i++)
        stamps[i] = extend(queue, stamps[i]);
    return true;
}

// The relation of the clocks may have an error longer than a kernel. If a command would begin
// before its submission or before the end of the previous one, or end after now, the whole batch is
// moved; durations do not change.
static int64_t misfit(const struct cmd_queue *queue, const struct cmd_batch *batch,
                      const uint64_t *stamps, uint64_t now)
{
    int64_t early = 0, late = 0;
    for (const struct command *c = batch->first; c; c = c->next) {
        if (c->query < 0)
            continue;
        uint64_t first = max_u64(c->times[TIME_SUBMIT], queue->in_order ? queue->last_end : 0);
        int64_t before = (int64_t)(first - stamps[c->query]);
        int64_t after = (int64_t)(stamps[c->query + 1] - now);
        early = before > early ? before : early;
        late = after > late ? after : late;
    }
    return early ? early : -late;
}

// Without readable timestamps: `batch` and those behind it were seen complete together, and share
// the time equally.
static void share_equally(struct cmd_queue *queue, struct cmd_batch *batch)
{
    uint64_t now = thread_now_ns(), count = 0;
    uint64_t floor = max_u64(queue->last_end, batch->first->times[TIME_SUBMIT]);
    for (const struct cmd_batch *b = batch; b; b = b->next)
        count += b->query_count / 2;
    uint64_t share = now > floor && count ? max_u64((now - floor) / count, 1) : 1;
    for (struct command *c = batch->first; c; c = c->next) {
        c->times[TIME_START] = floor;
        floor += c->query >= 0 ? share : 0;
        c->times[TIME_END] = floor;
    }
    queue->last_end = floor;
}

// Durations below the timer's resolution count as one tick. Commands without queries begin and end
// where the previous one ends: at the end of the batch, if that has a timestamp.
void cmd_profile_batch(struct cmd_queue *queue, struct cmd_batch *batch)
{
    double tick = queue->device->facts->timestamp_ns;
    uint64_t stamps[QUERIES], latest = queue->last_end, now, last = 0,
                              least = tick > 1 ? (uint64_t)(tick + 0.5) : 1;
    bool unstamped = false;
    if (!batch->query_count)
        return;
    if (!batch->queries || !read_stamps(queue, batch, stamps)) {
        share_equally(queue, batch);
        return;
    }
    tie_clocks(queue, stamps[batch->query_count - 1]);
    for (uint32_t i = 0; i < batch->query_count; i++)
        stamps[i] = host_ns(queue, stamps[i]);
    now = thread_now_ns();
    uint64_t shift = (uint64_t)misfit(queue, batch, stamps, now);
    if (batch->end_query >= 0)
        last = min_u64(stamps[batch->end_query] + shift, now);
    for (struct command *c = batch->first; c; c = c->next) {
        uint64_t start = max_u64(c->times[TIME_SUBMIT], queue->in_order || !c->ops->record ? latest : 0), end;
        if (c->query >= 0) {
            start = max_u64(start, stamps[c->query] + shift);
            end = max_u64(start + least, stamps[c->query + 1] + shift);
            unstamped = false;
        } else {
            end = start = unstamped && c->observed ? max_u64(start, last) : start;
            unstamped |= c->ops->record != NULL;
        }
        c->times[TIME_SUBMIT] = max_u64(c->times[TIME_SUBMIT], min_u64(start, batch->sent));
        c->times[TIME_START] = start;
        c->times[TIME_END] = end;
        latest = max_u64(latest, end);
    }
    queue->last_end = max_u64(latest, last);
}

void cmd_profile_free(struct cmd_queue *queue, struct cmd_batch *batch)
{
    if (batch->queries)
        queue->device->fn.DestroyQueryPool(queue->device->handle, batch->queries, NULL);
}

cl_int cmd_profile(struct command *command, cl_ulong times[5])
{
    if (!command->profiled || cmd_status(command) != CL_COMPLETE)
        return CL_PROFILING_INFO_NOT_AVAILABLE;
    const struct command *begin = command->profiled_from ? command->profiled_from : command;
    times[0] = begin->times[TIME_QUEUED];
    times[1] = max_u64(begin->times[TIME_SUBMIT], times[0]);
    times[2] = max_u64(begin->times[TIME_START], times[1]);
    times[3] = max_u64(command->times[TIME_END], times[2]);
    times[4] = max_u64(command->times[TIME_COMPLETE], times[3]);
    return CL_SUCCESS;
}
