// SPDX-License-Identifier: Apache-2.0
// Features that the device reports as unsupported fail as the specification requires: images,
// samplers, SPIR-V where it is disabled, sharing with OpenGL.
#include "test.h"

static void check_images(void)
{
    const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
    const cl_image_desc desc = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 4};
    cl_uint count = 7;
    CHECK_CREATE(clCreateImage(test_context, 0, &format, &desc, NULL, &error),
                 CL_INVALID_OPERATION);
    CHECK_CREATE(clCreateImage(NULL, 0, &format, &desc, NULL, &error), CL_INVALID_CONTEXT);
    CHECK_CREATE(clCreateImageWithProperties(test_context, NULL, 0, &format, &desc, NULL, &error),
                 CL_INVALID_OPERATION);
    CHECK_CREATE(clCreateImage2D(test_context, 0, &format, 4, 4, 0, NULL, &error),
                 CL_INVALID_OPERATION);
    CHECK_CREATE(clCreateImage3D(test_context, 0, &format, 4, 4, 4, 0, 0, NULL, &error),
                 CL_INVALID_OPERATION);
    CHECK_OK(clGetSupportedImageFormats(test_context, 0, CL_MEM_OBJECT_IMAGE2D, 0, NULL, &count));
    CHECK_EQ(count, 0);
    CHECK_EQ(clGetSupportedImageFormats(test_context, 0, CL_MEM_OBJECT_BUFFER, 0, NULL, &count),
             CL_INVALID_VALUE);
    CHECK_CREATE(
        clCreateSampler(test_context, CL_FALSE, CL_ADDRESS_NONE, CL_FILTER_NEAREST, &error),
        CL_INVALID_OPERATION);
    CHECK_CREATE(clCreateSamplerWithProperties(test_context, NULL, &error), CL_INVALID_OPERATION);
    CHECK_EQ(clRetainSampler((cl_sampler)test_queue), CL_INVALID_SAMPLER);
}

static void check_image_commands(void)
{
    const size_t origin[3] = {0}, region[3] = {1, 1, 1};
    char bytes[16];
    cl_mem mem = test_buffer(0, 64, NULL);
    CHECK_EQ(clEnqueueReadImage(test_queue, mem, 1, origin, region, 0, 0, bytes, 0, NULL, NULL),
             CL_INVALID_MEM_OBJECT);
    CHECK_EQ(clEnqueueWriteImage(test_queue, mem, 1, origin, region, 0, 0, bytes, 0, NULL, NULL),
             CL_INVALID_MEM_OBJECT);
    CHECK_EQ(clEnqueueFillImage(test_queue, mem, bytes, origin, region, 0, NULL, NULL),
             CL_INVALID_MEM_OBJECT);
    CHECK_EQ(clEnqueueCopyImage(test_queue, mem, mem, origin, origin, region, 0, NULL, NULL),
             CL_INVALID_MEM_OBJECT);
    CHECK_EQ(clEnqueueCopyImageToBuffer(test_queue, mem, mem, origin, region, 0, 0, NULL, NULL),
             CL_INVALID_MEM_OBJECT);
    CHECK_EQ(clEnqueueCopyBufferToImage(test_queue, mem, mem, 0, origin, region, 0, NULL, NULL),
             CL_INVALID_MEM_OBJECT);
    CHECK_EQ(clGetPipeInfo(mem, CL_PIPE_PACKET_SIZE, 4, bytes, NULL), CL_INVALID_MEM_OBJECT);
    CHECK_EQ(clEnqueueAcquireGLObjects(test_queue, 1, &mem, 0, NULL, NULL), CL_INVALID_CONTEXT);
    CHECK_EQ(clGetGLObjectInfo(mem, NULL, NULL), CL_INVALID_GL_OBJECT);
    CHECK_OK(clReleaseMemObject(mem));
}

static void check_rest(void)
{
    CHECK_CREATE(clCreateProgramWithIL(test_context, "xxxx", 4, &error),
                 test_accepts_il() ? CL_INVALID_VALUE : CL_INVALID_OPERATION);
    CHECK_CREATE(clCreateProgramWithIL(test_context, NULL, 0, &error), CL_INVALID_VALUE);
    CHECK_CREATE(clCreateProgramWithBuiltInKernels(test_context, 1, &test_device, "x", &error),
                 CL_INVALID_VALUE);
    CHECK_CREATE(clCreateFromGLBuffer(test_context, 0, 1, &error), CL_INVALID_CONTEXT);
    CHECK_CREATE(clCreateFromGLTexture(test_context, 0, 0, 0, 1, &error), CL_INVALID_CONTEXT);
    CHECK_OK(clUnloadPlatformCompiler(test_platform));
    CHECK_OK(clUnloadCompiler());
}

int main(void)
{
    setenv("PUMICE_IMAGES", "0", 1);
    test_open();
    check_images();
    check_image_commands();
    check_rest();
    return test_close();
}
