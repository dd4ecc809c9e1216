// SPDX-License-Identifier: Apache-2.0
// Unified shared memory (cl_intel_unified_shared_memory): allocations that are known by their
// address alone.
//
// Like those of svm.h they are memory objects that only their context knows, in the same map; they
// never move. The device that makes one gives it its address:
//   host, shared  memory of the host that the device sees at the same address
//   device        the device's own, at addresses that are nobody else's in the process
#ifndef PUMICE_OBJECT_USM_H
#define PUMICE_OBJECT_USM_H

#include "object/memobj.h"

enum usm_query {
    USM_HOST,
    USM_DEVICE,
    USM_SHARED,       // of the device alone
    USM_SHARED_CROSS, // with others
    USM_SYSTEM,
};

// What the device can do with memory of a kind.
cl_device_unified_shared_memory_capabilities_intel usm_capabilities(struct _cl_device_id *device,
                                                                    enum usm_query query);
// Whether any device of the context has unified shared memory; can do something with one kind.
bool usm_offered(const struct _cl_context *context);
bool usm_any(const struct _cl_context *context, enum usm_query query);

struct usm_wish {
    cl_unified_shared_memory_type_intel type;
    int device; // its index in the context; -1: none
    cl_mem_alloc_flags_intel flags;
    size_t size;
};

// For a wish that some device can fulfil. CL_OUT_OF_RESOURCES, CL_OUT_OF_HOST_MEMORY.
cl_int usm_alloc(struct _cl_context *context, const struct usm_wish *wish, void **pointer);

// Whether an allocation begins there.
bool usm_begins(struct _cl_context *context, const void *pointer);

// False when none does. Commands that were given a pointer into it keep it until
// they are done.
bool usm_free(struct _cl_context *context, const void *pointer);

// Its address is nobody's from now on.
void usm_forget(struct _cl_mem *mem);

// The device's buffer; NULL: the device has none.
struct vk_buffer *usm_buffer(const struct _cl_mem *mem, int device_index);

// Whether the application's pointer is good on the host as well.
bool usm_seen_by_host(const struct _cl_mem *mem);

// Whether the host cannot touch what is there, whatever context's it is.
bool usm_out_of_reach(const void *pointer);

#endif
