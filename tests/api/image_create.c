// SPDX-License-Identifier: Apache-2.0
// Images and samplers: creation, images created from other objects, queries; and their errors.
#include "test.h"

static const cl_image_format rgba8 = {CL_RGBA, CL_UNORM_INT8};

// ---- creation -----------------------------------------------------------------------------------

// One desc per row: type, width, height, depth, array size, row pitch, slice pitch.
struct create_row {
    cl_image_format format;
    cl_mem_flags flags;
    size_t desc[7];
    bool host; // a host pointer is given
    cl_int want;
};

#define BIG (1u << 20)
static const struct create_row create_rows[] = {
    {{CL_RGBA, CL_UNORM_INT8}, 0, {CL_MEM_OBJECT_IMAGE2D, 4, 4}, false, CL_SUCCESS},
    {{CL_RGBA, CL_UNORM_INT8},
     0,
     {CL_MEM_OBJECT_IMAGE2D, 0, 4},
     false,
     CL_INVALID_IMAGE_DESCRIPTOR},
    {{CL_RGBA, CL_UNORM_INT8},
     0,
     {CL_MEM_OBJECT_IMAGE2D, 4, 0},
     false,
     CL_INVALID_IMAGE_DESCRIPTOR},
    {{CL_RGBA, CL_UNORM_INT8},
     0,
     {CL_MEM_OBJECT_IMAGE3D, 4, 4, 0},
     false,
     CL_INVALID_IMAGE_DESCRIPTOR},
    {{CL_RGBA, CL_UNORM_INT8},
     0,
     {CL_MEM_OBJECT_IMAGE1D_ARRAY, 4, 0, 0, 0},
     false,
     CL_INVALID_IMAGE_DESCRIPTOR},
    {{CL_RGBA, CL_UNORM_INT8}, 0, {CL_MEM_OBJECT_BUFFER, 4, 4}, false, CL_INVALID_IMAGE_DESCRIPTOR},
    {{CL_RGBA, CL_UNORM_INT8}, 0, {CL_MEM_OBJECT_PIPE, 4, 4}, false, CL_INVALID_IMAGE_DESCRIPTOR},
    {{CL_RGBA, CL_UNORM_INT8},
     0,
     {CL_MEM_OBJECT_IMAGE1D_BUFFER, 4},
     false,
     CL_INVALID_IMAGE_DESCRIPTOR},
    {{CL_RGBA, CL_UNORM_INT8}, 0, {CL_MEM_OBJECT_IMAGE2D, BIG, 1}, false, CL_INVALID_IMAGE_SIZE},
    {{CL_RGBA, CL_UNORM_INT8}, 0, {CL_MEM_OBJECT_IMAGE2D, 1, BIG}, false, CL_INVALID_IMAGE_SIZE},
    {{CL_RGBA, CL_UNORM_INT8}, 0, {CL_MEM_OBJECT_IMAGE1D, SIZE_MAX}, false, CL_INVALID_IMAGE_SIZE},
    {{CL_RGBA, CL_UNORM_INT8}, 0, {CL_MEM_OBJECT_IMAGE3D, 1, 1, BIG}, false, CL_INVALID_IMAGE_SIZE},
    {{CL_RGBA, CL_UNORM_INT8},
     0,
     {CL_MEM_OBJECT_IMAGE2D_ARRAY, 1, 1, 0, BIG},
     false,
     CL_INVALID_IMAGE_SIZE},
    {{CL_RGBA, CL_UNORM_INT8},
     0,
     {CL_MEM_OBJECT_IMAGE2D, 4, 4, 0, 0, 16},
     false,
     CL_INVALID_IMAGE_DESCRIPTOR},
    {{CL_RGBA, CL_UNORM_INT8},
     0,
     {CL_MEM_OBJECT_IMAGE3D, 4, 4, 4, 0, 0, 64},
     false,
     CL_INVALID_IMAGE_DESCRIPTOR},
    {{CL_RGBA, CL_UNORM_INT8},
     CL_MEM_COPY_HOST_PTR,
     {CL_MEM_OBJECT_IMAGE2D, 4, 4, 0, 0, 20},
     true,
     CL_SUCCESS},
    {{CL_RGBA, CL_UNORM_INT8},
     CL_MEM_COPY_HOST_PTR,
     {CL_MEM_OBJECT_IMAGE2D, 4, 4, 0, 0, 12},
     true,
     CL_INVALID_IMAGE_DESCRIPTOR},
    {{CL_RGBA, CL_UNORM_INT8},
     CL_MEM_COPY_HOST_PTR,
     {CL_MEM_OBJECT_IMAGE2D, 4, 4, 0, 0, 18},
     true,
     CL_INVALID_IMAGE_DESCRIPTOR},
    {{CL_RGBA, CL_UNORM_INT8},
     CL_MEM_COPY_HOST_PTR,
     {CL_MEM_OBJECT_IMAGE3D, 4, 4, 2, 0, 20, 80},
     true,
     CL_SUCCESS},
    {{CL_RGBA, CL_UNORM_INT8},
     CL_MEM_COPY_HOST_PTR,
     {CL_MEM_OBJECT_IMAGE3D, 4, 4, 2, 0, 20, 60},
     true,
     CL_INVALID_IMAGE_DESCRIPTOR},
    {{CL_RGBA, CL_UNORM_INT8},
     CL_MEM_COPY_HOST_PTR,
     {CL_MEM_OBJECT_IMAGE3D, 4, 4, 2, 0, 20, 90},
     true,
     CL_INVALID_IMAGE_DESCRIPTOR},
    {{CL_RGBA, CL_UNORM_INT8},
     CL_MEM_COPY_HOST_PTR,
     {CL_MEM_OBJECT_IMAGE1D_ARRAY, 4, 0, 0, 2, 16, 32},
     true,
     CL_SUCCESS},
    {{CL_RGBA, CL_UNORM_INT8},
     CL_MEM_COPY_HOST_PTR,
     {CL_MEM_OBJECT_IMAGE2D, 4, 4},
     false,
     CL_INVALID_HOST_PTR},
    {{CL_RGBA, CL_UNORM_INT8}, 0, {CL_MEM_OBJECT_IMAGE2D, 4, 4}, true, CL_INVALID_HOST_PTR},
    {{CL_RGBA, CL_UNORM_INT8},
     CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY,
     {CL_MEM_OBJECT_IMAGE2D, 4, 4},
     false,
     CL_INVALID_VALUE},
    {{CL_RGBA, CL_UNORM_INT8},
     CL_MEM_KERNEL_READ_AND_WRITE,
     {CL_MEM_OBJECT_IMAGE2D, 4, 4},
     false,
     CL_INVALID_VALUE},
    {{CL_RGBA, CL_UNORM_INT8},
     UINT64_C(1) << 60,
     {CL_MEM_OBJECT_IMAGE2D, 4, 4},
     false,
     CL_INVALID_VALUE},
    {{CL_RGB, CL_UNORM_INT8},
     0,
     {CL_MEM_OBJECT_IMAGE2D, 4, 4},
     false,
     CL_INVALID_IMAGE_FORMAT_DESCRIPTOR},
    {{CL_BGRA, CL_FLOAT},
     0,
     {CL_MEM_OBJECT_IMAGE2D, 4, 4},
     false,
     CL_INVALID_IMAGE_FORMAT_DESCRIPTOR},
    {{CL_INTENSITY, CL_SIGNED_INT8},
     0,
     {CL_MEM_OBJECT_IMAGE2D, 4, 4},
     false,
     CL_INVALID_IMAGE_FORMAT_DESCRIPTOR},
    {{CL_RGBA, CL_UNORM_SHORT_565},
     0,
     {CL_MEM_OBJECT_IMAGE2D, 4, 4},
     false,
     CL_INVALID_IMAGE_FORMAT_DESCRIPTOR},
    {{0, CL_UNORM_INT8},
     0,
     {CL_MEM_OBJECT_IMAGE2D, 4, 4},
     false,
     CL_INVALID_IMAGE_FORMAT_DESCRIPTOR},
    {{CL_RGBA, 0}, 0, {CL_MEM_OBJECT_IMAGE2D, 4, 4}, false, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR},
    {{CL_ARGB, CL_UNORM_INT8},
     CL_MEM_WRITE_ONLY,
     {CL_MEM_OBJECT_IMAGE2D, 4, 4},
     false,
     CL_IMAGE_FORMAT_NOT_SUPPORTED},
    {{CL_RGBA, CL_UNORM_INT_101010_2},
     0,
     {CL_MEM_OBJECT_IMAGE2D, 4, 4},
     false,
     CL_IMAGE_FORMAT_NOT_SUPPORTED},
    {{CL_sRGB, CL_UNORM_INT8},
     0,
     {CL_MEM_OBJECT_IMAGE2D, 4, 4},
     false,
     CL_IMAGE_FORMAT_NOT_SUPPORTED},
    {{CL_Rx, CL_UNORM_INT8},
     0,
     {CL_MEM_OBJECT_IMAGE2D, 4, 4},
     false,
     CL_IMAGE_FORMAT_NOT_SUPPORTED},
    {{CL_RGB, CL_UNORM_INT8},
     0,
     {CL_MEM_OBJECT_IMAGE2D, 4, 4},
     false,
     CL_INVALID_IMAGE_FORMAT_DESCRIPTOR},
    {{CL_A, CL_UNORM_INT8},
     CL_MEM_READ_WRITE,
     {CL_MEM_OBJECT_IMAGE2D, 4, 4},
     false,
     CL_IMAGE_FORMAT_NOT_SUPPORTED},
    {{CL_DEPTH, CL_FLOAT},
     0,
     {CL_MEM_OBJECT_IMAGE3D, 4, 4, 4},
     false,
     CL_IMAGE_FORMAT_NOT_SUPPORTED},
    {{CL_DEPTH_STENCIL, CL_UNORM_INT24},
     0,
     {CL_MEM_OBJECT_IMAGE2D, 4, 4},
     false,
     CL_IMAGE_FORMAT_NOT_SUPPORTED},
};

static void check_creation(void)
{
    static unsigned char host[1024];
    for (size_t i = 0; i < sizeof create_rows / sizeof *create_rows; i++) {
        const struct create_row *row = &create_rows[i];
        const cl_image_desc desc = {
            .image_type = (cl_mem_object_type)row->desc[0],
            .image_width = row->desc[1],
            .image_height = row->desc[2],
            .image_depth = row->desc[3],
            .image_array_size = row->desc[4],
            .image_row_pitch = row->desc[5],
            .image_slice_pitch = row->desc[6],
        };
        cl_int code = 1;
        cl_mem image = clCreateImage(test_context, row->flags, &row->format, &desc,
                                     row->host ? host : NULL, &code);
        bool as_wanted = CHECK_EQ(code, row->want), made = CHECK((image != NULL) == (row->want == CL_SUCCESS));
        if (!as_wanted || !made)
            printf("  in row %zu\n", i);
        if (image)
            CHECK_OK(clReleaseMemObject(image));
    }
    cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 4};
    const cl_mem_properties none[] = {0}, some[] = {CL_MEM_FLAGS, 1, 0};
    cl_int code;
    CHECK_CREATE(clCreateImage(NULL, 0, &rgba8, &desc, NULL, &error), CL_INVALID_CONTEXT);
    CHECK_CREATE(clCreateImage(test_context, 0, NULL, &desc, NULL, &error),
                 CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
    CHECK_CREATE(clCreateImage(test_context, 0, &rgba8, NULL, NULL, &error),
                 CL_INVALID_IMAGE_DESCRIPTOR);
    CHECK_CREATE(clCreateImageWithProperties(test_context, some, 0, &rgba8, &desc, NULL, &error),
                 CL_INVALID_PROPERTY);
    cl_mem image = clCreateImageWithProperties(test_context, none, 0, &rgba8, &desc, NULL, &code);
    CHECK_OK(code);
    CHECK_OK(clReleaseMemObject(image));
    desc.num_mip_levels = 33;
    CHECK_CREATE(clCreateImage(test_context, 0, &rgba8, &desc, NULL, &error),
                 CL_INVALID_IMAGE_DESCRIPTOR);
    image = clCreateImage2D(test_context, 0, &rgba8, 4, 4, 0, NULL, &code);
    CHECK_OK(code);
    CHECK_OK(clReleaseMemObject(image));
    image = clCreateImage3D(test_context, 0, &rgba8, 4, 4, 4, 0, 0, NULL, &code);
    CHECK_OK(code);
    CHECK_OK(clReleaseMemObject(image));
    CHECK_CREATE(clCreateImage2D(test_context, 0, &rgba8, 0, 4, 0, NULL, &error),
                 CL_INVALID_IMAGE_SIZE);
    CHECK_CREATE(clCreateImage3D(test_context, 0, &rgba8, 4, 4, 4, 3, 0, NULL, &error),
                 CL_INVALID_IMAGE_SIZE);
}

static void check_parents(void)
{
    cl_int code;
    cl_mem buffer = test_buffer(CL_MEM_READ_ONLY, 1024, NULL), parent, made;
    const cl_buffer_region half = {512, 512};
    cl_mem sub = clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &half, &code);
    CHECK_OK(code);
    cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 4};
    parent = clCreateImage(test_context, 0, &rgba8, &desc, NULL, &code);
    CHECK_OK(code);
    const struct {
        cl_mem parent;
        cl_mem_object_type type;
        cl_mem_flags flags;
        cl_image_format format;
        size_t width, height, row_pitch;
        cl_int want;
    } rows[] = {
        {buffer, CL_MEM_OBJECT_IMAGE1D_BUFFER, 0, rgba8, 256, 0, 0, CL_SUCCESS},
        {buffer, CL_MEM_OBJECT_IMAGE1D_BUFFER, 0, rgba8, 257, 0, 0, CL_INVALID_IMAGE_SIZE},
        {sub, CL_MEM_OBJECT_IMAGE1D_BUFFER, 0, rgba8, 128, 0, 0, CL_SUCCESS},
        {sub, CL_MEM_OBJECT_IMAGE1D_BUFFER, 0, rgba8, 129, 0, 0, CL_INVALID_IMAGE_SIZE},
        {buffer, CL_MEM_OBJECT_IMAGE1D_BUFFER, CL_MEM_READ_WRITE, rgba8, 16, 0, 0,
         CL_INVALID_VALUE},
        {buffer, CL_MEM_OBJECT_IMAGE1D_BUFFER, CL_MEM_COPY_HOST_PTR, rgba8, 16, 0, 0,
         CL_INVALID_VALUE},
        {parent, CL_MEM_OBJECT_IMAGE1D_BUFFER, 0, rgba8, 4, 0, 0, CL_INVALID_IMAGE_DESCRIPTOR},
        {buffer, CL_MEM_OBJECT_IMAGE2D, 0, rgba8, 16, 16, 0, CL_SUCCESS},
        {buffer, CL_MEM_OBJECT_IMAGE2D, 0, rgba8, 16, 16, 68, CL_INVALID_IMAGE_SIZE},
        {buffer, CL_MEM_OBJECT_IMAGE2D, 0, rgba8, 16, 4, 60, CL_INVALID_IMAGE_DESCRIPTOR},
        {buffer, CL_MEM_OBJECT_IMAGE2D, 0, rgba8, 16, 4, 65, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR},
        {buffer, CL_MEM_OBJECT_IMAGE3D, 0, rgba8, 4, 4, 0, CL_SUCCESS},
        {parent, CL_MEM_OBJECT_IMAGE3D, 0, rgba8, 4, 4, 0, CL_INVALID_IMAGE_DESCRIPTOR},
        {(cl_mem)test_queue, CL_MEM_OBJECT_IMAGE2D, 0, rgba8, 4, 4, 0, CL_INVALID_IMAGE_DESCRIPTOR},
        {parent, CL_MEM_OBJECT_IMAGE2D, 0, rgba8, 4, 4, 0, CL_SUCCESS},
        {parent,
         CL_MEM_OBJECT_IMAGE2D,
         CL_MEM_READ_ONLY,
         {CL_sRGBA, CL_UNORM_INT8},
         4,
         4,
         0,
         CL_SUCCESS},
        {parent,
         CL_MEM_OBJECT_IMAGE2D,
         0,
         {CL_R, CL_FLOAT},
         4,
         4,
         0,
         CL_INVALID_IMAGE_FORMAT_DESCRIPTOR},
        {parent, CL_MEM_OBJECT_IMAGE2D, 0, rgba8, 2, 4, 0, CL_INVALID_IMAGE_DESCRIPTOR},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        desc = (cl_image_desc){.image_type = rows[i].type,
                               .image_width = rows[i].width,
                               .image_height = rows[i].height,
                               .image_depth = 1,
                               .image_row_pitch = rows[i].row_pitch,
                               .mem_object = rows[i].parent};
        made = clCreateImage(test_context, rows[i].flags, &rows[i].format, &desc, NULL, &code);
        if (!CHECK_EQ(code, rows[i].want))
            printf("  in row %zu\n", i);
        if (!made)
            continue;
        cl_mem shown = NULL;
        CHECK_OK(clGetMemObjectInfo(made, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof shown, &shown, NULL));
        CHECK(shown == rows[i].parent);
        CHECK_OK(clGetImageInfo(made, CL_IMAGE_BUFFER, sizeof shown, &shown, NULL));
        CHECK(shown == (rows[i].parent == parent ? NULL : rows[i].parent));
        CHECK_OK(clReleaseMemObject(made));
    }
    CHECK_OK(clReleaseMemObject(parent));
    CHECK_OK(clReleaseMemObject(sub));
    CHECK_OK(clReleaseMemObject(buffer));
}

static void check_queries(void)
{
    static unsigned char host[4096];
    const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D_ARRAY,
                                .image_width = 5,
                                .image_height = 6,
                                .image_array_size = 7,
                                .image_row_pitch = 24,
                                .image_slice_pitch = 168};
    cl_int code;
    cl_mem image = clCreateImage(test_context, CL_MEM_USE_HOST_PTR, &rgba8, &desc, host, &code);
    CHECK_OK(code);
    const struct {
        cl_image_info query;
        size_t size, want;
    } rows[] = {
        {CL_IMAGE_ELEMENT_SIZE, sizeof(size_t), 4},
        {CL_IMAGE_ROW_PITCH, sizeof(size_t), 24},
        {CL_IMAGE_SLICE_PITCH, sizeof(size_t), 168},
        {CL_IMAGE_WIDTH, sizeof(size_t), 5},
        {CL_IMAGE_HEIGHT, sizeof(size_t), 6},
        {CL_IMAGE_DEPTH, sizeof(size_t), 0},
        {CL_IMAGE_ARRAY_SIZE, sizeof(size_t), 7},
        {CL_IMAGE_BUFFER, sizeof(cl_mem), 0},
        {CL_IMAGE_NUM_MIP_LEVELS, 4, 0},
        {CL_IMAGE_NUM_SAMPLES, 4, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t value = 0, size = 0;
        CHECK_OK(clGetImageInfo(image, rows[i].query, sizeof value, &value, &size));
        CHECK_EQ(value, rows[i].want);
        CHECK_EQ(size, rows[i].size);
    }
    cl_image_format format;
    size_t size;
    void *pointer;
    CHECK_OK(clGetImageInfo(image, CL_IMAGE_FORMAT, sizeof format, &format, NULL));
    CHECK_EQ(format.image_channel_order, CL_RGBA);
    CHECK_EQ(clGetImageInfo(image, CL_IMAGE_FORMAT, 4, &format, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clGetImageInfo(image, 0, 4, &format, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clGetImageInfo(NULL, CL_IMAGE_WIDTH, 4, &format, NULL), CL_INVALID_MEM_OBJECT);
    CHECK_OK(clGetMemObjectInfo(image, CL_MEM_SIZE, sizeof size, &size, NULL));
    CHECK_EQ(size, 168 * 7);
    CHECK_OK(clGetMemObjectInfo(image, CL_MEM_HOST_PTR, sizeof pointer, &pointer, NULL));
    CHECK(pointer == host);
    CHECK_OK(clReleaseMemObject(image));
    CHECK_EQ(clGetSupportedImageFormats(test_context, 0, CL_MEM_OBJECT_BUFFER, 0, NULL, NULL),
             CL_INVALID_VALUE);
    CHECK_EQ(clGetSupportedImageFormats(test_context, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY,
                                        CL_MEM_OBJECT_IMAGE2D, 0, NULL, NULL),
             CL_INVALID_VALUE);
    CHECK_EQ(clGetSupportedImageFormats(test_context, 0, CL_MEM_OBJECT_IMAGE2D, 0, &format, NULL),
             CL_INVALID_VALUE);
    CHECK_EQ(clGetSupportedImageFormats(NULL, 0, CL_MEM_OBJECT_IMAGE2D, 0, NULL, NULL),
             CL_INVALID_CONTEXT);
}

// ---- samplers -----------------------------------------------------------------------------------

static void check_samplers(void)
{
    const cl_sampler_properties list[] = {CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR,
                                          CL_SAMPLER_NORMALIZED_COORDS, CL_FALSE, 0};
    const cl_sampler_properties twice[] = {CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR,
                                           CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR, 0};
    const cl_sampler_properties unknown[] = {7, 7, 0};
    cl_sampler_properties shown[8];
    cl_int code;
    cl_uint value;
    size_t size;
    cl_context context;
    CHECK_CREATE(clCreateSampler(NULL, CL_TRUE, CL_ADDRESS_NONE, CL_FILTER_NEAREST, &error),
                 CL_INVALID_CONTEXT);
    CHECK_CREATE(clCreateSampler(test_context, 2, CL_ADDRESS_NONE, CL_FILTER_NEAREST, &error),
                 CL_INVALID_VALUE);
    CHECK_CREATE(clCreateSampler(test_context, CL_TRUE, 1, CL_FILTER_NEAREST, &error),
                 CL_INVALID_VALUE);
    CHECK_CREATE(clCreateSampler(test_context, CL_TRUE, CL_ADDRESS_NONE, 1, &error),
                 CL_INVALID_VALUE);
    CHECK_CREATE(
        clCreateSampler(test_context, CL_FALSE, CL_ADDRESS_REPEAT, CL_FILTER_NEAREST, &error),
        CL_INVALID_VALUE);
    CHECK_CREATE(clCreateSamplerWithProperties(test_context, twice, &error), CL_INVALID_VALUE);
    CHECK_CREATE(clCreateSamplerWithProperties(test_context, unknown, &error), CL_INVALID_VALUE);
    cl_sampler sampler = clCreateSamplerWithProperties(test_context, list, &code);
    CHECK_OK(code);
    CHECK_OK(clGetSamplerInfo(sampler, CL_SAMPLER_FILTER_MODE, sizeof value, &value, NULL));
    CHECK_EQ(value, CL_FILTER_LINEAR);
    CHECK_OK(clGetSamplerInfo(sampler, CL_SAMPLER_ADDRESSING_MODE, sizeof value, &value, NULL));
    CHECK_EQ(value, CL_ADDRESS_CLAMP);
    CHECK_OK(clGetSamplerInfo(sampler, CL_SAMPLER_NORMALIZED_COORDS, sizeof value, &value, NULL));
    CHECK_EQ(value, CL_FALSE);
    CHECK_OK(clGetSamplerInfo(sampler, CL_SAMPLER_CONTEXT, sizeof context, &context, NULL));
    CHECK(context == test_context);
    CHECK_OK(clGetSamplerInfo(sampler, CL_SAMPLER_PROPERTIES, sizeof shown, shown, &size));
    CHECK_EQ(size, sizeof list);
    CHECK(!memcmp(shown, list, sizeof list));
    CHECK_OK(clRetainSampler(sampler));
    CHECK_OK(clGetSamplerInfo(sampler, CL_SAMPLER_REFERENCE_COUNT, sizeof value, &value, NULL));
    CHECK_EQ(value, 2);
    CHECK_EQ(clGetSamplerInfo(sampler, 0, sizeof value, &value, NULL), CL_INVALID_VALUE);
    CHECK_OK(clReleaseSampler(sampler));
    CHECK_OK(clReleaseSampler(sampler));
    CHECK_EQ(clReleaseSampler((cl_sampler)test_queue), CL_INVALID_SAMPLER);
    CHECK_EQ(clGetSamplerInfo(NULL, CL_SAMPLER_FILTER_MODE, 4, &value, NULL), CL_INVALID_SAMPLER);
}

int main(void)
{
    test_open();
    if (!test_has_images()) {
        printf("no images\n");
        return 77;
    }
    check_creation();
    check_parents();
    check_queries();
    check_samplers();
    return test_close();
}
