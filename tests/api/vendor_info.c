// SPDX-License-Identifier: Apache-2.0
// Queries of NVIDIA's and AMD's extensions: supported on their devices, as far as Vulkan provides
// the answers, and on no others. The expected numbers are those of the simulated devices
// tests/devices/layer/nvidia.txt and amd.txt.
#include "test.h"

enum { NVIDIA = 0x10de, AMD = 0x1002, REFUSED = -1 };

static struct {
    cl_uint vendor;
    bool known; // one of the two simulated devices
    char extensions[4096];
} its;

static void look(void)
{
    char name[256] = "";
    CHECK_OK(clGetDeviceInfo(test_device, CL_DEVICE_VENDOR_ID, sizeof its.vendor, &its.vendor, NULL));
    CHECK_OK(clGetDeviceInfo(test_device, CL_DEVICE_NAME, sizeof name, name, NULL));
    CHECK_OK(clGetDeviceInfo(test_device, CL_DEVICE_EXTENSIONS, sizeof its.extensions, its.extensions, NULL));
    its.known = !strncmp(name, "Attributes of", 13);
}

struct row {
    cl_uint vendor;
    cl_device_info query;
    size_t size;
    long long answer; // of the simulated devices; REFUSED: not supported on any
};

static const struct row rows[] = {
    {NVIDIA, CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV, 4, 8},
    {NVIDIA, CL_DEVICE_COMPUTE_CAPABILITY_MINOR_NV, 4, 9},
    {NVIDIA, CL_DEVICE_REGISTERS_PER_BLOCK_NV, 4, 65536},
    {NVIDIA, CL_DEVICE_GPU_OVERLAP_NV, 4, 0},
    {NVIDIA, CL_DEVICE_KERNEL_EXEC_TIMEOUT_NV, 4, REFUSED},
    {NVIDIA, CL_DEVICE_INTEGRATED_MEMORY_NV, 4, 0},
    {NVIDIA, 0x4008, 4, 0x81},
    {NVIDIA, 0x4009, 4, 3 << 3 | 2},
    {NVIDIA, 0x400a, 4, 1},
    {AMD, CL_DEVICE_PROFILING_TIMER_OFFSET_AMD, sizeof(size_t), 0},
    {AMD, CL_DEVICE_SIMD_PER_COMPUTE_UNIT_AMD, 4, 2},
    {AMD, CL_DEVICE_SIMD_WIDTH_AMD, 4, REFUSED},
    {AMD, CL_DEVICE_SIMD_INSTRUCTION_WIDTH_AMD, 4, REFUSED},
    {AMD, CL_DEVICE_GLOBAL_MEM_CHANNELS_AMD, 4, REFUSED},
    {AMD, CL_DEVICE_GLOBAL_MEM_CHANNEL_BANKS_AMD, 4, REFUSED},
    {AMD, CL_DEVICE_GLOBAL_MEM_CHANNEL_BANK_WIDTH_AMD, 4, REFUSED},
    {AMD, CL_DEVICE_LOCAL_MEM_SIZE_PER_COMPUTE_UNIT_AMD, 4, REFUSED},
    {AMD, CL_DEVICE_LOCAL_MEM_BANKS_AMD, 4, REFUSED},
    {AMD, CL_DEVICE_THREAD_TRACE_SUPPORTED_AMD, 4, 0},
    {AMD, CL_DEVICE_GFXIP_MAJOR_AMD, 4, REFUSED},
    {AMD, CL_DEVICE_GFXIP_MINOR_AMD, 4, REFUSED},
    {AMD, CL_DEVICE_AVAILABLE_ASYNC_QUEUES_AMD, 4, 1},
    {AMD, CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_AMD, sizeof(size_t), REFUSED},
    {AMD, CL_DEVICE_PREFERRED_CONSTANT_BUFFER_SIZE_AMD, sizeof(size_t), REFUSED},
    {AMD, CL_DEVICE_PCIE_ID_AMD, 4, 0x747e},
    {0, 0x40ff, 4, REFUSED},
};

static void check_row(const struct row *row)
{
    long long value = 0;
    size_t size = 77;
    cl_int error = clGetDeviceInfo(test_device, row->query, row->size, &value, &size);
    if (row->vendor != its.vendor || row->answer == REFUSED) {
        CHECK_EQ(error, CL_INVALID_VALUE);
        CHECK_EQ(size, 77);
        return;
    }
    if (!its.known) // a real device may have any value, or not support it
        return;
    CHECK_OK(error);
    CHECK_EQ(size, row->size);
    CHECK_EQ(value, row->answer);
    CHECK_EQ(clGetDeviceInfo(test_device, row->query, row->size - 1, &value, NULL), CL_INVALID_VALUE);
}

// Required of any device of the vendor.
static void check_width(cl_uint vendor, cl_device_info query)
{
    cl_uint width = 0;
    size_t multiple = 0;
    cl_kernel kernel;
    cl_int error = clGetDeviceInfo(test_device, query, sizeof width, &width, NULL);
    CHECK_EQ(error, vendor == its.vendor ? CL_SUCCESS : CL_INVALID_VALUE);
    if (vendor != its.vendor)
        return;
    cl_program program = test_build("kernel void k(global int *p) { *p = 1; }", "");
    kernel = clCreateKernel(program, "k", &error);
    CHECK_OK(error);
    CHECK_OK(clGetKernelWorkGroupInfo(kernel, test_device, CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE,
                                      sizeof multiple, &multiple, NULL));
    CHECK_EQ(width, multiple);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
}

static void check_names(void)
{
    CHECK_EQ(strstr(its.extensions, "cl_amd_device_attribute_query") != NULL, its.vendor == AMD);
    if (its.known || its.vendor != NVIDIA)
        CHECK_EQ(strstr(its.extensions, "cl_nv_device_attribute_query") != NULL, its.vendor == NVIDIA);
}

static void check_units(void)
{
    cl_uint units = 0;
    CHECK_OK(clGetDeviceInfo(test_device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL));
    CHECK_EQ(units, its.vendor == NVIDIA ? 30 : 60);
}

static void check_amd(void)
{
    cl_device_topology_amd place;
    char name[64];
    size_t size = 0, free_kib = 0, work_group = 0, most = 0;
    CHECK_OK(clGetDeviceInfo(test_device, CL_DEVICE_TOPOLOGY_AMD, sizeof place, &place, &size));
    CHECK_EQ(size, 24);
    CHECK_EQ(place.pcie.type, CL_DEVICE_TOPOLOGY_TYPE_PCIE_AMD);
    CHECK(place.pcie.bus == 3 && place.pcie.device == 1 && !place.pcie.function);
    CHECK_OK(clGetDeviceInfo(test_device, CL_DEVICE_BOARD_NAME_AMD, sizeof name, name, &size));
    CHECK(size == 18 && !strcmp(name, "Attributes of AMD"));
    CHECK_OK(clGetDeviceInfo(test_device, CL_DEVICE_GLOBAL_FREE_MEMORY_AMD, sizeof free_kib, &free_kib, &size));
    CHECK(size == sizeof free_kib && free_kib > 0);
    CHECK_OK(clGetDeviceInfo(test_device, CL_DEVICE_MAX_WORK_GROUP_SIZE_AMD, sizeof most, &most, NULL));
    CHECK_OK(clGetDeviceInfo(test_device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof work_group, &work_group, NULL));
    CHECK_EQ(most, work_group);
}

int main(void)
{
    test_open();
    look();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_row(&rows[i]);
    check_width(NVIDIA, CL_DEVICE_WARP_SIZE_NV);
    check_width(AMD, CL_DEVICE_WAVEFRONT_WIDTH_AMD);
    check_names();
    if (its.known)
        check_units();
    if (its.known && its.vendor == AMD)
        check_amd();
    return test_close();
}
