// SPDX-License-Identifier: Apache-2.0
// The device is lost after the application has released everything: the library's own objects are
// destroyed at the end of the process. Run by inject_run.
#include "test.h"

int main(void)
{
    const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
    const cl_image_desc desc = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 64, .image_height = 64};
    static cl_uchar texels[64 * 64 * 4];
    cl_bool has = CL_FALSE;
    cl_int code;
    test_open();
    clGetDeviceInfo(test_device, CL_DEVICE_IMAGE_SUPPORT, sizeof has, &has, NULL);
    if (has) {
        cl_mem image =
            clCreateImage(test_context, CL_MEM_COPY_HOST_PTR, &format, &desc, texels, &code);
        CHECK_OK(code);
        CHECK_OK(clReleaseMemObject(image));
    }
    cl_mem mem = test_buffer(0, sizeof texels, NULL);
    CHECK_OK(clEnqueueFillBuffer(test_queue, mem, texels, 1, 1, 1001, 0, NULL, NULL));
    CHECK_OK(clReleaseMemObject(mem));
    CHECK_OK(clFinish(test_queue));
    return test_close();
}
