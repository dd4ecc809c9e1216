// SPDX-License-Identifier: Apache-2.0
// Kernel launches: work-item functions over all kinds of ranges, all errors, objects released while
// in flight.
#include "test.h"

static const char source[] =
    "kernel void ids(global ulong *p, ulong row, ulong plane) {\n"
    "    size_t x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);\n"
    "    size_t at = (x - get_global_offset(0)) + (y - get_global_offset(1)) * row +\n"
    "                (z - get_global_offset(2)) * plane;\n"
    "    p[at] = x + 1000 * y + 1000000 * z + 1000000000ul * get_local_size(0); }\n"
    "kernel __attribute__((reqd_work_group_size(8, 1, 1))) void eight(global int *p) {\n"
    "    p[get_global_id(0)] = (int)get_local_id(0); }\n"
    "kernel void add(global int *p, int n) { p[get_global_id(0)] += n; }\n";

static cl_program program;

enum { LARGEST = 64 * 64 * 4 };
static cl_ulong got[LARGEST];

struct range {
    cl_uint dims;
    size_t offset[3], global[3], local[3];
    bool null_local;
};

static const struct range ranges[] = {
    {1, {0}, {1}, {0}, true},
    {1, {0}, {1000}, {0}, true},
    {1, {7}, {1000}, {10}, false},
    {1, {0}, {4096}, {256}, false},
    {2, {0}, {64, 64}, {8, 8}, false},
    {2, {3, 5}, {60, 33}, {0}, true},
    {3, {1, 2, 3}, {16, 8, 4}, {4, 2, 2}, false},
    {3, {0}, {17, 5, 3}, {0}, true},
    {1, {(size_t)(UINT64_C(1) << 33)}, {64}, {64}, false},
};

static cl_uint address_bits(void)
{
    cl_uint bits = 0;
    CHECK_OK(clGetDeviceInfo(test_device, CL_DEVICE_ADDRESS_BITS, sizeof bits, &bits, NULL));
    return bits;
}

// Global sizes that do not fit the device's size_t are refused.
static void check_too_many(void)
{
    const size_t global = (size_t)(UINT64_C(1) << 32);
    cl_mem mem = test_buffer(0, 64, NULL);
    cl_kernel kernel = test_kernel(program, "add");
    int n = 1;
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    CHECK_OK(clSetKernelArg(kernel, 1, sizeof n, &n));
    if (global && address_bits() == 32)
        CHECK_EQ(clEnqueueNDRangeKernel(test_queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL),
                 CL_INVALID_GLOBAL_WORK_SIZE);
    CHECK_OK(clReleaseKernel(kernel));
    CHECK_OK(clReleaseMemObject(mem));
}

// The local size of the range, reduced to the device's limit: a size of 1 x 1 x 1 suits all.
static void fit_local(const struct range *r, size_t local[3])
{
    size_t most = 0;
    CHECK_OK(clGetDeviceInfo(test_device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof most, &most, NULL));
    memcpy(local, r->local, sizeof r->local);
    while (local[0] > most)
        local[0] /= 2;
}

static void check_ids(const struct range *r)
{
    size_t local[3];
    fit_local(r, local);
    cl_mem mem = test_buffer(0, sizeof got, NULL);
    cl_kernel kernel = test_kernel(program, "ids");
    size_t nx = r->global[0], ny = r->dims > 1 ? r->global[1] : 1,
           nz = r->dims > 2 ? r->global[2] : 1;
    cl_ulong row = nx, plane = nx * ny;
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    CHECK_OK(clSetKernelArg(kernel, 1, sizeof row, &row));
    CHECK_OK(clSetKernelArg(kernel, 2, sizeof plane, &plane));
    bool fits = address_bits() == 64 || ((cl_ulong)r->offset[0] >> 32) == 0;
    CHECK_EQ(clEnqueueNDRangeKernel(test_queue, kernel, r->dims, r->offset, r->global,
                                    r->null_local ? NULL : local, 0, NULL, NULL),
             fits ? CL_SUCCESS : CL_INVALID_GLOBAL_OFFSET);
    if (!fits)
        nx = ny = nz = 0;
    CHECK_OK(clEnqueueReadBuffer(test_queue, mem, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
    for (size_t z = 0; z < nz; z++)
        for (size_t y = 0; y < ny; y++)
            for (size_t x = 0; x < nx; x++) {
                cl_ulong value = got[x + y * row + z * plane];
                cl_ulong want =
                    x + r->offset[0] + 1000 * (y + r->offset[1]) + 1000000 * (z + r->offset[2]);
                if (r->null_local)
                    value %= 1000000000, want %= 1000000000;
                else
                    want += UINT64_C(1000000000) * local[0];
                if (!CHECK_EQ(value, want))
                    return;
            }
    CHECK_OK(clReleaseKernel(kernel));
    CHECK_OK(clReleaseMemObject(mem));
}

static void check_refusals(void)
{
    cl_kernel kernel = test_kernel(program, "eight"), unset = test_kernel(program, "add");
    cl_mem mem = test_buffer(0, 4096, NULL);
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    CHECK_OK(clSetKernelArg(unset, 0, sizeof mem, &mem));
    size_t wg;
    CHECK_OK(clGetKernelWorkGroupInfo(unset, test_device, CL_KERNEL_WORK_GROUP_SIZE, sizeof wg, &wg, NULL));
    size_t device_most; // the recommendation for a kernel may be smaller
    CHECK_OK(clGetDeviceInfo(test_device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof device_most, &device_most, NULL));
    CHECK(wg && wg <= device_most);
    cl_uint bits;
    CHECK_OK(clGetDeviceInfo(test_device, CL_DEVICE_ADDRESS_BITS, sizeof bits, &bits, NULL));
    const bool most = bits <= 8 * sizeof(size_t); // otherwise a 32-bit host has no numbers that are
                                                  // too large for the device
    struct {
        cl_kernel kernel;
        cl_uint dims;
        size_t offset, global, local;
        cl_int want;
    } rows[] = {
        {kernel, 1, 0, 64, 8, CL_SUCCESS},
        {kernel, 0, 0, 64, 8, CL_INVALID_WORK_DIMENSION},
        {kernel, 4, 0, 64, 8, CL_INVALID_WORK_DIMENSION},
        {kernel, 1, most ? SIZE_MAX - 10 : 0, 64, 8, most ? CL_INVALID_GLOBAL_OFFSET : CL_SUCCESS},
        {kernel, 1, 0, 64, 4, CL_INVALID_WORK_GROUP_SIZE},
        {kernel, 1, 0, 60, 8, CL_INVALID_WORK_GROUP_SIZE},
        {kernel, 1, 0, 64, 0, CL_INVALID_WORK_GROUP_SIZE},
        {kernel, 1, 0, 0, 8, CL_SUCCESS},
        {unset, 1, 0, 64, 8, CL_INVALID_KERNEL_ARGS},
        {unset, 1, 0, 63, 8, CL_INVALID_WORK_GROUP_SIZE},
        {unset, 1, 0, (size_t)1 << 31, (size_t)1 << 31, CL_INVALID_WORK_ITEM_SIZE},
        {NULL, 1, 0, 64, 8, CL_INVALID_KERNEL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cl_int error =
            clEnqueueNDRangeKernel(test_queue, rows[i].kernel, rows[i].dims, &rows[i].offset,
                                   &rows[i].global, &rows[i].local, 0, NULL, NULL);
        if (!CHECK_EQ(error, rows[i].want))
            printf("  in row %zu\n", i);
    }
    size_t global[2] = {2 * device_most, 2}, local[2] = {device_most, 2};
    CHECK_EQ(clEnqueueNDRangeKernel(test_queue, unset, 2, NULL, global, local, 0, NULL, NULL),
             CL_INVALID_WORK_GROUP_SIZE);
    CHECK_EQ(clEnqueueNDRangeKernel(NULL, kernel, 1, NULL, global, NULL, 0, NULL, NULL),
             CL_INVALID_COMMAND_QUEUE);
    CHECK_EQ(clEnqueueTask(test_queue, kernel, 0, NULL, NULL), CL_INVALID_WORK_GROUP_SIZE);
    CHECK_OK(clFinish(test_queue));
    CHECK_OK(clReleaseKernel(kernel));
    CHECK_OK(clReleaseKernel(unset));
    CHECK_OK(clReleaseMemObject(mem));
}

// Arguments are captured; kernel, program and buffer may be released while the command waits.
static void check_lifetimes(void)
{
    cl_int code, zero = 0, value = 0;
    size_t one = 1;
    cl_mem mem = test_buffer(CL_MEM_COPY_HOST_PTR, sizeof zero, &zero);
    cl_program mine = test_build(source, "");
    cl_kernel kernel = test_kernel(mine, "add");
    cl_event gate = clCreateUserEvent(test_context, &code);
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    for (int n = 1; n <= 4; n++) {
        CHECK_OK(clSetKernelArg(kernel, 1, sizeof n, &n));
        CHECK_OK(clEnqueueNDRangeKernel(test_queue, kernel, 1, NULL, &one, NULL, n == 1,
                                        n == 1 ? &gate : NULL, NULL));
    }
    cl_event done;
    CHECK_OK(
        clEnqueueReadBuffer(test_queue, mem, CL_FALSE, 0, sizeof value, &value, 0, NULL, &done));
    CHECK_OK(clReleaseKernel(kernel));
    CHECK_OK(clReleaseProgram(mine));
    CHECK_OK(clReleaseMemObject(mem));
    CHECK_OK(clFlush(test_queue));
    CHECK_EQ(value, 0);
    CHECK_OK(clSetUserEventStatus(gate, CL_COMPLETE));
    CHECK_OK(clWaitForEvents(1, &done));
    CHECK_EQ(value, 10);
    CHECK_OK(clReleaseEvent(gate));
    CHECK_OK(clReleaseEvent(done));
}

// OpenCL C 3.0: the last work-groups may be smaller, unless an option forbids it.
static void check_remainders(void)
{
    int data[37] = {0}, n = 5;
    size_t global = 37, local = 8;
    static const char *const options[] = {"-cl-std=CL3.0",
                                          "-cl-std=CL3.0 -cl-uniform-work-group-size"};
    for (int i = 0; i < 2; i++) {
        cl_program mine = test_build(source, options[i]);
        cl_kernel kernel = test_kernel(mine, "add");
        cl_mem mem = test_buffer(CL_MEM_COPY_HOST_PTR, sizeof data, data);
        CHECK_OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
        CHECK_OK(clSetKernelArg(kernel, 1, sizeof n, &n));
        CHECK_EQ(
            clEnqueueNDRangeKernel(test_queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL),
            i ? CL_INVALID_WORK_GROUP_SIZE : CL_SUCCESS);
        int back[37];
        CHECK_OK(
            clEnqueueReadBuffer(test_queue, mem, CL_TRUE, 0, sizeof back, back, 0, NULL, NULL));
        for (int j = 0; j < 37; j++)
            CHECK_EQ(back[j], i ? 0 : 5);
        CHECK_OK(clReleaseKernel(kernel));
        CHECK_OK(clReleaseProgram(mine));
        CHECK_OK(clReleaseMemObject(mem));
    }
}

// A kernel sees a sub-buffer's first byte at its argument; a NULL buffer is address 0; a task is
// one work-item.
static void check_buffers(void)
{
    int data[512] = {0}, n = 3, code;
    cl_mem mem = test_buffer(CL_MEM_COPY_HOST_PTR, sizeof data, data);
    cl_buffer_region region = {1024, 64};
    cl_mem sub = clCreateSubBuffer(mem, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
    cl_kernel kernel = test_kernel(program, "add");
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof sub, &sub));
    CHECK_OK(clSetKernelArg(kernel, 1, sizeof n, &n));
    CHECK_OK(clEnqueueTask(test_queue, kernel, 0, NULL, NULL));
    CHECK_OK(clEnqueueReadBuffer(test_queue, mem, CL_TRUE, 0, sizeof data, data, 0, NULL, NULL));
    CHECK(data[255] == 0 && data[256] == 3 && data[257] == 0);
    CHECK_OK(clReleaseKernel(kernel));
    CHECK_OK(clReleaseMemObject(sub));
    CHECK_OK(clReleaseMemObject(mem));
    cl_program nulls =
        test_build("kernel void f(global int *a, global int *b) { b[0] = a ? 1 : 2; }", "");
    kernel = test_kernel(nulls, "f");
    mem = test_buffer(0, 4, NULL);
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof mem, NULL));
    CHECK_OK(clSetKernelArg(kernel, 1, sizeof mem, &mem));
    CHECK_OK(clEnqueueTask(test_queue, kernel, 0, NULL, NULL));
    CHECK_OK(clEnqueueReadBuffer(test_queue, mem, CL_TRUE, 0, sizeof n, &n, 0, NULL, NULL));
    CHECK_EQ(n, 2);
    CHECK_OK(clReleaseKernel(kernel));
    CHECK_OK(clReleaseProgram(nulls));
    CHECK_OK(clReleaseMemObject(mem));
}

// OpenCL 3.1: local arguments of size 0, whose pointers are not dereferenced: with separate arrays;
// with one array where a pointer may refer to either; besides a local variable of the kernel.
static const char local_source[] =
    "kernel void own(local int *a, local int *b, global int *p, int n) {\n"
    "    int i = get_local_id(0);\n"
    "    if (n & 1) a[i] = 10 * i;\n"
    "    if (n & 2) b[i] = i;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    p[i] = 1 + (n & 1 ? a[7 - i] : 0) + (n & 2 ? b[7 - i] : 0); }\n"
    "kernel void either(local int *a, local int *b, global int *p, int n) {\n"
    "    local int mine[8];\n"
    "    int i = get_local_id(0), sum = 1;\n"
    "    for (int bit = 0; bit < 2; bit++) {\n"
    "        local int *l = !(n >> bit & 1) ? mine : bit ? b : a;\n"
    "        l[i] = n >> bit & 1 ? bit ? i : 10 * i : 0;\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "        sum += l[7 - i];\n"
    "        barrier(CLK_LOCAL_MEM_FENCE); }\n"
    "    p[i] = sum; }\n";

static void check_no_local_memory(void)
{
    static const char *const names[] = {"own", "either"};
    cl_program mine = test_build(local_source, "");
    size_t items = 8;
    for (int k = 0; k < 2; k++) {
        cl_kernel kernel = test_kernel(mine, names[k]);
        cl_mem mem = test_buffer(0, 32, NULL);
        CHECK_OK(clSetKernelArg(kernel, 2, sizeof mem, &mem));
        for (int n = 3; n >= 0; n--) {
            int back[8] = {0};
            CHECK_OK(clSetKernelArg(kernel, 0, n & 1 ? 32 : 0, NULL));
            CHECK_OK(clSetKernelArg(kernel, 1, n & 2 ? 32 : 0, NULL));
            CHECK_OK(clSetKernelArg(kernel, 3, sizeof n, &n));
            CHECK_OK(clEnqueueNDRangeKernel(test_queue, kernel, 1, NULL, &items, &items, 0, NULL, NULL));
            CHECK_OK(clEnqueueReadBuffer(test_queue, mem, CL_TRUE, 0, sizeof back, back, 0, NULL, NULL));
            for (int i = 0; i < 8; i++)
                CHECK_EQ(back[i], 1 + (n & 1 ? 10 * (7 - i) : 0) + (n & 2 ? 7 - i : 0));
        }
        CHECK_OK(clReleaseKernel(kernel));
        CHECK_OK(clReleaseMemObject(mem));
    }
    CHECK_OK(clReleaseProgram(mine));
}

int main(void)
{
    test_open();
    program = test_build(source, "");
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        check_ids(&ranges[i]);
    check_too_many();
    check_refusals();
    check_lifetimes();
    check_remainders();
    check_buffers();
    check_no_local_memory();
    CHECK_OK(clReleaseProgram(program));
    return test_close();
}
