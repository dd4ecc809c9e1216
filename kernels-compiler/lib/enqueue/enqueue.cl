// SPDX-License-Identifier: Apache-2.0
// Device-side enqueue (OpenCL C 2.0, 6.13.17): records and events are in memory that a launch shares with everything
// it enqueues, laid out as struct kc_enqueued. Queues and events are numbers.
#include "lib.h"

struct enqueued {
    uint used, limit, first, events, event_limit, names;
    ulong default_queue;
};
struct event {
    int status, references;
    ulong times[2];
};
struct record {
    uint size;
    int kernel_number;
    ulong queue;
    uint flags, work_dim;
    ulong global_offset[3], global_size[3], local_size[3];
    ulong event;
    uint wait_count, local_count, captured, parent;
};
enum { MARKER = -1, PROFILE = -2, COMPLETE = 0, SUBMITTED = 2, OPTION_DEBUG = 1, OPTION_UNIFORM = 2 };

static global struct enqueued *memory(void) { return (global struct enqueued *)__enqueued(); }

static global struct event *event_of(global struct enqueued *all, ulong number)
{
    return (global struct event *)((ulong)all + sizeof(struct enqueued)) + (number - 1);
}

static bool is_event(global struct enqueued *all, ulong number) { return number - 1 < all->event_limit; }

// ---- events --------------------------------------------------------------------------------------

// 0: none is left. Checks the limit before counting, so that failed calls do not increment the count.
static ulong new_event(global struct enqueued *all)
{
    if (*(volatile global uint *)&all->events >= all->event_limit)
        return 0;
    uint i = atomic_add((volatile global uint *)&all->events, 1u);
    if (i >= all->event_limit)
        return 0;
    return ((global uint *)((ulong)all + all->names))[i];
}

static void begin_event(global struct enqueued *all, ulong number)
{
    global struct event *event = event_of(all, number);
    atomic_xchg((volatile global int *)&event->status, SUBMITTED);
    atomic_xchg((volatile global int *)&event->references, 1);
}

LIB ulong create_user_event(void)
{
    global struct enqueued *all = memory();
    ulong number = new_event(all);
    if (number)
        begin_event(all, number);
    return number;
}

LIB void retain_event(ulong number)
{
    global struct enqueued *all = memory();
    if (is_event(all, number))
        atomic_inc((volatile global int *)&event_of(all, number)->references);
}

LIB void release_event(ulong number)
{
    global struct enqueued *all = memory();
    if (is_event(all, number))
        atomic_dec((volatile global int *)&event_of(all, number)->references);
}

LIB void set_user_event_status(ulong number, int status)
{
    global struct enqueued *all = memory();
    if (is_event(all, number))
        atomic_xchg((volatile global int *)&event_of(all, number)->status, status);
}

LIB bool is_valid_event(ulong number)
{
    global struct enqueued *all = memory();
    return is_event(all, number) && *(volatile global int *)&event_of(all, number)->references > 0;
}

// ---- records -------------------------------------------------------------------------------------

// NULL: it does not fit.
static global struct record *new_record(global struct enqueued *all, uint size)
{
    uint used = *(volatile global uint *)&all->used;
    if (used > all->limit || size > all->limit - used)
        return 0;
    used = atomic_add((volatile global uint *)&all->used, size);
    if (used > all->limit || size > all->limit - used)
        return 0;
    global struct record *record = (global struct record *)((ulong)all + all->first + used);
    record->size = size;
    record->parent = __launch();
    return record;
}

LIB ulong get_default_queue(void) { return memory()->default_queue; }

LIB void capture_event_profiling_info(ulong number, int what, global void *values)
{
    global struct enqueued *all = memory();
    if (!is_event(all, number) || what != 1)
        return;
    global struct event *event = event_of(all, number);
    if (*(volatile global int *)&event->status == COMPLETE) {
        ((global ulong *)values)[0] = event->times[0];
        ((global ulong *)values)[1] = event->times[1];
        return;
    }
    global struct record *record = new_record(all, sizeof(struct record));
    if (!record)
        return;
    record->kernel_number = PROFILE;
    record->event = number;
    record->global_offset[0] = (ulong)values;
}

static bool right_range(const private ulong *range, uint options)
{
    uint dims = (uint)range[0];
    if (dims < 1 || dims > 3)
        return false;
    for (uint i = 0; i < 3; i++) {
        ulong size = range[4 + i], local_size = range[7 + i];
        if (i < dims && local_size && options & OPTION_UNIFORM && size % local_size)
            return false;
    }
    return true;
}

static bool right_events(global struct enqueued *all, uint count, const generic ulong *events)
{
    if (!count != !events)
        return false;
    for (uint i = 0; i < count; i++)
        if (!is_event(all, events[i]))
            return false;
    return true;
}

static int failure(uint options) { return options & OPTION_DEBUG ? CLK_DEVICE_QUEUE_FULL : CLK_ENQUEUE_FAILURE; }

// Writes a record with its events; the caller writes what follows them, from *tail on.
static int write(ulong queue, uint flags, const private ulong *range, uint wait_count, const generic ulong *wait,
                 generic ulong *event, int number, uint local_count, uint captured, uint options, private ulong *tail)
{
    global struct enqueued *all = memory();
    ulong name = event ? new_event(all) : 0;
    if (event && !name)
        return CLK_EVENT_ALLOCATION_FAILURE;
    uint size = sizeof(struct record) + 8 * wait_count + (local_count + 1) / 2 * 8 + (captured + 7) / 8 * 8;
    global struct record *record = new_record(all, size);
    if (!record)
        return failure(options);
    record->kernel_number = number;
    record->queue = queue;
    record->flags = flags;
    record->work_dim = (uint)range[0];
    for (uint i = 0; i < 3; i++) {
        record->global_offset[i] = range[1 + i];
        record->global_size[i] = range[4 + i];
        record->local_size[i] = range[7 + i];
    }
    record->event = name;
    record->wait_count = wait_count;
    record->local_count = local_count;
    record->captured = captured;
    global ulong *behind = (global ulong *)(record + 1);
    for (uint i = 0; i < wait_count; i++)
        behind[i] = wait[i];
    *tail = (ulong)(behind + wait_count);
    if (event) {
        begin_event(all, name);
        *event = name;
    }
    return CLK_SUCCESS;
}

LIB int __enqueue_kernel(ulong queue, uint flags, const private ulong *range, uint wait_count, const generic ulong *wait,
                         generic ulong *event, int number, uint local_count, ulong least_local, uint captured, uint options,
                         private ulong *tail)
{
    if (!queue)
        return CLK_INVALID_QUEUE;
    if (!right_range(range, options))
        return CLK_INVALID_NDRANGE;
    if (!right_events(memory(), wait_count, wait))
        return CLK_INVALID_EVENT_WAIT_LIST;
    if (!least_local)
        return CLK_INVALID_ARG_SIZE;
    return write(queue, flags, range, wait_count, wait, event, number, local_count, captured, options, tail);
}

LIB int __enqueue_marker(ulong queue, uint wait_count, const generic ulong *wait, generic ulong *event, uint options)
{
    ulong range[10] = {0}, tail;
    if (!queue)
        return CLK_INVALID_QUEUE;
    if (!wait_count || !right_events(memory(), wait_count, wait))
        return CLK_INVALID_EVENT_WAIT_LIST;
    return write(queue, CLK_ENQUEUE_FLAGS_NO_WAIT, range, wait_count, wait, event, MARKER, 0, 0, options, &tail);
}

LIB int __sub_groups(const private ulong *range, uint lanes, uint most)
{
    ulong size = 1;
    for (uint i = 0; i < 3; i++)
        size *= range[7 + i] ? range[7 + i] : 1;
    if (!range[7])
        size = most;
    return (int)((size + lanes - 1) / lanes);
}
