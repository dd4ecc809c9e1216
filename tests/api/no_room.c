// SPDX-License-Identifier: Apache-2.0
// A process that runs out of address space: allocations that the driver cannot map fail, and work
// continues. Allocating more than the device's memory also fails, although none of it has been
// used.
#include "test.h"

#include <sys/resource.h>

enum { MANY = 4096, PIECE = 64 << 20, ROOM = 640 << 20 };

static cl_mem list[MANY];

static int take(int most, size_t size, cl_mem_flags flags)
{
    cl_int code = CL_SUCCESS;
    int count = 0;
    for (; count < most; count++) {
        list[count] = clCreateBuffer(test_context, flags, size, NULL, &code);
        if (code)
            break;
    }
    if (count < most)
        CHECK_EQ(code, CL_MEM_OBJECT_ALLOCATION_FAILURE);
    return count;
}

static void give_back(int count)
{
    while (count)
        CHECK_OK(clReleaseMemObject(list[--count]));
}

static void check_work(void)
{
    cl_int value = 0, five = 5;
    cl_mem mem = test_buffer(0, 1 << 20, NULL);
    CHECK_OK(clEnqueueFillBuffer(test_queue, mem, &five, 4, 0, 1 << 20, 0, NULL, NULL));
    CHECK_OK(clEnqueueReadBuffer(test_queue, mem, CL_TRUE, 4096, 4, &value, 0, NULL, NULL));
    CHECK_EQ(value, 5);
    CHECK_OK(clReleaseMemObject(mem));
}

static bool is_cpu(void)
{
    cl_device_type type = 0;
    CHECK_OK(clGetDeviceInfo(test_device, CL_DEVICE_TYPE, sizeof type, &type, NULL));
    return type & CL_DEVICE_TYPE_CPU;
}

// Buffers that are never written: on a CPU device they use no memory yet, but it is reserved.
static void check_promises(void)
{
    cl_ulong all = 0, most = 0;
    CHECK_OK(clGetDeviceInfo(test_device, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof all, &all, NULL));
    CHECK_OK(clGetDeviceInfo(test_device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof most, &most, NULL));
    size_t size = (size_t)(most < all / 8 ? most : all / 8);
    int fit = (int)(all / size), count = take(MANY, size, 0);
    // A device without buffer addresses reports four times the largest buffer as its memory, and
    // has more.
    CHECK(count <= fit || !test_has(test_device, "cl_ext_buffer_device_address"));
    CHECK_OK(clReleaseMemObject(list[--count])); // they may have been all of the memory
    check_work();
    give_back(count);
    check_work();
    CHECK(take(1, size, 0) == 1);
    give_back(1);
}

#ifdef RLIMIT_AS // Windows lacks it
static unsigned long address_space(void)
{
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file && fscanf(file, "%lu", &pages) != 1)
        pages = 0;
    if (file)
        fclose(file);
    return pages * (unsigned long)sysconf(_SC_PAGESIZE);
}

static void check_addresses(cl_mem_flags flags)
{
    struct rlimit before, limit;
    CHECK(!getrlimit(RLIMIT_AS, &before));
    limit = before;
    limit.rlim_cur = address_space() + ROOM;
    CHECK(!setrlimit(RLIMIT_AS, &limit));
    int count = take(MANY, PIECE, flags);
    CHECK(count < MANY);
    CHECK(!setrlimit(RLIMIT_AS, &before));
    check_work();
    give_back(count);
    check_work();
}

#else
static void check_addresses(cl_mem_flags flags) { (void)flags; }
#endif

int main(void)
{
    test_open();
    check_work();
    if (is_cpu()) { // on other devices the driver fails, possibly later
        check_promises();
        check_addresses(0);
        check_addresses(CL_MEM_ALLOC_HOST_PTR);
    }
    return test_close();
}
