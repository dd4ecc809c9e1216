// SPDX-License-Identifier: Apache-2.0
// cl_khr_mipmap_image: images with several levels, each of which is written, read, filled, copied
// and mapped; kernels that read them by a level of detail and by gradients, through samplers that
// filter and clamp it.
#include <math.h>
#include "test.h"

enum { WIDTH = 13, HEIGHT = 9, DEPTH = 5, LEVELS = 3, MOST = WIDTH * HEIGHT * DEPTH };

static const struct type_row {
    cl_mem_object_type type;
    size_t height, depth, array_size;
    int dimensions; // of a coordinate, layers included; the level's index is the next component
    const char *name, *at;
} rows[] = {
    {CL_MEM_OBJECT_IMAGE1D, 0, 0, 0, 1, "image1d_t", "p.x"},
    {CL_MEM_OBJECT_IMAGE1D_ARRAY, 0, 0, DEPTH, 2, "image1d_array_t", "(float2)(p.x, y)"},
    {CL_MEM_OBJECT_IMAGE2D, HEIGHT, 0, 0, 2, "image2d_t", "p.xy"},
    {CL_MEM_OBJECT_IMAGE2D_ARRAY, HEIGHT, 0, DEPTH, 3, "image2d_array_t", "(float4)(p.xy, z, 0)"},
    {CL_MEM_OBJECT_IMAGE3D, HEIGHT, DEPTH, 0, 3, "image3d_t", "p"},
};
enum { TYPES = sizeof rows / sizeof *rows };

static const cl_image_format format = {CL_R, CL_FLOAT};
static float model[LEVELS][MOST];

struct sample {
    const struct type_row *row;
    cl_mem image;
    size_t size[LEVELS][3];
};

static size_t halved(size_t size, int level)
{
    return size >> level ? size >> level : 1;
}

static size_t texels(const struct sample *s, int level)
{
    return s->size[level][0] * s->size[level][1] * s->size[level][2];
}

static cl_image_desc desc_of(const struct type_row *row)
{
    return (cl_image_desc){.image_type = row->type,
                           .image_width = WIDTH,
                           .image_height = row->height,
                           .image_depth = row->depth,
                           .image_array_size = row->array_size,
                           .num_mip_levels = LEVELS};
}

static bool make(struct sample *s, const struct type_row *row)
{
    cl_image_desc desc = desc_of(row);
    bool lines = row->type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
    size_t bytes = 0, size = 0;
    cl_uint levels = 0;
    cl_int code;
    s->row = row;
    for (int level = 0; level < LEVELS; level++) {
        s->size[level][0] = halved(WIDTH, level);
        s->size[level][1] = lines ? DEPTH : row->height ? halved(row->height, level) : 1;
        s->size[level][2] = row->depth ? halved(row->depth, level) : row->array_size && !lines ? DEPTH : 1;
        bytes += texels(s, level) * sizeof(float);
    }
    s->image = clCreateImage(test_context, 0, &format, &desc, NULL, &code);
    if (!CHECK_OK(code))
        return false;
    CHECK_OK(clGetImageInfo(s->image, CL_IMAGE_NUM_MIP_LEVELS, sizeof levels, &levels, NULL));
    CHECK_OK(clGetMemObjectInfo(s->image, CL_MEM_SIZE, sizeof size, &size, NULL));
    CHECK_EQ(levels, LEVELS);
    CHECK_EQ(size, bytes);
    return true;
}

static void begin(const struct sample *s, int level, size_t x, size_t origin[4])
{
    memset(origin, 0, 4 * sizeof *origin);
    origin[0] = x;
    origin[s->row->dimensions] = (size_t)level;
}

static void expect(const struct sample *s, const char *what)
{
    static float got[MOST];
    size_t origin[4];
    for (int level = 0; level < LEVELS; level++) {
        memset(got, 0xee, sizeof got);
        begin(s, level, 0, origin);
        CHECK_OK(clEnqueueReadImage(test_queue, s->image, CL_TRUE, origin, s->size[level], 0, 0, got, 0, NULL, NULL));
        if (!CHECK(!memcmp(got, model[level], texels(s, level) * sizeof *got)))
            printf("  level %d after %s of %s\n", level, what, s->row->name);
    }
}

// ---- commands -----------------------------------------------------------------------------------

static void check_commands(const struct sample *s)
{
    const cl_float color[4] = {0.25f, 1, 1, 1};
    const size_t one[3] = {1, s->size[1][1], s->size[1][2]}, texel[3] = {1, 1, 1};
    size_t origin[4], there[4], row, slice;
    cl_int code;
    for (int level = LEVELS - 1; level >= 0; level--) {
        for (size_t i = 0; i < texels(s, level); i++)
            model[level][i] = (float)(level * 1000 + (int)i * 3 % 700);
        begin(s, level, 0, origin);
        CHECK_OK(clEnqueueWriteImage(test_queue, s->image, CL_FALSE, origin, s->size[level], 0, 0, model[level], 0, NULL, NULL));
    }
    expect(s, "writes");
    begin(s, 1, 2, origin);
    CHECK_OK(clEnqueueFillImage(test_queue, s->image, color, origin, one, 0, NULL, NULL));
    for (size_t i = 2; i < texels(s, 1); i += s->size[1][0])
        model[1][i] = 0.25f;
    expect(s, "a fill");
    begin(s, 2, 1, there);
    CHECK_OK(clEnqueueCopyImage(test_queue, s->image, s->image, origin, there, texel, 0, NULL, NULL));
    model[2][1] = model[1][2];
    expect(s, "a copy between levels");
    float *at = clEnqueueMapImage(test_queue, s->image, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, there, texel, &row, &slice, 0,
                                  NULL, NULL, &code);
    if (!CHECK_OK(code))
        return;
    begin(s, 0, 1, origin);
    float *other = clEnqueueMapImage(test_queue, s->image, CL_TRUE, CL_MAP_WRITE, origin, texel, &row, &slice, 0, NULL, NULL,
                                     &code);
    if (!CHECK_OK(code))
        return;
    CHECK_EQ(*at, 0.25f);
    *at = model[2][1] = -3;
    *other = model[0][1] = -4;
    CHECK_OK(clEnqueueUnmapMemObject(test_queue, s->image, at, 0, NULL, NULL));
    CHECK_OK(clEnqueueUnmapMemObject(test_queue, s->image, other, 0, NULL, NULL));
    expect(s, "maps");
    cl_mem buffer = test_buffer(0, 64, NULL);
    CHECK_OK(clEnqueueCopyImageToBuffer(test_queue, s->image, buffer, there, texel, 4, 0, NULL, NULL));
    begin(s, 1, 0, origin);
    CHECK_OK(clEnqueueCopyBufferToImage(test_queue, buffer, s->image, 4, origin, texel, 0, NULL, NULL));
    model[1][0] = -3;
    expect(s, "copies by a buffer");
    CHECK_OK(clReleaseMemObject(buffer));
    begin(s, LEVELS, 0, origin);
    CHECK_EQ(clEnqueueFillImage(test_queue, s->image, color, origin, texel, 0, NULL, NULL), CL_INVALID_MIP_LEVEL);
    begin(s, 2, s->size[2][0], origin);
    CHECK_EQ(clEnqueueFillImage(test_queue, s->image, color, origin, texel, 0, NULL, NULL), CL_INVALID_VALUE);
}

// ---- kernels ------------------------------------------------------------------------------------

static cl_sampler make_sampler(cl_filter_mode mip, float least, float most)
{
    cl_uint low, high;
    cl_int code;
    memcpy(&low, &least, sizeof low);
    memcpy(&high, &most, sizeof high);
    const cl_sampler_properties list[] = {CL_SAMPLER_ADDRESSING_MODE, CL_ADDRESS_CLAMP_TO_EDGE,
                                          CL_SAMPLER_MIP_FILTER_MODE_KHR, mip, CL_SAMPLER_LOD_MIN_KHR, low,
                                          CL_SAMPLER_LOD_MAX_KHR, high, 0};
    cl_sampler sampler = clCreateSamplerWithProperties(test_context, list, &code);
    float got = -1;
    if (CHECK_OK(code)) {
        CHECK_OK(clGetSamplerInfo(sampler, CL_SAMPLER_LOD_MIN_KHR, sizeof got, &got, NULL));
        CHECK(got == least);
    }
    return sampler;
}

// Reads at the centre of the texels of a level.
static void read_with(const struct sample *s, cl_kernel kernel, cl_sampler sampler, int level, float lod, float *got)
{
    cl_mem out = test_buffer(0, MOST * sizeof(cl_float4), NULL);
    static cl_float4 texel[MOST];
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof s->image, &s->image));
    CHECK_OK(clSetKernelArg(kernel, 1, sizeof sampler, &sampler));
    CHECK_OK(clSetKernelArg(kernel, 2, sizeof lod, &lod));
    CHECK_OK(clSetKernelArg(kernel, 3, sizeof out, &out));
    CHECK_OK(clEnqueueNDRangeKernel(test_queue, kernel, 3, NULL, s->size[level], NULL, 0, NULL, NULL));
    CHECK_OK(clEnqueueReadBuffer(test_queue, out, CL_TRUE, 0, sizeof texel, texel, 0, NULL, NULL));
    for (size_t i = 0; i < texels(s, level); i++)
        got[i] = texel[i].s[0];
    CHECK_EQ(texel[0].s[1], LEVELS);
    CHECK_OK(clReleaseMemObject(out));
}

static void expect_level(const struct sample *s, cl_kernel kernel, cl_sampler sampler, int level, float lod, int seen)
{
    float got[MOST];
    int bad = 0;
    read_with(s, kernel, sampler, level, lod, got);
    for (size_t i = 0; i < texels(s, level) && level == seen; i++)
        bad += got[i] != model[seen][i];
    bad += level != seen && got[0] != model[seen][0];
    if (!CHECK_EQ(bad, 0))
        printf("  level %d, lod %g of %s: %g is not %g\n", level, (double)lod, s->row->name, (double)got[0], (double)model[seen][0]);
}

static void check_kernels(const struct sample *s)
{
    char source[2048];
    const char *name = s->row->name, *at = s->row->at;
    const char *gradient = s->row->type == CL_MEM_OBJECT_IMAGE3D ? "(float4)" : s->row->height ? "(float2)" : "(float)";
    const char *rest = s->row->type == CL_MEM_OBJECT_IMAGE3D ? ", 0, 0, 0" : s->row->height ? ", 0" : "";
    snprintf(source, sizeof source,
             "#ifndef cl_khr_mipmap_image\n#error\n#endif\n"
             "#define AT int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2), i = (z * get_global_size(1) + y)"
             " * get_global_size(0) + x;\\\n"
             "float4 p = (float4)((x + 0.5f) / get_global_size(0), (y + 0.5f) / get_global_size(1), (z + 0.5f) /"
             " get_global_size(2), 0)\n"
             "kernel void by_lod(read_only %s a, sampler_t s, float lod, global float4 *out) { AT;\n"
             "    out[i] = read_imagef(a, s, %s, lod); out[i].y = get_image_num_mip_levels(a); }\n"
             "kernel void by_gradients(read_only %s a, sampler_t s, float lod, global float4 *out) { AT;\n"
             "    out[i] = read_imagef(a, s, %s, %s(exp2(lod) / get_image_width(a)%s), %s(0.0f%s));\n"
             "    out[i].y = get_image_num_mip_levels(a); }\n"
             "kernel void plainly(read_only %s a, sampler_t s, float lod, global float4 *out) { AT;\n"
             "    out[i] = read_imagef(a, s, %s); out[i].y = get_image_num_mip_levels(a); }\n",
             name, at, name, at, gradient, rest, gradient, rest, name, at);
    cl_program program = test_build(source, "-cl-std=CL2.0");
    cl_kernel by_lod = test_kernel(program, "by_lod"), by_gradients = test_kernel(program, "by_gradients");
    cl_kernel plainly = test_kernel(program, "plainly");
    cl_sampler all = make_sampler(CL_FILTER_NEAREST, 0, CL_FLT_MAX), some = make_sampler(CL_FILTER_NEAREST, 1, 1.25f);
    cl_sampler mixed = make_sampler(CL_FILTER_LINEAR, 0, CL_FLT_MAX);
    float got[MOST];
    for (int level = 0; level < LEVELS; level++) {
        expect_level(s, by_lod, all, level, (float)level, level);
        expect_level(s, by_lod, all, level, (float)level + 0.375f, level);
        expect_level(s, by_gradients, all, level, (float)level, level);
    }
    expect_level(s, by_lod, some, 0, 0, 1);
    expect_level(s, by_lod, some, 1, 2, 1);
    expect_level(s, by_lod, all, 2, 100, 2);
    expect_level(s, by_lod, all, 0, -7, 0);
    expect_level(s, plainly, all, 0, 0, 0);
    read_with(s, by_lod, mixed, 0, 0.25f, got);
    CHECK(fabsf(got[0] - (0.75f * model[0][0] + 0.25f * model[1][0])) < 0.01f);
    read_with(s, by_gradients, mixed, 0, 1.5f, got);
    CHECK(fabsf(got[0] - 0.5f * (model[1][0] + model[2][0])) < 0.1f);
    CHECK_OK(clReleaseSampler(all));
    CHECK_OK(clReleaseSampler(some));
    CHECK_OK(clReleaseSampler(mixed));
    CHECK_OK(clReleaseKernel(by_lod));
    CHECK_OK(clReleaseKernel(by_gradients));
    CHECK_OK(clReleaseKernel(plainly));
    CHECK_OK(clReleaseProgram(program));
}

// ---- kernels that write --------------------------------------------------------------------------

static void write_level(const struct sample *s, cl_kernel kernel, int level, float add)
{
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof s->image, &s->image));
    CHECK_OK(clSetKernelArg(kernel, 1, sizeof level, &level));
    CHECK_OK(clSetKernelArg(kernel, 2, sizeof add, &add));
    CHECK_OK(clEnqueueNDRangeKernel(test_queue, kernel, 3, NULL, s->size[level], NULL, 0, NULL, NULL));
    for (size_t i = 0; i < texels(s, level); i++)
        model[level][i] = (float)i + add;
}

// The level is an argument, different for each work-item, or a constant.
static void check_writes(const struct sample *s)
{
    char source[2048], at[64];
    const char *places[] = {"x", "(int2)(x, y)", "(int4)(x, y, z, 0)"};
    snprintf(at, sizeof at, "%s", places[s->row->dimensions - 1]);
    snprintf(source, sizeof source,
             "#ifndef cl_khr_mipmap_image_writes\n#error\n#endif\n"
             "#define AT int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2), i = (z * get_global_size(1) + y)"
             " * get_global_size(0) + x\n"
             "kernel void any(write_only %s a, int level, float add) { AT; write_imagef(a, %s, level, (float4)(i + add)); }\n"
             "kernel void known(write_only %s a, int level, float add) { AT; write_imagef(a, %s, 1, (float4)(i + add)); }\n"
             "kernel void first(write_only %s a, int level, float add) { AT; write_imagef(a, %s, (float4)(i + add)); }\n"
             "kernel void both(write_only %s a, int level, float add) { int x = 0, y = 0, z = 0;\n"
             "    write_imagef(a, %s, get_global_id(0), (float4)(add + get_global_id(0))); }\n",
             s->row->name, at, s->row->name, at, s->row->name, at, s->row->name, at);
    cl_program program = test_build(source, "-cl-std=CL2.0");
    cl_kernel any = test_kernel(program, "any"), known = test_kernel(program, "known"), first = test_kernel(program, "first");
    cl_kernel both = test_kernel(program, "both");
    const size_t beyond = LEVELS + 2;
    for (int level = LEVELS - 1; level >= 0; level--)
        write_level(s, any, level, 100.0f * (float)level + 0.5f);
    expect(s, "kernels' writes");
    write_level(s, known, 1, 7);
    write_level(s, first, 0, 9);
    expect(s, "writes to a level known");
    CHECK_OK(clSetKernelArg(both, 0, sizeof s->image, &s->image));
    CHECK_OK(clSetKernelArg(both, 1, sizeof(cl_int), &(cl_int){0}));
    CHECK_OK(clSetKernelArg(both, 2, sizeof(float), &(float){70}));
    CHECK_OK(clEnqueueNDRangeKernel(test_queue, both, 1, NULL, &beyond, NULL, 0, NULL, NULL));
    for (int level = 0; level < LEVELS; level++)
        model[level][0] = 70 + (float)level;
    expect(s, "writes to all levels, and beyond");
    CHECK_OK(clReleaseKernel(any));
    CHECK_OK(clReleaseKernel(known));
    CHECK_OK(clReleaseKernel(first));
    CHECK_OK(clReleaseKernel(both));
    CHECK_OK(clReleaseProgram(program));
}

// ---- refusals -----------------------------------------------------------------------------------

static void check_refusals(void)
{
    static float host[MOST];
    const cl_image_format depth = {CL_DEPTH, CL_FLOAT};
    cl_mem buffer = test_buffer(0, sizeof host, NULL);
    cl_image_desc desc = desc_of(&rows[2]);
    const cl_sampler_properties mode[] = {CL_SAMPLER_MIP_FILTER_MODE_KHR, 1, 0};
    const cl_sampler_properties range[] = {CL_SAMPLER_LOD_MAX_KHR, 0xbf800000, 0}; // -1
    CHECK_CREATE(clCreateImage(test_context, CL_MEM_COPY_HOST_PTR, &format, &desc, host, &error), CL_INVALID_IMAGE_DESCRIPTOR);
    CHECK_CREATE(clCreateImage(test_context, 0, &depth, &desc, NULL, &error), CL_INVALID_IMAGE_DESCRIPTOR);
    desc.num_mip_levels = 5;
    CHECK_CREATE(clCreateImage(test_context, 0, &format, &desc, NULL, &error), CL_INVALID_IMAGE_DESCRIPTOR);
    desc.num_mip_levels = 2;
    desc.mem_object = buffer;
    CHECK_CREATE(clCreateImage(test_context, 0, &format, &desc, NULL, &error), CL_INVALID_IMAGE_DESCRIPTOR);
    CHECK_CREATE(clCreateSamplerWithProperties(test_context, mode, &error), CL_INVALID_VALUE);
    CHECK_CREATE(clCreateSamplerWithProperties(test_context, range, &error), CL_INVALID_VALUE);
    CHECK_OK(clReleaseMemObject(buffer));
}

int main(void)
{
    test_open();
    if (!test_has_images() || !test_has(test_device, "cl_khr_mipmap_image"))
        return 77;
    check_refusals();
    for (int i = 0; i < TYPES; i++) {
        struct sample s = {0};
        if (!make(&s, &rows[i]))
            continue;
        check_commands(&s);
        check_kernels(&s);
        if (test_has(test_device, "cl_khr_mipmap_image_writes"))
            check_writes(&s);
        CHECK_OK(clReleaseMemObject(s.image));
    }
    return test_close();
}
