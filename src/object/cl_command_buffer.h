// SPDX-License-Identifier: Apache-2.0
// cl_khr_command_buffer 0.9.8 and cl_khr_command_buffer_mutable_dispatch 0.9.5, whichever version
// the headers have.
//
// Both are provisional: functions and structs have changed between versions under the same names.
// The definitions here have names of their own, which macros substitute for those of the headers;
// entry_points.def lists the usual names.
#ifndef PUMICE_OBJECT_CL_COMMAND_BUFFER_H
#define PUMICE_OBJECT_CL_COMMAND_BUFFER_H

#include <CL/cl.h>
#include <CL/cl_ext.h>

#define clCreateCommandBufferKHR pumice_clCreateCommandBufferKHR
#define clFinalizeCommandBufferKHR pumice_clFinalizeCommandBufferKHR
#define clRetainCommandBufferKHR pumice_clRetainCommandBufferKHR
#define clReleaseCommandBufferKHR pumice_clReleaseCommandBufferKHR
#define clEnqueueCommandBufferKHR pumice_clEnqueueCommandBufferKHR
#define clCommandBarrierWithWaitListKHR pumice_clCommandBarrierWithWaitListKHR
#define clCommandCopyBufferKHR pumice_clCommandCopyBufferKHR
#define clCommandCopyBufferRectKHR pumice_clCommandCopyBufferRectKHR
#define clCommandCopyBufferToImageKHR pumice_clCommandCopyBufferToImageKHR
#define clCommandCopyImageKHR pumice_clCommandCopyImageKHR
#define clCommandCopyImageToBufferKHR pumice_clCommandCopyImageToBufferKHR
#define clCommandFillBufferKHR pumice_clCommandFillBufferKHR
#define clCommandFillImageKHR pumice_clCommandFillImageKHR
#define clCommandNDRangeKernelKHR pumice_clCommandNDRangeKernelKHR
#define clCommandSVMMemcpyKHR pumice_clCommandSVMMemcpyKHR
#define clCommandSVMMemFillKHR pumice_clCommandSVMMemFillKHR
#define clGetCommandBufferInfoKHR pumice_clGetCommandBufferInfoKHR
#define clUpdateMutableCommandsKHR pumice_clUpdateMutableCommandsKHR
#define clGetMutableCommandInfoKHR pumice_clGetMutableCommandInfoKHR
#define cl_mutable_dispatch_arg_khr pumice_cl_mutable_dispatch_arg_khr
#define cl_mutable_dispatch_exec_info_khr pumice_cl_mutable_dispatch_exec_info_khr
#define cl_mutable_dispatch_config_khr pumice_cl_mutable_dispatch_config_khr

// ---- types: common to all versions, and newer ones ----------------------------------------------

typedef struct _cl_command_buffer_khr *cl_command_buffer_khr;
typedef struct _cl_mutable_command_khr *cl_mutable_command_khr;
typedef cl_bitfield cl_device_command_buffer_capabilities_khr;
typedef cl_uint cl_sync_point_khr;
typedef cl_uint cl_command_buffer_info_khr;
typedef cl_uint cl_command_buffer_state_khr;
typedef cl_bitfield cl_command_buffer_flags_khr;
typedef cl_ulong cl_command_buffer_properties_khr;
typedef cl_ulong cl_command_properties_khr;
typedef cl_uint cl_command_buffer_update_type_khr;
typedef cl_bitfield cl_mutable_dispatch_fields_khr;
typedef cl_bitfield cl_mutable_dispatch_asserts_khr;
typedef cl_uint cl_mutable_command_info_khr;

typedef struct {
    cl_uint arg_index;
    size_t arg_size;
    const void *arg_value;
} cl_mutable_dispatch_arg_khr;

typedef struct {
    cl_uint param_name;
    size_t param_value_size;
    const void *param_value;
} cl_mutable_dispatch_exec_info_khr;

typedef struct {
    cl_mutable_command_khr command;
    cl_uint num_args, num_svm_args, num_exec_infos, work_dim;
    const cl_mutable_dispatch_arg_khr *arg_list, *arg_svm_list;
    const cl_mutable_dispatch_exec_info_khr *exec_info_list;
    const size_t *global_work_offset, *global_work_size, *local_work_size;
} cl_mutable_dispatch_config_khr;

// ---- constants: from the registry, the same in all versions that have them ----------------------

#ifndef CL_COMMAND_BUFFER_FLAGS_KHR
#define CL_COMMAND_BUFFER_FLAGS_KHR 0x1293
#define CL_COMMAND_BUFFER_QUEUES_KHR 0x1294
#define CL_COMMAND_BUFFER_NUM_QUEUES_KHR 0x1295
#define CL_COMMAND_BUFFER_REFERENCE_COUNT_KHR 0x1296
#define CL_COMMAND_BUFFER_STATE_KHR 0x1297
#define CL_COMMAND_BUFFER_PROPERTIES_ARRAY_KHR 0x1298
#define CL_COMMAND_BUFFER_STATE_RECORDING_KHR 0
#define CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR 1
#define CL_COMMAND_BUFFER_CAPABILITY_SIMULTANEOUS_USE_KHR (1 << 2)
#define CL_COMMAND_BUFFER_CAPABILITY_KERNEL_PRINTF_KHR (1 << 0)
#define CL_COMMAND_BUFFER_CAPABILITY_DEVICE_SIDE_ENQUEUE_KHR (1 << 1)
#define CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR (1 << 0)
#define CL_COMMAND_COMMAND_BUFFER_KHR 0x12A8
#define CL_DEVICE_COMMAND_BUFFER_CAPABILITIES_KHR 0x12A9
#define CL_DEVICE_COMMAND_BUFFER_REQUIRED_QUEUE_PROPERTIES_KHR 0x12AA
#define CL_INVALID_COMMAND_BUFFER_KHR -1138
#define CL_INVALID_SYNC_POINT_WAIT_LIST_KHR -1139
#define CL_INCOMPATIBLE_COMMAND_QUEUE_KHR -1140
#endif

#ifndef CL_COMMAND_BUFFER_MUTABLE_KHR
#define CL_COMMAND_BUFFER_MUTABLE_KHR (1 << 1)
#define CL_INVALID_MUTABLE_COMMAND_KHR -1141
#define CL_DEVICE_MUTABLE_DISPATCH_CAPABILITIES_KHR 0x12B0
#define CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR 0x12B1
#define CL_MUTABLE_DISPATCH_GLOBAL_OFFSET_KHR (1 << 0)
#define CL_MUTABLE_DISPATCH_GLOBAL_SIZE_KHR (1 << 1)
#define CL_MUTABLE_DISPATCH_LOCAL_SIZE_KHR (1 << 2)
#define CL_MUTABLE_DISPATCH_ARGUMENTS_KHR (1 << 3)
#define CL_MUTABLE_DISPATCH_EXEC_INFO_KHR (1 << 4)
#define CL_MUTABLE_COMMAND_COMMAND_QUEUE_KHR 0x12A0
#define CL_MUTABLE_COMMAND_COMMAND_BUFFER_KHR 0x12A1
#define CL_MUTABLE_COMMAND_COMMAND_TYPE_KHR 0x12AD
#define CL_MUTABLE_DISPATCH_KERNEL_KHR 0x12A3
#define CL_MUTABLE_DISPATCH_DIMENSIONS_KHR 0x12A4
#define CL_MUTABLE_DISPATCH_GLOBAL_WORK_OFFSET_KHR 0x12A5
#define CL_MUTABLE_DISPATCH_GLOBAL_WORK_SIZE_KHR 0x12A6
#define CL_MUTABLE_DISPATCH_LOCAL_WORK_SIZE_KHR 0x12A7
#endif

#ifndef CL_COMMAND_BUFFER_STATE_FINALIZED_KHR
#define CL_COMMAND_BUFFER_STATE_FINALIZED_KHR 2
#endif
#ifndef CL_COMMAND_BUFFER_CONTEXT_KHR
#define CL_COMMAND_BUFFER_CONTEXT_KHR 0x1299
#endif
#ifndef CL_DEVICE_COMMAND_BUFFER_SUPPORTED_QUEUE_PROPERTIES_KHR
#define CL_DEVICE_COMMAND_BUFFER_SUPPORTED_QUEUE_PROPERTIES_KHR 0x129A
#endif
#ifndef CL_MUTABLE_COMMAND_PROPERTIES_ARRAY_KHR
#define CL_MUTABLE_COMMAND_PROPERTIES_ARRAY_KHR 0x12A2
#endif
#ifndef CL_MUTABLE_DISPATCH_ASSERTS_KHR
#define CL_COMMAND_BUFFER_MUTABLE_DISPATCH_ASSERTS_KHR 0x12B7
#define CL_MUTABLE_DISPATCH_ASSERTS_KHR 0x12B8
#define CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR (1 << 0)
#endif
#undef CL_STRUCTURE_TYPE_MUTABLE_DISPATCH_CONFIG_KHR // a different value in versions where
                                                     // configurations were a chain
#define CL_STRUCTURE_TYPE_MUTABLE_DISPATCH_CONFIG_KHR 0

// ---- functions ----------------------------------------------------------------------------------

// The first and last parameters of all functions that record commands.
#define COMMAND_BUFFER_FIRST                                                                                           \
    cl_command_buffer_khr command_buffer, cl_command_queue command_queue, const cl_command_properties_khr *properties
#define COMMAND_BUFFER_LAST                                                                                            \
    cl_uint num_sync_points_in_wait_list, const cl_sync_point_khr *sync_point_wait_list, cl_sync_point_khr *sync_point, \
        cl_mutable_command_khr *mutable_handle

cl_command_buffer_khr CL_API_CALL clCreateCommandBufferKHR(cl_uint num_queues, const cl_command_queue *queues,
                                                           const cl_command_buffer_properties_khr *properties,
                                                           cl_int *errcode_ret);
cl_int CL_API_CALL clFinalizeCommandBufferKHR(cl_command_buffer_khr command_buffer);
cl_int CL_API_CALL clRetainCommandBufferKHR(cl_command_buffer_khr command_buffer);
cl_int CL_API_CALL clReleaseCommandBufferKHR(cl_command_buffer_khr command_buffer);
cl_int CL_API_CALL clEnqueueCommandBufferKHR(cl_uint num_queues, cl_command_queue *queues,
                                             cl_command_buffer_khr command_buffer, cl_uint num_events_in_wait_list,
                                             const cl_event *event_wait_list, cl_event *event);
cl_int CL_API_CALL clGetCommandBufferInfoKHR(cl_command_buffer_khr command_buffer,
                                             cl_command_buffer_info_khr param_name, size_t param_value_size,
                                             void *param_value, size_t *param_value_size_ret);
cl_int CL_API_CALL clCommandBarrierWithWaitListKHR(COMMAND_BUFFER_FIRST, COMMAND_BUFFER_LAST);
cl_int CL_API_CALL clCommandCopyBufferKHR(COMMAND_BUFFER_FIRST, cl_mem src_buffer, cl_mem dst_buffer,
                                          size_t src_offset, size_t dst_offset, size_t size, COMMAND_BUFFER_LAST);
cl_int CL_API_CALL clCommandCopyBufferRectKHR(COMMAND_BUFFER_FIRST, cl_mem src_buffer, cl_mem dst_buffer,
                                              const size_t *src_origin, const size_t *dst_origin, const size_t *region,
                                              size_t src_row_pitch, size_t src_slice_pitch, size_t dst_row_pitch,
                                              size_t dst_slice_pitch, COMMAND_BUFFER_LAST);
cl_int CL_API_CALL clCommandCopyBufferToImageKHR(COMMAND_BUFFER_FIRST, cl_mem src_buffer, cl_mem dst_image,
                                                 size_t src_offset, const size_t *dst_origin, const size_t *region,
                                                 COMMAND_BUFFER_LAST);
cl_int CL_API_CALL clCommandCopyImageKHR(COMMAND_BUFFER_FIRST, cl_mem src_image, cl_mem dst_image,
                                         const size_t *src_origin, const size_t *dst_origin, const size_t *region,
                                         COMMAND_BUFFER_LAST);
cl_int CL_API_CALL clCommandCopyImageToBufferKHR(COMMAND_BUFFER_FIRST, cl_mem src_image, cl_mem dst_buffer,
                                                 const size_t *src_origin, const size_t *region, size_t dst_offset,
                                                 COMMAND_BUFFER_LAST);
cl_int CL_API_CALL clCommandFillBufferKHR(COMMAND_BUFFER_FIRST, cl_mem buffer, const void *pattern,
                                          size_t pattern_size, size_t offset, size_t size, COMMAND_BUFFER_LAST);
cl_int CL_API_CALL clCommandFillImageKHR(COMMAND_BUFFER_FIRST, cl_mem image, const void *fill_color,
                                         const size_t *origin, const size_t *region, COMMAND_BUFFER_LAST);
cl_int CL_API_CALL clCommandSVMMemcpyKHR(COMMAND_BUFFER_FIRST, void *dst_ptr, const void *src_ptr, size_t size,
                                         COMMAND_BUFFER_LAST);
cl_int CL_API_CALL clCommandSVMMemFillKHR(COMMAND_BUFFER_FIRST, void *svm_ptr, const void *pattern,
                                          size_t pattern_size, size_t size, COMMAND_BUFFER_LAST);
cl_int CL_API_CALL clCommandNDRangeKernelKHR(COMMAND_BUFFER_FIRST, cl_kernel kernel, cl_uint work_dim,
                                             const size_t *global_work_offset, const size_t *global_work_size,
                                             const size_t *local_work_size, COMMAND_BUFFER_LAST);
cl_int CL_API_CALL clUpdateMutableCommandsKHR(cl_command_buffer_khr command_buffer, cl_uint num_configs,
                                              const cl_command_buffer_update_type_khr *config_types,
                                              const void **configs);
cl_int CL_API_CALL clGetMutableCommandInfoKHR(cl_mutable_command_khr command, cl_mutable_command_info_khr param_name,
                                              size_t param_value_size, void *param_value,
                                              size_t *param_value_size_ret);

#endif
