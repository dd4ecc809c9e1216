// SPDX-License-Identifier: Apache-2.0
// A device that refuses the first time, as busy ones do, can be opened later. Run by inject_run
// with a failing vkCreateDevice.
#include "test.h"

enum { WRONG = 97 }; // the status that inject_run expects

int main(void)
{
    cl_platform_id platform;
    cl_device_id device;
    cl_int code;
    setenv("PUMICE_SVM", "0", 1); // no test of shared memory, which would create the device first
    CHECK_OK(clGetPlatformIDs(1, &platform, NULL));
    CHECK_OK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    if (code)
        return WRONG;
    CHECK_OK(clReleaseContext(context));
    printf("%d checks, %d failures\n", test_checks, test_failures);
    return test_failures || !test_checks;
}
