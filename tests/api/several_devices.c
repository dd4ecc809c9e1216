// SPDX-License-Identifier: Apache-2.0
// One context with two devices: buffers migrate to where they are used, programs are built for
// both. CTest runs it with the software driver listed twice.
#include "usm.h"

static cl_device_id devices[2];
static cl_context context;
static cl_command_queue queues[2];

static void check_ping_pong(void)
{
    const char *source = "kernel void add(global int *p, int n) { p[get_global_id(0)] += n; }";
    cl_int code, values[64], n;
    size_t global = 64;
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &code);
    CHECK_OK(clBuildProgram(program, 0, NULL, "", NULL, NULL));
    cl_kernel kernel = clCreateKernel(program, "add", &code);
    CHECK_OK(code);
    for (int i = 0; i < 64; i++)
        values[i] = i;
    cl_mem mem = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof values, values, &code);
    CHECK_OK(code);
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    cl_event before = NULL;
    for (n = 1; n <= 10; n++) {
        cl_event event;
        CHECK_OK(clSetKernelArg(kernel, 1, sizeof n, &n));
        CHECK_OK(clEnqueueNDRangeKernel(queues[n % 2], kernel, 1, NULL, &global, NULL,
                                        before != NULL, before ? &before : NULL, &event));
        if (before)
            CHECK_OK(clReleaseEvent(before));
        before = event;
    }
    CHECK_OK(
        clEnqueueReadBuffer(queues[1], mem, CL_TRUE, 0, sizeof values, values, 1, &before, NULL));
    CHECK_OK(clReleaseEvent(before));
    for (int i = 0; i < 64; i++)
        CHECK_EQ(values[i], i + 55);
    CHECK_OK(clReleaseMemObject(mem));
    CHECK_OK(clReleaseKernel(kernel));
    CHECK_OK(clReleaseProgram(program));
}

static void check_transfers(void)
{
    static unsigned char bytes[4096], back[4096], pages[4096] __attribute__((aligned(4096)));
    cl_int code;
    for (int i = 0; i < 4096; i++)
        bytes[i] = (unsigned char)(i * 31);
    for (int own = 0; own < 2; own++) {
        cl_mem mem = clCreateBuffer(context, own ? CL_MEM_USE_HOST_PTR : 0, sizeof bytes,
                                    own ? pages : NULL, &code);
        CHECK_OK(code);
        cl_buffer_region half = {2048, 2048};
        cl_mem sub = clCreateSubBuffer(mem, 0, CL_BUFFER_CREATE_TYPE_REGION, &half, &code);
        CHECK_OK(
            clEnqueueWriteBuffer(queues[0], mem, CL_TRUE, 0, sizeof bytes, bytes, 0, NULL, NULL));
        CHECK_OK(clEnqueueReadBuffer(queues[1], sub, CL_TRUE, 0, 2048, back, 0, NULL, NULL));
        CHECK(!memcmp(back, bytes + 2048, 2048));
        unsigned char *map =
            clEnqueueMapBuffer(queues[0], sub, CL_TRUE, CL_MAP_WRITE, 0, 16, 0, NULL, NULL, &code);
        CHECK_OK(code);
        CHECK(!own || map == pages + 2048);
        memset(map, 0x77, 16);
        CHECK_OK(clEnqueueUnmapMemObject(queues[0], sub, map, 0, NULL, NULL));
        CHECK_OK(clEnqueueMigrateMemObjects(queues[1], 1, &mem, 0, 0, NULL, NULL));
        CHECK_OK(clEnqueueReadBuffer(queues[1], mem, CL_TRUE, 2048, 16, back, 0, NULL, NULL));
        CHECK(back[0] == 0x77 && back[15] == 0x77);
        map = clEnqueueMapBuffer(queues[1], sub, CL_TRUE, CL_MAP_WRITE, 4, 8, 0, NULL, NULL, &code);
        CHECK_OK(code);
        memset(map, 0x33, 8);
        // on the other device's queue
        CHECK_OK(clEnqueueUnmapMemObject(queues[0], sub, map, 0, NULL, NULL));
        for (int i = 0; i < 2; i++) {
            CHECK_OK(clEnqueueReadBuffer(queues[i], sub, CL_TRUE, 0, 16, back, 0, NULL, NULL));
            CHECK(back[3] == 0x77 && back[4] == 0x33 && back[11] == 0x33 && back[12] == 0x77);
        }
        CHECK_OK(clReleaseMemObject(mem));
        CHECK_OK(clReleaseMemObject(sub));
    }
}

static void check_builds(void)
{
    const char *source = "kernel void f(global int *p) { p[0] = 6; }";
    cl_int code;
    cl_uint count;
    cl_build_status status;
    size_t sizes[2];
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &code);
    CHECK_OK(clBuildProgram(program, 1, &devices[1], "", NULL, NULL));
    CHECK_OK(clGetProgramBuildInfo(program, devices[0], CL_PROGRAM_BUILD_STATUS, sizeof status,
                                   &status, NULL));
    CHECK_EQ(status, CL_BUILD_NONE);
    CHECK_OK(clGetProgramInfo(program, CL_PROGRAM_NUM_DEVICES, sizeof count, &count, NULL));
    CHECK_EQ(count, 2);
    CHECK_OK(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof sizes, sizes, NULL));
    CHECK(sizes[0] == 0 && sizes[1] > 0);
    cl_mem mem = clCreateBuffer(context, 0, 4, NULL, &code);
    CHECK_OK(code);
    cl_kernel kernel = clCreateKernel(program, "f", &code);
    cl_event event;
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    CHECK_EQ(clEnqueueTask(queues[0], kernel, 0, NULL, NULL), CL_INVALID_PROGRAM_EXECUTABLE);
    CHECK_OK(clEnqueueTask(queues[1], kernel, 0, NULL, &event));
    CHECK_OK(clEnqueueReadBuffer(queues[0], mem, CL_TRUE, 0, 4, &code, 1, &event, NULL));
    CHECK_EQ(code, 6);
    CHECK_OK(clReleaseEvent(event));
    CHECK_OK(clReleaseKernel(kernel));
    CHECK_OK(clReleaseMemObject(mem));
    CHECK_OK(clReleaseProgram(program));
}

static cl_uint type_for(cl_program program, int device)
{
    cl_uint type = 99;
    CHECK_OK(clGetProgramBuildInfo(program, devices[device], CL_PROGRAM_BINARY_TYPE, sizeof type,
                                   &type, NULL));
    return type;
}

// A link is for the devices for which all inputs are compiled; an input may not be compiled for a
// part of them only.
static void check_link(void)
{
    const char *sources[2] = {"int f(int x); kernel void k(global int *p) { p[0] = f(1); }",
                              "int f(int x) { return x; }"};
    cl_int code;
    cl_program parts[2];
    for (int i = 0; i < 2; i++) {
        parts[i] = clCreateProgramWithSource(context, 1, &sources[i], NULL, &code);
        CHECK_OK(clCompileProgram(parts[i], 1, devices, NULL, 0, NULL, NULL, NULL, NULL));
    }
    cl_program linked = clLinkProgram(context, 0, NULL, NULL, 2, parts, NULL, NULL, &code);
    CHECK_OK(code);
    CHECK_EQ(type_for(linked, 0), CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
    CHECK_EQ(type_for(linked, 1), CL_PROGRAM_BINARY_TYPE_NONE);
    CHECK_OK(clReleaseProgram(linked));
    CHECK_CREATE(clLinkProgram(context, 1, devices + 1, NULL, 2, parts, NULL, NULL, &error),
                 CL_INVALID_OPERATION);
    CHECK_OK(clCompileProgram(parts[0], 0, NULL, NULL, 0, NULL, NULL, NULL, NULL));
    CHECK_CREATE(clLinkProgram(context, 0, NULL, NULL, 2, parts, NULL, NULL, &error),
                 CL_INVALID_OPERATION);
    CHECK_OK(clCompileProgram(parts[1], 0, NULL, NULL, 0, NULL, NULL, NULL, NULL));
    linked = clLinkProgram(context, 0, NULL, NULL, 2, parts, NULL, NULL, &code);
    CHECK_OK(code);
    CHECK_EQ(type_for(linked, 1), CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
    CHECK_OK(clReleaseProgram(linked));
    for (int i = 0; i < 2; i++)
        CHECK_OK(clReleaseProgram(parts[i]));
}

static bool devices_are(cl_device_type wanted)
{
    cl_device_type type[2] = {0, 0};
    for (int i = 0; i < 2; i++)
        CHECK_OK(clGetDeviceInfo(devices[i], CL_DEVICE_TYPE, sizeof type[i], &type[i], NULL));
    return type[0] & wanted && type[1] & wanted;
}

// Both devices and the host use one address in turn.
static void check_svm(void)
{
    const char *source = "kernel void inc(global int *p) { p[get_global_id(0)]++; }";
    cl_int code;
    cl_device_svm_capabilities caps[2];
    size_t global = 64;
    for (int i = 0; i < 2; i++)
        CHECK_OK(clGetDeviceInfo(devices[i], CL_DEVICE_SVM_CAPABILITIES, sizeof caps[i], &caps[i],
                                 NULL));
    if (!caps[0] || !caps[1])
        return;
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &code);
    CHECK_OK(clBuildProgram(program, 0, NULL, "", NULL, NULL));
    cl_kernel kernel = clCreateKernel(program, "inc", &code);
    int *p = clSVMAlloc(context, 0, global * sizeof *p, 0);
    bool cpus = devices_are(CL_DEVICE_TYPE_CPU);
    CHECK_NONE(cpus && !p); // two GPUs may have no common free address
    if (!p) {
        CHECK_OK(clReleaseKernel(kernel));
        CHECK_OK(clReleaseProgram(program));
        return;
    }
    CHECK_OK(clSetKernelArgSVMPointer(kernel, 0, p));
    for (int round = 0; round < 6; round++) {
        cl_command_queue queue = queues[round % 2];
        CHECK_OK(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, p, global * sizeof *p,
                                 0, NULL, NULL));
        CHECK(!round || p[63] == 3 * round + 62);
        for (size_t i = 0; i < global; i++)
            p[i] = round ? p[i] + 1 : (int)i;
        CHECK_OK(clEnqueueSVMUnmap(queue, p, 0, NULL, NULL));
        CHECK_OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
        CHECK_OK(clFinish(queue));
        CHECK_OK(clEnqueueNDRangeKernel(queues[!(round % 2)], kernel, 1, NULL, &global, NULL, 0,
                                        NULL, NULL));
        CHECK_OK(clFinish(queues[!(round % 2)]));
    }
    clSVMFree(context, p);
    CHECK_OK(clReleaseKernel(kernel));
    CHECK_OK(clReleaseProgram(program));
}

// ---- unified shared memory ----------------------------------------------------------------------

enum { USM_SIZE = 20 << 20, USM_INTS = USM_SIZE / 4 };

static void fill_ints(int *p, int first)
{
    for (int i = 0; i < USM_INTS; i++)
        p[i] = first + i;
}

static int count_wrong(const int *p, int first)
{
    int wrong = 0;
    for (int i = 0; i < USM_INTS; i++)
        wrong += p[i] != first + i;
    return wrong;
}

// Memory of each device, copied by the queue of each device.
static void check_usm_copies(cl_kernel add, int *host)
{
    cl_int code;
    const size_t global = USM_INTS;
    int *p[2];
    for (int i = 0; i < 2; i++) {
        cl_device_id device = NULL;
        p[i] = usm.device_alloc(context, devices[i], NULL, USM_SIZE, 0, &code);
        CHECK_OK(code);
        CHECK_OK(
            usm.info(context, p[i] + 1, CL_MEM_ALLOC_DEVICE_INTEL, sizeof device, &device, NULL));
        CHECK(device == devices[i]);
    }
    for (int by = 0; by < 2; by++) {
        fill_ints(host, by);
        CHECK_OK(usm.copy(queues[by], CL_TRUE, p[0], host, USM_SIZE, 0, NULL, NULL));
        memset(host, 0, USM_SIZE);
        CHECK_OK(usm.set_arg(add, 0, p[0]));
        CHECK_OK(clEnqueueNDRangeKernel(queues[0], add, 1, NULL, &global, NULL, 0, NULL, NULL));
        CHECK_OK(clFinish(queues[0]));
        CHECK_OK(usm.copy(queues[by], CL_TRUE, p[1], p[0], USM_SIZE, 0, NULL, NULL));
        CHECK_OK(usm.set_arg(add, 0, p[1]));
        CHECK_OK(clEnqueueNDRangeKernel(queues[1], add, 1, NULL, &global, NULL, 0, NULL, NULL));
        CHECK_OK(clFinish(queues[1]));
        CHECK_OK(usm.copy(queues[!by], CL_TRUE, host, p[1], USM_SIZE, 0, NULL, NULL));
        CHECK_EQ(count_wrong(host, by + 2), 0);
    }
    for (int i = 0; i < 2; i++)
        CHECK_OK(usm.blocking_free(context, p[i]));
}

// Memory shared by both devices, or by one of them and the host.
static void check_usm_shared(cl_kernel add, cl_device_id device, bool host_type, bool both)
{
    const size_t global = USM_INTS;
    cl_int code;
    int *p = host_type ? usm.host_alloc(context, NULL, USM_SIZE, 0, &code)
                       : usm.shared_alloc(context, device, NULL, USM_SIZE, 0, &code);
    if (host_type && code == CL_OUT_OF_RESOURCES && !devices_are(CL_DEVICE_TYPE_CPU))
        return; // two GPUs may have no common free address
    CHECK_OK(code);
    fill_ints(p, 0);
    CHECK_OK(usm.set_arg(add, 0, p));
    for (int i = 0; i < 2; i++) {
        if (!both && device != devices[i])
            continue;
        CHECK_OK(clEnqueueNDRangeKernel(queues[i], add, 1, NULL, &global, NULL, 0, NULL, NULL));
        CHECK_OK(clFinish(queues[i]));
    }
    CHECK_EQ(count_wrong(p, both ? 2 : 1), 0);
    for (int i = 0; i < 2; i++) { // on either queue
        CHECK_OK(usm.copy(queues[i], CL_TRUE, p, p + USM_INTS / 2, USM_SIZE / 2, 0, NULL, NULL));
        CHECK_EQ(p[0], (both ? 2 : 1) + USM_INTS / 2);
    }
    CHECK_OK(usm.free(context, p));
}

static void check_usm(void)
{
    const char *source = "kernel void add(global int *p) { p[get_global_id(0)]++; }";
    cl_int code;
    if (!usm_open() || !test_has(devices[0], "cl_intel_unified_shared_memory"))
        return;
    int *host = malloc(USM_SIZE);
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &code);
    CHECK_OK(clBuildProgram(program, 0, NULL, "", NULL, NULL));
    cl_kernel add = clCreateKernel(program, "add", &code);
    cl_context one = clCreateContext(NULL, 1, devices, NULL, NULL, &code);
    CHECK_CREATE(usm.device_alloc(one, devices[1], NULL, 64, 0, &error), CL_INVALID_DEVICE);
    CHECK_OK(clReleaseContext(one));
    check_usm_copies(add, host);
    bool shares[2], crosses = true, hosts = true;
    for (int i = 0; i < 2; i++) {
        shares[i] = usm_query(devices[i], CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL);
        crosses &= usm_query(devices[i], CL_DEVICE_CROSS_DEVICE_SHARED_MEM_CAPABILITIES_INTEL) != 0;
        hosts &= usm_query(devices[i], CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL) != 0;
    }
    for (int i = 0; i < 2; i++)
        if (shares[i])
            check_usm_shared(add, devices[i], false, crosses);
    if (crosses)
        check_usm_shared(add, NULL, false, true);
    if (hosts)
        check_usm_shared(add, NULL, true, true);
    CHECK_OK(clReleaseKernel(add));
    CHECK_OK(clReleaseProgram(program));
    free(host);
}

// Mapped on one device, unmapped on the other.
static void check_image_map(cl_mem image)
{
    const size_t at[3] = {3, 2, 0}, box[3] = {2, 1, 1};
    size_t row;
    cl_int code;
    for (int q = 0; q < 2; q++) {
        cl_uint *texel = clEnqueueMapImage(queues[q], image, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE,
                                           at, box, &row, NULL, 0, NULL, NULL, &code),
                back[2];
        CHECK_OK(code);
        CHECK(!q || texel[1] == 1000);
        texel[1] = 1000 + (cl_uint)q;
        CHECK_OK(clEnqueueUnmapMemObject(queues[!q], image, texel, 0, NULL, NULL));
        for (int i = 0; i < 2; i++) {
            CHECK_OK(
                clEnqueueReadImage(queues[i], image, CL_TRUE, at, box, 0, 0, back, 0, NULL, NULL));
            CHECK_EQ(back[1], 1000 + q);
        }
    }
}

// An image, an image created from it, and rows of a buffer migrate to where they are used.
static void check_images(void)
{
    const char *source = "kernel void add(read_only image2d_t a, write_only image2d_t b)\n"
                         "{ int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
                         "  write_imageui(b, at, read_imageui(a, at) + 1); }";
    const cl_image_format format = {CL_R, CL_UNSIGNED_INT32};
    const size_t size[3] = {16, 8, 1}, zero[3] = {0};
    cl_uint texels[16 * 8];
    cl_mem images[2], buffer;
    cl_bool has = CL_FALSE;
    cl_int code;
    clGetDeviceInfo(devices[0], CL_DEVICE_IMAGE_SUPPORT, sizeof has, &has, NULL);
    if (!has)
        return;
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &code);
    CHECK_OK(clBuildProgram(program, 0, NULL, "", NULL, NULL));
    cl_kernel kernel = clCreateKernel(program, "add", &code);
    CHECK_OK(code);
    for (int i = 0; i < 128; i++)
        texels[i] = (cl_uint)i;
    buffer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof texels, texels, &code);
    CHECK_OK(code);
    for (int i = 0; i < 2; i++) {
        const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D,
                                    .image_width = 16,
                                    .image_height = 8,
                                    .mem_object = i ? buffer : NULL};
        images[i] = clCreateImage(context, 0, &format, &desc, NULL, &code);
        CHECK_OK(code);
    }
    for (int n = 0; n < 6; n++) {
        CHECK_OK(clSetKernelArg(kernel, 0, sizeof *images, &images[!(n % 2)]));
        CHECK_OK(clSetKernelArg(kernel, 1, sizeof *images, &images[n % 2]));
        CHECK_OK(
            clEnqueueNDRangeKernel(queues[n / 2 % 2], kernel, 2, NULL, size, NULL, 0, NULL, NULL));
        CHECK_OK(clFinish(queues[n / 2 % 2]));
    }
    for (int q = 1; q >= 0; q--) {
        CHECK_OK(clEnqueueReadImage(queues[q], images[q], CL_TRUE, zero, size, 0, 0, texels, 0,
                                    NULL, NULL));
        for (int i = 0; i < 128; i++)
            CHECK_EQ(texels[i], i + (q ? 6 : 5));
        check_image_map(images[q]);
    }
    CHECK_OK(clReleaseMemObject(images[0]));
    CHECK_OK(clReleaseMemObject(images[1]));
    CHECK_OK(clReleaseMemObject(buffer));
    CHECK_OK(clReleaseKernel(kernel));
    CHECK_OK(clReleaseProgram(program));
}

int main(void)
{
    test_open();
    cl_uint count;
    cl_int code;
    if (clGetDeviceIDs(test_platform, CL_DEVICE_TYPE_ALL, 2, devices, &count) || count < 2) {
        printf("only one device\n");
        return 77;
    }
    context = clCreateContext(NULL, 2, devices, NULL, NULL, &code);
    CHECK_OK(code);
    for (int i = 0; i < 2; i++) {
        queues[i] = clCreateCommandQueue(context, devices[i], 0, &code);
        CHECK_OK(code);
    }
    check_ping_pong();
    check_transfers();
    check_link();
    check_builds();
    check_svm();
    check_usm();
    check_images();
    for (int i = 0; i < 2; i++)
        CHECK_OK(clReleaseCommandQueue(queues[i]));
    CHECK_OK(clReleaseContext(context));
    return test_close();
}
