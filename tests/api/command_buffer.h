// SPDX-License-Identifier: Apache-2.0
// The functions of cl_khr_command_buffer and cl_khr_command_buffer_mutable_dispatch for their
// tests, loaded by name, with helpers.
#ifndef PUMICE_TESTS_API_COMMAND_BUFFER_H
#define PUMICE_TESTS_API_COMMAND_BUFFER_H

#include "test.h"

#include "object/cl_command_buffer.h"

#define CB_FUNCTIONS(X)                                                                                                \
    X(clCreateCommandBufferKHR) X(clFinalizeCommandBufferKHR) X(clRetainCommandBufferKHR)                              \
    X(clReleaseCommandBufferKHR) X(clEnqueueCommandBufferKHR) X(clCommandBarrierWithWaitListKHR)                       \
    X(clCommandCopyBufferKHR) X(clCommandCopyBufferRectKHR) X(clCommandCopyBufferToImageKHR) X(clCommandCopyImageKHR)  \
    X(clCommandCopyImageToBufferKHR) X(clCommandFillBufferKHR) X(clCommandFillImageKHR) X(clCommandSVMMemcpyKHR)       \
    X(clCommandSVMMemFillKHR) X(clCommandNDRangeKernelKHR) X(clGetCommandBufferInfoKHR)                                \
    X(clUpdateMutableCommandsKHR) X(clGetMutableCommandInfoKHR)

static struct {
#define CB_FIELD(name) __typeof__(name) *name;
    CB_FUNCTIONS(CB_FIELD)
} cb;

static inline bool cb_has(const char *extension)
{
    static char text[8192];
    CHECK_OK(clGetDeviceInfo(test_device, CL_DEVICE_EXTENSIONS, sizeof text, text, NULL));
    const char *at = strstr(text, extension);
    return at && strchr(" ", at[strlen(extension)]);
}

static inline void cb_load(void)
{
#define CB_LOAD(name)                                                                                                  \
    cb.name = (__typeof__(cb.name))clGetExtensionFunctionAddressForPlatform(test_platform, #name);                     \
    CHECK(cb.name != NULL);
    CB_FUNCTIONS(CB_LOAD)
}

// Opens the test; exits with 77 if the device lacks the extension.
static inline void cb_open(const char *extension)
{
    test_open();
    if (!cb_has(extension)) {
        printf("no %s\n", extension);
        exit(77);
    }
    cb_load();
}

static inline cl_command_buffer_khr cb_new(cl_command_queue queue, cl_command_buffer_flags_khr flags)
{
    const cl_command_buffer_properties_khr list[] = {CL_COMMAND_BUFFER_FLAGS_KHR, flags, 0};
    cl_int error;
    cl_command_buffer_khr buffer = cb.clCreateCommandBufferKHR(1, &queue, flags ? list : NULL, &error);
    CHECK_OK(error);
    return buffer;
}

static inline cl_command_queue cb_queue(cl_command_queue_properties bits)
{
    cl_int error;
    cl_command_queue queue = clCreateCommandQueue(test_context, test_device, bits, &error);
    CHECK_OK(error);
    return queue;
}

static inline cl_mem cb_memory(size_t size)
{
    cl_int error;
    cl_mem mem = clCreateBuffer(test_context, CL_MEM_READ_WRITE, size, NULL, &error);
    CHECK_OK(error);
    return mem;
}

static inline void cb_set(cl_mem mem, int value, size_t count)
{
    CHECK_OK(clEnqueueFillBuffer(test_queue, mem, &value, sizeof value, 0, count * sizeof value, 0, NULL, NULL));
}

// Prints and returns how many of `count` ints differ from `first + i * step`.
static inline int cb_wrong(cl_mem mem, size_t count, int first, int step)
{
    int *got = malloc(count * sizeof *got), wrong = 0;
    CHECK_OK(clEnqueueReadBuffer(test_queue, mem, CL_TRUE, 0, count * sizeof *got, got, 0, NULL, NULL));
    for (size_t i = 0; i < count; i++)
        wrong += got[i] != first + (int)i * step;
    if (wrong)
        printf("%d of %zu are wrong: %d, %d ... for %d, %d\n", wrong, count, got[0], got[count > 1], first, first + step);
    free(got);
    return wrong;
}

static inline void cb_finish(cl_command_buffer_khr buffer)
{
    CHECK_OK(cb.clFinalizeCommandBufferKHR(buffer));
}

static inline void cb_replay(cl_command_buffer_khr buffer)
{
    CHECK_OK(cb.clEnqueueCommandBufferKHR(0, NULL, buffer, 0, NULL, NULL));
}

static inline cl_command_buffer_state_khr cb_state(cl_command_buffer_khr buffer)
{
    cl_command_buffer_state_khr state = 99;
    CHECK_OK(cb.clGetCommandBufferInfoKHR(buffer, CL_COMMAND_BUFFER_STATE_KHR, sizeof state, &state, NULL));
    return state;
}

#endif
