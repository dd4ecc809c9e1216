// SPDX-License-Identifier: Apache-2.0
// See opencl.h.
#include "opencl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../bench.h"

static bool has(const struct opencl *cl, const char *extension)
{
    char list[16384] = "";
    clGetDeviceInfo(cl->base.device, CL_DEVICE_EXTENSIONS, sizeof list - 1, list, NULL);
    return strstr(list, extension);
}

// The preferred multiple of kernel `x`; 0: the kernel does not build.
static uint32_t sub_group_size(struct opencl *cl, const char *text)
{
    cl_int status;
    size_t size = 0;
    cl_program program = clCreateProgramWithSource(cl->base.context, 1, &text, NULL, &status);
    if (!clBuildProgram(program, 1, &cl->base.device, "-cl-std=CL3.0", NULL, NULL)) {
        cl_kernel kernel = clCreateKernel(program, "x", &status);
        clGetKernelWorkGroupInfo(kernel, cl->base.device,
                                 CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, sizeof size, &size,
                                 NULL);
        clReleaseKernel(kernel);
    }
    clReleaseProgram(program);
    return (uint32_t)size;
}

static const char plain_kernel[] = "__kernel void x(__global int *y) { y[get_global_id(0)] = 0; }";
static const char matrix_kernel[] =
    "typedef int m __attribute__((coop_mat(CLK_COOPERATIVE_MATRIX_SCOPE_SUBGROUP, 16, 16,\n"
    "                                      CLK_COOPERATIVE_MATRIX_ACCUMULATOR)));\n"
    "__kernel void x(__global int *y)\n"
    "{ coop_mat_store(y, (m)(0), CLK_COOPERATIVE_MATRIX_LAYOUT_ROW_MAJOR, 16); }\n";
static const char bfloat_kernel[] = "__kernel void x(__global __bf16 *y) { y[get_global_id(0)] = 0; }";

bool opencl_open(struct opencl *cl, const char *folder)
{
    cl_ulong local = 0;
    cl->folder = folder;
    if (!bench_cl_open(&cl->base, NULL, CL_QUEUE_PROFILING_ENABLE))
        return false;
    clGetDeviceInfo(cl->base.device, CL_DEVICE_LOCAL_MEM_SIZE, sizeof local, &local, NULL);
    cl->most_local = (uint32_t)local;
    cl->matrices = sub_group_size(cl, matrix_kernel) > 0;
    cl->halves = has(cl, "cl_khr_fp16");
    cl->bfloats = sub_group_size(cl, bfloat_kernel) > 0;
    cl->sub_group = sub_group_size(cl, plain_kernel);
    return true;
}

void opencl_close(struct opencl *cl)
{
    bench_cl_close(&cl->base);
}

static cl_mem make(struct opencl *cl, size_t bytes, const void *data)
{
    cl_int status;
    cl_mem memory =
        clCreateBuffer(cl->base.context, CL_MEM_READ_WRITE | (data ? CL_MEM_COPY_HOST_PTR : 0),
                       bytes, (void *)data, &status);
    bench_check(status, "clCreateBuffer");
    return memory;
}

static size_t result_size(const struct job *job)
{
    return (size_t)job->n * job->n * number_size(job->types->out);
}

void opencl_load(struct opencl *cl, const struct job *job)
{
    size_t in = (size_t)job->n * job->n * number_size(job->types->in);
    cl->a = make(cl, in, job->a);
    cl->b = make(cl, in, job->b);
    cl->c = make(cl, result_size(job), NULL);
    cl->result = malloc(result_size(job));
}

void opencl_unload(struct opencl *cl)
{
    clReleaseMemObject(cl->a);
    clReleaseMemObject(cl->b);
    clReleaseMemObject(cl->c);
    free(cl->result);
}

const void *opencl_result(struct opencl *cl, const struct job *job)
{
    bench_check(clEnqueueReadBuffer(cl->base.queue, cl->c, CL_TRUE, 0, result_size(job), cl->result,
                                    0, NULL, NULL),
                "clEnqueueReadBuffer");
    return cl->result;
}

static void write_options(const struct opencl *cl, const struct job *job, const struct shape *s,
                          char *text, size_t size)
{
    enum number sum = job->types->out == BFLOAT ? FLOAT : job->types->out;
    snprintf(text, size,
             "-cl-std=CL3.0 -DAB=%s -DSUM=%s -DCD=%s -DAB_SIZE=%zu -DLOCAL=%u -DBM=%u -DBN=%u -DBK=%u "
             "-DWM=%u -DWN=%u -DTM=%u -DTN=%u -DTK=%u -DPAD=%u -DSTAGES=%u -DGROUP=%u "
             "-DBY_COLUMNS=%d",
             number_cl(job->types->in), number_cl(sum), number_cl(job->types->out), number_size(job->types->in),
             s->wm * s->wn * cl->sub_group, s->bm, s->bn, s->bk, s->wm, s->wn, s->tm, s->tn, s->tk,
             s->pad, s->stages, s->group, job->by_columns);
}

static void launch(struct opencl *cl, cl_kernel kernel, const struct job *job,
                   const struct shape *s, cl_event *event)
{
    size_t local = s->wm * s->wn * cl->sub_group;
    size_t global = local * (job->n / s->bm) * (job->n / s->bn);
    bench_check(
        clEnqueueNDRangeKernel(cl->base.queue, kernel, 1, NULL, &global, &local, 0, NULL, event),
        "clEnqueueNDRangeKernel");
}

static void erase(struct opencl *cl, const struct job *job)
{
    cl_uint ones = 0xffffffff;
    bench_check(clEnqueueFillBuffer(cl->base.queue, cl->c, &ones, sizeof ones, 0, result_size(job),
                                    0, NULL, NULL),
                "clEnqueueFillBuffer");
}

bool opencl_run(struct opencl *cl, const struct job *job, const char *name,
                const struct shape *shape, unsigned rounds, struct timing *timing)
{
    char options[512];
    double samples[32], begin = bench_now();
    cl_event event;
    write_options(cl, job, shape, options, sizeof options);
    cl_kernel kernel = bench_kernel_with(&cl->base, cl->folder, name, options);
    timing->build = bench_now() - begin;
    if (!kernel)
        return false;
    clSetKernelArg(kernel, 0, sizeof cl->a, &cl->a);
    clSetKernelArg(kernel, 1, sizeof cl->b, &cl->b);
    clSetKernelArg(kernel, 2, sizeof cl->c, &cl->c);
    clSetKernelArg(kernel, 3, sizeof job->n, &job->n);
    erase(cl, job);
    launch(cl, kernel, job, shape, &event);
    bench_seconds(event);
    for (unsigned i = 0; i < rounds; i++) {
        launch(cl, kernel, job, shape, &event);
        samples[i] = bench_seconds(event);
    }
    timing->device = median(samples, rounds);
    begin = bench_now();
    for (unsigned i = 0; i < rounds; i++)
        launch(cl, kernel, job, shape, NULL);
    bench_check(clFinish(cl->base.queue), "clFinish");
    timing->wall = (bench_now() - begin) / rounds;
    clReleaseKernel(kernel);
    return true;
}
