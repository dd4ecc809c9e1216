// SPDX-License-Identifier: Apache-2.0
// The compiler's target for a driver, and the environment variables that override it. They are read
// once, so each case runs in its own process.
#include "object/device_caps.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

static struct vk_facts facts;
static struct device_caps caps;

static const struct {
    VkDriverId driver;
    const char *value; // of the environment variable
    bool own_code;
} cases[] = {
    {VK_DRIVER_ID_MESA_LLVMPIPE, NULL, false},
    {VK_DRIVER_ID_MESA_LLVMPIPE, "device", false},
    {VK_DRIVER_ID_MESA_LLVMPIPE, "kernel", true},
    {VK_DRIVER_ID_MESA_LLVMPIPE, "kernels", false},
    {VK_DRIVER_ID_NVIDIA_PROPRIETARY, NULL, true},
    {VK_DRIVER_ID_NVIDIA_PROPRIETARY, "device", false},
    {VK_DRIVER_ID_NVIDIA_PROPRIETARY, "kernel", true},
    {VK_DRIVER_ID_NVIDIA_PROPRIETARY, "1", true},
};

#define OWN_CODE(field) &caps.target.field, sizeof caps.target.field
static const struct {
    const char *name;
    const void *own_code; // the field; not zero: Pumice's own code
    size_t size;
} switches[] = {
    {"PUMICE_DIVISION", OWN_CODE(int64_division_in_32)},
    {"PUMICE_SMALL_INTS", OWN_CODE(small_ints_in_32)},
    {"PUMICE_TABLES", OWN_CODE(constant_tables)},
    {"PUMICE_UNROLL", OWN_CODE(unroll_room)},
};

static int check_one(size_t s, size_t i)
{
    if (cases[i].value)
        setenv(switches[s].name, cases[i].value, 1);
    facts.props12.driverID = cases[i].driver;
    facts.props.deviceType = cases[i].driver == VK_DRIVER_ID_MESA_LLVMPIPE ? VK_PHYSICAL_DEVICE_TYPE_CPU : VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU;
    device_caps_fill(&caps, &facts);
    static const char nothing[8];
    return (memcmp(switches[s].own_code, nothing, switches[s].size) != 0) != cases[i].own_code;
}

// The shapes that PUMICE_MATRICES enables for testing contain no halves if the device does not
// support them.
static int check_tiles(void)
{
    setenv("PUMICE_MATRICES", "tiles", 1);
    device_caps_fill(&caps, &facts);
    unsigned halves = 0;
    for (unsigned i = 0; i < caps.target.matrix_shape_count; i++)
        halves += caps.target.matrix_shapes[i].a == KC_COMPONENT_F16;
    return halves || !caps.target.matrix_shape_count;
}

// Depends on Vulkan's memory model, if the device supports it.
static int check_coherence(void)
{
    setenv("PUMICE_COHERENCE", "group", 1);
    facts.features.memory_model = true;
    device_caps_fill(&caps, &facts);
    bool with = caps.target.group_coherence;
    facts.features.memory_model = false;
    device_caps_fill(&caps, &facts);
    return !with || caps.target.group_coherence;
}

// Loops with an unknown trip count are unrolled only for drivers where that was measured to pay.
static int check_loops(void)
{
    facts.props12.driverID = VK_DRIVER_ID_MESA_RADV;
    facts.props.deviceType = VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU;
    device_caps_fill(&caps, &facts);
    return caps.target.unroll_room != 0;
}

static bool passes_in_process(int (*check)(void))
{
    int status = 1;
    pid_t child = fork();
    if (child == 0)
        _exit(check());
    waitpid(child, &status, 0);
    return status == 0;
}

int main(void)
{
    CHECK(passes_in_process(check_tiles));
    CHECK(passes_in_process(check_coherence));
    CHECK(passes_in_process(check_loops));
    for (size_t s = 0; s < sizeof switches / sizeof *switches; s++)
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            int status = 1;
            pid_t child = fork();
            if (child == 0)
                _exit(check_one(s, i));
            waitpid(child, &status, 0);
            if (status)
                fprintf(stderr, "%s, case %zu\n", switches[s].name, i);
            CHECK(status == 0);
        }
    return check_result();
}
