// SPDX-License-Identifier: Apache-2.0
// The types of shared virtual memory of cl_khr_unified_svm: those of svm.h and usm.h, and system
// memory.
//
// The application's type index counts the types that at least one device of the platform supports.
#ifndef PUMICE_OBJECT_SVM_TYPE_H
#define PUMICE_OBJECT_SVM_TYPE_H

#include "object/memobj.h"

// In the order of their indices.
enum svm_type {
    SVM_TYPE_NONE, // memory outside of this extension
    SVM_TYPE_COARSE,
    SVM_TYPE_FINE,
    SVM_TYPE_DEVICE,
    SVM_TYPE_HOST,
    SVM_TYPE_SHARED,
    SVM_TYPE_SYSTEM,
    SVM_TYPES,
};

// Whether the device supports the extension; whether a device of the context does.
bool svm_type_offered(const struct _cl_device_id *device);
bool svm_type_offered_in(const struct _cl_context *context);

// The device's capabilities for a type; 0: not supported.
cl_svm_capabilities_khr svm_type_capabilities(struct _cl_device_id *device, enum svm_type type);

// The type of each index, with the capabilities common to all devices that support it; returns
// their number.
cl_uint svm_type_list(enum svm_type types[SVM_TYPES], cl_svm_capabilities_khr capabilities[SVM_TYPES]);

struct svm_request {
    enum svm_type type; // supported by some device of the context, and by `device`
    int device;         // index in the context; -1: none
    cl_svm_alloc_access_flags_khr access;
    const cl_properties *properties; // as passed; NULL: none
    size_t property_count;           // including the terminating 0
    size_t size;
};

// CL_OUT_OF_RESOURCES, CL_OUT_OF_HOST_MEMORY.
cl_int svm_type_alloc(struct _cl_context *context, const struct svm_request *request,
                      void **pointer);

#endif
