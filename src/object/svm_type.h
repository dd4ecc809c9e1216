// SPDX-License-Identifier: Apache-2.0
// The types of shared virtual memory that cl_khr_unified_svm tells of: those of svm.h and usm.h, and
// the process's own memory.
//
// The index that the application uses counts the types that some device of the platform has.
#ifndef PUMICE_OBJECT_SVM_TYPE_H
#define PUMICE_OBJECT_SVM_TYPE_H

#include "object/memobj.h"

// In the order of their indices.
enum svm_type {
    SVM_TYPE_NONE, // of memory that is none of this extension's
    SVM_TYPE_COARSE,
    SVM_TYPE_FINE,
    SVM_TYPE_DEVICE,
    SVM_TYPE_HOST,
    SVM_TYPE_SHARED,
    SVM_TYPE_SYSTEM,
    SVM_TYPES,
};

// Whether the device has the extension; whether some of the context's has.
bool svm_type_offered(const struct _cl_device_id *device);
bool svm_type_offered_in(const struct _cl_context *context);

// What the device can do with a type; 0: it has none of it.
cl_svm_capabilities_khr svm_type_capabilities(struct _cl_device_id *device, enum svm_type type);

// What each index stands for, with what all devices that have it can do; returns how many there are.
cl_uint svm_type_list(enum svm_type types[SVM_TYPES], cl_svm_capabilities_khr capabilities[SVM_TYPES]);

struct svm_wish {
    enum svm_type type; // some device of the context has it; the one below, too
    int device;         // its index in the context; -1: none
    cl_svm_alloc_access_flags_khr access;
    const cl_properties *properties; // as given; NULL: none
    size_t property_count;           // with the 0
    size_t size;
};

// CL_OUT_OF_RESOURCES, CL_OUT_OF_HOST_MEMORY.
cl_int svm_type_alloc(struct _cl_context *context, const struct svm_wish *wish, void **pointer);

#endif
