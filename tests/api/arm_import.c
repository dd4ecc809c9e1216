// SPDX-License-Identifier: Apache-2.0
// cl_arm_import_memory: buffers over a dma_buf, or over a memfd if the driver accepts one as a
// dma_buf.
#define _GNU_SOURCE
#include "test.h"

#include <sys/mman.h>

enum { SIZE = 1 << 16, COUNT = SIZE / 4 };

static cl_mem(CL_API_CALL *import)(cl_context context, cl_mem_flags flags, const intptr_t *properties, void *memory,
                                   size_t size, cl_int *error);

static void test_errors(int fd)
{
    const intptr_t dma_buf[] = {0x40B2, 0x40B4, 0}, host[] = {0x40B2, 0x40B3, 0}, other[] = {0x40B2, 0x40B4, 0x1234, 1, 0},
                   consistent[] = {0x40B2, 0x40B4, 0x41E3, 7, 0};
    int none = -1;
    CHECK_CREATE(import(NULL, 0, dma_buf, &fd, SIZE, &error), CL_INVALID_CONTEXT);
    CHECK_CREATE(import(test_context, 0, NULL, &fd, SIZE, &error), CL_INVALID_PROPERTY);
    CHECK_CREATE(import(test_context, 0, host, &fd, SIZE, &error), CL_INVALID_PROPERTY);
    CHECK_CREATE(import(test_context, 0, other, &fd, SIZE, &error), CL_INVALID_PROPERTY);
    CHECK_CREATE(import(test_context, 0, consistent, &fd, SIZE, &error), CL_INVALID_PROPERTY);
    CHECK_CREATE(import(test_context, CL_MEM_USE_HOST_PTR, dma_buf, &fd, SIZE, &error), CL_INVALID_VALUE);
    CHECK_CREATE(import(test_context, 0, dma_buf, NULL, SIZE, &error), CL_INVALID_VALUE);
    CHECK_CREATE(import(test_context, 0, dma_buf, &none, SIZE, &error), CL_INVALID_VALUE);
    CHECK_CREATE(import(test_context, 0, dma_buf, &fd, 0, &error), CL_INVALID_BUFFER_SIZE);
    // larger than the file
    CHECK_CREATE(import(test_context, 0, dma_buf, &fd, SIZE * 2, &error), CL_INVALID_VALUE);
}

// Writes on one side are visible on the other without a copy; the fd still belongs to the caller.
static void test_contents(int fd, uint32_t *shared, size_t size)
{
    const intptr_t dma_buf[] = {0x40B2, 0x40B4, 0x41E3, 1, 0};
    cl_int code;
    size_t told = 0, items = COUNT;
    int wrong = 0;
    for (uint32_t i = 0; i < COUNT; i++)
        shared[i] = i;
    cl_mem mem = import(test_context, CL_MEM_READ_WRITE, dma_buf, &fd, size, &code);
    if (!CHECK_OK(code))
        return;
    CHECK_OK(clGetMemObjectInfo(mem, CL_MEM_SIZE, sizeof told, &told, NULL));
    CHECK_EQ(told, SIZE);
    cl_program program = test_build("kernel void add(global uint *p) { p[get_global_id(0)] += 100; }", "");
    cl_kernel kernel = test_kernel(program, "add");
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    CHECK_OK(clEnqueueNDRangeKernel(test_queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
    CHECK_OK(clFinish(test_queue));
    for (uint32_t i = 0; i < COUNT; i++)
        wrong += shared[i] != i + 100;
    CHECK_EQ(wrong, 0);
    CHECK_OK(clReleaseMemObject(mem));
    CHECK_OK(clReleaseKernel(kernel));
    CHECK_OK(clReleaseProgram(program));
    CHECK_EQ(pwrite(fd, "x", 1, 0), 1);
}

int main(void)
{
    test_open();
    if (!test_has(test_device, "cl_arm_import_memory_dma_buf")) {
        printf("the device imports no dma_bufs\n");
        return 77;
    }
    *(void **)&import = clGetExtensionFunctionAddressForPlatform(test_platform, "clImportMemoryARM");
    int fd = memfd_create("arm_import", MFD_CLOEXEC);
    if (fd < 0 || ftruncate(fd, SIZE))
        return 77;
    uint32_t *shared = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    char name[256] = "";
    CHECK_OK(clGetDeviceInfo(test_device, CL_DEVICE_NAME, sizeof name, name, NULL));
    if (strstr(name, "llvmpipe")) { // other drivers reject a file that is not a dma_buf
        test_errors(fd);
        test_contents(fd, shared, SIZE);
        test_contents(fd, shared, SIZE_MAX);
    }
    munmap(shared, SIZE);
    close(fd);
    return test_close();
}
