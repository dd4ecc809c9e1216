// SPDX-License-Identifier: Apache-2.0
// cl_khr_external_memory and cl_khr_external_semaphore: memory and semaphores are passed between
// OpenCL and Vulkan in one process.
#define _GNU_SOURCE
#include "vulkan_side.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/mman.h>

#ifndef CL_MEM_DEVICE_HANDLE_LIST_KHR
#define CL_MEM_DEVICE_HANDLE_LIST_KHR 0x2051
#endif
#define LINEAR_IMPORTS 0x2052
#define EXPORTABLE 0x2054

enum { COUNT = 5000, ROUNDS = 20, WIDTH = 37, HEIGHT = 21 };

static clEnqueueAcquireExternalMemObjectsKHR_fn acquire, release;
static clCreateSemaphoreWithPropertiesKHR_fn create_semaphore;
static clEnqueueWaitSemaphoresKHR_fn wait_semaphores;
static clEnqueueSignalSemaphoresKHR_fn signal_semaphores;
static clGetSemaphoreInfoKHR_fn semaphore_info;
static clReleaseSemaphoreKHR_fn release_semaphore;
static clGetSemaphoreHandleForTypeKHR_fn semaphore_handle;
static cl_int(CL_API_CALL *reimport)(cl_semaphore_khr, cl_properties *, int);

static void *function(const char *name)
{
    void *found = clGetExtensionFunctionAddressForPlatform(test_platform, name);
    CHECK(found != NULL);
    return found;
}

static void find_functions(void)
{
    acquire = function("clEnqueueAcquireExternalMemObjectsKHR");
    release = function("clEnqueueReleaseExternalMemObjectsKHR");
    create_semaphore = function("clCreateSemaphoreWithPropertiesKHR");
    wait_semaphores = function("clEnqueueWaitSemaphoresKHR");
    signal_semaphores = function("clEnqueueSignalSemaphoresKHR");
    semaphore_info = function("clGetSemaphoreInfoKHR");
    release_semaphore = function("clReleaseSemaphoreKHR");
    semaphore_handle = function("clGetSemaphoreHandleForTypeKHR");
    reimport = function("clReImportSemaphoreSyncFdKHR");
}

static int count_fds(void)
{
    DIR *folder = opendir("/proc/self/fd");
    int count = 0;
    while (folder && readdir(folder))
        count++;
    if (folder)
        closedir(folder);
    return count;
}

static bool is_open(int fd)
{
    return fcntl(fd, F_GETFD) >= 0;
}

// ---- supported handle types ---------------------------------------------------------------------

static void test_queries(void)
{
    const cl_device_info imports = CL_DEVICE_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR;
    bool opaque = test_has(test_device, "cl_khr_external_memory_opaque_fd");
    bool dma_buf = test_has(test_device, "cl_khr_external_memory_dma_buf");
    size_t size = 77;
    CHECK_EQ(test_lists(imports, CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR), opaque);
    CHECK_EQ(test_lists(imports, CL_EXTERNAL_MEMORY_HANDLE_DMA_BUF_KHR), dma_buf);
    CHECK_EQ(test_lists(LINEAR_IMPORTS, CL_EXTERNAL_MEMORY_HANDLE_DMA_BUF_KHR), dma_buf);
    CHECK(!test_lists(LINEAR_IMPORTS, CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR));
    CHECK_OK(clGetPlatformInfo(test_platform, CL_PLATFORM_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR,
                               0, NULL, &size));
    CHECK(size % sizeof(cl_uint) == 0 && size <= 2 * sizeof(cl_uint));
    bool semaphores = test_has(test_device, "cl_khr_external_semaphore");
    CHECK_EQ(test_lists(CL_DEVICE_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR,
                          CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR) ||
                 test_lists(CL_DEVICE_SEMAPHORE_IMPORT_HANDLE_TYPES_KHR,
                              CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR),
             test_has(test_device, "cl_khr_external_semaphore_opaque_fd"));
    CHECK_EQ(
        clGetDeviceInfo(test_device, CL_DEVICE_SEMAPHORE_IMPORT_HANDLE_TYPES_KHR, 0, NULL, &size),
        semaphores ? CL_SUCCESS : CL_INVALID_VALUE);
    CHECK_OK(clGetPlatformInfo(test_platform, CL_PLATFORM_SEMAPHORE_IMPORT_HANDLE_TYPES_KHR, 0,
                               NULL, &size));
    CHECK_OK(clGetPlatformInfo(test_platform, CL_PLATFORM_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR, 0,
                               NULL, &size));
}

// ---- buffers ------------------------------------------------------------------------------------

static cl_mem import_buffer(int fd, size_t size)
{
    const cl_mem_properties properties[] = {CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR,
                                            (cl_mem_properties)fd,
                                            CL_MEM_DEVICE_HANDLE_LIST_KHR,
                                            (cl_mem_properties)(uintptr_t)test_device,
                                            0,
                                            0};
    cl_mem_properties told[8];
    cl_int error;
    size_t bytes = 0;
    cl_mem mem = clCreateBufferWithProperties(test_context, properties, CL_MEM_READ_WRITE, size,
                                              NULL, &error);
    if (!CHECK_OK(error))
        exit(1);
    CHECK_OK(clGetMemObjectInfo(mem, CL_MEM_PROPERTIES, sizeof told, told, &bytes));
    CHECK(bytes == sizeof properties && !memcmp(told, properties, bytes));
    return mem;
}

static void check_type(cl_event event, cl_command_type want)
{
    cl_command_type type = 0;
    CHECK_OK(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
    CHECK_EQ(type, want);
    CHECK_OK(clReleaseEvent(event));
}

// Between acquire and release, OpenCL adds its index to each word.
static void add_index(cl_command_queue queue, cl_kernel kernel, cl_mem mem, bool out_of_order)
{
    const size_t global = COUNT;
    cl_event begun, added, ended;
    cl_uint some = out_of_order;
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    CHECK_OK(acquire(queue, 1, &mem, 0, NULL, &begun));
    CHECK_OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, some,
                                    some ? &begun : NULL, &added));
    CHECK_OK(release(queue, 1, &mem, some, some ? &added : NULL, &ended));
    CHECK_OK(clReleaseEvent(added));
    check_type(begun, CL_COMMAND_ACQUIRE_EXTERNAL_MEM_OBJECTS_KHR);
    check_type(ended, CL_COMMAND_RELEASE_EXTERNAL_MEM_OBJECTS_KHR);
}

static int wrong_words(const struct side_memory *host, cl_uint first)
{
    const cl_uint *words = (const cl_uint *)host->host;
    int wrong = 0;
    for (cl_uint i = 0; i < COUNT; i++)
        wrong += words[i] != first + i;
    return wrong;
}

static void fill(const struct side_memory *shared, cl_uint word, bool first)
{
    side_begin();
    if (!first)
        side_turn(shared, true, false);
    side.CmdFillBuffer(side.commands, shared->buffer, 0, COUNT * 4, word);
    side_turn(shared, false, false);
}

static void fetch(const struct side_memory *shared, const struct side_memory *host)
{
    const VkBufferCopy all = {0, 0, COUNT * 4};
    side_begin();
    side_turn(shared, true, false);
    side.CmdCopyBuffer(side.commands, shared->buffer, host->buffer, 1, &all);
    side_barrier();
    side_turn(shared, false, false);
}

static void test_rounds(cl_kernel kernel, cl_command_queue queue, bool out_of_order)
{
    struct side_memory shared = side_buffer(COUNT * 4, true), host = side_buffer(COUNT * 4, false);
    int fd = side_fd(&shared);
    cl_mem mem = import_buffer(fd, COUNT * 4);
    CHECK(!is_open(fd));
    for (cl_uint round = 0; round < ROUNDS; round++) {
        fill(&shared, round * 1000, round == 0);
        side_submit(VK_NULL_HANDLE, VK_NULL_HANDLE, true);
        add_index(queue, kernel, mem, out_of_order);
        CHECK_OK(clFinish(queue));
        fetch(&shared, &host);
        side_submit(VK_NULL_HANDLE, VK_NULL_HANDLE, true);
        CHECK_EQ(wrong_words(&host, round * 1000), 0);
    }
    CHECK_OK(clReleaseMemObject(mem));
    side_free(&shared);
    side_free(&host);
}

// The imported buffer can be used as any other: transfers, mappings, sub-buffers, and two imports
// of the same memory.
static void test_buffer_uses(void)
{
    struct side_memory shared = side_buffer(COUNT * 4, true);
    static cl_uint words[COUNT];
    const cl_buffer_region region = {4096, 4096};
    const cl_uint pattern = 7;
    cl_int error;
    cl_mem mem = import_buffer(side_fd(&shared), COUNT * 4),
           twin = import_buffer(side_fd(&shared), COUNT * 4);
    cl_mem both[2] = {mem, twin};
    side_free(&shared); // the memory still exists
    for (cl_uint i = 0; i < COUNT; i++)
        words[i] = i * 3;
    CHECK_OK(acquire(test_queue, 2, both, 0, NULL, NULL));
    CHECK_OK(
        clEnqueueWriteBuffer(test_queue, mem, CL_FALSE, 0, sizeof words, words, 0, NULL, NULL));
    cl_uint *map = clEnqueueMapBuffer(test_queue, mem, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 400,
                                      400, 0, NULL, NULL, &error);
    CHECK_OK(error);
    int wrong = 0;
    for (cl_uint i = 0; map && i < 100; i++)
        wrong += map[i]++ != (100 + i) * 3;
    CHECK_EQ(wrong, 0);
    CHECK_OK(clEnqueueUnmapMemObject(test_queue, mem, map, 0, NULL, NULL));
    cl_mem part = clCreateSubBuffer(mem, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
    CHECK_OK(error);
    CHECK_OK(clEnqueueFillBuffer(test_queue, part, &pattern, 4, 0, 4096, 0, NULL, NULL));
    CHECK_OK(release(test_queue, 1, &mem, 0, NULL, NULL)); // in between: the two imports have
                                                           // different addresses
    memset(words, 0, sizeof words);
    CHECK_OK(clEnqueueReadBuffer(test_queue, twin, CL_TRUE, 0, sizeof words, words, 0, NULL, NULL));
    for (cl_uint i = 0; i < COUNT; i++)
        wrong += words[i] != (i >= 1024 && i < 2048 ? 7 : i * 3 + (i >= 100 && i < 200));
    CHECK_EQ(wrong, 0);
    CHECK_EQ(acquire(test_queue, 1, &part, 0, NULL, NULL), CL_INVALID_MEM_OBJECT);
    CHECK_OK(clReleaseMemObject(part));
    CHECK_OK(clReleaseMemObject(mem));
    CHECK_OK(clReleaseMemObject(twin));
}

// ---- images -------------------------------------------------------------------------------------

static const char image_source[] =
    "kernel void invert(read_only image2d_t from, write_only image2d_t to) {\n"
    "    int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
    "    write_imageui(to, at, 255 - read_imageui(from, at));\n"
    "}\n";

static cl_mem import_image(int fd, size_t layers)
{
    const cl_mem_properties properties[] = {CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR,
                                            (cl_mem_properties)fd, 0};
    const cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
    const cl_image_desc desc = {.image_type = layers > 1 ? CL_MEM_OBJECT_IMAGE2D_ARRAY
                                                         : CL_MEM_OBJECT_IMAGE2D,
                                .image_width = WIDTH,
                                .image_height = HEIGHT,
                                .image_array_size = layers};
    cl_int error;
    cl_mem mem = clCreateImageWithProperties(test_context, properties, CL_MEM_READ_WRITE, &format,
                                             &desc, NULL, &error);
    if (!CHECK_OK(error))
        exit(1);
    return mem;
}

static void copy_image(const struct side_memory *image, const struct side_memory *host,
                       bool to_image, bool fresh)
{
    const VkBufferImageCopy all = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                   .imageExtent = {WIDTH, HEIGHT, 1}};
    side_turn(image, true, fresh);
    if (to_image)
        side.CmdCopyBufferToImage(side.commands, host->buffer, image->image,
                                  VK_IMAGE_LAYOUT_GENERAL, 1, &all);
    else
        side.CmdCopyImageToBuffer(side.commands, image->image, VK_IMAGE_LAYOUT_GENERAL,
                                  host->buffer, 1, &all);
    side_barrier();
    side_turn(image, false, false);
}

static void test_image(void)
{
    enum { BYTES = WIDTH * HEIGHT * 4 };
    const size_t global[2] = {WIDTH, HEIGHT}, origin[3] = {0}, region[3] = {WIDTH, HEIGHT, 1};
    static cl_uchar seen[BYTES];
    cl_program program = test_build(image_source, "");
    cl_kernel kernel = test_kernel(program, "invert");
    struct side_memory from =
                           side_image(VK_IMAGE_TYPE_2D, VK_FORMAT_R8G8B8A8_UINT, WIDTH, HEIGHT, 1),
                       to = side_image(VK_IMAGE_TYPE_2D, VK_FORMAT_R8G8B8A8_UINT, WIDTH, HEIGHT, 1);
    struct side_memory host = side_buffer(BYTES, false), back = side_buffer(BYTES, false);
    cl_mem images[2] = {import_image(side_fd(&from), 1), import_image(side_fd(&to), 1)};
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof(cl_mem), &images[0]));
    CHECK_OK(clSetKernelArg(kernel, 1, sizeof(cl_mem), &images[1]));
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < BYTES; i++)
            host.host[i] = (uint8_t)(i * 7 + round);
        side_begin();
        copy_image(&from, &host, true, round == 0);
        if (!round)
            side_turn(&to, true, true);
        side_submit(VK_NULL_HANDLE, VK_NULL_HANDLE, true);
        CHECK_OK(acquire(test_queue, 2, images, 0, NULL, NULL));
        CHECK_OK(clEnqueueNDRangeKernel(test_queue, kernel, 2, NULL, global, NULL, 0, NULL, NULL));
        CHECK_OK(clEnqueueReadImage(test_queue, images[0], CL_FALSE, origin, region, 0, 0, seen, 0,
                                    NULL, NULL));
        CHECK_OK(release(test_queue, 2, images, 0, NULL, NULL));
        CHECK_OK(clFinish(test_queue));
        side_begin();
        copy_image(&to, &back, false, false);
        side_submit(VK_NULL_HANDLE, VK_NULL_HANDLE, true);
        int wrong = 0;
        for (int i = 0; i < BYTES; i++)
            wrong += seen[i] != host.host[i] || back.host[i] != 255 - host.host[i];
        CHECK_EQ(wrong, 0);
    }
    CHECK_OK(clReleaseMemObject(images[0]));
    CHECK_OK(clReleaseMemObject(images[1]));
    struct side_memory layers =
        side_image(VK_IMAGE_TYPE_2D, VK_FORMAT_R8G8B8A8_UINT, WIDTH, HEIGHT, 3);
    CHECK_OK(clReleaseMemObject(import_image(side_fd(&layers), 3)));
    side_free(&layers);
    side_free(&from), side_free(&to), side_free(&host), side_free(&back);
    CHECK_OK(clReleaseKernel(kernel));
    CHECK_OK(clReleaseProgram(program));
}

// ---- dma_bufs -----------------------------------------------------------------------------------

// A software driver accepts any mappable file as a dma_buf.
static int make_dma_buf(size_t size)
{
    int fd = memfd_create("external", MFD_CLOEXEC);
    CHECK(fd >= 0 && !ftruncate(fd, (off_t)size));
    return fd;
}

static void test_dma_buf(cl_kernel kernel)
{
    const size_t size = (COUNT * 4 + 4095) / 4096 * 4096;
    int fd = make_dma_buf(size), kept = dup(fd);
    const cl_mem_properties properties[] = {CL_EXTERNAL_MEMORY_HANDLE_DMA_BUF_KHR,
                                            (cl_mem_properties)fd, 0};
    cl_int code;
    cl_mem mem = clCreateBufferWithProperties(test_context, properties, 0, COUNT * 4, NULL, &code);
    if (code == CL_INVALID_VALUE) {
        printf("no dma_buf can be made here\n");
        close(fd), close(kept);
        return;
    }
    CHECK_OK(code);
    CHECK(!is_open(fd));
    cl_uint *words = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, kept, 0);
    for (cl_uint i = 0; i < COUNT; i++)
        words[i] = 50;
    add_index(test_queue, kernel, mem, false);
    CHECK_OK(clFinish(test_queue));
    int wrong = 0;
    for (cl_uint i = 0; i < COUNT; i++)
        wrong += words[i] != 50 + i;
    CHECK_EQ(wrong, 0);
    munmap(words, size);
    CHECK_OK(clReleaseMemObject(mem));
    const cl_mem_properties small[] = {CL_EXTERNAL_MEMORY_HANDLE_DMA_BUF_KHR,
                                       (cl_mem_properties)kept, 0};
    CHECK_CREATE(clCreateBufferWithProperties(test_context, small, 0, size * 4, NULL, &error),
                 CL_INVALID_VALUE);
    CHECK(is_open(kept));
    close(kept);
}

// Rows of texels: the device chooses and reports the pitch.
static void test_dma_buf_image(void)
{
    const cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
    cl_image_desc desc = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = WIDTH, .image_height = HEIGHT};
    const size_t size = 1 << 16, origin[3] = {0}, region[3] = {WIDTH, HEIGHT, 1};
    int fd = make_dma_buf(size), kept = dup(fd);
    const cl_mem_properties properties[] = {CL_EXTERNAL_MEMORY_HANDLE_DMA_BUF_KHR,
                                            (cl_mem_properties)fd, 0};
    static cl_uchar texels[HEIGHT][WIDTH * 4];
    cl_int code;
    size_t pitch = 0;
    cl_mem mem = clCreateImageWithProperties(test_context, properties, CL_MEM_READ_WRITE, &format,
                                             &desc, NULL, &code);
    if (code == CL_INVALID_VALUE || code == CL_IMAGE_FORMAT_NOT_SUPPORTED) {
        printf("no image of a dma_buf can be made here\n");
        close(fd), close(kept);
        return;
    }
    CHECK_OK(code);
    CHECK_OK(clGetImageInfo(mem, CL_IMAGE_ROW_PITCH, sizeof pitch, &pitch, NULL));
    CHECK(pitch >= WIDTH * 4 && pitch * HEIGHT <= size);
    cl_uchar *bytes = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, kept, 0);
    for (size_t i = 0; i < size; i++)
        bytes[i] = (cl_uchar)(i * 5);
    CHECK_OK(acquire(test_queue, 1, &mem, 0, NULL, NULL));
    CHECK_OK(
        clEnqueueReadImage(test_queue, mem, CL_TRUE, origin, region, 0, 0, texels, 0, NULL, NULL));
    int wrong = 0;
    for (size_t y = 0; y < HEIGHT; y++)
        for (size_t x = 0; x < WIDTH * 4; x++)
            wrong += texels[y][x] != (cl_uchar)((y * pitch + x) * 5);
    CHECK_EQ(wrong, 0);
    munmap(bytes, size);
    CHECK_OK(clReleaseMemObject(mem));
    const cl_mem_properties again[] = {CL_EXTERNAL_MEMORY_HANDLE_DMA_BUF_KHR,
                                       (cl_mem_properties)kept, 0};
    desc.image_row_pitch = pitch + 4;
    CHECK_CREATE(clCreateImageWithProperties(test_context, again, CL_MEM_READ_WRITE, &format, &desc,
                                             NULL, &error),
                 CL_INVALID_IMAGE_DESCRIPTOR);
    desc.image_row_pitch = pitch;
    CHECK_CREATE(mem = clCreateImageWithProperties(test_context, again, CL_MEM_READ_WRITE, &format,
                                                   &desc, NULL, &error),
                 CL_SUCCESS);
    CHECK_OK(clReleaseMemObject(mem));
}

// ---- refusals -----------------------------------------------------------------------------------

#define OPAQUE CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR
#define DEVICES CL_MEM_DEVICE_HANDLE_LIST_KHR

static void test_refused_properties(void)
{
    const cl_mem_properties device = (cl_mem_properties)(uintptr_t)test_device,
                            queue = (cl_mem_properties)(uintptr_t)test_queue;
    struct side_memory shared = side_buffer(4096, true);
    const cl_mem_properties fd = (cl_mem_properties)side_fd(&shared);
    const struct {
        cl_mem_properties list[8];
        cl_mem_flags flags;
        size_t size;
        cl_int code;
    } rows[] = {
        {{OPAQUE, fd, OPAQUE, fd, 0}, 0, 4096, CL_INVALID_PROPERTY},
        {{OPAQUE, fd, 0x7777, 1, 0}, 0, 4096, CL_INVALID_PROPERTY},
        {{DEVICES, device, 0, 0}, 0, 4096, CL_INVALID_PROPERTY},
        {{OPAQUE, fd, DEVICES, device, 0, DEVICES, device, 0}, 0, 4096, CL_INVALID_PROPERTY},
        {{OPAQUE, fd, DEVICES, 0, 0}, 0, 4096, CL_INVALID_DEVICE},
        {{OPAQUE, fd, DEVICES, queue, 0, 0}, 0, 4096, CL_INVALID_DEVICE},
        {{OPAQUE, fd, 0}, CL_MEM_ALLOC_HOST_PTR, 4096, CL_INVALID_VALUE},
        {{OPAQUE, fd, 0}, CL_MEM_COPY_HOST_PTR, 4096, CL_INVALID_VALUE},
        {{OPAQUE, fd, 0}, 1 << 20, 4096, CL_INVALID_VALUE},
        {{OPAQUE, fd, 0}, 0, 0, CL_INVALID_BUFFER_SIZE},
        {{OPAQUE, (cl_mem_properties)-1, 0}, 0, 4096, CL_INVALID_VALUE},
        {{OPAQUE, 999999, 0}, 0, 4096, CL_INVALID_VALUE},
        {{OPAQUE, fd, 0}, 0, 1 << 24, CL_INVALID_VALUE},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        CHECK_CREATE(clCreateBufferWithProperties(test_context, rows[i].list, rows[i].flags,
                                                  rows[i].size, NULL, &error),
                     rows[i].code);
    const cl_mem_properties good[] = {OPAQUE, fd, 0};
    CHECK_CREATE(clCreateBufferWithProperties(test_context, good, 0, 4096, &shared, &error),
                 CL_INVALID_HOST_PTR);
    CHECK(is_open((int)fd));
    close((int)fd);
    side_free(&shared);
}

// Files that are not memory.
static void test_refused_files(void)
{
    const char *names[] = {"/dev/null", "/dev/zero", "/proc/self/exe", "/tmp"};
    const cl_uint types[] = {OPAQUE, CL_EXTERNAL_MEMORY_HANDLE_DMA_BUF_KHR};
    const cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
    const cl_image_desc desc = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 1000, .image_height = 8000};
    bool dma_buf = test_has(test_device, "cl_khr_external_memory_dma_buf");
    int pipes[2];
    CHECK(!pipe(pipes));
    for (int i = 0; i < 5; i++)
        for (int t = 0; t < 1 + dma_buf; t++) {
            int fd = i < 4 ? open(names[i], O_RDONLY | O_CLOEXEC) : dup(pipes[0]);
            const cl_mem_properties list[] = {types[t], (cl_mem_properties)fd, 0};
            CHECK_CREATE(
                clCreateBufferWithProperties(test_context, list, 0, 64 << 20, NULL, &error),
                CL_INVALID_VALUE);
            if (test_has_images())
                CHECK_CREATE(clCreateImageWithProperties(test_context, list, CL_MEM_READ_WRITE,
                                                         &format, &desc, NULL, &error),
                             CL_INVALID_VALUE);
            CHECK(is_open(fd));
            close(fd);
        }
    close(pipes[0]), close(pipes[1]);
}

static void test_refused_turns(void)
{
    struct side_memory shared = side_buffer(4096, true);
    cl_mem mem = import_buffer(side_fd(&shared), 4096),
           own = test_buffer(CL_MEM_READ_WRITE, 4096, NULL);
    cl_int error;
    cl_context other = clCreateContext(NULL, 1, &test_device, NULL, NULL, &error);
    CHECK_OK(error);
    cl_command_queue queue = clCreateCommandQueue(other, test_device, 0, &error);
    CHECK_OK(error);
    cl_event event = clCreateUserEvent(test_context, &error);
    CHECK_OK(error);
    CHECK_EQ(acquire(NULL, 1, &mem, 0, NULL, NULL), CL_INVALID_COMMAND_QUEUE);
    CHECK_EQ(acquire(queue, 1, &mem, 0, NULL, NULL), CL_INVALID_COMMAND_QUEUE);
    CHECK_EQ(acquire(test_queue, 0, &mem, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(acquire(test_queue, 1, NULL, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(acquire(test_queue, 1, &own, 0, NULL, NULL), CL_INVALID_MEM_OBJECT);
    CHECK_EQ(release(test_queue, 1, (cl_mem *)&test_queue, 0, NULL, NULL), CL_INVALID_MEM_OBJECT);
    CHECK_EQ(release(test_queue, 1, &mem, 1, NULL, NULL), CL_INVALID_EVENT_WAIT_LIST);
    CHECK_EQ(release(test_queue, 1, &mem, 0, &event, NULL), CL_INVALID_EVENT_WAIT_LIST);
    CHECK_OK(clSetUserEventStatus(event, -5));
    CHECK_EQ(acquire(test_queue, 1, &mem, 1, &event, NULL),
             CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    CHECK_OK(clReleaseEvent(event));
    CHECK_OK(acquire(test_queue, 0, NULL, 0, NULL, &event));
    CHECK_OK(clWaitForEvents(1, &event));
    CHECK_OK(clReleaseEvent(event));
    CHECK_OK(clReleaseCommandQueue(queue));
    CHECK_OK(clReleaseContext(other));
    CHECK_OK(clReleaseMemObject(own));
    CHECK_OK(clReleaseMemObject(mem));
    side_free(&shared);
}

// ---- semaphores ---------------------------------------------------------------------------------

#define OPAQUE_SEMAPHORE VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT
#define SYNC_SEMAPHORE VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT
#define EXPORTS CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR

static cl_semaphore_khr make_semaphore(cl_properties first, cl_properties second)
{
    const cl_semaphore_properties_khr list[] = {
        CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR, first, second, 0, 0};
    cl_int error;
    cl_semaphore_khr semaphore = create_semaphore(test_context, list, &error);
    if (!CHECK_OK(error))
        exit(1);
    return semaphore;
}

static int export_semaphore(cl_semaphore_khr semaphore, cl_uint type)
{
    size_t size = 0;
    int fd = -7;
    CHECK_OK(semaphore_handle(semaphore, test_device, type, 0, NULL, &size));
    CHECK_EQ(size, sizeof fd);
    CHECK_OK(semaphore_handle(semaphore, test_device, type, sizeof fd, &fd, NULL));
    return fd;
}

// The host only waits at the end of a round. After a failed wait the rest is skipped, because the
// semaphore would be signalled twice.
static void pass_to_and_fro(cl_kernel kernel, cl_command_queue queue, cl_semaphore_khr filled, cl_semaphore_khr added,
                            VkSemaphore side_filled, VkSemaphore side_added)
{
    struct side_memory shared = side_buffer(COUNT * 4, true), host = side_buffer(COUNT * 4, false);
    cl_mem mem = import_buffer(side_fd(&shared), COUNT * 4);
    bool out_of_order = queue != test_queue;
    for (cl_uint round = 0; round < ROUNDS; round++) {
        cl_event event;
        fill(&shared, round * 77, round == 0);
        side_submit(VK_NULL_HANDLE, side_filled, false);
        if (!CHECK_OK(wait_semaphores(queue, 1, &filled, NULL, 0, NULL, &event)))
            break;
        if (out_of_order)
            CHECK_OK(clEnqueueBarrierWithWaitList(queue, 1, &event, NULL));
        check_type(event, CL_COMMAND_SEMAPHORE_WAIT_KHR);
        add_index(queue, kernel, mem, out_of_order);
        if (out_of_order)
            CHECK_OK(clEnqueueBarrierWithWaitList(queue, 0, NULL, NULL));
        if (!CHECK_OK(signal_semaphores(queue, 1, &added, NULL, 0, NULL, &event)))
            break;
        check_type(event, CL_COMMAND_SEMAPHORE_SIGNAL_KHR);
        VK(side.QueueWaitIdle(side.queue)); // there is only one command buffer
        fetch(&shared, &host);
        side_submit(side_added, VK_NULL_HANDLE, true);
        CHECK_EQ(wrong_words(&host, round * 77), 0);
    }
    CHECK_OK(clFinish(queue));
    CHECK_OK(clReleaseMemObject(mem));
    side_free(&shared);
    side_free(&host);
}

static void test_opaque_semaphores(cl_kernel kernel, cl_command_queue queue)
{
    VkSemaphore side_filled = side_semaphore(OPAQUE_SEMAPHORE), side_added = side_semaphore(0);
    int fd = side_semaphore_fd(side_filled, OPAQUE_SEMAPHORE);
    cl_semaphore_khr filled = make_semaphore(CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR, (cl_properties)fd);
    cl_semaphore_khr added = make_semaphore(EXPORTS, CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR);
    side_import_semaphore(side_added, OPAQUE_SEMAPHORE, export_semaphore(added, CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR));
    pass_to_and_fro(kernel, queue, filled, added, side_filled, side_added);
    CHECK_OK(release_semaphore(filled));
    CHECK_OK(release_semaphore(added));
    side.DestroySemaphore(side.device, side_filled, NULL);
    side.DestroySemaphore(side.device, side_added, NULL);
}

// Between two queues through an exportable semaphore: as without handles, and the device waits for
// the same.
static void test_own_semaphore(cl_kernel kernel, cl_command_queue queue)
{
    cl_semaphore_khr semaphore = make_semaphore(EXPORTS, CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR);
    cl_mem mem = test_buffer(CL_MEM_READ_WRITE, COUNT * 4, NULL);
    const cl_uint zero = 0;
    const size_t global = COUNT;
    cl_semaphore_payload_khr payload = 7;
    static cl_uint words[COUNT];
    int wrong = 0;
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    CHECK_OK(clEnqueueFillBuffer(test_queue, mem, &zero, 4, 0, COUNT * 4, 0, NULL, NULL));
    for (int round = 0; round < ROUNDS; round++) {
        cl_command_queue from = round % 2 ? queue : test_queue, to = round % 2 ? test_queue : queue;
        CHECK_OK(clEnqueueNDRangeKernel(from, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
        CHECK_OK(clEnqueueBarrierWithWaitList(from, 0, NULL, NULL));
        CHECK_OK(signal_semaphores(from, 1, &semaphore, NULL, 0, NULL, NULL));
        CHECK_OK(wait_semaphores(to, 1, &semaphore, NULL, 0, NULL, NULL));
        CHECK_OK(clEnqueueBarrierWithWaitList(to, 0, NULL, NULL));
    }
    CHECK_OK(clEnqueueReadBuffer(test_queue, mem, CL_TRUE, 0, sizeof words, words, 0, NULL, NULL));
    for (cl_uint i = 0; i < COUNT; i++)
        wrong += words[i] != i * ROUNDS;
    CHECK_EQ(wrong, 0);
    CHECK_OK(signal_semaphores(test_queue, 1, &semaphore, NULL, 0, NULL, NULL));
    CHECK_OK(clFinish(test_queue));
    CHECK_OK(semaphore_info(semaphore, CL_SEMAPHORE_PAYLOAD_KHR, sizeof payload, &payload, NULL));
    CHECK_EQ(payload, 1);
    CHECK_OK(release_semaphore(semaphore));
    CHECK_OK(clReleaseMemObject(mem));
}

// A failed wait leaves the semaphore signalled, and a failed signal leaves it unchanged: later
// commands neither signal it twice nor wait for a missing signal.
static void test_failed(cl_command_queue queue)
{
    cl_semaphore_khr semaphore = make_semaphore(EXPORTS, CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR);
    for (int what = 0; what < 4; what++) { // bit 0: the wait fails, bit 1: the signal fails
        cl_int error;
        cl_event user = clCreateUserEvent(test_context, &error);
        CHECK_OK(error);
        if (what & 1) {
            CHECK_OK(signal_semaphores(queue, 1, &semaphore, NULL, 0, NULL, NULL));
            CHECK_OK(wait_semaphores(queue, 1, &semaphore, NULL, 1, &user, NULL));
        }
        if (what & 2) {
            CHECK_OK(signal_semaphores(queue, 1, &semaphore, NULL, 1, &user, NULL));
            CHECK_OK(wait_semaphores(queue, 1, &semaphore, NULL, 0, NULL, NULL));
        }
        CHECK_OK(clSetUserEventStatus(user, -7));
        clFinish(queue);
        CHECK_OK(clReleaseEvent(user));
        for (int i = 0; i < 2; i++) {
            CHECK_OK(signal_semaphores(queue, 1, &semaphore, NULL, 0, NULL, NULL));
            CHECK_OK(wait_semaphores(queue, 1, &semaphore, NULL, 0, NULL, NULL));
            CHECK_OK(clFinish(queue));
        }
    }
    CHECK_OK(release_semaphore(semaphore));
}

static void test_sync_fds(void)
{
    const cl_uint sync = CL_SEMAPHORE_HANDLE_SYNC_FD_KHR;
    VkSemaphore side_from = side_semaphore(SYNC_SEMAPHORE), side_to = side_semaphore(0);
    cl_semaphore_khr out = make_semaphore(EXPORTS, sync), in = make_semaphore(sync, (cl_properties)-1);
    cl_semaphore_payload_khr payload = 7;
    int fd;
    CHECK_EQ(semaphore_handle(out, test_device, sync, sizeof fd, &fd, NULL), CL_INVALID_OPERATION); // not signalled
    CHECK_OK(semaphore_info(in, CL_SEMAPHORE_PAYLOAD_KHR, sizeof payload, &payload, NULL));
    CHECK_EQ(payload, 1); // because it was imported from -1
    CHECK_OK(wait_semaphores(test_queue, 1, &in, NULL, 0, NULL, NULL));
    CHECK_OK(semaphore_info(in, CL_SEMAPHORE_PAYLOAD_KHR, sizeof payload, &payload, NULL));
    CHECK_EQ(payload, 0);
    for (int round = 0; round < ROUNDS; round++) {
        CHECK_OK(signal_semaphores(test_queue, 1, &out, NULL, 0, NULL, NULL));
        side_import_semaphore(side_to, SYNC_SEMAPHORE, export_semaphore(out, sync));
        side_begin();
        side_barrier();
        side_submit(side_to, side_from, false);
        CHECK_OK(reimport(in, NULL, side_semaphore_fd(side_from, SYNC_SEMAPHORE)));
        CHECK_OK(wait_semaphores(test_queue, 1, &in, NULL, 0, NULL, NULL));
        CHECK_OK(clFinish(test_queue));
        VK(side.QueueWaitIdle(side.queue));
    }
    CHECK_EQ(reimport(in, NULL, 999999), CL_INVALID_VALUE);
    CHECK_EQ(reimport(out, NULL, -1), CL_INVALID_SEMAPHORE_KHR);
    CHECK_EQ(reimport(NULL, NULL, -1), CL_INVALID_SEMAPHORE_KHR);
    CHECK_OK(release_semaphore(out));
    CHECK_OK(release_semaphore(in));
    side.DestroySemaphore(side.device, side_from, NULL);
    side.DestroySemaphore(side.device, side_to, NULL);
}

// A signal that waits for the host, so that there is nothing to export yet.
static void test_held_signal(void)
{
    cl_semaphore_khr out = make_semaphore(EXPORTS, CL_SEMAPHORE_HANDLE_SYNC_FD_KHR);
    cl_int error;
    int fd = -7;
    cl_event user = clCreateUserEvent(test_context, &error);
    CHECK_OK(error);
    CHECK_OK(signal_semaphores(test_queue, 1, &out, NULL, 1, &user, NULL));
    CHECK_EQ(semaphore_handle(out, test_device, CL_SEMAPHORE_HANDLE_SYNC_FD_KHR, sizeof fd, &fd, NULL), CL_INVALID_OPERATION);
    CHECK_OK(clSetUserEventStatus(user, CL_COMPLETE));
    CHECK_OK(clFinish(test_queue));
    fd = export_semaphore(out, CL_SEMAPHORE_HANDLE_SYNC_FD_KHR);
    CHECK(fd == -1 || is_open(fd));
    if (fd >= 0)
        close(fd);
    CHECK_OK(release_semaphore(out));
    CHECK_OK(clReleaseEvent(user));
}

static void test_semaphore_refusals(void)
{
    const cl_properties type = CL_SEMAPHORE_TYPE_KHR, opaque = CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR;
    VkSemaphore other = side_semaphore(OPAQUE_SEMAPHORE);
    const cl_properties fd = (cl_properties)side_semaphore_fd(other, OPAQUE_SEMAPHORE);
    const struct {
        cl_semaphore_properties_khr list[10];
        cl_int code;
    } rows[] = {
        {{type, 1, opaque, fd, opaque, fd, 0}, CL_INVALID_PROPERTY},
        {{type, 1, opaque, 999999, 0}, CL_INVALID_PROPERTY},
        {{type, 1, opaque, (cl_properties)-1, 0}, CL_INVALID_PROPERTY},
        {{type, 1, opaque, fd, EXPORTS, opaque, 0, 0}, CL_INVALID_OPERATION},
        {{type, 1, EXPORTS, opaque, CL_SEMAPHORE_HANDLE_SYNC_FD_KHR, 0, 0}, CL_INVALID_VALUE},
        {{type, 1, EXPORTS, 0x7777, 0, 0}, CL_INVALID_PROPERTY},
        {{type, 1, EXPORTS, opaque, 0, EXPORTS, opaque, 0, 0}, CL_INVALID_PROPERTY},
        {{opaque, fd, 0}, CL_INVALID_VALUE},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        CHECK_CREATE(create_semaphore(test_context, rows[i].list, &error), rows[i].code);
    CHECK(is_open((int)fd));
    cl_semaphore_khr in = make_semaphore(opaque, fd), out = make_semaphore(EXPORTS, opaque);
    cl_uint types[4];
    size_t size = 7;
    cl_bool exportable = 7;
    int room;
    CHECK_OK(semaphore_info(out, EXPORTABLE, sizeof exportable, &exportable, NULL));
    CHECK_EQ(exportable, CL_TRUE);
    CHECK_OK(semaphore_info(in, EXPORTABLE, sizeof exportable, &exportable, NULL));
    CHECK_EQ(exportable, CL_FALSE);
    CHECK_OK(semaphore_info(out, EXPORTS, sizeof types, types, &size));
    CHECK(size == sizeof *types && types[0] == opaque);
    CHECK_OK(semaphore_info(in, EXPORTS, 0, NULL, &size));
    CHECK_EQ(size, 0);
    CHECK_EQ(semaphore_handle(in, test_device, (cl_uint)opaque, sizeof room, &room, NULL), CL_INVALID_VALUE);
    CHECK_EQ(semaphore_handle(out, test_device, CL_SEMAPHORE_HANDLE_SYNC_FD_KHR, sizeof room, &room, NULL), CL_INVALID_VALUE);
    CHECK_EQ(semaphore_handle(out, test_device, (cl_uint)opaque, 1, &room, NULL), CL_INVALID_VALUE);
    CHECK_EQ(semaphore_handle(out, NULL, (cl_uint)opaque, sizeof room, &room, NULL), CL_INVALID_DEVICE);
    CHECK_OK(release_semaphore(in));
    CHECK_OK(release_semaphore(out));
    side.DestroySemaphore(side.device, other, NULL);
}

static void test_semaphores(cl_kernel kernel, cl_command_queue queue)
{
    if (test_has(test_device, "cl_khr_external_semaphore_opaque_fd") && side.semaphores) {
        test_opaque_semaphores(kernel, test_queue);
        test_opaque_semaphores(kernel, queue);
        test_own_semaphore(kernel, queue);
        test_failed(test_queue);
        test_failed(queue);
        test_semaphore_refusals();
    } else {
        printf("no semaphores by opaque fds\n");
    }
    if (test_has(test_device, "cl_khr_external_semaphore_sync_fd") && side.sync_fds) {
        test_sync_fds();
        test_held_signal();
    } else {
        printf("no semaphores by sync fds\n");
    }
}

// ---- all ----------------------------------------------------------------------------------------

static void run(cl_kernel kernel)
{
    cl_int error;
    cl_command_queue queue = clCreateCommandQueue(test_context, test_device,
                                                  CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &error);
    CHECK_OK(error);
    test_rounds(kernel, test_queue, false);
    test_rounds(kernel, queue, true);
    test_buffer_uses();
    if (test_has_images())
        test_image();
    if (test_has(test_device, "cl_khr_external_memory_dma_buf")) {
        test_dma_buf(kernel);
        if (test_has_images())
            test_dma_buf_image();
    }
    test_refused_properties();
    test_refused_files();
    test_refused_turns();
    test_semaphores(kernel, queue);
    CHECK_OK(clReleaseCommandQueue(queue));
}

int main(void)
{
    test_open();
    if (!test_has(test_device, "cl_khr_external_memory_opaque_fd")) {
        printf("the device imports no memory by opaque fds\n");
        return 77;
    }
    find_functions();
    test_queries();
    if (!side_open()) {
        printf("no Vulkan beside OpenCL that exports memory\n");
        return 77;
    }
    cl_program program = test_build(
        "kernel void add(global uint *words) { words[get_global_id(0)] += get_global_id(0); }\n",
        "");
    cl_kernel kernel = test_kernel(program, "add");
    int before, after = 0, more = 0;
    for (int i = 0; i < 4; i++) { // one-time allocations may come later; a leak grows every time
        before = after;
        run(kernel);
        CHECK_OK(clFinish(test_queue));
        after = count_fds();
        more = after > before ? more + 1 : 0;
    }
    CHECK(more < 3);
    CHECK_OK(clReleaseKernel(kernel));
    CHECK_OK(clReleaseProgram(program));
    side_close();
    return test_close();
}
