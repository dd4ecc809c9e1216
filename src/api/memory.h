// SPDX-License-Identifier: Apache-2.0
// Checks that buffers and images share.
#ifndef PUMICE_API_MEMORY_H
#define PUMICE_API_MEMORY_H

#include "api/api.h"

enum {
    DEVICE_ACCESS = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY,
    WRITES = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_HOST_WRITE_ONLY, // what goes with no immutable object
    HOST_ACCESS = CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS,
    HOST_POINTER = CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR,
    NO_HOST_READ = CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS,
    NO_HOST_WRITE = CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS | CL_MEM_IMMUTABLE_EXT,
    MAP_WRITES = CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION,
};

// Flags at creation: CL_INVALID_VALUE. Those of an object without a parent, and of one with a parent, and completed by it.
cl_int memory_check_flags(cl_mem_flags flags);
cl_int memory_check_contents(cl_mem_flags flags);
cl_int memory_check_child_flags(const struct _cl_mem *parent, cl_mem_flags flags);
cl_mem_flags memory_child_flags(const struct _cl_mem *parent, cl_mem_flags flags);

// What the properties of a new object ask for. CL_INVALID_PROPERTY, CL_INVALID_DEVICE. And what
// flags go with that, and with the contents of an immutable object: CL_INVALID_VALUE,
// CL_INVALID_HOST_PTR.
cl_int memory_take_wishes(const struct _cl_context *context, const cl_mem_properties *list,
                          bool buffer, struct memobj_options *options);
cl_int memory_check_wishes(const struct memobj_options *options, cl_mem_flags flags,
                           const void *host_ptr);

// At an enqueue: a memory object, or a buffer, of the queue's context.
cl_int memory_check(const struct api_enqueue *enqueue, cl_mem mem);
cl_int memory_check_buffer(const struct api_enqueue *enqueue, cl_mem buffer);
// What a command of the device is going to write. CL_INVALID_OPERATION: it is immutable.
cl_int memory_check_written(const struct _cl_mem *mem);
// A host pointer of a command that the object's host access flags must allow.
cl_int memory_check_host(const struct _cl_mem *mem, cl_mem_flags refused, const void *pointer);
cl_int memory_check_map(const struct _cl_mem *mem, cl_map_flags flags);

// transfer.c: enqueues the end of a mapping of the object. CL_INVALID_VALUE: there is none there.
cl_int memory_unmap(struct api_enqueue *enqueue, cl_mem mem, void *pointer);

// kernel.c: an image that an argument of a kernel may be. CL_INVALID_MEM_OBJECT,
// CL_INVALID_ARG_VALUE.
cl_int kernel_check_image(const struct _cl_kernel *kernel, cl_uint index, cl_mem mem);

#endif
