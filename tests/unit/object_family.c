// SPDX-License-Identifier: Apache-2.0
// Kernels that enqueue kernels (kc.h: struct kc_enqueued), run by the command layer: every child
// runs once and after its parent; trees, chains, events, user events, markers, times; errors, waits
// that never end, overflow; two families at a time.
//
// The kernels write their records themselves, through two arguments that this test replaces by
// KC_PUSH_ENQUEUED and KC_PUSH_LAUNCH.
#include "vulkan_device.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "command/command.h"
#include "object/device_caps.h"
#include "util/thread.h"

static const char source[] =
    "struct box { uint used, limit, first, events, event_limit, free; ulong queue; };\n"
    "struct event { int status, references; ulong times[2]; };\n"
    "struct record { uint size; int number; ulong queue; uint flags, dim; ulong offset[3], "
    "global_size[3], local_size[3];\n"
    "                ulong event; uint waits, locals, captured, parent; };\n"
    "struct job { ulong out; uint depth, width; };\n"
    "enum { ROOT, WIDE, CHAIN, TREE, ADD, ORDER, LOCAL, EVENTS, TIMES, SET };\n"
    "#define EVENT(e) ((global struct event *)(box + 1))[(e) - 1]\n"
    "ulong event_new(global struct box *box)\n"
    "{\n"
    "    uint i = atomic_inc(&box->events);\n"
    "    if (i >= box->event_limit) return 0;\n"
    "    ulong e = ((global uint *)((global char *)box + box->free))[i];\n"
    "    EVENT(e).references = 1, EVENT(e).status = 2;\n"
    "    return e;\n"
    "}\n"
    // At most two events to wait for, at most two local arguments.
    "bool put(global struct box *box, uint launch, int kernel_, ulong items, ulong group, ulong "
    "event, ulong w0, ulong w1,\n"
    "         uint local_size, struct job job)\n"
    "{\n"
    "    uint waits = (w0 != 0) + (w1 != 0), locals = local_size != 0, size = 120 + 8 * waits + 8 "
    "* locals + 16;\n"
    "    uint at = atomic_add(&box->used, size);\n"
    "    if (at + size > box->limit) return false;\n"
    "    global char *p = (global char *)box + box->first + at;\n"
    "    global struct record *r = (global struct record *)p;\n"
    "    r->size = size, r->number = kernel_, r->queue = box->queue, r->flags = 1, r->dim = 1;\n"
    "    for (int i = 0; i < 3; i++) r->offset[i] = 0, r->global_size[i] = 1, r->local_size[i] = "
    "0;\n"
    "    r->global_size[0] = items, r->local_size[0] = group, r->event = event, r->waits = waits, "
    "r->locals = locals;\n"
    "    r->captured = 16, r->parent = launch;\n"
    "    p += sizeof(struct record);\n"
    "    if (w0) *(global ulong *)p = w0, p += 8;\n"
    "    if (w1) *(global ulong *)p = w1, p += 8;\n"
    "    if (locals) *(global uint *)p = local_size, p += 8;\n"
    "    *(global struct job *)p = job;\n"
    "    return true;\n"
    "}\n"
    "kernel void root(global struct box *box, uint launch, struct job job, int kind)\n"
    "{\n"
    "    put(box, launch, kind, 1, 0, 0, 0, 0, 0, job);\n"
    "}\n"
    "kernel void wide(global struct box *box, uint launch, struct job job)\n"
    "{\n"
    "    global uint *out = (global uint *)job.out;\n"
    "    for (uint i = 0; i < job.width; i++)\n"
    "        if (!put(box, launch, ADD, 3, 0, 0, 0, 0, 0, job)) atomic_inc(out + 1);\n"
    "}\n"
    "kernel void chain(global struct box *box, uint launch, struct job job)\n"
    "{\n"
    "    global uint *out = (global uint *)job.out;\n"
    "    if (out[0] != job.width - job.depth) atomic_inc(out + 1);\n"
    "    out[0]++;\n"
    "    if (--job.depth) put(box, launch, CHAIN, 1, 0, 0, 0, 0, 0, job);\n"
    "}\n"
    "kernel void tree(global struct box *box, uint launch, struct job job)\n"
    "{\n"
    "    atomic_inc((global uint *)job.out);\n"
    "    if (!job.depth--) return;\n"
    "    for (uint i = 0; i < job.width; i++) put(box, launch, TREE, 1, 0, 0, 0, 0, 0, job);\n"
    "}\n"
    "kernel void add(global struct box *box, uint launch, struct job job)\n"
    "{\n"
    "    atomic_inc((global uint *)job.out);\n"
    "}\n"
    // Each must find the result of the previous one.
    "kernel void order(global struct box *box, uint launch, struct job job)\n"
    "{\n"
    "    global uint *out = (global uint *)job.out;\n"
    "    if (out[0] != job.depth) out[1]++;\n"
    "    out[0]++;\n"
    "}\n"
    "kernel void local_(global struct box *box, uint launch, local uint *l, struct job job)\n"
    "{\n"
    "    l[get_local_id(0)] = get_global_id(0);\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    uint other = l[get_local_size(0) - 1 - get_local_id(0)];\n"
    "    if (other / get_local_size(0) == get_group_id(0)) atomic_inc((global uint *)job.out);\n"
    "}\n"
    "kernel void events(global struct box *box, uint launch, struct job job)\n"
    "{\n"
    "    ulong e[2] = {0, 0}, user;\n"
    "    job.depth = 0;\n"
    "    switch (job.width) {\n"
    "    case 0:\n" // a chain by events, within one generation
    "        for (uint i = 0; i < 200; i++) {\n"
    "            e[1] = event_new(box);\n"
    "            put(box, launch, ORDER, 1, 0, e[1], e[0], 0, 0, job);\n"
    "            if (e[0]) atomic_dec(&EVENT(e[0]).references);\n"
    "            e[0] = e[1], job.depth++;\n"
    "        }\n"
    "        atomic_dec(&EVENT(e[0]).references);\n"
    "        break;\n"
    "    case 1:\n" // a wait for a tree is a wait for all of it
    "        e[0] = event_new(box), e[1] = event_new(box);\n"
    "        job.depth = 3, job.width = 4;\n"
    "        put(box, launch, TREE, 1, 0, e[0], 0, 0, 0, job);\n"
    "        put(box, launch, -1, 0, 0, e[1], e[0], 0, 0, job);\n"
    "        job.depth = 85;\n"
    "        put(box, launch, ORDER, 1, 0, 0, e[1], 0, 0, job);\n"
    "        break;\n"
    "    case 2:\n" // a user event that a later child completes
    "        user = event_new(box), e[0] = event_new(box);\n"
    "        job.depth = 1;\n"
    "        put(box, launch, ORDER, 1, 0, e[0], user, 0, 0, job);\n"
    "        job.depth = 2, job.width = user;\n"
    "        put(box, launch, SET, 1, 0, 0, 0, 0, 0, job);\n"
    "        break;\n"
    "    case 3:\n" // a user event that nobody completes
    "        user = event_new(box), e[0] = event_new(box);\n"
    "        put(box, launch, ORDER, 1, 0, e[0], user, 0, 0, job);\n"
    "        put(box, launch, ORDER, 1, 0, 0, e[0], 0, 0, job);\n"
    "        break;\n"
    "    case 4:\n" // a work-group that is too large; commands that wait for it do not run
    "        e[0] = event_new(box);\n"
    "        put(box, launch, ADD, 1 << 20, 1 << 20, e[0], 0, 0, 0, job);\n"
    "        put(box, launch, ADD, 1, 0, 0, e[0], 0, 0, job);\n"
    "        break;\n"
    "    case 5:\n" // a failed user event
    "        user = event_new(box);\n"
    "        EVENT(user).status = -77;\n"
    "        put(box, launch, ADD, 1, 0, 0, user, 0, 0, job);\n"
    "        break;\n"
    "    case 6:\n" // an invalid event
    "        put(box, launch, ADD, 1, 0, 0, 12345, 0, 0, job);\n"
    "        break;\n"
    "    case 7:\n" // allocates all events, and again after releasing them
    "        for (uint i = 0; i < 20000; i++) {\n"
    "            e[0] = event_new(box);\n"
    "            if (e[0]) ((global uint *)job.out)[0]++, EVENT(e[0]).references = 0;\n"
    "        }\n"
    "        if (!((global uint *)job.out)[1]++) {\n"
    "            job.width = 7;\n"
    "            put(box, launch, EVENTS, 1, 0, 0, 0, 0, 0, job);\n"
    "        }\n"
    "        break;\n"
    "    case 8:\n" // times
    "        e[0] = event_new(box);\n"
    "        job.depth = 2, job.width = 2;\n"
    "        put(box, launch, TREE, 1, 0, e[0], 0, 0, 0, job);\n"
    "        { uint at = atomic_add(&box->used, 120);\n"
    "          global struct record *r = (global struct record *)((global char *)box + box->first "
    "+ at);\n"
    "          r->size = 120, r->number = -2, r->event = e[0], r->offset[0] = job.out + 64, "
    "r->parent = launch;\n"
    "          r->waits = r->locals = r->captured = 0; }\n"
    "        EVENT(e[0]).references = 0;\n"
    "        break;\n"
    "    case 9:\n" // an invalid enqueue record
    "        put(box, launch, 1000, 1, 0, 0, 0, 0, 0, job);\n"
    "        break;\n"
    "    case 10:\n"
    "        put(box, launch, LOCAL, 64, 16, 0, 0, 0, 64, job);\n"
    "        break;\n"
    "    }\n"
    "}\n"
    "kernel void times(global struct box *box, uint launch, struct job job) {}\n"
    "kernel void set(global struct box *box, uint launch, struct job job)\n"
    "{\n"
    "    atomic_inc((global uint *)job.out);\n"
    "    if (--job.depth) put(box, launch, SET, 1, 0, 0, 0, 0, 0, job);\n"
    "    else EVENT(job.width).status = 0, ((global uint *)job.out)[0] = 1;\n"
    "}\n";

enum { ROOT, WIDE, CHAIN, TREE, ADD, ORDER, LOCAL, EVENTS, TIMES, SET, KERNELS };

struct job {
    uint64_t out;
    uint32_t depth, width;
};

static struct vk_device *device;
static struct kc_program *program;
static struct cmd_kernel *kernels[KERNELS];
static atomic_int uses;

// ---- replaces what the compiler would do --------------------------------------------------------

static void patch(struct kc_kernel *kernel)
{
    struct kc_arg *args = (struct kc_arg *)kernel->args;
    struct kc_push *push = (struct kc_push *)kernel->push;
    struct kc_spec *specs = (struct kc_spec *)kernel->specs;
    for (uint32_t i = 0; i < kernel->push_count; i++) {
        bool of_arg = push[i].kind == KC_PUSH_ARG || push[i].kind == KC_PUSH_LOCAL_ARG;
        if (of_arg && push[i].arg < 2)
            push[i].kind = push[i].arg ? KC_PUSH_LAUNCH : KC_PUSH_ENQUEUED;
        else if (of_arg)
            push[i].arg -= 2;
        kernel->enqueues |= push[i].kind == KC_PUSH_ENQUEUED;
    }
    for (uint32_t i = 0; i < kernel->spec_count; i++)
        if (specs[i].kind == KC_SPEC_LOCAL_ARG)
            specs[i].arg -= 2;
    kernel->arg_count -= 2;
    memmove(args, args + 2, kernel->arg_count * sizeof *args);
    kernel->block = kernel != program->kernels;
}

static void build(void)
{
    static struct device_caps caps;
    device_caps_fill(&caps, device->facts);
    if (!caps.target.physical_addressing)
        exit(77);
    const struct kc_input input = {.source = source, .length = sizeof source - 1, .options = "-cl-std=CL2.0"};
    program = kc_build(&input, &caps.target);
    if (!program || program->status != KC_OK || program->kernel_count != KERNELS) {
        fprintf(stderr, "%s\n", program ? program->log : "");
        exit(1);
    }
    for (uint32_t i = 0; i < KERNELS; i++)
        patch((struct kc_kernel *)&program->kernels[i]);
}

static void use(void *code)
{
    (void)code;
    uses++;
}

static void drop(void *code)
{
    (void)code;
    uses--;
}

static cl_int get_kernel(void *code, uint32_t index, struct cmd_kernel **kernel)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    cl_int result = CL_SUCCESS;
    (void)code;
    pthread_mutex_lock(&lock);
    if (!kernels[index])
        result = cmd_kernel_create(device, &program->kernels[index], false, &kernels[index]);
    *kernel = kernels[index];
    pthread_mutex_unlock(&lock);
    return result;
}

// ---- launches -----------------------------------------------------------------------------------

struct place { // the memory of one thread
    struct cmd_queue *queue;
    struct vk_buffer buffer;
    uint32_t out[32];
};

static cl_int launch(struct place *place, int32_t kind, uint32_t depth, uint32_t width, uint32_t bytes, bool timed,
                     struct command **out)
{
    const struct job job = {place->buffer.address, depth, width};
    const struct cmd_arg args[] = {{.value = &job, .size = sizeof job}, {.value = &kind, .size = sizeof kind}};
    const struct cmd_enqueuer who = {NULL, use, drop, get_kernel, 1, bytes, timed};
    struct cmd_request request = {.queue = place->queue, .out = out};
    struct cmd_ndrange range = {.args = args, .dims = 1, .global = {1}, .program = program, .any_memory = true,
                                .enqueuer = &who};
    CHECK(get_kernel(NULL, ROOT, &range.kernel) == CL_SUCCESS);
    return cmd_ndrange(&request, &range);
}

static void clear(struct place *place)
{
    struct cmd_request request = {.queue = place->queue};
    CHECK(cmd_fill(&request, &place->buffer, 0, sizeof place->out, &(uint32_t){0}, 4) == CL_SUCCESS);
}

static void read_out(struct place *place)
{
    struct cmd_request request = {.queue = place->queue, .blocking = true};
    CHECK(cmd_read(&request, &place->buffer, 0, place->out, sizeof place->out) == CL_SUCCESS);
}

// Checks the words at the end of the family, and its status.
static void run(struct place *place, int32_t kind, uint32_t depth, uint32_t width, cl_int status, uint32_t first,
                uint32_t second)
{
    struct command *command;
    clear(place);
    CHECK(launch(place, kind, depth, width, 1 << 20, false, &command) == CL_SUCCESS);
    read_out(place);
    bool good = cmd_status(command) == status && place->out[0] == first && place->out[1] == second;
    CHECK(good);
    if (!good)
        fprintf(stderr, "  kernel %d, depth %u, width %u: status %d, %u and %u\n", kind, depth, width, cmd_status(command),
                place->out[0], place->out[1]);
    cmd_release(command);
}

static void check_shapes(struct place *place)
{
    run(place, ADD, 0, 0, CL_COMPLETE, 1, 0);
    run(place, WIDE, 0, 1000, CL_COMPLETE, 3000, 0);
    run(place, CHAIN, 100, 100, CL_COMPLETE, 100, 0);
    run(place, TREE, 5, 3, CL_COMPLETE, 364, 0);
}

// An invalid record is not an error of a child: the queue reports it.
static void check_nonsense(struct place *place)
{
    struct command *command;
    clear(place);
    CHECK(launch(place, EVENTS, 0, 9, 1 << 20, false, &command) == CL_SUCCESS);
    CHECK(cmd_finish(place->queue) == CL_OUT_OF_RESOURCES);
    CHECK(cmd_status(command) == CL_OUT_OF_RESOURCES);
    cmd_release(command);
}

static void check_events(struct place *place)
{
    run(place, EVENTS, 0, 0, CL_COMPLETE, 200, 0);
    run(place, EVENTS, 0, 1, CL_COMPLETE, 86, 0);
    run(place, EVENTS, 0, 2, CL_COMPLETE, 2, 0);
    run(place, EVENTS, 0, 3, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, 0, 0);
    run(place, EVENTS, 0, 4, CL_INVALID_WORK_ITEM_SIZE, 0, 0);
    run(place, EVENTS, 0, 5, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, 0, 0);
    run(place, EVENTS, 0, 6, CL_INVALID_EVENT_WAIT_LIST, 0, 0);
    run(place, EVENTS, 0, 7, CL_COMPLETE, 2 * CMD_DEVICE_EVENTS, 2);
    check_nonsense(place);
    run(place, EVENTS, 0, 10, CL_COMPLETE, 64, 0);
    run(place, EVENTS, 0, 7, CL_COMPLETE, 2 * CMD_DEVICE_EVENTS, 2);
}

static void check_overflow(struct place *place)
{
    clear(place);
    CHECK(launch(place, WIDE, 0, 1000, 136 * 100 + 8, false, NULL) == CL_SUCCESS);
    read_out(place);
    CHECK(place->out[0] == 300 && place->out[1] == 900);
}

static void check_times(struct place *place)
{
    cl_ulong times[5], child[2];
    struct command *command;
    clear(place);
    CHECK(launch(place, EVENTS, 0, 8, 1 << 20, true, &command) == CL_SUCCESS);
    read_out(place);
    memcpy(child, place->out + 16, sizeof child);
    CHECK(place->out[0] == 7 && child[0] > 0 && child[1] > child[0] && child[1] < 10000000000);
    CHECK(cmd_profile(command, times) == CL_SUCCESS);
    CHECK(times[0] <= times[1] && times[1] <= times[2] && times[2] < times[3] && times[3] < times[4]);
    CHECK(times[4] - times[2] > child[1]);
    cmd_release(command);
}

static void *run_all(void *data)
{
    struct place *place = data;
    for (int i = 0; i < 5; i++) {
        check_shapes(place);
        check_events(place);
        check_overflow(place);
    }
    return NULL;
}

static void begin(struct place *place, cl_command_queue_properties properties)
{
    CHECK(cmd_queue_create(device, properties, &place->queue) == CL_SUCCESS);
    CHECK(vk_buffer_create(device, VK_MEMORY_DEVICE, sizeof place->out, &place->buffer) == VK_SUCCESS);
}

// Another thread may still be about to drop what the last commands held.
static bool soon_unused(void)
{
    for (int i = 0; uses && i < 5000; i++)
        thread_sleep_us(1000);
    return !uses;
}

static void end(struct place *place)
{
    CHECK(cmd_finish(place->queue) == CL_SUCCESS);
    cmd_queue_release(place->queue);
    vk_buffer_destroy(&place->buffer);
}

// Many families at once, with waits only after all have been enqueued.
static void check_many(struct place *place)
{
    clear(place);
    for (int i = 0; i < 50; i++)
        CHECK(launch(place, TREE, 3, 2, 1 << 20, false, NULL) == CL_SUCCESS);
    read_out(place);
    CHECK(place->out[0] == 50 * 15);
}

int main(void)
{
    static struct place one, two;
    pthread_t threads[2];
    device = test_device();
    build();
    begin(&one, CL_QUEUE_PROFILING_ENABLE);
    begin(&two, 0);
    check_shapes(&one);
    check_events(&one);
    check_overflow(&one);
    check_times(&one);
    check_many(&one);
    CHECK(!pthread_create(&threads[0], NULL, run_all, &one) && !pthread_create(&threads[1], NULL, run_all, &two));
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    end(&one);
    end(&two);
    CHECK(soon_unused());
    for (int i = 0; i < KERNELS; i++)
        cmd_kernel_destroy(kernels[i]);
    kc_program_destroy(program);
    vk_device_close(device);
    return test_result();
}
