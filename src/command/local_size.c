// SPDX-License-Identifier: Apache-2.0
// The best local size for a range (groups.c decides which one a launch gets), and predictions for
// future launches.
//
// GPUs: the best of the sizes that divide the range, by a model of measurements on an H200 with
// loads, sums and images of all sizes:
// - Lanes of a sub-group without a work-item are wasted.
// - Groups below 256 work-items start too slowly, larger ones end too late. (Programs size local
//   arrays by CL_KERNEL_WORK_GROUP_SIZE, so no group is larger.)
// - Rows of one sub-group's length access memory best. Of those, the shortest share the most with
//   neighbours (32 x 8). Images are tiled: 4 x 64 work-items access adjacent tiles in sequence.
// - With few groups, some compute units are idle.
// If nothing divides the range well: whole groups plus a smaller one at the edge.
//
// CPU devices run groups one after the other: the largest size up to 256 is best.
#include <string.h>

#include "command/internal.h"
#include "command/kernel.h"
#include "vulkan/recall.h"

enum { AIM = 256, CANDIDATES = 64 };

static size_t min_size(size_t a, size_t b)
{
    return a < b ? a : b;
}

static bool is_cpu(const struct vk_facts *facts)
{
    return facts->props.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
}

uint32_t cmd_kernel_lanes(const struct cmd_kernel *kernel)
{
    const struct kc_kernel *info = kernel->info;
    const struct vk_facts *facts = kernel->device->facts;
    if (info->reqd_sub_group_size)
        return facts->lane_sizes & info->reqd_sub_group_size;
    if (info->lockstep && !info->uses_subgroups && facts->lane_sizes % KC_LOCKSTEP) // the driver might choose a smaller size
        return facts->lane_sizes & KC_LOCKSTEP;
    return info->uses_subgroups && facts->lanes != facts->props11.subgroupSize ? facts->lanes : 0;
}

size_t cmd_kernel_max_group(const struct cmd_kernel *kernel)
{
    const uint32_t *reqd = kernel->info->reqd_local_size;
    if (reqd[0])
        return (size_t)reqd[0] * reqd[1] * reqd[2];
    const struct vk_facts *facts = kernel->device->facts;
    uint32_t lanes = cmd_kernel_lanes(kernel);
    uint64_t most = lanes ? (uint64_t)lanes * facts->props13.maxComputeWorkgroupSubgroups : UINT64_MAX;
    return most < facts->props.limits.maxComputeWorkGroupInvocations ? (size_t)most : facts->props.limits.maxComputeWorkGroupInvocations;
}

// Programs that use the reported size as the best one run faster with less than the maximum.
size_t cmd_reported_group(const struct vk_facts *facts)
{
    size_t most = facts->props.limits.maxComputeWorkGroupInvocations;
    return is_cpu(facts) ? most : min_size(most, AIM);
}

size_t cmd_kernel_reported_group(const struct cmd_kernel *kernel)
{
    const struct kc_kernel *info = kernel->info;
    bool required = info->reqd_local_size[0] || info->reqd_sub_groups;
    return required ? cmd_kernel_max_group(kernel) : cmd_reported_group(kernel->device->facts);
}

size_t cmd_kernel_preferred_multiple(const struct cmd_kernel *kernel)
{
    uint32_t lanes = cmd_kernel_lanes(kernel);
    return lanes ? lanes : kernel->device->facts->lanes;
}

// ---- CPU devices --------------------------------------------------------------------------------

// The largest divisor of `size` that is at most `limit`; multiples of `unit` are preferred.
static size_t best_divisor(size_t size, size_t limit, size_t unit)
{
    limit = min_size(limit, size);
    for (size_t n = limit / unit * unit; n >= unit; n -= unit)
        if (size % n == 0)
            return n;
    for (size_t n = limit; n > 1; n--)
        if (size % n == 0)
            return n;
    return 1;
}

static size_t row_on_cpu(const size_t global[3])
{
    return global[1] > 1 ? 64 : AIM;
}

static void pick_on_cpu(const struct vk_facts *facts, const size_t global[3], size_t budget, size_t local[3])
{
    size_t unit = facts->lanes, total = 1;
    for (int i = 0; i < 3; i++) {
        size_t limit = min_size(budget / total, facts->props.limits.maxComputeWorkGroupSize[i]);
        if (i == 0)
            limit = min_size(limit, row_on_cpu(global));
        local[i] = global[i] ? best_divisor(global[i], limit, i ? 1 : unit) : 1;
        total *= local[i];
    }
}

// Vectors consist of work-items of one row; starting a group costs as much as some vectors.
static float cpu_efficiency(const struct vk_facts *facts, const size_t global[3],
                            const size_t local[3])
{
    size_t unit = facts->lanes, vectors = (local[0] + unit - 1) / unit * local[1] * local[2];
    float lanes = (float)(local[0] * local[1] * local[2]) / (float)(vectors * unit);
    return lanes * (float)vectors / (float)(vectors + 2) * (local[0] > row_on_cpu(global) ? 0.9f : 1);
}

// ---- GPUs ---------------------------------------------------------------------------------------

struct divisors {
    uint32_t count;
    uint16_t list[CANDIDATES]; // of a range's size, ascending, at most AIM: no number has more
};

static struct divisors divisors_of(size_t size, size_t limit)
{
    struct divisors all = {0, {0}};
    limit = min_size(min_size(limit, AIM), size);
    for (size_t n = 1; n <= limit && all.count < CANDIDATES; n++)
        if (size <= UINT32_MAX ? (uint32_t)size % (uint32_t)n == 0 : size % n == 0)
            all.list[all.count++] = (uint16_t)n;
    return all;
}

enum shape { LINE, BUFFERS, IMAGES };

static enum shape shape_of(const struct kc_kernel *info, const size_t global[3])
{
    if (global[1] == 1 && global[2] == 1)
        return LINE;
    for (uint32_t i = 0; i < info->arg_count; i++)
        if (info->args[i].kind == KC_ARG_IMAGE && global[2] == 1)
            return IMAGES;
    return BUFFERS;
}

static float row_efficiency(size_t row, size_t rows, size_t unit, enum shape shape)
{
    if (shape == LINE)
        return 1;
    if (shape == IMAGES)
        return row == 4 ? 1 : row < 4 ? 0.7f : 0.8f;
    float efficiency = row < unit ? 0.5f + 0.5f * (float)row / (float)unit : 1;
    return efficiency * (1 - 0.0001f * (float)row / (float)rows);
}

// Estimated share of the device's peak throughput for groups of this size.
static float efficiency(const struct vk_facts *facts, double items, const size_t local[3],
                        enum shape shape)
{
    size_t unit = facts->lanes, total = local[0] * local[1] * local[2];
    size_t lanes = (total + unit - 1) / unit * unit;
    double groups = items / (double)total, processors = facts->compute_units;
    float efficiency = (float)total / (float)lanes * (0.5f + 0.5f * (float)lanes / AIM);
    efficiency *= row_efficiency(local[0], local[1], unit, shape);
    return groups < processors ? efficiency * (0.4f + 0.6f * (float)(groups / processors))
                               : efficiency;
}

// If only short rows divide a long range: whole groups and smaller ones at the edge access memory
// better.
static void lengthen_rows(const struct cmd_kernel *kernel, const size_t global[3], size_t local[3])
{
    size_t unit = cmd_kernel_preferred_multiple(kernel), most = cmd_kernel_reported_group(kernel);
    if (kernel->uniform || shape_of(kernel->info, global) != BUFFERS || local[0] * 4 > unit || global[0] < 8 * unit || unit > most)
        return;
    local[0] = unit;
    local[1] = best_divisor(global[1], most / unit, 1);
    local[2] = best_divisor(global[2], most / unit / local[1], 1);
}

static void pick_on_gpu(const struct cmd_kernel *kernel, const size_t global[3], size_t local[3])
{
    const struct vk_facts *facts = kernel->device->facts;
    const uint32_t *limits = facts->props.limits.maxComputeWorkGroupSize;
    double items = (double)global[0] * (double)global[1] * (double)global[2];
    size_t budget = cmd_kernel_reported_group(kernel);
    enum shape shape = shape_of(kernel->info, global);
    struct divisors sizes[3];
    float best = 0;
    for (int i = 0; i < 3; i++)
        sizes[i] = divisors_of(global[i], limits[i]);
    for (uint32_t z = 0; z < sizes[2].count; z++)
        for (uint32_t y = 0; y < sizes[1].count; y++)
            for (uint32_t x = 0; x < sizes[0].count; x++) {
                const size_t one[3] = {sizes[0].list[x], sizes[1].list[y], sizes[2].list[z]};
                if (one[0] * one[1] * one[2] > budget)
                    break;
                float this = efficiency(facts, items, one, shape);
                if (this <= best)
                    continue;
                best = this;
                memcpy(local, one, sizeof one);
            }
    lengthen_rows(kernel, global, local);
}

// ---- picking ------------------------------------------------------------------------------------

void cmd_best_local(const struct cmd_kernel *kernel, const size_t global[3], size_t local[3])
{
    const struct vk_facts *facts = kernel->device->facts;
    const VkPhysicalDeviceLimits *limits = &facts->props.limits;
    size_t unit = facts->lanes, budget = min_size(AIM, limits->maxComputeWorkGroupInvocations);
    if (is_cpu(facts))
        pick_on_cpu(facts, global, budget, local);
    else
        pick_on_gpu(kernel, global, local);
    size_t total = local[0] * local[1] * local[2];
    // For sizes with few divisors: whole groups and a smaller one at the edge.
    if (total < unit && global[0] > local[0] && !kernel->uniform)
        local[0] = min_size(min_size(budget / (total / local[0]), limits->maxComputeWorkGroupSize[0]), global[0]);
}

float cmd_local_efficiency(const struct cmd_kernel *kernel, const size_t global[3],
                           const size_t local[3])
{
    const struct vk_facts *facts = kernel->device->facts;
    double items = 1, rounded = 1;
    for (int i = 0; i < 3; i++) {
        items *= (double)global[i];
        rounded *= (double)(global[i] / local[i] + (global[i] % local[i] != 0)) * (double)local[i];
    }
    if (is_cpu(facts))
        return cpu_efficiency(facts, global, local) * (float)(items / rounded);
    // Unused lanes cost nothing while some compute units have no group.
    double groups = rounded / (double)(local[0] * local[1] * local[2]);
    float used = groups > facts->compute_units ? (float)(items / rounded) : 1;
    return efficiency(facts, rounded, local, shape_of(kernel->info, global)) * used;
}

void cmd_best_guarded(const struct cmd_kernel *kernel, const size_t global[3], uint32_t dims, size_t local[3])
{
    const uint32_t *limits = kernel->device->facts->props.limits.maxComputeWorkGroupSize;
    size_t budget = min_size(AIM, cmd_kernel_reported_group(kernel)), most[3];
    float best = 0;
    for (int i = 0; i < 3; i++)
        most[i] = !(dims >> i & 1) ? 1 : global[i] < limits[i] ? min_size(limits[i], 2 * global[i] - 1) : limits[i];
    for (size_t z = 1; z <= most[2]; z *= 2)
        for (size_t y = 1; y <= most[1]; y *= 2)
            for (size_t x = 1; x <= most[0] && x * y * z <= budget; x *= 2) {
                const size_t one[3] = {x, y, z};
                float this = cmd_local_efficiency(kernel, global, one);
                if (this < best)
                    continue;
                best = this;
                memcpy(local, one, sizeof one);
            }
}

// ---- local memory of work-items -----------------------------------------------------------------

bool cmd_local_fits(const struct cmd_kernel *kernel, const uint32_t local[3])
{
    const struct kc_kernel *info = kernel->info;
    const struct vk_facts *facts = kernel->device->facts;
    if (!vk_local_size_fits(facts, local, info->local_memory))
        return false;
    return info->local_memory + (uint64_t)info->local_per_item * local[0] * local[1] * local[2] <=
           facts->props.limits.maxComputeSharedMemorySize;
}

// A kernel that cannot see its group.
static bool is_blind(const struct cmd_kernel *kernel)
{
    return kernel->guard >= 0 && !kernel->sees_groups;
}

bool cmd_group_fits(const struct cmd_kernel *kernel, const uint32_t local[3])
{
    return is_blind(kernel) || cmd_local_fits(kernel, local);
}

void cmd_fit_group(const struct cmd_kernel *kernel, uint32_t local[3])
{
    const bool may_change = kernel->info->local_per_item && is_blind(kernel);
    while (may_change && local[0] * local[1] * local[2] > 1 && !cmd_local_fits(kernel, local)) {
        int most = 0;
        for (int i = 1; i < 3; i++)
            if (local[i] % 2 < local[most] % 2 || (local[i] % 2 == local[most] % 2 && local[i] > local[most]))
                most = i;
        local[most] = local[most] % 2 ? 1 : local[most] / 2;
    }
}

void cmd_fill_items(const struct kc_kernel *info, const uint32_t local[3], uint32_t *values)
{
    for (uint32_t i = 0; i < info->spec_count; i++)
        if (info->specs[i].kind == KC_SPEC_LOCAL_ITEMS)
            values[i] = info->specs[i].unit * local[0] * local[1] * local[2];
}

// ---- guessing -----------------------------------------------------------------------------------

// The number of dimensions that a kernel queries.
static uint32_t dimensions(const struct kc_kernel *info)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < info->push_count; i++) {
        const struct kc_push *push = &info->push[i];
        if ((push->kind == KC_PUSH_GLOBAL_BASE || push->kind == KC_PUSH_GROUP_BASE) && push->dim > most)
            most = push->dim;
    }
    return most;
}

// The most common sizes in programs.
static const uint32_t usual_sizes[3][CMD_GUESSES][3] = {
    {{256, 1, 1}, {64, 1, 1}},
    {{16, 16, 1}, {32, 8, 1}},
    {{32, 8, 1}, {8, 8, 4}},
};

// The last requested size, 21 bits for each dimension, and above them whether it was guarded; 0:
// none yet.
static _Atomic(uint64_t) learnt[3];
enum { LEARNT_BITS = 21, LEARNT_GUARD = 3 * LEARNT_BITS };

// The work-group size that a pipeline's constants describe.
struct guess {
    uint32_t size[3];
    bool guarded;
};

// Whether cmd_fit_group() may have halved a larger size to this one.
static bool may_be_halved(const struct cmd_kernel *kernel, const uint32_t local[3])
{
    const uint32_t twice[3] = {2 * local[0], local[1], local[2]};
    return kernel->info->local_per_item && is_blind(kernel) && !cmd_local_fits(kernel, twice);
}

bool cmd_kernel_learn(const struct cmd_kernel *kernel, const uint32_t *values)
{
    const struct kc_kernel *info = kernel->info;
    uint32_t local[3] = {0};
    uint64_t size = 0;
    for (uint32_t i = 0; i < info->spec_count; i++)
        if (info->specs[i].kind == KC_SPEC_LOCAL_SIZE)
            local[info->specs[i].dim] = values[i];
    if (may_be_halved(kernel, local))
        return false;
    for (int i = 0; i < 3; i++)
        size |= (uint64_t)local[i] << (LEARNT_BITS * i);
    if (size && kernel->guard >= 0)
        size |= (uint64_t)values[kernel->guard] << LEARNT_GUARD;
    return size && atomic_exchange(&learnt[dimensions(info)], size) != size;
}

static bool recall_size(uint32_t dims, int guess, struct guess *out)
{
    uint64_t last = atomic_load(&learnt[dims]);
    if (last && guess)
        return false;
    for (int i = 0; i < 3; i++)
        out->size[i] = last ? last >> (LEARNT_BITS * i) & ((1u << LEARNT_BITS) - 1) : usual_sizes[dims][guess][i];
    out->guarded = last >> LEARNT_GUARD;
    return true;
}

static bool guess_size(const struct cmd_kernel *kernel, int guess, struct guess *out)
{
    const struct kc_kernel *info = kernel->info;
    const uint32_t *told = info->reqd_local_size[0] ? info->reqd_local_size : info->local_size_hint;
    if ((told[0] || kernel->fixed_local) && guess)
        return false;
    if (told[0])
        memcpy(out->size, told, sizeof out->size);
    else if (!recall_size(dimensions(info), guess, out))
        return false;
    if (!info->reqd_local_size[0] && info->reqd_sub_groups)
        return false;
    cmd_fit_group(kernel, out->size);
    return cmd_local_fits(kernel, out->size);
}

// Whether an earlier process has launched the kernel. The file may have been written by anybody.
static bool recall_values(const struct cmd_kernel *kernel, uint32_t *values)
{
    const struct kc_kernel *info = kernel->info;
    uint32_t size[3] = {1, 1, 1};
    if (!kernel->code || !vk_recall_find(kernel->device, kernel->code, values, info->spec_count))
        return false;
    for (uint32_t i = 0; i < info->spec_count; i++)
        if (info->specs[i].kind == KC_SPEC_LOCAL_SIZE)
            size[info->specs[i].dim] = values[i];
    cmd_fill_items(info, size, values);
    return kernel->fixed_local || cmd_local_fits(kernel, size);
}

void cmd_kernel_note(struct cmd_kernel *kernel, const uint32_t *values)
{
    if (kernel->code && !kernel->noted)
        vk_recall_note(kernel->device, kernel->code, values, kernel->info->spec_count);
    kernel->noted = true;
}

bool cmd_kernel_guess(const struct cmd_kernel *kernel, int guess, uint32_t *values)
{
    const struct kc_kernel *info = kernel->info;
    struct guess groups = {.guarded = false};
    if (info->spec_count <= VK_SPEC_MAX && recall_values(kernel, values))
        return !guess; // a second guess is not needed
    if (info->spec_count > VK_SPEC_MAX || !guess_size(kernel, guess, &groups))
        return false;
    for (uint32_t i = 0; i < info->arg_count; i++)
        if (info->args[i].kind == KC_ARG_LOCAL)
            return false;
    for (uint32_t i = 0; i < info->spec_count; i++) {
        const struct kc_spec *spec = &info->specs[i];
        if (spec->kind == KC_SPEC_IMAGE_FORMAT || spec->kind == KC_SPEC_SAMPLER)
            return false;
        values[i] = spec->kind == KC_SPEC_LOCAL_SIZE    ? groups.size[spec->dim]
                    : spec->kind == KC_SPEC_GUARD       ? groups.guarded
                    : spec->kind == KC_SPEC_LOCAL_TOTAL ? cmd_local_elements(info->local_static_shared, spec->unit)
                                                        : 1;
    }
    cmd_fill_items(info, groups.size, values);
    return true;
}

uint32_t cmd_local_elements(uint64_t bytes, uint32_t unit)
{
    uint64_t count = (bytes + unit - 1) / unit;
    return count ? (uint32_t)min_u64(count, UINT32_MAX) : 1;
}
