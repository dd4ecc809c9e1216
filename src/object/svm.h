// SPDX-License-Identifier: Apache-2.0
// Shared virtual memory: buffers that have the same address on the host and on every device that
// can share.
//
// An allocation is a memory object that only its context knows; its host_ptr is the address. It
// lives until svm_free(), and for commands and buffers made of it beyond that.
#ifndef PUMICE_OBJECT_SVM_H
#define PUMICE_OBJECT_SVM_H

#include "object/memobj.h"

// What at least one device of the context can do, and all that can do something.
cl_device_svm_capabilities svm_capabilities(const struct _cl_context *context);

// flags: CL_MEM_SVM_FINE_GRAIN_BUFFER and the access flags. NULL: there is no such memory.
void *svm_alloc(struct _cl_context *context, cl_mem_flags flags, size_t size);

// False when no allocation of the context begins there.
bool svm_free(struct _cl_context *context, void *pointer);

// The same for one of either kind, which the caller drops, or NULL: unified shared memory that was
// allocated as such (usm.h) lives among the others.
struct _cl_mem *svm_take_out(struct _cl_context *context, const void *pointer, bool unified);

// The allocation of either kind that holds the pointer, counted for the caller, or NULL.
struct _cl_mem *svm_find(struct _cl_context *context, const void *pointer, size_t *offset);

#endif
