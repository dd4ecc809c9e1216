// SPDX-License-Identifier: Apache-2.0
// The OpenCL headers as used by the runtime, with definitions that are missing in Debian 12's
// copies (cl_older.h: in copies older than those).
//
// The declarations in the headers give the cl* functions default visibility; the export maps in
// icd/ decide which of them a library exports. Everything else in the runtime is hidden.
#ifndef PUMICE_OBJECT_CL_H
#define PUMICE_OBJECT_CL_H

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 300
#endif
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#define CL_USE_DEPRECATED_OPENCL_2_1_APIS
#define CL_USE_DEPRECATED_OPENCL_2_2_APIS

#pragma GCC visibility push(default)
#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <CL/cl_gl.h>
#include <CL/cl_egl.h>
// On Windows the header would include all of Direct3D, for entries that are unused.
#pragma push_macro("_WIN32")
#undef _WIN32
#include <CL/cl_icd.h>
#pragma pop_macro("_WIN32")
#pragma GCC visibility pop
#include "object/cl_command_buffer.h"
#include "object/cl_older.h"
#include "object/cl_unified_svm.h"

// cl_khr_icd 2: not in the 2023.02 headers.
#ifndef cl_ext_buffer_device_address
#define cl_ext_buffer_device_address 1
typedef cl_ulong cl_mem_device_address_ext;
#define CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT 0x5000
#define CL_MEM_DEVICE_ADDRESS_EXT 0x5001
#define CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT 0x5002
#pragma GCC visibility push(default)
cl_int CL_API_CALL clSetKernelArgDevicePointerEXT(cl_kernel kernel, cl_uint arg_index,
                                                  cl_mem_device_address_ext arg_value);
#pragma GCC visibility pop
#endif

#ifndef CL_VERSION_3_1
#pragma GCC visibility push(default)
cl_int CL_API_CALL clGetKernelSuggestedLocalWorkSize(cl_command_queue command_queue, cl_kernel kernel,
                                                     cl_uint work_dim, const size_t *global_work_offset,
                                                     const size_t *global_work_size,
                                                     size_t *suggested_local_work_size);
#pragma GCC visibility pop
#endif

// A draft extension, in no headers yet.
#ifndef CL_DEVICE_COOPERATIVE_MATRIX_POINTER_ALIGNMENT_KHR
#define CL_DEVICE_COOPERATIVE_MATRIX_DEFAULT_SUB_GROUP_VARIANTS_KHR 0x1078
#define CL_DEVICE_COOPERATIVE_MATRIX_SUB_GROUP_VARIANTS_KHR 0x1079
#define CL_DEVICE_COOPERATIVE_MATRIX_POINTER_ALIGNMENT_KHR 0x107A
#define CL_DEVICE_COOPERATIVE_MATRIX_STRIDE_MULTIPLE_KHR 0x107B
typedef cl_uint cl_device_cooperative_matrix_info_khr;
typedef cl_uint cl_device_cooperative_matrix_component_type_khr; // numbered like enum kc_component
typedef struct _cl_device_cooperative_matrix_variant_khr {
    cl_uint m_size, n_size, k_size;
    cl_device_cooperative_matrix_component_type_khr a_type, b_type, c_type, result_type;
    cl_bool saturating_accumulation;
} cl_device_cooperative_matrix_variant_khr;
#pragma GCC visibility push(default)
cl_int CL_API_CALL clGetDeviceCooperativeMatrixInfoKHR(cl_device_id device,
                                                       cl_device_cooperative_matrix_info_khr param_name,
                                                       size_t input_value_size, const void *input_value,
                                                       size_t param_value_size, void *param_value,
                                                       size_t *param_value_size_ret);
#pragma GCC visibility pop
#endif

#ifndef CL_DEVICE_KERNEL_CLOCK_CAPABILITIES_KHR
#define CL_DEVICE_KERNEL_CLOCK_CAPABILITIES_KHR 0x1076
#define CL_DEVICE_KERNEL_CLOCK_SCOPE_DEVICE_KHR (1 << 0)
#define CL_DEVICE_KERNEL_CLOCK_SCOPE_WORK_GROUP_KHR (1 << 1)
#define CL_DEVICE_KERNEL_CLOCK_SCOPE_SUB_GROUP_KHR (1 << 2)
#endif

#ifndef CL_UNORM_INT_2_101010_EXT
#define CL_UNORM_INT_2_101010_EXT 0x10E5
#endif

#ifndef CL_CONTEXT_MEMORY_INITIALIZE_LOCAL_KHR
typedef cl_bitfield cl_context_memory_initialize_khr;
#define CL_CONTEXT_MEMORY_INITIALIZE_LOCAL_KHR (1 << 0)
#define CL_CONTEXT_MEMORY_INITIALIZE_PRIVATE_KHR (1 << 1)
#endif

#ifndef CL_MEM_IMMUTABLE_EXT
#define CL_MEM_IMMUTABLE_EXT (1 << 6)
#endif

// cl_khr_semaphore 1.0 has a different name for it.
#ifndef CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR
#define CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR 0x2053
#define CL_SEMAPHORE_DEVICE_HANDLE_LIST_END_KHR 0
#endif

// cl_khr_external_memory 1.0 and the semaphore extensions have different names for these.
#ifndef CL_MEM_DEVICE_HANDLE_LIST_KHR
#define CL_MEM_DEVICE_HANDLE_LIST_KHR 0x2051
#define CL_MEM_DEVICE_HANDLE_LIST_END_KHR 0
#endif
#ifndef CL_DEVICE_EXTERNAL_MEMORY_IMPORT_ASSUME_LINEAR_IMAGES_HANDLE_TYPES_KHR
#define CL_DEVICE_EXTERNAL_MEMORY_IMPORT_ASSUME_LINEAR_IMAGES_HANDLE_TYPES_KHR 0x2052
#endif
#ifndef CL_SEMAPHORE_EXPORTABLE_KHR
#define CL_SEMAPHORE_EXPORTABLE_KHR 0x2054
typedef cl_properties cl_semaphore_reimport_properties_khr;
#pragma GCC visibility push(default)
cl_int CL_API_CALL clReImportSemaphoreSyncFdKHR(
    cl_semaphore_khr sema_object, cl_semaphore_reimport_properties_khr *reimport_props, int fd);
#pragma GCC visibility pop
#endif

#ifndef CL_PLATFORM_UNLOADABLE_KHR
#define CL_PLATFORM_UNLOADABLE_KHR 0x0921
#endif

#endif
