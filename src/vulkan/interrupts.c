// SPDX-License-Identifier: Apache-2.0
// Sysfs -> the processor that handles a device's interrupts. See interrupts.h.
#include "vulkan/interrupts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/log.h"
#include "util/thread.h"

enum {
    PATH_SIZE = 512,
    INTERRUPTS_MIN = 100,         // between two counts
    FIRST_INTERVAL_NS = 10000000, // short, because a program may launch its first kernels
                                  // on that processor; doubles with each count
    LAST_INTERVAL_NS = 320000000, // a count takes 0.14 ms
};

// Parses "0,13,0": one number for each processor.
static void add_counts(const char *path, uint64_t counts[VK_PROCESSORS])
{
    FILE *file = file_open(path, "r");
    unsigned long long count;
    for (int i = 0; file && i < VK_PROCESSORS && fscanf(file, "%llu,", &count) == 1; i++)
        counts[i] += count;
    if (file)
        fclose(file);
}

struct count {
    const char *root;
    uint64_t *counts;
};

static void count_one(void *data, const char *name, const struct file_facts *facts)
{
    const struct count *count = data;
    char path[PATH_SIZE];
    (void)facts;
    snprintf(path, sizeof path, "%s/sys/kernel/irq/%.16s/per_cpu_count", count->root, name);
    add_counts(path, count->counts);
}

bool vk_interrupts_count(const struct vk_facts *facts, const char *root, uint64_t counts[VK_PROCESSORS])
{
    const VkPhysicalDevicePCIBusInfoPropertiesEXT *pci = &facts->pci;
    struct count count = {root, counts};
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s/sys/bus/pci/devices/%04x:%02x:%02x.%x/msi_irqs", root,
             pci->pciDomain, pci->pciBus, pci->pciDevice, pci->pciFunction);
    return facts->features.pci_bus_info && folder_visit(path, count_one, &count);
}

int vk_interrupts_busiest(const uint64_t before[VK_PROCESSORS], const uint64_t now[VK_PROCESSORS])
{
    uint64_t most = INTERRUPTS_MIN;
    int processor = -1;
    for (int i = 0; i < VK_PROCESSORS; i++)
        if (now[i] - before[i] > most) {
            most = now[i] - before[i];
            processor = i;
        }
    return processor;
}

static uint64_t next_interval(struct vk_interrupts *state)
{
    if (state->interval_ns < LAST_INTERVAL_NS)
        state->interval_ns = state->interval_ns ? 2 * state->interval_ns : FIRST_INTERVAL_NS;
    return state->interval_ns;
}

bool vk_interrupts_due(struct vk_device *device)
{
    struct vk_interrupts *state = &device->interrupts;
    uint64_t due = atomic_load_explicit(&state->due, memory_order_relaxed);
    return device->facts->features.pci_bus_info && thread_now_ns() >= due &&
           atomic_compare_exchange_strong(&state->due, &due, UINT64_MAX);
}

void vk_interrupts_cancel(struct vk_device *device)
{
    atomic_store(&device->interrupts.due, 0);
}

void vk_interrupts_refresh(struct vk_device *device)
{
    struct vk_interrupts *state = &device->interrupts;
    uint64_t counts[VK_PROCESSORS] = {0};
    if (!vk_interrupts_count(device->facts, "", counts))
        return; // not available, so there is no next count
    if (!state->counts)
        state->counts = calloc(1, sizeof counts); // the first count tells who has been the busiest since boot
    if (!state->counts)
        return;
    int processor = vk_interrupts_busiest(state->counts, counts);
    memcpy(state->counts, counts, sizeof counts);
    atomic_store(&state->avoided, processor + 1);
    atomic_store(&state->due, thread_now_ns() + next_interval(state));
}

void vk_interrupts_avoid(struct vk_device *device)
{
    struct vk_interrupts *state = &device->interrupts;
    int avoided = atomic_load_explicit(&state->avoided, memory_order_relaxed) - 1;
    if (avoided < 0 || thread_processor() != avoided)
        return;
    bool left = thread_leave_processor(avoided);
    log_write(LOG_QUEUE, "processor %d handles the device's interrupts: the thread %s", avoided,
              left ? "moves away" : "cannot move");
    atomic_store(&state->avoided, 0); // moving takes a while, so not again before the next count
}
