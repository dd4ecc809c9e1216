// SPDX-License-Identifier: Apache-2.0
// Versions: the strings, numbers and lists of platform and device, and the compiler's macros under
// each -cl-std, are consistent; a device reports OpenCL 3.1 exactly if it meets all its
// requirements. The argument is the version that the device must report.
#include "test.h"

enum { IL_CAPABILITIES = 0x12bb }; // CL_DEVICE_SPIRV_CAPABILITIES, newer than Debian 12's header
static cl_version version; // of the device

static cl_version number_of(const char *text, const char *head)
{
    unsigned major = 0, minor = 0;
    CHECK(!strncmp(text, head, strlen(head)) && sscanf(text + strlen(head), "%u.%u ", &major, &minor) == 2);
    return CL_MAKE_VERSION(major, minor, 0);
}

static void check_numbers(void)
{
    char text[256];
    cl_version number = 0, platform;
    CHECK_OK(clGetDeviceInfo(test_device, CL_DEVICE_VERSION, sizeof text, text, NULL));
    CHECK_OK(clGetDeviceInfo(test_device, CL_DEVICE_NUMERIC_VERSION, sizeof version, &version, NULL));
    CHECK_EQ(number_of(text, "OpenCL "), version);
    CHECK_OK(clGetPlatformInfo(test_platform, CL_PLATFORM_VERSION, sizeof text, text, NULL));
    CHECK_OK(clGetPlatformInfo(test_platform, CL_PLATFORM_NUMERIC_VERSION, sizeof platform, &platform, NULL));
    CHECK_EQ(number_of(text, "OpenCL "), platform);
    CHECK_EQ(platform, CL_MAKE_VERSION(3, 1, 0)); // independent of the device's version
    CHECK_OK(clGetDeviceInfo(test_device, CL_DEVICE_OPENCL_C_VERSION, sizeof text, text, NULL));
    CHECK_OK(clGetDeviceInfo(test_device, CL_DEVICE_OPENCL_C_NUMERIC_VERSION_KHR, sizeof number, &number, NULL));
    CHECK_EQ(number_of(text, "OpenCL C "), number);
    CHECK_EQ(number, CL_MAKE_VERSION(1, 2, 0)); // a later version would require optional features
                                                // that are missing
}

// ---- requirements of 3.1
// -------------------------------------------------------------------------

static bool takes_il_to(unsigned minor)
{
    cl_name_version rows[16];
    size_t size = 0;
    unsigned found = 0;
    CHECK_OK(clGetDeviceInfo(test_device, CL_DEVICE_ILS_WITH_VERSION, sizeof rows, rows, &size));
    for (size_t i = 0; i < size / sizeof *rows; i++)
        found |= 1u << CL_VERSION_MINOR(rows[i].version);
    return !(~found & ((2u << minor) - 1));
}

// Required SPIR-V capabilities: BitInstructions, DotProduct, shuffles, rotation.
static bool has_il_capabilities(void)
{
    static const cl_uint wanted[] = {6025, 6019, 6018, 65, 66, 6026};
    cl_uint list[256];
    size_t size = 0, found = 0;
    CHECK_OK(clGetDeviceInfo(test_device, IL_CAPABILITIES, sizeof list, list, &size));
    for (size_t i = 0; i < size / sizeof *list; i++)
        for (size_t j = 0; j < sizeof wanted / sizeof *wanted; j++)
            found += list[i] == wanted[j];
    return found == sizeof wanted / sizeof *wanted;
}

static void check_requirements(void)
{
    static const char *const extensions[] = {
        "cl_khr_device_uuid",       "cl_khr_extended_bit_ops",          "cl_khr_integer_dot_product",
        "cl_khr_spirv_queries",     "cl_khr_subgroup_extended_types",   "cl_khr_subgroup_rotate",
        "cl_khr_subgroup_shuffle ", "cl_khr_subgroup_shuffle_relative", "cl_khr_suggested_local_work_size"};
    cl_uint sub_groups = 0;
    CHECK_OK(clGetDeviceInfo(test_device, CL_DEVICE_MAX_NUM_SUB_GROUPS, sizeof sub_groups, &sub_groups, NULL));
    bool all = sub_groups && takes_il_to(4) && has_il_capabilities();
    for (size_t i = 0; i < sizeof extensions / sizeof *extensions; i++)
        all &= test_has(test_device, extensions[i]);
    CHECK_EQ(version, all ? CL_MAKE_VERSION(3, 1, 0) : CL_MAKE_VERSION(3, 0, 0));
}

// ---- versions of OpenCL C ------------------------------------------------------------------------

static bool is_taken(const char *source, const char *options)
{
    cl_program program = clCreateProgramWithSource(test_context, 1, &source, NULL, NULL);
    cl_int error = clBuildProgram(program, 0, NULL, options, NULL, NULL);
    CHECK(error == CL_SUCCESS || error == CL_BUILD_PROGRAM_FAILURE);
    if (error) {
        char log[1024] = "";
        clGetProgramBuildInfo(program, test_device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
        CHECK(*log);
    }
    CHECK_OK(clReleaseProgram(program));
    return error == CL_SUCCESS;
}

// One row for each version, as the specification requires; the device's own version is the last.
static void check_c_versions(void)
{
    const cl_version wanted[] = {CL_MAKE_VERSION(1, 0, 0), CL_MAKE_VERSION(1, 1, 0), CL_MAKE_VERSION(1, 2, 0),
                                 CL_MAKE_VERSION(3, 0, 0), CL_MAKE_VERSION(3, 1, 0)};
    cl_name_version rows[16];
    size_t size = 0, count = version == wanted[4] ? 5 : 4;
    CHECK_OK(clGetDeviceInfo(test_device, CL_DEVICE_OPENCL_C_ALL_VERSIONS, sizeof rows, rows, &size));
    CHECK_EQ(size / sizeof *rows, count);
    for (size_t i = 0; i < size / sizeof *rows; i++) {
        char options[32];
        CHECK(!strcmp(rows[i].name, "OpenCL C"));
        CHECK_EQ(rows[i].version, wanted[i]);
        snprintf(options, sizeof options, "-cl-std=CL%u.%u", CL_VERSION_MAJOR(rows[i].version),
                 CL_VERSION_MINOR(rows[i].version));
        CHECK(is_taken("kernel void k(global int *p) { *p = 1; }", options));
    }
    CHECK_EQ(is_taken("kernel void k(global int *p) { *p = 1; }", "-cl-std=CL3.1"), count == 5);
}

// The compiler's macros: CL_VERSION_3_1 depends on OpenCL C 3.1, __OPENCL_VERSION__ on the device.
static void check_macros(void)
{
    static const struct {
        const char *options;
        unsigned number;
    } rows[] = {{"", 120},
                {"-cl-std=CL1.0", 100},
                {"-cl-std=CL1.1", 110},
                {"-cl-std=CL1.2", 120},
                {"-cl-std=CL2.0", 200},
                {"-cl-std=CL3.0", 300},
                {"-cl-std=CL3.1", 310}};
    unsigned device = CL_VERSION_MAJOR(version) * 100 + CL_VERSION_MINOR(version) * 10;
    for (size_t i = 0; i < sizeof rows / sizeof *rows && rows[i].number <= (device > 300 ? device : 300); i++) {
        char source[1024];
        snprintf(source, sizeof source,
                 "#if __OPENCL_C_VERSION__ != %u || __OPENCL_VERSION__ != %u || defined(CL_VERSION_3_1) != %d\n"
                 "#error other versions\n"
                 "#endif\n"
                 "#if defined(CL_VERSION_3_1) && CL_VERSION_3_1 != 310\n"
                 "#error another number\n"
                 "#endif\n"
                 "kernel void k(global int *p) { *p = 1; }",
                 rows[i].number, device, rows[i].number >= 310);
        if (!CHECK(is_taken(source, rows[i].options)))
            printf("  with '%s'\n", rows[i].options);
    }
}

// ---- features ------------------------------------------------------------------------------------

static const char *const features[] = {
    "3d_image_writes", "atomic_order_acq_rel", "atomic_order_seq_cst", "atomic_scope_device", "atomic_scope_all_devices",
    "device_enqueue", "fp64", "generic_address_space", "images", "int64", "integer_dot_product_input_4x8bit",
    "integer_dot_product_input_4x8bit_packed", "kernel_clock_scope_device", "kernel_clock_scope_work_group",
    "kernel_clock_scope_sub_group", "pipes", "program_scope_global_variables", "read_write_images", "subgroups",
    "work_group_collective_functions"};

static bool is_listed(const cl_name_version *rows, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (!strcmp(rows[i].name, name))
            return true;
    return false;
}

// The macros from OpenCL C 3.0 on and the device's list contain the same features.
static void check_features(const char *options, bool macros)
{
    cl_name_version rows[128];
    char source[8192], name[128];
    size_t size = 0, at = 0;
    CHECK_OK(clGetDeviceInfo(test_device, CL_DEVICE_OPENCL_C_FEATURES, sizeof rows, rows, &size));
    for (size_t i = 0; i < sizeof features / sizeof *features; i++) {
        snprintf(name, sizeof name, "__opencl_c_%s", features[i]);
        bool has = macros && is_listed(rows, size / sizeof *rows, name);
        at += (size_t)snprintf(source + at, sizeof source - at, "#if defined(%s) != %d\n#error %s\n#endif\n", name, has, name);
    }
    snprintf(source + at, sizeof source - at, "kernel void k(global int *p) { *p = 1; }");
    if (!CHECK(is_taken(source, options)))
        printf("  with '%s'\n", options);
}

// Runs what OpenCL C 3.1 adds, without testing macros of extensions.
static void check_language(void)
{
    static const char source[] =
        "kernel void k(global uint *p) {\n"
        "    uint me = get_sub_group_local_id(), n = get_sub_group_size(), i = get_global_id(0);\n"
        "    uint errors = popcount(bitfield_insert(0u, 7u, 3u, 3u)) != 3 || bit_reverse(1u) != 0x80000000u;\n"
        "    errors += dot_4x8packed_uu_uint(0x01020304u, 0x01010101u) != 10;\n"
        "    errors += dot_acc_sat_4x8packed_ss_int(0xffffffffu, 0x01010101u, 5) != 1;\n"
        "    errors += sub_group_rotate(me, 1) != (me + 1) % n;\n"
        "    errors += sub_group_clustered_rotate(me, 1, 2) != (me ^ 1);\n"
        "    errors += sub_group_shuffle(me, n - 1 - me) != n - 1 - me;\n"
        "    errors += sub_group_shuffle_xor(me, 1) != (me ^ 1);\n"
        // by all lanes: not behind &&
        "    uint up = sub_group_shuffle_up(me, 1), down = sub_group_shuffle_down(me, 1);\n"
        "    errors += (me && up != me - 1) || (me + 1 < n && down != me + 1);\n"
        "    errors += sub_group_broadcast((uchar)me, 1) != 1;\n"
        "    errors += any(sub_group_broadcast((short2)(me, 3), 1) != (short2)(1, 3));\n"
        "    p[i] = errors; }\n";
    cl_program program = test_build(source, "-cl-std=CL3.1");
    cl_kernel kernel = test_kernel(program, "k");
    cl_mem mem = test_buffer(0, 64 * 4, NULL);
    cl_uint back[64] = {1};
    size_t items = 64;
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    CHECK_OK(clEnqueueNDRangeKernel(test_queue, kernel, 1, NULL, &items, &items, 0, NULL, NULL));
    CHECK_OK(clEnqueueReadBuffer(test_queue, mem, CL_TRUE, 0, sizeof back, back, 0, NULL, NULL));
    for (int i = 0; i < 64; i++)
        CHECK_EQ(back[i], 0);
    CHECK_OK(clReleaseKernel(kernel));
    CHECK_OK(clReleaseMemObject(mem));
    CHECK_OK(clReleaseProgram(program));
}

int main(int argc, char **argv)
{
    test_open();
    check_numbers();
    if (argc > 1) {
        char wanted[32];
        snprintf(wanted, sizeof wanted, "%u.%u", CL_VERSION_MAJOR(version), CL_VERSION_MINOR(version));
        CHECK(!strcmp(wanted, argv[1]));
    }
    check_requirements();
    check_c_versions();
    check_macros();
    check_features("-cl-std=CL1.2", false);
    check_features("-cl-std=CL3.0", true);
    if (version == CL_MAKE_VERSION(3, 1, 0)) {
        check_features("-cl-std=CL3.1", true);
        check_language();
    }
    return test_close();
}
