// SPDX-License-Identifier: Apache-2.0
// What the functions for OpenGL and for EGL share.
#ifndef PUMICE_API_SHARING_H
#define PUMICE_API_SHARING_H

#include "api/api.h"
#include "object/gl.h"

// context.c: CL_INVALID_PROPERTY, CL_INVALID_PLATFORM.
cl_int context_check_properties(const cl_context_properties *properties);

// The OpenGL context that the properties of a context name; origin->context is NULL: none.
// CL_INVALID_OPERATION, CL_INVALID_GL_SHAREGROUP_REFERENCE_KHR, CL_INVALID_PROPERTY.
cl_int sharing_take_origin(const cl_context_properties *properties, struct gl_origin *origin);

// Creates an image with the size and format of gl->object.
cl_int sharing_create_image(cl_context context, cl_mem_flags flags, cl_mem_object_type type, const struct memobj_gl *gl,
                            cl_mem *out);

cl_int sharing_enqueue(cl_command_queue queue, cl_uint count, const cl_mem *list, cl_uint wait_count, const cl_event *waits,
                       cl_event *event, bool egl, bool acquires);

// Creates an event that completes when a GLsync, or an EGLSync of a display, is signalled.
cl_int sharing_create_event(cl_context context, void *display, void *sync, cl_command_type type, cl_event *out);

#endif
