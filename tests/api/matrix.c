// SPDX-License-Identifier: Apache-2.0
// Cooperative matrices from the host: the device's list of products; each of these and some other
// shapes, compared with a loop on the host, in all layouts; partial sub-groups are refused.
#include "object/cl.h"
#include "test.h"
#include "util/small_float.h"

enum { PLACES = 8192, BF16 = 11, TYPES = 14 }; // numbers of the draft extension, and types without
                                               // one

static const char *const type_names[TYPES] = {"half", "float", "double", "char",   "short", "int",
                                              "long", "uchar", "ushort", "uint", "ulong", "__bf16", "__fp8_e4m3", "__fp8_e5m2"};
static const unsigned type_bytes[TYPES] = {2, 4, 8, 1, 2, 4, 8, 1, 2, 4, 8, 2, 1, 1};

static bool is_float(unsigned type) { return type < 3 || type >= BF16; }
static bool is_signed(unsigned type) { return type >= 3 && type < 7; }

// Small integers, exact in every type.
static void put(void *to, unsigned type, size_t place, int64_t value)
{
    char *at = (char *)to + place * type_bytes[type];
    float one = (float)value;
    double two = (double)value;
    uint32_t bits;
    uint16_t half = 0;
    memcpy(&bits, &one, sizeof bits);
    if (bits)
        half = (uint16_t)((bits >> 16 & 0x8000) | ((bits >> 23 & 255) - 112) << 10 | (bits >> 13 & 1023));
    uint32_t small = type >= BF16 ? small_from_double((enum small_float)(SMALL_BF16 + type - BF16), two) : 0;
    const void *from[3] = {&half, &one, &two};
    memcpy(at, type >= BF16 ? &small : type < 3 ? from[type] : &value, type_bytes[type]); // little-endian
}

// A value converted to the type: truncated, or saturated to the type's range.
static int64_t converted(unsigned type, int64_t value, bool saturating)
{
    unsigned bits = 8 * type_bytes[type];
    if (is_float(type) || bits == 64)
        return value;
    int64_t least = is_signed(type) ? -(INT64_C(1) << (bits - 1)) : 0;
    int64_t most = (INT64_C(1) << (bits - is_signed(type))) - 1;
    if (saturating)
        return value < least ? least : value > most ? most : value;
    uint64_t low = (uint64_t)value << (64 - bits);
    return is_signed(type) ? (int64_t)low >> (64 - bits) : (int64_t)(low >> (64 - bits));
}

static const char source[] =
    "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
    "#define SUB CLK_COOPERATIVE_MATRIX_SCOPE_SUBGROUP\n"
    "typedef A mat_a __attribute__((coop_mat(SUB, M, K, CLK_COOPERATIVE_MATRIX_A)));\n"
    "typedef B mat_b __attribute__((coop_mat(SUB, K, N, CLK_COOPERATIVE_MATRIX_B)));\n"
    "typedef C mat_c __attribute__((coop_mat(SUB, M, N, CLK_COOPERATIVE_MATRIX_ACCUMULATOR)));\n"
    "kernel void product(global A *a, global B *b, global C *c, global C *d, int sa, int sb, int sc) {\n"
    "    mat_a x = coop_mat_load(a, LA, sa);\n"
    "    mat_b y = coop_mat_load(b, LB, sb);\n"
    "    mat_c z = coop_mat_load(c, LC, sc);\n"
    "    z = coop_mat_mulAdd(x, y, z, FLAGS);\n"
    "    coop_mat_store(d, z, LC, sc);\n"
    "}\n";

// A matrix in memory, with padding between its rows or columns.
struct placed {
    unsigned type, rows, columns, stride;
    bool by_columns;
    int64_t values[PLACES];
    unsigned char bytes[PLACES * 8];
};
static struct placed a, b, c, d;

static int64_t *value_of(struct placed *p, unsigned row, unsigned column)
{
    return &p->values[p->by_columns ? column * p->stride + row : row * p->stride + column];
}

static void fill(struct placed *p, unsigned type, unsigned rows, unsigned columns, bool by_columns, int64_t more)
{
    *p = (struct placed){type, rows, columns, (by_columns ? rows : columns) + 16, by_columns, {0}, {0}};
    for (unsigned i = 0; i < PLACES; i++) {
        int64_t value = (int64_t)(i * 37 + 11) % 7 - (is_float(type) || is_signed(type) ? 3 : 0);
        p->values[i] = more && i % 3 == 0 ? converted(type, more + value, true) : value;
        put(p->bytes, type, i, p->values[i]);
    }
}

static cl_kernel build(const cl_device_cooperative_matrix_variant_khr *v, unsigned layouts)
{
    static const char *const words[2] = {"CLK_COOPERATIVE_MATRIX_LAYOUT_ROW_MAJOR",
                                         "CLK_COOPERATIVE_MATRIX_LAYOUT_COLUMN_MAJOR"};
    char options[800];
    snprintf(options, sizeof options,
             "-cl-std=CL3.0 -DM=%u -DN=%u -DK=%u -DA=%s -DB=%s -DC=%s -DLA=%s -DLB=%s -DLC=%s -DFLAGS=%s", v->m_size, v->n_size,
             v->k_size, type_names[v->a_type], type_names[v->b_type], type_names[v->c_type], words[layouts & 1],
             words[layouts >> 1 & 1], words[layouts >> 2 & 1],
             v->saturating_accumulation ? "CLK_COOPERATIVE_MATRIX_OPERAND_SATURATING_ACCUMULATION"
                                        : "CLK_COOPERATIVE_MATRIX_OPERAND_NONE");
    cl_program program = test_build(source, options);
    cl_kernel kernel = test_kernel(program, "product");
    CHECK_OK(clReleaseProgram(program));
    return kernel;
}

static void check_product(const cl_device_cooperative_matrix_variant_khr *v, unsigned layouts)
{
    static unsigned char got[sizeof d.bytes];
    int64_t end = v->saturating_accumulation ? INT64_C(1) << 40 : 0;
    fill(&a, v->a_type, v->m_size, v->k_size, layouts & 1, 0);
    fill(&b, v->b_type, v->k_size, v->n_size, layouts >> 1 & 1, 0);
    fill(&c, v->c_type, v->m_size, v->n_size, layouts >> 2 & 1, end);
    fill(&d, v->c_type, v->m_size, v->n_size, layouts >> 2 & 1, 0);
    struct placed *all[4] = {&a, &b, &c, &d};
    cl_mem mems[4];
    cl_kernel kernel = build(v, layouts);
    if (!kernel)
        return;
    for (cl_uint i = 0; i < 4; i++) {
        mems[i] = test_buffer(CL_MEM_COPY_HOST_PTR, sizeof d.bytes, all[i]->bytes);
        CHECK_OK(clSetKernelArg(kernel, i, sizeof mems[i], &mems[i]));
        if (i < 3)
            CHECK_OK(clSetKernelArg(kernel, i + 4, sizeof(cl_uint), &all[i]->stride));
    }
    size_t size;
    CHECK_OK(clGetKernelWorkGroupInfo(kernel, test_device, CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, sizeof size, &size,
                                      NULL));
    CHECK_OK(clEnqueueNDRangeKernel(test_queue, kernel, 1, NULL, &size, &size, 0, NULL, NULL));
    CHECK_OK(clEnqueueReadBuffer(test_queue, mems[3], CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
    for (unsigned row = 0; row < v->m_size; row++)
        for (unsigned column = 0; column < v->n_size; column++) {
            int64_t sum = *value_of(&c, row, column);
            for (unsigned k = 0; k < v->k_size; k++)
                sum += *value_of(&a, row, k) * *value_of(&b, k, column);
            *value_of(&d, row, column) = converted(v->c_type, sum, v->saturating_accumulation);
        }
    for (unsigned i = 0; i < PLACES; i++)
        put(d.bytes, v->c_type, i, d.values[i]);
    if (!CHECK(!memcmp(got, d.bytes, PLACES * type_bytes[v->c_type])))
        printf("%ux%ux%u of %s, %s, %s, layouts %u%s\n", v->m_size, v->n_size, v->k_size, type_names[v->a_type],
               type_names[v->b_type], type_names[v->c_type], layouts, v->saturating_accumulation ? ", saturating" : "");
    if (size > 1) {
        size_t fewer = size - 1, more = size + 1;
        CHECK_EQ(clEnqueueNDRangeKernel(test_queue, kernel, 1, NULL, &fewer, &fewer, 0, NULL, NULL), CL_INVALID_WORK_GROUP_SIZE);
        CHECK_EQ(clEnqueueNDRangeKernel(test_queue, kernel, 1, NULL, &more, &size, 0, NULL, NULL), CL_INVALID_WORK_GROUP_SIZE);
    }
    for (int i = 0; i < 4; i++)
        CHECK_OK(clReleaseMemObject(mems[i]));
    CHECK_OK(clReleaseKernel(kernel));
}

static void check_named(void)
{
    cl_int (*ask)(cl_device_id, cl_uint, size_t, const void *, size_t, void *, size_t *);
    *(void **)&ask = clGetExtensionFunctionAddressForPlatform(test_platform, "clGetDeviceCooperativeMatrixInfoKHR");
    static cl_device_cooperative_matrix_variant_khr variants[64];
    const cl_uint all = CL_DEVICE_COOPERATIVE_MATRIX_DEFAULT_SUB_GROUP_VARIANTS_KHR;
    const cl_uint of_size = CL_DEVICE_COOPERATIVE_MATRIX_SUB_GROUP_VARIANTS_KHR;
    size_t bytes = 0, same = 0;
    cl_uint no_size = 7, alignment = 0;
    if (!CHECK(ask))
        return;
    CHECK_OK(ask(test_device, all, 0, NULL, sizeof variants, variants, &bytes));
    CHECK(bytes && bytes % sizeof *variants == 0);
    CHECK_EQ(ask(test_device, all, 0, NULL, 1, variants, NULL), CL_INVALID_VALUE);
    CHECK_EQ(ask(test_device, 1, 0, NULL, 0, NULL, &same), CL_INVALID_VALUE);
    CHECK_EQ(ask(test_device, of_size, 0, NULL, 0, NULL, &same), CL_INVALID_VALUE);
    CHECK_EQ(ask(test_device, of_size, 1, &no_size, 0, NULL, &same), CL_INVALID_VALUE);
    CHECK_OK(ask(test_device, of_size, sizeof no_size, &no_size, 0, NULL, &same));
    CHECK_EQ(same, 0);
    CHECK_EQ(ask(NULL, all, 0, NULL, 0, NULL, &same), CL_INVALID_DEVICE);
    CHECK_OK(clGetDeviceInfo(test_device, CL_DEVICE_COOPERATIVE_MATRIX_POINTER_ALIGNMENT_KHR, sizeof alignment, &alignment, NULL));
    CHECK_EQ(alignment, 1);
    CHECK_OK(clGetDeviceInfo(test_device, CL_DEVICE_COOPERATIVE_MATRIX_STRIDE_MULTIPLE_KHR, sizeof alignment, &alignment, NULL));
    CHECK_EQ(alignment, 1);
    for (size_t i = 0; i < bytes / sizeof *variants; i++)
        if (variants[i].c_type == variants[i].result_type && variants[i].m_size <= 64 && variants[i].n_size <= 64 &&
            variants[i].k_size <= 64)
            check_product(&variants[i], (unsigned)i & 7);
}

int main(void)
{
    test_open();
    cl_uint sub_groups = 0;
    CHECK_OK(clGetDeviceInfo(test_device, CL_DEVICE_MAX_NUM_SUB_GROUPS, sizeof sub_groups, &sub_groups, NULL));
    if (sub_groups) {
        check_named();
        for (unsigned layouts = 0; layouts < 8; layouts++) {
            const cl_device_cooperative_matrix_variant_khr odd = {3 + layouts, 9 - layouts, 5, 3, 7, 5, 5, layouts & 1};
            check_product(&odd, layouts);
            const unsigned small[3] = {BF16 + layouts % 3, BF16 + layouts / 2 % 3, layouts & 1 ? BF16 : 1};
            const cl_device_cooperative_matrix_variant_khr odd_shape = {
                9 - layouts, 3 + layouts, 5, small[0], small[1], small[2], small[2], false};
            check_product(&odd_shape, layouts);
        }
        for (unsigned layouts = 0; layouts < 4; layouts++) { // by matrix units if the device
                                                             // supports this
            const unsigned sum = layouts & 2 ? BF16 : 1;
            const cl_device_cooperative_matrix_variant_khr even = {16, 16, 16, BF16, BF16, sum, sum, false};
            check_product(&even, layouts * 3);
        }
    }
    return test_close();
}
