// SPDX-License-Identifier: Apache-2.0
// A CUDA context is held to keep the clock up while a device has users, if enabled, and only for
// that device. Uses a fake libcuda that counts calls; each case runs in its own process.
#include "vulkan_device.h"

#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cuda/cuda.h"
#include "util/thread.h"
#include "vulkan/clock.h"

enum { SKIP = 77, LONG_US = 3600000, SHORT_US = 20000, STEPS = 500, NS_PER_S = 1000000000 };
#define DELAY_NS (UINT64_C(3) * NS_PER_S) // until a context is created
enum { SLOW_S = 12 };

static struct fake_cuda *fake;
static const char *cache = "none"; // PUMICE_CACHE_DIR
static struct vk_physical *physical;

// Opens libcuda, which Pumice must not have opened yet, and the device.
static void begin(const char *wish)
{
    uint32_t count;
    if (wish)
        setenv("PUMICE_CLOCK", wish, 1);
    else
        unsetenv("PUMICE_CLOCK");
    setenv("PUMICE_CACHE_DIR", cache, 1);
    void *library = dlopen("libcuda.so.1", RTLD_NOW);
    fake = library ? dlsym(library, "fake_cuda") : NULL;
    if (!fake) {
        fprintf(stderr, "libcuda.so.1 is not the test's\n");
        exit(1);
    }
    if (vk_physical_list(&physical, &count) != VK_SUCCESS)
        exit(SKIP);
    memcpy(fake->uuid, physical->facts.props11.deviceUUID, sizeof fake->uuid);
}

// Waits for some seconds at most.
static bool comes_to(const atomic_int *count, int want)
{
    for (int i = 0; i < STEPS && atomic_load(count) != want; i++)
        usleep(SHORT_US);
    return atomic_load(count) == want;
}

static int held_while_used(void)
{
    struct vk_device *first, *second;
    begin("cuda");
    CHECK(vk_device_open(physical, &first) == VK_SUCCESS);
    CHECK(vk_device_open(physical, &second) == VK_SUCCESS);
    CHECK(comes_to(&fake->made, 1));
    vk_device_close(first);
    usleep(LONG_US);
    CHECK(atomic_load(&fake->gone) == 0);
    vk_device_close(second);
    CHECK(comes_to(&fake->gone, 1));
    CHECK(vk_device_open(physical, &first) == VK_SUCCESS);
    CHECK(comes_to(&fake->made, 2));
    CHECK(atomic_load(&fake->inits) == 1 && atomic_load(&fake->wrong) == 0);
    return check_result();
}

static int unused(const char *wish, bool hidden)
{
    struct vk_device *device;
    begin(wish);
    if (!wish && physical->facts.props12.driverID == VK_DRIVER_ID_NVIDIA_PROPRIETARY)
        exit(SKIP);
    fake->uuid[0] ^= hidden;
    CHECK(vk_device_open(physical, &device) == VK_SUCCESS);
    CHECK(hidden ? comes_to(&fake->inits, 1) : true);
    usleep(LONG_US);
    CHECK(atomic_load(&fake->inits) == hidden && atomic_load(&fake->made) == 0);
    vk_device_close(device);
    return check_result();
}

static int not_wanted(void)
{
    return unused("none", false);
}

static int not_nvidia(void)
{
    return unused(NULL, false);
}

static int not_found(void)
{
    return unused("cuda", true);
}

static int too_short(void)
{
    struct vk_device *device;
    begin("cuda");
    uint64_t start = thread_now_ns();
    CHECK(vk_device_open(physical, &device) == VK_SUCCESS);
    vk_device_close(device);
    bool was_short = thread_now_ns() - start < DELAY_NS; // false if the machine is busy
    usleep(LONG_US);
    CHECK(!was_short || atomic_load(&fake->inits) == 0);
    return check_result();
}

// Users that come and go quickly count as one that stays.
static int comes_and_goes(void)
{
    struct vk_device *device;
    begin("cuda");
    for (int i = 0; i < STEPS && !atomic_load(&fake->made); i++) {
        CHECK(vk_device_open(physical, &device) == VK_SUCCESS);
        usleep(SHORT_US);
        vk_device_close(device);
    }
    CHECK(atomic_load(&fake->made) == 1);
    return check_result();
}

// Loading the library takes longer than the process lives; the process waits for it.
static int ends_meanwhile(void)
{
    struct vk_device *device;
    begin("cuda");
    fake->init_us = SLOW_S * 1000000;
    CHECK(vk_device_open(physical, &device) == VK_SUCCESS);
    usleep(LONG_US);
    return check_result();
}

// Queried while the thread is in the library, and before the first use.
static int asked(const char *wish, bool with_users)
{
    struct vk_device *device = NULL;
    begin(wish);
    fake->init_us = LONG_US;
    if (with_users) {
        CHECK(vk_device_open(physical, &device) == VK_SUCCESS);
        usleep(LONG_US);
    }
    bool wanted = !strcmp(wish, "cuda");
    CHECK(vk_clock_cuda_l2(&physical->facts) == (wanted ? FAKE_L2 : 0));
    CHECK(atomic_load(&fake->inits) == wanted && atomic_load(&fake->made) <= with_users);
    if (with_users) {
        CHECK(comes_to(&fake->made, 1));
        vk_device_close(device);
    }
    fake->uuid[0] ^= 1;
    CHECK(vk_clock_cuda_l2(&physical->facts) == 0); // CUDA does not know this device
    CHECK(atomic_load(&fake->wrong) == 0);
    return check_result();
}

static int asked_at_first(void)
{
    return asked("cuda", false);
}

static int asked_meanwhile(void)
{
    return asked("cuda", true);
}

static int written_down(void)
{
    begin("cuda");
    CHECK(vk_clock_cuda_l2(&physical->facts) == FAKE_L2 && atomic_load(&fake->inits) == 1);
    return check_result();
}

static int read_again(void)
{
    begin("cuda");
    CHECK(vk_clock_cuda_l2(&physical->facts) == FAKE_L2 && atomic_load(&fake->inits) == 0);
    physical->facts.props11.deviceUUID[0] ^= 1;
    fake->uuid[0] ^= 1;
    CHECK(vk_clock_cuda_l2(&physical->facts) == FAKE_L2 && atomic_load(&fake->inits) == 1); // another device
    return check_result();
}

static int not_to_be_asked(void)
{
    return asked("none", false);
}

static int in_child(const char *name, int (*run)(void))
{
    uint64_t start = thread_now_ns();
    pid_t child = fork();
    if (!child)
        exit(run());
    int status = 0;
    waitpid(child, &status, 0);
    CHECK(thread_now_ns() - start < 500ull * NS_PER_S);
    int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    if (code && code != SKIP)
        fprintf(stderr, "%s: status %d\n", name, code);
    check_failures += code && code != SKIP;
    return code;
}

int main(void)
{
#define RUN(name) in_child(#name, name)
    if (RUN(held_while_used) == SKIP)
        return SKIP;
    RUN(not_wanted);
    RUN(not_nvidia);
    RUN(not_found);
    RUN(too_short);
    RUN(comes_and_goes);
    RUN(asked_at_first);
    RUN(asked_meanwhile);
    RUN(not_to_be_asked);
    char folder[] = "/tmp/pumice_clock_XXXXXX", command[64];
    cache = mkdtemp(folder);
    CHECK(cache);
    RUN(written_down);
    RUN(read_again);
    cache = "none";
    snprintf(command, sizeof command, "rm -rf %s", folder);
    CHECK(system(command) == 0);
    uint64_t start = thread_now_ns();
    RUN(ends_meanwhile);
    CHECK(thread_now_ns() - start >= (uint64_t)SLOW_S * NS_PER_S);
    return check_result();
}
