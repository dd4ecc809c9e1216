// SPDX-License-Identifier: Apache-2.0
// The profile: the device meets the requirements of the one that it reports (OpenCL 3.0, 4.2 and
// 7), for images if it has any; a device that meets those of the full profile does not report the
// embedded one; programs can test it; the platform reports the full profile if a device does.
#include "test.h"

enum { ALWAYS, OF_IMAGES };

static const struct {
    int when;
    cl_device_info query;
    cl_ulong full, embedded;
} rows[] = {
    {ALWAYS, CL_DEVICE_MAX_MEM_ALLOC_SIZE, 32 << 20, 1 << 20},
    {ALWAYS, CL_DEVICE_MAX_PARAMETER_SIZE, 1024, 256},
    {ALWAYS, CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE, 65536, 1024},
    {ALWAYS, CL_DEVICE_MAX_CONSTANT_ARGS, 8, 4},
    {ALWAYS, CL_DEVICE_LOCAL_MEM_SIZE, 32768, 1024},
    {ALWAYS, CL_DEVICE_PRINTF_BUFFER_SIZE, 1 << 20, 1024},
    {OF_IMAGES, CL_DEVICE_MAX_READ_IMAGE_ARGS, 128, 8},
    {OF_IMAGES, CL_DEVICE_MAX_WRITE_IMAGE_ARGS, 64, 8},
    {OF_IMAGES, CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS, 64, 8},
    {OF_IMAGES, CL_DEVICE_IMAGE2D_MAX_WIDTH, 16384, 2048},
    {OF_IMAGES, CL_DEVICE_IMAGE2D_MAX_HEIGHT, 16384, 2048},
    {OF_IMAGES, CL_DEVICE_IMAGE3D_MAX_WIDTH, 2048, 2048},
    {OF_IMAGES, CL_DEVICE_IMAGE3D_MAX_HEIGHT, 2048, 2048},
    {OF_IMAGES, CL_DEVICE_IMAGE3D_MAX_DEPTH, 2048, 2048},
    {OF_IMAGES, CL_DEVICE_IMAGE_MAX_BUFFER_SIZE, 65536, 2048},
    {OF_IMAGES, CL_DEVICE_IMAGE_MAX_ARRAY_SIZE, 2048, 256},
    {OF_IMAGES, CL_DEVICE_MAX_SAMPLERS, 16, 8},
};

static const cl_image_format least[] = {
    {CL_RGBA, CL_UNORM_INT8},     {CL_RGBA, CL_UNORM_INT16},    {CL_RGBA, CL_SIGNED_INT8}, {CL_RGBA, CL_SIGNED_INT16},
    {CL_RGBA, CL_SIGNED_INT32},   {CL_RGBA, CL_UNSIGNED_INT8},  {CL_RGBA, CL_UNSIGNED_INT16},
    {CL_RGBA, CL_UNSIGNED_INT32}, {CL_RGBA, CL_HALF_FLOAT},     {CL_RGBA, CL_FLOAT},
    {CL_BGRA, CL_UNORM_INT8}, // in the full profile only
};
enum { LEAST = sizeof least / sizeof *least };

static bool is_full(void)
{
    char text[64];
    CHECK_OK(clGetDeviceInfo(test_device, CL_DEVICE_PROFILE, sizeof text, text, NULL));
    bool full = !strcmp(text, "FULL_PROFILE");
    CHECK(full || !strcmp(text, "EMBEDDED_PROFILE"));
    return full;
}

// Returns the number of limits below the full profile's; checks those of the reported profile.
static int check_limits(bool full, bool images)
{
    int less = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cl_ulong value = 0; // little-endian hosts
        CHECK_OK(clGetDeviceInfo(test_device, rows[i].query, sizeof value, &value, NULL));
        if (rows[i].when == OF_IMAGES && !images) {
            CHECK_EQ(value, 0);
            continue;
        }
        if (!CHECK(value >= (full ? rows[i].full : rows[i].embedded)))
            printf("  query 0x%x: %llu\n", rows[i].query, (unsigned long long)value);
        less += value < rows[i].full;
    }
    cl_device_fp_config single = 0;
    CHECK_OK(clGetDeviceInfo(test_device, CL_DEVICE_SINGLE_FP_CONFIG, sizeof single, &single, NULL));
    CHECK(single & CL_FP_ROUND_TO_NEAREST && (!full || single & CL_FP_INF_NAN));
    return less + !(single & CL_FP_INF_NAN);
}

static int check_formats(bool full)
{
    static const cl_mem_object_type types[] = {CL_MEM_OBJECT_IMAGE1D, CL_MEM_OBJECT_IMAGE1D_ARRAY, CL_MEM_OBJECT_IMAGE2D,
                                               CL_MEM_OBJECT_IMAGE2D_ARRAY, CL_MEM_OBJECT_IMAGE3D};
    bool writes_3d = test_has(test_device, "cl_khr_3d_image_writes");
    int less = 0;
    for (size_t t = 0; t < sizeof types / sizeof *types; t++)
        for (int i = 0; i < LEAST; i++) {
            bool writes = types[t] != CL_MEM_OBJECT_IMAGE3D || writes_3d;
            bool has = test_has_format(CL_MEM_READ_ONLY, types[t], &least[i]) &&
                       (!writes || test_has_format(CL_MEM_WRITE_ONLY, types[t], &least[i]));
            if (!CHECK(has || (!full && i == LEAST - 1)))
                printf("  type 0x%x, format 0x%x 0x%x\n", types[t], least[i].image_channel_order,
                       least[i].image_channel_data_type);
            less += !has;
        }
    return less;
}

static void check_program(bool full)
{
    static const char source[] = "kernel void ask(global int *to)\n"
                                 "{\n"
                                 "#ifdef __EMBEDDED_PROFILE__\n"
                                 "    to[0] = __EMBEDDED_PROFILE__;\n"
                                 "#else\n"
                                 "    to[0] = 0;\n"
                                 "#endif\n"
                                 "#ifdef cles_khr_int64\n"
                                 "    to[1] = 1;\n"
                                 "#else\n"
                                 "    to[1] = 0;\n"
                                 "#endif\n"
                                 "    to[2] = (int)((long)0x123456789abcdefL * to[3] >> 32);\n"
                                 "}";
    cl_program program = test_build(source, "");
    cl_kernel kernel = test_kernel(program, "ask");
    cl_int values[4] = {7, 7, 7, 3};
    cl_mem to = test_buffer(CL_MEM_COPY_HOST_PTR, sizeof values, values);
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof to, &to));
    CHECK_OK(clEnqueueNDRangeKernel(test_queue, kernel, 1, NULL, (size_t[]){1}, NULL, 0, NULL, NULL));
    CHECK_OK(clEnqueueReadBuffer(test_queue, to, CL_TRUE, 0, sizeof values, values, 0, NULL, NULL));
    CHECK_EQ(values[0], !full);
    CHECK_EQ(values[1], !full);
    CHECK_EQ(values[2], (cl_int)(0x123456789abcdefLL * 3 >> 32));
    CHECK_OK(clReleaseMemObject(to));
    CHECK_OK(clReleaseKernel(kernel));
    CHECK_OK(clReleaseProgram(program));
}

static void check_platform(void)
{
    char text[64];
    cl_device_id devices[16];
    cl_uint count = 0;
    bool full = false;
    CHECK_OK(clGetDeviceIDs(test_platform, CL_DEVICE_TYPE_ALL, 16, devices, &count));
    for (cl_uint i = 0; i < count && i < 16; i++) {
        CHECK_OK(clGetDeviceInfo(devices[i], CL_DEVICE_PROFILE, sizeof text, text, NULL));
        full |= !strcmp(text, "FULL_PROFILE");
    }
    CHECK_OK(clGetPlatformInfo(test_platform, CL_PLATFORM_PROFILE, sizeof text, text, NULL));
    CHECK(!strcmp(text, full ? "FULL_PROFILE" : "EMBEDDED_PROFILE"));
}

int main(void)
{
    test_open();
    bool full = is_full(), images = test_has_images();
    int less = check_limits(full, images);
    if (images)
        less += check_formats(full);
    CHECK_EQ(full, !less);
    CHECK_EQ(test_has(test_device, "cles_khr_int64"), !full);
    check_program(full);
    check_platform();
    return test_close();
}
