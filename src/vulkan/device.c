// SPDX-License-Identifier: Apache-2.0
// The list of devices, and opening and closing a device.
//
// One lock guards the instance, the list and the user counts.
//
// Drivers register exit handlers that shut them down while other threads still run, and before the
// destructors of static objects created earlier. So our handler, which runs first, closes the gate
// (util/gate.h), waits for work in flight (for a bounded time) and replaces every device's
// functions by ones that do nothing. Nothing is destroyed: the end of the process frees everything.
#include "vulkan/device.h"

#include <stdlib.h>
#include <string.h>

#include "util/fork_lock.h"
#include "util/gate.h"
#include "util/stack.h"
#include "util/str.h"
#include "util/log.h"
#include "util/options.h"
#include "util/thread.h"
#include "vulkan/cache.h"
#include "vulkan/clock.h"
#include "vulkan/descriptor.h"
#include "vulkan/ended.h"
#include "vulkan/fences.h"
#include "vulkan/image.h"
#include "vulkan/instance.h"
#include "vulkan/loader.h"
#include "vulkan/memory.h"
#include "vulkan/pipeline.h"
#include "vulkan/recall.h"
#include "vulkan/quirks.h"
#include "vulkan/submit.h"

enum { PHYSICAL_MAX = 64, MODIFIERS = 256 };
enum { HOOKS_MAX = 1024 }; // libc never frees a registration

static struct fork_lock instance_lock = FORK_LOCK;
static struct {
    bool made;
    unsigned fork_generation;
    bool clean; // in a forked child: at the fork nothing of the parent was in progress or open
    unsigned threads; // of the process at the last fork
    VkResult result;
    struct vk_instance instance;
    struct vk_physical *list;
    uint32_t count;
    struct vk_physical *refused;
    uint32_t refused_count;
    struct vk_device *devices; // all, including lost ones
} state;

// ---- the list -----------------------------------------------------------------------------------

static int type_rank(VkPhysicalDeviceType type)
{
    switch (type) {
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
        return 0;
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
        return 1;
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU:
        return 2;
    default:
        return 3;
    }
}

// Stable: devices of one type keep the driver's order.
static void sort_list(struct vk_physical *list, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++)
        for (uint32_t j = i; j > 0 && type_rank(list[j].facts.props.deviceType) <
                                          type_rank(list[j - 1].facts.props.deviceType);
             j--) {
            struct vk_physical swap = list[j];
            list[j] = list[j - 1];
            list[j - 1] = swap;
        }
}

static bool name_contains(const char *name, const char *part)
{
    size_t length = strlen(part);
    for (; *name; name++)
        if (str_same_letters(name, part, length))
            return true;
    return false;
}

static uint32_t filter_list(struct vk_physical *list, uint32_t count, const char *wanted)
{
    char *end;
    unsigned long index = strtoul(wanted, &end, 10);
    bool by_index = *end == '\0';
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++)
        if (by_index ? i == index : name_contains(list[i].facts.props.deviceName, wanted))
            list[kept++] = list[i];
    if (!kept)
        log_warn("PUMICE_DEVICE=%s matches none of the %u Vulkan devices", wanted, count);
    return kept;
}

static bool is_gpu(const struct vk_physical *physical)
{
    return type_rank(physical->facts.props.deviceType) < type_rank(VK_PHYSICAL_DEVICE_TYPE_CPU);
}

// If programs would run on the CPU or find no device, tells the user why a GPU was refused.
static void report_refused(bool chosen)
{
    bool silent = chosen || option_has(OPTION_DEBUG, "quiet");
    for (uint32_t i = 0; i < state.count; i++)
        silent |= is_gpu(&state.list[i]);
    for (uint32_t i = 0; i < state.refused_count && !silent; i++)
        if (is_gpu(&state.refused[i]) && state.refused[i].refused) {
            log_warn("%s is not used: %s (PUMICE_DEBUG=quiet hides this)",
                     state.refused[i].facts.props.deviceName, state.refused[i].refused);
            silent = true;
        }
}

static const VkFormat formats[VK_FORMATS] = {
#define FORMAT(format, name, extended) VK_FORMAT_##format,
#include "vulkan/formats.def"
};

VkFormatFeatureFlags2 vk_facts_format(const struct vk_facts *facts, VkFormat format)
{
    for (int i = 0; i < VK_FORMATS; i++)
        if (formats[i] == format)
            return facts->formats[i];
    return 0;
}

static void read_formats(struct vk_physical *physical)
{
    const VkImageUsageFlags usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT |
                                    VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT;
    VkImageFormatProperties limits;
    for (int i = 0; i < VK_FORMATS; i++)
        physical->facts.formats[i] = vk_physical_format(physical, formats[i]).optimalTilingFeatures;
    physical->facts.stores_3d = vk_physical_image(physical, VK_FORMAT_R8G8B8A8_UNORM, VK_IMAGE_TYPE_3D, usage, 0,
                                                  &limits) == VK_SUCCESS;
    physical->facts.unorm16_by_uint = !vk_texels_fit(physical, VK_FORMAT_R16G16B16A16_UNORM) &&
                                      vk_texels_fit(physical, VK_FORMAT_R16G16B16A16_UINT);
}

static VkResult make_list(void)
{
    VkPhysicalDevice handles[PHYSICAL_MAX];
    uint32_t count = PHYSICAL_MAX;
    VkResult result =
        state.instance.fn.EnumeratePhysicalDevices(state.instance.handle, &count, handles);
    if (result < 0)
        return result;
    state.list = calloc(count ? count : 1, sizeof *state.list);
    state.refused = calloc(count ? count : 1, sizeof *state.refused);
    if (!state.list || !state.refused)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    for (uint32_t i = 0; i < count; i++) {
        struct vk_physical *next = &state.list[state.count];
        if (vk_facts_fill(&state.instance, handles[i], next) == VK_SUCCESS) {
            read_formats(next);
            state.count++;
            continue;
        }
        log_write(LOG_VULKAN, "%s: %s", next->facts.props.deviceName,
                  next->refused ? next->refused : "query failed");
        state.refused[state.refused_count++] = *next;
    }
    sort_list(state.list, state.count);
    if (option_get(OPTION_DEVICE))
        state.count = filter_list(state.list, state.count, option_get(OPTION_DEVICE));
    report_refused(option_get(OPTION_DEVICE) && state.count);
    return state.count ? VK_SUCCESS : VK_ERROR_INITIALIZATION_FAILED;
}

static void finish_at_exit(void);
static void finish_at_detach(void);
static void hook_if_compiling(void);
static atomic_uint compilations;

// ---- stacks -------------------------------------------------------------------------------------

struct stacked_call {
    VkResult (*call)(void *data);
    void *data;
    VkResult result;
};

static void run_stacked(void *data)
{
    struct stacked_call *c = data;
    c->result = c->call(c->data);
}

VkResult vk_on_stack(VkResult (*call)(void *data), void *data)
{
    struct stacked_call c = {call, data, VK_ERROR_UNKNOWN};
    return stack_run(run_stacked, &c) == STACK_RETURNED ? c.result : VK_ERROR_OUT_OF_HOST_MEMORY;
}

// ---- forks --------------------------------------------------------------------------------------

static bool any_open(void)
{
    for (const struct vk_device *device = state.devices; device; device = device->next)
        if (device->users > atomic_load(&device->internal_users))
            return true;
    return false;
}

bool vk_physical_open(void)
{
    fork_lock_take(&instance_lock);
    bool open = any_open();
    fork_lock_give(&instance_lock);
    return open;
}

static void before_fork(void)
{
    fork_lock_before(&instance_lock);
    state.threads = thread_count();
}

static void after_fork(void)
{
    fork_lock_parent(&instance_lock);
}

static void begin_child(void)
{
    fork_lock_child(&instance_lock);
    state.clean = instance_lock.consistent && !any_open() && !gate_ended();
}

static void watch_forks(void)
{
    thread_fork_generation(); // must be registered before ours
    pthread_atfork(before_fork, after_fork, begin_child);
}

void vk_fork_watch(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, watch_forks);
}

static bool is_parents(void)
{
    return state.made && state.fork_generation != thread_fork_generation();
}

static void *end_immediately(void *unused)
{
    return unused;
}

// In a forked child, Mesa's exit handler joins the driver's threads, also those of the parent. libc
// has freed their stacks and thus their IDs: if a new thread gets such an ID, the join never
// returns. So threads that end immediately occupy all of them.
static void occupy_thread_ids(void)
{
    enum { CACHED = 8 }; // of threads that had ended before the fork
    pthread_t thread;
    for (unsigned i = 0; i < state.threads + CACHED; i++)
        if (thread_start(&thread, NULL, end_immediately, NULL))
            return;
}

// Devices with equal properties are matched in order.
static void renew_one(struct vk_physical *found, uint32_t count, struct vk_physical *physical)
{
    physical->handle = VK_NULL_HANDLE;
    physical->device = NULL;
    physical->opened = false;
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t *uuid = found[i].facts.props11.deviceUUID;
        if (!found[i].handle || memcmp(uuid, physical->facts.props11.deviceUUID, VK_UUID_SIZE))
            continue;
        physical->handle = found[i].handle;
        found[i].handle = VK_NULL_HANDLE;
        return;
    }
}

static VkResult renew_list(void)
{
    VkPhysicalDevice handles[PHYSICAL_MAX];
    uint32_t count = PHYSICAL_MAX;
    VkResult result = state.instance.fn.EnumeratePhysicalDevices(state.instance.handle, &count, handles);
    struct vk_physical *found = result < 0 ? NULL : calloc(count ? count : 1, sizeof *found);
    if (!found)
        return result < 0 ? result : VK_ERROR_OUT_OF_HOST_MEMORY;
    for (uint32_t i = 0; i < count; i++)
        if (vk_facts_fill(&state.instance, handles[i], &found[i]) != VK_SUCCESS)
            found[i].handle = VK_NULL_HANDLE;
    for (uint32_t i = 0; i < state.count; i++)
        renew_one(found, count, &state.list[i]);
    free(found);
    return VK_SUCCESS;
}

// The prefix of the device files to drop before the parent's instance is destroyed in the child. NULL: it must stay, because
// no driver needs this, or because one would hang: Mesa's drivers then join threads that exist in the parent only.
static const char *files_to_drop(void)
{
    const char *files = NULL;
    for (uint32_t i = 0; i < state.count; i++) {
        const struct vk_physical *physical = &state.list[i];
        const char *own = vk_quirks(&physical->facts)->device_files;
        bool stays = physical->opened || physical->facts.props.deviceType != VK_PHYSICAL_DEVICE_TYPE_CPU;
        if (!own && stays)
            return NULL;
        files = own ? own : files;
    }
    return state.devices ? NULL : files;
}

// NVIDIA's driver cannot open a device in a child until the parent's instance has been destroyed
// there. Its device files are closed first: otherwise destroying the instance would also destroy it
// for the parent.
static void end_parents_instance(void)
{
    const char *files = files_to_drop();
    if (files && process_drop_files(files))
        state.instance.fn.DestroyInstance(state.instance.handle, NULL);
}

static VkResult renew_instance(void *unused)
{
    struct vk_instance instance;
    (void)unused;
    end_parents_instance();
    memset(&instance, 0, sizeof instance);
    VkResult result = vk_instance_create(&instance);
    if (result != VK_SUCCESS)
        return result;
    state.instance = instance;
    state.devices = NULL;
    atomic_store(&compilations, 0);
    vk_clock_forget();
    return renew_list();
}

static bool renew_locked(void)
{
    if (!is_parents())
        return true;
    if (!state.clean)
        return false;
    state.clean = false; // one attempt only
    occupy_thread_ids();
    if (vk_on_stack(renew_instance, NULL) != VK_SUCCESS)
        return false;
    state.fork_generation = thread_fork_generation();
    log_write(LOG_VULKAN, "a forked child has created a new Vulkan instance");
    return true;
}

bool vk_physical_renew(void)
{
    if (!is_parents())
        return true;
    fork_lock_take(&instance_lock);
    bool ours = renew_locked();
    fork_lock_give(&instance_lock);
    return ours;
}

static VkResult make_instance(void *unused)
{
    (void)unused;
    VkResult result = vk_instance_create(&state.instance);
    return result == VK_SUCCESS ? make_list() : result;
}

static VkResult list_locked(void)
{
    if (state.made)
        return renew_locked() ? state.result : VK_ERROR_DEVICE_LOST;
    state.made = true;
    state.fork_generation = thread_fork_generation();
    vk_facts_check_options();
    state.result = vk_on_stack(make_instance, NULL);
    if (state.result == VK_SUCCESS) {
        process_at_exit(finish_at_exit);
        process_at_detach(finish_at_detach);
        gate_at_thread_end(hook_if_compiling);
    }
    return state.result;
}

VkResult vk_physical_list(struct vk_physical **list, uint32_t *count)
{
    *list = NULL, *count = 0;
    vk_fork_watch();
    fork_lock_take(&instance_lock);
    VkResult result = list_locked();
    *list = result == VK_SUCCESS ? state.list : NULL;
    *count = result == VK_SUCCESS ? state.count : 0;
    fork_lock_give(&instance_lock);
    return result;
}

// Before Vulkan 1.3, reading and writing without a format are supported for all formats or none.
static VkFormatFeatureFlags2 older_features(const struct vk_features *has, VkFormatFeatureFlags old,
                                            VkFormatFeatureFlags storage)
{
    VkFormatFeatureFlags2 features = old;
    if (old & storage && has->image_read_without_format)
        features |= VK_FORMAT_FEATURE_2_STORAGE_READ_WITHOUT_FORMAT_BIT;
    if (old & storage && has->image_write_without_format)
        features |= VK_FORMAT_FEATURE_2_STORAGE_WRITE_WITHOUT_FORMAT_BIT;
    return features;
}

uint32_t vk_physical_refused(const struct vk_physical **list)
{
    *list = state.refused;
    return state.refused_count;
}

VkFormatProperties3 vk_physical_format(const struct vk_physical *physical, VkFormat format)
{
    const VkFormatFeatureFlags image = VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT,
                               texels = VK_FORMAT_FEATURE_STORAGE_TEXEL_BUFFER_BIT;
    const struct vk_features *has = &physical->facts.features;
    VkFormatProperties3 more = {.sType = VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_3};
    VkFormatProperties2 all = {.sType = VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_2,
                               .pNext = has->format_features2 ? &more : NULL};
    state.instance.fn.GetPhysicalDeviceFormatProperties2(physical->handle, format, &all);
    if (!has->format_features2) {
        const VkFormatProperties *old = &all.formatProperties;
        more.linearTilingFeatures = older_features(has, old->linearTilingFeatures, image);
        more.optimalTilingFeatures = older_features(has, old->optimalTilingFeatures, image);
        more.bufferFeatures = older_features(has, old->bufferFeatures, texels);
    }
    if (vk_quirks(&physical->facts)->texels_without_format && more.bufferFeatures & texels)
        more.bufferFeatures |= more.optimalTilingFeatures & VK_FORMAT_FEATURE_2_STORAGE_WRITE_WITHOUT_FORMAT_BIT;
    more.pNext = NULL;
    return more;
}

VkResult vk_physical_image(const struct vk_physical *physical, VkFormat format, VkImageType type,
                           VkImageUsageFlags usage, VkImageCreateFlags flags,
                           VkImageFormatProperties *limits)
{
    return state.instance.fn.GetPhysicalDeviceImageFormatProperties(
        physical->handle, format, type, VK_IMAGE_TILING_OPTIMAL, usage, flags, limits);
}

uint32_t vk_physical_planes(const struct vk_physical *physical, VkFormat format, uint64_t modifier)
{
    VkDrmFormatModifierPropertiesEXT rows[MODIFIERS];
    VkDrmFormatModifierPropertiesListEXT list = {
        .sType = VK_STRUCTURE_TYPE_DRM_FORMAT_MODIFIER_PROPERTIES_LIST_EXT,
        .drmFormatModifierCount = MODIFIERS,
        .pDrmFormatModifierProperties = rows,
    };
    VkFormatProperties2 all = {.sType = VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_2, .pNext = &list};
    state.instance.fn.GetPhysicalDeviceFormatProperties2(physical->handle, format, &all);
    for (uint32_t i = 0; i < list.drmFormatModifierCount; i++)
        if (rows[i].drmFormatModifier == modifier)
            return rows[i].drmFormatModifierPlaneCount;
    return 0;
}

static const void *chained(const VkImageCreateInfo *info, VkStructureType type)
{
    const VkBaseInStructure *at = info->pNext;
    while (at && at->sType != type)
        at = at->pNext;
    return at;
}

VkResult vk_physical_shared_image(const struct vk_physical *physical, const VkImageCreateInfo *info,
                                  VkImageFormatProperties *limits, bool *dedicated)
{
    const VkExternalMemoryImageCreateInfo *memory = chained(info, VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMAGE_CREATE_INFO);
    const VkImageDrmFormatModifierExplicitCreateInfoEXT *modifier =
        chained(info, VK_STRUCTURE_TYPE_IMAGE_DRM_FORMAT_MODIFIER_EXPLICIT_CREATE_INFO_EXT);
    const VkImageFormatListCreateInfo *list = chained(info, VK_STRUCTURE_TYPE_IMAGE_FORMAT_LIST_CREATE_INFO);
    VkImageFormatListCreateInfo views = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_FORMAT_LIST_CREATE_INFO,
        .viewFormatCount = list ? list->viewFormatCount : 0,
        .pViewFormats = list ? list->pViewFormats : NULL,
    };
    VkPhysicalDeviceImageDrmFormatModifierInfoEXT laid_out = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_DRM_FORMAT_MODIFIER_INFO_EXT,
        .pNext = list ? &views : NULL,
        .drmFormatModifier = modifier ? modifier->drmFormatModifier : 0,
        .sharingMode = VK_SHARING_MODE_EXCLUSIVE,
    };
    VkPhysicalDeviceExternalImageFormatInfo external = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_IMAGE_FORMAT_INFO,
        .pNext = modifier ? &laid_out : NULL,
        .handleType = (VkExternalMemoryHandleTypeFlagBits)memory->handleTypes,
    };
    VkPhysicalDeviceImageFormatInfo2 asked = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_FORMAT_INFO_2,
        .pNext = &external,
        .format = info->format,
        .type = info->imageType,
        .tiling = info->tiling,
        .usage = info->usage,
        .flags = info->flags,
    };
    VkExternalImageFormatProperties reported = {
        .sType = VK_STRUCTURE_TYPE_EXTERNAL_IMAGE_FORMAT_PROPERTIES};
    VkImageFormatProperties2 all = {.sType = VK_STRUCTURE_TYPE_IMAGE_FORMAT_PROPERTIES_2,
                                    .pNext = &reported};
    VkResult result =
        state.instance.fn.GetPhysicalDeviceImageFormatProperties2(physical->handle, &asked, &all);
    VkExternalMemoryFeatureFlags can = reported.externalMemoryProperties.externalMemoryFeatures;
    *limits = all.imageFormatProperties;
    *dedicated = can & VK_EXTERNAL_MEMORY_FEATURE_DEDICATED_ONLY_BIT;
    if (result == VK_SUCCESS && !(can & VK_EXTERNAL_MEMORY_FEATURE_IMPORTABLE_BIT))
        result = VK_ERROR_FORMAT_NOT_SUPPORTED;
    return result;
}

bool vk_physical_budget(const struct vk_physical *physical, uint32_t heap, VkDeviceSize *budget,
                        VkDeviceSize *usage)
{
    VkPhysicalDeviceMemoryBudgetPropertiesEXT reported = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT};
    VkPhysicalDeviceMemoryProperties2 all = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_PROPERTIES_2, .pNext = &reported};
    if (!physical->facts.features.memory_budget)
        return false;
    state.instance.fn.GetPhysicalDeviceMemoryProperties2(physical->handle, &all);
    *budget = reported.heapBudget[heap];
    *usage = reported.heapUsage[heap];
    return *budget && *usage <= INT64_MAX; // negative: 32-bit lavapipe on a large machine
}

bool vk_physical_free_bytes(const struct vk_physical *physical, VkDeviceSize *bytes)
{
    const VkPhysicalDeviceMemoryProperties *memory = &physical->facts.memory;
    VkDeviceSize budget, usage;
    bool known = true;
    *bytes = 0;
    for (uint32_t i = 0; i < memory->memoryHeapCount && known; i++) {
        if (!(memory->memoryHeaps[i].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT))
            continue;
        known = vk_physical_budget(physical, i, &budget, &usage);
        if (known && budget > usage && budget - usage > *bytes)
            *bytes = budget - usage;
    }
    return known;
}

// ---- a device -----------------------------------------------------------------------------------

static PFN_vkVoidFunction device_function(VkDevice device, const char *name)
{
    return vk_loader_checked(state.instance.fn.GetDeviceProcAddr(device, name), name);
}

static bool load_functions(struct vk_device *device)
{
    const struct vk_facts *facts = device->facts;
    uint32_t version = facts->props.apiVersion;
#define PROC_NEWER(name, core, suffix, feature)                                                    \
    if (facts->features.feature &&                                                                 \
        !(device->fn.name = (PFN_vk##name)device_function(                                         \
              device->handle, version >= (core) ? "vk" #name : "vk" #name suffix)))                \
        return false;
#define PROC(name)                                                                                 \
    if (!(device->fn.name = (PFN_vk##name)device_function(device->handle, "vk" #name)))            \
        return false;
#define PROC_OPTIONAL(name)                                                                        \
    device->fn.name = (PFN_vk##name)device_function(device->handle, "vk" #name);
#include "vulkan/procs.def"
    return true;
}

static VkResult make_layout(struct vk_device *device)
{
    VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0, device->facts->max_push_bytes};
    VkPipelineLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .pushConstantRangeCount = 1,
        .pPushConstantRanges = &range,
    };
    VkResult result = device->fn.CreatePipelineLayout(device->handle, &info, NULL, &device->layout);
    if (result == VK_SUCCESS)
        result = vk_samplers_create(device);
    if (result == VK_SUCCESS)
        result = vk_cache_open(device);
    return result;
}

static void take_queues(struct vk_device *device, uint32_t family, struct vk_queue *queues, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        device->fn.GetDeviceQueue(device->handle, family, i, &queues[i].handle);
        pthread_mutex_init(&queues[i].lock, NULL);
    }
}

static void make_queues(struct vk_device *device)
{
    const struct vk_facts *facts = device->facts;
    take_queues(device, facts->queue_family, device->queues, device->queue_count);
    take_queues(device, facts->copy_family, device->copy_queues, device->copy_queue_count);
}

static void link_device(struct vk_device *device)
{
    device->next = state.devices;
    state.devices = device;
}

static void unlink_device(struct vk_device *device)
{
    struct vk_device **at = &state.devices;
    while (*at && *at != device)
        at = &(*at)->next;
    if (*at)
        *at = device->next;
}

static void destroy(struct vk_device *device)
{
    if (device->command_exit)
        device->command_exit(device, device->command);
    vk_pulse_end(device);
    if (device->handle && device->fn.DestroyDevice) {
        if (device->memory)
            vk_memory_finish(device);
        if (device->cache)
            device->fn.DestroyPipelineCache(device->handle, device->cache, NULL);
        vk_pipelines_finish(device);
        vk_samplers_destroy(device);
        vk_timelines_destroy(device);
        vk_fences_destroy(device);
        if (device->layout)
            device->fn.DestroyPipelineLayout(device->handle, device->layout, NULL);
        device->fn.DestroyDevice(device->handle, NULL);
    }
    pthread_mutex_destroy(&device->lock);
    free(device->interrupts.counts);
    free(device->recall);
    free(device);
}

// ---- the end of the process ---------------------------------------------------------------------

static void (*_Atomic at_end)(void);

void vk_at_end(void (*fn)(void))
{
    atomic_store(&at_end, fn);
}

static void finish_work(void)
{
    for (struct vk_device *device = state.devices; device; device = device->next) {
        if (atomic_load(&device->lost))
            continue;
        if (device->command_exit)
            device->command_exit(device, device->command);
        vk_cache_save(device);
        vk_recall_save(device);
    }
}

static void end_devices(void)
{
    for (struct vk_device *device = state.devices; device; device = device->next) {
        vk_pulse_end(device);
        vk_ended_functions(&device->fn);
        vk_memory_forget(device);
    }
    vk_ended_instance(&state.instance.fn);
}

// On Windows all other threads, including the driver's, have been terminated anywhere in their
// code: nothing can be finished any more.
static void finish_at_detach(void)
{
    if (gate_ended())
        return;
    end_devices();
    gate_abandon();
}

// If a call is stuck inside, the locks that it may hold are not taken.
static void finish_at_exit(void)
{
    bool idle;
    if (is_parents() || !gate_close(&idle))
        return; // or a forked child ends: the work in progress belongs to the parent
    vk_clock_end();
    if (idle)
        finish_work();
    if (idle && atomic_load(&at_end))
        atomic_load(&at_end)();
    end_devices();
    gate_end();
    if (state.devices && state.devices->command_ended)
        state.devices->command_ended();
}

// A library may register exit handlers whenever it is first needed.
unsigned long long vk_libraries(void)
{
    return library_loads();
}

// The last registered handler runs first. If the driver has loaded more libraries, these may have
// registered handlers too.
void vk_exit_hook(unsigned long long libraries)
{
    if (libraries != vk_libraries())
        process_at_exit(finish_at_exit);
}

// Compilers (LLVM, in lavapipe and NVIDIA's driver) register destructors of tables at the first
// use. If those run before our handler, they destroy a table during a compilation, which then
// crashes or never ends. So if the process ends during a compilation, our handler is registered
// again to run first; and with background compilations also after each.
static void hook_again(void)
{
    static atomic_uint hooks;
    if (atomic_fetch_add(&hooks, 1) < HOOKS_MAX)
        process_at_exit(finish_at_exit);
}

static void hook_if_compiling(void)
{
    if (atomic_load(&compilations))
        hook_again();
}

void vk_compile_begins(void)
{
    atomic_fetch_add(&compilations, 1);
}

void vk_compile_ended(void)
{
    atomic_fetch_sub(&compilations, 1);
}

bool vk_compiles(void)
{
    return atomic_load(&compilations) != 0;
}

bool vk_compiles_late(const struct vk_device *device)
{
    return device->facts->props.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
}

void vk_first_run_begins(const struct vk_device *device)
{
    if (vk_compiles_late(device))
        vk_compile_begins();
}

void vk_first_run_ended(const struct vk_device *device)
{
    if (!vk_compiles_late(device))
        return;
    hook_again();
    vk_compile_ended();
}

// ---- opening ------------------------------------------------------------------------------------

static VkResult make_handle(struct vk_device *device, struct vk_physical *physical)
{
    if (gate_ended()) {
        vk_ended_functions(&device->fn);
        return VK_SUCCESS;
    }
    VkResult result =
        vk_facts_create_device(&state.instance, physical, device->queue_count, device->copy_queue_count,
                               &device->handle);
    if (result == VK_SUCCESS && !load_functions(device))
        result = VK_ERROR_INITIALIZATION_FAILED;
    return result;
}

// On 32-bit machines, code that LLVM generates at run time calls the compiler's helper functions
// (for 64-bit division, for example). LLVM looks them up among the process's global symbols, and
// calls address 0 or aborts if the program does not link libgcc_s.
static void load_helpers(const struct vk_device *device)
{
#if UINTPTR_MAX == UINT32_MAX
    if (vk_compiles_late(device))
        library_make_global("libgcc_s.so.1");
#else
    (void)device;
#endif
}

static VkResult make_device(struct vk_physical *physical, struct vk_device **out)
{
    struct vk_device *device = calloc(1, sizeof *device);
    if (!device)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    pthread_mutex_init(&device->lock, NULL);
    vk_pulse_init(device);
    device->physical = physical;
    device->facts = &physical->facts;
    device->fork_generation = thread_fork_generation();
    vk_queues_choose(device);
    load_helpers(device);
    VkResult result = make_handle(device, physical);
    if (result == VK_SUCCESS)
        result = make_layout(device);
    if (result == VK_SUCCESS)
        result = vk_pipelines_init(device);
    if (result == VK_SUCCESS)
        result = vk_memory_init(device);
    if (result != VK_SUCCESS) {
        log_write(LOG_VULKAN, "%s: cannot be opened: %s", physical->facts.props.deviceName,
                  vk_result_name(result));
        destroy(device);
        return result;
    }
    make_queues(device);
    if (!state.devices)
        process_at_exit(finish_at_exit); // the driver has registered its handlers by now, so ours
                                         // runs first
    link_device(device);
    *out = device;
    return VK_SUCCESS;
}

static void add_user(struct vk_device *device)
{
    if (!device->users++)
        vk_clock_retain(device->facts);
}

static VkResult make_on_stack(void *data)
{
    struct vk_physical *physical = data;
    return make_device(physical, &physical->device);
}

VkResult vk_device_open(struct vk_physical *physical, struct vk_device **out)
{
    VkResult result = VK_SUCCESS;
    if (!vk_physical_renew() || !physical->handle)
        return VK_ERROR_DEVICE_LOST;
    fork_lock_take(&instance_lock);
    if (physical->device && atomic_load(&physical->device->lost))
        physical->device = NULL; // destroyed with its last user
    if (!physical->device)
        result = vk_on_stack(make_on_stack, physical);
    physical->opened = true;
    if (result == VK_SUCCESS) {
        add_user(physical->device);
        *out = physical->device;
    }
    fork_lock_give(&instance_lock);
    return result;
}

void vk_device_retain(struct vk_device *device)
{
    fork_lock_take(&instance_lock);
    add_user(device);
    fork_lock_give(&instance_lock);
}

void vk_device_close(struct vk_device *device)
{
    if (!device || device->fork_generation != thread_fork_generation())
        return;
    fork_lock_take(&instance_lock);
    bool unused = --device->users == 0, gone = unused && atomic_load(&device->lost);
    if (unused)
        vk_clock_release(device->facts);
    if (gone && device->physical->device == device)
        device->physical->device = NULL;
    if (gone)
        unlink_device(device);
    fork_lock_give(&instance_lock);
    if (gone)
        destroy(device);
}

VkResult vk_device_check(const struct vk_device *device)
{
    if (atomic_load_explicit(&device->lost, memory_order_relaxed) ||
        device->fork_generation != thread_fork_generation())
        return VK_ERROR_DEVICE_LOST;
    return VK_SUCCESS;
}

VkResult vk_device_note(struct vk_device *device, VkResult result, const char *what)
{
    if (result >= 0)
        return result;
    if (result == VK_ERROR_DEVICE_LOST && !atomic_exchange(&device->lost, true))
        log_warn("%s: device lost (%s)", device->facts->props.deviceName, what);
    log_write(LOG_VULKAN, "%s: %s", what, vk_result_name(result));
    return result;
}
