// SPDX-License-Identifier: Apache-2.0
// Tests products of cooperative matrices against a loop over the numbers: matrix_sweep [--first N] [--count N]
// [--step N]
//
// Covers every combination of component types, every combination of operand flags, every shape that the device
// reports and some that none does, in all layouts; each with strides known and unknown to the compiler, with
// unaligned rows, in global and local memory, through pointers to scalars and to vectors. Prints 'N right, N wrong, N
// not built'; exit status 1: some are wrong. A complete run takes minutes; the test suite runs a part.
#include "arith.h"
#include "object/cl.h"

#include <stdio.h>
#include <stdlib.h>

enum { PLACES = 4096, MAX_SHAPES = 64, FLAGS = 32, LOCAL_BYTES = 7000 };

typedef __int128 wide;

struct shape {
    unsigned rows, columns, depth;
};

struct product {
    struct shape shape;
    enum base type[3]; // of a, b, and c and the result
    unsigned flags, layouts, way;
};

// How the matrices are stored: bits of `way`.
enum { KNOWN = 1, IN_LOCAL = 2, AS_VECTORS = 4, ANYWHERE = 8 };

static cl_device_id device;
static cl_context context;
static cl_command_queue queue;
static size_t items; // sub-group size
static bool has_half, has_double;
static struct shape shapes[MAX_SHAPES] = {{1, 1, 1},  {1, 7, 3},   {7, 1, 2},   {3, 5, 7},   {4, 4, 4},  {8, 8, 8},   {9, 4, 11},
                                          {8, 16, 8}, {2, 33, 1},  {33, 2, 5},  {1, 1, 40},  {13, 9, 6}, {16, 16, 8}, {16, 8, 16},
                                          {5, 31, 2}, {17, 16, 3}, {16, 17, 9}, {32, 16, 8}, {8, 8, 32}, {24, 8, 24}, {32, 32, 32}};
static unsigned shape_count = 21;

// ---- the products -------------------------------------------------------------------------------

static bool offered(enum base type)
{
    return type == HALF ? has_half : type == DOUBLE ? has_double : true;
}

static const enum base whole[] = {CHAR, UCHAR, SHORT, USHORT, INT, UINT, LONG, ULONG}, floats[] = {HALF, FLOAT, DOUBLE};
static const enum base usual[][3] = {{HALF, HALF, FLOAT}, {HALF, HALF, HALF},  {FLOAT, FLOAT, FLOAT}, {CHAR, CHAR, INT},
                                     {UCHAR, UCHAR, UINT}, {SHORT, CHAR, LONG}, {DOUBLE, FLOAT, DOUBLE}};
enum { WHOLE = 8 * 8 * 8, ALL_FLOATS = 3 * 3 * 3, USUAL = 7 };

// One of the small shapes, whatever the device is.
static struct shape small_shape(unsigned n)
{
    return shapes[n * 7 % 17];
}

// The product of case `n`; false: there are no more.
static bool product_at(unsigned n, struct product *p)
{
    *p = (struct product){.layouts = n * 5 % 8, .way = n * 3 % 16};
    if (n < 2 * WHOLE) { // all types
        for (unsigned i = 0, k = n / 2; i < 3; i++, k /= 8)
            p->type[i] = whole[k % 8];
        p->shape = small_shape(n);
        p->flags = n % 2 ? n / 2 * 11 % FLAGS : 0;
        return true;
    }
    n -= 2 * WHOLE;
    if (n < 4 * ALL_FLOATS) {
        for (unsigned i = 0, k = n / 4; i < 3; i++, k /= 3)
            p->type[i] = floats[k % 3];
        p->shape = small_shape(n);
        return true;
    }
    n -= 4 * ALL_FLOATS;
    if (n < FLAGS * 24) { // all flags
        for (unsigned i = 0; i < 3; i++)
            p->type[i] = whole[(n / FLAGS >> i & 1) + (i == 2 ? 2 * (n / FLAGS / 8 + 1) : 0)];
        p->shape = small_shape(n);
        p->flags = n % FLAGS;
        return true;
    }
    n -= FLAGS * 24;
    memcpy(p->type, usual[n % USUAL], sizeof p->type); // all shapes in all layouts
    p->layouts = n / USUAL % 8;
    if (n / USUAL / 8 >= shape_count)
        return false;
    p->shape = shapes[n / USUAL / 8];
    return true;
}

// ---- matrices in memory -------------------------------------------------------------------------

struct placed {
    enum base type;
    unsigned rows, columns, stride, offset;
    bool by_columns;
    uint64_t lanes[PLACES];
    unsigned char bytes[PLACES * 8];
};
static struct placed placed[4]; // a, b, c, the result

static unsigned place(const struct placed *m, unsigned row, unsigned column)
{
    return m->offset + (m->by_columns ? column * m->stride + row : row * m->stride + column);
}

static unsigned end_of(const struct placed *m)
{
    return place(m, m->rows - 1, m->columns - 1) + 1;
}

// Floats are small integers; integers too, except for every third component of c, which is near a limit of its range.
static uint64_t lane_for(const struct placed *m, unsigned i, bool is_sum)
{
    int value = (int)((i * 37 + 11) % 7) - 3;
    unsigned bits = base_bits[m->type];
    if (base_is_float(m->type))
        return lane_from_float((float)value);
    if (is_sum && i % 3 == 0)
        return lane_normal(m->type, ((uint64_t)1 << (bits - 1)) - i / 3 % 2 - (uint64_t)(i % 5 == 0));
    return lane_normal(m->type, (uint64_t)(int64_t)(value * (m->type <= UCHAR && !is_sum ? 40 : 1)));
}

static void place_matrix(struct placed *m, const struct product *p, unsigned which)
{
    const struct shape *s = &p->shape;
    m->type = p->type[which > 2 ? 2 : which];
    m->rows = which == 1 ? s->depth : s->rows;
    m->columns = which == 0 ? s->depth : s->columns;
    m->by_columns = p->layouts >> (which > 2 ? 2 : which) & 1;
    m->stride = (m->by_columns ? m->rows : m->columns) + (p->way & ANYWHERE ? 1 + which % 3 : 0);
    m->offset = p->way & ANYWHERE ? 5 + which % 3 : 0;
    if (p->way & AS_VECTORS)
        m->stride = (m->stride + 3) / 4 * 4, m->offset = m->offset / 4 * 4;
    for (unsigned i = 0; i < PLACES; i++) {
        m->lanes[i] = lane_for(m, i, which >= 2);
        lane_store(m->type, m->bytes + i * base_bits[m->type] / 8, m->lanes[i]);
    }
}

// ---- the reference ------------------------------------------------------------------------------

static wide value_of(enum base type, bool also_signed, uint64_t lane)
{
    if (also_signed)
        type = base_with_sign(type, true);
    lane = lane_normal(type, lane);
    return base_signed(type) ? (wide)(int64_t)lane : (wide)lane;
}

static uint64_t whole_sum(const struct product *p, unsigned row, unsigned column)
{
    bool is_signed = base_signed(p->type[2]) || p->flags & PRODUCT_RESULT_SIGNED;
    const struct placed *a = &placed[0], *b = &placed[1], *c = &placed[2];
    unsigned bits = base_bits[c->type] - is_signed;
    wide sum = value_of(c->type, is_signed, c->lanes[place(c, row, column)]);
    wide most = ((wide)1 << bits) - 1, least = is_signed ? -most - 1 : 0;
    for (unsigned k = 0; k < a->columns; k++)
        sum += value_of(a->type, p->flags & PRODUCT_A_SIGNED, a->lanes[place(a, row, k)]) *
               value_of(b->type, p->flags & PRODUCT_B_SIGNED, b->lanes[place(b, k, column)]);
    if (p->flags & PRODUCT_SATURATING)
        sum = sum > most ? most : sum < least ? least : sum;
    return lane_normal(c->type, (uint64_t)sum);
}

// Whether the sum of the products is in the range for which saturation is defined.
static bool sum_is_defined(const struct product *p)
{
    const struct placed *a = &placed[0], *b = &placed[1], *c = &placed[2];
    bool is_signed = base_signed(c->type) || p->flags & PRODUCT_RESULT_SIGNED;
    wide most = ((wide)1 << (base_bits[c->type] - is_signed)) - 1, least = is_signed ? -most - 1 : 0;
    for (unsigned i = 0; i < a->rows * b->columns; i++) {
        wide sum = 0;
        for (unsigned k = 0; k < a->columns; k++)
            sum += value_of(a->type, p->flags & PRODUCT_A_SIGNED, a->lanes[place(a, i / b->columns, k)]) *
                   value_of(b->type, p->flags & PRODUCT_B_SIGNED, b->lanes[place(b, k, i % b->columns)]);
        if (sum > most || sum < least)
            return false;
    }
    return true;
}

static uint64_t float_sum(unsigned row, unsigned column)
{
    const struct placed *a = &placed[0], *b = &placed[1], *c = &placed[2];
    float sum = lane_float(c->lanes[place(c, row, column)]);
    for (unsigned k = 0; k < a->columns; k++)
        sum += lane_float(a->lanes[place(a, row, k)]) * lane_float(b->lanes[place(b, k, column)]);
    return lane_from_float(sum);
}

static void multiply(const struct product *p)
{
    struct placed *d = &placed[3];
    for (unsigned row = 0; row < d->rows; row++)
        for (unsigned column = 0; column < d->columns; column++) {
            unsigned at = place(d, row, column);
            d->lanes[at] = base_is_float(d->type) ? float_sum(row, column) : whole_sum(p, row, column);
        }
    for (unsigned i = 0; i < PLACES; i++)
        lane_store(d->type, d->bytes + i * base_bits[d->type] / 8, d->lanes[i]);
}

// ---- the device ---------------------------------------------------------------------------------

static const char source[] =
    "#define MATRIX(T, R, C, U) T __attribute__((coop_mat(CLK_COOPERATIVE_MATRIX_SCOPE_SUBGROUP, R, C, CLK_COOPERATIVE_MATRIX_##U)))\n"
    "#define TAKE(T, x, n) local T x##_room[n] __attribute__((aligned(16))); for (int i = get_local_id(0); i < n; i += get_local_size(0)) x##_room[i] = x[i];\n"
    "#define TWO(a, b) a##b\n"
    "#define VECTOR(T, n) TWO(T, n)\n"
    "typedef MATRIX(TA, M, K, A) mat_a;\n"
    "typedef MATRIX(TB, K, N, B) mat_b;\n"
    "typedef MATRIX(TC, M, N, ACCUMULATOR) mat_c;\n"
    "#if LANES == 1\n"
    "#define AT(S, T, x, o) (x + o)\n"
    "#else\n"
    "#define AT(S, T, x, o) ((S VECTOR(T, LANES) *)x + o / LANES)\n"
    "#endif\n"
    "kernel void product(global TA *a, global TB *b, global TC *c, global TC *d, int4 known, int4 stride, int4 offset)\n"
    "{\n"
    "#ifdef KNOWN\n"
    "    stride = (int4)(SA, SB, SC, SD), offset = (int4)(OA, OB, OC, OD);\n"
    "#endif\n"
    "    stride /= LANES;\n"
    "#ifdef NA\n"
    "    TAKE(TA, a, NA) TAKE(TB, b, NB) TAKE(TC, c, NC) TAKE(TC, d, ND)\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    mat_a x = coop_mat_load(AT(local, TA, a_room, offset.x), LA, stride.x);\n"
    "    mat_b y = coop_mat_load(AT(local, TB, b_room, offset.y), LB, stride.y);\n"
    "    mat_c z = coop_mat_load(AT(local, TC, c_room, offset.z), LC, stride.z);\n"
    "    coop_mat_store(AT(local, TC, d_room, offset.w), coop_mat_mulAdd(x, y, z, FLAGS), LC, stride.w);\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    for (int i = get_local_id(0); i < ND; i += get_local_size(0)) d[i] = d_room[i];\n"
    "#else\n"
    "    mat_a x = coop_mat_load(AT(global, TA, a, offset.x), LA, stride.x);\n"
    "    mat_b y = coop_mat_load(AT(global, TB, b, offset.y), LB, stride.y);\n"
    "    mat_c z = coop_mat_load(AT(global, TC, c, offset.z), LC, stride.z);\n"
    "    coop_mat_store(AT(global, TC, d, offset.w), coop_mat_mulAdd(x, y, z, FLAGS), LC, stride.w);\n"
    "#endif\n"
    "}\n";

static cl_kernel build(const struct product *p)
{
    const struct placed *m = placed;
    static char options[2000], log[2000];
    const char *text = source;
    unsigned ends[4], bytes = 0;
    cl_int error;
    int n = snprintf(options, sizeof options,
                     "-w -DTA=%s -DTB=%s -DTC=%s -DM=%u -DN=%u -DK=%u -DFLAGS=%u -DLA=%u -DLB=%u -DLC=%u -DLANES=%u", base_names[p->type[0]],
                     base_names[p->type[1]], base_names[p->type[2]], p->shape.rows, p->shape.columns, p->shape.depth, p->flags,
                     p->layouts & 1, p->layouts >> 1 & 1, p->layouts >> 2 & 1, p->way & AS_VECTORS ? 4 : 1);
    if (p->way & KNOWN)
        n += snprintf(options + n, sizeof options - (size_t)n, " -DKNOWN -DSA=%u -DSB=%u -DSC=%u -DSD=%u -DOA=%u -DOB=%u -DOC=%u -DOD=%u",
                      m[0].stride, m[1].stride, m[2].stride, m[3].stride, m[0].offset, m[1].offset, m[2].offset, m[3].offset);
    for (unsigned i = 0; i < 4; i++) {
        ends[i] = end_of(&m[i]) + 3;
        bytes += ends[i] * base_bits[m[i].type] / 8 + 16;
    }
    if (p->way & IN_LOCAL && bytes < 4 * LOCAL_BYTES)
        snprintf(options + n, sizeof options - (size_t)n, " -DNA=%u -DNB=%u -DNC=%u -DND=%u", ends[0], ends[1], ends[2], ends[3]);
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &error);
    cl_kernel kernel = NULL;
    if (!clBuildProgram(program, 1, &device, options, NULL, NULL))
        kernel = clCreateKernel(program, "product", &error);
    else if (!clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL))
        printf("%s\n%.600s\n", options, log);
    clReleaseProgram(program);
    return kernel;
}

static bool run(cl_kernel kernel, unsigned char *got)
{
    cl_mem buffers[4];
    cl_int strides[4], offsets[4], none[4] = {0}, error = 0;
    for (cl_uint i = 0; i < 4; i++) {
        buffers[i] = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof placed[i].bytes, placed[i].bytes, NULL);
        error |= clSetKernelArg(kernel, i, sizeof buffers[i], &buffers[i]);
        strides[i] = (cl_int)placed[i].stride;
        offsets[i] = (cl_int)placed[i].offset;
    }
    error |= clSetKernelArg(kernel, 4, sizeof none, none) | clSetKernelArg(kernel, 5, sizeof strides, strides) |
             clSetKernelArg(kernel, 6, sizeof offsets, offsets);
    error |= clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &items, 0, NULL, NULL);
    error |= clEnqueueReadBuffer(queue, buffers[3], CL_TRUE, 0, sizeof placed[3].bytes, got, 0, NULL, NULL);
    for (unsigned i = 0; i < 4; i++)
        clReleaseMemObject(buffers[i]);
    return !error;
}

static void describe(const struct product *p)
{
    printf("%ux%ux%u of %s, %s, %s, flags %u, layouts %u, way %u", p->shape.rows, p->shape.columns, p->shape.depth,
           base_names[p->type[0]], base_names[p->type[1]], base_names[p->type[2]], p->flags, p->layouts, p->way);
}

enum result { RIGHT, WRONG, NOT_BUILT, NOT_OFFERED };

static enum result check(struct product *p)
{
    static unsigned char got[sizeof placed[3].bytes];
    if (!offered(p->type[0]) || !offered(p->type[1]) || !offered(p->type[2]))
        return NOT_OFFERED;
    for (unsigned i = 0; i < 4; i++) {
        place_matrix(&placed[i], p, i);
        if (end_of(&placed[i]) > PLACES)
            return NOT_OFFERED;
    }
    if (p->flags & PRODUCT_SATURATING && !sum_is_defined(p))
        p->flags -= PRODUCT_SATURATING;
    cl_kernel kernel = build(p);
    if (!kernel)
        return NOT_BUILT;
    bool ran = run(kernel, got);
    clReleaseKernel(kernel);
    multiply(p);
    return ran && !memcmp(got, placed[3].bytes, sizeof got) ? RIGHT : WRONG;
}

// Appends the shapes that the device reports.
static void add_named_shapes(cl_platform_id platform)
{
    static cl_device_cooperative_matrix_variant_khr named[256];
    cl_int (*ask)(cl_device_id, cl_uint, size_t, const void *, size_t, void *, size_t *);
    size_t bytes = 0;
    *(void **)&ask = clGetExtensionFunctionAddressForPlatform(platform, "clGetDeviceCooperativeMatrixInfoKHR");
    if (!ask || ask(device, CL_DEVICE_COOPERATIVE_MATRIX_DEFAULT_SUB_GROUP_VARIANTS_KHR, 0, NULL, sizeof named, named, &bytes))
        return;
    for (size_t i = 0; i < bytes / sizeof *named && shape_count < MAX_SHAPES; i++) {
        struct shape shape = {named[i].m_size, named[i].n_size, named[i].k_size};
        bool known = false;
        for (unsigned k = 0; k < shape_count; k++)
            known |= !memcmp(&shapes[k], &shape, sizeof shape);
        if (!known)
            shapes[shape_count++] = shape;
    }
}

static bool open_device(void)
{
    static char extensions[16384];
    cl_platform_id platform;
    cl_uint sub_groups = 0;
    if (clGetPlatformIDs(1, &platform, NULL) || clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL))
        return false;
    clGetDeviceInfo(device, CL_DEVICE_MAX_NUM_SUB_GROUPS, sizeof sub_groups, &sub_groups, NULL);
    clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof extensions, extensions, NULL);
    has_half = strstr(extensions, "cl_khr_fp16");
    has_double = strstr(extensions, "cl_khr_fp64");
    context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    queue = clCreateCommandQueueWithProperties(context, device, NULL, NULL);
    size_t sizes[8] = {0};
    clGetDeviceInfo(device, CL_DEVICE_SUB_GROUP_SIZES_INTEL, sizeof sizes, sizes, NULL);
    items = sizes[0] ? sizes[0] : 32;
    add_named_shapes(platform);
    return sub_groups && queue;
}

int main(int argc, char **argv)
{
    unsigned first = 0, count = UINT32_MAX, step = 1, counts[4] = {0};
    struct product p;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (!strcmp(argv[i], "--first"))
            first = (unsigned)strtoul(argv[i + 1], NULL, 0);
        else if (!strcmp(argv[i], "--count"))
            count = (unsigned)strtoul(argv[i + 1], NULL, 0);
        else if (!strcmp(argv[i], "--step"))
            step = (unsigned)strtoul(argv[i + 1], NULL, 0);
    }
    if (!open_device())
        return 77;
    for (unsigned n = first; n - first < count && product_at(n, &p); n += step) {
        enum result result = check(&p);
        counts[result]++;
        if (result == WRONG || result == NOT_BUILT) {
            printf("%u: %s: ", n, result == WRONG ? "wrong" : "not built");
            describe(&p);
            printf("\n");
            fflush(stdout);
        }
    }
    printf("%u right, %u wrong, %u not built, %u not offered\n", counts[RIGHT], counts[WRONG], counts[NOT_BUILT], counts[NOT_OFFERED]);
    return counts[WRONG] || counts[NOT_BUILT];
}
