// SPDX-License-Identifier: Apache-2.0
// The functions of cl_intel_unified_shared_memory, obtained as applications do.
#ifndef PUMICE_TESTS_API_USM_H
#define PUMICE_TESTS_API_USM_H

#include "test.h"

static struct {
    clHostMemAllocINTEL_fn host_alloc;
    clDeviceMemAllocINTEL_fn device_alloc;
    clSharedMemAllocINTEL_fn shared_alloc;
    clMemFreeINTEL_fn free, blocking_free;
    clGetMemAllocInfoINTEL_fn info;
    clSetKernelArgMemPointerINTEL_fn set_arg;
    clEnqueueMemFillINTEL_fn fill;
    clEnqueueMemcpyINTEL_fn copy;
    clEnqueueMigrateMemINTEL_fn migrate;
    clEnqueueMemAdviseINTEL_fn advise;
} usm;

typedef cl_device_unified_shared_memory_capabilities_intel usm_caps;

static inline bool usm_open(void)
{
#define USM_GET(member, name)                                                                      \
    usm.member = (name##_fn)clGetExtensionFunctionAddressForPlatform(test_platform, #name);        \
    if (!CHECK(usm.member != NULL))                                                                \
    return false
    USM_GET(host_alloc, clHostMemAllocINTEL);
    USM_GET(device_alloc, clDeviceMemAllocINTEL);
    USM_GET(shared_alloc, clSharedMemAllocINTEL);
    USM_GET(free, clMemFreeINTEL);
    USM_GET(blocking_free, clMemBlockingFreeINTEL);
    USM_GET(info, clGetMemAllocInfoINTEL);
    USM_GET(set_arg, clSetKernelArgMemPointerINTEL);
    USM_GET(fill, clEnqueueMemFillINTEL);
    USM_GET(copy, clEnqueueMemcpyINTEL);
    USM_GET(migrate, clEnqueueMigrateMemINTEL);
    USM_GET(advise, clEnqueueMemAdviseINTEL);
#undef USM_GET
    return true;
}

static inline usm_caps usm_query(cl_device_id device, cl_device_info query)
{
    usm_caps caps = 0;
    size_t size = 0;
    CHECK_OK(clGetDeviceInfo(device, query, sizeof caps, &caps, &size));
    CHECK_EQ(size, sizeof caps);
    return caps;
}

#endif
