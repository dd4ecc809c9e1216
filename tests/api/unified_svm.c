// SPDX-License-Identifier: Apache-2.0
// cl_khr_unified_svm: each type of shared virtual memory that the device reports works as its
// capabilities say; properties, queries, suggestions, and errors.
#include "object/cl.h"
#include "test.h"

enum { TYPES = 8, COUNT = 256 };

static struct {
    cl_svm_capabilities_khr platform[TYPES], device[TYPES];
    cl_uint count;
    void *(CL_API_CALL *alloc)(cl_context, const cl_svm_alloc_properties_khr *, cl_uint, size_t, cl_int *);
    cl_int(CL_API_CALL *free)(cl_context, const cl_svm_free_properties_khr *, cl_svm_free_flags_khr, void *);
    cl_int(CL_API_CALL *info)(cl_context, cl_device_id, const void *, cl_svm_pointer_info_khr, size_t, void *, size_t *);
    cl_int(CL_API_CALL *suggest)(cl_context, cl_svm_capabilities_khr, cl_svm_capabilities_khr,
                                 const cl_svm_alloc_properties_khr *, size_t, cl_uint *);
} svm;

static cl_program program;

static const char *const source =
    "struct link { global uint *to; uint value; };\n"
    "kernel void add(global uint *p, uint n) { p[get_global_id(0)] += n; }\n"
    "kernel void follow(global struct link *p) { p->value = p->to[1]; p->to[0] = 77; }\n"
    "kernel void keep(global const uint *p, global ulong *out) { *out = (ulong)p; }\n"
    "kernel void count(volatile global uint *p) { atomic_inc(p); }\n";

static bool open_svm(void)
{
    size_t size = 0, platform = 0;
#define GET(member, name) *(void **)&svm.member = clGetExtensionFunctionAddressForPlatform(test_platform, #name)
    GET(alloc, clSVMAllocWithPropertiesKHR);
    GET(free, clSVMFreeWithPropertiesKHR);
    GET(info, clGetSVMPointerInfoKHR);
    GET(suggest, clGetSVMSuggestedTypeIndexKHR);
#undef GET
    if (!CHECK(svm.alloc && svm.free && svm.info && svm.suggest))
        return false;
    CHECK_OK(clGetPlatformInfo(test_platform, CL_PLATFORM_SVM_TYPE_CAPABILITIES_KHR, sizeof svm.platform,
                               svm.platform, &platform));
    CHECK_OK(clGetDeviceInfo(test_device, CL_DEVICE_SVM_TYPE_CAPABILITIES_KHR, sizeof svm.device, svm.device, &size));
    CHECK_EQ(size, platform);
    svm.count = (cl_uint)(size / sizeof *svm.device);
    return test_has(test_device, "cl_khr_unified_svm");
}

static bool can(cl_uint type, cl_svm_capabilities_khr what)
{
    return (svm.device[type] & what) == what;
}

// A list with the property that the type requires; NULL: it requires none.
static const cl_svm_alloc_properties_khr *needed(cl_uint type, cl_svm_alloc_properties_khr list[3])
{
    list[0] = CL_SVM_ALLOC_ASSOCIATED_DEVICE_HANDLE_KHR;
    list[1] = (cl_svm_alloc_properties_khr)(uintptr_t)test_device;
    list[2] = 0;
    return can(type, CL_SVM_CAPABILITY_DEVICE_UNASSOCIATED_KHR) ? NULL : list;
}

static uint32_t *allocate(cl_uint type)
{
    cl_svm_alloc_properties_khr list[3];
    cl_int error = 12345;
    uint32_t *made = svm.alloc(test_context, needed(type, list), type, COUNT * sizeof *made, &error);
    CHECK_OK(error);
    CHECK(made != NULL);
    return made;
}

// ---- types --------------------------------------------------------------------------------------

static void check_types(void)
{
    cl_svm_capabilities_khr own = CL_SVM_CAPABILITY_DEVICE_OWNED_KHR, none = CL_SVM_CAPABILITY_DEVICE_UNASSOCIATED_KHR;
    cl_device_svm_capabilities old = 0;
    unsigned kinds = 0;
    CHECK_OK(clGetDeviceInfo(test_device, CL_DEVICE_SVM_CAPABILITIES, sizeof old, &old, NULL));
    CHECK(svm.count > 0);
    for (cl_uint i = 0; i < svm.count; i++) {
        CHECK(svm.platform[i] != 0);
        CHECK(!svm.device[i] || can(i, svm.platform[i]));
        CHECK(!can(i, own | none));
        CHECK(!can(i, CL_SVM_CAPABILITY_HOST_OWNED_KHR) || can(i, none | CL_SVM_CAPABILITY_HOST_READ_KHR));
        kinds |= can(i, own) ? 1 : 0;
        kinds |= can(i, none) && !can(i, CL_SVM_CAPABILITY_HOST_READ_KHR) ? 2 : 0;
        kinds |= can(i, CL_SVM_CAPABILITY_SYSTEM_ALLOCATED_KHR) ? 4 : 0;
    }
    CHECK(kinds & 1);
    CHECK_EQ(kinds >> 1 & 1, (old & CL_DEVICE_SVM_COARSE_GRAIN_BUFFER) != 0);
    CHECK_EQ(kinds >> 2 & 1, (old & CL_DEVICE_SVM_FINE_GRAIN_SYSTEM) && (old & CL_DEVICE_SVM_ATOMICS));
}

// ---- capabilities of a type
// ----------------------------------------------------------------------

static void run(const char *name, const void *pointer, cl_mem out, const cl_uint *number, size_t items)
{
    cl_kernel kernel = test_kernel(program, name);
    CHECK_OK(clSetKernelArgSVMPointer(kernel, 0, pointer));
    if (out)
        CHECK_OK(clSetKernelArg(kernel, 1, sizeof out, &out));
    if (number)
        CHECK_OK(clSetKernelArg(kernel, 1, sizeof *number, number));
    CHECK_OK(clEnqueueNDRangeKernel(test_queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
    CHECK_OK(clFinish(test_queue));
    clReleaseKernel(kernel);
}

static void check_copies(uint32_t *made)
{
    static const uint32_t seven = 7;
    uint32_t values[COUNT], back[COUNT] = {0};
    cl_uint three = 3;
    for (uint32_t i = 0; i < COUNT; i++)
        values[i] = 1000 + i;
    CHECK_OK(clEnqueueSVMMemcpy(test_queue, CL_TRUE, made, values, sizeof values, 0, NULL, NULL));
    run("add", made, NULL, &three, COUNT);
    CHECK_OK(clEnqueueSVMMemcpy(test_queue, CL_TRUE, back, made, sizeof back, 0, NULL, NULL));
    for (uint32_t i = 0; i < COUNT; i++)
        values[i] += 3;
    CHECK(!memcmp(values, back, sizeof back));
    CHECK_OK(clEnqueueSVMMemFill(test_queue, made, &seven, sizeof seven, COUNT * sizeof seven, 0, NULL, NULL));
    run("add", made + 1, NULL, &three, 1);
    CHECK_OK(clEnqueueSVMMemcpy(test_queue, CL_TRUE, back, made, sizeof back, 0, NULL, NULL));
    CHECK(back[0] == 7 && back[1] == 10 && back[COUNT - 1] == 7);
}

static void check_host(cl_uint type, uint32_t *made)
{
    cl_uint five = 5;
    size_t bytes = COUNT * sizeof *made;
    if (can(type, CL_SVM_CAPABILITY_HOST_READ_KHR | CL_SVM_CAPABILITY_HOST_WRITE_KHR)) {
        made[2] = 40;
        run("add", made, NULL, &five, COUNT);
        CHECK_EQ(made[2], 45);
    }
    cl_int error = clEnqueueSVMMap(test_queue, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, made, bytes, 0, NULL, NULL);
    CHECK_EQ(error, can(type, CL_SVM_CAPABILITY_HOST_MAP_KHR) ? CL_SUCCESS : CL_INVALID_VALUE);
    if (error) {
        CHECK_EQ(clEnqueueSVMUnmap(test_queue, made, 0, NULL, NULL), CL_INVALID_VALUE);
        return;
    }
    made[3] = 50;
    CHECK_OK(clEnqueueSVMUnmap(test_queue, made, 0, NULL, NULL));
    run("add", made, NULL, &five, COUNT);
    CHECK_OK(clEnqueueSVMMap(test_queue, CL_TRUE, CL_MAP_READ, made, bytes, 0, NULL, NULL));
    CHECK_EQ(made[3], 55);
    CHECK_OK(clEnqueueSVMUnmap(test_queue, made, 0, NULL, NULL));
}

static void check_address(const void *pointer)
{
    cl_ulong got = 1;
    cl_mem out = test_buffer(CL_MEM_READ_WRITE, sizeof got, NULL);
    run("keep", pointer, out, NULL, 1);
    CHECK_OK(clEnqueueReadBuffer(test_queue, out, CL_TRUE, 0, sizeof got, &got, 0, NULL, NULL));
    CHECK_EQ(got, (cl_ulong)(uintptr_t)pointer);
    clReleaseMemObject(out);
}

static void check_atomics(cl_uint type, uint32_t *made)
{
    static const uint32_t zero;
    uint32_t back = 0;
    if (!can(type, CL_SVM_CAPABILITY_DEVICE_ATOMIC_ACCESS_KHR))
        return;
    CHECK_OK(clEnqueueSVMMemFill(test_queue, made, &zero, sizeof zero, sizeof zero, 0, NULL, NULL));
    run("count", made, NULL, NULL, 1000);
    CHECK_OK(clEnqueueSVMMemcpy(test_queue, CL_TRUE, &back, made, sizeof back, 0, NULL, NULL));
    CHECK_EQ(back, 1000);
}

// A kernel reaches the memory by a pointer in a buffer.
static void check_indirect(cl_uint type, uint32_t *made)
{
    struct {
        uint32_t *to;
        cl_uint value;
    } link = {made, 0};
    uint32_t values[2] = {1, 4711};
    size_t one = 1;
    cl_bool yes = CL_TRUE, no = CL_FALSE;
    cl_kernel kernel = test_kernel(program, "follow");
    cl_mem buffer = test_buffer(CL_MEM_READ_WRITE, sizeof link, NULL);
    CHECK_EQ(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_INDIRECT_ACCESS_KHR, 1, &yes), CL_INVALID_VALUE);
    CHECK_OK(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_INDIRECT_ACCESS_KHR, sizeof no, &no));
    CHECK_OK(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_INDIRECT_ACCESS_KHR, sizeof yes, &yes));
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
    if (can(type, CL_SVM_CAPABILITY_INDIRECT_ACCESS_KHR) && test_address_bits() == 8 * sizeof(void *)) {
        CHECK_OK(clEnqueueWriteBuffer(test_queue, buffer, CL_TRUE, 0, sizeof link, &link, 0, NULL, NULL));
        CHECK_OK(clEnqueueSVMMemcpy(test_queue, CL_FALSE, made, values, sizeof values, 0, NULL, NULL));
        CHECK_OK(clEnqueueNDRangeKernel(test_queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
        CHECK_OK(clEnqueueReadBuffer(test_queue, buffer, CL_TRUE, 0, sizeof link, &link, 0, NULL, NULL));
        CHECK_OK(clEnqueueSVMMemcpy(test_queue, CL_TRUE, values, made, sizeof values, 0, NULL, NULL));
        CHECK_EQ(link.value, 4711);
        CHECK_EQ(values[0], 77);
    }
    clReleaseMemObject(buffer);
    clReleaseKernel(kernel);
}

// ---- queries ------------------------------------------------------------------------------------

struct svm_info {
    cl_uint index;
    cl_svm_capabilities_khr can;
    cl_svm_alloc_access_flags_khr access;
    void *base;
    size_t size;
    cl_device_id device;
};

static struct svm_info ask(cl_context context, cl_device_id device, const void *pointer)
{
    struct svm_info svm_info;
    memset(&svm_info, 0x55, sizeof svm_info);
#define ASK(name, member)                                                                          \
    CHECK_OK(svm.info(context, device, pointer, CL_SVM_INFO_##name##_KHR, sizeof svm_info.member,  \
                      &svm_info.member, NULL))
    ASK(TYPE_INDEX, index);
    ASK(CAPABILITIES, can);
    ASK(ACCESS_FLAGS, access);
    ASK(BASE_PTR, base);
    ASK(SIZE, size);
    ASK(ASSOCIATED_DEVICE_HANDLE, device);
#undef ASK
    return svm_info;
}

static void check_info(cl_uint type, uint32_t *made)
{
    bool owned = !can(type, CL_SVM_CAPABILITY_DEVICE_UNASSOCIATED_KHR);
    size_t properties = 77;
    for (int i = 0; i < 4; i++) {
        struct svm_info svm_info = ask(test_context, i & 1 ? test_device : NULL, made + (i >> 1));
        CHECK_EQ(svm_info.index, type);
        CHECK_EQ(svm_info.can, svm.device[type]);
        CHECK(!svm_info.access && svm_info.base == made && svm_info.size == COUNT * sizeof *made);
        CHECK(svm_info.device == (owned ? test_device : NULL));
    }
    CHECK_OK(svm.info(test_context, NULL, made, CL_SVM_INFO_PROPERTIES_KHR, 0, NULL, &properties));
    CHECK_EQ(properties, owned ? 3 * sizeof(cl_svm_alloc_properties_khr) : 0);
    CHECK_EQ(svm.info(test_context, NULL, made, CL_SVM_INFO_SIZE_KHR, 1, &properties, NULL), CL_INVALID_VALUE);
    CHECK_EQ(svm.info(test_context, NULL, made, 1, 1, &properties, NULL), CL_INVALID_VALUE);
    CHECK_EQ(svm.info(NULL, NULL, made, CL_SVM_INFO_SIZE_KHR, 8, &properties, NULL), CL_INVALID_CONTEXT);
    CHECK_EQ(svm.info(test_context, (cl_device_id)test_context, made, CL_SVM_INFO_SIZE_KHR, 8, &properties, NULL),
             CL_INVALID_DEVICE);
}

static void check_unknown(void)
{
    static uint32_t word;
    const void *const pointers[] = {NULL, &word, (void *)(uintptr_t)0xdeadbeef};
    for (size_t i = 0; i < 6; i++) {
        size_t properties = 77;
        const void *pointer = pointers[i / 2];
        struct svm_info svm_info = ask(test_context, i & 1 ? test_device : NULL, pointer);
        CHECK(svm_info.index == CL_UINT_MAX && !svm_info.can && !svm_info.access &&
              !svm_info.base && !svm_info.size && !svm_info.device);
        CHECK_OK(svm.info(test_context, NULL, pointer, CL_SVM_INFO_PROPERTIES_KHR, 0, NULL, &properties));
        CHECK_EQ(properties, 0);
    }
}

// Memory from clSVMAlloc also has a type.
static void check_old(void)
{
    void *old = clSVMAlloc(test_context, CL_MEM_READ_WRITE, 64, 0);
    if (!old)
        return;
    struct svm_info svm_info = ask(test_context, NULL, old);
    CHECK(svm_info.index < svm.count && svm_info.base == old && svm_info.size == 64);
    CHECK_OK(svm.free(test_context, NULL, 0, old));
    CHECK_EQ(svm.free(test_context, NULL, 0, old), CL_INVALID_VALUE);
}

// ---- properties ---------------------------------------------------------------------------------

static void check_properties(cl_uint type)
{
    enum { ACCESS = CL_SVM_ALLOC_ACCESS_HOST_NOWRITE_KHR | CL_SVM_ALLOC_ACCESS_DEVICE_NOREAD_KHR };
    cl_svm_alloc_properties_khr list[] = {CL_SVM_ALLOC_ALIGNMENT_KHR, 0, CL_SVM_ALLOC_ACCESS_FLAGS_KHR, ACCESS,
                                          CL_SVM_ALLOC_ASSOCIATED_DEVICE_HANDLE_KHR,
                                          (cl_svm_alloc_properties_khr)(uintptr_t)test_device, 0};
    cl_svm_alloc_properties_khr back[7];
    for (size_t alignment = 0; alignment <= 128; alignment = alignment ? 2 * alignment : 1) {
        cl_int error = 1;
        list[1] = alignment;
        char *made = svm.alloc(test_context, list, type, 100, &error);
        CHECK_OK(error);
        CHECK_EQ((uintptr_t)made % (alignment ? alignment : 128), 0);
        struct svm_info svm_info = ask(test_context, NULL, made + 99);
        CHECK(svm_info.access == ACCESS && svm_info.device == test_device && svm_info.size == 100 &&
              svm_info.base == made);
        CHECK_OK(svm.info(test_context, NULL, made, CL_SVM_INFO_PROPERTIES_KHR, sizeof back, back, NULL));
        CHECK(!memcmp(back, list, sizeof back));
        CHECK_OK(svm.free(test_context, NULL, 0, made));
    }
}

static void refuse(const cl_svm_alloc_properties_khr *properties, cl_uint type, size_t size, cl_int want)
{
    cl_int error = 12345;
    CHECK(!svm.alloc(test_context, properties, type, size, &error));
    CHECK_EQ(error, want);
    if (want == CL_INVALID_PROPERTY)
        CHECK_EQ(svm.suggest(test_context, 0, 0, properties, 0, &type), want);
}

static void check_refusals(void)
{
    const cl_svm_alloc_properties_khr bad[][5] = {
        {1, 1, 0},
        {CL_SVM_ALLOC_ALIGNMENT_KHR, 3, 0},
        {CL_SVM_ALLOC_ALIGNMENT_KHR, 256, 0},
        {CL_SVM_ALLOC_ALIGNMENT_KHR, 4, CL_SVM_ALLOC_ALIGNMENT_KHR, 4, 0},
        {CL_SVM_ALLOC_ACCESS_FLAGS_KHR, 4, 0},
        {CL_SVM_ALLOC_ASSOCIATED_DEVICE_HANDLE_KHR, 64, 0},
    };
    const cl_svm_free_properties_khr none[] = {0}, some[] = {1, 1, 0};
    cl_int error = 1;
    cl_uint index;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        refuse(bad[i], 0, 64, CL_INVALID_PROPERTY);
    refuse(NULL, svm.count, 64, CL_INVALID_VALUE);
    refuse(NULL, CL_UINT_MAX, 64, CL_INVALID_VALUE);
    for (cl_uint i = 0; i < svm.count; i++)
        if (svm.device[i] & CL_SVM_CAPABILITY_DEVICE_OWNED_KHR) {
            error = 1;
            CHECK(!svm.alloc(test_context, NULL, i, 64, &error));
            CHECK_EQ(error, CL_INVALID_PROPERTY);
        }
    CHECK(!svm.alloc(NULL, NULL, 0, 64, &error));
    CHECK_EQ(error, CL_INVALID_CONTEXT);
    CHECK(!svm.alloc(test_context, NULL, svm.count, 64, NULL));
    CHECK_EQ(svm.free(NULL, NULL, 0, NULL), CL_INVALID_CONTEXT);
    CHECK_EQ(svm.free(test_context, some, 0, NULL), CL_INVALID_PROPERTY);
    CHECK_EQ(svm.free(test_context, none, 1, NULL), CL_INVALID_VALUE);
    CHECK_EQ(svm.free(test_context, none, 0, &error), CL_INVALID_VALUE);
    CHECK_OK(svm.free(test_context, none, 0, NULL));
    CHECK_EQ(svm.suggest(NULL, 0, 0, NULL, 0, &index), CL_INVALID_CONTEXT);
    CHECK_EQ(svm.suggest(test_context, 0, 0, NULL, 0, NULL), CL_INVALID_VALUE);
}

// ---- size 0 and invalid pointers
// ------------------------------------------------------------------

static void check_nothing(cl_uint type)
{
    static uint32_t word;
    cl_svm_alloc_properties_khr list[3];
    cl_int error = 1;
    const void *null = NULL, *bogus = (void *)(uintptr_t)0xdeadbee0;
    void *nulls[] = {NULL};
    CHECK(!svm.alloc(test_context, needed(type, list), type, 0, &error));
    CHECK_OK(error);
    CHECK_OK(clEnqueueSVMMemcpy(test_queue, CL_TRUE, NULL, &word, 0, 0, NULL, NULL));
    CHECK_OK(clEnqueueSVMMemcpy(test_queue, CL_TRUE, &word, NULL, 0, 0, NULL, NULL));
    CHECK_OK(clEnqueueSVMMemcpy(test_queue, CL_TRUE, (void *)bogus, &word, 0, 0, NULL, NULL));
    CHECK_EQ(clEnqueueSVMMemcpy(test_queue, CL_TRUE, NULL, &word, 4, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_OK(clEnqueueSVMMemFill(test_queue, NULL, &word, sizeof word, 0, 0, NULL, NULL));
    CHECK_OK(clEnqueueSVMMemFill(test_queue, (void *)bogus, &word, sizeof word, 0, 0, NULL, NULL));
    CHECK_EQ(clEnqueueSVMMemFill(test_queue, NULL, &word, sizeof word, 4, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_EQ(clEnqueueSVMMemFill(test_queue, NULL, NULL, sizeof word, 0, 0, NULL, NULL), CL_INVALID_VALUE);
    CHECK_OK(clEnqueueSVMMigrateMem(test_queue, 1, &null, NULL, 0, 0, NULL, NULL));
    CHECK_OK(clEnqueueSVMFree(test_queue, 1, nulls, NULL, NULL, 0, NULL, NULL));
    CHECK_OK(clFinish(test_queue));
    check_address(NULL);
    check_address(bogus);
}

static void check_suggestions(void)
{
    cl_svm_alloc_properties_khr list[3];
    cl_svm_capabilities_khr all = 0;
    cl_uint index = 0;
    needed(0, list);
    for (cl_uint i = 0; i < svm.count; i++) {
        all |= svm.platform[i] | svm.device[i];
        if (!svm.device[i])
            continue;
        for (int with = 0; with < 2; with++) {
            index = CL_UINT_MAX;
            CHECK_OK(svm.suggest(test_context, svm.device[i], 0, with ? list : NULL, 64, &index));
            CHECK(index < svm.count && can(index, svm.device[i]));
            CHECK_OK(svm.suggest(test_context, 0, svm.device[i], with ? list : NULL, 0, &index));
            CHECK(index < svm.count && can(index, svm.device[i]));
        }
    }
    CHECK_OK(svm.suggest(test_context, ~all, 0, NULL, 0, &index));
    CHECK_EQ(index, CL_UINT_MAX);
    CHECK_OK(svm.suggest(test_context, 0, 0, NULL, SIZE_MAX, &index));
    CHECK_EQ(index, CL_UINT_MAX);
}

static void check_type(cl_uint type)
{
    uint32_t *made = allocate(type);
    void *pointers[1] = {made};
    if (!made)
        return;
    check_info(type, made);
    check_address(made);
    check_copies(made);
    check_host(type, made);
    check_atomics(type, made);
    check_indirect(type, made);
    CHECK_OK(svm.free(test_context, NULL, 0, made));
    CHECK_EQ(ask(test_context, NULL, made).index, CL_UINT_MAX);
    check_properties(type);
    check_nothing(type);
    pointers[0] = allocate(type);
    CHECK_OK(clEnqueueSVMFree(test_queue, 1, pointers, NULL, NULL, 0, NULL, NULL));
    CHECK_OK(clFinish(test_queue));
    CHECK_EQ(ask(test_context, NULL, pointers[0]).index, CL_UINT_MAX);
}

int main(void)
{
    test_open();
    if (!open_svm()) {
        cl_int error = 1;
        if (svm.alloc && !svm.count)
            refuse(NULL, 0, 64, CL_INVALID_VALUE);
        (void)error;
        return test_close();
    }
    program = test_build(source, "");
    check_types();
    for (cl_uint i = 0; i < svm.count; i++)
        if (svm.device[i])
            check_type(i);
    check_unknown();
    check_old();
    check_refusals();
    check_suggestions();
    clReleaseProgram(program);
    return test_close();
}
