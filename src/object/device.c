// SPDX-License-Identifier: Apache-2.0
// The device list, created at the first query from the available Vulkan devices.
#include "object/device.h"

#include <stdlib.h>
#include <string.h>

#include "command/command.h"
#include "util/log.h"
#include "util/options.h"
#include "util/thread.h"
#include "vulkan/cache.h"
#include "vulkan/clock_rate.h"

struct _cl_platform_id device_platform = {
    .base = {.dispatch = &api_table.icd, .type = OBJECT_PLATFORM, .references = 1, .uses = 1}};

static struct _cl_device_id *devices;
static cl_uint device_count;
static pthread_once_t devices_once = PTHREAD_ONCE_INIT;

static void device_no_destroy(void *object)
{
    (void)object; // root devices live as long as the process
}

static void device_init(struct _cl_device_id *device, struct vk_physical *physical)
{
    object_init(&device->base, OBJECT_DEVICE, device_no_destroy);
    device->physical = physical;
    fork_lock_init(&device->lock);
    device_caps_fill(&device->caps, &physical->facts);
    const char *as = option_get(OPTION_DEVICE_TYPE);
    if (as && !strcmp(as, "gpu") && device->caps.type == CL_DEVICE_TYPE_CPU)
        device->caps.type = CL_DEVICE_TYPE_GPU;
}

// ---- forks --------------------------------------------------------------------------------------

enum { CLOSING_US = 1000, CLOSING_CHECKS = 200 };

static struct fork_lock listing = FORK_LOCK;
atomic_uint device_references;

// A thread that lists or probes devices is inside the driver and holds a lock; a fork waits for
// that.
static void before_fork(void)
{
    for (int i = 0; i < CLOSING_CHECKS && !atomic_load(&device_references) && vk_physical_open();
         i++)
        thread_sleep_us(CLOSING_US);
    fork_lock_before(&listing);
    for (cl_uint i = 0; i < device_count; i++)
        fork_lock_before(&devices[i].lock);
}

static void after_fork(void)
{
    for (cl_uint i = 0; i < device_count; i++)
        fork_lock_parent(&devices[i].lock);
    fork_lock_parent(&listing);
}

static void begin_child(void)
{
    for (cl_uint i = 0; i < device_count; i++)
        fork_lock_child(&devices[i].lock);
    fork_lock_child(&listing);
    atomic_store(&device_references, 0); // releases in the child do not count
}

static void watch_forks(void)
{
    vk_fork_watch();
    cmd_fork_watch();
    pthread_atfork(before_fork, after_fork, begin_child);
}

// Whether a forked child has a new instance, in which the device is usable.
static bool renewed(struct _cl_device_id *device)
{
    if (!vk_physical_renew())
        return false;
    device->base.fork_generation = thread_fork_generation();
    return true;
}

static void device_find_all(void)
{
    struct vk_physical *list = NULL;
    uint32_t count = 0;
    VkResult result = vk_physical_list(&list, &count);
    if (result != VK_SUCCESS) {
        log_write(LOG_VULKAN, "no devices: %s", vk_result_name(result));
        return;
    }
    devices = calloc(count ? count : 1, sizeof *devices);
    if (!devices)
        return;
    for (uint32_t i = 0; i < count; i++)
        device_init(&devices[i], &list[i]);
    device_count = count;
}

static void device_list_all(void)
{
    watch_forks();
    fork_lock_take(&listing);
    device_find_all();
    fork_lock_give(&listing);
}

cl_uint device_list(struct _cl_device_id **list)
{
    pthread_once(&devices_once, device_list_all);
    *list = devices;
    return device_count;
}

// Stored for the next process. Increment the version when the probe changes.
struct svm_note {
    uint32_t version, unused;
    uint64_t found;
};
enum { SVM_NOTE_VERSION = 2 };

// A CPU device that does not share everything may only have been too busy: the probe is repeated.
static bool is_worth_caching(const struct vk_facts *facts, cl_device_svm_capabilities found)
{
    return found && (facts->props.deviceType != VK_PHYSICAL_DEVICE_TYPE_CPU ||
                     found & CL_DEVICE_SVM_ATOMICS);
}

static cl_device_svm_capabilities probe_svm(struct _cl_device_id *device)
{
    const struct vk_facts *facts = &device->physical->facts;
    struct svm_note note = {0, 0, 0};
    struct vk_device *vk;
    if (option_off(OPTION_SVM) || !facts->features.buffer_device_address || !device_caps_pointers(&device->caps))
        return 0;
    if (vk_cache_load_note(facts, "svm", &note, sizeof note) && note.version == SVM_NOTE_VERSION)
        return note.found;
    if (vk_device_open(device->physical, &vk) != VK_SUCCESS)
        return 0;
    note = (struct svm_note){SVM_NOTE_VERSION, 0, cmd_probe_svm(vk)};
    vk_device_close(vk);
    if (is_worth_caching(facts, note.found))
        vk_cache_store(facts, "svm", &note, sizeof note);
    return note.found;
}

cl_device_svm_capabilities device_svm(struct _cl_device_id *device)
{
    if (!object_is_ours(device) && (device->svm_known || !renewed(device)))
        return device_svm_known(device);
    fork_lock_take(&device->lock);
    if (!device->svm_known) {
        cl_device_svm_capabilities found = probe_svm(device);
        device->shares_host = found & CMD_SHARED_HOST;
        __atomic_store_n(&device->svm, found & ~CMD_SHARED_HOST, __ATOMIC_RELAXED);
        device->svm_known = true;
        device_caps_share(&device->caps, device->svm);
    }
    cl_device_svm_capabilities svm = device->svm;
    fork_lock_give(&device->lock);
    return svm;
}

cl_device_svm_capabilities device_svm_known(const struct _cl_device_id *device)
{
    return __atomic_load_n(&device->svm, __ATOMIC_RELAXED);
}

bool device_shares_host(struct _cl_device_id *device)
{
    device_svm(device);
    return device->shares_host;
}

cl_uint device_clock_mhz(struct _cl_device_id *device)
{
    if (!object_is_ours(device)) // in a forked child the lock may have been held at the fork
        return vk_clock_mhz(&device->physical->facts, "");
    fork_lock_take(&device->lock);
    if (!device->clock_mhz)
        device->clock_mhz = vk_clock_mhz(&device->physical->facts, "");
    cl_uint mhz = device->clock_mhz;
    fork_lock_give(&device->lock);
    return mhz;
}

struct vk_last_cache device_last_cache(struct _cl_device_id *device)
{
    if (!object_is_ours(device))
        return vk_last_cache(&device->physical->facts, "");
    fork_lock_take(&device->lock);
    if (!device->cache_known)
        device->cache = vk_last_cache(&device->physical->facts, "");
    device->cache_known = true;
    struct vk_last_cache cache = device->cache;
    fork_lock_give(&device->lock);
    return cache;
}

bool device_is_valid(const void *handle)
{
    struct _cl_device_id *list;
    cl_uint count = device_list(&list);
    for (cl_uint i = 0; i < count; i++) {
        if (handle == &list[i])
            return true;
    }
    return false;
}

bool device_matches(const struct _cl_device_id *device, cl_device_type type)
{
    if (type & CL_DEVICE_TYPE_DEFAULT && type != CL_DEVICE_TYPE_ALL && device == devices)
        return true;
    if (type == CL_DEVICE_TYPE_ALL)
        return true;
    return (device->caps.type & type) != 0;
}
