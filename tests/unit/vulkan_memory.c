// SPDX-License-Identifier: Apache-2.0
// Buffers: aligned, without overlaps in addresses and memory, freed completely; sizes above the
// limits are refused.
#define _GNU_SOURCE
#include "vulkan_device.h"

#include <dirent.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "command/command.h"
#include "vulkan/chunk.h"
#include "vulkan/memory.h"

enum { BUFFERS = 300, ROUNDS = 5 };

static struct vk_buffer buffers[BUFFERS];

static void check_overlaps(void)
{
    for (int i = 0; i < BUFFERS; i++)
        for (int j = 0; j < i; j++)
            CHECK(buffers[i].address + buffers[i].size <= buffers[j].address ||
                  buffers[j].address + buffers[j].size <= buffers[i].address);
}

static void churn(struct vk_device *device, enum vk_memory_kind kind)
{
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = round % 2; i < BUFFERS; i += 1 + (round > 0)) {
            VkDeviceSize size = 1 + (VkDeviceSize)i * i * 37 % 70000;
            vk_buffer_destroy(&buffers[i]);
            CHECK(vk_buffer_create(device, kind, size, &buffers[i]) == VK_SUCCESS);
            CHECK(buffers[i].address % VK_BUFFER_ALIGN == 0 && buffers[i].size == size);
            if (buffers[i].host)
                memset(buffers[i].host, i, size);
        }
        check_overlaps();
    }
    for (int i = 0; i < BUFFERS; i++) {
        unsigned char *bytes = buffers[i].host;
        CHECK(!bytes ||
              (bytes[0] == (unsigned char)i && bytes[buffers[i].size - 1] == (unsigned char)i));
        CHECK(bytes || kind == VK_MEMORY_DEVICE || kind == VK_MEMORY_SHARED ||
              kind == VK_MEMORY_IMAGE || kind == VK_MEMORY_UNIQUE);
        CHECK(kind < VK_MEMORY_SHARED || kind == VK_MEMORY_UNIQUE || !bytes ||
              buffers[i].address == (uintptr_t)bytes);
        vk_buffer_destroy(&buffers[i]);
    }
}

static void check_large(struct vk_device *device)
{
    struct vk_buffer a, b;
    CHECK(vk_buffer_create(device, VK_MEMORY_DEVICE, 50 << 20, &a) == VK_SUCCESS);
    VkBuffer handle = a.handle;
    CHECK(a.offset == 0);
    vk_buffer_destroy(&a);
    CHECK(vk_buffer_create(device, VK_MEMORY_DEVICE, 49 << 20, &b) == VK_SUCCESS);
    CHECK(b.handle == handle); // it was cached
    vk_buffer_destroy(&b);
    CHECK(vk_buffer_create(device, VK_MEMORY_DEVICE, vk_buffer_max_size(device->facts) + 1, &a) ==
          VK_ERROR_OUT_OF_DEVICE_MEMORY);
    CHECK(!a.device);
    vk_buffer_destroy(&a); // zeroed: no effect
}

// The large buffer freed last is cached, whatever was cached before: creating one of the same size
// needs no allocation by the driver.
static void check_cached(struct vk_device *device)
{
    const VkDeviceSize mib = sizeof(void *) == 8 ? 1 << 20 : 1 << 19; // 32-bit hosts cache less
    const VkDeviceSize sizes[] = {180 * mib, 100 * mib, 90 * mib};
    VkDeviceSize used, before, after;
    struct vk_buffer buffer;
    for (int i = 0; i < 3; i++) {
        CHECK(vk_buffer_create(device, VK_MEMORY_READBACK, sizes[i], &buffer) == VK_SUCCESS);
        vk_buffer_destroy(&buffer);
        vk_memory_usage(device, &used, &before);
        CHECK(vk_buffer_create(device, VK_MEMORY_READBACK, sizes[i], &buffer) == VK_SUCCESS);
        vk_memory_usage(device, &used, &after);
        CHECK(after == before);
        vk_buffer_destroy(&buffer);
    }
}

// The size of the process's open anonymous files, which lavapipe uses as memory.
static uint64_t anonymous_files(void)
{
    char name[512], target[64] = "";
    uint64_t bytes = 0;
    DIR *folder = opendir("/proc/self/fd");
    struct stat found;
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        snprintf(name, sizeof name, "/proc/self/fd/%s", entry->d_name);
        if (readlink(name, target, sizeof target - 1) > 0 && !strncmp(target, "/memfd:", 7) &&
            !stat(name, &found))
            bytes += (uint64_t)found.st_blocks * 512;
    }
    if (folder)
        closedir(folder);
    return bytes;
}

// The pages of freed memory are returned to the system.
static void check_pages(struct vk_device *device)
{
    const VkDeviceSize size = 24 << 20;
    struct vk_buffer a;
    if (vk_buffer_create(device, VK_MEMORY_SHARED, size, &a) != VK_SUCCESS)
        return;
    if (a.host) // otherwise its pages are in a GPU
        memset(a.host, 1, size);
    uint64_t before = anonymous_files();
    vk_buffer_destroy(&a);
    CHECK(before < size || anonymous_files() <= before - size);
}

// The completion thread frees a queue's last memory asynchronously, but soon.
static bool all_given_back(struct vk_device *device)
{
    VkDeviceSize used, reserved;
    vk_memory_usage(device, &used, &reserved);
    for (int i = 0; used && i < 5000; i++) {
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
        vk_memory_usage(device, &used, &reserved);
    }
    if (used)
        fprintf(stderr, "%llu bytes of %llu are still used\n", (unsigned long long)used,
                (unsigned long long)reserved);
    return !used;
}

// The last empty chunk stays cached, although all may have been freed before to make room.
static void check_cached_chunk(struct vk_device *device)
{
    VkDeviceSize used, reserved;
    struct vk_buffer a;
    CHECK(vk_buffer_create(device, VK_MEMORY_DEVICE, 1, &a) == VK_SUCCESS);
    vk_buffer_destroy(&a);
    vk_memory_usage(device, &used, &reserved);
    CHECK(reserved > 0);
}

// Uses both ends of a buffer through a queue, which must not leave memory allocated.
static void check_ends(struct vk_device *device, struct vk_buffer *a)
{
    struct cmd_queue *queue;
    uint32_t words[2] = {0, 0};
    CHECK(cmd_queue_create(device, 0, &queue) == CL_SUCCESS);
    struct cmd_request r = {.queue = queue, .blocking = true};
    CHECK(cmd_write(&r, a, a->size - 4, "last", 4) == CL_SUCCESS);
    CHECK(cmd_write(&r, a, 0, "1st.", 4) == CL_SUCCESS);
    CHECK(cmd_read(&r, a, a->size - 4, &words[0], 4) == CL_SUCCESS);
    CHECK(cmd_read(&r, a, 0, &words[1], 4) == CL_SUCCESS);
    CHECK(!memcmp(words, "last1st.", 8));
    cmd_queue_release(queue);
    vk_buffer_destroy(a);
    CHECK(all_given_back(device));
}

static void check_queue(struct vk_device *device)
{
    struct vk_buffer a;
    CHECK(vk_buffer_create(device, VK_MEMORY_DEVICE, 1 << 20, &a) == VK_SUCCESS);
    check_ends(device, &a);
}

// Larger than the driver's maximum allocation: addresses are contiguous, and the memory is freed.
static void check_beyond(struct vk_device *device, VkDeviceSize size, bool in_pieces)
{
    struct vk_buffer a;
    VkDeviceSize used, reserved;
    if (vk_buffer_max_size(device->facts) < size)
        return;
    CHECK(vk_buffer_create(device, VK_MEMORY_DEVICE, size, &a) == VK_SUCCESS);
    CHECK(a.size == size && a.address && !a.host);
    CHECK(a.chunk->sparse == in_pieces);
    vk_memory_usage(device, &used, &reserved);
    CHECK(used == size && reserved >= size);
    check_ends(device, &a);
}

static void check_import(struct vk_device *device)
{
    struct vk_buffer buffer;
    unsigned char *pages = aligned_alloc(65536, 131072);
    VkResult result = vk_buffer_import(device, pages + 100, 70000, &buffer);
    CHECK(result == VK_SUCCESS || !device->facts->host_import_align);
    if (result == VK_SUCCESS) {
        CHECK(buffer.host == pages + 100 && buffer.size == 70000);
        vk_buffer_destroy(&buffer);
    }
    free(pages);
}

// The host memory at the address is usable, and unmapped with the last buffer.
static void check_shared(struct vk_device *device)
{
    struct vk_buffer buffer;
    VkResult result = vk_buffer_create(device, VK_MEMORY_SHARED, 40 << 20, &buffer);
    CHECK(result == VK_SUCCESS || result == VK_ERROR_FEATURE_NOT_PRESENT);
    if (result != VK_SUCCESS)
        return;
    char *bytes = (char *)(uintptr_t)buffer.address;
    bytes[0] = bytes[(40 << 20) - 1] = 1;
    vk_buffer_destroy(&buffer);
    CHECK(vk_buffer_create(device, VK_MEMORY_SHARED, 40 << 20, &buffer) == VK_SUCCESS);
    vk_buffer_destroy(&buffer);
}

// The host cannot map anything at the addresses of device memory.
static void check_addresses(struct vk_device *device)
{
    const VkDeviceSize sizes[] = {4096, 40 << 20};
    for (int i = 0; i < 2; i++) {
        struct vk_buffer buffer;
        CHECK(vk_buffer_create(device, VK_MEMORY_UNIQUE, sizes[i], &buffer) == VK_SUCCESS);
        void *page = (void *)(uintptr_t)((buffer.address + sizes[i] - 1) / 4096 * 4096);
        CHECK(mmap(page, 4096, PROT_READ,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1,
                   0) == MAP_FAILED);
        vk_buffer_destroy(&buffer);
    }
}

static bool can_make(struct vk_device *device, enum vk_memory_kind kind)
{
    struct vk_buffer buffer;
    VkResult result = vk_buffer_create(device, kind, 1, &buffer);
    vk_buffer_destroy(&buffer);
    return result != VK_ERROR_FEATURE_NOT_PRESENT || kind < VK_MEMORY_SHARED;
}

static int end(struct vk_device *device)
{
    CHECK(all_given_back(device));
    vk_device_close(device);
    return test_result();
}

// With an argument, the device is simulated by tests/disguise and allocates 1.5 times its stated
// maximum.
int main(int argc, char **argv)
{
    struct vk_device *device = test_device();
    VkDeviceSize at_once = device->facts->props11.maxMemoryAllocationSize;
    bool beyond = device->facts->props12.driverID == VK_DRIVER_ID_NVIDIA_PROPRIETARY;
    (void)argv;
    check_beyond(device, at_once + (1 << 20), !beyond);
    if (argc > 1) {
        check_beyond(device, 2 * at_once, true);
        return end(device);
    }
    for (int kind = 0; kind < VK_MEMORY_KIND_COUNT; kind++)
        if (can_make(device, (enum vk_memory_kind)kind))
            churn(device, (enum vk_memory_kind)kind);
    check_shared(device);
    check_addresses(device);
    check_large(device);
    check_cached(device);
    check_import(device);
    check_queue(device);
    check_pages(device);
    check_cached_chunk(device);
    return end(device);
}
