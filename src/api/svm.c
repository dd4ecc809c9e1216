// SPDX-License-Identifier: Apache-2.0
// Shared virtual memory on devices that have none: handles are checked, then CL_INVALID_OPERATION.
#include "api/api.h"

#include "util/log.h"

void *CL_API_CALL clSVMAlloc(cl_context context, cl_svm_mem_flags flags, size_t size,
                             cl_uint alignment)
{
    (void)flags, (void)alignment;
    if (!api_check(context, OBJECT_CONTEXT))
        log_write(LOG_API, "clSVMAlloc: %zu bytes: no device of the context has SVM", size);
    return NULL;
}

void CL_API_CALL clSVMFree(cl_context context, void *svm_pointer)
{
    (void)svm_pointer;
    api_check(context, OBJECT_CONTEXT);
}

static cl_int refuse_command(cl_command_queue queue, cl_uint count, const cl_event *list)
{
    TRY(api_check(queue, OBJECT_QUEUE));
    TRY(api_check_waits(queue->context, count, list));
    return REFUSE(CL_INVALID_OPERATION, "the device has no SVM");
}

cl_int CL_API_CALL clEnqueueSVMFree(
    cl_command_queue command_queue, cl_uint num_svm_pointers, void *svm_pointers[],
    void(CL_CALLBACK *pfn_free_func)(cl_command_queue, cl_uint, void *[], void *), void *user_data,
    cl_uint num_events_in_wait_list, const cl_event *event_wait_list, cl_event *event)
{
    (void)num_svm_pointers, (void)svm_pointers, (void)pfn_free_func, (void)user_data, (void)event;
    return refuse_command(command_queue, num_events_in_wait_list, event_wait_list);
}

cl_int CL_API_CALL clEnqueueSVMMemcpy(cl_command_queue command_queue, cl_bool blocking_copy,
                                      void *dst_ptr, const void *src_ptr, size_t size,
                                      cl_uint num_events_in_wait_list,
                                      const cl_event *event_wait_list, cl_event *event)
{
    (void)blocking_copy, (void)dst_ptr, (void)src_ptr, (void)size, (void)event;
    return refuse_command(command_queue, num_events_in_wait_list, event_wait_list);
}

cl_int CL_API_CALL clEnqueueSVMMemFill(cl_command_queue command_queue, void *svm_ptr,
                                       const void *pattern, size_t pattern_size, size_t size,
                                       cl_uint num_events_in_wait_list,
                                       const cl_event *event_wait_list, cl_event *event)
{
    (void)svm_ptr, (void)pattern, (void)pattern_size, (void)size, (void)event;
    return refuse_command(command_queue, num_events_in_wait_list, event_wait_list);
}

cl_int CL_API_CALL clEnqueueSVMMap(cl_command_queue command_queue, cl_bool blocking_map,
                                   cl_map_flags flags, void *svm_ptr, size_t size,
                                   cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                                   cl_event *event)
{
    (void)blocking_map, (void)flags, (void)svm_ptr, (void)size, (void)event;
    return refuse_command(command_queue, num_events_in_wait_list, event_wait_list);
}

cl_int CL_API_CALL clEnqueueSVMUnmap(cl_command_queue command_queue, void *svm_ptr,
                                     cl_uint num_events_in_wait_list,
                                     const cl_event *event_wait_list, cl_event *event)
{
    (void)svm_ptr, (void)event;
    return refuse_command(command_queue, num_events_in_wait_list, event_wait_list);
}

cl_int CL_API_CALL clEnqueueSVMMigrateMem(cl_command_queue command_queue, cl_uint num_svm_pointers,
                                          const void **svm_pointers, const size_t *sizes,
                                          cl_mem_migration_flags flags,
                                          cl_uint num_events_in_wait_list,
                                          const cl_event *event_wait_list, cl_event *event)
{
    (void)num_svm_pointers, (void)svm_pointers, (void)sizes, (void)flags, (void)event;
    return refuse_command(command_queue, num_events_in_wait_list, event_wait_list);
}

cl_int CL_API_CALL clSetKernelArgSVMPointer(cl_kernel kernel, cl_uint arg_index,
                                            const void *arg_value)
{
    (void)arg_index, (void)arg_value;
    TRY(api_check(kernel, OBJECT_KERNEL));
    return REFUSE(CL_INVALID_OPERATION, "no device of the context has SVM");
}

cl_int CL_API_CALL clSetKernelExecInfo(cl_kernel kernel, cl_kernel_exec_info param_name,
                                       size_t param_value_size, const void *param_value)
{
    (void)param_name, (void)param_value_size, (void)param_value;
    TRY(api_check(kernel, OBJECT_KERNEL));
    return REFUSE(CL_INVALID_OPERATION, "no device of the context has SVM");
}
