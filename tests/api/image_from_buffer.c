// SPDX-License-Identifier: Apache-2.0
// cl_ext_image_requirements_info and cl_ext_image_from_buffer: required alignments; images of every
// type in a buffer, whose bytes are compared with a model on the host after commands and kernels;
// padding must not change.
#include "test.h"

enum { WIDTH = 11, HEIGHT = 5, DEPTH = 3, TEXEL = 4, ROW = (WIDTH + 2) * TEXEL, SLICE = ROW * (HEIGHT + 1) };
enum { OFFSET = 4096, BYTES = OFFSET + SLICE * DEPTH + 64 };

static const struct type_row {
    cl_mem_object_type type;
    size_t height, depth, array_size, row_pitch, slice_pitch;
    const char *name, *at;
} rows[] = {
    {CL_MEM_OBJECT_IMAGE1D, 0, 0, 0, 0, 0, "image1d_t", "x"},
    {CL_MEM_OBJECT_IMAGE1D_ARRAY, 0, 0, DEPTH, ROW, SLICE, "image1d_array_t", "(int2)(x, y)"},
    {CL_MEM_OBJECT_IMAGE2D, HEIGHT, 0, 0, ROW, 0, "image2d_t", "(int2)(x, y)"},
    {CL_MEM_OBJECT_IMAGE2D_ARRAY, HEIGHT, 0, DEPTH, ROW, SLICE, "image2d_array_t", "(int4)(x, y, z, 0)"},
    {CL_MEM_OBJECT_IMAGE3D, HEIGHT, DEPTH, 0, ROW, SLICE, "image3d_t", "(int4)(x, y, z, 0)"},
    {CL_MEM_OBJECT_IMAGE1D_BUFFER, 0, 0, 0, 0, 0, "image1d_buffer_t", "x"},
};
enum { TYPES = sizeof rows / sizeof *rows };

static const cl_image_format rgba8 = {CL_RGBA, CL_UNSIGNED_INT8};
static const size_t zero[3];
static unsigned char model[BYTES];

struct sample {
    const struct type_row *row;
    cl_mem buffer, part, image;
    size_t size[3];
};

// ---- the model ----------------------------------------------------------------------------------

static size_t place(const struct sample *s, size_t x, size_t y, size_t z)
{
    size_t down = s->row->type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? SLICE : ROW;
    return OFFSET + z * SLICE + y * down + x * TEXEL;
}

static void expect(const struct sample *s, const char *what)
{
    static unsigned char got[BYTES];
    memset(got, 0xee, sizeof got);
    CHECK_OK(clEnqueueReadBuffer(test_queue, s->buffer, CL_TRUE, 0, BYTES, got, 0, NULL, NULL));
    if (!CHECK(!memcmp(got, model, BYTES)))
        printf("  after %s of %s\n", what, s->row->name);
}

// A box inside the image, at least one texel from its edges if there is room.
static void inner(const struct sample *s, size_t origin[3], size_t region[3])
{
    for (int i = 0; i < 3; i++) {
        origin[i] = s->size[i] > 2;
        region[i] = s->size[i] > 2 ? s->size[i] - 2 : s->size[i];
    }
}

#define EACH(region)                                                                                                   \
    for (size_t z = 0; z < (region)[2]; z++)                                                                           \
        for (size_t y = 0; y < (region)[1]; y++)                                                                       \
            for (size_t x = 0; x < (region)[0]; x++)

static cl_image_desc desc_of(const struct type_row *row)
{
    return (cl_image_desc){.image_type = row->type,
                           .image_width = WIDTH,
                           .image_height = row->height,
                           .image_depth = row->depth,
                           .image_array_size = row->array_size,
                           .image_row_pitch = row->row_pitch,
                           .image_slice_pitch = row->slice_pitch};
}

static bool make(struct sample *s, const struct type_row *row)
{
    cl_image_desc desc = desc_of(row);
    const cl_buffer_region region = {OFFSET, BYTES - OFFSET};
    cl_int code;
    bool layers = row->type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
    size_t slices = row->depth | row->array_size;
    s->row = row;
    s->size[0] = WIDTH;
    s->size[1] = layers ? row->array_size : row->height ? row->height : 1;
    s->size[2] = layers || !slices ? 1 : slices;
    for (size_t i = 0; i < BYTES; i++)
        model[i] = (unsigned char)(i * 37 + i / 256);
    s->buffer = test_buffer(CL_MEM_COPY_HOST_PTR, BYTES, model);
    s->part = clCreateSubBuffer(s->buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
    if (!CHECK_OK(code))
        return false;
    desc.mem_object = s->part;
    s->image = clCreateImage(test_context, 0, &rgba8, &desc, NULL, &code);
    return CHECK_OK(code);
}

static void unmake(struct sample *s)
{
    CHECK_OK(clReleaseMemObject(s->image));
    CHECK_OK(clReleaseMemObject(s->part));
    CHECK_OK(clReleaseMemObject(s->buffer));
}

// ---- commands -----------------------------------------------------------------------------------

static void check_reads_and_writes(const struct sample *s)
{
    static unsigned char host[BYTES];
    size_t origin[3], region[3];
    bool same = true;
    memset(host, 0xee, sizeof host);
    CHECK_OK(clEnqueueReadImage(test_queue, s->image, CL_TRUE, zero, s->size, 0, 0, host, 0, NULL, NULL));
    EACH(s->size)
        same &= !memcmp(host + ((z * s->size[1] + y) * s->size[0] + x) * TEXEL, model + place(s, x, y, z), TEXEL);
    if (!CHECK(same))
        printf("  a read of %s\n", s->row->name);
    inner(s, origin, region);
    EACH(region)
        memcpy(model + place(s, origin[0] + x, origin[1] + y, origin[2] + z),
               host + ((z * region[1] + y) * region[0] + x) * TEXEL, TEXEL);
    CHECK_OK(clEnqueueWriteImage(test_queue, s->image, CL_FALSE, origin, region, 0, 0, host, 0, NULL, NULL));
    expect(s, "a write");
}

static void check_fill(const struct sample *s)
{
    static const cl_uint color[4] = {1, 2, 3, 4};
    static const unsigned char texel[TEXEL] = {1, 2, 3, 4};
    size_t origin[3], region[3];
    inner(s, origin, region);
    CHECK_OK(clEnqueueFillImage(test_queue, s->image, color, origin, region, 0, NULL, NULL));
    EACH(region)
        memcpy(model + place(s, origin[0] + x, origin[1] + y, origin[2] + z), texel, TEXEL);
    expect(s, "a fill");
}

static void check_map(const struct sample *s)
{
    size_t origin[3], region[3], row = 0, slice = 0;
    bool layers = s->row->type == CL_MEM_OBJECT_IMAGE1D_ARRAY, same = true;
    cl_int code;
    inner(s, origin, region);
    unsigned char *at = clEnqueueMapImage(test_queue, s->image, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, origin, region, &row,
                                          &slice, 0, NULL, NULL, &code);
    if (!CHECK_OK(code))
        return;
    EACH(region) {
        size_t from = place(s, origin[0] + x, origin[1] + y, origin[2] + z);
        unsigned char *texel = at + z * slice + y * (layers ? slice : row) + x * TEXEL;
        same &= !memcmp(texel, model + from, TEXEL);
        texel[1] = model[from + 1] = (unsigned char)(x * 3 + y * 5 + z);
    }
    CHECK(same);
    CHECK_OK(clEnqueueUnmapMemObject(test_queue, s->image, at, 0, NULL, NULL));
    expect(s, "a map");
}

// Copies to a separate image and from there to another place; to and from a packed buffer.
static void check_copies(const struct sample *s)
{
    cl_image_desc desc = desc_of(s->row);
    size_t region[3] = {WIDTH / 2, s->size[1], s->size[2]}, there[3] = {WIDTH / 2, 0, 0}, bytes;
    cl_int code;
    cl_mem plain_buffer = test_buffer(0, BYTES, NULL), image;
    desc.image_row_pitch = desc.image_slice_pitch = 0;
    if (s->row->type == CL_MEM_OBJECT_IMAGE1D_BUFFER)
        desc.mem_object = plain_buffer;
    image = clCreateImage(test_context, 0, &rgba8, &desc, NULL, &code);
    CHECK_OK(code);
    CHECK_OK(clEnqueueCopyImage(test_queue, s->image, image, zero, zero, region, 0, NULL, NULL));
    CHECK_OK(clEnqueueCopyImage(test_queue, image, s->image, zero, there, region, 0, NULL, NULL));
    EACH(region)
        memcpy(model + place(s, there[0] + x, y, z), model + place(s, x, y, z), TEXEL);
    expect(s, "copies between images");
    bytes = region[0] * region[1] * region[2] * TEXEL;
    CHECK_OK(clEnqueueCopyImageToBuffer(test_queue, s->image, plain_buffer, there, region, BYTES - bytes, 0, NULL, NULL));
    there[0] = 1;
    CHECK_OK(clEnqueueCopyBufferToImage(test_queue, plain_buffer, s->image, BYTES - bytes, there, region, 0, NULL, NULL));
    EACH(region)
        memcpy(model + place(s, 1 + x, y, z), model + place(s, WIDTH / 2 + x, y, z), TEXEL);
    expect(s, "copies by a buffer");
    CHECK_OK(clReleaseMemObject(image));
    CHECK_OK(clReleaseMemObject(plain_buffer));
}

// One kernel copies the image to a buffer, the other writes to it.
static void check_kernels(const struct sample *s)
{
    char source[1024];
    cl_mem out = test_buffer(0, WIDTH * HEIGHT * DEPTH * sizeof(cl_uint4), NULL);
    cl_uint got[WIDTH * HEIGHT * DEPTH * 4] = {0};
    size_t count = s->size[0] * s->size[1] * s->size[2];
    bool same = true;
    if (s->row->type == CL_MEM_OBJECT_IMAGE3D && !test_has(test_device, "cl_khr_3d_image_writes"))
        return;
    snprintf(source, sizeof source,
             "#pragma OPENCL EXTENSION cl_khr_3d_image_writes : enable\n"
             "#define AT int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2)\n"
             "kernel void get(read_only %s a, global uint4 *out) { AT;\n"
             "out[(z * get_global_size(1) + y) * get_global_size(0) + x] = read_imageui(a, %s); }\n"
             "kernel void put(write_only %s a) { AT; write_imageui(a, %s, (uint4)(x, y, z, 9)); }",
             s->row->name, s->row->at, s->row->name, s->row->at);
    cl_program program = test_build(source, "-cl-std=CL1.2");
    cl_kernel get = test_kernel(program, "get"), put = test_kernel(program, "put");
    CHECK_OK(clSetKernelArg(put, 0, sizeof s->image, &s->image));
    CHECK_OK(clSetKernelArg(get, 0, sizeof s->image, &s->image));
    CHECK_OK(clSetKernelArg(get, 1, sizeof out, &out));
    CHECK_OK(clEnqueueNDRangeKernel(test_queue, get, 3, NULL, s->size, NULL, 0, NULL, NULL));
    CHECK_OK(clEnqueueReadBuffer(test_queue, out, CL_TRUE, 0, count * sizeof(cl_uint4), got, 0, NULL, NULL));
    EACH(s->size)
        for (int c = 0; c < TEXEL; c++)
            same &= got[((z * s->size[1] + y) * s->size[0] + x) * 4 + c] == model[place(s, x, y, z) + c];
    if (!CHECK(same))
        printf("  a kernel's reads of %s\n", s->row->name);
    CHECK_OK(clEnqueueNDRangeKernel(test_queue, put, 3, NULL, s->size, NULL, 0, NULL, NULL));
    EACH(s->size) {
        const unsigned char texel[TEXEL] = {(unsigned char)x, (unsigned char)y, (unsigned char)z, 9};
        memcpy(model + place(s, x, y, z), texel, TEXEL);
    }
    expect(s, "a kernel's stores");
    CHECK_OK(clReleaseKernel(get));
    CHECK_OK(clReleaseKernel(put));
    CHECK_OK(clReleaseProgram(program));
    CHECK_OK(clReleaseMemObject(out));
}

static void check_queries(const struct sample *s)
{
    size_t row = 0, slice = 1;
    cl_mem parent = NULL;
    CHECK_OK(clGetImageInfo(s->image, CL_IMAGE_ROW_PITCH, sizeof row, &row, NULL));
    CHECK_OK(clGetImageInfo(s->image, CL_IMAGE_SLICE_PITCH, sizeof slice, &slice, NULL));
    CHECK_OK(clGetMemObjectInfo(s->image, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof parent, &parent, NULL));
    CHECK_EQ(row, s->row->row_pitch ? s->row->row_pitch : WIDTH * TEXEL);
    CHECK_EQ(slice, s->row->slice_pitch);
    CHECK(parent == s->part);
}

// ---- requirements -------------------------------------------------------------------------------

static clGetImageRequirementsInfoEXT_fn requirements;

static size_t ask(const cl_image_format *format, const cl_image_desc *desc, cl_image_requirements_info_ext what)
{
    size_t value = 0;
    CHECK_OK(requirements(test_context, NULL, 0, format, desc, what, sizeof value, &value, NULL));
    return value;
}

static size_t limit(cl_device_info what)
{
    size_t value = 0;
    CHECK_OK(clGetDeviceInfo(test_device, what, sizeof value, &value, NULL));
    return value;
}

static void check_requirements(void)
{
    const cl_image_format wide = {CL_RGBA, CL_FLOAT};
    const cl_image_desc any = {.image_type = 0};
    for (int i = 0; i < TYPES; i++) {
        cl_image_desc desc = desc_of(&rows[i]);
        size_t slices = rows[i].depth | rows[i].array_size, row = rows[i].row_pitch ? ROW : WIDTH * TEXEL;
        CHECK_EQ(ask(&rgba8, &desc, CL_IMAGE_REQUIREMENTS_ROW_PITCH_ALIGNMENT_EXT), TEXEL);
        CHECK_EQ(ask(&rgba8, &desc, CL_IMAGE_REQUIREMENTS_SIZE_EXT),
                 slices ? SLICE * slices : row * (rows[i].height ? rows[i].height : 1));
    }
    CHECK_EQ(ask(&wide, NULL, CL_IMAGE_REQUIREMENTS_BASE_ADDRESS_ALIGNMENT_EXT), 16);
    CHECK_EQ(ask(NULL, NULL, CL_IMAGE_REQUIREMENTS_SLICE_PITCH_ALIGNMENT_EXT), 16);
    const struct {
        cl_mem_object_type type;
        cl_image_requirements_info_ext what;
        cl_device_info limit;
    } limits[] = {
        {CL_MEM_OBJECT_IMAGE2D, CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT, CL_DEVICE_IMAGE2D_MAX_WIDTH},
        {CL_MEM_OBJECT_IMAGE1D_BUFFER, CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT, CL_DEVICE_IMAGE_MAX_BUFFER_SIZE},
        {CL_MEM_OBJECT_IMAGE3D, CL_IMAGE_REQUIREMENTS_MAX_HEIGHT_EXT, CL_DEVICE_IMAGE3D_MAX_HEIGHT},
        {CL_MEM_OBJECT_IMAGE3D, CL_IMAGE_REQUIREMENTS_MAX_DEPTH_EXT, CL_DEVICE_IMAGE3D_MAX_DEPTH},
        {CL_MEM_OBJECT_IMAGE1D_ARRAY, CL_IMAGE_REQUIREMENTS_MAX_ARRAY_SIZE_EXT, CL_DEVICE_IMAGE_MAX_ARRAY_SIZE},
    };
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        const cl_image_desc desc = {.image_type = limits[i].type};
        CHECK_EQ(ask(&rgba8, &desc, limits[i].what), limit(limits[i].limit));
    }
    CHECK(ask(NULL, &any, CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT) <= limit(CL_DEVICE_IMAGE3D_MAX_WIDTH));
}

static void check_refused_queries(void)
{
    const cl_image_desc flat = {.image_type = CL_MEM_OBJECT_IMAGE1D, .image_width = 4};
    const cl_image_desc none = {.image_type = CL_MEM_OBJECT_IMAGE1D}, buffer = {.image_type = CL_MEM_OBJECT_BUFFER};
    const cl_image_format odd = {CL_INTENSITY, CL_UNORM_SHORT_555}, lacking = {CL_sRGB, CL_UNORM_INT8};
    const cl_mem_properties properties[] = {1, 1, 0};
    const struct {
        const cl_image_format *format;
        const cl_image_desc *desc;
        cl_mem_flags flags;
        const cl_mem_properties *properties;
        cl_image_requirements_info_ext what;
        size_t size;
        cl_int code;
    } cases[] = {
        {NULL, &flat, 0, NULL, CL_IMAGE_REQUIREMENTS_SIZE_EXT, 8, CL_INVALID_VALUE},
        {&rgba8, NULL, 0, NULL, CL_IMAGE_REQUIREMENTS_SIZE_EXT, 8, CL_INVALID_VALUE},
        {&rgba8, &flat, 0, NULL, CL_IMAGE_REQUIREMENTS_SIZE_EXT, 1, CL_INVALID_VALUE},
        {&rgba8, &flat, ~(cl_mem_flags)0, NULL, CL_IMAGE_REQUIREMENTS_SIZE_EXT, 8, CL_INVALID_VALUE},
        {&rgba8, &flat, 0, NULL, CL_IMAGE_FORMAT, 8, CL_INVALID_VALUE},
        {&rgba8, &flat, 0, properties, CL_IMAGE_REQUIREMENTS_SIZE_EXT, 8, CL_INVALID_PROPERTY},
        {&rgba8, &none, 0, NULL, CL_IMAGE_REQUIREMENTS_ROW_PITCH_ALIGNMENT_EXT, 8, CL_INVALID_IMAGE_DESCRIPTOR},
        {&rgba8, &buffer, 0, NULL, CL_IMAGE_REQUIREMENTS_ROW_PITCH_ALIGNMENT_EXT, 8, CL_INVALID_IMAGE_DESCRIPTOR},
        {&rgba8, &flat, 0, NULL, CL_IMAGE_REQUIREMENTS_MAX_HEIGHT_EXT, 8, CL_INVALID_IMAGE_DESCRIPTOR},
        {&rgba8, &flat, 0, NULL, CL_IMAGE_REQUIREMENTS_MAX_DEPTH_EXT, 8, CL_INVALID_IMAGE_DESCRIPTOR},
        {&rgba8, &flat, 0, NULL, CL_IMAGE_REQUIREMENTS_MAX_ARRAY_SIZE_EXT, 8, CL_INVALID_IMAGE_DESCRIPTOR},
        {&rgba8, &buffer, 0, NULL, CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT, 8, CL_INVALID_IMAGE_DESCRIPTOR},
        {&odd, &flat, 0, NULL, CL_IMAGE_REQUIREMENTS_SIZE_EXT, 8, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR},
        {&lacking, &flat, 0, NULL, CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT, 8, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR},
    };
    size_t value;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        CHECK_EQ(requirements(test_context, cases[i].properties, cases[i].flags, cases[i].format, cases[i].desc,
                              cases[i].what, cases[i].size, &value, NULL),
                 cases[i].code);
    CHECK_EQ(requirements(NULL, NULL, 0, &rgba8, &flat, CL_IMAGE_REQUIREMENTS_SIZE_EXT, 8, &value, NULL), CL_INVALID_CONTEXT);
}

static void refuse(const struct type_row *row, size_t row_pitch, size_t slice_pitch, size_t width, cl_mem parent, cl_int code)
{
    cl_image_desc desc = desc_of(row);
    desc.image_row_pitch = row_pitch;
    desc.image_slice_pitch = slice_pitch;
    desc.image_width = width;
    desc.mem_object = parent;
    CHECK_CREATE(clCreateImage(test_context, 0, &rgba8, &desc, NULL, &error), code);
}

static void check_refusals(void)
{
    static _Alignas(16) unsigned char host[BYTES + 16];
    cl_mem buffer = test_buffer(0, BYTES, NULL), small = test_buffer(0, TEXEL * WIDTH - 1, NULL);
    cl_mem odd = test_buffer(CL_MEM_USE_HOST_PTR, BYTES, host + 1);
    for (int i = 0; i < TYPES; i++) {
        const struct type_row *row = &rows[i];
        refuse(row, row->row_pitch, row->slice_pitch, WIDTH, odd, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
        refuse(row, row->row_pitch, row->slice_pitch, WIDTH, small, CL_INVALID_IMAGE_SIZE);
        if (row->row_pitch)
            refuse(row, ROW + 1, row->slice_pitch, WIDTH, buffer, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
        if (!row->slice_pitch)
            continue;
        refuse(row, ROW, SLICE + 1, WIDTH, buffer, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
        // not a multiple of the row pitch
        refuse(row, ROW, SLICE + TEXEL, WIDTH, buffer, CL_INVALID_IMAGE_DESCRIPTOR);
        refuse(row, ROW, (BYTES / ROW + 1) * ROW, WIDTH, buffer, CL_INVALID_IMAGE_SIZE);
        refuse(row, ROW, SIZE_MAX / ROW * ROW, WIDTH, buffer, CL_INVALID_IMAGE_DESCRIPTOR);
    }
    CHECK_OK(clReleaseMemObject(buffer));
    CHECK_OK(clReleaseMemObject(small));
    CHECK_OK(clReleaseMemObject(odd));
}

int main(void)
{
    test_open();
    if (!test_has_images() || !test_has(test_device, "cl_ext_image_from_buffer"))
        return 77;
    requirements = (clGetImageRequirementsInfoEXT_fn)clGetExtensionFunctionAddressForPlatform(
        test_platform, "clGetImageRequirementsInfoEXT");
    if (!CHECK(requirements))
        return test_close();
    check_requirements();
    check_refused_queries();
    check_refusals();
    for (int i = 0; i < TYPES; i++) {
        struct sample s = {0};
        if (!make(&s, &rows[i]))
            continue;
        check_queries(&s);
        check_reads_and_writes(&s);
        check_fill(&s);
        check_map(&s);
        check_copies(&s);
        check_kernels(&s);
        unmake(&s);
    }
    return test_close();
}
