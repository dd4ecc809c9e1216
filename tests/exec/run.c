// SPDX-License-Identifier: Apache-2.0
// Runs kernels on any OpenCL device and checks their results: run [--il FOLDER] FILE.cl...
// With --il the programs are the SPIR-V modules FOLDER/FILE.spv; files without a module are skipped
// (modules.sh creates them).
//
// Comments before the kernels are instructions, processed in order; each `run` starts a new launch:
//   // options: -DN=3                       for the build
//   // needs: cl_khr_fp64                   an extension or a feature; without it the file is skipped
//   // needs: c2.0                          an OpenCL C version; images; rounded_division; infinities, half_;
//                                        double_denormals; 64_bit_addresses, 32_; cpu
//   // build: error                         the build must fail and say something
//   // todo: reason                         known to fail; reported when it starts to pass
//   // source: reason                       only runs from source; why another compiler's module may differ
//   // run: NAME global 4 [2 [2]] [local 2 ...] [offset 1 ...]
//   // arg: buffer int 1 2 3 0..15 7*4      a buffer with these values (a range, a repetition)
//   // arg: out int 16                      a buffer of 16 elements, all bytes 0xee
//   // arg: int 5                           a value; several: a vector or struct of that type
//   // arg: local 64                        local memory, bytes
//   // arg: null                            a null buffer
//   // arg: pipe 4 8                        an empty pipe for packets of 4 bytes, 8 of them
//   // arg: same 0                          the same buffer as argument 0
//   // arg: image 2d rgba unorm8 4 2 = 1 2 255*30   1d 1d_array 2d 2d_array 3d buffer; sizes, layers last; without values
//                                           all bytes are 0xee; expected like buffers, in elements of the channel's width
//   // arg: sampler normalized clamp linear    or: texels, none edge repeat mirror, nearest
//   // expect: arg1 int 6 7 * 9             contents of argument 1 afterwards; *: any value
//   // expect: arg1 float ulp 2 1.5 nan     within 2 ULP
//   // show: 1                              prints a checksum of argument 1's bytes, for comparing two devices
// Types: char uchar short ushort int uint long ulong half float double; floats decimal, hexadecimal, nan, inf.
// PUMICE_EXEC_DEVICE=word selects the first device whose name contains it; PUMICE_EXEC_OPTIONS is added to each build;
// PUMICE_EXEC_VALUES=1: `show` prints the 64-bit words too. Exit status: 0 all passed, 1 not, 77 no device.
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include "util/half.h"
#include "util/hash.h"
#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "../leaks.h"

enum { MAX_ARGS = 80, MAX_EXPECTS = 32, MAX_BYTES = 1 << 20 };

enum type { CHAR, UCHAR, SHORT, USHORT, INT, UINT, LONG, ULONG, HALF, FLOAT, DOUBLE, TYPE_COUNT };

static const struct {
    const char *name;
    unsigned bytes;
} types[TYPE_COUNT] = {{"char", 1}, {"uchar", 1}, {"short", 2}, {"ushort", 2}, {"int", 4},   {"uint", 4},
                       {"long", 8}, {"ulong", 8}, {"half", 2},  {"float", 4},  {"double", 8}};

struct values {
    enum type type;
    unsigned char *bytes, *any; // any: for each element, 1 if any value is valid
    size_t count;
    double ulp;
};

enum arg_kind { ARG_BUFFER, ARG_VALUE, ARG_LOCAL, ARG_NULL, ARG_SAME, ARG_IMAGE, ARG_SAMPLER, ARG_PIPE };

struct arg {
    enum arg_kind kind;
    struct values values;
    size_t local_bytes;
    cl_uint packet_bytes, packets; // of a pipe
    unsigned same; // an earlier argument
    cl_mem buffer, image; // both for an image1d_buffer_t
    cl_image_format format;
    cl_image_desc desc;
    cl_bool normalized;
    cl_addressing_mode addressing;
    cl_filter_mode filter;
    cl_sampler sampler;
};

struct expect {
    unsigned arg;
    struct values values;
    unsigned line;
};

struct launch {
    char kernel[128];
    cl_uint dims, local_dims;
    size_t global[3], local[3], offset[3];
    struct arg args[MAX_ARGS];
    struct expect expects[MAX_EXPECTS];
    unsigned arg_count, expect_count, line;
    bool shows[MAX_ARGS];
};

struct test {
    const char *file;
    char *source, options[512], todo[256];
    void *il; // instead of the source
    size_t il_size;
    bool build_fails, skip;
    struct launch *launches;
    unsigned launch_count, line;
    char why[1024]; // first failure
};

static cl_device_id device;
static cl_context context;
static cl_command_queue queue;
static char extensions[16384], language[256];
static const char *modules; // folder with SPIR-V modules; NULL: programs are built from source

static void fail(struct test *t, unsigned line, const char *what)
{
    if (!*t->why)
        snprintf(t->why, sizeof t->why, "%s:%u: %s", t->file, line, what);
}

// ---- reading -------------------------------------------------------------------------------------

// The next word of a line, or NULL.
static char *word(char **at)
{
    while (**at == ' ' || **at == '\t')
        ++*at;
    char *start = *at;
    if (!*start)
        return NULL;
    while (**at && **at != ' ' && **at != '\t')
        ++*at;
    if (**at)
        *(*at)++ = 0;
    return start;
}

static bool find_type(const char *name, enum type *type)
{
    for (unsigned i = 0; name && i < TYPE_COUNT; i++)
        if (!strcmp(types[i].name, name)) {
            *type = (enum type)i;
            return true;
        }
    return false;
}

static void store(unsigned char *to, enum type type, const char *text, int64_t plus)
{
    if (type >= HALF) {
        double value = strtod(text, NULL);
        float single = strtof(text, NULL);
        value = plus ? value + (double)plus : value; // preserves -0.0
        single = plus ? single + (float)plus : single;
        uint16_t half = half_from_double(value);
        memcpy(to, type == HALF ? (void *)&half : type == FLOAT ? (void *)&single : (void *)&value, types[type].bytes);
        return;
    }
    uint64_t value = *text == '-' ? (uint64_t)strtoll(text, NULL, 0) : strtoull(text, NULL, 0);
    value += (uint64_t)plus;
    memcpy(to, &value, types[type].bytes);
}

// Values until the end of the line: single ones, FIRST..LAST, VALUE*COUNT, a single *.
static void read_values(struct values *v, char *at)
{
    unsigned size = types[v->type].bytes;
    v->bytes = calloc(MAX_BYTES, 1);
    v->any = calloc(MAX_BYTES, 1);
    for (char *text; (text = word(&at));) {
        char *range = strstr(text, ".."), *times = strchr(text, '*');
        int64_t count = 1;
        bool any = *text == '*';
        if (range)
            count = strtoll(range + 2, NULL, 0) - strtoll(text, NULL, 0) + 1;
        else if (times && times[1])
            count = strtoll(times + 1, NULL, 0);
        for (int64_t i = 0; i < count && (v->count + 1) * size <= MAX_BYTES; i++) {
            v->any[v->count] = any;
            store(v->bytes + v->count++ * size, v->type, any ? "0" : text, range ? i : 0);
        }
    }
}

static void read_sizes(struct launch *l, char *at)
{
    size_t *into = NULL;
    cl_uint *dims = NULL, none = 0, n = 0;
    for (char *text; (text = word(&at));) {
        bool is_global = !strcmp(text, "global"), is_local = !strcmp(text, "local");
        if (is_global || is_local || !strcmp(text, "offset")) {
            into = is_global ? l->global : is_local ? l->local : l->offset;
            dims = is_global ? &l->dims : is_local ? &l->local_dims : &none;
            n = 0;
        } else if (into && n < 3) {
            into[n++] = (size_t)strtoull(text, NULL, 0);
            *dims = n;
        }
    }
}

static void read_run(struct test *t, char *at)
{
    struct launch *l;
    char *name = word(&at);
    t->launches = realloc(t->launches, (t->launch_count + 1) * sizeof *t->launches);
    l = &t->launches[t->launch_count++];
    memset(l, 0, sizeof *l);
    l->line = t->line;
    snprintf(l->kernel, sizeof l->kernel, "%s", name ? name : "");
    read_sizes(l, at);
}

static const struct {
    const char *name;
    cl_uint value;
    enum type type; // for channel types: the type on the host
    unsigned channels; // for orders
} image_words[] = {
    {"1d", CL_MEM_OBJECT_IMAGE1D, 0, 0},          {"1d_array", CL_MEM_OBJECT_IMAGE1D_ARRAY, 0, 0},
    {"2d", CL_MEM_OBJECT_IMAGE2D, 0, 0},          {"2d_array", CL_MEM_OBJECT_IMAGE2D_ARRAY, 0, 0},
    {"3d", CL_MEM_OBJECT_IMAGE3D, 0, 0},          {"buffer", CL_MEM_OBJECT_IMAGE1D_BUFFER, 0, 0},
    {"r", CL_R, 0, 1},                            {"a", CL_A, 0, 1},
    {"rg", CL_RG, 0, 2},                          {"rgba", CL_RGBA, 0, 4},
    {"bgra", CL_BGRA, 0, 4},                      {"luminance", CL_LUMINANCE, 0, 1},
    {"intensity", CL_INTENSITY, 0, 1},            {"depth", CL_DEPTH, 0, 1},
    {"unorm8", CL_UNORM_INT8, UCHAR, 0},          {"snorm8", CL_SNORM_INT8, CHAR, 0},
    {"unorm16", CL_UNORM_INT16, USHORT, 0},       {"snorm16", CL_SNORM_INT16, SHORT, 0},
    {"uint8", CL_UNSIGNED_INT8, UCHAR, 0},        {"int8", CL_SIGNED_INT8, CHAR, 0},
    {"uint16", CL_UNSIGNED_INT16, USHORT, 0},     {"int16", CL_SIGNED_INT16, SHORT, 0},
    {"uint32", CL_UNSIGNED_INT32, UINT, 0},       {"int32", CL_SIGNED_INT32, INT, 0},
    {"half", CL_HALF_FLOAT, HALF, 0},             {"float", CL_FLOAT, FLOAT, 0},
    {"none", CL_ADDRESS_NONE, 0, 0},              {"edge", CL_ADDRESS_CLAMP_TO_EDGE, 0, 0},
    {"clamp", CL_ADDRESS_CLAMP, 0, 0},            {"repeat", CL_ADDRESS_REPEAT, 0, 0},
    {"mirror", CL_ADDRESS_MIRRORED_REPEAT, 0, 0}, {"nearest", CL_FILTER_NEAREST, 0, 0},
    {"linear", CL_FILTER_LINEAR, 0, 0},           {"normalized", CL_TRUE, 0, 0},
    {"texels", CL_FALSE, 0, 0},
};

static unsigned image_word(struct test *t, const char *name)
{
    for (unsigned i = 0; name && i < sizeof image_words / sizeof *image_words; i++)
        if (!strcmp(image_words[i].name, name))
            return i;
    fail(t, t->line, "unknown word of an image or sampler");
    return 0;
}

// KIND ORDER TYPE WIDTH [HEIGHT] [DEPTH or LAYERS] [= VALUES]
static void read_image(struct test *t, struct arg *a, char *at)
{
    char *values = strchr(at, '=');
    if (values)
        *values++ = 0;
    unsigned kind = image_word(t, word(&at)), order = image_word(t, word(&at)), type = image_word(t, word(&at));
    size_t sizes[3] = {1, 1, 1}, texels;
    unsigned n = 0;
    for (char *text; n < 3 && (text = word(&at));)
        sizes[n++] = (size_t)strtoull(text, NULL, 0);
    cl_mem_object_type image_type = image_words[kind].value;
    bool layers = image_type == CL_MEM_OBJECT_IMAGE1D_ARRAY || image_type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
    bool is_3d = image_type == CL_MEM_OBJECT_IMAGE3D;
    a->kind = ARG_IMAGE;
    a->format = (cl_image_format){image_words[order].value, image_words[type].value};
    a->desc.image_type = image_type;
    a->desc.image_width = sizes[0];
    a->desc.image_height = image_type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? 0 : n > 1 ? sizes[1] : 0;
    a->desc.image_depth = is_3d ? sizes[2] : 0;
    a->desc.image_array_size = layers && n ? sizes[n - 1] : 0;
    texels = sizes[0] * sizes[1] * sizes[2];
    a->values.type = image_words[type].type;
    if (values) {
        read_values(&a->values, values);
    } else {
        a->values.bytes = malloc(MAX_BYTES);
        memset(a->values.bytes, 0xee, MAX_BYTES);
        a->values.count = texels * image_words[order].channels;
    }
    if (a->values.count != texels * image_words[order].channels)
        fail(t, t->line, "an image has as many values as channels");
}

static void read_sampler(struct test *t, struct arg *a, char *at)
{
    a->kind = ARG_SAMPLER;
    a->normalized = image_words[image_word(t, word(&at))].value;
    a->addressing = image_words[image_word(t, word(&at))].value;
    a->filter = image_words[image_word(t, word(&at))].value;
}

static void read_arg(struct test *t, char *at)
{
    struct launch *l = &t->launches[t->launch_count - 1];
    struct arg *a = &l->args[l->arg_count++ % MAX_ARGS];
    char *kind = word(&at);
    bool buffer = kind && !strcmp(kind, "buffer"), out = kind && !strcmp(kind, "out");
    if (kind && !strcmp(kind, "local")) {
        *a = (struct arg){.kind = ARG_LOCAL, .local_bytes = (size_t)strtoull(at, NULL, 0)};
        return;
    }
    if (kind && !strcmp(kind, "null")) {
        a->kind = ARG_NULL;
        return;
    }
    if (kind && !strcmp(kind, "pipe")) {
        *a = (struct arg){.kind = ARG_PIPE, .packet_bytes = (cl_uint)strtoul(at, &at, 0)};
        a->packets = (cl_uint)strtoul(at, NULL, 0);
        return;
    }
    if (kind && !strcmp(kind, "same")) {
        *a = (struct arg){.kind = ARG_SAME, .same = (unsigned)strtoul(at, NULL, 0) % MAX_ARGS};
        return;
    }
    if (kind && !strcmp(kind, "image")) {
        read_image(t, a, at);
        return;
    }
    if (kind && !strcmp(kind, "sampler")) {
        read_sampler(t, a, at);
        return;
    }
    if (!find_type(buffer || out ? word(&at) : kind, &a->values.type)) {
        fail(t, t->line, "unknown type");
        return;
    }
    a->kind = buffer || out ? ARG_BUFFER : ARG_VALUE;
    if (out) {
        a->values.count = (size_t)strtoull(at, NULL, 0);
        a->values.bytes = malloc(MAX_BYTES);
        memset(a->values.bytes, 0xee, MAX_BYTES);
    } else {
        read_values(&a->values, at);
    }
}

static void read_expect(struct test *t, char *at)
{
    struct launch *l = &t->launches[t->launch_count - 1];
    struct expect *e = &l->expects[l->expect_count++ % MAX_EXPECTS];
    char *which = word(&at), *type = word(&at);
    e->line = t->line;
    if (!which || strncmp(which, "arg", 3) || !find_type(type, &e->values.type)) {
        fail(t, t->line, "expect: argN TYPE values");
        return;
    }
    e->arg = (unsigned)atoi(which + 3);
    while (*at == ' ')
        at++;
    if (!strncmp(at, "ulp ", 4)) {
        at += 4;
        e->values.ulp = atof(word(&at));
    }
    read_values(&e->values, at);
}

// Features are stored after the extensions; devices before 3.0 have none.
static void add_features(void)
{
    cl_name_version features[64];
    size_t size = 0;
    if (clGetDeviceInfo(device, CL_DEVICE_OPENCL_C_FEATURES, sizeof features, features, &size))
        return;
    for (size_t i = 0; i < size / sizeof *features; i++)
        snprintf(extensions + strlen(extensions), sizeof extensions - strlen(extensions), " %s", features[i].name);
}

static void read_needs(struct test *t, char *at)
{
    int major, minor, have_major = 0, have_minor = 0;
    if (sscanf(at, "c%d.%d", &major, &minor) == 2) {
        sscanf(language, "OpenCL C %d.%d", &have_major, &have_minor);
        t->skip |= have_major * 10 + have_minor < major * 10 + minor;
    } else if (!strcmp(at, "images")) {
        cl_bool images = CL_FALSE;
        clGetDeviceInfo(device, CL_DEVICE_IMAGE_SUPPORT, sizeof images, &images, NULL);
        t->skip |= !images;
    } else if (!strcmp(at, "cpu")) {
        cl_device_type type = 0;
        clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof type, &type, NULL);
        t->skip |= !(type & CL_DEVICE_TYPE_CPU);
    } else if (!strcmp(at, "rounded_division") || !strcmp(at, "infinities") || !strcmp(at, "half_infinities")) {
        cl_device_fp_config can = 0;
        clGetDeviceInfo(device, *at == 'h' ? CL_DEVICE_HALF_FP_CONFIG : CL_DEVICE_SINGLE_FP_CONFIG, sizeof can, &can, NULL);
        t->skip |= !(can & (*at == 'r' ? CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT : CL_FP_INF_NAN));
    } else if (!strcmp(at, "double_denormals")) {
        cl_device_fp_config can = 0;
        clGetDeviceInfo(device, CL_DEVICE_DOUBLE_FP_CONFIG, sizeof can, &can, NULL);
        t->skip |= !(can & CL_FP_DENORM);
    } else if (!strcmp(at, "64_bit_addresses") || !strcmp(at, "32_bit_addresses")) {
        cl_uint bits = 0;
        clGetDeviceInfo(device, CL_DEVICE_ADDRESS_BITS, sizeof bits, &bits, NULL);
        t->skip |= bits != strtoul(at, NULL, 10);
    } else {
        t->skip |= !strstr(extensions, at);
    }
}

static void read_line(struct test *t, char *line)
{
    if (strncmp(line, "// ", 3))
        return;
    char *at = line + 3, *colon = strstr(at, ": ");
    if (!colon)
        return;
    *colon = 0;
    char *rest = colon + 2;
    if (!strcmp(at, "options"))
        snprintf(t->options, sizeof t->options, "%s", rest);
    else if (!strcmp(at, "todo"))
        snprintf(t->todo, sizeof t->todo, "%s", rest);
    else if (!strcmp(at, "needs"))
        read_needs(t, rest);
    else if (!strcmp(at, "build"))
        t->build_fails = true;
    else if (!strcmp(at, "source"))
        t->skip |= modules != NULL;
    else if (!strcmp(at, "run"))
        read_run(t, rest);
    else if (!strcmp(at, "arg") && t->launch_count)
        read_arg(t, rest);
    else if (!strcmp(at, "expect") && t->launch_count)
        read_expect(t, rest);
    else if (!strcmp(at, "show") && t->launch_count)
        t->launches[t->launch_count - 1].shows[(unsigned)atoi(rest) % MAX_ARGS] = true;
}

// A file with a terminating zero; NULL: not found.
static char *read_file(const char *name, size_t *size)
{
    FILE *f = fopen(name, "rb");
    if (!f)
        return NULL;
    char *bytes = calloc(MAX_BYTES, 1);
    *size = fread(bytes, 1, MAX_BYTES - 1, f);
    fclose(f);
    return bytes;
}

// modules/NAME.spv of a file FOLDER/NAME.cl.
static void read_module(struct test *t)
{
    const char *slash = strrchr(t->file, '/'), *name = slash ? slash + 1 : t->file, *end = strrchr(name, '.');
    char path[4096];
    snprintf(path, sizeof path, "%s/%.*s.spv", modules, end ? (int)(end - name) : (int)strlen(name), name);
    t->il = read_file(path, &t->il_size);
    t->skip |= !t->il;
}

static bool read_test(struct test *t)
{
    char *copy, *line, *next;
    size_t size;
    t->source = read_file(t->file, &size);
    if (!t->source)
        return false;
    if (modules)
        read_module(t);
    copy = calloc(size + 1, 1);
    memcpy(copy, t->source, size);
    for (line = copy; line; line = next) {
        next = strchr(line, '\n');
        if (next)
            *next++ = 0;
        t->line++;
        read_line(t, line);
    }
    free(copy);
    return true;
}

// ---- comparing -----------------------------------------------------------------------------------

static double load_float(const unsigned char *at, enum type type)
{
    uint16_t half;
    float single;
    double value;
    memcpy(&half, at, 2);
    if (type == HALF)
        return half_to_double(half);
    memcpy(&single, at, 4);
    if (type == FLOAT)
        return (double)single;
    memcpy(&value, at, 8);
    return value;
}

// One ULP of `x` in that type.
static double ulp_of(double x, enum type type)
{
    int exponent, digits = type == HALF ? 11 : type == FLOAT ? 24 : 53, lowest = type == HALF ? -24 : type == FLOAT ? -149 : -1074;
    frexp(x, &exponent);
    exponent -= digits;
    return ldexp(1, exponent < lowest ? lowest : exponent);
}

static bool same(const unsigned char *got, const struct values *want, size_t i)
{
    unsigned size = types[want->type].bytes;
    const unsigned char *bytes = want->bytes + i * size;
    if (want->any[i] || !memcmp(got, bytes, size))
        return true;
    if (want->type < HALF)
        return false;
    double x = load_float(got, want->type), y = load_float(bytes, want->type);
    if (isnan(x) || isnan(y))
        return isnan(x) && isnan(y);
    return want->ulp > 0 && (x == y || (isfinite(y) && fabs(x - y) <= want->ulp * ulp_of(y, want->type)));
}

static void show(char *text, size_t size, const unsigned char *at, enum type type)
{
    int64_t value = 0;
    if (type >= HALF) {
        double x = load_float(at, type);
        snprintf(text, size, "%.9g (%a)", x, x);
        return;
    }
    memcpy(&value, at, types[type].bytes);
    if (type % 2 == 0 && types[type].bytes < 8) {
        unsigned shift = 64 - 8 * types[type].bytes;
        value = (int64_t)((uint64_t)value << shift) >> shift;
    }
    snprintf(text, size, type % 2 == 0 ? "%lld" : "%llu", (long long)value);
}

static cl_int read_back(const struct arg *a, void *to, size_t size)
{
    if (!a->image || a->buffer)
        return clEnqueueReadBuffer(queue, a->buffer, CL_TRUE, 0, size, to, 0, NULL, NULL);
    const cl_image_desc *d = &a->desc;
    bool is_1d_array = d->image_type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
    size_t height = is_1d_array ? d->image_array_size : d->image_height ? d->image_height : 1;
    size_t depth = d->image_type == CL_MEM_OBJECT_IMAGE2D_ARRAY ? d->image_array_size : d->image_depth ? d->image_depth : 1;
    return clEnqueueReadImage(queue, a->image, CL_TRUE, (size_t[3]){0}, (size_t[3]){d->image_width, height, depth}, 0, 0,
                              to, 0, NULL, NULL);
}

static void check_expect(struct test *t, const struct launch *l, const struct expect *e)
{
    unsigned size = types[e->values.type].bytes;
    unsigned char *got = calloc(MAX_BYTES, 1);
    char have[96], want[96], text[320];
    cl_int error = CL_SUCCESS;
    if (e->arg >= l->arg_count || (!l->args[e->arg].buffer && !l->args[e->arg].image)) {
        fail(t, e->line, "that argument is no buffer");
        free(got);
        return;
    }
    error = read_back(&l->args[e->arg], got, e->values.count * size);
    if (error)
        fail(t, e->line, "what the kernel wrote cannot be read");
    for (size_t i = 0; !error && i < e->values.count; i++) {
        if (same(got + i * size, &e->values, i))
            continue;
        show(have, sizeof have, got + i * size, e->values.type);
        show(want, sizeof want, e->values.bytes + i * size, e->values.type);
        snprintf(text, sizeof text, "element %zu is %s, not %s", i, have, want);
        fail(t, e->line, text);
        break;
    }
    free(got);
}

// ---- running -------------------------------------------------------------------------------------

// Formats that are not required of devices with images: files that need them are skipped if they
// are not supported.
static bool may_lack(const cl_image_format *format)
{
    cl_channel_type type = format->image_channel_data_type;
    return type == CL_SNORM_INT8 || type == CL_SNORM_INT16 || type == CL_UNORM_INT16 ||
           format->image_channel_order == CL_RG;
}

static cl_int set_image(cl_kernel kernel, unsigned index, struct arg *a)
{
    cl_int error = CL_SUCCESS;
    bool from_buffer = a->desc.image_type == CL_MEM_OBJECT_IMAGE1D_BUFFER;
    cl_mem_flags copy = CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR;
    if (from_buffer) {
        size_t size = a->values.count * types[a->values.type].bytes;
        a->desc.mem_object = a->buffer = clCreateBuffer(context, copy, size, a->values.bytes, &error);
    }
    if (!error)
        a->image = clCreateImage(context, from_buffer ? CL_MEM_READ_WRITE : copy, &a->format, &a->desc,
                                 from_buffer ? NULL : a->values.bytes, &error);
    return error ? error : clSetKernelArg(kernel, index, sizeof a->image, &a->image);
}

static cl_int set_sampler(cl_kernel kernel, unsigned index, struct arg *a)
{
    cl_int error;
    a->sampler = clCreateSampler(context, a->normalized, a->addressing, a->filter, &error);
    return error ? error : clSetKernelArg(kernel, index, sizeof a->sampler, &a->sampler);
}

static cl_int set_arg(cl_kernel kernel, unsigned index, struct arg *args)
{
    struct arg *a = &args[index];
    cl_int error = CL_SUCCESS;
    size_t size = a->values.count * types[a->values.type].bytes;
    switch (a->kind) {
    case ARG_LOCAL: return clSetKernelArg(kernel, index, a->local_bytes, NULL);
    case ARG_NULL: return clSetKernelArg(kernel, index, sizeof(cl_mem), NULL);
    case ARG_SAME: return clSetKernelArg(kernel, index, sizeof(cl_mem), &args[a->same].buffer);
    case ARG_VALUE: return clSetKernelArg(kernel, index, size, a->values.bytes);
    case ARG_IMAGE: return set_image(kernel, index, a);
    case ARG_SAMPLER: return set_sampler(kernel, index, a);
    case ARG_PIPE:
        a->buffer = clCreatePipe(context, 0, a->packet_bytes, a->packets, NULL, &error);
        return error ? error : clSetKernelArg(kernel, index, sizeof a->buffer, &a->buffer);
    case ARG_BUFFER: break;
    }
    a->buffer = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, size, a->values.bytes, &error);
    return error ? error : clSetKernelArg(kernel, index, sizeof a->buffer, &a->buffer);
}

static void release_arg(struct arg *a)
{
    if (a->image)
        clReleaseMemObject(a->image);
    if (a->buffer)
        clReleaseMemObject(a->buffer);
    if (a->sampler)
        clReleaseSampler(a->sampler);
}

static void show_checksum(struct test *t, const struct arg *a)
{
    size_t size = a->values.count * types[a->values.type].bytes;
    unsigned char *got = calloc(MAX_BYTES, 1);
    if (clEnqueueReadBuffer(queue, a->buffer, CL_TRUE, 0, size, got, 0, NULL, NULL))
        fail(t, 1, "clEnqueueReadBuffer fails");
    printf("SHOW %s %016llx\n", t->file, (unsigned long long)hash_bytes64(got, size));
    for (size_t i = 0; getenv("PUMICE_EXEC_VALUES") && i < size / 8; i++)
        printf("VALUE %zu %016llx\n", i, (unsigned long long)((uint64_t *)(void *)got)[i]);
    free(got);
}

static void run_launch(struct test *t, cl_program program, struct launch *l)
{
    cl_int error;
    char text[256];
    cl_kernel kernel = clCreateKernel(program, l->kernel, &error);
    if (error) {
        snprintf(text, sizeof text, "clCreateKernel('%s'): %d", l->kernel, error);
        fail(t, l->line, text);
        return;
    }
    for (unsigned i = 0; i < l->arg_count; i++) {
        error = set_arg(kernel, i, l->args);
        snprintf(text, sizeof text, "clSetKernelArg(%u): %d", i, error);
        t->skip |= error == CL_IMAGE_FORMAT_NOT_SUPPORTED && may_lack(&l->args[i].format);
        if (error && !t->skip)
            fail(t, l->line, text);
    }
    if (!*t->why && !t->skip) {
        error = clEnqueueNDRangeKernel(queue, kernel, l->dims, l->offset, l->global, l->local_dims ? l->local : NULL, 0, NULL, NULL);
        if (!error)
            error = clFinish(queue);
        snprintf(text, sizeof text, "clEnqueueNDRangeKernel: %d", error);
        if (error)
            fail(t, l->line, text);
    }
    for (unsigned i = 0; i < l->expect_count && !*t->why; i++)
        check_expect(t, l, &l->expects[i]);
    for (unsigned i = 0; i < l->arg_count && !*t->why; i++)
        if (l->shows[i] && l->args[i].buffer)
            show_checksum(t, &l->args[i]);
    for (unsigned i = 0; i < l->arg_count; i++)
        release_arg(&l->args[i]);
    clReleaseKernel(kernel);
}

static void check_build(struct test *t, cl_program program, cl_int error)
{
    static char log[32768];
    log[0] = 0;
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
    if (t->build_fails && !error)
        fail(t, 1, "is built, but must not be");
    else if (t->build_fails && !*log)
        fail(t, 1, "the build log is empty");
    else if (!t->build_fails && error) {
        char text[900];
        snprintf(text, sizeof text, "clBuildProgram: %d\n%.800s", error, log);
        fail(t, 1, text);
    }
}

// The case's options; for a module, only those that do not affect the language.
static void add_options(char *options, size_t size, const struct test *t)
{
    char copy[sizeof t->options], *at = copy;
    snprintf(copy, sizeof copy, "%s", t->options);
    if (!t->il)
        snprintf(options, size, "%s", t->options);
    for (char *text; t->il && (text = word(&at));)
        if (!strncmp(text, "-cl-", 4) && strncmp(text, "-cl-std", 7))
            snprintf(options + strlen(options), size - strlen(options), " %s", text);
}

static void run_test(struct test *t)
{
    cl_int error;
    const char *source = t->source;
    cl_program program = t->il ? clCreateProgramWithIL(context, t->il, t->il_size, &error)
                               : clCreateProgramWithSource(context, 1, &source, NULL, &error);
    if (error) {
        char text[64];
        snprintf(text, sizeof text, "clCreateProgramWith%s: %d", t->il ? "IL" : "Source", error);
        fail(t, 1, text);
        return;
    }
    const char *more = getenv("PUMICE_EXEC_OPTIONS");
    char options[1024] = "";
    add_options(options, sizeof options, t);
    snprintf(options + strlen(options), sizeof options - strlen(options), " %s", more ? more : "");
    error = clBuildProgram(program, 1, &device, options, NULL, NULL);
    check_build(t, program, error);
    if (!t->launch_count && !t->build_fails)
        fail(t, 1, "says no launch");
    for (unsigned i = 0; i < t->launch_count && !*t->why; i++)
        run_launch(t, program, &t->launches[i]);
    clReleaseProgram(program);
}

static bool open_device(void)
{
    const char *wanted = getenv("PUMICE_EXEC_DEVICE");
    cl_platform_id platforms[16];
    cl_device_id devices[16];
    cl_uint platform_count = 0, device_count, found = 0;
    char name[256];
    cl_int error;
    clGetPlatformIDs(16, platforms, &platform_count);
    for (cl_uint p = 0; p < platform_count && !found; p++) {
        device_count = 0;
        if (clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, 16, devices, &device_count))
            continue;
        for (cl_uint d = 0; d < device_count && !found; d++) {
            clGetDeviceInfo(devices[d], CL_DEVICE_NAME, sizeof name, name, NULL);
            found = !wanted || strstr(name, wanted);
            device = devices[d];
        }
    }
    if (!found)
        return false;
    clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof extensions / 2, extensions, NULL);
    add_features();
    clGetDeviceInfo(device, CL_DEVICE_OPENCL_C_VERSION, sizeof language, language, NULL);
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    if (!error)
        queue = clCreateCommandQueue(context, device, 0, &error);
    printf("%s\n", name);
    return !error;
}

static bool takes_il(void)
{
    char version[256] = "";
    clGetDeviceInfo(device, CL_DEVICE_IL_VERSION, sizeof version, version, NULL);
    return *version;
}

static void free_test(struct test *t)
{
    for (unsigned i = 0; i < t->launch_count; i++) {
        for (unsigned k = 0; k < t->launches[i].arg_count; k++) {
            free(t->launches[i].args[k].values.bytes);
            free(t->launches[i].args[k].values.any);
        }
        for (unsigned k = 0; k < t->launches[i].expect_count; k++) {
            free(t->launches[i].expects[k].values.bytes);
            free(t->launches[i].expects[k].values.any);
        }
    }
    free(t->launches);
    free(t->source);
    free(t->il);
}

int main(int argc, char **argv)
{
    unsigned passed = 0, failed = 0, skipped = 0, todo = 0;
    if (!open_device()) {
        printf("no OpenCL device\n");
        return 77;
    }
    int first = argc > 2 && !strcmp(argv[1], "--il") ? 3 : 1;
    modules = first == 3 ? argv[2] : NULL;
    if (modules && !takes_il()) {
        printf("the device takes no SPIR-V\n");
        return 77;
    }
    for (int i = first; i < argc; i++) {
        struct test t = {.file = argv[i]};
        if (!read_test(&t))
            fail(&t, 0, "cannot be read");
        if (!t.skip && !*t.why)
            run_test(&t);
        bool ok = !*t.why;
        if (*t.todo && ok && !t.skip)
            printf("TODO PASSES %s (%s)\n", t.file, t.todo);
        if (!ok && !*t.todo && !t.skip)
            printf("FAIL %s\n", t.why);
        fflush(stdout);
        *(t.skip ? &skipped : *t.todo ? &todo : ok ? &passed : &failed) += 1;
        free_test(&t);
    }
    printf("%u passed, %u failed, %u skipped, %u todo\n", passed, failed, skipped, todo);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    unsigned leaks = leaks_count(true);
    if (modules && passed + failed + todo == 0)
        return 77; // nothing was run
    return failed || leaks;
}
