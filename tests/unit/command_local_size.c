// SPDX-License-Identifier: Apache-2.0
// Local sizes chosen by the runtime on a GPU like an H200: cases with a known best choice, and a
// sweep of ranges in which work-groups must consist of full sub-groups where possible.
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "command/kernel.h"
#include "vulkan/device.h"

static struct vk_facts facts;
static struct vk_device device = {.facts = &facts};
static struct kc_arg image_arg = {.kind = KC_ARG_IMAGE};
static const struct kc_kernel plain = {.name = "plain"}, barriers = {.name = "barriers", .uses_barrier = true},
                              images = {.name = "images", .args = &image_arg, .arg_count = 1};

static void play_gpu(VkPhysicalDeviceType type)
{
    facts.props.deviceType = type;
    facts.props.limits.maxComputeWorkGroupInvocations = 1024;
    facts.props.limits.maxComputeWorkGroupSize[0] = facts.props.limits.maxComputeWorkGroupSize[1] = 1024;
    facts.props.limits.maxComputeWorkGroupSize[2] = 64;
    facts.props11.subgroupSize = facts.lanes = 32;
    facts.compute_units = 132;
}

static struct cmd_kernel kernel = {.device = &device, .lock = PTHREAD_MUTEX_INITIALIZER};

static void pick(const struct kc_kernel *info, uint32_t dims, const size_t global[3], size_t local[3])
{
    kernel.info = info;
    free(kernel.picks);
    kernel.picks = NULL;
    cmd_kernel_pick_local(&kernel, dims, global, local);
    size_t again[3];
    cmd_kernel_pick_local(&kernel, dims, global, again);
    CHECK(!memcmp(local, again, sizeof again));
}

static const struct {
    const struct kc_kernel *kernel;
    uint32_t dims;
    size_t global[3], local[3];
} known[] = {
    {&plain, 1, {1 << 24}, {256, 1, 1}},
    {&plain, 1, {1 << 20}, {256, 1, 1}},
    {&barriers, 1, {1 << 20}, {256, 1, 1}},
    {&plain, 1, {4000000}, {256, 1, 1}},
    {&plain, 1, {16000000}, {256, 1, 1}},
    {&plain, 1, {1000000}, {250, 1, 1}},
    {&plain, 1, {8192}, {64, 1, 1}},
    {&plain, 1, {999983}, {256, 1, 1}}, // a prime: the last work-group is smaller
    {&plain, 2, {4096, 4096}, {32, 8, 1}},
    {&plain, 2, {1920, 1080}, {32, 8, 1}},
    {&plain, 2, {1000, 1000}, {50, 5, 1}},
    {&plain, 2, {1366, 768}, {32, 8, 1}},
    {&images, 2, {4096, 4096}, {4, 64, 1}},
    {&plain, 3, {256, 256, 64}, {32, 8, 1}},
    {&plain, 3, {16, 16, 4096}, {16, 16, 1}},
};

// Kernels that rely on 32 work-items in lockstep get sub-groups of that size where the driver might choose a smaller one.
static void check_lanes(void)
{
    const struct kc_kernel lockstep = {.name = "lockstep", .lockstep = true};
    const uint32_t sizes[][2] = {{0, 0}, {32, 0}, {8 | 16 | 32, 32}, {16, 0}, {8, 0}, {32 | 64, 0}};
    facts.lanes = 16;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        facts.lane_sizes = sizes[i][0];
        kernel.info = &lockstep;
        CHECK(cmd_kernel_lanes(&kernel) == sizes[i][1]);
        CHECK(cmd_kernel_preferred_multiple(&kernel) == (sizes[i][1] ? sizes[i][1] : 16));
        kernel.info = &plain;
        CHECK(!cmd_kernel_lanes(&kernel));
    }
    facts.lane_sizes = 0;
    facts.lanes = 32;
}

static void check_known(void)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        size_t local[3];
        pick(known[i].kernel, known[i].dims, known[i].global, local);
        bool same = !memcmp(local, known[i].local, sizeof local);
        if (!same)
            fprintf(stderr, "%zu x %zu x %zu: %zu x %zu x %zu\n", known[i].global[0], known[i].global[1],
                    known[i].global[2], local[0], local[1], local[2]);
        CHECK(same);
    }
}

static size_t lanes(size_t items)
{
    return (items + 31) / 32 * 32;
}

// The size must be valid for the device, and a multiple of the sub-group size where possible.
static void sweep(uint32_t dims)
{
    for (size_t x = 1; x < 3000; x += 1 + x / 64)
        for (size_t y = 1; y < (dims > 1 ? 3000 : 2); y += 1 + y / 8) {
            const size_t global[3] = {x, y, 1};
            size_t local[3];
            pick(&plain, dims, global, local);
            size_t total = local[0] * local[1] * local[2];
            CHECK(total >= 1 && total <= 256 && local[0] <= x && local[1] <= y && local[2] == 1);
            CHECK(y % local[1] == 0);
            if (x % 32 == 0)
                CHECK(x % local[0] == 0 && total * 8 >= lanes(total) * 7);
            if (total >= 32 && x % local[0] == 0)
                CHECK(total * 2 > lanes(total));
        }
}

static void check_cpu(void)
{
    const size_t global[3] = {1 << 20, 1, 1};
    size_t local[3];
    play_gpu(VK_PHYSICAL_DEVICE_TYPE_CPU);
    pick(&plain, 1, global, local);
    CHECK(local[0] == 256);
}

int main(void)
{
    play_gpu(VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU);
    check_lanes();
    check_known();
    sweep(1);
    sweep(2);
    check_cpu();
    free(kernel.picks);
    return check_result();
}
