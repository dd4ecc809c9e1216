// SPDX-License-Identifier: Apache-2.0
// Detects which memory a device can share with the host (SVM), by one small run for each
// capability.
//
// A built-in kernel accesses, by raw addresses, memory that the host accesses by pointers. Memory
// outside of Vulkan buffers is tested only on CPU devices, because a kernel on any other device
// would fault. The same holds for concurrent atomics, tested with a kernel that waits for the host,
// with a limit.
#include <stdlib.h>
#include <string.h>

#include "command/own_kernels.h"
#include "util/log.h"
#include "util/thread.h"

enum { WORDS = 64, ADDS = 20000, PATIENCE = 1 << 28 };
#define START_NS UINT64_C(5000000000)

static bool run_kernel(const struct cmd_request *request, enum vk_kernel id,
                       const struct cmd_arg *args)
{
    struct cmd_ndrange range = {.args = args, .dims = 1, .global = {1}, .local = {1}};
    range.any_memory = true;
    return cmd_own_kernel(request->queue->device, id, &range.kernel) == CL_SUCCESS &&
           cmd_ndrange(request, &range) == CL_SUCCESS;
}

static bool copy_words(struct cmd_queue *queue, uint64_t to, uint64_t from)
{
    struct cmd_request request = {.queue = queue, .blocking = true};
    uint64_t count = WORDS;
    uint32_t rest = 0;
    const struct cmd_arg args[] = {
        {.offset = to},
        {.offset = from},
        {.value = &count, .size = sizeof count},
        {.value = &rest, .size = sizeof rest},
    };
    return run_kernel(&request, VK_KERNEL_COPY4, args);
}

static void make_words(uint32_t *words, uint32_t seed)
{
    for (uint32_t i = 0; i < WORDS; i++)
        words[i] = seed + i * UINT32_C(2654435761);
}

// The host writes the first half of the memory, the kernel the second.
static bool try_plain(struct cmd_queue *queue, uint32_t *words)
{
    make_words(words, 1);
    memset(words + WORDS, 0, WORDS * sizeof *words);
    return copy_words(queue, (uintptr_t)(words + WORDS), (uintptr_t)words) &&
           !memcmp(words, words + WORDS, WORDS * sizeof *words);
}

static bool try_copied(struct cmd_queue *queue, struct vk_buffer *buffer)
{
    struct vk_device *device = queue->device;
    uint32_t *words = (uint32_t *)(uintptr_t)buffer->address, back[WORDS];
    const uint64_t half = sizeof back;
    make_words(words, 2);
    return cmd_upload(device, buffer, 0, words, half) == CL_SUCCESS &&
           copy_words(queue, buffer->address + half, buffer->address) &&
           cmd_download(device, buffer, half, back, half) == CL_SUCCESS &&
           !memcmp(words, back, half);
}

static bool try_kind(struct cmd_queue *queue, enum vk_memory_kind kind)
{
    struct vk_buffer buffer;
    if (vk_buffer_create(queue->device, kind, 2 * WORDS * sizeof(uint32_t), &buffer) != VK_SUCCESS)
        return false;
    bool shared = buffer.host ? try_plain(queue, buffer.host) : try_copied(queue, &buffer);
    vk_buffer_destroy(&buffer);
    return shared;
}

static bool try_any(struct cmd_queue *queue)
{
    uint32_t *words = malloc(2 * WORDS * sizeof *words);
    bool shared = words && try_plain(queue, words);
    free(words);
    return shared;
}

static bool wait_for_word(const uint32_t *word)
{
    uint64_t end = thread_now_ns() + START_NS;
    while (!__atomic_load_n(word, __ATOMIC_ACQUIRE)) {
        if (thread_now_ns() > end)
            return false;
        thread_yield();
    }
    return true;
}

// The kernel increments a counter while the host does, then waits until it sees the host's flag.
static bool test_concurrently(struct cmd_queue *queue, uint32_t *words)
{
    struct command *command = NULL;
    struct cmd_request request = {.queue = queue, .out = &command};
    uint32_t adds = ADDS, patience = PATIENCE;
    const struct cmd_arg args[] = {
        {.offset = (uintptr_t)words},
        {.value = &adds, .size = sizeof adds},
        {.value = &patience, .size = sizeof patience},
    };
    if (!run_kernel(&request, VK_KERNEL_MEET, args))
        return false;
    bool started = cmd_flush(queue) == CL_SUCCESS && wait_for_word(&words[1]);
    for (uint32_t i = 0; i < ADDS; i++)
        __atomic_fetch_add(&words[0], 1, __ATOMIC_SEQ_CST);
    __atomic_store_n(&words[2], 1, __ATOMIC_SEQ_CST);
    cl_int result = cmd_wait(&command, 1);
    cmd_release(command);
    return result == CL_SUCCESS && started && words[0] == 2 * ADDS && words[3];
}

static bool try_atomics(struct cmd_queue *queue)
{
    uint32_t *words = calloc(4, sizeof *words);
    bool met = words && test_concurrently(queue, words);
    free(words);
    return met;
}

static cl_device_svm_capabilities probe(struct cmd_queue *queue)
{
    const struct vk_facts *facts = queue->device->facts;
    bool host = try_kind(queue, VK_MEMORY_SHARED_HOST);
    cl_device_svm_capabilities found = host ? CMD_SHARED_HOST : 0;
    if (!try_kind(queue, VK_MEMORY_SHARED))
        return found;
    found |= CL_DEVICE_SVM_COARSE_GRAIN_BUFFER;
    if (!host)
        return found;
    found |= CL_DEVICE_SVM_FINE_GRAIN_BUFFER;
    if (facts->props.deviceType != VK_PHYSICAL_DEVICE_TYPE_CPU || !try_any(queue))
        return found;
    found |= CL_DEVICE_SVM_FINE_GRAIN_SYSTEM;
    return try_atomics(queue) ? found | CL_DEVICE_SVM_ATOMICS : found;
}

cl_device_svm_capabilities cmd_probe_svm(struct vk_device *device)
{
    struct cmd_queue *queue;
    if (!device->facts->features.int64 || !device->facts->features.buffer_device_address ||
        cmd_queue_create(device, 0, &queue) != CL_SUCCESS)
        return 0;
    queue->concurrent = true; // a kernel waits for the host
    uint64_t begin = thread_now_ns();
    cmd_trace_quiet(true);
    cl_device_svm_capabilities found = probe(queue);
    cmd_trace_quiet(false);
    cmd_queue_release(queue);
    log_write(LOG_MEM, "%s: SVM capabilities 0x%llx, probed in %.2f ms",
              device->facts->props.deviceName, (unsigned long long)found,
              (double)(thread_now_ns() - begin) * 1e-6);
    return found;
}
