// SPDX-License-Identifier: Apache-2.0
// Platform, device and context: every query returns a size and a value, misuse returns the right
// error.
#include "test.h"

enum { KERNEL_CLOCK_CAPABILITIES = 0x1076 }; // CL_DEVICE_KERNEL_CLOCK_CAPABILITIES_KHR, newer than Debian 12's header

struct query {
    cl_uint name;
    size_t size; // 0: any
};

static const struct query device_queries[] = {
    {CL_DEVICE_TYPE, 8},
    {CL_DEVICE_VENDOR_ID, 4},
    {CL_DEVICE_MAX_COMPUTE_UNITS, 4},
    {CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS, 4},
    {CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof(size_t)},
    {CL_DEVICE_MAX_WORK_ITEM_SIZES, 3 * sizeof(size_t)},
    {CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, sizeof(size_t)},
    {CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR, 4},
    {CL_DEVICE_PREFERRED_VECTOR_WIDTH_SHORT, 4},
    {CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT, 4},
    {CL_DEVICE_PREFERRED_VECTOR_WIDTH_LONG, 4},
    {CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT, 4},
    {CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE, 4},
    {CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF, 4},
    {CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR, 4},
    {CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT, 4},
    {CL_DEVICE_NATIVE_VECTOR_WIDTH_INT, 4},
    {CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG, 4},
    {CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT, 4},
    {CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE, 4},
    {CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF, 4},
    {CL_DEVICE_MAX_CLOCK_FREQUENCY, 4},
    {CL_DEVICE_ADDRESS_BITS, 4},
    {CL_DEVICE_ENDIAN_LITTLE, 4},
    {CL_DEVICE_GLOBAL_MEM_SIZE, 8},
    {CL_DEVICE_MAX_MEM_ALLOC_SIZE, 8},
    {CL_DEVICE_LOCAL_MEM_SIZE, 8},
    {CL_DEVICE_LOCAL_MEM_TYPE, 4},
    {CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE, 8},
    {CL_DEVICE_MAX_CONSTANT_ARGS, 4},
    {CL_DEVICE_GLOBAL_MEM_CACHE_TYPE, 4},
    {CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE, 4},
    {CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, 8},
    {CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE, sizeof(size_t)},
    {CL_DEVICE_GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE, sizeof(size_t)},
    {CL_DEVICE_MAX_PARAMETER_SIZE, sizeof(size_t)},
    {CL_DEVICE_MEM_BASE_ADDR_ALIGN, 4},
    {CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE, 4},
    {CL_DEVICE_HOST_UNIFIED_MEMORY, 4},
    {CL_DEVICE_ERROR_CORRECTION_SUPPORT, 4},
    {CL_DEVICE_SINGLE_FP_CONFIG, 8},
    {CL_DEVICE_DOUBLE_FP_CONFIG, 8},
    {CL_DEVICE_HALF_FP_CONFIG, 8},
    {CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES, 8},
    {CL_DEVICE_ATOMIC_FENCE_CAPABILITIES, 8},
    {CL_DEVICE_IMAGE_SUPPORT, 4},
    {CL_DEVICE_MAX_READ_IMAGE_ARGS, 4},
    {CL_DEVICE_MAX_WRITE_IMAGE_ARGS, 4},
    {CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS, 4},
    {CL_DEVICE_IMAGE2D_MAX_WIDTH, sizeof(size_t)},
    {CL_DEVICE_IMAGE2D_MAX_HEIGHT, sizeof(size_t)},
    {CL_DEVICE_IMAGE3D_MAX_WIDTH, sizeof(size_t)},
    {CL_DEVICE_IMAGE3D_MAX_HEIGHT, sizeof(size_t)},
    {CL_DEVICE_IMAGE3D_MAX_DEPTH, sizeof(size_t)},
    {CL_DEVICE_IMAGE_MAX_BUFFER_SIZE, sizeof(size_t)},
    {CL_DEVICE_IMAGE_MAX_ARRAY_SIZE, sizeof(size_t)},
    {CL_DEVICE_MAX_SAMPLERS, 4},
    {CL_DEVICE_IMAGE_PITCH_ALIGNMENT, 4},
    {CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT, 4},
    {CL_DEVICE_AVAILABLE, 4},
    {CL_DEVICE_COMPILER_AVAILABLE, 4},
    {CL_DEVICE_LINKER_AVAILABLE, 4},
    {CL_DEVICE_EXECUTION_CAPABILITIES, 8},
    {CL_DEVICE_QUEUE_ON_HOST_PROPERTIES, 8},
    {CL_DEVICE_PROFILING_TIMER_RESOLUTION, sizeof(size_t)},
    {CL_DEVICE_PRINTF_BUFFER_SIZE, sizeof(size_t)},
    {CL_DEVICE_PREFERRED_INTEROP_USER_SYNC, 4},
    {CL_DEVICE_BUILT_IN_KERNELS, 1},
    {CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION, 0},
    {CL_DEVICE_NAME, 0},
    {CL_DEVICE_VENDOR, 0},
    {CL_DRIVER_VERSION, 0},
    {CL_DEVICE_PROFILE, 0},
    {CL_DEVICE_VERSION, 0},
    {CL_DEVICE_NUMERIC_VERSION, 4},
    {CL_DEVICE_OPENCL_C_VERSION, 0},
    {CL_DEVICE_OPENCL_C_ALL_VERSIONS, 0},
    {CL_DEVICE_OPENCL_C_FEATURES, 0},
    {CL_DEVICE_EXTENSIONS, 0},
    {CL_DEVICE_EXTENSIONS_WITH_VERSION, 0},
    {CL_DEVICE_IL_VERSION, 7 * sizeof "SPIR-V_1.0"},
    {CL_DEVICE_ILS_WITH_VERSION, 7 * 68},
    {CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED, sizeof "vYYYY-MM-DD-XX"},
    {CL_DEVICE_PLATFORM, sizeof(void *)},
    {CL_DEVICE_PARENT_DEVICE, sizeof(void *)},
    {CL_DEVICE_PARTITION_MAX_SUB_DEVICES, 4},
    {CL_DEVICE_PARTITION_PROPERTIES, sizeof(void *)},
    {CL_DEVICE_PARTITION_AFFINITY_DOMAIN, 8},
    {CL_DEVICE_PARTITION_TYPE, 0},
    {CL_DEVICE_REFERENCE_COUNT, 4},
    {CL_DEVICE_SVM_CAPABILITIES, 8},
    {CL_DEVICE_PREFERRED_PLATFORM_ATOMIC_ALIGNMENT, 4},
    {CL_DEVICE_PREFERRED_GLOBAL_ATOMIC_ALIGNMENT, 4},
    {CL_DEVICE_PREFERRED_LOCAL_ATOMIC_ALIGNMENT, 4},
    {CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES, 8},
    {CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE, 4},
    {CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE, 4},
    {CL_DEVICE_MAX_ON_DEVICE_QUEUES, 4},
    {CL_DEVICE_MAX_ON_DEVICE_EVENTS, 4},
    {CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES, 8},
    {CL_DEVICE_PIPE_SUPPORT, 4},
    {CL_DEVICE_MAX_PIPE_ARGS, 4},
    {CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS, 4},
    {CL_DEVICE_PIPE_MAX_PACKET_SIZE, 4},
    {CL_DEVICE_MAX_NUM_SUB_GROUPS, 4},
    {CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS, 4},
    {CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT, 4},
    {CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT, 4},
    {CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT, 4},
    {KERNEL_CLOCK_CAPABILITIES, 8},
    {CL_DEVICE_UUID_KHR, 16},
    {CL_DRIVER_UUID_KHR, 16},
    {CL_DEVICE_LUID_VALID_KHR, 4},
    {CL_DEVICE_LUID_KHR, 8},
    {CL_DEVICE_NODE_MASK_KHR, 4},
};

static void check_device_queries(void)
{
    char value[16384];
    for (size_t i = 0; i < sizeof device_queries / sizeof *device_queries; i++) {
        const struct query *query = &device_queries[i];
        size_t size = 9999, again = 9998;
        cl_int error = clGetDeviceInfo(test_device, query->name, 0, NULL, &size);
        cl_int with = clGetDeviceInfo(test_device, query->name, sizeof value, value, &again);
        if (!CHECK_OK(error) || !CHECK_OK(with) || !CHECK_EQ(again, size) ||
            (query->size && !CHECK_EQ(size, query->size)))
            printf("  in query 0x%x\n", query->name);
        if (size) // one byte too few
            CHECK_EQ(clGetDeviceInfo(test_device, query->name, size - 1, value, NULL),
                     CL_INVALID_VALUE);
    }
    CHECK_EQ(clGetDeviceInfo(test_device, 0xdead, sizeof value, value, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clGetDeviceInfo(NULL, CL_DEVICE_NAME, sizeof value, value, NULL), CL_INVALID_DEVICE);
}

// cl_khr_kernel_clock: a scope's bit is set exactly if its feature is listed, and any bit exactly
// if the extension is.
static void check_kernel_clocks(void)
{
    static const char *const scopes[] = {"device", "work_group", "sub_group"}; // by bit
    cl_name_version rows[128];
    size_t size = 0;
    cl_ulong clocks = 99, told = 0;
    CHECK_OK(clGetDeviceInfo(test_device, KERNEL_CLOCK_CAPABILITIES, sizeof clocks, &clocks, NULL));
    CHECK_OK(clGetDeviceInfo(test_device, CL_DEVICE_OPENCL_C_FEATURES, sizeof rows, rows, &size));
    for (size_t i = 0; i < size / sizeof *rows; i++)
        for (int bit = 0; bit < 3; bit++) {
            char name[64];
            snprintf(name, sizeof name, "__opencl_c_kernel_clock_scope_%s", scopes[bit]);
            told |= (cl_ulong)!strcmp(rows[i].name, name) << bit;
        }
    CHECK_EQ(clocks, told);
    CHECK_EQ(clocks != 0, test_has(test_device, "cl_khr_kernel_clock"));
}

// Includes an identification of the build, because programs cache binaries by it.
static void check_driver_version(void)
{
    char text[512];
    unsigned version[3], build;
    CHECK_OK(clGetDeviceInfo(test_device, CL_DRIVER_VERSION, sizeof text, text, NULL));
    CHECK(sscanf(text, "%u.%u.%u+%8x (", &version[0], &version[1], &version[2], &build) == 4 && build);
}

// OpenCL 3.0, table of device queries: minima that both profiles share (tests/api/profile.c has the
// rest).
static void check_minima(void)
{
    size_t items[3];
    cl_uint mhz[2];
    CHECK_OK(clGetDeviceInfo(test_device, CL_DEVICE_MAX_WORK_ITEM_SIZES, 24, items, NULL));
    CHECK(items[0] && items[1] && items[2]);
    for (int i = 0; i < 2; i++)
        CHECK_OK(clGetDeviceInfo(test_device, CL_DEVICE_MAX_CLOCK_FREQUENCY, 4, &mhz[i], NULL));
    CHECK(mhz[0] >= 100 && mhz[0] < 20000 && mhz[1] == mhz[0]);
}

// The extension string and the extension list agree.
static void check_extensions(void)
{
    char text[8192], joined[8192] = "";
    cl_name_version list[128];
    size_t size;
    CHECK_OK(clGetDeviceInfo(test_device, CL_DEVICE_EXTENSIONS, sizeof text, text, NULL));
    CHECK_OK(
        clGetDeviceInfo(test_device, CL_DEVICE_EXTENSIONS_WITH_VERSION, sizeof list, list, &size));
    for (size_t i = 0; i < size / sizeof *list; i++) {
        strcat(joined, i ? " " : "");
        strcat(joined, list[i].name);
        CHECK(list[i].version >= CL_MAKE_VERSION(0, 5, 0)); // provisional extensions have versions
                                                            // below 1
    }
    CHECK(!strcmp(text, joined));
    CHECK(strstr(text, "cl_khr_global_int32_base_atomics") && strstr(text, "cl_khr_icd"));
}

static void check_platform(void)
{
    static const cl_uint queries[] = {
        CL_PLATFORM_PROFILE,
        CL_PLATFORM_VERSION,
        CL_PLATFORM_NUMERIC_VERSION,
        CL_PLATFORM_NAME,
        CL_PLATFORM_VENDOR,
        CL_PLATFORM_EXTENSIONS,
        CL_PLATFORM_EXTENSIONS_WITH_VERSION,
        CL_PLATFORM_HOST_TIMER_RESOLUTION,
        CL_PLATFORM_ICD_SUFFIX_KHR,
    };
    char value[8192];
    for (size_t i = 0; i < sizeof queries / sizeof *queries; i++)
        CHECK_OK(clGetPlatformInfo(test_platform, queries[i], sizeof value, value, NULL));
    CHECK_EQ(clGetPlatformInfo(test_platform, 0xdead, sizeof value, value, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clGetPlatformInfo(test_platform, CL_PLATFORM_NAME, 1, value, NULL), CL_INVALID_VALUE);
    CHECK_OK(clGetPlatformInfo(test_platform, CL_PLATFORM_NAME, sizeof value, value, NULL));
    CHECK(!strcmp(value, "Pumice"));
}

static void check_device_ids(void)
{
    cl_uint count = 0;
    cl_device_id one;
    cl_device_type type;
    CHECK_OK(clGetDeviceIDs(test_platform, CL_DEVICE_TYPE_ALL, 0, NULL, &count));
    CHECK(count >= 1);
    CHECK_OK(clGetDeviceIDs(test_platform, CL_DEVICE_TYPE_DEFAULT, 1, &one, &count));
    CHECK_EQ(count, 1);
    CHECK_OK(clGetDeviceInfo(one, CL_DEVICE_TYPE, sizeof type, &type, NULL));
    CHECK_OK(clGetDeviceIDs(test_platform, type, 1, &one, NULL));
    CHECK_EQ(clGetDeviceIDs(test_platform, CL_DEVICE_TYPE_ALL, 0, &one, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clGetDeviceIDs(test_platform, CL_DEVICE_TYPE_ALL, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clGetDeviceIDs(test_platform, 0, 1, &one, NULL), CL_INVALID_DEVICE_TYPE);
    CHECK_EQ(clGetDeviceIDs(test_platform, 1 << 20, 1, &one, NULL), CL_INVALID_DEVICE_TYPE);
    CHECK_EQ(clGetDeviceIDs(test_platform, CL_DEVICE_TYPE_CUSTOM, 1, &one, &count),
             CL_DEVICE_NOT_FOUND);
    CHECK_OK(clRetainDevice(test_device));
    CHECK_OK(clReleaseDevice(test_device));
    const cl_device_partition_property equally[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
    CHECK_EQ(clCreateSubDevices(test_device, equally, 1, &one, NULL), CL_INVALID_VALUE);
    cl_ulong device_time = 0, host_time = 0;
    CHECK_OK(clGetDeviceAndHostTimer(test_device, &device_time, &host_time));
    CHECK(device_time && host_time);
    CHECK_EQ(clGetHostTimer(test_device, NULL), CL_INVALID_VALUE);
}

static int destroyed[2], destroyed_count;

static void CL_CALLBACK on_destroy(cl_context context, void *data)
{
    (void)context;
    destroyed[destroyed_count++ & 1] = *(int *)data;
}

static void check_context(void)
{
    cl_int code;
    cl_context_properties props[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)test_platform, 0};
    cl_context_properties twice[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)test_platform,
                                     CL_CONTEXT_PLATFORM, (cl_context_properties)test_platform, 0};
    cl_context_properties unknown[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)test_platform,
                                       0x2025 /* Direct3D's */, 1, 0};
    CHECK_CREATE(clCreateContext(twice, 1, &test_device, NULL, NULL, &error), CL_INVALID_PROPERTY);
    CHECK_CREATE(clCreateContext(unknown, 1, &test_device, NULL, NULL, &error),
                 CL_INVALID_PROPERTY);
    CHECK_CREATE(clCreateContext(props, 1, &test_device, NULL, &code, &error), CL_INVALID_VALUE);
    cl_device_id both[2] = {test_device, test_device};
    cl_context context = clCreateContext(props, 2, both, NULL, NULL, &code);
    CHECK_OK(code);
    cl_uint count;
    CHECK_OK(clGetContextInfo(context, CL_CONTEXT_NUM_DEVICES, 4, &count, NULL));
    CHECK_EQ(count, 1);
    cl_context_properties got[8];
    size_t size;
    CHECK_OK(clGetContextInfo(context, CL_CONTEXT_PROPERTIES, sizeof got, got, &size));
    CHECK(size == sizeof props && !memcmp(got, props, size));
    CHECK_OK(clGetContextInfo(context, CL_CONTEXT_DEVICES, sizeof both, both, &size));
    CHECK(size == sizeof *both && both[0] == test_device);
    static int one = 1, two = 2;
    CHECK_OK(clSetContextDestructorCallback(context, on_destroy, &one));
    CHECK_OK(clSetContextDestructorCallback(context, on_destroy, &two));
    CHECK_EQ(clSetContextDestructorCallback(context, NULL, NULL), CL_INVALID_VALUE);
    CHECK_OK(clRetainContext(context));
    CHECK_OK(clGetContextInfo(context, CL_CONTEXT_REFERENCE_COUNT, 4, &count, NULL));
    CHECK_EQ(count, 2);
    CHECK_OK(clReleaseContext(context));
    CHECK_EQ(destroyed_count, 0);
    CHECK_OK(clReleaseContext(context));
    CHECK(destroyed_count == 2 && destroyed[0] == 2 && destroyed[1] == 1);
    context = clCreateContextFromType(props, CL_DEVICE_TYPE_ALL, NULL, NULL, &code);
    CHECK_OK(code);
    CHECK_OK(clReleaseContext(context));
    CHECK_CREATE(clCreateContextFromType(props, CL_DEVICE_TYPE_CUSTOM, NULL, NULL, &error),
                 CL_DEVICE_NOT_FOUND);
}

int main(void)
{
    test_open();
    check_platform();
    check_device_ids();
    check_device_queries();
    check_kernel_clocks();
    check_driver_version();
    check_minima();
    check_extensions();
    check_context();
    return test_close();
}
