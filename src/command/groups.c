// SPDX-License-Identifier: Apache-2.0
// Chooses the local size of a launch that does not specify one. Few different sizes are used,
// because each costs a pipeline. For the same reason, kernels that cannot see the size get another
// one if launches specify many (programs that fit it to a changing amount of work).
//
// A kernel with a guard (KC_SPEC_GUARD) supports any size for any range: a power of two, plus the
// guard if the range is not a multiple of it, i.e. two pipelines. Other kernels need sizes that
// divide the range (or, if work-groups may differ in size, smaller groups at the edge): the first
// ranges get the best size, later ones powers of two, and finally one work-item. A size that was
// already chosen or requested is preferred unless another is much better. CMD_SIZES limits the
// pipelines for all ranges together.
#include <stdlib.h>
#include <string.h>

#include "command/internal.h"
#include "command/kernel.h"
#include "util/hash.h"

// ---- the guard ----------------------------------------------------------------------------------

static bool divides(const size_t global[3], const size_t local[3])
{
    return !(global[0] % local[0] || global[1] % local[1] || global[2] % local[2]);
}

static bool may_guard(const struct cmd_kernel *kernel, const size_t global[3], const size_t local[3])
{
    for (int i = 0; i < 3; i++)
        if (global[i] % local[i] && !(kernel->guard_dims >> i & 1))
            return false;
    return kernel->guard >= 0;
}

bool cmd_kernel_guards(const struct cmd_kernel *kernel, const size_t global[3], const size_t local[3])
{
    return !kernel->sees_groups && !divides(global, local) && may_guard(kernel, global, local);
}

// ---- choosing -----------------------------------------------------------------------------------

// A size for one range, and its efficiency there. In a kernel's chosen sizes `guarded` means that
// the size works for all ranges, with or without the guard; in the result for a launch, that the
// launch needs the guard.
struct option {
    struct cmd_groups groups;
    float efficiency;
    uint32_t pipelines;
};

#define CHOSEN_EFFICIENCY                                                                          \
    0.75f // share of the best efficiency above which an already chosen size is
          // used

static uint32_t count_pipelines(const size_t global[3], const struct cmd_groups *groups)
{
    uint32_t count = 1;
    if (groups->guarded)
        return 2;
    for (int i = 0; i < 3; i++)
        if (global[i] % groups->local[i] && global[i] > groups->local[i])
            count *= 2;
    return count;
}

static struct option option_of(const struct cmd_kernel *kernel, const size_t global[3], struct cmd_groups groups)
{
    return (struct option){groups, cmd_local_efficiency(kernel, global, groups.local),
                           count_pipelines(global, &groups)};
}

static void take_better(struct option *best, struct option other)
{
    if (other.efficiency > best->efficiency)
        *best = other;
}

static struct option best_chosen(const struct cmd_kernel *kernel, const size_t global[3])
{
    struct option best = {.efficiency = 0};
    for (uint32_t i = 0; i < kernel->size_count; i++) {
        const struct cmd_groups *groups = &kernel->sizes[i];
        if (divides(global, groups->local) || (groups->guarded && may_guard(kernel, global, groups->local)))
            take_better(&best, option_of(kernel, global, *groups));
    }
    return best;
}

// A size that divides one range may not suit others.
static struct option best_guarded(const struct cmd_kernel *kernel, const size_t global[3])
{
    struct cmd_groups groups = {.guarded = true}, exact = {.guarded = false};
    cmd_best_guarded(kernel, global, kernel->guard_dims, groups.local);
    cmd_best_local(kernel, global, exact.local);
    struct option best = option_of(kernel, global, groups), other = option_of(kernel, global, exact);
    return divides(global, exact.local) && other.efficiency * CHOSEN_EFFICIENCY > best.efficiency
               ? other
               : best;
}

// The largest powers of two that divide the range, in groups of a common size.
static struct cmd_groups round_groups(const struct cmd_kernel *kernel, const size_t global[3])
{
    enum { USUAL = 64 };
    struct cmd_groups groups = {{1, 1, 1}, false};
    size_t most = cmd_kernel_reported_group(kernel), left = most < USUAL ? most : USUAL;
    for (int i = 0; i < 3; i++) {
        size_t limit = kernel->device->facts->props.limits.maxComputeWorkGroupSize[i];
        while (global[i] % (2 * groups.local[i]) == 0 && 2 * groups.local[i] <= limit && left > 1) {
            groups.local[i] *= 2;
            left /= 2;
        }
    }
    return groups;
}

static struct option best_dividing(const struct cmd_kernel *kernel, const size_t global[3])
{
    enum { BEST_ONES = 2 };
    struct cmd_groups groups = {.guarded = false};
    if (kernel->size_pipelines >= BEST_ONES)
        groups = round_groups(kernel, global);
    else
        cmd_best_local(kernel, global, groups.local);
    return option_of(kernel, global, groups);
}

// A size for every range; with a guard, one that suits large ranges.
static struct option for_all(const struct cmd_kernel *kernel, const size_t global[3])
{
    enum { LARGE = 4096 };
    struct cmd_groups groups = {{1, 1, 1}, kernel->guard >= 0};
    size_t large[3];
    for (int i = 0; i < 3; i++)
        large[i] = global[i] > 1 && global[i] < LARGE ? LARGE : global[i];
    if (large[0] == 1 && large[1] == 1 && large[2] == 1)
        large[0] = LARGE;
    if (groups.guarded)
        cmd_best_guarded(kernel, large, kernel->guard_dims, groups.local);
    return option_of(kernel, global, groups);
}

static bool is_for_all(const struct cmd_groups *groups, const struct option *all)
{
    size_t items = groups->local[0] * groups->local[1] * groups->local[2];
    return groups->guarded == all->groups.guarded &&
           (groups->guarded ? items >= all->groups.local[0] * all->groups.local[1] * all->groups.local[2] : items == 1);
}

// Reserves space for the size that works for every range, until it has been chosen.
static bool has_room(const struct cmd_kernel *kernel, const struct option *option, const struct option *all)
{
    bool has = is_for_all(&option->groups, all);
    for (uint32_t i = 0; i < kernel->size_count; i++)
        has |= is_for_all(&kernel->sizes[i], all);
    return kernel->size_pipelines + option->pipelines + (has ? 0 : all->pipelines) <= CMD_SIZES;
}

static struct cmd_groups add(struct cmd_kernel *kernel, const struct option *option)
{
    kernel->sizes[kernel->size_count++] = option->groups;
    kernel->size_pipelines += option->pipelines;
    return option->groups;
}

static struct cmd_groups choose(struct cmd_kernel *kernel, const size_t global[3])
{
    struct option chosen = best_chosen(kernel, global), all = for_all(kernel, global);
    struct option fresh = kernel->guard >= 0 ? best_guarded(kernel, global) : best_dividing(kernel, global);
    if (chosen.efficiency >= fresh.efficiency * CHOSEN_EFFICIENCY)
        return chosen.groups;
    if (has_room(kernel, &fresh, &all))
        return add(kernel, &fresh);
    if (has_room(kernel, &all, &all) && all.efficiency > chosen.efficiency)
        return add(kernel, &all);
    return chosen.efficiency > 0 ? chosen.groups : (struct cmd_groups){{1, 1, 1}, false};
}

// ---- sizes that launches specify ----------------------------------------------------------------

// Under the kernel's lock.
static bool knows(const struct cmd_kernel *kernel, const struct cmd_groups *groups)
{
    for (uint32_t i = 0; i < kernel->size_count; i++)
        if (!memcmp(kernel->sizes[i].local, groups->local, sizeof groups->local))
            return true;
    return false;
}

void cmd_kernel_note_size(struct cmd_kernel *kernel, const uint32_t local[3], bool guarded)
{
    struct cmd_groups groups = {{local[0], local[1], local[2]}, guarded};
    pthread_mutex_lock(&kernel->lock);
    if (kernel->given_count < CMD_GIVEN_SIZES && !knows(kernel, &groups)) {
        kernel->sizes[kernel->size_count++] = groups;
        kernel->given_count++;
    }
    pthread_mutex_unlock(&kernel->lock);
}

bool cmd_kernel_replaces(struct cmd_kernel *kernel, const uint32_t local[3])
{
    struct cmd_groups groups = {{local[0], local[1], local[2]}, false};
    if (kernel->guard < 0 || kernel->sees_groups || kernel->given_count < CMD_GIVEN_SIZES)
        return false;
    pthread_mutex_lock(&kernel->lock);
    bool known = knows(kernel, &groups);
    pthread_mutex_unlock(&kernel->lock);
    return !known;
}

// ---- picking: under the kernel's lock -----------------------------------------------------------

// Programs launch a kernel with the same few ranges again and again. NULL: no memory.
static struct cmd_pick *place_of(struct cmd_kernel *kernel, const size_t global[3])
{
    if (!kernel->picks)
        kernel->picks = calloc(CMD_PICKS, sizeof *kernel->picks);
    return kernel->picks ? &kernel->picks[hash_combine(hash_combine(global[0], global[1]), global[2]) % CMD_PICKS] : NULL;
}

static struct cmd_groups pick(struct cmd_kernel *kernel, const size_t global[3])
{
    struct cmd_pick *place = place_of(kernel, global);
    if (!place)
        return choose(kernel, global);
    if (!place->groups.local[0] || memcmp(place->global, global, sizeof place->global)) {
        memcpy(place->global, global, sizeof place->global);
        place->groups = choose(kernel, global);
    }
    return place->groups;
}

static bool is_required(const struct cmd_kernel *kernel, struct cmd_groups *groups)
{
    const struct kc_kernel *info = kernel->info;
    *groups = (struct cmd_groups){{1, 1, 1}, false};
    for (int i = 0; i < 3 && info->reqd_local_size[0]; i++)
        groups->local[i] = info->reqd_local_size[i];
    if (info->reqd_sub_groups && !info->reqd_local_size[0])
        groups->local[0] = info->reqd_sub_groups * (uint32_t)cmd_kernel_preferred_multiple(kernel);
    return info->reqd_sub_groups || info->reqd_local_size[0];
}

struct cmd_groups cmd_kernel_pick(struct cmd_kernel *kernel, const size_t global[3])
{
    struct cmd_groups groups;
    if (is_required(kernel, &groups))
        return groups;
    pthread_mutex_lock(&kernel->lock);
    groups = pick(kernel, global);
    pthread_mutex_unlock(&kernel->lock);
    groups.guarded &= !divides(global, groups.local);
    return groups;
}

void cmd_kernel_pick_local(struct cmd_kernel *kernel, uint32_t dims, const size_t global[3], size_t local[3])
{
    const size_t range[3] = {global[0], dims > 1 ? global[1] : 1, dims > 2 ? global[2] : 1};
    struct cmd_groups groups;
    if (!is_required(kernel, &groups) && kernel->guard >= 0 && !kernel->sees_groups)
        cmd_best_local(kernel, range, groups.local);
    else
        groups = cmd_kernel_pick(kernel, range);
    for (int i = 0; i < 3; i++)
        local[i] = groups.guarded ? 1 : groups.local[i];
}
