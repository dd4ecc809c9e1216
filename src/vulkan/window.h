// SPDX-License-Identifier: Apache-2.0
// Host access to device-local memory: small transfers, and long writes to an idle device, need no
// device command.
//
// A window is mapped as long as its buffer lives, coherent and uncached. Writes are combined and
// run at the speed of the link (4 KiB in 0.4 us on an H200). Reads must load whole cache lines (4
// KiB in 4 us; 64 us with plain loads).
//
// Correctness (Vulkan 7.4 and appendix B): a host write becomes visible with the next submission.
// The host may read or overwrite what the device has written if a barrier to the host follows in
// the queue and the host has seen its completion. Such a barrier costs more than a microsecond per
// submission, so it is added only to submissions that write a buffer whose window was used
// recently. A write without it makes the buffer `unseen`: the next transfer uses the device, and
// its submission has the barrier.
#ifndef PUMICE_VULKAN_WINDOW_H
#define PUMICE_VULKAN_WINDOW_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

// State of one buffer; modified by the thread that enqueues the write.
struct vk_window_use {
    atomic_uint recent_uses; // number of following device writes that get a barrier
    atomic_bool unseen; // the device writes, or has written, without a barrier
};

// Called for a device write to the buffer: returns whether a barrier to the host must follow.
static inline bool vk_window_written(struct vk_window_use *use)
{
    unsigned recent_uses = atomic_load_explicit(&use->recent_uses, memory_order_relaxed);
    if (recent_uses)
        atomic_store_explicit(&use->recent_uses, recent_uses - 1, memory_order_relaxed);
    else
        atomic_store(&use->unseen, true);
    return recent_uses;
}

// Maximum bytes for which the window is faster: for writes, for writes while the device is idle (16
// MB take 0.53 ms on an H200; 0.76 ms through staging memory, plus 8 ms for the first of that
// size), and for reads.
enum { VK_WINDOW_WRITE = 65536, VK_WINDOW_WRITE_IDLE = 32 << 20, VK_WINDOW_READ = 8192 };

// Whether this CPU can read windows in whole lines.
bool vk_window_readable(void);
void vk_window_read(void *to, const void *window, size_t size); // at most VK_WINDOW_READ bytes
void vk_window_flush(void); // completes pending writes to windows

#endif
