// SPDX-License-Identifier: Apache-2.0
// Errors and results that the other tests do not cover: objects of another context, long lists,
// missing features, extension names of core functions.
#include "test.h"

#include "object/cl.h"

#define HUGE_SIZE ((size_t)1 << sizeof(size_t) * 5) // the product of two is too large for size_t

static const char source[] =
    "constant int table[2] = {1, 2}; kernel void take(global int *p, local int *l) { p[0] = l[0]; "
    "}\n"
    "kernel void sum(read_only image2d_t i, sampler_t s, global float *p) {\n"
    "    p[0] = read_imagef(i, s, (int2)(0, 0)).x; }\n";

static cl_context other; // for the same device
static cl_command_queue other_queue;
static cl_program program;

static void *by_name(const char *name)
{
    return clGetExtensionFunctionAddressForPlatform(test_platform, name);
}

// ---- contexts and devices -----------------------------------------------------------------------

static void CL_CALLBACK notified(const char *message, const void *data, size_t size, void *user)
{
    (void)message, (void)data, (void)size, (void)user;
}

static void check_contexts(void)
{
    const cl_context_properties sync[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)test_platform,
                                          CL_CONTEXT_INTEROP_USER_SYNC, CL_TRUE, 0};
    const cl_context_properties neither[] = {CL_CONTEXT_INTEROP_USER_SYNC, 2, 0};
    const cl_device_id twice[] = {test_device, test_device};
    cl_int code, user;
    cl_uint count = 0;
    cl_context context = clCreateContext(sync, 2, twice, notified, &user, &code);
    CHECK_OK(code);
    CHECK_OK(clGetContextInfo(context, CL_CONTEXT_NUM_DEVICES, sizeof count, &count, NULL));
    CHECK_EQ(count, 1);
    CHECK_OK(clReleaseContext(context));
    CHECK_CREATE(clCreateContext(neither, 1, &test_device, NULL, NULL, &error),
                 CL_INVALID_PROPERTY);
    CHECK_CREATE(clCreateContext(NULL, 0, &test_device, NULL, NULL, &error), CL_INVALID_VALUE);
    CHECK_CREATE(clCreateContext(NULL, 1, NULL, NULL, NULL, &error), CL_INVALID_VALUE);
    CHECK_CREATE(clCreateContextFromType(NULL, CL_DEVICE_TYPE_ALL, NULL, &user, &error),
                 CL_INVALID_VALUE);
    CHECK_CREATE(clCreateContextFromType(NULL, 0, NULL, NULL, &error), CL_INVALID_DEVICE_TYPE);
}

static void check_devices(void)
{
    const cl_device_partition_property equally[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
    const cl_device_partition_property_ext ext[] = {CL_DEVICE_PARTITION_EQUALLY_EXT, 1, 0};
    clCreateSubDevicesEXT_fn divide = (clCreateSubDevicesEXT_fn)by_name("clCreateSubDevicesEXT");
    clRetainDeviceEXT_fn retain = (clRetainDeviceEXT_fn)by_name("clRetainDeviceEXT");
    clReleaseDeviceEXT_fn release = (clReleaseDeviceEXT_fn)by_name("clReleaseDeviceEXT");
    cl_device_id parts[64];
    cl_uint count;
    cl_ulong before = 0, after = 0;
    CHECK_EQ(clCreateSubDevices(test_device, NULL, 1, parts, &count), CL_INVALID_VALUE);
    CHECK_EQ(clCreateSubDevices(test_device, equally, 64, parts, &count), CL_INVALID_VALUE);
    CHECK_EQ(clCreateSubDevices(NULL, equally, 64, parts, &count), CL_INVALID_DEVICE);
    CHECK_EQ(divide(test_device, ext, 64, parts, &count), CL_INVALID_VALUE);
    CHECK_EQ(divide(test_device, NULL, 64, parts, &count), CL_INVALID_VALUE);
    CHECK_EQ(divide(NULL, ext, 64, parts, &count), CL_INVALID_DEVICE);
    CHECK_OK(retain(test_device));
    CHECK_OK(release(test_device));
    CHECK_EQ(clGetHostTimer(test_device, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clGetHostTimer(NULL, &before), CL_INVALID_DEVICE);
    CHECK_EQ(clGetDeviceAndHostTimer(test_device, &before, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clGetDeviceAndHostTimer(test_device, NULL, &before), CL_INVALID_VALUE);
    CHECK_OK(clGetHostTimer(test_device, &before));
    CHECK_OK(clGetHostTimer(test_device, &after));
    CHECK(before && before <= after);
}

// The query works if the extension is listed, and only then.
static void check_pci(void)
{
    cl_device_pci_bus_info_khr place = {1, 2, 3, 4};
    char *names;
    size_t size = 0;
    CHECK_OK(clGetDeviceInfo(test_device, CL_DEVICE_EXTENSIONS, 0, NULL, &size));
    names = calloc(1, size + 1);
    CHECK_OK(clGetDeviceInfo(test_device, CL_DEVICE_EXTENSIONS, size, names, NULL));
    bool named = strstr(names, "cl_khr_pci_bus_info");
    CHECK_EQ(clGetDeviceInfo(test_device, CL_DEVICE_PCI_BUS_INFO_KHR, sizeof place, &place, NULL),
             named ? CL_SUCCESS : CL_INVALID_VALUE);
    if (named)
        CHECK(place.pci_device < 32 && place.pci_function < 8);
    free(names);
}

static void check_platforms(void)
{
    clIcdGetPlatformIDsKHR_fn get = (clIcdGetPlatformIDsKHR_fn)by_name("clIcdGetPlatformIDsKHR");
    cl_platform_id platform = NULL;
    cl_uint count = 0;
    CHECK_EQ(get(0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(get(0, &platform, NULL), CL_INVALID_VALUE);
    CHECK_OK(get(1, &platform, &count));
    CHECK(count == 1 && platform == test_platform);
    CHECK_OK(clUnloadPlatformCompiler(test_platform));
    CHECK_OK(clUnloadCompiler());
}

// ---- queues and events --------------------------------------------------------------------------

static void check_queues(void)
{
    clCreateCommandQueueWithPropertiesKHR_fn create =
        (clCreateCommandQueueWithPropertiesKHR_fn)by_name("clCreateCommandQueueWithPropertiesKHR");
    const cl_queue_properties_khr list[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
    const cl_queue_properties_khr unknown[] = {12345, 1, 0};
    cl_command_queue_properties properties = 0;
    cl_device_device_enqueue_capabilities enqueues = 0;
    cl_int code;
    cl_command_queue queue = create(test_context, test_device, list, &code);
    CHECK_OK(code);
    CHECK_OK(
        clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof properties, &properties, NULL));
    CHECK_EQ(properties, CL_QUEUE_PROFILING_ENABLE);
    CHECK_EQ(clSetCommandQueueProperty(queue, CL_QUEUE_PROFILING_ENABLE, CL_FALSE, &properties),
             CL_INVALID_OPERATION);
    clGetDeviceInfo(test_device, CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES, sizeof enqueues, &enqueues, NULL);
    CHECK_EQ(clSetDefaultDeviceCommandQueue(test_context, test_device, queue),
             enqueues ? CL_INVALID_COMMAND_QUEUE : CL_INVALID_OPERATION);
    CHECK_EQ(clSetDefaultDeviceCommandQueue(NULL, test_device, queue), CL_INVALID_CONTEXT);
    CHECK_EQ(clSetDefaultDeviceCommandQueue(test_context, NULL, queue), CL_INVALID_DEVICE);
    CHECK_OK(clReleaseCommandQueue(queue));
    CHECK_CREATE(create(test_context, test_device, unknown, &error), CL_INVALID_VALUE);
}

static void check_events(void)
{
    enum { MANY = 40 };
    cl_event events[MANY + 1];
    cl_int code, value = 0, status = 1;
    cl_mem mem = test_buffer(0, 4, NULL);
    cl_event foreign = clCreateUserEvent(other, &code);
    CHECK_OK(code);
    for (int i = 0; i < MANY; i++) {
        events[i] = clCreateUserEvent(test_context, &code);
        CHECK_OK(code);
    }
    CHECK_EQ(clEnqueueMarkerWithWaitList(test_queue, 1, &foreign, NULL), CL_INVALID_CONTEXT);
    CHECK_EQ(clEnqueueWaitForEvents(test_queue, 1, &foreign), CL_INVALID_CONTEXT);
    events[MANY] = foreign;
    CHECK_EQ(clWaitForEvents(MANY + 1, events), CL_INVALID_CONTEXT);
    CHECK_OK(
        clEnqueueWriteBuffer(test_queue, mem, CL_FALSE, 0, 4, &value, MANY, events, &events[MANY]));
    for (int i = 0; i < MANY; i++) {
        CHECK_OK(clGetEventInfo(events[MANY], CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status,
                                &status, NULL));
        CHECK(status > CL_COMPLETE);
        CHECK_OK(clSetUserEventStatus(events[i], CL_COMPLETE));
    }
    CHECK_OK(clWaitForEvents(MANY + 1, events));
    CHECK_OK(clEnqueueWaitForEvents(test_queue, MANY, events));
    CHECK_OK(clEnqueueBarrier(test_queue));
    for (int i = 0; i <= MANY; i++)
        CHECK_OK(clReleaseEvent(events[i]));
    CHECK_OK(clReleaseEvent(foreign));
    CHECK_OK(clReleaseMemObject(mem));
}

// ---- programs and kernels -----------------------------------------------------------------------

static void check_programs(void)
{
    static const char header[] = "";
    const char *text = source, *name = "h";
    const unsigned char *binary = (const unsigned char *)header;
    size_t size = 0, length = 1;
    cl_device_id devices[2] = {NULL, NULL};
    cl_int code, status;
    cl_program foreign = clCreateProgramWithSource(other, 1, &text, NULL, &code);
    CHECK_OK(code);
    CHECK_OK(clCompileProgram(foreign, 0, NULL, "", 0, NULL, NULL, NULL, NULL));
    CHECK_CREATE(clLinkProgram(test_context, 0, NULL, "", 1, &foreign, NULL, NULL, &error),
                 CL_INVALID_CONTEXT);
    cl_program fresh = clCreateProgramWithSource(test_context, 1, &text, NULL, &code);
    CHECK_EQ(clCompileProgram(fresh, 0, NULL, "", 1, &foreign, &name, NULL, NULL),
             CL_INVALID_CONTEXT);
    CHECK_OK(clReleaseProgram(fresh));
    CHECK_OK(clReleaseProgram(foreign));

    CHECK_OK(clGetProgramInfo(program, CL_PROGRAM_DEVICES, sizeof devices, devices, &size));
    CHECK(size == sizeof *devices && devices[0] == test_device);
    CHECK_OK(clGetProgramBuildInfo(program, test_device,
                                   CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE, sizeof size, &size,
                                   NULL));
    CHECK_EQ(size, 0); // constants are not variables
    CHECK_CREATE(
        clCreateProgramWithBinary(test_context, 1, &test_device, NULL, &binary, &status, &error),
        CL_INVALID_VALUE);
    CHECK_CREATE(
        clCreateProgramWithBinary(test_context, 0, NULL, &length, &binary, &status, &error),
        CL_INVALID_VALUE);
}

static void CL_CALLBACK released(cl_program which, void *user)
{
    (void)which, (void)user;
}

static void check_without(void)
{
    const int value = 1;
    bool il = test_accepts_il();
    CHECK_EQ(clSetProgramReleaseCallback(program, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clSetProgramReleaseCallback(program, released, NULL), CL_INVALID_OPERATION);
    CHECK_EQ(clSetProgramReleaseCallback(NULL, released, NULL), CL_INVALID_PROGRAM);
    CHECK_EQ(clSetProgramSpecializationConstant(program, 0, sizeof value, &value),
             il ? CL_INVALID_PROGRAM : CL_INVALID_OPERATION);
    CHECK_EQ(clSetProgramSpecializationConstant(NULL, 0, sizeof value, &value), CL_INVALID_PROGRAM);
    CHECK_CREATE(clCreateProgramWithIL(test_context, &value, sizeof value, &error),
                 il ? CL_INVALID_VALUE : CL_INVALID_OPERATION);
    CHECK_CREATE(clCreateProgramWithIL(NULL, &value, sizeof value, &error), CL_INVALID_CONTEXT);
    CHECK_CREATE(clCreateProgramWithIL(test_context, NULL, 0, &error), CL_INVALID_VALUE);
    CHECK_CREATE(clCreateProgramWithBuiltInKernels(test_context, 1, &test_device, "none", &error),
                 CL_INVALID_VALUE);
    CHECK_CREATE(clCreateProgramWithBuiltInKernels(test_context, 0, NULL, "none", &error),
                 CL_INVALID_VALUE);
    CHECK_CREATE(clCreateProgramWithBuiltInKernels(test_context, 1, &test_device, NULL, &error),
                 CL_INVALID_VALUE);
    CHECK_CREATE(clCreatePipe(NULL, 0, 4, 4, NULL, &error), CL_INVALID_CONTEXT);
    CHECK_EQ(clGetPipeInfo((cl_mem)program, CL_PIPE_PACKET_SIZE, 0, NULL, NULL),
             CL_INVALID_MEM_OBJECT);
}

static void check_kernels(void)
{
    cl_context context = NULL;
    cl_kernel kernel = test_kernel(program, "take");
    size_t zero = 0, one = 1, huge[3] = {1, HUGE_SIZE, HUGE_SIZE}, local[3] = {0};
    cl_mem mem = test_buffer(0, 64, NULL);
    CHECK_OK(clGetKernelInfo(kernel, CL_KERNEL_CONTEXT, sizeof context, &context, NULL));
    CHECK(context == test_context);
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    CHECK_EQ(clSetKernelArg(kernel, 1, 0, &zero), CL_INVALID_ARG_VALUE);
    CHECK_OK(clSetKernelArg(kernel, 1, 4, NULL));
    CHECK_EQ(clEnqueueNDRangeKernel(test_queue, kernel, 1, NULL, &one, &zero, 0, NULL, NULL),
             CL_INVALID_WORK_GROUP_SIZE);
    cl_int code = clEnqueueNDRangeKernel(test_queue, kernel, 3, NULL, huge, huge, 0, NULL, NULL);
    CHECK(code == CL_INVALID_WORK_ITEM_SIZE || code == CL_INVALID_WORK_GROUP_SIZE);
    CHECK_EQ(clEnqueueNDRangeKernel(other_queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL),
             CL_INVALID_CONTEXT);
    clGetKernelSuggestedLocalWorkSizeKHR_fn suggest =
        (clGetKernelSuggestedLocalWorkSizeKHR_fn)by_name("clGetKernelSuggestedLocalWorkSizeKHR");
    CHECK_EQ(suggest(other_queue, kernel, 1, NULL, &one, local), CL_INVALID_CONTEXT);
    CHECK_EQ(suggest(NULL, kernel, 1, NULL, &one, local), CL_INVALID_COMMAND_QUEUE);
    CHECK_OK(suggest(test_queue, kernel, 1, NULL, &one, local));
    CHECK_EQ(local[0], 1);
    CHECK_OK(clReleaseMemObject(mem));
    CHECK_OK(clReleaseKernel(kernel));
}

static void check_sub_groups(void)
{
    clGetKernelSubGroupInfoKHR_fn get =
        (clGetKernelSubGroupInfoKHR_fn)by_name("clGetKernelSubGroupInfoKHR");
    cl_kernel kernel = test_kernel(program, "take");
    cl_uint groups = 0;
    size_t size = 0, one = 1;
    CHECK_OK(
        clGetDeviceInfo(test_device, CL_DEVICE_MAX_NUM_SUB_GROUPS, sizeof groups, &groups, NULL));
    CHECK_EQ(get(kernel, test_device, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, sizeof one, &one,
                 sizeof size, &size, NULL),
             groups ? CL_SUCCESS : CL_INVALID_OPERATION);
    CHECK(!groups || size);
    CHECK_OK(clReleaseKernel(kernel));
}

// More arguments than fit in the small fixed-size lists of an enqueue.
static void check_many_arguments(void)
{
    enum { MANY = 50 };
    static char text[8192];
    cl_mem mems[MANY];
    int at = snprintf(text, sizeof text, "kernel void many(global int *p0"), sum = 0;
    for (int i = 1; i < MANY; i++)
        at += snprintf(text + at, sizeof text - (size_t)at, ", global int *p%d", i);
    at += snprintf(text + at, sizeof text - (size_t)at, ") { p0[0] = p1[0]");
    for (int i = 2; i < MANY; i++)
        at += snprintf(text + at, sizeof text - (size_t)at, " + p%d[0]", i);
    snprintf(text + at, sizeof text - (size_t)at, "; }");
    cl_program built = test_build(text, "");
    cl_kernel kernel = test_kernel(built, "many");
    const size_t one = 1;
    for (int i = 0; i < MANY; i++) {
        mems[i] = test_buffer(CL_MEM_COPY_HOST_PTR, sizeof i, &i);
        CHECK_OK(clSetKernelArg(kernel, (cl_uint)i, sizeof *mems, &mems[i]));
    }
    CHECK_OK(clEnqueueNDRangeKernel(test_queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
    CHECK_OK(clEnqueueReadBuffer(test_queue, mems[0], CL_TRUE, 0, sizeof sum, &sum, 0, NULL, NULL));
    CHECK_EQ(sum, MANY * (MANY - 1) / 2);
    for (int i = 0; i < MANY; i++)
        CHECK_OK(clReleaseMemObject(mems[i]));
    CHECK_OK(clReleaseKernel(kernel));
    CHECK_OK(clReleaseProgram(built));
}

// ---- memory -------------------------------------------------------------------------------------

static void check_memory(void)
{
    const cl_mem_properties twice[] = {CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT, CL_FALSE,
                                       CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT, CL_FALSE, 0};
    cl_mem a = test_buffer(0, 64, NULL), b = test_buffer(0, 64, NULL);
    const int zero = 0;
    size_t origin[3] = {0}, region[3] = {4, 1, 1}, long_region[3] = {SIZE_MAX, 2, 2};
    char bytes[64];
    CHECK_CREATE(clCreateBufferWithProperties(test_context, twice, 0, 64, NULL, &error),
                 CL_INVALID_PROPERTY);
    CHECK_OK(clEnqueueCopyBuffer(test_queue, a, b, 0, 0, 0, 0, NULL, NULL));
    CHECK_OK(clEnqueueFillBuffer(test_queue, a, &zero, sizeof zero, 0, 0, 0, NULL, NULL));
    CHECK_EQ(clEnqueueReadBufferRect(test_queue, a, CL_TRUE, origin, origin, long_region, 0, 0, 0,
                                     0, bytes, 0, NULL, NULL),
             CL_INVALID_VALUE);
    CHECK_EQ(clEnqueueReadBufferRect(test_queue, a, CL_TRUE, origin, origin, region, 2, 0, 0, 0,
                                     bytes, 0, NULL, NULL),
             CL_INVALID_VALUE);
    CHECK_EQ(clEnqueueCopyBuffer(other_queue, a, b, 0, 0, 4, 0, NULL, NULL), CL_INVALID_CONTEXT);
    CHECK_EQ(clEnqueueMigrateMemObjects(other_queue, 1, &a, 0, 0, NULL, NULL), CL_INVALID_CONTEXT);
    CHECK_OK(clReleaseMemObject(a));
    CHECK_OK(clReleaseMemObject(b));
}

// ---- objects of other APIs ----------------------------------------------------------------------

static void check_shared(void)
{
    cl_mem mem = test_buffer(0, 64, NULL);
    cl_GLuint name;
    CHECK_EQ(clGetGLObjectInfo(mem, NULL, &name), CL_INVALID_GL_OBJECT);
    CHECK_EQ(clGetGLTextureInfo(mem, CL_GL_TEXTURE_TARGET, 4, &name, NULL), CL_INVALID_GL_OBJECT);
    CHECK(clEnqueueAcquireGLObjects(test_queue, 1, NULL, 0, NULL, NULL) == CL_INVALID_VALUE);
    CHECK(clEnqueueAcquireGLObjects(test_queue, 1, &mem, 0, NULL, NULL) < 0);
    CHECK(clEnqueueReleaseGLObjects(test_queue, 1, &mem, 0, NULL, NULL) < 0);
    CHECK_CREATE(clCreateFromGLTexture2D(test_context, 0, 0, 0, 0, &error), CL_INVALID_CONTEXT);
    CHECK_CREATE(clCreateFromGLTexture3D(test_context, 0, 0, 0, 0, &error), CL_INVALID_CONTEXT);
    CHECK_CREATE(clCreateFromGLTexture(test_context, 0, 0, 0, 0, &error), CL_INVALID_CONTEXT);
    CHECK_CREATE(clCreateFromGLRenderbuffer(test_context, 0, 0, &error), CL_INVALID_CONTEXT);
    CHECK_OK(clReleaseMemObject(mem));
}

int main(void)
{
    cl_int code;
    test_open();
    if (!test_has_images()) {
        printf("no images\n");
        return 77;
    }
    other = clCreateContext(NULL, 1, &test_device, NULL, NULL, &code);
    CHECK_OK(code);
    other_queue = clCreateCommandQueue(other, test_device, 0, &code);
    CHECK_OK(code);
    program = test_build(source, "");
    check_contexts();
    check_devices();
    check_pci();
    check_platforms();
    check_queues();
    check_events();
    check_programs();
    check_without();
    check_kernels();
    check_sub_groups();
    check_many_arguments();
    check_memory();
    check_shared();
    CHECK_OK(clReleaseProgram(program));
    CHECK_OK(clReleaseCommandQueue(other_queue));
    CHECK_OK(clReleaseContext(other));
    return test_close();
}
