// SPDX-License-Identifier: Apache-2.0
// The host's view of memory that is the device's own: small transfers, and long writes to an idle device, need no command of
// the device.
//
// A window is mapped for as long as its buffer lives, coherent, and not cached: writes are combined and go out at the
// link's speed (4 KiB in 0.4 us on an H200), reads must ask for whole lines at a time (4 KiB in 4 us; by plain loads 64).
//
// What is sound (Vulkan 7.4 and appendix B): a write by the host is made visible by the next submission. What the device
// has written is the host's to read or to write over when a barrier towards the host lies behind it in its queue, and
// the host has seen the end. Such a barrier costs each submission more than a microsecond, so only those have one
// that write what the host has lately used a window of; what was written without is `unseen`, and the next transfer is the
// device's again: its submission has the barrier.
#ifndef PUMICE_VULKAN_WINDOW_H
#define PUMICE_VULKAN_WINDOW_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

// Of one buffer; who changes it has enqueued what changes it.
struct vk_window_use {
    atomic_uint lately; // writes by the device to come that get a barrier
    atomic_bool unseen; // the device writes, or has written, without one
};

// The device is to write the buffer: whether a barrier towards the host must follow.
static inline bool vk_window_written(struct vk_window_use *use)
{
    unsigned lately = atomic_load_explicit(&use->lately, memory_order_relaxed);
    if (lately)
        atomic_store_explicit(&use->lately, lately - 1, memory_order_relaxed);
    else
        atomic_store(&use->unseen, true);
    return lately;
}

// Bytes for which it is the faster way; writes while the device is idle (16 MB in 0.53 ms on an H200, 0.76 ms by way of staging
// memory, which the first to be so long would have to wait 8 ms for).
enum { VK_WINDOW_WRITE = 65536, VK_WINDOW_WRITE_IDLE = 32 << 20, VK_WINDOW_READ = 8192 };

// Whether this machine can read windows in whole lines.
bool vk_window_readable(void);
void vk_window_read(void *to, const void *window, size_t size); // VK_WINDOW_READ bytes at most
void vk_window_flush(void); // what was written to windows is on its way

#endif
