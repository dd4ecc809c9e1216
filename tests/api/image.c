// SPDX-License-Identifier: Apache-2.0
// Images without kernels: every type in every supported format, compared with a model on the host;
// errors of commands.
#include "test.h"

enum { TYPES = 6, MODEL = 1 << 16 };

static const cl_mem_object_type types[TYPES] = {
    CL_MEM_OBJECT_IMAGE1D, CL_MEM_OBJECT_IMAGE1D_BUFFER, CL_MEM_OBJECT_IMAGE1D_ARRAY,
    CL_MEM_OBJECT_IMAGE2D, CL_MEM_OBJECT_IMAGE2D_ARRAY,  CL_MEM_OBJECT_IMAGE3D};

// An image and its expected contents: rows of texels without padding.
struct sample {
    cl_mem image, buffer; // of a 1D buffer image
    size_t size[3];       // texels, rows or layers, slices or layers
    size_t texel;
    unsigned char *model;
    const char *what;
};

static const size_t zero[3] = {0, 0, 0};
static const cl_image_format rgba8 = {CL_RGBA, CL_UNORM_INT8};

static void scramble(unsigned char *bytes, size_t count, unsigned seed)
{
    for (size_t i = 0; i < count; i++)
        bytes[i] = (unsigned char)((seed = seed * 1664525 + 1013904223) >> 24);
}

static size_t bytes_in(const struct sample *s)
{
    return s->size[0] * s->size[1] * s->size[2] * s->texel;
}

static unsigned char *model_at(const struct sample *s, size_t x, size_t y, size_t z)
{
    return s->model + ((z * s->size[1] + y) * s->size[0] + x) * s->texel;
}

static void fill_desc(cl_mem_object_type type, cl_image_desc *desc)
{
    memset(desc, 0, sizeof *desc);
    desc->image_type = type;
    desc->image_width = 13;
    if (type == CL_MEM_OBJECT_IMAGE2D || type == CL_MEM_OBJECT_IMAGE2D_ARRAY ||
        type == CL_MEM_OBJECT_IMAGE3D)
        desc->image_height = 7;
    if (type == CL_MEM_OBJECT_IMAGE3D)
        desc->image_depth = 5;
    if (type == CL_MEM_OBJECT_IMAGE1D_ARRAY || type == CL_MEM_OBJECT_IMAGE2D_ARRAY)
        desc->image_array_size = 3;
}

static void sizes_of(const cl_image_desc *desc, size_t size[3])
{
    bool layered_rows = desc->image_type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
    size[0] = desc->image_width;
    size[1] = layered_rows ? desc->image_array_size : desc->image_height ? desc->image_height : 1;
    size[2] = desc->image_depth                         ? desc->image_depth
              : desc->image_array_size && !layered_rows ? desc->image_array_size
                                                        : 1;
}

static bool make(struct sample *s, const cl_image_format *format, cl_mem_object_type type,
                 cl_mem_flags flags)
{
    cl_image_desc desc;
    cl_int code;
    fill_desc(type, &desc);
    memset(s, 0, sizeof *s);
    sizes_of(&desc, s->size);
    if (type == CL_MEM_OBJECT_IMAGE1D_BUFFER)
        s->buffer = desc.mem_object = test_buffer(flags, 1024, NULL);
    s->image = clCreateImage(test_context, flags, format, &desc, NULL, &code);
    if (!CHECK_OK(code))
        return false;
    CHECK_OK(clGetImageInfo(s->image, CL_IMAGE_ELEMENT_SIZE, sizeof s->texel, &s->texel, NULL));
    s->model = calloc(1, bytes_in(s));
    return true;
}

static void unmake(struct sample *s)
{
    CHECK_OK(clReleaseMemObject(s->image));
    if (s->buffer)
        CHECK_OK(clReleaseMemObject(s->buffer));
    free(s->model);
}

static void expect(const struct sample *s, const char *what)
{
    static unsigned char got[MODEL];
    memset(got, 0xee, sizeof got);
    CHECK_OK(
        clEnqueueReadImage(test_queue, s->image, CL_TRUE, zero, s->size, 0, 0, got, 0, NULL, NULL));
    if (!CHECK(!memcmp(got, s->model, bytes_in(s))))
        printf("  after %s of %s\n", what, s->what);
}

// A box inside the image, at least one texel from its edges if there is room.
static void inner_box(const struct sample *s, size_t origin[3], size_t region[3])
{
    for (int i = 0; i < 3; i++) {
        origin[i] = s->size[i] > 2;
        region[i] = s->size[i] > 2 ? s->size[i] - 2 : s->size[i];
    }
}

static size_t rows_pitch(const struct sample *s, cl_mem_object_type type, size_t row, size_t slice)
{
    (void)s;
    return type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? slice : row;
}

// Writes and reads a box, with pitches larger than its rows.
static void check_boxes(struct sample *s, cl_mem_object_type type)
{
    static unsigned char host[MODEL], back[MODEL];
    size_t origin[3], region[3];
    inner_box(s, origin, region);
    bool slices = type != CL_MEM_OBJECT_IMAGE1D && type != CL_MEM_OBJECT_IMAGE2D &&
                  type != CL_MEM_OBJECT_IMAGE1D_BUFFER;
    size_t row = (region[0] + 2) * s->texel;
    size_t slice = type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? row * 2 : row * (region[1] + 1);
    size_t down = rows_pitch(s, type, row, slice);
    scramble(host, sizeof host, 5);
    memset(back, 0, sizeof back);
    for (size_t z = 0; z < region[2]; z++)
        for (size_t y = 0; y < region[1]; y++)
            memcpy(model_at(s, origin[0], origin[1] + y, origin[2] + z),
                   host + z * slice + y * down, region[0] * s->texel);
    CHECK_OK(clEnqueueWriteImage(test_queue, s->image, CL_FALSE, origin, region, row,
                                 slices ? slice : 0, host, 0, NULL, NULL));
    expect(s, "a write of a box");
    CHECK_OK(clEnqueueReadImage(test_queue, s->image, CL_FALSE, origin, region, row,
                                slices ? slice : 0, back, 0, NULL, NULL));
    CHECK_OK(clFinish(test_queue));
    bool same = true;
    for (size_t z = 0; z < region[2]; z++)
        for (size_t y = 0; y < region[1]; y++)
            same &= !memcmp(back + z * slice + y * down, host + z * slice + y * down,
                            region[0] * s->texel);
    if (!CHECK(same))
        printf("  reading a box of %s\n", s->what);
    CHECK_EQ(back[region[0] * s->texel], 0); // padding between the rows
}

// Copies to a buffer and back, at offsets that are multiples of the texel size and at others.
static void check_buffers(struct sample *s)
{
    static unsigned char got[MODEL];
    static const size_t offsets[] = {0, 256, 3};
    size_t origin[3], region[3];
    inner_box(s, origin, region);
    size_t row = region[0] * s->texel, size = row * region[1] * region[2];
    cl_mem buffer = test_buffer(0, 300 + size, NULL);
    for (int i = 0; i < 3; i++) {
        CHECK_OK(clEnqueueCopyImageToBuffer(test_queue, s->image, buffer, origin, region,
                                            offsets[i], 0, NULL, NULL));
        CHECK_OK(
            clEnqueueReadBuffer(test_queue, buffer, CL_TRUE, offsets[i], size, got, 0, NULL, NULL));
        bool same = true;
        for (size_t z = 0; z < region[2]; z++)
            for (size_t y = 0; y < region[1]; y++)
                same &= !memcmp(got + (z * region[1] + y) * row,
                                model_at(s, origin[0], origin[1] + y, origin[2] + z), row);
        if (!CHECK(same))
            printf("  copying %s to a buffer at %zu\n", s->what, offsets[i]);
        scramble(got, size, 17 + (unsigned)i);
        CHECK_OK(clEnqueueWriteBuffer(test_queue, buffer, CL_TRUE, offsets[i], size, got, 0, NULL,
                                      NULL));
        for (size_t z = 0; z < region[2]; z++)
            for (size_t y = 0; y < region[1]; y++)
                memcpy(model_at(s, origin[0], origin[1] + y, origin[2] + z),
                       got + (z * region[1] + y) * row, row);
        CHECK_OK(clEnqueueCopyBufferToImage(test_queue, buffer, s->image, offsets[i], origin,
                                            region, 0, NULL, NULL));
        expect(s, "a copy from a buffer");
    }
    CHECK_OK(clReleaseMemObject(buffer));
}

// Copies a part of one image to another, and within one image.
static void check_copies(struct sample *s, struct sample *to)
{
    const size_t region[3] = {5, s->size[1] < to->size[1] ? s->size[1] : to->size[1], 1};
    const size_t from_at[3] = {1, 0, s->size[2] - 1}, to_at[3] = {7, 0, to->size[2] / 2};
    CHECK_OK(
        clEnqueueCopyImage(test_queue, s->image, to->image, from_at, to_at, region, 0, NULL, NULL));
    for (size_t y = 0; y < region[1]; y++)
        memmove(model_at(to, to_at[0], y, to_at[2]), model_at(s, from_at[0], y, from_at[2]),
                region[0] * s->texel);
    expect(to, s->what);
}

static void check_fill(struct sample *s, const cl_image_format *format)
{
    static const float one[4] = {1, 1, 1, 1};
    static const cl_uint ones[4] = {1, 1, 1, 1};
    size_t origin[3], region[3];
    bool is_int = format->image_channel_data_type >= CL_SIGNED_INT8 &&
                  format->image_channel_data_type <= CL_UNSIGNED_INT32;
    unsigned char texel[16];
    inner_box(s, origin, region);
    CHECK_OK(clEnqueueFillImage(test_queue, s->image, is_int ? (const void *)ones : one, origin,
                                region, 0, NULL, NULL));
    // Only checks that all texels are equal; check_colours() checks the value.
    CHECK_OK(clEnqueueReadImage(test_queue, s->image, CL_TRUE, origin, (size_t[]){1, 1, 1}, 0, 0,
                                texel, 0, NULL, NULL));
    for (size_t z = 0; z < region[2]; z++)
        for (size_t y = 0; y < region[1]; y++)
            for (size_t x = 0; x < region[0]; x++)
                memcpy(model_at(s, origin[0] + x, origin[1] + y, origin[2] + z), texel, s->texel);
    expect(s, "a fill");
}

static void check_map(struct sample *s, cl_mem_object_type type)
{
    size_t origin[3], region[3], row = 0, slice = 0;
    cl_int code;
    inner_box(s, origin, region);
    unsigned char *bytes =
        clEnqueueMapImage(test_queue, s->image, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, origin, region,
                          &row, &slice, 0, NULL, NULL, &code);
    if (!CHECK_OK(code))
        return;
    bool same = true;
    size_t down = rows_pitch(s, type, row, slice);
    CHECK(row >= region[0] * s->texel);
    for (size_t z = 0; z < region[2]; z++)
        for (size_t y = 0; y < region[1]; y++) {
            unsigned char *at = bytes + z * slice + y * down;
            unsigned char *model = model_at(s, origin[0], origin[1] + y, origin[2] + z);
            same &= !memcmp(at, model, region[0] * s->texel);
            scramble(at, region[0] * s->texel, (unsigned)(y * 31 + z));
            memcpy(model, at, region[0] * s->texel);
        }
    if (!CHECK(same))
        printf("  mapping %s\n", s->what);
    CHECK_OK(clEnqueueUnmapMemObject(test_queue, s->image, bytes, 0, NULL, NULL));
    expect(s, "an unmap");
}

static const char *name_of(cl_mem_object_type type, const cl_image_format *format)
{
    static char text[64];
    snprintf(text, sizeof text, "type 0x%x, format 0x%x 0x%x", type, format->image_channel_order,
             format->image_channel_data_type);
    return text;
}

static void check_format(cl_mem_object_type type, const cl_image_format *format, cl_mem_flags flags)
{
    static unsigned char host[MODEL];
    struct sample s, flat;
    if (!make(&s, format, type, flags))
        return;
    s.what = name_of(type, format);
    scramble(host, bytes_in(&s), 1);
    memcpy(s.model, host, bytes_in(&s));
    CHECK_OK(
        clEnqueueWriteImage(test_queue, s.image, CL_TRUE, zero, s.size, 0, 0, host, 0, NULL, NULL));
    expect(&s, "a write");
    check_boxes(&s, type);
    check_buffers(&s);
    check_copies(&s, &s);
    if (make(&flat, format, CL_MEM_OBJECT_IMAGE2D, flags)) {
        flat.what = "(a 2D image beside it)";
        CHECK_OK(clEnqueueWriteImage(test_queue, flat.image, CL_TRUE, zero, flat.size, 0, 0,
                                     flat.model, 0, NULL, NULL));
        check_copies(&s, &flat);
        check_copies(&flat, &s);
        unmake(&flat);
    }
    check_fill(&s, format);
    check_map(&s, type);
    unmake(&s);
}

// When calls are made to fail, tests one format in seven, different ones for each type: otherwise
// nearly all calls would be these, and all alike.
static void check_all_formats(void)
{
    static cl_image_format formats[256];
    cl_uint step = getenv("INJECT_FILE") ? 7 : 1;
    for (int t = 0; t < TYPES; t++) {
        cl_uint count = 0;
        CHECK_OK(clGetSupportedImageFormats(test_context, CL_MEM_READ_ONLY, types[t], 256, formats,
                                            &count));
        CHECK(count > 12 && count < 256);
        for (cl_uint i = (cl_uint)t % step; i < count; i += step)
            check_format(types[t], &formats[i],
                         test_has_format(CL_MEM_READ_WRITE, types[t], &formats[i])
                             ? CL_MEM_READ_WRITE
                             : CL_MEM_READ_ONLY);
    }
}

// ---- fill colours -------------------------------------------------------------------------------

struct colour_row {
    cl_channel_order order;
    cl_channel_type type;
    float f[4]; // float formats
    cl_int i[4];
    unsigned char want[16];
};

static const struct colour_row colour_rows[] = {
    {CL_RGBA, CL_UNORM_INT8, {0, 1, 0.5f, 2}, {0}, {0, 255, 128, 255}},
    {CL_BGRA, CL_UNORM_INT8, {1, 0.2f, 0, 1}, {0}, {0, 51, 255, 255}},
    {CL_RGBA, CL_SNORM_INT8, {-1, 1, -2, 0.5f}, {0}, {0x81, 127, 0x81, 64}},
    {CL_R, CL_UNORM_INT16, {0.5f}, {0}, {0x00, 0x80}},
    {CL_RG, CL_HALF_FLOAT, {1, -2}, {0}, {0x00, 0x3c, 0x00, 0xc0}},
    {CL_R, CL_FLOAT, {1.5f}, {0}, {0, 0, 0xc0, 0x3f}},
    {CL_RGBA, CL_SIGNED_INT8, {0}, {-200, 200, -1, 5}, {0x80, 0x7f, 0xff, 5}},
    {CL_RG, CL_SIGNED_INT16, {0}, {-40000, 300}, {0x00, 0x80, 0x2c, 0x01}},
    {CL_R, CL_SIGNED_INT32, {0}, {-2}, {0xfe, 0xff, 0xff, 0xff}},
    {CL_RGBA, CL_UNSIGNED_INT8, {0}, {1, 255, 256, -1}, {1, 255, 255, 255}},
    {CL_R, CL_UNSIGNED_INT16, {0}, {70000}, {0xff, 0xff}},
    {CL_A, CL_UNORM_INT8, {0, 0, 0, 1}, {0}, {255}},
    {CL_RA, CL_UNORM_INT8, {1, 0, 0, 0.2f}, {0}, {255, 51}},
    {CL_ARGB, CL_UNORM_INT8, {1, 0.2f, 0, 0.6f}, {0}, {153, 255, 51, 0}},
    {CL_ABGR, CL_UNORM_INT8, {1, 0.2f, 0, 0.6f}, {0}, {153, 0, 51, 255}},
    {CL_LUMINANCE, CL_UNORM_INT8, {0.2f, 1, 1, 1}, {0}, {51}},
    {CL_INTENSITY, CL_UNORM_INT8, {0.2f, 1, 1, 1}, {0}, {51}},
    {CL_RGB, CL_UNORM_SHORT_565, {1, 0, 0.5f, 0}, {0}, {0x10, 0xf8}},
    {CL_RGB, CL_UNORM_SHORT_555, {1, 0, 1, 0}, {0}, {0x1f, 0x7c}},
    {CL_RGB, CL_UNORM_INT_101010, {1, 0, 1, 0}, {0}, {0xff, 0x03, 0xf0, 0x3f}},
    {CL_ABGR, CL_UNORM_INT_2_101010_EXT, {1, 0, 0.25f, 0.667f}, {0}, {0xff, 0x03, 0x00, 0x90}},
    {CL_sRGBA, CL_UNORM_INT8, {1, 0.5f, 0, 0.2f}, {0}, {255, 188, 0, 51}},
    {CL_DEPTH, CL_FLOAT, {0.5f}, {0}, {0, 0, 0, 0x3f}},
    {CL_DEPTH, CL_UNORM_INT16, {1}, {0}, {0xff, 0xff}},
};

static void check_colours(void)
{
    for (size_t i = 0; i < sizeof colour_rows / sizeof *colour_rows; i++) {
        const struct colour_row *row = &colour_rows[i];
        const cl_image_format format = {row->order, row->type};
        const size_t one[3] = {1, 1, 1}, at[3] = {2, 3, 0};
        struct sample s;
        unsigned char got[16];
        if (!test_has_format(CL_MEM_READ_ONLY, CL_MEM_OBJECT_IMAGE2D, &format))
            continue;
        if (!make(&s, &format, CL_MEM_OBJECT_IMAGE2D, CL_MEM_READ_ONLY))
            continue;
        bool is_int = row->type >= CL_SIGNED_INT8 && row->type <= CL_UNSIGNED_INT32;
        CHECK_OK(clEnqueueFillImage(test_queue, s.image,
                                    is_int ? (const void *)row->i : (const void *)row->f, zero,
                                    s.size, 0, NULL, NULL));
        CHECK_OK(
            clEnqueueReadImage(test_queue, s.image, CL_TRUE, at, one, 0, 0, got, 0, NULL, NULL));
        if (!CHECK(!memcmp(got, row->want, s.texel))) {
            printf("  in row %zu: ", i);
            for (size_t b = 0; b < s.texel; b++)
                printf(" %02x", got[b]);
            printf("\n");
        }
        unmake(&s);
    }
}

// More texels than one fill command of the runtime writes.
static void check_large_fill(void)
{
    const cl_image_format format = {CL_R, CL_UNSIGNED_INT32};
    const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE3D,
                                .image_width = 700,
                                .image_height = 513,
                                .image_depth = 3};
    const size_t origin[3] = {1, 1, 1}, region[3] = {698, 511, 2}, whole[3] = {700, 513, 3};
    const cl_uint colour[4] = {0x12345678};
    cl_int code;
    size_t most = 0;
    CHECK_OK(clGetDeviceInfo(test_device, CL_DEVICE_IMAGE3D_MAX_HEIGHT, sizeof most, &most, NULL));
    if (most < 513) // Mali Utgard
        return;
    cl_uint *got = malloc(700 * 513 * 3 * 4);
    cl_mem image = clCreateImage(test_context, 0, &format, &desc, NULL, &code);
    CHECK_OK(code);
    CHECK_OK(clEnqueueFillImage(test_queue, image, (cl_uint[4]){7}, zero, whole, 0, NULL, NULL));
    CHECK_OK(clEnqueueFillImage(test_queue, image, colour, origin, region, 0, NULL, NULL));
    CHECK_OK(clEnqueueReadImage(test_queue, image, CL_TRUE, zero, whole, 0, 0, got, 0, NULL, NULL));
    int wrong = 0;
    for (int z = 0; z < 3; z++)
        for (int y = 0; y < 513; y++)
            for (int x = 0; x < 700; x++) {
                bool inside = z >= 1 && y >= 1 && y < 512 && x >= 1 && x < 699;
                wrong += got[(z * 513 + y) * 700 + x] != (inside ? 0x12345678u : 7u);
            }
    CHECK_EQ(wrong, 0);
    CHECK_OK(clReleaseMemObject(image));
    free(got);
}

// Larger than most drivers allocate at once: accesses its corners, if there is enough memory.
static void check_huge(void)
{
    const cl_image_format format = {CL_RGBA, CL_FLOAT};
    const size_t width = 16383, height = 8500, at[2] = {0, width - 100}, down[2] = {0, height - 50};
    const cl_image_desc desc = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = width, .image_height = height};
    static float texels[100 * 50 * 4], got[100 * 50 * 4];
    size_t most = 0;
    cl_int code;
    CHECK_OK(clGetDeviceInfo(test_device, CL_DEVICE_IMAGE2D_MAX_WIDTH, sizeof most, &most, NULL));
    cl_mem image = clCreateImage(test_context, 0, &format, &desc, NULL, &code);
    if (!image) {
        CHECK_EQ(code, most < width ? CL_INVALID_IMAGE_SIZE : CL_MEM_OBJECT_ALLOCATION_FAILURE);
        return;
    }
    for (int i = 0; i < 100 * 50 * 4; i++)
        texels[i] = (float)i;
    for (int turn = 0; turn < 2; turn++)
        for (int corner = 0; corner < 4; corner++) {
            const size_t origin[3] = {at[corner % 2], down[corner / 2], 0}, box[3] = {100, 50, 1};
            texels[0] = (float)corner;
            if (!turn) {
                CHECK_OK(clEnqueueWriteImage(test_queue, image, CL_TRUE, origin, box, 0, 0, texels,
                                             0, NULL, NULL));
                continue;
            }
            CHECK_OK(clEnqueueReadImage(test_queue, image, CL_TRUE, origin, box, 0, 0, got, 0, NULL,
                                        NULL));
            CHECK(!memcmp(got, texels, sizeof got));
        }
    CHECK_OK(clReleaseMemObject(image));
}

// Larger than one chunk of a blocking transfer: rows and whole slices, with a pitch.
static void check_large_transfer(void)
{
    static const struct {
        cl_image_desc desc;
        size_t pitch;
    } rows[] = {
        {{.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 3000, .image_height = 3001}, 12008},
        {{.image_type = CL_MEM_OBJECT_IMAGE2D_ARRAY,
          .image_width = 500,
          .image_height = 300,
          .image_array_size = 60},
         0},
    };
    for (int i = 0; i < 2; i++) {
        cl_int code;
        size_t size[3];
        sizes_of(&rows[i].desc, size);
        size_t row = rows[i].pitch ? rows[i].pitch : size[0] * 4, all = row * size[1] * size[2];
        unsigned char *bytes = malloc(all), *got = calloc(1, all);
        scramble(bytes, all, 11);
        cl_mem image = clCreateImage(test_context, 0, &rgba8, &rows[i].desc, NULL, &code);
        CHECK_OK(code);
        CHECK_OK(clEnqueueWriteImage(test_queue, image, CL_TRUE, zero, size, rows[i].pitch, 0,
                                     bytes, 0, NULL, NULL));
        CHECK_OK(clEnqueueReadImage(test_queue, image, CL_TRUE, zero, size, rows[i].pitch, 0, got,
                                    0, NULL, NULL));
        bool same = true;
        for (size_t y = 0; y < size[1] * size[2]; y++)
            same &= !memcmp(got + y * row, bytes + y * row, size[0] * 4);
        CHECK(same);
        CHECK_OK(clReleaseMemObject(image));
        free(bytes);
        free(got);
    }
}

// ---- the application's own memory ---------------------------------------------------------------

// With pitches: contents come from host memory, and maps return pointers to it.
static void check_host_memory(void)
{
    enum { ROW = 40, SLICE = ROW * 5 };
    static unsigned char host[SLICE * 2], packed[8 * 4 * 4 * 2];
    const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE3D,
                                .image_width = 8,
                                .image_height = 4,
                                .image_depth = 2,
                                .image_row_pitch = ROW,
                                .image_slice_pitch = SLICE};
    const size_t whole[3] = {8, 4, 2}, origin[3] = {1, 2, 1}, region[3] = {3, 2, 1};
    scramble(host, sizeof host, 3);
    for (int use = 0; use < 2; use++) {
        cl_int code;
        size_t row, slice;
        cl_mem image = clCreateImage(test_context, use ? CL_MEM_USE_HOST_PTR : CL_MEM_COPY_HOST_PTR,
                                     &rgba8, &desc, host, &code);
        CHECK_OK(code);
        CHECK_OK(clEnqueueReadImage(test_queue, image, CL_TRUE, zero, whole, 0, 0, packed, 0, NULL,
                                    NULL));
        for (int z = 0; z < 2; z++)
            for (int y = 0; y < 4; y++)
                CHECK(!memcmp(packed + (z * 4 + y) * 32, host + z * SLICE + y * ROW, 32));
        unsigned char *mapped =
            clEnqueueMapImage(test_queue, image, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, origin,
                              region, &row, &slice, 0, NULL, NULL, &code);
        CHECK_OK(code);
        CHECK(!use || mapped == host + SLICE + 2 * ROW + 4);
        CHECK_EQ(row, use ? ROW : 12);
        memset(mapped + row, 0x5a, 12);
        CHECK_OK(clEnqueueUnmapMemObject(test_queue, image, mapped, 0, NULL, NULL));
        CHECK_OK(clEnqueueReadImage(test_queue, image, CL_TRUE, zero, whole, 0, 0, packed, 0, NULL,
                                    NULL));
        for (int i = 0; i < 12; i++)
            CHECK_EQ(packed[(4 + 3) * 32 + 4 + i], 0x5a);
        CHECK_OK(clReleaseMemObject(image));
    }
}

// Images created from an image in host memory are also mapped there.
static void check_child_memory(void)
{
    static unsigned char host[64 * 4];
    const cl_image_format srgb = {CL_sRGBA, CL_UNORM_INT8};
    cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D,
                          .image_width = 8,
                          .image_height = 4,
                          .image_row_pitch = 64};
    const size_t origin[3] = {2, 3, 0}, one[3] = {1, 1, 1};
    size_t row;
    cl_int code;
    if (!test_has_format(CL_MEM_READ_ONLY, CL_MEM_OBJECT_IMAGE2D, &srgb))
        return;
    scramble(host, sizeof host, 3);
    cl_mem parent = clCreateImage(test_context, CL_MEM_USE_HOST_PTR | CL_MEM_READ_ONLY, &rgba8,
                                  &desc, host, &code);
    CHECK_OK(code);
    desc.mem_object = parent;
    desc.image_row_pitch = 0;
    cl_mem child = clCreateImage(test_context, 0, &srgb, &desc, NULL, &code);
    CHECK_OK(code);
    unsigned char *mapped = clEnqueueMapImage(test_queue, child, CL_TRUE, CL_MAP_READ, origin, one,
                                              &row, NULL, 0, NULL, NULL, &code);
    CHECK_OK(code);
    CHECK(mapped == host + 3 * 64 + 8);
    CHECK_EQ(row, 64);
    CHECK_OK(clEnqueueUnmapMemObject(test_queue, child, mapped, 0, NULL, NULL));
    CHECK_OK(clReleaseMemObject(parent));
    CHECK_OK(clReleaseMemObject(child));
}

// ---- misuse of commands -------------------------------------------------------------------------

static void check_map_overlaps(cl_mem image)
{
    const size_t region[3] = {4, 4, 1}, beside[3] = {4, 0, 0}, inside[3] = {3, 3, 0};
    size_t row;
    cl_int code;
    cl_uint count;
    void *held = clEnqueueMapImage(test_queue, image, CL_TRUE, CL_MAP_WRITE, zero, region, &row,
                                   NULL, 0, NULL, NULL, &code);
    CHECK_OK(code);
    CHECK_CREATE(clEnqueueMapImage(test_queue, image, CL_TRUE, CL_MAP_WRITE, inside, region, &row,
                                   NULL, 0, NULL, NULL, &error),
                 CL_INVALID_OPERATION);
    void *other = clEnqueueMapImage(test_queue, image, CL_TRUE, CL_MAP_WRITE, beside, region, &row,
                                    NULL, 0, NULL, NULL, &code);
    CHECK_OK(code);
    void *read = clEnqueueMapImage(test_queue, image, CL_TRUE, CL_MAP_READ, inside, region, &row,
                                   NULL, 0, NULL, NULL, &code);
    CHECK_OK(code);
    CHECK_OK(clGetMemObjectInfo(image, CL_MEM_MAP_COUNT, sizeof count, &count, NULL));
    CHECK_EQ(count, 3);
    CHECK_OK(clEnqueueUnmapMemObject(test_queue, image, held, 0, NULL, NULL));
    CHECK_OK(clEnqueueUnmapMemObject(test_queue, image, read, 0, NULL, NULL));
    CHECK_OK(clEnqueueUnmapMemObject(test_queue, image, other, 0, NULL, NULL));
    CHECK_EQ(clEnqueueUnmapMemObject(test_queue, image, other, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_OK(clFinish(test_queue));
}

static void check_transfer_misuse(cl_mem image)
{
    unsigned char bytes[4096];
    const size_t one[3] = {1, 1, 1}, none[3] = {1, 0, 1}, deep[3] = {1, 1, 2}, far[3] = {13, 0, 0},
                 wide[3] = {SIZE_MAX, 1, 1}, four[3] = {4, 4, 1};
    cl_mem buffer = test_buffer(0, 64, NULL);
    const struct {
        cl_mem image;
        const size_t *origin, *region;
        size_t row, slice;
        void *pointer;
        cl_int want;
    } rows[] = {
        {image, zero, one, 0, 0, bytes, CL_SUCCESS},
        {NULL, zero, one, 0, 0, bytes, CL_INVALID_MEM_OBJECT},
        {buffer, zero, one, 0, 0, bytes, CL_INVALID_MEM_OBJECT},
        {image, NULL, one, 0, 0, bytes, CL_INVALID_VALUE},
        {image, zero, NULL, 0, 0, bytes, CL_INVALID_VALUE},
        {image, zero, one, 0, 0, NULL, CL_INVALID_VALUE},
        {image, zero, none, 0, 0, bytes, CL_INVALID_VALUE},
        {image, zero, deep, 0, 0, bytes, CL_INVALID_VALUE},
        {image, far, one, 0, 0, bytes, CL_INVALID_VALUE},
        {image, one, wide, 0, 0, bytes, CL_INVALID_VALUE},
        {image, zero, four, 15, 0, bytes, CL_INVALID_VALUE},
        {image, zero, four, 16, 64, bytes, CL_INVALID_VALUE},
        {image, zero, four, 19, 0, bytes, CL_SUCCESS},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cl_int code =
            clEnqueueReadImage(test_queue, rows[i].image, CL_TRUE, rows[i].origin, rows[i].region,
                               rows[i].row, rows[i].slice, rows[i].pointer, 0, NULL, NULL);
        cl_int back =
            clEnqueueWriteImage(test_queue, rows[i].image, CL_TRUE, rows[i].origin, rows[i].region,
                                rows[i].row, rows[i].slice, rows[i].pointer, 0, NULL, NULL);
        bool reads = CHECK_EQ(code, rows[i].want), writes = CHECK_EQ(back, rows[i].want);
        if (!reads || !writes)
            printf("  in row %zu\n", i);
    }
    CHECK_EQ(clEnqueueReadImage(NULL, image, CL_TRUE, zero, one, 0, 0, bytes, 0, NULL, NULL),
             CL_INVALID_COMMAND_QUEUE);
    CHECK_EQ(clEnqueueReadImage(test_queue, image, CL_TRUE, zero, one, 0, 0, bytes, 1, NULL, NULL),
             CL_INVALID_EVENT_WAIT_LIST);
    CHECK_EQ(clEnqueueFillImage(test_queue, image, NULL, zero, one, 0, NULL, NULL),
             CL_INVALID_VALUE);
    CHECK_EQ(clEnqueueCopyImageToBuffer(test_queue, image, buffer, zero, four, 1, 0, NULL, NULL),
             CL_INVALID_VALUE);
    CHECK_OK(clEnqueueCopyImageToBuffer(test_queue, image, buffer, zero, four, 0, 0, NULL, NULL));
    CHECK_EQ(clEnqueueCopyImageToBuffer(test_queue, image, image, zero, four, 0, 0, NULL, NULL),
             CL_INVALID_MEM_OBJECT);
    CHECK_EQ(clEnqueueCopyBufferToImage(test_queue, buffer, image, 64, zero, one, 0, NULL, NULL),
             CL_INVALID_VALUE);
    CHECK_EQ(clEnqueueReadBuffer(test_queue, image, CL_TRUE, 0, 4, bytes, 0, NULL, NULL),
             CL_INVALID_MEM_OBJECT);
    CHECK_CREATE(clEnqueueMapImage(test_queue, image, CL_TRUE, CL_MAP_READ, zero, one, NULL, NULL,
                                   0, NULL, NULL, &error),
                 CL_INVALID_VALUE);
    size_t row;
    CHECK_CREATE(clEnqueueMapImage(test_queue, image, CL_TRUE, 1 << 10, zero, one, &row, NULL, 0,
                                   NULL, NULL, &error),
                 CL_INVALID_VALUE);
    CHECK_OK(clEnqueueMigrateMemObjects(test_queue, 1, &image, 0, 0, NULL, NULL));
    CHECK_OK(clReleaseMemObject(buffer));
}

static void check_copy_misuse(cl_mem image)
{
    const size_t four[3] = {4, 4, 1}, two[3] = {2, 2, 0}, right[3] = {4, 0, 0};
    const cl_image_format other = {CL_RGBA, CL_UNSIGNED_INT8};
    cl_int code;
    cl_image_desc desc = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 13, .image_height = 7};
    cl_mem unlike = clCreateImage(test_context, 0, &other, &desc, NULL, &code);
    CHECK_OK(code);
    CHECK_EQ(clEnqueueCopyImage(test_queue, image, unlike, zero, zero, four, 0, NULL, NULL),
             CL_IMAGE_FORMAT_MISMATCH);
    CHECK_EQ(clEnqueueCopyImage(test_queue, image, image, zero, two, four, 0, NULL, NULL),
             CL_MEM_COPY_OVERLAP);
    CHECK_OK(clEnqueueCopyImage(test_queue, image, image, zero, right, four, 0, NULL, NULL));
    // An image on a buffer overlaps the buffer's bytes.
    cl_mem buffer = test_buffer(0, 1024, NULL);
    desc = (cl_image_desc){
        .image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER, .image_width = 256, .mem_object = buffer};
    cl_mem window = clCreateImage(test_context, 0, &rgba8, &desc, NULL, &code);
    CHECK_OK(code);
    const size_t row[3] = {16, 1, 1};
    CHECK_EQ(clEnqueueCopyImageToBuffer(test_queue, window, buffer, zero, row, 60, 0, NULL, NULL),
             CL_MEM_COPY_OVERLAP);
    CHECK_OK(clEnqueueCopyImageToBuffer(test_queue, window, buffer, zero, row, 64, 0, NULL, NULL));
    CHECK_OK(clReleaseMemObject(window));
    CHECK_OK(clReleaseMemObject(buffer));
    CHECK_OK(clReleaseMemObject(unlike));
}

static void check_access_flags(void)
{
    const cl_image_desc desc = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 4};
    const size_t one[3] = {1, 1, 1};
    unsigned char bytes[4] = {0};
    cl_int code;
    size_t row;
    cl_mem no_read =
        clCreateImage(test_context, CL_MEM_HOST_WRITE_ONLY, &rgba8, &desc, NULL, &code);
    cl_mem no_write =
        clCreateImage(test_context, CL_MEM_HOST_READ_ONLY, &rgba8, &desc, NULL, &code);
    CHECK_EQ(
        clEnqueueReadImage(test_queue, no_read, CL_TRUE, zero, one, 0, 0, bytes, 0, NULL, NULL),
        CL_INVALID_OPERATION);
    CHECK_OK(
        clEnqueueWriteImage(test_queue, no_read, CL_TRUE, zero, one, 0, 0, bytes, 0, NULL, NULL));
    CHECK_EQ(
        clEnqueueWriteImage(test_queue, no_write, CL_TRUE, zero, one, 0, 0, bytes, 0, NULL, NULL),
        CL_INVALID_OPERATION);
    CHECK_CREATE(clEnqueueMapImage(test_queue, no_write, CL_TRUE, CL_MAP_WRITE, zero, one, &row,
                                   NULL, 0, NULL, NULL, &error),
                 CL_INVALID_OPERATION);
    CHECK_CREATE(clEnqueueMapImage(test_queue, no_read, CL_TRUE, CL_MAP_READ, zero, one, &row, NULL,
                                   0, NULL, NULL, &error),
                 CL_INVALID_OPERATION);
    CHECK_OK(clReleaseMemObject(no_read));
    CHECK_OK(clReleaseMemObject(no_write));
}

static void check_misuse(void)
{
    struct sample s;
    if (!make(&s, &rgba8, CL_MEM_OBJECT_IMAGE2D, 0))
        return;
    check_map_overlaps(s.image);
    check_transfer_misuse(s.image);
    check_copy_misuse(s.image);
    check_access_flags();
    unmake(&s);
}

int main(void)
{
    test_open();
    if (!test_has_images()) {
        printf("no images\n");
        return 77;
    }
    check_all_formats();
    check_colours();
    check_large_fill();
    check_large_transfer();
    check_huge();
    check_host_memory();
    check_child_memory();
    check_misuse();
    return test_close();
}
