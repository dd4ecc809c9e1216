// SPDX-License-Identifier: Apache-2.0
// Random graphs of commands over several queues against a sequential run on the host.
//
// Commands of all kinds on a few buffers go to in-order and out-of-order queues. Two that touch the
// same buffer, one of them writing, are ordered by an event, by their in-order queue or by a
// barrier, whichever there is; so the result is that of the same commands one after the other,
// which the host works out while it enqueues. User events hold parts of the graph back; what waits
// for nothing may go any time.
//
//   api_dag [SEED [COMMANDS [SEEDS]]]
#include "test.h"

#include <unistd.h>

enum {
    QUEUES = 5, // the first IN_ORDER keep their order
    IN_ORDER = 2,
    BUFFERS = 6,
    WORDS = 512,
    READERS = 24,
    GATES = 6,
    WAITS = BUFFERS * READERS + GATES + 8,
    COMMANDS = 1500,
    SEEDS = 4,
};

struct done { // a command that others may have to follow
    cl_event event;
    int queue;
    unsigned number;
};

struct memory {
    cl_mem mem;
    struct done writer, readers[READERS];
    int reader_count;
    cl_uint words[WORDS]; // as the sequential run has it
};

struct kept { // host memory of a command that may not have run yet
    struct kept *next;
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
static struct kept *all_kept;
static unsigned state, number;
static int called, failed, calls_wanted;

static unsigned pick(unsigned below)
{
    state = state * 1664525u + 1013904223u;
    return (unsigned)(((uint64_t)(state >> 4) * below) >> 28);
}

// ---- what a command must follow -----------------------------------------------------------------

struct waits {
    cl_event list[WAITS];
    cl_uint count;
};

static void follow(struct waits *waits, const struct done *done, int queue)
{
    bool implied = done->queue == queue && (queue < IN_ORDER || done->number < barriers[queue]);
    if (!done->event || (implied && pick(8)))
        return;
    waits->list[waits->count++] = done->event;
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

// One marker stands for many readers.
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

// Where commands failed their queue tells: a barrier hands no error on to those behind it.
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

static struct kept *keep(size_t count, bool read)
{
    struct kept *kept = calloc(1, sizeof *kept + 2 * count * sizeof *kept->words);
    kept->next = all_kept;
    kept->read = read;
    kept->count = count;
    kept->want = kept->words + count;
    all_kept = kept;
    return kept;
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

static cl_event fill(int queue, struct place to, unsigned count, const struct waits *waits)
{
    cl_event event;
    cl_uint value = pick(1u << 28);
    CHECK_OK(clEnqueueFillBuffer(queues[queue], to.m->mem, &value, 4, to.at * 4, count * 4,
                                 waits->count, list_of(waits), &event));
    for (unsigned i = 0; i < count; i++)
        to.m->words[to.at + i] = value;
    return event;
}

static cl_event copy(int queue, struct place to, struct place from, unsigned count,
                     const struct waits *waits)
{
    cl_event event;
    CHECK_OK(clEnqueueCopyBuffer(queues[queue], from.m->mem, to.m->mem, from.at * 4, to.at * 4,
                                 count * 4, waits->count, list_of(waits), &event));
    memcpy(to.m->words + to.at, from.m->words + from.at, count * 4);
    return event;
}

static cl_event launch(int queue, struct place to, struct place from, unsigned count,
                       const struct waits *waits)
{
    cl_event event;
    size_t global = count;
    cl_uint k = pick(1000);
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof(cl_mem), &to.m->mem));
    CHECK_OK(clSetKernelArg(kernel, 1, sizeof(cl_mem), &from.m->mem));
    CHECK_OK(clSetKernelArg(kernel, 2, sizeof to.at, &to.at));
    CHECK_OK(clSetKernelArg(kernel, 3, sizeof from.at, &from.at));
    CHECK_OK(clSetKernelArg(kernel, 4, sizeof k, &k));
    CHECK_OK(clEnqueueNDRangeKernel(queues[queue], kernel, 1, NULL, &global, NULL, waits->count,
                                    list_of(waits), &event));
    for (unsigned i = 0; i < count; i++)
        to.m->words[to.at + i] = to.m->words[to.at + i] * 3 + from.m->words[from.at + i] + k;
    return event;
}

static cl_event write_to(int queue, struct place to, unsigned count, const struct waits *waits)
{
    cl_event event;
    struct kept *kept = keep(count, false);
    for (unsigned i = 0; i < count; i++)
        kept->words[i] = to.m->words[to.at + i] = pick(1u << 28);
    CHECK_OK(clEnqueueWriteBuffer(queues[queue], to.m->mem, CL_FALSE, to.at * 4, count * 4,
                                  kept->words, waits->count, list_of(waits), &event));
    return event;
}

static cl_event read_from(int queue, struct place from, unsigned count, const struct waits *waits)
{
    cl_event event;
    struct kept *kept = keep(count, true);
    memcpy(kept->want, from.m->words + from.at, count * 4);
    CHECK_OK(clEnqueueReadBuffer(queues[queue], from.m->mem, CL_FALSE, from.at * 4, count * 4,
                                 kept->words, waits->count, list_of(waits), &event));
    return event;
}

// The host must see the memory, so all that holds it back has to go on first.
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

enum what { FILL, COPY, LAUNCH, LAUNCH2, LAUNCH3, WRITE, READ, CHANGE, WHAT_COUNT };

static void command(void)
{
    struct waits waits = {.count = 0};
    enum what what = (enum what)pick(WHAT_COUNT);
    int queue = (int)pick(QUEUES);
    unsigned first = pick(BUFFERS), count = 1 + pick(WORDS / 2);
    struct place to = {&memories[first], pick(WORDS - count)};
    struct place from = {&memories[(first + 1 + pick(BUFFERS - 1)) % BUFFERS], pick(WORDS - count)};
    bool two = what >= COPY && what <= LAUNCH3, writes = what != READ;
    cl_event event = NULL;
    if (what == CHANGE && pick(6))
        what = FILL;
    number++;
    follow_all(&waits, to.m, queue, writes);
    if (two)
        follow_all(&waits, from.m, queue, false);
    if (what != CHANGE)
        follow_gate(&waits);
    switch (what) {
    case FILL: event = fill(queue, to, count, &waits); break;
    case COPY: event = copy(queue, to, from, count, &waits); break;
    case WRITE: event = write_to(queue, to, count, &waits); break;
    case READ: event = read_from(queue, to, count, &waits); break;
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
}

// What an application does between commands.
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
    while (all_kept) {
        struct kept *kept = all_kept;
        all_kept = kept->next;
        if (kept->read && !CHECK(!memcmp(kept->words, kept->want, kept->count * 4)))
            printf("  seed %u, a read\n", seed);
        free(kept);
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

int main(int argc, char **argv)
{
    unsigned seed = argc > 1 ? (unsigned)atoi(argv[1]) : 1;
    unsigned commands = argc > 2 ? (unsigned)atoi(argv[2]) : COMMANDS;
    unsigned seeds = argc > 3 ? (unsigned)atoi(argv[3]) : argc > 1 ? 1 : SEEDS;
    test_open();
    cl_program program = test_build(source, "");
    kernel = test_kernel(program, "mix");
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
