// SPDX-License-Identifier: Apache-2.0
// Handle types of external memory and semaphores: a type that the device does not list is refused,
// for buffers, images and semaphores, and its extension is not reported.
#include "test.h"

static const struct {
    cl_uint type;
    const char *extension;
} memory[] = {
    {CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR, "cl_khr_external_memory_opaque_fd"},
    {CL_EXTERNAL_MEMORY_HANDLE_DMA_BUF_KHR, "cl_khr_external_memory_dma_buf"},
    {CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_WIN32_KHR, "cl_khr_external_memory_win32"},
    {CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_WIN32_KMT_KHR, "cl_khr_external_memory_win32"},
}, semaphores[] = {
    {CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR, "cl_khr_external_semaphore_opaque_fd"},
    {CL_SEMAPHORE_HANDLE_SYNC_FD_KHR, "cl_khr_external_semaphore_sync_fd"},
    {CL_SEMAPHORE_HANDLE_OPAQUE_WIN32_KHR, "cl_khr_external_semaphore_win32"},
    {CL_SEMAPHORE_HANDLE_OPAQUE_WIN32_KMT_KHR, "cl_khr_external_semaphore_win32"},
};
enum { MEMORY = sizeof memory / sizeof *memory, SEMAPHORES = sizeof semaphores / sizeof *semaphores };

// A type that no device of the system has is an unknown property.
static void check_refused(const void *object, const cl_int *error, cl_uint type)
{
    CHECK(!object);
    if (!CHECK(*error == CL_INVALID_PROPERTY || *error == CL_INVALID_DEVICE))
        printf("  0x%x: %d\n", type, *error);
}

static void test_memory(cl_uint type, const char *extension)
{
    const cl_mem_properties handle[] = {type, 12345, 0};
    const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
    const cl_image_desc flat = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 16, .image_height = 16};
    cl_int error = 0;
    bool listed = test_lists(CL_DEVICE_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR, type);
    CHECK_EQ(listed, test_has(test_device, extension));
    if (listed)
        return;
    check_refused(clCreateBufferWithProperties(test_context, handle, 0, 4096, NULL, &error), &error, type);
    if (test_has_images())
        check_refused(clCreateImageWithProperties(test_context, handle, 0, &format, &flat, NULL, &error), &error, type);
}

static void test_semaphore(cl_uint type, const char *extension)
{
    const cl_semaphore_properties_khr import[] = {CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR, type, 12345, 0};
    const cl_semaphore_properties_khr export[] = {CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR,
                                                  CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR, type, 0, 0};
    clCreateSemaphoreWithPropertiesKHR_fn create = (clCreateSemaphoreWithPropertiesKHR_fn)clGetExtensionFunctionAddressForPlatform(
        test_platform, "clCreateSemaphoreWithPropertiesKHR");
    cl_int error = 0;
    bool in = test_lists(CL_DEVICE_SEMAPHORE_IMPORT_HANDLE_TYPES_KHR, type), out = test_lists(CL_DEVICE_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR, type);
    CHECK_EQ(in || out, test_has(test_device, extension));
    if (!in && create)
        check_refused(create(test_context, import, &error), &error, type);
    if (!out && create)
        check_refused(create(test_context, export, &error), &error, type);
}

int main(void)
{
    test_open();
    for (int i = 0; i < MEMORY; i++)
        test_memory(memory[i].type, memory[i].extension);
    for (int i = 0; i < SEMAPHORES; i++)
        test_semaphore(semaphores[i].type, semaphores[i].extension);
    return test_close();
}
