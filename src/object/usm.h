// SPDX-License-Identifier: Apache-2.0
// Unified shared memory (cl_intel_unified_shared_memory): allocations identified by their address.
//
// Like those of svm.h, they are memory objects that only their context knows, in the same map; they
// never move. The device that allocates one determines its address:
//  host, shared  host memory that the device accesses at the same address
//  device        device memory, at addresses that are unique in the process
#ifndef PUMICE_OBJECT_USM_H
#define PUMICE_OBJECT_USM_H

#include "object/memobj.h"

enum usm_query {
    USM_HOST,
    USM_DEVICE,
    USM_SHARED,       // by one device
    USM_SHARED_CROSS, // by several devices
    USM_SYSTEM,
};

// The device's capabilities for memory of a kind.
cl_device_unified_shared_memory_capabilities_intel usm_capabilities(struct _cl_device_id *device,
                                                                    enum usm_query query);
// Whether a device of the context supports unified shared memory; whether one supports that kind.
bool usm_offered(const struct _cl_context *context);
bool usm_any(const struct _cl_context *context, enum usm_query query);

struct usm_request {
    cl_unified_shared_memory_type_intel type;
    int device; // index in the context; -1: none
    cl_mem_alloc_flags_intel flags;
    size_t size;
};

// The request must be possible on some device. CL_OUT_OF_RESOURCES, CL_OUT_OF_HOST_MEMORY.
cl_int usm_alloc(struct _cl_context *context, const struct usm_request *request, void **pointer);

// Whether an allocation begins there.
bool usm_begins(struct _cl_context *context, const void *pointer);

// False if none begins there. Commands that were given a pointer into it keep the memory until they
// are done.
bool usm_free(struct _cl_context *context, const void *pointer);

// Removes the allocation's address from the map.
void usm_forget(struct _cl_mem *mem);

// The device's buffer; NULL: none.
struct vk_buffer *usm_buffer(const struct _cl_mem *mem, int device_index);

// Whether the host can access the memory by the application's pointer.
bool usm_seen_by_host(const struct _cl_mem *mem);

// Whether the pointer is in an allocation of any context that the host cannot access.
bool usm_hidden_from_host(const void *pointer);

#endif
