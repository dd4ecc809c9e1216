// SPDX-License-Identifier: Apache-2.0
// Kernels whose buffer arguments share memory: they read what they have written through another
// argument, also if launches with separate buffers run code that relies on their being separate.
// With sub-buffers, pointers into one allocation, updated command buffers, and programs from
// binaries.
#include "command_buffer.h"

enum { N = 512, PART = 128, LENGTH = 48 };

// One work-item, so the result is that of the loop in sequence.
static const char source[] =
    "kernel void sums(global uint *to, global const uint *from, int n) {\n"
    "    for (int i = 0; i < n; i++) to[1] += from[i]; }\n"
    "kernel void chain(global uint *to, global const uint *a, global const uint *b, int n) {\n"
    "    for (int i = 0; i < n; i++) { to[i + 1] = a[i] + 2 * b[i]; to[i + 2] = a[i + 1] - b[i]; } }\n";

static cl_mem memory, other;

static void init(cl_uint *words)
{
    for (cl_uint i = 0; i < N; i++)
        words[i] = i * 3 + 1;
}

static void fill(cl_mem mem)
{
    cl_uint words[N];
    init(words);
    CHECK_OK(clEnqueueWriteBuffer(test_queue, mem, CL_TRUE, 0, sizeof words, words, 0, NULL, NULL));
}

static void sums(cl_uint *to, const cl_uint *from)
{
    for (int i = 0; i < LENGTH; i++)
        to[1] += from[i];
}

static void chain(cl_uint *to, const cl_uint *a, const cl_uint *b)
{
    for (int i = 0; i < LENGTH; i++) {
        to[i + 1] = a[i] + 2 * b[i];
        to[i + 2] = a[i + 1] - b[i];
    }
}

static int wrong_words(cl_mem mem, const cl_uint *want)
{
    cl_uint words[N];
    int wrong = 0;
    CHECK_OK(clEnqueueReadBuffer(test_queue, mem, CL_TRUE, 0, sizeof words, words, 0, NULL, NULL));
    for (int i = 0; i < N; i++)
        wrong += words[i] != want[i];
    return wrong;
}

// ---- buffers and sub-buffers ---------------------------------------------------------------------

struct part { // of `memory`, or the whole of it or of `other`; its first word
    cl_mem mem;
    cl_uint *model;
};

static cl_mem sub_buffer(int first, int count)
{
    cl_buffer_region region = {(size_t)first * sizeof(int), (size_t)count * sizeof(int)};
    cl_int error;
    cl_mem mem = clCreateSubBuffer(memory, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
    CHECK_OK(error);
    return mem;
}

static void set_mem(cl_kernel kernel, cl_uint index, cl_mem mem) { CHECK_OK(clSetKernelArg(kernel, index, sizeof mem, &mem)); }

static void run(cl_kernel kernel, cl_uint last)
{
    const size_t one = 1;
    const cl_int n = LENGTH;
    CHECK_OK(clSetKernelArg(kernel, last, sizeof n, &n));
    CHECK_OK(clEnqueueNDRangeKernel(test_queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
}

static void check_pairs(cl_kernel kernel)
{
    cl_uint words[N], others[N];
    cl_mem parts[3] = {sub_buffer(0, PART), sub_buffer(0, 2 * PART), sub_buffer(PART, 2 * PART)};
    const struct part list[] = {{memory, words}, {other, others}, {parts[0], words}, {parts[1], words}, {parts[2], words + PART}};
    for (int to = 0; to < 5; to++)
        for (int from = 0; from < 5; from++) {
            init(words), init(others);
            fill(memory), fill(other);
            set_mem(kernel, 0, list[to].mem);
            set_mem(kernel, 1, list[from].mem);
            run(kernel, 2);
            sums(list[to].model, list[from].model);
            if (!CHECK_EQ(wrong_words(memory, words) + wrong_words(other, others), 0))
                printf("to %d, from %d\n", to, from);
        }
    for (int i = 0; i < 3; i++)
        CHECK_OK(clReleaseMemObject(parts[i]));
}

// Two of three arguments share memory; those that are only read always may.
static void check_three(cl_kernel kernel)
{
    for (int shared = 0; shared < 8; shared++) {
        cl_uint words[N], others[N];
        cl_mem mems[2] = {memory, other};
        cl_uint *models[2] = {words, others}, *at[3];
        init(words), init(others);
        fill(memory), fill(other);
        for (int i = 0; i < 3; i++) {
            at[i] = models[shared >> i & 1];
            set_mem(kernel, (cl_uint)i, mems[shared >> i & 1]);
        }
        run(kernel, 3);
        chain(at[0], at[1], at[2]);
        if (!CHECK_EQ(wrong_words(memory, words) + wrong_words(other, others), 0))
            printf("arguments %d\n", shared);
    }
}

// ---- other ways to pass memory --------------------------------------------------------------------

static void check_svm(cl_kernel kernel)
{
    cl_device_svm_capabilities caps = 0;
    clGetDeviceInfo(test_device, CL_DEVICE_SVM_CAPABILITIES, sizeof caps, &caps, NULL);
    cl_uint want[N], *words = caps & CL_DEVICE_SVM_COARSE_GRAIN_BUFFER ? clSVMAlloc(test_context, 0, sizeof want, 0) : NULL;
    for (int distance = 0; words && distance <= 2 * LENGTH; distance += LENGTH / 4) {
        CHECK_OK(clEnqueueSVMMap(test_queue, CL_TRUE, CL_MAP_WRITE, words, N * sizeof *words, 0, NULL, NULL));
        init(words), init(want);
        CHECK_OK(clEnqueueSVMUnmap(test_queue, words, 0, NULL, NULL));
        CHECK_OK(clSetKernelArgSVMPointer(kernel, 0, words + distance));
        CHECK_OK(clSetKernelArgSVMPointer(kernel, 1, words + LENGTH));
        run(kernel, 2);
        sums(want + distance, want + LENGTH);
        CHECK_OK(clEnqueueSVMMap(test_queue, CL_TRUE, CL_MAP_READ, words, N * sizeof *words, 0, NULL, NULL));
        CHECK(!memcmp(words, want, sizeof want));
        CHECK_OK(clEnqueueSVMUnmap(test_queue, words, 0, NULL, NULL));
        CHECK_OK(clFinish(test_queue));
    }
    if (words)
        clSVMFree(test_context, words);
}

// A recorded launch with separate buffers, updated to one buffer, and back.
static void check_recorded(cl_kernel kernel)
{
    if (!cb_has("cl_khr_command_buffer_mutable_dispatch"))
        return;
    cb_load();
    const size_t one = 1;
    const cl_int n = LENGTH;
    const cl_command_properties_khr list[] = {CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR, CL_MUTABLE_DISPATCH_ARGUMENTS_KHR, 0};
    const cl_command_buffer_update_type_khr type = CL_STRUCTURE_TYPE_MUTABLE_DISPATCH_CONFIG_KHR;
    cl_command_buffer_khr buffer = cb_new(test_queue, CL_COMMAND_BUFFER_MUTABLE_KHR);
    cl_mutable_command_khr handle = NULL;
    set_mem(kernel, 0, memory);
    set_mem(kernel, 1, other);
    CHECK_OK(clSetKernelArg(kernel, 2, sizeof n, &n));
    CHECK_OK(cb.clCommandNDRangeKernelKHR(buffer, NULL, list, kernel, 1, NULL, &one, NULL, 0, NULL, NULL, &handle));
    CHECK_OK(cb.clFinalizeCommandBufferKHR(buffer));
    for (int turn = 0; turn < 4; turn++) {
        cl_uint words[N], others[N];
        cl_mem from = turn % 2 ? memory : other;
        const cl_mutable_dispatch_arg_khr arg = {1, sizeof from, &from};
        const cl_mutable_dispatch_config_khr config = {.command = handle, .num_args = 1, .arg_list = &arg};
        const void *configs[1] = {&config};
        CHECK_OK(cb.clUpdateMutableCommandsKHR(buffer, 1, &type, configs));
        init(words), init(others);
        fill(memory), fill(other);
        CHECK_OK(cb.clEnqueueCommandBufferKHR(0, NULL, buffer, 0, NULL, NULL));
        sums(words, turn % 2 ? words : others);
        CHECK_EQ(wrong_words(memory, words), 0);
    }
    CHECK_OK(cb.clReleaseCommandBufferKHR(buffer));
}

static void check_program(cl_program program)
{
    cl_kernel kernel = test_kernel(program, "sums"), three = test_kernel(program, "chain");
    check_pairs(kernel);
    check_three(three);
    check_svm(kernel);
    check_recorded(kernel);
    CHECK_OK(clReleaseKernel(kernel));
    CHECK_OK(clReleaseKernel(three));
}

int main(void)
{
    cl_int error;
    test_open();
    memory = clCreateBuffer(test_context, 0, N * sizeof(int), NULL, &error);
    CHECK_OK(error);
    other = clCreateBuffer(test_context, 0, N * sizeof(int), NULL, &error);
    CHECK_OK(error);
    cl_program program = test_build(source, NULL), loaded = test_from_binary(program);
    check_program(program);
    check_program(loaded);
    CHECK_OK(clReleaseProgram(loaded));
    CHECK_OK(clReleaseProgram(program));
    CHECK_OK(clReleaseMemObject(other));
    CHECK_OK(clReleaseMemObject(memory));
    return test_close();
}
