// SPDX-License-Identifier: Apache-2.0
// Sub-groups of a work-group make independent progress if the device reports that
// (cl_khr_subgroups): two of them take turns through a word of local memory, then of global memory,
// 10,000 times, in more work-groups than the device runs concurrently. A sub-group that waits too
// long gives up, and so does the other. If the device does not report it, the test still runs and
// prints the outcome.
#include "test.h"

enum { TURNS = 10000, PATIENCE = 1 << 20, GROUPS = 512, ITEMS = 256 };

static const char source[] =
    "#define TAKE_TURNS(word)\\\n"
    "    for (uint turn = 0; turn < turns; turn++) {\\\n"
    "        for (uint i = 0; atomic_load_explicit(word, memory_order_acquire, memory_scope_work_group) != 2 * turn + second; i++)\\\n"
    "            if (i == patience) { atomic_store_explicit(word, ~0u, memory_order_release, memory_scope_work_group); return; }\\\n"
    "        atomic_store_explicit(word, 2 * turn + second + 1, memory_order_release, memory_scope_work_group);\\\n"
    "    }\n"
    "kernel void here(global uint *ends, uint turns, uint patience) {\n"
    "    local atomic_uint word;\n"
    "    uint second = get_sub_group_id() == get_num_sub_groups() - 1;\n"
    "    if (!get_local_id(0)) { atomic_init(&word, 0); ends[get_group_id(0)] = 0; }\n"
    "    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
    "    if (get_sub_group_local_id() || (get_sub_group_id() && !second) || get_num_sub_groups() < 2) return;\n"
    "    TAKE_TURNS(&word)\n"
    "    if (second) ends[get_group_id(0)] = turns;\n"
    "}\n"
    "kernel void there(global uint *ends, uint turns, uint patience, global atomic_uint *words) {\n"
    "    global atomic_uint *word = words + get_group_id(0);\n"
    "    uint second = get_sub_group_id() == get_num_sub_groups() - 1;\n"
    "    if (!get_local_id(0)) { atomic_store_explicit(word, 0, memory_order_relaxed, memory_scope_work_group); ends[get_group_id(0)] = 0; }\n"
    "    barrier(CLK_GLOBAL_MEM_FENCE);\n"
    "    if (get_sub_group_local_id() || (get_sub_group_id() && !second) || get_num_sub_groups() < 2) return;\n"
    "    TAKE_TURNS(word)\n"
    "    if (second) ends[get_group_id(0)] = turns;\n"
    "}\n";

// Returns the number of work-groups that finished.
static cl_uint run(cl_program program, const char *name, cl_uint groups, cl_uint turns)
{
    static cl_uint ends[GROUPS];
    const cl_uint patience = turns < TURNS ? 1000 : PATIENCE;
    size_t items = ITEMS, all = (size_t)groups * ITEMS;
    cl_mem to = test_buffer(CL_MEM_READ_WRITE, sizeof ends, NULL), words = test_buffer(CL_MEM_READ_WRITE, sizeof ends, NULL);
    cl_kernel kernel = test_kernel(program, name);
    cl_uint ended = 0;
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof to, &to));
    CHECK_OK(clSetKernelArg(kernel, 1, sizeof turns, &turns));
    CHECK_OK(clSetKernelArg(kernel, 2, sizeof patience, &patience));
    if (!strcmp(name, "there"))
        CHECK_OK(clSetKernelArg(kernel, 3, sizeof words, &words));
    CHECK_OK(clEnqueueNDRangeKernel(test_queue, kernel, 1, NULL, &all, &items, 0, NULL, NULL));
    CHECK_OK(clEnqueueReadBuffer(test_queue, to, CL_TRUE, 0, groups * sizeof *ends, ends, 0, NULL, NULL));
    for (cl_uint i = 0; i < groups; i++)
        ended += ends[i] == turns;
    CHECK_OK(clReleaseKernel(kernel));
    CHECK_OK(clReleaseMemObject(to));
    CHECK_OK(clReleaseMemObject(words));
    return ended;
}

int main(void)
{
    cl_bool says = 2;
    test_open();
    CHECK_OK(clGetDeviceInfo(test_device, CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS, sizeof says, &says, NULL));
    CHECK_EQ(test_has(test_device, "cl_khr_subgroups"), says);
    cl_uint most = 0;
    CHECK_OK(clGetDeviceInfo(test_device, CL_DEVICE_MAX_NUM_SUB_GROUPS, sizeof most, &most, NULL));
    if (most > 1) {
        cl_program program = test_build(source, "-cl-std=CL3.0");
        cl_uint groups = says ? GROUPS : 2, turns = says ? TURNS : 10;
        cl_uint here = run(program, "here", groups, turns), there = run(program, "there", groups, turns);
        printf("%u and %u of %u work-groups took %u turns\n", here, there, groups, turns);
        if (says) {
            CHECK_EQ(here, groups);
            CHECK_EQ(there, groups);
        }
        CHECK_OK(clReleaseProgram(program));
    }
    CHECK_EQ(says && most < 2, false);
    return test_close();
}
