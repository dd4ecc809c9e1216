// SPDX-License-Identifier: Apache-2.0
// The interrupts of a device per processor, from a generated folder; and a thread that moves away
// from a processor.
#define _GNU_SOURCE
#include "check.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/thread.h"
#include "vulkan/interrupts.h"

enum { TRIES = 100 };

static char root[] = "/tmp/pumice_interrupts_XXXXXX";

static void put(unsigned number, const char *text)
{
    char command[1024];
    snprintf(command, sizeof command,
             "cd %s && mkdir -p sys/bus/pci/devices/0001:0a:1f.3/msi_irqs sys/kernel/irq/%u && "
             "echo msix > sys/bus/pci/devices/0001:0a:1f.3/msi_irqs/%u && printf '%s' > sys/kernel/irq/%u/per_cpu_count",
             root, number, number, text, number);
    CHECK(system(command) == 0);
}

static void count(void)
{
    struct vk_facts facts = {.features.pci_bus_info = true};
    uint64_t first[VK_PROCESSORS] = {0}, second[VK_PROCESSORS] = {0};
    CHECK(!vk_interrupts_count(&facts, root, first));
    facts.pci.pciDomain = 1, facts.pci.pciBus = 10;
    facts.pci.pciDevice = 31, facts.pci.pciFunction = 3;
    put(42, "5,0,7000\n");
    put(44, "12,0,0\n");
    CHECK(vk_interrupts_count(&facts, root, first));
    CHECK(first[0] == 17 && first[1] == 0 && first[2] == 7000 && first[3] == 0);
    put(42, "5,1000,7010\n");
    put(44, "what is no list");
    CHECK(vk_interrupts_count(&facts, root, second));
    second[0] += 12;
    CHECK(vk_interrupts_busiest(first, second) == 1); // new interrupts count
    CHECK(vk_interrupts_busiest(second, second) == -1);
    facts.features.pci_bus_info = false;
    CHECK(!vk_interrupts_count(&facts, root, first));
}

// One caller at a time learns that a count is due.
static void due(void)
{
    static struct vk_facts facts;
    static struct vk_device device = {.facts = &facts};
    CHECK(!vk_interrupts_due(&device)); // not available
    facts.features.pci_bus_info = true;
    CHECK(vk_interrupts_due(&device));
    CHECK(!vk_interrupts_due(&device));
    vk_interrupts_cancel(&device);
    CHECK(vk_interrupts_due(&device));
}

static void leave(void)
{
    cpu_set_t before, after, one;
    CHECK(!sched_getaffinity(0, sizeof before, &before));
    int here = thread_processor();
    if (here < 0 || CPU_COUNT(&before) < 2)
        return;
    CPU_ZERO(&one);
    CPU_SET((size_t)here, &one);
    CHECK(!sched_setaffinity(0, sizeof one, &one));
    CHECK(!thread_leave_processor(here) && thread_processor() == here); // it may not run on another one
    CHECK(!sched_setaffinity(0, sizeof before, &before));
    bool left = false; // it may be moved back immediately
    for (int i = 0; i < TRIES && !left; i++) {
        here = thread_processor();
        CHECK(thread_leave_processor(here));
        left = thread_processor() != here;
    }
    CHECK(left);
    CHECK(!sched_getaffinity(0, sizeof after, &after) && CPU_EQUAL(&before, &after));
}

int main(void)
{
    char command[1024];
    if (!mkdtemp(root))
        return 1;
    count();
    due();
    leave();
    snprintf(command, sizeof command, "rm -rf %s", root);
    CHECK(system(command) == 0);
    return check_result();
}
