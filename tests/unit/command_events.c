// SPDX-License-Identifier: Apache-2.0
// Dependencies of commands: wait lists across queues, user events, callbacks, native functions,
// errors, threads.
#include "vulkan_device.h"

#include <unistd.h>

#include "command/internal.h"
#include "util/thread.h"

enum { QUEUES = 4, WORDS = 4096, BYTES = WORDS * 4, PATIENCE_MS = 60000, LOCKED_MS = 20000 };

static struct vk_device *device;
static struct cmd_queue *queues[QUEUES];
static struct vk_buffer buffers[2 * QUEUES];

static struct command *fill(int q, int b, uint32_t word, struct command **waits, uint32_t count)
{
    struct command *event = NULL;
    struct cmd_request r = {.queue = queues[q], .waits = waits, .wait_count = count, .out = &event};
    CHECK(cmd_fill(&r, &buffers[b], 0, BYTES, &word, 4) == CL_SUCCESS);
    return event;
}

static struct command *copy(int q, int from, int to, struct command **waits, uint32_t count)
{
    struct command *event = NULL;
    struct cmd_request r = {.queue = queues[q], .waits = waits, .wait_count = count, .out = &event};
    CHECK(cmd_copy(&r, &buffers[from], 0, &buffers[to], 0, BYTES) == CL_SUCCESS);
    return event;
}

static uint32_t last_word(int q, int b, struct command **waits, uint32_t count)
{
    uint32_t word = 0;
    struct cmd_request r = {
        .queue = queues[q], .waits = waits, .wait_count = count, .blocking = true};
    CHECK(cmd_read(&r, &buffers[b], BYTES - 4, &word, 4) == CL_SUCCESS);
    return word;
}

static void open_queues(cl_command_queue_properties properties)
{
    for (int i = 0; i < QUEUES; i++)
        CHECK(cmd_queue_create(device, properties, &queues[i]) == CL_SUCCESS);
}

static void close_queues(void)
{
    for (int i = 0; i < QUEUES; i++)
        cmd_queue_release(queues[i]);
}

// A value copied from queue to queue, ordered by events only, without a flush.
static void check_chain(void)
{
    for (uint32_t round = 1; round < 50; round++) {
        struct command *event = fill(0, 0, round, NULL, 0);
        for (int hop = 1; hop < 9; hop++) {
            struct command *next = copy(hop % QUEUES, (hop - 1) % QUEUES, hop % QUEUES, &event, 1);
            cmd_release(event);
            event = next;
        }
        CHECK(last_word(2, 0, &event, 1) == round);
        CHECK(cmd_status(event) == CL_COMPLETE);
        cmd_release(event);
    }
}

static void check_user_event(void)
{
    struct command *user, *after, *other;
    struct cmd_request marker = {.queue = queues[0], .out = &other};
    CHECK(cmd_user_create(&user) == CL_SUCCESS);
    CHECK(cmd_status(user) == CL_SUBMITTED);
    cmd_release(fill(0, 0, 1, NULL, 0));
    after = fill(0, 0, 2, &user, 1);
    CHECK(cmd_marker(&marker) == CL_SUCCESS);
    struct command *elsewhere = copy(1, 0, 1, &after, 1);
    CHECK(cmd_flush(queues[0]) == CL_SUCCESS && cmd_flush(queues[1]) == CL_SUCCESS);
    usleep(20000);
    CHECK(cmd_status(after) == CL_QUEUED && cmd_status(other) == CL_QUEUED);
    CHECK(cmd_user_set(user, CL_COMPLETE) == CL_SUCCESS);
    CHECK(cmd_user_set(user, CL_COMPLETE) == CL_INVALID_OPERATION);
    CHECK(cmd_wait((struct command *[]){elsewhere, other}, 2) == CL_SUCCESS);
    CHECK(cmd_status(after) == CL_COMPLETE);
    CHECK(last_word(1, 1, NULL, 0) == 2);
    cmd_release(user), cmd_release(after), cmd_release(other), cmd_release(elsewhere);
}

static void check_error(void)
{
    struct command *user, *after, *third;
    CHECK(cmd_user_create(&user) == CL_SUCCESS);
    CHECK(last_word(0, 0, NULL, 0) != 77);
    after = fill(0, 0, 77, &user, 1);
    third = copy(1, 0, 1, &after, 1);
    CHECK(cmd_user_set(user, -5) == CL_SUCCESS);
    CHECK(cmd_wait(&third, 1) == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    CHECK(cmd_status(after) == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    CHECK(cmd_status(third) == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    CHECK(last_word(0, 0, NULL, 0) != 77);
    cmd_release(user), cmd_release(after), cmd_release(third);
}

// ---- callbacks and native functions -------------------------------------------------------------

static atomic_int calls, order_wrong;

static void native(void *data);

static void on_complete(struct command *command, cl_int status, void *data)
{
    CHECK(status == CL_COMPLETE && cmd_status(command) == CL_COMPLETE);
    int seen = atomic_fetch_add(&calls, 1);
    if (data && seen != *(int *)data)
        atomic_fetch_add(&order_wrong, 1);
    cl_int again = cmd_flush(queues[0]); // no lock is held here
    CHECK(again == CL_SUCCESS);
}

static void wait_calls(int want)
{
    for (int i = 0; i < PATIENCE_MS && atomic_load(&calls) < want; i++)
        usleep(1000);
    CHECK(atomic_load(&calls) == want);
}

static void check_callbacks(void)
{
    static int numbers[20];
    atomic_store(&calls, 0);
    for (int i = 0; i < 20; i++) {
        struct command *event = fill(0, 0, (uint32_t)i, NULL, 0);
        numbers[i] = i;
        CHECK(cmd_on_status(event, CL_COMPLETE, on_complete, &numbers[i], NULL) == CL_SUCCESS);
        cmd_release(event);
    }
    CHECK(cmd_flush(queues[0]) == CL_SUCCESS); // nobody waits: the completion thread sees the end
    wait_calls(20);
    CHECK(atomic_load(&order_wrong) == 0);
    struct command *done = fill(0, 0, 1, NULL, 0);
    CHECK(cmd_wait(&done, 1) == CL_SUCCESS);
    CHECK(cmd_on_status(done, CL_COMPLETE, on_complete, NULL, NULL) == CL_SUCCESS);
    wait_calls(21);
    cmd_release(done);
}

static PFN_vkGetQueryPoolResults read_queries;

static VKAPI_ATTR VkResult VKAPI_CALL read_slowly(VkDevice handle, VkQueryPool pool, uint32_t first, uint32_t count, size_t size,
                                                  void *data, VkDeviceSize stride, VkQueryResultFlags flags)
{
    usleep(50000);
    return read_queries(handle, pool, first, count, size, data, stride, flags);
}

// A command is complete when a dependent command of another queue has run, even while the
// completion thread still reads its times.
static void check_status_while_profiled(void)
{
    struct cmd_queue *profiled = queues[0];
    CHECK(cmd_queue_create(device, CL_QUEUE_PROFILING_ENABLE, &queues[0]) == CL_SUCCESS);
    read_queries = device->fn.GetQueryPoolResults;
    device->fn.GetQueryPoolResults = read_slowly;
    for (uint32_t round = 1; round < 4; round++) {
        struct command *event = fill(0, 0, round, NULL, 0);
        // the completion thread reads its times
        CHECK(cmd_on_status(event, CL_COMPLETE, on_complete, NULL, NULL) == CL_SUCCESS);
        cmd_release(copy(2, 0, 2, &event, 1));
        CHECK(last_word(2, 2, NULL, 0) == round);
        CHECK(cmd_status(event) == CL_COMPLETE);
        cmd_release(event);
    }
    CHECK(cmd_finish(queues[0]) == CL_SUCCESS);
    device->fn.GetQueryPoolResults = read_queries;
    cmd_queue_release(queues[0]);
    queues[0] = profiled;
}

static VKAPI_ATTR VkResult VKAPI_CALL never_reached(VkDevice handle, VkSemaphore semaphore, uint64_t *value)
{
    (void)handle, (void)semaphore;
    *value = 0;
    return VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL never_signalled(VkDevice handle, VkFence fence)
{
    (void)handle, (void)fence;
    return VK_NOT_READY;
}

static atomic_int polled;

static void *poll_status(void *command)
{
    atomic_store(&polled, cmd_status(command));
    return NULL;
}

// What a poll on another thread returns while this thread holds the lock; -1: nothing, because it
// waits for the lock.
static cl_int status_while_locked(struct command *command)
{
    pthread_t thread;
    atomic_store(&polled, -1);
    cmd_lock();
    CHECK(thread_start(&thread, "poll", poll_status, command) == 0);
    for (int i = 0; i < LOCKED_MS && atomic_load(&polled) == -1; i++)
        usleep(1000);
    cl_int status = atomic_load(&polled);
    cmd_unlock();
    pthread_join(thread, NULL);
    return status;
}

// Under the lock, because the completion thread may just be looking for the last time.
static void set_queries(PFN_vkGetSemaphoreCounterValue get_value, PFN_vkGetFenceStatus get_status)
{
    cmd_lock();
    device->fn.GetSemaphoreCounterValue = get_value;
    device->fn.GetFenceStatus = get_status;
    cmd_unlock();
}

// Polls do not delay enqueues: they take no lock for commands that are held, running or complete.
static void check_poll_takes_no_lock(void)
{
    struct command *user, *held, *event = fill(1, 1, 1, NULL, 0);
    PFN_vkGetSemaphoreCounterValue get_value = device->fn.GetSemaphoreCounterValue;
    PFN_vkGetFenceStatus get_status = device->fn.GetFenceStatus;
    CHECK(cmd_wait(&event, 1) == CL_SUCCESS);
    CHECK(status_while_locked(event) == CL_COMPLETE);
    cmd_release(event);
    CHECK(cmd_user_create(&user) == CL_SUCCESS);
    held = fill(0, 0, 1, &user, 1);
    CHECK(status_while_locked(held) == CL_QUEUED);
    CHECK(cmd_user_set(user, CL_COMPLETE) == CL_SUCCESS);
    CHECK(cmd_wait(&held, 1) == CL_SUCCESS); // from here on only polls query the device
    set_queries(never_reached, never_signalled);
    event = fill(1, 1, 1, NULL, 0);
    cl_int first = cmd_status(event);
    CHECK(first == CL_SUBMITTED || first == CL_COMPLETE); // complete: with PUMICE_SYNC
    CHECK(status_while_locked(event) == first);
    set_queries(get_value, get_status);
    for (int i = 0; i < PATIENCE_MS && cmd_status(event) != CL_COMPLETE; i++)
        usleep(1000);
    CHECK(cmd_status(event) == CL_COMPLETE);
    cmd_release(user), cmd_release(held), cmd_release(event);
}

// A callback that waits, which is undefined according to the specification, must not block
// everything.
static void on_complete_wait(struct command *command, cl_int status, void *data)
{
    (void)command, (void)status;
    int value = 0;
    struct command *after;
    struct cmd_request r = {.queue = queues[2], .out = &after};
    CHECK(cmd_native(&r, native, &value) == CL_SUCCESS); // runs on this thread
    struct command *filled = fill(3, 3, 9, &after, 1);
    CHECK(cmd_wait(&filled, 1) == CL_SUCCESS && value == 1);
    CHECK(cmd_finish(queues[2]) == CL_SUCCESS && cmd_finish(queues[3]) == CL_SUCCESS);
    cmd_release(after), cmd_release(filled);
    atomic_fetch_add((atomic_int *)data, 1);
}

static void check_waiting_callback(void)
{
    atomic_store(&calls, 0);
    struct command *event = fill(0, 0, 1, NULL, 0);
    CHECK(cmd_on_status(event, CL_COMPLETE, on_complete_wait, &calls, NULL) == CL_SUCCESS);
    CHECK(cmd_flush(queues[0]) == CL_SUCCESS);
    wait_calls(1);
    cmd_release(event);
}

static void native(void *data)
{
    usleep(2000);
    ++*(int *)data;
}

static void release_count(void *data)
{
    atomic_fetch_add((atomic_int *)data, 1);
}

static void check_native(void)
{
    int value = 0;
    static atomic_int released;
    atomic_store(&released, 0);
    struct cmd_hold hold = {&released, release_count};
    struct command *first, *second;
    struct cmd_request r = {.queue = queues[0], .out = &first, .holds = &hold, .hold_count = 1};
    cmd_release(fill(0, 0, 5, NULL, 0));
    CHECK(cmd_native(&r, native, &value) == CL_SUCCESS);
    r.out = &second;
    CHECK(cmd_native(&r, native, &value) == CL_SUCCESS);
    struct command *after = fill(1, 1, 6, &second, 1);
    CHECK(cmd_wait(&after, 1) == CL_SUCCESS);
    CHECK(value == 2 && cmd_status(first) == CL_COMPLETE);
    CHECK(cmd_finish(queues[0]) == CL_SUCCESS);
    for (int i = 0; i < PATIENCE_MS && atomic_load(&released) < 2; i++)
        usleep(1000); // soon, on the completion thread
    CHECK(atomic_load(&released) == 2);
    cmd_release(first), cmd_release(second), cmd_release(after);
}

// ---- out of order -------------------------------------------------------------------------------

static void check_out_of_order(void)
{
    struct command *user, *blocked, *barrier, *last;
    struct cmd_request r = {.queue = queues[0], .out = &barrier};
    CHECK(cmd_user_create(&user) == CL_SUCCESS);
    blocked = fill(0, 0, 11, &user, 1);
    struct command *freely = fill(0, 1, 12, NULL, 0);
    CHECK(cmd_wait(&freely, 1) == CL_SUCCESS); // overtakes the blocked command
    CHECK(cmd_status(blocked) == CL_QUEUED);
    CHECK(cmd_barrier(&r) == CL_SUCCESS);
    last = copy(0, 0, 1, NULL, 0);
    usleep(5000);
    CHECK(cmd_status(last) == CL_QUEUED);
    CHECK(cmd_user_set(user, CL_COMPLETE) == CL_SUCCESS);
    CHECK(cmd_finish(queues[0]) == CL_SUCCESS);
    CHECK(cmd_status(last) == CL_COMPLETE && cmd_status(barrier) == CL_COMPLETE);
    CHECK(last_word(0, 1, NULL, 0) == 11);
    cmd_release(user), cmd_release(blocked), cmd_release(freely), cmd_release(barrier);
    cmd_release(last);
    for (uint32_t i = 0; i < 200; i++) {
        struct command *one = fill(0, 0, i, NULL, 0), *two = copy(0, 0, 1, &one, 1);
        struct command *three = copy(0, 1, 2, &two, 1);
        if (i % 20 == 0)
            CHECK(last_word(0, 2, &three, 1) == i);
        CHECK(cmd_wait(&three, 1) == CL_SUCCESS);
        cmd_release(one), cmd_release(two), cmd_release(three);
    }
}

// ---- threads ------------------------------------------------------------------------------------

static void *hammer(void *data)
{
    int me = *(int *)data;
    struct command *user;
    for (uint32_t i = 0; i < 100; i++) {
        CHECK(cmd_user_create(&user) == CL_SUCCESS);
        struct command *mine = fill(me, me, i, i % 5 ? NULL : &user, i % 5 ? 0 : 1);
        struct command *shared = copy((me + 1) % QUEUES, me, me + QUEUES, &mine, 1);
        CHECK(cmd_user_set(user, CL_COMPLETE) == CL_SUCCESS);
        CHECK(last_word(me, me + QUEUES, &shared, 1) == i);
        cmd_release(user), cmd_release(mine), cmd_release(shared);
    }
    return NULL;
}

static void check_threads(void)
{
    pthread_t threads[QUEUES];
    int numbers[QUEUES];
    for (int i = 0; i < QUEUES; i++) {
        numbers[i] = i;
        CHECK(thread_start(&threads[i], "hammer", hammer, &numbers[i]) == 0);
    }
    for (int i = 0; i < QUEUES; i++)
        pthread_join(threads[i], NULL);
}

// A queue released with pending work: the work is done and the queue is freed.
static void check_release(void)
{
    open_queues(0);
    struct command *event = fill(0, 0, 123, NULL, 0), *user;
    CHECK(cmd_user_create(&user) == CL_SUCCESS);
    struct command *held = fill(1, 1, 124, &user, 1);
    close_queues();
    CHECK(cmd_user_set(user, CL_COMPLETE) == CL_SUCCESS);
    CHECK(cmd_wait((struct command *[]){event, held}, 2) == CL_SUCCESS);
    open_queues(0);
    CHECK(last_word(0, 0, NULL, 0) == 123 && last_word(0, 1, NULL, 0) == 124);
    close_queues();
    cmd_release(event), cmd_release(held), cmd_release(user);
}

int main(void)
{
    device = test_device();
    for (int i = 0; i < 2 * QUEUES; i++)
        CHECK(vk_buffer_create(device, VK_MEMORY_DEVICE, BYTES, &buffers[i]) == VK_SUCCESS);
    void *host = buffers[0].host;
    for (int mapped = 1; mapped >= 0; mapped--) {
        for (int i = 0; i < 2 * QUEUES; i++)
            buffers[i].host =
                mapped && host ? (char *)host + (buffers[i].address - buffers[0].address) : NULL;
        open_queues(0);
        check_chain();
        check_user_event();
        check_error();
        check_callbacks();
        check_status_while_profiled();
        check_poll_takes_no_lock();
        check_native();
        check_waiting_callback();
        check_threads();
        close_queues();
        open_queues(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE);
        check_out_of_order();
        check_chain();
        check_error();
        check_threads();
        close_queues();
        check_release();
    }
    for (int i = 0; i < 2 * QUEUES; i++)
        vk_buffer_destroy(&buffers[i]);
    vk_device_close(device);
    return test_result();
}
