// SPDX-License-Identifier: Apache-2.0
// Random graphs of commands over several queues against a sequential run on the host.
//
// Commands of all kinds on a few buffers go to in-order and out-of-order queues. Two commands that
// access the same buffer, one of them writing, are ordered by an event, by their in-order queue or
// by a barrier; so the result equals that of the same commands in sequence, which the host computes
// while it enqueues. User events hold parts of the graph back; independent commands may run at any
// time. With semaphores, some dependencies between queues use them; with command buffers, some
// commands are replays of several recorded ones, in both kinds of queues, changed between replays,
// and enqueued again while pending.
//
//   api_dag [SEED [COMMANDS [SEEDS]]]
#include "command_buffer.h"

#include <unistd.h>

enum {
    QUEUES = 5, // the first IN_ORDER are in-order
    IN_ORDER = 2,
    BUFFERS = 6,
    WORDS = 512,
    READERS = 24,
    GATES = 6,
    WAITS = BUFFERS * READERS + GATES + 8,
    COMMANDS = 1500,
    SEEDS = 4,
    SEMAPHORES = 4,
    MADE = 4, // events by semaphores for one command
    RECORDED = 6,
    OPS = 7, // in a command buffer
};

struct done { // a command on which others may depend
    cl_event event;
    int queue;
    unsigned number;
};

struct memory {
    cl_mem mem;
    struct done writer, readers[READERS];
    int reader_count;
    cl_uint words[WORDS]; // expected contents, from the sequential run
};

struct host_memory { // host memory of a command that may not have run yet
    struct host_memory *next;
    bool read;
    size_t count;
    cl_uint *want, words[];
};

static const char source[] =
    "kernel void mix(global uint *p, global const uint *q, uint to, uint from, uint k) {\n"
    "    size_t i = get_global_id(0);\n"
    "    p[to + i] = p[to + i] * 3u + q[from + i] + k;\n"
    "}\n";

static cl_kernel kernel;
static cl_command_queue queues[QUEUES];
static unsigned barriers[QUEUES]; // number of the last one
static struct memory memories[BUFFERS];
static cl_event gates[GATES];
static struct semaphore {
    cl_semaphore_khr handle; // NULL: not created yet
    cl_event waited;         // the last wait for it
} semaphores[SEMAPHORES];
static bool has_semaphores, has_recorded, has_mutable;
static struct host_memory *all_host_memory;
static unsigned state, number;
static int called, failed, calls_wanted;

static unsigned pick(unsigned below)
{
    state = state * 1664525u + 1013904223u;
    return (unsigned)(((uint64_t)(state >> 4) * below) >> 28);
}

// ---- dependencies of a command ------------------------------------------------------------------

struct waits {
    cl_event list[WAITS], made[MADE]; // made: those in the list that must be released
    cl_uint count;
    int made_count;
};

#define SEMAPHORE_FUNCTIONS(X)                                                                     \
    X(clCreateSemaphoreWithPropertiesKHR)                                                          \
    X(clEnqueueSignalSemaphoresKHR) X(clEnqueueWaitSemaphoresKHR) X(clReleaseSemaphoreKHR)
static struct {
#define FIELD(name) name##_fn name;
    SEMAPHORE_FUNCTIONS(FIELD)
} sem;

static void end_semaphore(struct semaphore *s)
{
    if (s->handle)
        CHECK_OK(sem.clReleaseSemaphoreKHR(s->handle));
    if (s->waited)
        CHECK_OK(clReleaseEvent(s->waited));
    *s = (struct semaphore){NULL, NULL};
}

static void need_semaphore(struct semaphore *s)
{
    static const cl_semaphore_properties_khr binary[] = {CL_SEMAPHORE_TYPE_KHR,
                                                         CL_SEMAPHORE_TYPE_BINARY_KHR, 0};
    cl_int code = CL_SUCCESS;
    if (!pick(8))
        end_semaphore(s); // even if it is in use
    if (!s->handle)
        s->handle = sem.clCreateSemaphoreWithPropertiesKHR(test_context, binary, &code);
    CHECK_OK(code);
}

// Returns an event of `queue` that depends on `done`: one queue signals a semaphore after `done`,
// `queue` waits for it. The signal is enqueued before or after the wait.
static cl_event by_semaphore(const struct done *done, int queue)
{
    struct semaphore *s = &semaphores[pick(SEMAPHORES)];
    int from = (int)pick(QUEUES);
    bool late = (from != queue || queue >= IN_ORDER) && !pick(3);
    cl_event after[2] = {done->event, NULL}, waited;
    need_semaphore(s);
    after[1] = s->waited;
    for (int step = 0; step < 2; step++)
        if (step == late)
            CHECK_OK(sem.clEnqueueSignalSemaphoresKHR(queues[from], 1, &s->handle, NULL,
                                                      after[1] ? 2 : 1, after, NULL));
        else // after the semaphore's previous wait, whose signal this wait must not consume
            CHECK_OK(sem.clEnqueueWaitSemaphoresKHR(queues[queue], 1, &s->handle, NULL,
                                                    after[1] != NULL, after[1] ? &after[1] : NULL,
                                                    &waited));
    if (s->waited)
        CHECK_OK(clReleaseEvent(s->waited));
    s->waited = waited;
    CHECK_OK(clRetainEvent(waited));
    return waited;
}

static void follow(struct waits *waits, const struct done *done, int queue)
{
    bool implied = done->queue == queue && (queue < IN_ORDER || done->number < barriers[queue]);
    if (!done->event || (implied && pick(8)))
        return;
    cl_event event = done->event;
    if (has_semaphores && waits->made_count < MADE && !pick(12))
        event = waits->made[waits->made_count++] = by_semaphore(done, queue);
    waits->list[waits->count++] = event;
}

static void end_waits(struct waits *waits)
{
    while (waits->made_count)
        CHECK_OK(clReleaseEvent(waits->made[--waits->made_count]));
}

static void follow_all(struct waits *waits, const struct memory *m, int queue, bool writes)
{
    follow(waits, &m->writer, queue);
    for (int i = 0; writes && i < m->reader_count; i++)
        follow(waits, &m->readers[i], queue);
}

static void follow_gate(struct waits *waits)
{
    cl_event gate = gates[pick(GATES)];
    if (gate && !pick(6))
        waits->list[waits->count++] = gate;
}

static void forget(struct done *done)
{
    if (done->event)
        CHECK_OK(clReleaseEvent(done->event));
    done->event = NULL;
}

static void set_done(struct done *done, cl_event event, int queue)
{
    CHECK_OK(clRetainEvent(event));
    *done = (struct done){event, queue, number};
}

static void wrote(struct memory *m, cl_event event, int queue)
{
    forget(&m->writer);
    for (int i = 0; i < m->reader_count; i++)
        forget(&m->readers[i]);
    m->reader_count = 0;
    set_done(&m->writer, event, queue);
}

// Replaces many readers by one marker.
static void gather_readers(struct memory *m)
{
    struct waits waits = {.count = 0};
    cl_event event;
    int queue = (int)pick(QUEUES);
    for (int i = 0; i < m->reader_count; i++)
        waits.list[waits.count++] = m->readers[i].event;
    CHECK_OK(clEnqueueMarkerWithWaitList(queues[queue], waits.count, waits.list, &event));
    for (int i = 0; i < m->reader_count; i++)
        forget(&m->readers[i]);
    m->reader_count = 1;
    set_done(&m->readers[0], event, queue);
    CHECK_OK(clReleaseEvent(event));
}

static void has_read(struct memory *m, cl_event event, int queue)
{
    if (m->reader_count == READERS)
        gather_readers(m);
    set_done(&m->readers[m->reader_count++], event, queue);
}

static void open_gates(void)
{
    for (int i = 0; i < GATES; i++) {
        if (gates[i]) {
            CHECK_OK(clSetUserEventStatus(gates[i], CL_COMPLETE));
            CHECK_OK(clReleaseEvent(gates[i]));
        }
        gates[i] = NULL;
    }
}

// Each queue is finished and reports failed commands itself: a barrier does not pass an error on to
// later commands.
static void finish_all(void)
{
    for (int i = 0; i < QUEUES; i++)
        CHECK_OK(clFinish(queues[i]));
}

// ---- commands -----------------------------------------------------------------------------------

struct place {
    struct memory *m;
    unsigned at;
};

static struct host_memory *allocate_host(size_t count, bool read)
{
    struct host_memory *host_memory =
        calloc(1, sizeof *host_memory + 2 * count * sizeof *host_memory->words);
    host_memory->next = all_host_memory;
    host_memory->read = read;
    host_memory->count = count;
    host_memory->want = host_memory->words + count;
    all_host_memory = host_memory;
    return host_memory;
}

static void CL_CALLBACK on_done(cl_event event, cl_int status, void *data)
{
    (void)event, (void)data;
    __atomic_fetch_add(&failed, status != CL_COMPLETE, __ATOMIC_RELAXED);
    __atomic_fetch_add(&called, 1, __ATOMIC_RELAXED);
}

static const cl_event *list_of(const struct waits *waits)
{
    return waits->count ? waits->list : NULL;
}

enum what { FILL, COPY, LAUNCH, LAUNCH2, LAUNCH3, WRITE, READ, CHANGE, REPLAY, REPLAY2, WHAT_COUNT };

// The same on the host. `k`: the value of a fill.
static void model(enum what what, struct place to, struct place from, unsigned count, cl_uint k)
{
    for (unsigned i = 0; i < count; i++) {
        cl_uint *p = &to.m->words[to.at + i], q = what == FILL ? 0 : from.m->words[from.at + i];
        *p = what == FILL ? k : what == COPY ? q : *p * 3 + q + k;
    }
}

static cl_event fill(int queue, struct place to, unsigned count, const struct waits *waits)
{
    cl_event event;
    cl_uint value = pick(1u << 28);
    CHECK_OK(clEnqueueFillBuffer(queues[queue], to.m->mem, &value, 4, to.at * 4, count * 4,
                                 waits->count, list_of(waits), &event));
    model(FILL, to, to, count, value);
    return event;
}

static cl_event copy(int queue, struct place to, struct place from, unsigned count,
                     const struct waits *waits)
{
    cl_event event;
    CHECK_OK(clEnqueueCopyBuffer(queues[queue], from.m->mem, to.m->mem, from.at * 4, to.at * 4,
                                 count * 4, waits->count, list_of(waits), &event));
    model(COPY, to, from, count, 0);
    return event;
}

static void set_args(struct place to, struct place from, cl_uint k)
{
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof(cl_mem), &to.m->mem));
    CHECK_OK(clSetKernelArg(kernel, 1, sizeof(cl_mem), &from.m->mem));
    CHECK_OK(clSetKernelArg(kernel, 2, sizeof to.at, &to.at));
    CHECK_OK(clSetKernelArg(kernel, 3, sizeof from.at, &from.at));
    CHECK_OK(clSetKernelArg(kernel, 4, sizeof k, &k));
}

static cl_event launch(int queue, struct place to, struct place from, unsigned count,
                       const struct waits *waits)
{
    cl_event event;
    size_t global = count;
    cl_uint k = pick(1000);
    set_args(to, from, k);
    CHECK_OK(clEnqueueNDRangeKernel(queues[queue], kernel, 1, NULL, &global, NULL, waits->count,
                                    list_of(waits), &event));
    model(LAUNCH, to, from, count, k);
    return event;
}

// The host may do small transfers of a blocking call. The user events that hold it back must be set
// first.
static bool host_waits(unsigned *count)
{
    if (pick(5))
        return false;
    if (pick(2))
        *count = 1 + *count % 16;
    open_gates();
    return true;
}

static cl_event write_to(int queue, struct place to, unsigned count, bool blocking,
                         const struct waits *waits)
{
    cl_event event;
    struct host_memory *host_memory = allocate_host(count, false);
    for (unsigned i = 0; i < count; i++)
        host_memory->words[i] = to.m->words[to.at + i] = pick(1u << 28);
    CHECK_OK(clEnqueueWriteBuffer(queues[queue], to.m->mem, blocking, to.at * 4, count * 4,
                                  host_memory->words, waits->count, list_of(waits), &event));
    return event;
}

static cl_event read_from(int queue, struct place from, unsigned count, bool blocking,
                          const struct waits *waits)
{
    cl_event event;
    struct host_memory *host_memory = allocate_host(count, true);
    memcpy(host_memory->want, from.m->words + from.at, count * 4);
    CHECK_OK(clEnqueueReadBuffer(queues[queue], from.m->mem, blocking, from.at * 4, count * 4,
                                 host_memory->words, waits->count, list_of(waits), &event));
    bool right = !blocking || !memcmp(host_memory->words, host_memory->want, count * 4);
    if (!right)
        finish_all();
    CHECK(right);
    return event;
}

// Mapping blocks, so the user events that hold it back must be set first.
static cl_event change(int queue, struct place to, unsigned count, const struct waits *waits)
{
    cl_event event;
    cl_int code;
    open_gates();
    cl_uint *p = clEnqueueMapBuffer(queues[queue], to.m->mem, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE,
                                    to.at * 4, count * 4, waits->count, list_of(waits), NULL,
                                    &code);
    CHECK_OK(code);
    bool right = !memcmp(p, to.m->words + to.at, count * 4);
    if (!right)
        finish_all();
    CHECK(right);
    for (unsigned i = 0; i < count; i++)
        p[i] = to.m->words[to.at + i] += number;
    CHECK_OK(clEnqueueUnmapMemObject(queues[queue], to.m->mem, p, 0, NULL, &event));
    return event;
}

// ---- command buffers ----------------------------------------------------------------------------

struct op {
    enum what what; // FILL, COPY or LAUNCH
    struct place to, from;
    unsigned count;
    cl_uint k;
    cl_sync_point_khr point;
    cl_mutable_command_khr handle;
};

static struct recorded {
    cl_command_buffer_khr buffer; // NULL: not recorded yet
    int queue;
    bool many, changes; // may be enqueued while pending; may be updated
    unsigned count;
    struct op ops[OPS];
    cl_event last;
} all_recorded[RECORDED];

static void end_recorded(struct recorded *r)
{
    if (r->buffer)
        CHECK_OK(cb.clReleaseCommandBufferKHR(r->buffer));
    if (r->last)
        CHECK_OK(clReleaseEvent(r->last));
    r->buffer = NULL;
    r->last = NULL;
}

static void pick_places(struct op *op)
{
    unsigned first = pick(BUFFERS);
    op->count = 1 + pick(WORDS / 2);
    op->to = (struct place){&memories[first], pick(WORDS - op->count)};
    op->from = (struct place){&memories[(first + 1 + pick(BUFFERS - 1)) % BUFFERS],
                              pick(WORDS - op->count)};
}

static bool conflict(const struct op *a, const struct op *b)
{
    return a->to.m == b->to.m || (a->what != FILL && a->from.m == b->to.m) ||
           (b->what != FILL && b->from.m == a->to.m);
}

// The sync points of the earlier commands that the last one depends on; all of them if buffers may
// change. In-order queues need none.
static cl_uint points_before(const struct recorded *r, cl_sync_point_khr points[OPS])
{
    const struct op *op = &r->ops[r->count];
    cl_uint count = 0;
    for (unsigned i = 0; r->queue >= IN_ORDER && i < r->count; i++)
        if (r->changes || conflict(&r->ops[i], op))
            points[count++] = r->ops[i].point;
    return count;
}

static void record_barrier(struct recorded *r)
{
    cl_sync_point_khr point;
    CHECK_OK(cb.clCommandBarrierWithWaitListKHR(r->buffer, NULL, NULL, 0, NULL, &point, NULL));
    for (unsigned i = 0; i < r->count; i++)
        r->ops[i].point = point;
}

static void record_op(struct recorded *r)
{
    static const cl_command_properties_khr fields[] = {
        CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR,
        CL_MUTABLE_DISPATCH_ARGUMENTS_KHR | CL_MUTABLE_DISPATCH_GLOBAL_SIZE_KHR, 0};
    struct op *op = &r->ops[r->count];
    cl_sync_point_khr points[OPS];
    *op = (struct op){.what = (enum what)pick(LAUNCH3 + 1), .k = pick(1u << 28)};
    pick_places(op);
    size_t global = op->count, bytes = 4 * op->count, to = 4 * op->to.at, from = 4 * op->from.at;
    cl_uint count = points_before(r, points);
    const cl_sync_point_khr *list = count ? points : NULL;
    if (op->what == FILL) {
        CHECK_OK(cb.clCommandFillBufferKHR(r->buffer, NULL, NULL, op->to.m->mem, &op->k, 4, to, bytes,
                                           count, list, &op->point, NULL));
    } else if (op->what == COPY) {
        CHECK_OK(cb.clCommandCopyBufferKHR(r->buffer, NULL, NULL, op->from.m->mem, op->to.m->mem, from,
                                           to, bytes, count, list, &op->point, NULL));
    } else {
        set_args(op->to, op->from, op->k);
        CHECK_OK(cb.clCommandNDRangeKernelKHR(r->buffer, NULL, r->changes ? fields : NULL, kernel, 1, NULL,
                                              &global, NULL, count, list, &op->point,
                                              r->changes ? &op->handle : NULL));
    }
    r->count++;
}

static void record_again(struct recorded *r)
{
    const unsigned count = 1 + pick(OPS);
    cl_command_buffer_flags_khr flags = 0;
    end_recorded(r);
    r->queue = (int)pick(QUEUES);
    r->many = pick(4);
    r->changes = has_mutable && pick(2);
    flags |= r->many ? CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR : 0;
    flags |= r->changes ? CL_COMMAND_BUFFER_MUTABLE_KHR : 0;
    r->buffer = cb_new(queues[r->queue], flags);
    for (r->count = 0; r->count < count;) {
        if (!pick(6))
            record_barrier(r);
        record_op(r);
    }
    cb_finish(r->buffer);
}

// Updates the value of a launch, and sometimes its buffers.
static void change_recorded(struct recorded *r)
{
    struct op *op = &r->ops[pick(r->count)];
    if (op->what < LAUNCH)
        return;
    op->k = pick(1000);
    if (pick(2))
        pick_places(op);
    const size_t global = op->count;
    const cl_mutable_dispatch_arg_khr args[] = {{4, sizeof op->k, &op->k},
                                                {0, sizeof(cl_mem), &op->to.m->mem},
                                                {1, sizeof(cl_mem), &op->from.m->mem},
                                                {2, sizeof op->to.at, &op->to.at},
                                                {3, sizeof op->from.at, &op->from.at}};
    const cl_mutable_dispatch_config_khr config = {
        .command = op->handle, .num_args = 5, .arg_list = args, .work_dim = 1, .global_work_size = &global};
    const cl_command_buffer_update_type_khr type = CL_STRUCTURE_TYPE_MUTABLE_DISPATCH_CONFIG_KHR;
    const void *list[] = {&config};
    CHECK_OK(cb.clUpdateMutableCommandsKHR(r->buffer, 1, &type, list));
}

// Bits: 1: a command of it reads `m`; 2: one writes it.
static unsigned uses(const struct recorded *r, const struct memory *m)
{
    unsigned bits = 0;
    for (unsigned i = 0; i < r->count; i++)
        bits |= (r->ops[i].to.m == m ? 2u : 0) | (r->ops[i].what != FILL && r->ops[i].from.m == m ? 1u : 0);
    return bits;
}

static struct recorded *ready_recorded(void)
{
    struct recorded *r = &all_recorded[pick(RECORDED)];
    if (!r->buffer || !pick(6))
        record_again(r);
    if (!r->many && r->last) {
        open_gates();
        CHECK_OK(clWaitForEvents(1, &r->last));
    }
    while (r->changes && pick(3))
        change_recorded(r);
    return r;
}

static void replay(void)
{
    struct recorded *r = ready_recorded();
    struct waits waits = {.count = 0};
    int queue = r->queue;
    if (queue == 2 || queue == 3)
        queue = 2 + (int)pick(2); // the two queues have the same properties
    for (int i = 0; i < BUFFERS; i++)
        if (uses(r, &memories[i]))
            follow_all(&waits, &memories[i], queue, uses(r, &memories[i]) & 2);
    follow_gate(&waits);
    if (r->last)
        CHECK_OK(clReleaseEvent(r->last));
    CHECK_OK(cb.clEnqueueCommandBufferKHR(queue != r->queue, queue != r->queue ? &queues[queue] : NULL, r->buffer,
                                          waits.count, list_of(&waits), &r->last));
    for (unsigned i = 0; i < r->count; i++)
        model(r->ops[i].what, r->ops[i].to, r->ops[i].from, r->ops[i].count, r->ops[i].k);
    for (int i = 0; i < BUFFERS; i++)
        if (uses(r, &memories[i]) & 2)
            wrote(&memories[i], r->last, queue);
        else if (uses(r, &memories[i]))
            has_read(&memories[i], r->last, queue);
    end_waits(&waits);
}

// ---- a command ----------------------------------------------------------------------------------

static void command(void)
{
    struct waits waits = {.count = 0};
    enum what what = (enum what)pick(has_recorded ? WHAT_COUNT : REPLAY);
    int queue = (int)pick(QUEUES);
    unsigned first = pick(BUFFERS), count = 1 + pick(WORDS / 2);
    struct place to = {&memories[first], pick(WORDS - count)};
    struct place from = {&memories[(first + 1 + pick(BUFFERS - 1)) % BUFFERS], pick(WORDS - count)};
    bool two = what >= COPY && what <= LAUNCH3, writes = what != READ;
    cl_event event = NULL;
    if (what == CHANGE && pick(6))
        what = FILL;
    number++;
    if (what >= REPLAY) {
        replay();
        return;
    }
    follow_all(&waits, to.m, queue, writes);
    if (two)
        follow_all(&waits, from.m, queue, false);
    bool blocking = (what == WRITE || what == READ) && host_waits(&count);
    if (what != CHANGE && !blocking)
        follow_gate(&waits);
    switch (what) {
    case FILL: event = fill(queue, to, count, &waits); break;
    case COPY: event = copy(queue, to, from, count, &waits); break;
    case WRITE: event = write_to(queue, to, count, blocking, &waits); break;
    case READ: event = read_from(queue, to, count, blocking, &waits); break;
    case CHANGE: event = change(queue, to, count, &waits); break;
    default: event = launch(queue, to, from, count, &waits); break;
    }
    if (writes)
        wrote(to.m, event, queue);
    else
        has_read(to.m, event, queue);
    if (two)
        has_read(from.m, event, queue);
    if (!pick(10)) {
        CHECK_OK(clSetEventCallback(event, CL_COMPLETE, on_done, NULL));
        calls_wanted++;
    }
    CHECK_OK(clReleaseEvent(event));
    end_waits(&waits);
}

// Other calls that an application makes between commands.
static void between(void)
{
    unsigned queue = pick(QUEUES), gate = pick(GATES);
    cl_int code;
    switch (pick(40)) {
    case 0:
        CHECK_OK(clFlush(queues[queue]));
        break;
    case 1:
        CHECK_OK(clEnqueueBarrierWithWaitList(queues[queue], 0, NULL, NULL));
        barriers[queue] = number + 1;
        break;
    case 2:
        CHECK_OK(clEnqueueMarkerWithWaitList(queues[queue], 0, NULL, NULL));
        break;
    case 3:
        if (!pick(8)) {
            open_gates();
            CHECK_OK(clFinish(queues[queue]));
        }
        break;
    case 4:
    case 5:
        if (!gates[gate]) {
            gates[gate] = clCreateUserEvent(test_context, &code);
            CHECK_OK(code);
        }
        break;
    case 6:
        open_gates();
        break;
    }
}

// ---- a run --------------------------------------------------------------------------------------

static void start(void)
{
    cl_int code;
    for (int i = 0; i < QUEUES; i++) {
        cl_command_queue_properties bits =
            i < IN_ORDER ? 0 : CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
        if (i == 1 || i == QUEUES - 1)
            bits |= CL_QUEUE_PROFILING_ENABLE;
        queues[i] = clCreateCommandQueue(test_context, test_device, bits, &code);
        CHECK_OK(code);
        barriers[i] = 0;
    }
    for (int i = 0; i < BUFFERS; i++) {
        for (int w = 0; w < WORDS; w++)
            memories[i].words[w] = pick(1u << 28);
        memories[i].mem =
            test_buffer(CL_MEM_COPY_HOST_PTR, sizeof memories[i].words, memories[i].words);
    }
}

static void compare(unsigned seed)
{
    static cl_uint got[WORDS];
    for (int i = 0; i < BUFFERS; i++) {
        CHECK_OK(clEnqueueReadBuffer(queues[0], memories[i].mem, CL_TRUE, 0, sizeof got, got, 0,
                                     NULL, NULL));
        if (!CHECK(!memcmp(got, memories[i].words, sizeof got)))
            printf("  seed %u, buffer %d\n", seed, i);
    }
    while (all_host_memory) {
        struct host_memory *host_memory = all_host_memory;
        all_host_memory = host_memory->next;
        if (host_memory->read &&
            !CHECK(!memcmp(host_memory->words, host_memory->want, host_memory->count * 4)))
            printf("  seed %u, a read\n", seed);
        free(host_memory);
    }
}

static void run(unsigned seed, unsigned commands)
{
    state = seed * 2654435761u + 1;
    number = 0;
    start();
    for (unsigned i = 0; i < commands; i++) {
        command();
        between();
    }
    open_gates();
    finish_all();
    compare(seed);
    for (int i = 0; i < SEMAPHORES; i++)
        end_semaphore(&semaphores[i]);
    for (int i = 0; i < RECORDED; i++)
        end_recorded(&all_recorded[i]);
    for (int i = 0; i < BUFFERS; i++) {
        forget(&memories[i].writer);
        for (int r = 0; r < memories[i].reader_count; r++)
            forget(&memories[i].readers[r]);
        memories[i].reader_count = 0;
        CHECK_OK(clReleaseMemObject(memories[i].mem));
    }
    for (int i = 0; i < QUEUES; i++)
        CHECK_OK(clReleaseCommandQueue(queues[i]));
}

static void find_functions(void)
{
    has_semaphores = cb_has("cl_khr_semaphore");
    has_recorded = cb_has("cl_khr_command_buffer");
    has_mutable = cb_has("cl_khr_command_buffer_mutable_dispatch");
#define FIND(name)                                                                                 \
    sem.name = (name##_fn)clGetExtensionFunctionAddressForPlatform(test_platform, #name);          \
    has_semaphores &= sem.name != NULL;
    SEMAPHORE_FUNCTIONS(FIND)
    if (has_recorded)
        cb_load();
}

int main(int argc, char **argv)
{
    unsigned seed = argc > 1 ? (unsigned)atoi(argv[1]) : 1;
    unsigned commands = argc > 2 ? (unsigned)atoi(argv[2]) : COMMANDS;
    unsigned seeds = argc > 3 ? (unsigned)atoi(argv[3]) : argc > 1 ? 1 : SEEDS;
    test_open();
    cl_program program = test_build(source, "");
    kernel = test_kernel(program, "mix");
    find_functions();
    for (unsigned i = 0; i < seeds; i++)
        run(seed + i, commands);
    for (int i = 0; i < 30000 && __atomic_load_n(&called, __ATOMIC_RELAXED) < calls_wanted; i++)
        usleep(1000);
    CHECK_EQ(__atomic_load_n(&called, __ATOMIC_RELAXED), calls_wanted);
    CHECK_NONE(__atomic_load_n(&failed, __ATOMIC_RELAXED));
    CHECK_OK(clReleaseKernel(kernel));
    CHECK_OK(clReleaseProgram(program));
    return test_close();
}
