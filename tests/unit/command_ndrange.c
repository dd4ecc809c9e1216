// SPDX-License-Identifier: Apache-2.0
// ND-ranges: every work-item runs exactly once for all sizes; local sizes above the limits are
// refused; dependent dispatches run in order; times are monotonic.
#include "vulkan_device.h"

#include "command/command.h"
#include "kernel_add.h"

enum { ITEMS = 1 << 20 };

static struct vk_device *device;
static struct cmd_queue *queue;
static struct cmd_kernel *kernel;
static struct vk_buffer buffer;
static uint32_t got[ITEMS];

static struct cmd_ndrange range_of(const struct cmd_arg *args)
{
    return (struct cmd_ndrange){.kernel = kernel, .args = args, .dims = 1, .global = {1}};
}

static cl_int launch(uint32_t dims, const size_t *global, const size_t *local, uint32_t value)
{
    struct cmd_request request = {.queue = queue};
    const struct cmd_arg args[2] = {{.buffer = &buffer}, {.value = &value, .size = 4}};
    struct cmd_ndrange range = range_of(args);
    range.dims = dims;
    for (uint32_t i = 0; i < dims; i++) {
        range.global[i] = global[i];
        range.local[i] = local ? local[i] : 0;
    }
    return cmd_ndrange(&request, &range);
}

static void clear(void)
{
    struct cmd_request request = {.queue = queue};
    CHECK(cmd_fill(&request, &buffer, 0, sizeof got, &(uint32_t){0}, 4) == CL_SUCCESS);
}

static void check_all(size_t count, uint32_t value)
{
    struct cmd_request request = {.queue = queue, .blocking = true};
    size_t wrong = 0;
    CHECK(cmd_read(&request, &buffer, 0, got, sizeof got) == CL_SUCCESS);
    for (size_t i = 0; i < ITEMS; i++)
        wrong += got[i] != (i < count ? value : 0);
    CHECK(wrong == 0);
}

static void check_sizes(void)
{
    static const struct {
        uint32_t dims;
        size_t global[3], local[3];
    } rows[] = {
        {1, {1}, {1}},
        {1, {1000}, {0}},
        {1, {1000}, {64}},
        {1, {1009}, {0}},
        {1, {1 << 20}, {256}},
        {1, {70001}, {1}}, // more work-groups than some devices support in one dispatch
        {2, {33, 65}, {8, 8}},
        {2, {100, 7}, {0}},
        {3, {17, 19, 23}, {4, 4, 4}},
        {3, {5, 6, 7}, {0}},
        {3, {2, 2, 70000}, {2, 1, 1}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        size_t count = 1;
        for (uint32_t d = 0; d < rows[i].dims; d++)
            count *= rows[i].global[d];
        clear();
        CHECK(launch(rows[i].dims, rows[i].global, rows[i].local, 3) == CL_SUCCESS);
        CHECK(launch(rows[i].dims, rows[i].global, rows[i].local, 4) == CL_SUCCESS);
        check_all(count, 7);
    }
    clear();
    CHECK(launch(1, (size_t[]){0}, NULL, 1) == CL_SUCCESS);
    check_all(0, 0);
}

static void check_limits(void)
{
    const VkPhysicalDeviceLimits *limits = &device->facts->props.limits;
    size_t over_z[3] = {1, 1, limits->maxComputeWorkGroupSize[2] + 1};
    size_t over_all[3] = {limits->maxComputeWorkGroupSize[0], 2, 1};
    CHECK(launch(3, over_z, over_z, 1) == CL_INVALID_WORK_ITEM_SIZE);
    CHECK(launch(3, over_all, over_all, 1) == CL_INVALID_WORK_GROUP_SIZE);
}

static void check_order(void)
{
    clear();
    for (int i = 0; i < 1000; i++)
        CHECK(launch(1, (size_t[]){5000}, (size_t[]){100}, 1) == CL_SUCCESS);
    check_all(5000, 1000);
}

static void check_offset(void)
{
    struct cmd_request request = {.queue = queue};
    uint32_t value = 5;
    const struct cmd_arg args[2] = {{.buffer = &buffer}, {.value = &value, .size = 4}};
    struct cmd_ndrange range = range_of(args);
    range.global[0] = 100;
    range.offset[0] = 50;
    clear();
    CHECK(cmd_ndrange(&request, &range) == CL_SUCCESS);
    value = 9; // captured by the enqueue
    struct cmd_request read = {.queue = queue, .blocking = true};
    CHECK(cmd_read(&read, &buffer, 0, got, sizeof got) == CL_SUCCESS);
    CHECK(got[49] == 0 && got[50] == 5 && got[149] == 5 && got[150] == 0);
}

static void check_times(void)
{
    struct command *events[20];
    cl_ulong times[5], before = 0;
    uint32_t value = 1;
    const struct cmd_arg args[2] = {{.buffer = &buffer}, {.value = &value, .size = 4}};
    struct cmd_ndrange range = range_of(args);
    range.global[0] = 100000;
    for (int i = 0; i < 20; i++) {
        struct cmd_request request = {.queue = queue, .out = &events[i]};
        CHECK(cmd_ndrange(&request, &range) == CL_SUCCESS);
    }
    CHECK(cmd_wait(events, 20) == CL_SUCCESS);
    for (int i = 0; i < 20; i++) {
        CHECK(cmd_profile(events[i], times) == CL_SUCCESS);
        CHECK(times[0] <= times[1] && times[1] <= times[2] && times[2] <= times[3]);
        CHECK(times[3] == times[4] && times[2] >= before && times[3] - times[0] < 10000000000);
        before = times[2];
        cmd_release(events[i]);
    }
}

static PFN_vkCmdBindPipeline real_bind;
static PFN_vkCmdPushConstants real_push;
static uint32_t binds, pushes;

static VKAPI_ATTR void VKAPI_CALL bind(VkCommandBuffer commands, VkPipelineBindPoint point, VkPipeline pipeline)
{
    binds++;
    real_bind(commands, point, pipeline);
}

static VKAPI_ATTR void VKAPI_CALL push(VkCommandBuffer commands, VkPipelineLayout layout, VkShaderStageFlags stages,
                                       uint32_t offset, uint32_t size, const void *data)
{
    pushes++;
    real_push(commands, layout, stages, offset, size, data);
}

static bool calls_were(uint32_t bound, uint32_t pushed)
{
    bool same = binds == bound && pushes == pushed;
    binds = pushes = 0;
    return same;
}

// State that the previous launch in the batch has set is not set again.
static void check_repeats(void)
{
    const size_t hundred = 100, ten = 10, twenty = 20;
    real_bind = device->fn.CmdBindPipeline;
    real_push = device->fn.CmdPushConstants;
    device->fn.CmdBindPipeline = bind;
    device->fn.CmdPushConstants = push;
    clear();
    CHECK(cmd_finish(queue) == CL_SUCCESS);
    calls_were(0, 0);
    CHECK(launch(1, &hundred, &ten, 3) == CL_SUCCESS);
    CHECK(launch(1, &hundred, &ten, 3) == CL_SUCCESS);
    CHECK(calls_were(1, 1));
    CHECK(launch(1, &hundred, &ten, 4) == CL_SUCCESS);
    CHECK(calls_were(0, 1));
    for (int i = 0; i < 4; i++) { // each uses a new or reused command buffer
        CHECK(cmd_finish(queue) == CL_SUCCESS);
        CHECK(launch(1, &hundred, &ten, 4) == CL_SUCCESS);
        CHECK(calls_were(1, 1));
    }
    CHECK(launch(1, &hundred, &twenty, 4) == CL_SUCCESS);
    CHECK(calls_were(1, 0));
    check_all(100, 3 + 3 + 4 + 4 * 4 + 4);
    device->fn.CmdBindPipeline = real_bind;
    device->fn.CmdPushConstants = real_push;
}

int main(void)
{
    device = test_device();
    CHECK(cmd_queue_create(device, CL_QUEUE_PROFILING_ENABLE, &queue) == CL_SUCCESS);
    CHECK(cmd_kernel_create(device, &kernel_add, false, &kernel) == CL_SUCCESS);
    CHECK(vk_buffer_create(device, VK_MEMORY_DEVICE, sizeof got, &buffer) == VK_SUCCESS);
    check_sizes();
    check_limits();
    check_order();
    check_offset();
    check_times();
    if (!getenv("PUMICE_SYNC")) // with it each launch has its own batch
        check_repeats();
    CHECK(cmd_finish(queue) == CL_SUCCESS);
    cmd_queue_release(queue);
    cmd_kernel_destroy(kernel);
    vk_buffer_destroy(&buffer);
    vk_device_close(device);
    return test_result();
}
