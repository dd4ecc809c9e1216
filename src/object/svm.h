// SPDX-License-Identifier: Apache-2.0
// Shared virtual memory: buffers with the same address on the host and on every device that
// supports it.
//
// An allocation is a memory object that only its context knows; its host_ptr is the address. It
// lives until svm_free(), or longer while commands and buffers use it.
#ifndef PUMICE_OBJECT_SVM_H
#define PUMICE_OBJECT_SVM_H

#include "object/memobj.h"

// The union of the capabilities of the context's devices.
cl_device_svm_capabilities svm_capabilities(const struct _cl_context *context);

// flags: CL_MEM_SVM_FINE_GRAIN_BUFFER and the access flags. NULL: not possible.
void *svm_alloc(struct _cl_context *context, cl_mem_flags flags, size_t size);

// False if no allocation of the context begins there.
bool svm_free(struct _cl_context *context, void *pointer);

// Removes the allocation from the context and returns it for the caller to drop, or NULL.
// `unified`: look for unified shared memory (usm.h), which is in the same map.
struct _cl_mem *svm_take_out(struct _cl_context *context, const void *pointer, bool unified);

// The allocation of either kind that contains the pointer, with a reference for the caller, or
// NULL.
struct _cl_mem *svm_find(struct _cl_context *context, const void *pointer, size_t *offset);

#endif
