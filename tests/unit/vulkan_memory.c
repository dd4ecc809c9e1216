// SPDX-License-Identifier: Apache-2.0
// Buffers: aligned, apart from each other in address and memory, given back in full; limits are refused.
#include "vulkan_device.h"

#include "vulkan/memory.h"

enum { BUFFERS = 300, ROUNDS = 5 };

static struct vk_buffer buffers[BUFFERS];

static void check_apart(void)
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
        check_apart();
    }
    for (int i = 0; i < BUFFERS; i++) {
        unsigned char *bytes = buffers[i].host;
        CHECK(!bytes || (bytes[0] == (unsigned char)i && bytes[buffers[i].size - 1] == (unsigned char)i));
        CHECK(bytes || kind == VK_MEMORY_DEVICE);
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
    CHECK(b.handle == handle); // kept for use again
    vk_buffer_destroy(&b);
    CHECK(vk_buffer_create(device, VK_MEMORY_DEVICE, vk_buffer_max_size(device) + 1, &a) ==
          VK_ERROR_OUT_OF_DEVICE_MEMORY);
    CHECK(!a.device);
    vk_buffer_destroy(&a); // zeroed: nothing
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

int main(void)
{
    struct vk_device *device = test_device();
    VkDeviceSize used, reserved;
    for (int kind = 0; kind < VK_MEMORY_KIND_COUNT; kind++)
        churn(device, (enum vk_memory_kind)kind);
    check_large(device);
    check_import(device);
    vk_memory_usage(device, &used, &reserved);
    CHECK(used == 0 && reserved > 0);
    vk_device_close(device);
    return test_result();
}
