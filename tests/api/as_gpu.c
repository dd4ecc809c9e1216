// SPDX-License-Identifier: Apache-2.0
// PUMICE_DEVICE_TYPE=gpu: a CPU device answers to programs that ask for GPUs.
#define _POSIX_C_SOURCE 200809L
#include "test.h"

int main(void)
{
    cl_uint count = 0;
    cl_device_type type;
    setenv("PUMICE_DEVICE_TYPE", "gpu", 1);
    test_open();
    CHECK_OK(clGetDeviceIDs(test_platform, CL_DEVICE_TYPE_GPU, 0, NULL, &count));
    CHECK(count >= 1);
    CHECK_EQ(clGetDeviceIDs(test_platform, CL_DEVICE_TYPE_CPU, 0, NULL, &count),
             CL_DEVICE_NOT_FOUND);
    CHECK_OK(clGetDeviceInfo(test_device, CL_DEVICE_TYPE, sizeof type, &type, NULL));
    CHECK_EQ(type, CL_DEVICE_TYPE_GPU);
    // Arbitrary handles are refused without being dereferenced.
    const cl_context_properties properties[] = {CL_CONTEXT_PLATFORM, 0x1000, 0};
    CHECK_CREATE(clCreateContext(properties, 1, &test_device, NULL, NULL, &error),
                 CL_INVALID_PLATFORM);
    return test_close();
}
