// SPDX-License-Identifier: Apache-2.0
// Extensions that OpenCL headers before 2022 lack (Debian 11, Ubuntu 22.04): only what Pumice uses.
// The test house/headers compares them with newer headers.
#ifndef PUMICE_OBJECT_CL_OLDER_H
#define PUMICE_OBJECT_CL_OLDER_H

#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <CL/cl_gl.h>

// ---- cl_khr_pci_bus_info -------------------------------------------------------------------------

#ifndef CL_DEVICE_PCI_BUS_INFO_KHR
#define CL_DEVICE_PCI_BUS_INFO_KHR 0x410F
typedef struct _cl_device_pci_bus_info_khr {
    cl_uint pci_domain, pci_bus, pci_device, pci_function;
} cl_device_pci_bus_info_khr;
#endif

// ---- cl_khr_integer_dot_product ------------------------------------------------------------------

#ifndef CL_DEVICE_INTEGER_DOT_PRODUCT_CAPABILITIES_KHR
#define CL_DEVICE_INTEGER_DOT_PRODUCT_CAPABILITIES_KHR 0x1073
#define CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_PACKED_KHR (1 << 0)
#define CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_KHR (1 << 1)
typedef cl_bitfield cl_device_integer_dot_product_capabilities_khr;
#endif

#ifndef CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_8BIT_KHR
#define CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_8BIT_KHR 0x1074
#define CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_4x8BIT_PACKED_KHR 0x1075
typedef struct _cl_device_integer_dot_product_acceleration_properties_khr {
    cl_bool signed_accelerated, unsigned_accelerated, mixed_signedness_accelerated;
    cl_bool accumulating_saturating_signed_accelerated,
        accumulating_saturating_unsigned_accelerated,
        accumulating_saturating_mixed_signedness_accelerated;
} cl_device_integer_dot_product_acceleration_properties_khr;
#endif

// ---- cl_khr_suggested_local_work_size ------------------------------------------------------------

#ifndef cl_khr_suggested_local_work_size
#pragma GCC visibility push(default)
cl_int CL_API_CALL clGetKernelSuggestedLocalWorkSizeKHR(cl_command_queue command_queue,
    cl_kernel kernel, cl_uint work_dim, const size_t *global_work_offset,
    const size_t *global_work_size, size_t *suggested_local_work_size);
#pragma GCC visibility pop
#endif

// ---- cl_khr_external_memory ----------------------------------------------------------------------

#ifndef CL_PLATFORM_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR
#define CL_PLATFORM_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR 0x2044
#define CL_DEVICE_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR 0x204F
#define CL_COMMAND_ACQUIRE_EXTERNAL_MEM_OBJECTS_KHR 0x2047
#define CL_COMMAND_RELEASE_EXTERNAL_MEM_OBJECTS_KHR 0x2048
#define CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR 0x2060
#define CL_EXTERNAL_MEMORY_HANDLE_DMA_BUF_KHR 0x2067
typedef cl_uint cl_external_memory_handle_type_khr;
#pragma GCC visibility push(default)
cl_int CL_API_CALL clEnqueueAcquireExternalMemObjectsKHR(cl_command_queue command_queue,
    cl_uint num_mem_objects, const cl_mem *mem_objects, cl_uint num_events_in_wait_list,
    const cl_event *event_wait_list, cl_event *event);
cl_int CL_API_CALL clEnqueueReleaseExternalMemObjectsKHR(cl_command_queue command_queue,
    cl_uint num_mem_objects, const cl_mem *mem_objects, cl_uint num_events_in_wait_list,
    const cl_event *event_wait_list, cl_event *event);
#pragma GCC visibility pop
#endif

// ---- cl_khr_semaphore, cl_khr_external_semaphore -------------------------------------------------

#ifndef CL_PLATFORM_SEMAPHORE_TYPES_KHR
#define CL_PLATFORM_SEMAPHORE_TYPES_KHR 0x2036
#define CL_PLATFORM_SEMAPHORE_IMPORT_HANDLE_TYPES_KHR 0x2037
#define CL_PLATFORM_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR 0x2038
#define CL_DEVICE_SEMAPHORE_TYPES_KHR 0x204C
#define CL_DEVICE_SEMAPHORE_IMPORT_HANDLE_TYPES_KHR 0x204D
#define CL_DEVICE_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR 0x204E
#define CL_SEMAPHORE_TYPE_BINARY_KHR 1
#define CL_SEMAPHORE_CONTEXT_KHR 0x2039
#define CL_SEMAPHORE_REFERENCE_COUNT_KHR 0x203A
#define CL_SEMAPHORE_PROPERTIES_KHR 0x203B
#define CL_SEMAPHORE_PAYLOAD_KHR 0x203C
#define CL_SEMAPHORE_TYPE_KHR 0x203D
#define CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR 0x203F
#define CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR 0x2055
#define CL_SEMAPHORE_HANDLE_SYNC_FD_KHR 0x2058
#define CL_COMMAND_SEMAPHORE_WAIT_KHR 0x2042
#define CL_COMMAND_SEMAPHORE_SIGNAL_KHR 0x2043
#define CL_INVALID_SEMAPHORE_KHR -1142
typedef struct _cl_semaphore_khr *cl_semaphore_khr;
typedef cl_properties cl_semaphore_properties_khr;
typedef cl_uint cl_semaphore_info_khr, cl_semaphore_type_khr, cl_external_semaphore_handle_type_khr;
typedef cl_ulong cl_semaphore_payload_khr;
#pragma GCC visibility push(default)
cl_semaphore_khr CL_API_CALL clCreateSemaphoreWithPropertiesKHR(cl_context context,
    const cl_semaphore_properties_khr *sema_props, cl_int *errcode_ret);
cl_int CL_API_CALL clEnqueueWaitSemaphoresKHR(cl_command_queue command_queue,
    cl_uint num_sema_objects, const cl_semaphore_khr *sema_objects,
    const cl_semaphore_payload_khr *sema_payload_list, cl_uint num_events_in_wait_list,
    const cl_event *event_wait_list, cl_event *event);
cl_int CL_API_CALL clEnqueueSignalSemaphoresKHR(cl_command_queue command_queue,
    cl_uint num_sema_objects, const cl_semaphore_khr *sema_objects,
    const cl_semaphore_payload_khr *sema_payload_list, cl_uint num_events_in_wait_list,
    const cl_event *event_wait_list, cl_event *event);
cl_int CL_API_CALL clGetSemaphoreInfoKHR(cl_semaphore_khr sema_object,
    cl_semaphore_info_khr param_name, size_t param_value_size, void *param_value,
    size_t *param_value_size_ret);
cl_int CL_API_CALL clGetSemaphoreHandleForTypeKHR(cl_semaphore_khr sema_object, cl_device_id device,
    cl_external_semaphore_handle_type_khr handle_type, size_t handle_size, void *handle_ptr,
    size_t *handle_size_ret);
cl_int CL_API_CALL clRetainSemaphoreKHR(cl_semaphore_khr sema_object);
cl_int CL_API_CALL clReleaseSemaphoreKHR(cl_semaphore_khr sema_object);
#pragma GCC visibility pop
#endif

// ---- cl_ext_image_requirements_info --------------------------------------------------------------

#ifndef CL_IMAGE_REQUIREMENTS_SIZE_EXT
#define CL_IMAGE_REQUIREMENTS_ROW_PITCH_ALIGNMENT_EXT 0x1290
#define CL_IMAGE_REQUIREMENTS_SLICE_PITCH_ALIGNMENT_EXT 0x1291
#define CL_IMAGE_REQUIREMENTS_BASE_ADDRESS_ALIGNMENT_EXT 0x1292
#define CL_IMAGE_REQUIREMENTS_SIZE_EXT 0x12B2
#define CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT 0x12B3
#define CL_IMAGE_REQUIREMENTS_MAX_HEIGHT_EXT 0x12B4
#define CL_IMAGE_REQUIREMENTS_MAX_DEPTH_EXT 0x12B5
#define CL_IMAGE_REQUIREMENTS_MAX_ARRAY_SIZE_EXT 0x12B6
typedef cl_uint cl_image_requirements_info_ext;
#pragma GCC visibility push(default)
cl_int CL_API_CALL clGetImageRequirementsInfoEXT(cl_context context,
    const cl_mem_properties *properties, cl_mem_flags flags, const cl_image_format *image_format,
    const cl_image_desc *image_desc, cl_image_requirements_info_ext param_name,
    size_t param_value_size, void *param_value, size_t *param_value_size_ret);
#pragma GCC visibility pop
#endif

// ---- cl_khr_gl_event -----------------------------------------------------------------------------

#ifndef CL_COMMAND_GL_FENCE_SYNC_OBJECT_KHR
#define CL_COMMAND_GL_FENCE_SYNC_OBJECT_KHR 0x200D
#pragma GCC visibility push(default)
cl_event CL_API_CALL clCreateEventFromGLsyncKHR(cl_context context, cl_GLsync sync,
    cl_int *errcode_ret);
#pragma GCC visibility pop
#endif

// ---- cl_intel_required_subgroup_size -------------------------------------------------------------

#ifndef CL_DEVICE_SUB_GROUP_SIZES_INTEL
#define CL_DEVICE_SUB_GROUP_SIZES_INTEL 0x4108
#define CL_KERNEL_SPILL_MEM_SIZE_INTEL 0x4109
#define CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL 0x410A
#endif

// ---- cl_intel_unified_shared_memory --------------------------------------------------------------

#ifndef CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL
#define CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL 0x4190
#define CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL 0x4191
#define CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL 0x4192
#define CL_DEVICE_CROSS_DEVICE_SHARED_MEM_CAPABILITIES_INTEL 0x4193
#define CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL 0x4194
#define CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL (1 << 0)
#define CL_UNIFIED_SHARED_MEMORY_ATOMIC_ACCESS_INTEL (1 << 1)
#define CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ACCESS_INTEL (1 << 2)
#define CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ATOMIC_ACCESS_INTEL (1 << 3)
#define CL_MEM_ALLOC_FLAGS_INTEL 0x4195
#define CL_MEM_ALLOC_WRITE_COMBINED_INTEL (1 << 0)
#define CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL (1 << 1)
#define CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL (1 << 2)
#define CL_MEM_ALLOC_TYPE_INTEL 0x419A
#define CL_MEM_ALLOC_BASE_PTR_INTEL 0x419B
#define CL_MEM_ALLOC_SIZE_INTEL 0x419C
#define CL_MEM_ALLOC_DEVICE_INTEL 0x419D
#define CL_MEM_TYPE_UNKNOWN_INTEL 0x4196
#define CL_MEM_TYPE_HOST_INTEL 0x4197
#define CL_MEM_TYPE_DEVICE_INTEL 0x4198
#define CL_MEM_TYPE_SHARED_INTEL 0x4199
#define CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL 0x4200
#define CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL 0x4201
#define CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL 0x4202
#define CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL 0x4203
#define CL_COMMAND_MEMFILL_INTEL 0x4204
#define CL_COMMAND_MEMCPY_INTEL 0x4205
#define CL_COMMAND_MIGRATEMEM_INTEL 0x4206
#define CL_COMMAND_MEMADVISE_INTEL 0x4207
typedef cl_bitfield cl_device_unified_shared_memory_capabilities_intel, cl_mem_alloc_flags_intel;
typedef cl_properties cl_mem_properties_intel;
typedef cl_uint cl_mem_info_intel, cl_unified_shared_memory_type_intel, cl_mem_advice_intel;
#pragma GCC visibility push(default)
void *CL_API_CALL clHostMemAllocINTEL(cl_context context, const cl_mem_properties_intel *properties,
    size_t size, cl_uint alignment, cl_int *errcode_ret);
void *CL_API_CALL clDeviceMemAllocINTEL(cl_context context, cl_device_id device,
    const cl_mem_properties_intel *properties, size_t size, cl_uint alignment,
    cl_int *errcode_ret);
void *CL_API_CALL clSharedMemAllocINTEL(cl_context context, cl_device_id device,
    const cl_mem_properties_intel *properties, size_t size, cl_uint alignment,
    cl_int *errcode_ret);
cl_int CL_API_CALL clMemFreeINTEL(cl_context context, void *ptr);
cl_int CL_API_CALL clMemBlockingFreeINTEL(cl_context context, void *ptr);
cl_int CL_API_CALL clGetMemAllocInfoINTEL(cl_context context, const void *ptr,
    cl_mem_info_intel param_name, size_t param_value_size, void *param_value,
    size_t *param_value_size_ret);
cl_int CL_API_CALL clSetKernelArgMemPointerINTEL(cl_kernel kernel, cl_uint arg_index,
    const void *arg_value);
cl_int CL_API_CALL clEnqueueMemFillINTEL(cl_command_queue command_queue, void *dst_ptr,
    const void *pattern, size_t pattern_size, size_t size, cl_uint num_events_in_wait_list,
    const cl_event *event_wait_list, cl_event *event);
cl_int CL_API_CALL clEnqueueMemcpyINTEL(cl_command_queue command_queue, cl_bool blocking,
    void *dst_ptr, const void *src_ptr, size_t size, cl_uint num_events_in_wait_list,
    const cl_event *event_wait_list, cl_event *event);
cl_int CL_API_CALL clEnqueueMigrateMemINTEL(cl_command_queue command_queue, const void *ptr,
    size_t size, cl_mem_migration_flags flags, cl_uint num_events_in_wait_list,
    const cl_event *event_wait_list, cl_event *event);
cl_int CL_API_CALL clEnqueueMemAdviseINTEL(cl_command_queue command_queue, const void *ptr,
    size_t size, cl_mem_advice_intel advice, cl_uint num_events_in_wait_list,
    const cl_event *event_wait_list, cl_event *event);
#pragma GCC visibility pop
#endif

#endif
