// SPDX-License-Identifier: Apache-2.0
// A blocking transfer that is split into several chunks: the failure of any chunk is reported. Run
// by inject_run.
#include "test.h"

int main(void)
{
    enum { WIDTH = 2048, HEIGHT = 6144 };
    const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
    const cl_image_desc desc = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = WIDTH, .image_height = HEIGHT};
    const size_t origin[3] = {0, 0, 0}, region[3] = {WIDTH, HEIGHT, 1};
    static cl_uint texels[WIDTH * HEIGHT], got[WIDTH * HEIGHT];
    cl_bool has = CL_FALSE;
    cl_int code;
    test_open();
    clGetDeviceInfo(test_device, CL_DEVICE_IMAGE_SUPPORT, sizeof has, &has, NULL);
    if (!has)
        return test_close();
    for (cl_uint i = 0; i < WIDTH * HEIGHT; i++)
        texels[i] = i * 2654435761u;
    cl_mem image = clCreateImage(test_context, CL_MEM_READ_WRITE, &format, &desc, NULL, &code);
    CHECK_OK(code);
    CHECK_OK(clEnqueueWriteImage(test_queue, image, CL_TRUE, origin, region, 0, 0, texels, 0, NULL,
                                 NULL));
    CHECK_OK(clEnqueueReadImage(test_queue, image, CL_TRUE, origin, region, 0, 0, got, 0, NULL,
                                NULL));
    CHECK(!memcmp(got, texels, sizeof got));
    CHECK_OK(clReleaseMemObject(image));
    return test_close();
}
