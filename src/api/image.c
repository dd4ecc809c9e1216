// SPDX-License-Identifier: Apache-2.0
// Images, samplers and pipes on devices that have none: handles are checked, then the
// specification's error for a device without them.
#include "api/api.h"

// ---- creation
// --------------------------------------------------------------------------------------

static cl_int no_image(cl_context context)
{
    TRY(api_check(context, OBJECT_CONTEXT));
    return REFUSE(CL_INVALID_OPERATION, "no device of the context has images");
}

cl_mem CL_API_CALL clCreateImage(cl_context context, cl_mem_flags flags,
                                 const cl_image_format *image_format,
                                 const cl_image_desc *image_desc, void *host_ptr,
                                 cl_int *errcode_ret)
{
    (void)flags, (void)image_format, (void)image_desc, (void)host_ptr;
    api_set_error(errcode_ret, no_image(context));
    return NULL;
}

cl_mem CL_API_CALL clCreateImageWithProperties(cl_context context,
                                               const cl_mem_properties *properties,
                                               cl_mem_flags flags,
                                               const cl_image_format *image_format,
                                               const cl_image_desc *image_desc, void *host_ptr,
                                               cl_int *errcode_ret)
{
    (void)properties, (void)flags, (void)image_format, (void)image_desc, (void)host_ptr;
    api_set_error(errcode_ret, no_image(context));
    return NULL;
}

cl_mem CL_API_CALL clCreateImage2D(cl_context context, cl_mem_flags flags,
                                   const cl_image_format *image_format, size_t image_width,
                                   size_t image_height, size_t image_row_pitch, void *host_ptr,
                                   cl_int *errcode_ret)
{
    (void)flags, (void)image_format, (void)image_width, (void)image_height, (void)image_row_pitch;
    (void)host_ptr;
    api_set_error(errcode_ret, no_image(context));
    return NULL;
}

cl_mem CL_API_CALL clCreateImage3D(cl_context context, cl_mem_flags flags,
                                   const cl_image_format *image_format, size_t image_width,
                                   size_t image_height, size_t image_depth, size_t image_row_pitch,
                                   size_t image_slice_pitch, void *host_ptr, cl_int *errcode_ret)
{
    (void)flags, (void)image_format, (void)image_width, (void)image_height, (void)image_depth;
    (void)image_row_pitch, (void)image_slice_pitch, (void)host_ptr;
    api_set_error(errcode_ret, no_image(context));
    return NULL;
}

cl_int CL_API_CALL clGetSupportedImageFormats(cl_context context, cl_mem_flags flags,
                                              cl_mem_object_type image_type, cl_uint num_entries,
                                              cl_image_format *image_formats,
                                              cl_uint *num_image_formats)
{
    (void)flags;
    TRY(api_check(context, OBJECT_CONTEXT));
    if (image_type < CL_MEM_OBJECT_IMAGE2D || image_type > CL_MEM_OBJECT_IMAGE1D_BUFFER)
        return REFUSE(CL_INVALID_VALUE, "image type 0x%x", image_type);
    if (!num_entries && image_formats)
        return REFUSE(CL_INVALID_VALUE, "room for no formats");
    if (num_image_formats)
        *num_image_formats = 0;
    return CL_SUCCESS;
}

// ---- queries and commands: there is no image that they could be given
// ---------------------------------

static cl_int not_an_image(cl_mem mem)
{
    TRY(api_check(mem, OBJECT_MEM));
    return REFUSE(CL_INVALID_MEM_OBJECT, "not an image");
}

static cl_int refuse_command(cl_command_queue queue, cl_mem image, cl_uint count,
                             const cl_event *list)
{
    TRY(api_check(queue, OBJECT_QUEUE));
    TRY(api_check_waits(queue->context, count, list));
    return not_an_image(image);
}

cl_int CL_API_CALL clGetImageInfo(cl_mem image, cl_image_info param_name, size_t param_value_size,
                                  void *param_value, size_t *param_value_size_ret)
{
    (void)param_name, (void)param_value_size, (void)param_value, (void)param_value_size_ret;
    return not_an_image(image);
}

cl_int CL_API_CALL clEnqueueReadImage(cl_command_queue command_queue, cl_mem image,
                                      cl_bool blocking_read, const size_t *origin,
                                      const size_t *region, size_t row_pitch, size_t slice_pitch,
                                      void *ptr, cl_uint num_events_in_wait_list,
                                      const cl_event *event_wait_list, cl_event *event)
{
    (void)blocking_read, (void)origin, (void)region, (void)row_pitch, (void)slice_pitch, (void)ptr;
    (void)event;
    return refuse_command(command_queue, image, num_events_in_wait_list, event_wait_list);
}

cl_int CL_API_CALL clEnqueueWriteImage(cl_command_queue command_queue, cl_mem image,
                                       cl_bool blocking_write, const size_t *origin,
                                       const size_t *region, size_t input_row_pitch,
                                       size_t input_slice_pitch, const void *ptr,
                                       cl_uint num_events_in_wait_list,
                                       const cl_event *event_wait_list, cl_event *event)
{
    (void)blocking_write, (void)origin, (void)region, (void)input_row_pitch;
    (void)input_slice_pitch, (void)ptr, (void)event;
    return refuse_command(command_queue, image, num_events_in_wait_list, event_wait_list);
}

cl_int CL_API_CALL clEnqueueFillImage(cl_command_queue command_queue, cl_mem image,
                                      const void *fill_color, const size_t *origin,
                                      const size_t *region, cl_uint num_events_in_wait_list,
                                      const cl_event *event_wait_list, cl_event *event)
{
    (void)fill_color, (void)origin, (void)region, (void)event;
    return refuse_command(command_queue, image, num_events_in_wait_list, event_wait_list);
}

cl_int CL_API_CALL clEnqueueCopyImage(cl_command_queue command_queue, cl_mem src_image,
                                      cl_mem dst_image, const size_t *src_origin,
                                      const size_t *dst_origin, const size_t *region,
                                      cl_uint num_events_in_wait_list,
                                      const cl_event *event_wait_list, cl_event *event)
{
    (void)dst_image, (void)src_origin, (void)dst_origin, (void)region, (void)event;
    return refuse_command(command_queue, src_image, num_events_in_wait_list, event_wait_list);
}

cl_int CL_API_CALL clEnqueueCopyImageToBuffer(cl_command_queue command_queue, cl_mem src_image,
                                              cl_mem dst_buffer, const size_t *src_origin,
                                              const size_t *region, size_t dst_offset,
                                              cl_uint num_events_in_wait_list,
                                              const cl_event *event_wait_list, cl_event *event)
{
    (void)dst_buffer, (void)src_origin, (void)region, (void)dst_offset, (void)event;
    return refuse_command(command_queue, src_image, num_events_in_wait_list, event_wait_list);
}

cl_int CL_API_CALL clEnqueueCopyBufferToImage(cl_command_queue command_queue, cl_mem src_buffer,
                                              cl_mem dst_image, size_t src_offset,
                                              const size_t *dst_origin, const size_t *region,
                                              cl_uint num_events_in_wait_list,
                                              const cl_event *event_wait_list, cl_event *event)
{
    (void)src_buffer, (void)src_offset, (void)dst_origin, (void)region, (void)event;
    return refuse_command(command_queue, dst_image, num_events_in_wait_list, event_wait_list);
}

void *CL_API_CALL clEnqueueMapImage(cl_command_queue command_queue, cl_mem image,
                                    cl_bool blocking_map, cl_map_flags map_flags,
                                    const size_t *origin, const size_t *region,
                                    size_t *image_row_pitch, size_t *image_slice_pitch,
                                    cl_uint num_events_in_wait_list,
                                    const cl_event *event_wait_list, cl_event *event,
                                    cl_int *errcode_ret)
{
    (void)blocking_map, (void)map_flags, (void)origin, (void)region, (void)image_row_pitch;
    (void)image_slice_pitch, (void)event;
    api_set_error(errcode_ret,
                  refuse_command(command_queue, image, num_events_in_wait_list, event_wait_list));
    return NULL;
}

// ---- samplers
// --------------------------------------------------------------------------------------

static cl_int no_sampler(cl_context context)
{
    TRY(api_check(context, OBJECT_CONTEXT));
    return REFUSE(CL_INVALID_OPERATION, "no device of the context has images");
}

cl_sampler CL_API_CALL clCreateSampler(cl_context context, cl_bool normalized_coords,
                                       cl_addressing_mode addressing_mode,
                                       cl_filter_mode filter_mode, cl_int *errcode_ret)
{
    (void)normalized_coords, (void)addressing_mode, (void)filter_mode;
    api_set_error(errcode_ret, no_sampler(context));
    return NULL;
}

cl_sampler CL_API_CALL clCreateSamplerWithProperties(cl_context context,
                                                     const cl_sampler_properties *properties,
                                                     cl_int *errcode_ret)
{
    (void)properties;
    api_set_error(errcode_ret, no_sampler(context));
    return NULL;
}

cl_int CL_API_CALL clRetainSampler(cl_sampler sampler)
{
    return api_retain(sampler, OBJECT_SAMPLER);
}

cl_int CL_API_CALL clReleaseSampler(cl_sampler sampler)
{
    return api_release(sampler, OBJECT_SAMPLER);
}

cl_int CL_API_CALL clGetSamplerInfo(cl_sampler sampler, cl_sampler_info param_name,
                                    size_t param_value_size, void *param_value,
                                    size_t *param_value_size_ret)
{
    (void)param_name, (void)param_value_size, (void)param_value, (void)param_value_size_ret;
    return api_check(sampler, OBJECT_SAMPLER);
}

// ---- pipes
// -----------------------------------------------------------------------------------------

static cl_int no_pipe(cl_context context)
{
    TRY(api_check(context, OBJECT_CONTEXT));
    return REFUSE(CL_INVALID_OPERATION, "no device of the context has pipes");
}

cl_mem CL_API_CALL clCreatePipe(cl_context context, cl_mem_flags flags, cl_uint pipe_packet_size,
                                cl_uint pipe_max_packets, const cl_pipe_properties *properties,
                                cl_int *errcode_ret)
{
    (void)flags, (void)pipe_packet_size, (void)pipe_max_packets, (void)properties;
    api_set_error(errcode_ret, no_pipe(context));
    return NULL;
}

cl_int CL_API_CALL clGetPipeInfo(cl_mem pipe, cl_pipe_info param_name, size_t param_value_size,
                                 void *param_value, size_t *param_value_size_ret)
{
    (void)param_name, (void)param_value_size, (void)param_value, (void)param_value_size_ret;
    TRY(api_check(pipe, OBJECT_MEM));
    return REFUSE(CL_INVALID_MEM_OBJECT, "not a pipe");
}
