// SPDX-License-Identifier: Apache-2.0
// Program binaries: they load, run and keep reflection; damaged ones are refused; a malicious one
// with a correct checksum does no harm.
#include "test.h"

#include "pumice/kc.h"
#include "util/hash.h"

static const char source[] =
    "constant int table[4] = {10, 20, 30, 40};\n"
    "kernel __attribute__((reqd_work_group_size(4, 1, 1))) void look(global int *restrict p, int "
    "add,\n"
    "                                                                local int *l) {\n"
    "    int i = get_local_id(0); l[i] = i; barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    p[get_global_id(0)] = table[l[3 - i]] + add; }\n"
    "kernel void other(global float4 *q) { q[0] = 1; }\n";

enum { CHECKSUM_AT = 8, HEADER = 16, VERSION_AT = 16, TARGET_AT = 24 }; // HEADER: what the checksum leaves out

static unsigned char *get_binary(cl_program program, size_t *size)
{
    CHECK_OK(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof *size, size, NULL));
    unsigned char *data = malloc(*size);
    CHECK_OK(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof data, &data, NULL));
    return data;
}

static cl_program load(const unsigned char *data, size_t size, cl_int *status, cl_int *error)
{
    return clCreateProgramWithBinary(test_context, 1, &test_device, &size, &data, status, error);
}

static void run(cl_program program)
{
    int got[8], add = 5;
    size_t global = 8;
    cl_mem mem = test_buffer(0, sizeof got, NULL);
    cl_kernel kernel = test_kernel(program, "look");
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    CHECK_OK(clSetKernelArg(kernel, 1, sizeof add, &add));
    CHECK_OK(clSetKernelArg(kernel, 2, 16, NULL));
    CHECK_OK(clEnqueueNDRangeKernel(test_queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
    CHECK_OK(clEnqueueReadBuffer(test_queue, mem, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
    for (int i = 0; i < 8; i++)
        CHECK_EQ(got[i], 10 * (4 - i % 4) + 5);
    size_t required[3];
    char type[64];
    CHECK_OK(clGetKernelWorkGroupInfo(kernel, test_device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE,
                                      sizeof required, required, NULL));
    CHECK(required[0] == 4 && required[1] == 1 && required[2] == 1);
    CHECK_OK(clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_TYPE_NAME, sizeof type, type, NULL));
    CHECK(!strcmp(type, "int*"));
    CHECK_OK(clReleaseKernel(kernel));
    CHECK_OK(clReleaseMemObject(mem));
}

// A program created from a binary returns the same binary, except for the options.
static void expect_binary(cl_program program, const unsigned char *data, size_t size)
{
    size_t again_size;
    unsigned char *again = get_binary(program, &again_size);
    CHECK(again_size == size && !memcmp(again, data, size));
    free(again);
}

static void check_round_trip(const unsigned char *data, size_t size)
{
    cl_int status = 1, code = 1;
    size_t count;
    cl_program program = load(data, size, &status, &code);
    CHECK_OK(code);
    CHECK_OK(status);
    CHECK_CREATE(clCreateKernel(program, "look", &error), CL_INVALID_PROGRAM_EXECUTABLE);
    CHECK_OK(clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
    CHECK_OK(clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof count, &count, NULL));
    CHECK_EQ(count, 2);
    run(program);
    expect_binary(program, data, size);
    CHECK_OK(clReleaseProgram(program));
}

static void expect_refused(const unsigned char *data, size_t size)
{
    cl_int status = 1, error = 1;
    cl_program program = load(data, size, &status, &error);
    CHECK(program == NULL);
    CHECK_EQ(error, CL_INVALID_BINARY);
    CHECK_EQ(status, CL_INVALID_BINARY);
}

static void check_damage(unsigned char *data, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        unsigned char bit = (unsigned char)(1u << i % 8);
        data[i] ^= bit;
        expect_refused(data, size);
        data[i] ^= bit;
    }
    for (size_t cut = 1; cut < size; cut++)
        expect_refused(data, cut);
    unsigned char *longer = calloc(1, size + 8);
    memcpy(longer, data, size);
    expect_refused(longer, size + 8);
    free(longer);
    CHECK_CREATE(load(data, 0, NULL, &error), CL_INVALID_VALUE);
    CHECK_CREATE(load(NULL, 4, NULL, &error), CL_INVALID_VALUE);
}

static void set_checksum(unsigned char *data, size_t size)
{
    uint64_t sum = hash_bytes64(data + HEADER, size - HEADER);
    for (int i = 0; i < 8; i++)
        data[CHECKSUM_AT + i] = (unsigned char)(sum >> (8 * i));
}

// Binaries of another version, or for another device, are built again from their source.
static void check_other(const unsigned char *data, size_t size)
{
    const int fields[] = {VERSION_AT, TARGET_AT};
    unsigned char *copy = malloc(size);
    for (int i = 0; i < 2; i++) {
        memcpy(copy, data, size);
        copy[fields[i]] ^= 1;
        set_checksum(copy, size);
        cl_program program = load(copy, size, NULL, &(cl_int){0});
        CHECK_OK(clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
        run(program);
        expect_binary(program, data, size);
        CHECK_OK(clReleaseProgram(program));
    }
    copy[size - 2] = '(';
    set_checksum(copy, size);
    expect_refused(copy, size); // an error in the source
    free(copy);
}

// Fields with wrong values behind a correct checksum: there must be no crash, and some must be
// refused.
static void check_hostile(const unsigned char *data, size_t size)
{
    unsigned char *copy = malloc(size);
    unsigned seed = 99, refused = 0;
    for (int round = 0; round < 2000; round++) {
        memcpy(copy, data, size);
        for (int i = 0; i < 1 + round % 4; i++) {
            seed = seed * 1664525 + 1013904223;
            copy[HEADER + (seed >> 8) % (size - HEADER)] =
                round % 2 ? 0xff : (unsigned char)(seed >> 24);
        }
        set_checksum(copy, size);
        cl_int error;
        cl_program program = load(copy, size, NULL, &error);
        refused += program == NULL;
        if (program)
            CHECK_OK(clReleaseProgram(program));
    }
    CHECK(refused > 0);
    free(copy);
}

// program_binary.c writes every field except those of mappings, which Pumice's runtime does not
// use, and the files, which a program no longer needs after its build. If a size changes here,
// program_binary.c must be updated.
static void check_sizes(void)
{
    if (sizeof(void *) != 8)
        return; // the sizes below are those of 64-bit machines
    CHECK_EQ(sizeof(struct kc_arg), 64);
    CHECK_EQ(sizeof(struct kc_push), 20);
    CHECK_EQ(sizeof(struct kc_spec), 20);
    CHECK_EQ(sizeof(struct kc_binding), 28);
    CHECK_EQ(sizeof(struct kc_kernel), 184);
    CHECK_EQ(sizeof(struct kc_relocation), 16);
    CHECK_EQ(sizeof(struct kc_program), 152);
}

int main(void)
{
    test_open();
    check_sizes();
    cl_program program = test_build(source, "-cl-std=CL1.2");
    size_t size;
    unsigned char *data = get_binary(program, &size);
    run(program);
    CHECK_OK(clReleaseProgram(program));
    CHECK(size > HEADER);
    check_round_trip(data, size);
    check_damage(data, size);
    check_other(data, size);
    check_hostile(data, size);
    free(data);
    return test_close();
}
