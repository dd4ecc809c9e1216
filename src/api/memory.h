// SPDX-License-Identifier: Apache-2.0
// Checks common to buffers and images.
#ifndef PUMICE_API_MEMORY_H
#define PUMICE_API_MEMORY_H

#include "api/api.h"

enum {
    DEVICE_ACCESS = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY,
    // not allowed for immutable objects
    WRITES = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_HOST_WRITE_ONLY,
    HOST_ACCESS = CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS,
    HOST_POINTER = CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR,
    NO_HOST_READ = CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS,
    NO_HOST_WRITE = CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS | CL_MEM_IMMUTABLE_EXT,
    MAP_WRITES = CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION,
};

// Check the flags at creation: CL_INVALID_VALUE. For an object without and with a parent;
// memory_child_flags() adds the flags inherited from the parent.
cl_int memory_check_flags(cl_mem_flags flags);
cl_int memory_check_contents(cl_mem_flags flags);
cl_int memory_check_child_flags(const struct _cl_mem *parent, cl_mem_flags flags);
cl_mem_flags memory_child_flags(const struct _cl_mem *parent, cl_mem_flags flags);

// Read the properties of a new object: CL_INVALID_PROPERTY, CL_INVALID_DEVICE. And check the flags
// against them, and against the contents of an immutable object: CL_INVALID_VALUE,
// CL_INVALID_HOST_PTR.
cl_int memory_read_properties(const struct _cl_context *context, const cl_mem_properties *list,
                              bool buffer, struct memobj_options *options);
cl_int memory_check_options(const struct memobj_options *options, cl_mem_flags flags,
                            const void *host_ptr);

// For an enqueue: check a memory object, or a buffer, of the queue's context.
cl_int memory_check(const struct api_enqueue *enqueue, cl_mem mem);
cl_int memory_check_buffer(const struct api_enqueue *enqueue, cl_mem buffer);
// Check the target of a write by the device. CL_INVALID_OPERATION: it is immutable.
cl_int memory_check_written(const struct _cl_mem *mem);
// Check a command's host pointer, and whether the object's host access flags allow the access.
cl_int memory_check_host(const struct _cl_mem *mem, cl_mem_flags refused, const void *pointer);
cl_int memory_check_map(const struct _cl_mem *mem, cl_map_flags flags);

// transfer.c: enqueues an unmap. CL_INVALID_VALUE: the pointer is not mapped.
cl_int memory_unmap(struct api_enqueue *enqueue, struct memobj_mapping *entry); // from memobj_take_mapping()

// kernel.c: checks an image as an argument of a kernel. CL_INVALID_MEM_OBJECT,
// CL_INVALID_ARG_VALUE.
cl_int kernel_check_image(const struct _cl_kernel *kernel, cl_uint index, cl_mem mem);

#endif
