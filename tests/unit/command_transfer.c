// SPDX-License-Identifier: Apache-2.0
// Writes, reads, copies, fills, rectangles and maps compared with the same on the host.
#include "vulkan_device.h"

#include "command/internal.h"

enum { SIZE = 300000 };

static struct vk_device *device;
static struct cmd_queue *queue;
static struct vk_buffer a, b;
static unsigned char model_a[SIZE], model_b[SIZE], got[SIZE];
static bool blocking;

static uint32_t next_random(void)
{
    static uint32_t state = 2463534242;
    state ^= state << 13;
    state ^= state >> 17;
    return state ^= state << 5;
}

static const struct cmd_request *request(void)
{
    static struct cmd_request r;
    r = (struct cmd_request){.queue = queue, .blocking = blocking};
    return &r;
}

static void check_same(void)
{
    struct cmd_request r = {.queue = queue, .blocking = true};
    CHECK(cmd_read(&r, &a, 0, got, SIZE) == CL_SUCCESS);
    CHECK(!memcmp(got, model_a, SIZE));
    CHECK(cmd_read(&r, &b, 0, got, SIZE) == CL_SUCCESS);
    CHECK(!memcmp(got, model_b, SIZE));
}

static unsigned char source[SIZE];

static void step_write(void)
{
    uint32_t offset = next_random() % (SIZE / 2), size = 1 + next_random() % (SIZE / 2);
    if (next_random() % 2) // short and aligned: copied by vkCmdUpdateBuffer
        offset -= offset % 4, size = 4 + size % 300 * 4;
    CHECK(cmd_write(request(), &a, offset, source + offset / 2, size) == CL_SUCCESS);
    memcpy(model_a + offset, source + offset / 2, size);
}

static void step_copy(void)
{
    uint32_t from = next_random() % (SIZE / 2), to = next_random() % (SIZE / 2);
    uint32_t size = 1 + next_random() % (SIZE / 2);
    if (next_random() % 2) { // long and aligned: by a kernel on some devices
        uint32_t align = next_random() % 2 ? 16 : 4;
        from -= from % align, to -= to % align;
        size = SIZE / 4 + size / 8 * 4;
    }
    CHECK(cmd_copy(request(), &a, from, &b, to, size) == CL_SUCCESS);
    memcpy(model_b + to, model_a + from, size);
}

static void step_fill(void)
{
    unsigned char pattern[128];
    size_t size = (size_t)1 << next_random() % 8;
    uint32_t count = 1 + next_random() % (SIZE / 2 / size),
             first = next_random() % (SIZE / 2 / size);
    for (size_t i = 0; i < size; i++)
        pattern[i] = (unsigned char)next_random();
    CHECK(cmd_fill(request(), &b, first * size, count * size, pattern, size) == CL_SUCCESS);
    for (size_t i = 0; i < count * size; i++)
        model_b[first * size + i] = pattern[i % size];
}

static void step_rect(void)
{
    const size_t region[3] = {1 + next_random() % 60, 1 + next_random() % 40,
                              1 + next_random() % 5};
    struct cmd_rect from = {next_random() % 1000, 60 + next_random() % 9, 0};
    struct cmd_rect to = {next_random() % 1000, 60 + next_random() % 9, 0};
    from.slice_pitch = from.row_pitch * (40 + next_random() % 3);
    to.slice_pitch = to.row_pitch * (40 + next_random() % 3);
    uint32_t way = next_random() % 3;
    if (way == 0)
        CHECK(cmd_copy_rect(request(), &a, &from, &b, &to, region) == CL_SUCCESS);
    else if (way == 1)
        CHECK(cmd_write_rect(request(), &b, &to, source, &from, region) == CL_SUCCESS);
    else
        CHECK(cmd_read_rect(request(), &b, &to, got, &from, region) == CL_SUCCESS);
    if (way == 2)
        CHECK(cmd_finish(queue) == CL_SUCCESS);
    for (size_t z = 0; z < region[2]; z++)
        for (size_t y = 0; y < region[1]; y++) {
            size_t f = from.offset + z * from.slice_pitch + y * from.row_pitch;
            size_t t = to.offset + z * to.slice_pitch + y * to.row_pitch;
            if (way == 2)
                CHECK(!memcmp(got + f, model_b + t, region[0]));
            else
                memcpy(model_b + t, (way ? source : model_a) + f, region[0]);
        }
}

static void step_map(void)
{
    uint32_t offset = next_random() % (SIZE / 2), size = 1 + next_random() % (SIZE / 2);
    bool whole = next_random() % 2;
    struct cmd_request r = {.queue = queue, .blocking = true};
    struct cmd_mapping *mapping;
    unsigned char *host = next_random() % 2 ? got : NULL, *at;
    cl_map_flags flags = whole ? CL_MAP_WRITE_INVALIDATE_REGION : CL_MAP_READ | CL_MAP_WRITE;
    CHECK(cmd_map(&r, &a, offset, size, host, flags, &mapping, (void **)&at) == CL_SUCCESS);
    if (!whole)
        CHECK(!memcmp(at, model_a + offset, size));
    for (uint32_t i = 0; i < size; i += whole ? 1 : 1 + next_random() % 100)
        at[i] = model_a[offset + i] = (unsigned char)(i * 7);
    CHECK(cmd_unmap(request(), mapping) == CL_SUCCESS);
    if (host)
        CHECK(cmd_finish(queue) == CL_SUCCESS); // `got` is reused
}

static void run(cl_command_queue_properties properties, int steps)
{
    static void (*const all[])(void) = {step_write, step_copy, step_fill, step_rect, step_map};
    CHECK(cmd_queue_create(device, properties, &queue) == CL_SUCCESS);
    for (int i = 0; i < steps; i++) {
        blocking = properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE || next_random() % 4 == 0;
        all[next_random() % 5]();
        if (i % 20 == 19)
            check_same();
    }
    check_same();
    cmd_queue_release(queue);
}

// Non-blocking reads into memory that a later write uses as its source: the write must see what was
// read.
static void check_host_order(void)
{
    struct cmd_request r = {.queue = queue};
    unsigned char first = 1, second = 2;
    CHECK(cmd_queue_create(device, 0, &queue) == CL_SUCCESS);
    r.queue = queue;
    for (int i = 0; i < 50; i++) {
        memset(got, 0xee, SIZE);
        first = (unsigned char)i, second = (unsigned char)(i + 1);
        CHECK(cmd_fill(&r, &a, 0, SIZE, &first, 1) == CL_SUCCESS);
        CHECK(cmd_read(&r, &a, 0, got, SIZE) == CL_SUCCESS);
        CHECK(cmd_fill(&r, &a, 0, SIZE, &second, 1) == CL_SUCCESS);
        CHECK(cmd_write(&r, &b, 0, got, SIZE) == CL_SUCCESS);
        CHECK(cmd_finish(queue) == CL_SUCCESS);
        memset(model_a, second, SIZE);
        memset(model_b, first, SIZE);
        check_same();
    }
    cmd_queue_release(queue);
}

// A write from memory that the device can also access must not read it before commands in the
// queue's inbox have run.
static void check_inbox(void)
{
    unsigned char value = 1;
    CHECK(cmd_queue_create(device, 0, &queue) == CL_SUCCESS);
    queue->concurrent = true; // so that nothing waits here, even with PUMICE_SYNC
    const struct cmd_request r = {.queue = queue};
    const struct command reader = {.queue = queue, .shared_host = true, .host_begin = 1, .host_end = 2};
    CHECK(cmd_may_read_host(&r, &reader));
    pthread_mutex_lock(&queue->lock); // as another thread that starts commands does
    CHECK(cmd_fill(&r, &a, 0, SIZE, &value, 1) == CL_SUCCESS);
    CHECK(queue->inbox_count == 1 && !queue->open);
    CHECK(!cmd_may_read_host(&r, &reader));
    pthread_mutex_unlock(&queue->lock);
    CHECK(cmd_finish(queue) == CL_SUCCESS);
    CHECK(cmd_may_read_host(&r, &reader));
    memset(model_a, value, SIZE);
    cmd_queue_release(queue);
}

static void check_pieces(void)
{
    const uint64_t size = (uint64_t)50 << 20;
    struct vk_buffer large;
    unsigned char *out = malloc(size), *in = malloc(size);
    struct command *event;
    cl_ulong times[5];
    CHECK(cmd_queue_create(device, CL_QUEUE_PROFILING_ENABLE, &queue) == CL_SUCCESS);
    struct cmd_request r = {.queue = queue, .blocking = true, .out = &event};
    CHECK(vk_buffer_create(device, VK_MEMORY_DEVICE, size, &large) == VK_SUCCESS);
    for (uint64_t i = 0; i < size; i++)
        out[i] = (unsigned char)(i * 31 >> 7);
    large.host = NULL; // as if device memory were not mapped
    CHECK(cmd_write(&r, &large, 0, out, size) == CL_SUCCESS);
    CHECK(cmd_profile(event, times) == CL_SUCCESS);
    CHECK(times[0] <= times[1] && times[1] <= times[2] && times[2] <= times[3]);
    cmd_release(event);
    CHECK(cmd_read(&r, &large, 0, in, size) == CL_SUCCESS);
    cmd_release(event);
    CHECK(!memcmp(in, out, size));
    // Large and non-blocking: through imported pages if memory can be imported.
    r.blocking = false;
    r.out = NULL;
    memset(in, 0, size);
    CHECK(cmd_fill(&r, &large, 0, size, "\7", 1) == CL_SUCCESS);
    CHECK(cmd_read(&r, &large, 1, in + 1, size - 1) == CL_SUCCESS);
    CHECK(cmd_finish(queue) == CL_SUCCESS);
    CHECK(in[0] == 0 && in[1] == 7 && in[size - 1] == 7);
    cmd_queue_release(queue);
    vk_buffer_destroy(&large);
    free(out);
    free(in);
}

int main(void)
{
    device = test_device();
    CHECK(vk_buffer_create(device, VK_MEMORY_DEVICE, SIZE, &a) == VK_SUCCESS);
    CHECK(vk_buffer_create(device, VK_MEMORY_DEVICE, SIZE, &b) == VK_SUCCESS);
    for (int i = 0; i < SIZE; i++)
        source[i] = (unsigned char)next_random();
    CHECK(cmd_upload(device, &a, 0, model_a, SIZE) == CL_SUCCESS);
    CHECK(cmd_upload(device, &b, 0, model_b, SIZE) == CL_SUCCESS);
    void *host_a = a.host, *host_b = b.host;
    for (int mapped = 1; mapped >= 0; mapped--) {
        a.host = mapped ? host_a : NULL; // both paths, even if device memory is mapped
        b.host = mapped ? host_b : NULL;
        run(0, 200);
        run(CL_QUEUE_PROFILING_ENABLE, 100);
        run(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 100);
        check_inbox();
    check_host_order();
    }
    check_pieces();
    vk_buffer_destroy(&a);
    vk_buffer_destroy(&b);
    vk_device_close(device);
    return test_result();
}
